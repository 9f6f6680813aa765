"""Rules, the model of fabricated patients, and what was learnt, where they suggest together.

Rules and the model of fabricated patients ("practised") have learnt nothing from the finished
patients, so that these judge them fairly; the model that learnt from them ("learnt") is judged by
models of its kind that learnt from half of a few. Each is as sure as it was right there, given
what the others make of the same place, and where they differ the surer goes first. So fabricated
patients fade where records are unlike them, and what learnt from few patients is no louder than it
was right.
"""

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from shared.recognition.earned import (
    TRUST,
    Earned,
    Found,
    counted,
    earned_from,
    earned_table,
    summed,
)
from shared.recognition.example import Example
from shared.recognition.suggestion import Recognizer, Suggestion, apart

Together = list[tuple[Suggestion, ...]]

_WHO = ("rules", "practised", "learnt")
_BANDS = (0.5, 0.8, 0.95)
"""A model's suggestions from one of these confidences to the next are judged as one rule's are."""

_TRUST = 2 * TRUST
"""What was learnt is trusted more than what was counted of it: from more patients, it is better."""


@dataclass(frozen=True, slots=True)
class Beside:
    """Recognizers that will suggest beside a model: rules, and perhaps one that has practised.

    `edition` says which one that is.
    """

    rules: Recognizer
    practised: Recognizer | None = None
    edition: str = ""


@dataclass(frozen=True, slots=True)
class Voices:
    """What each suggests in the same documents; None where it is not there or was not asked."""

    rules: Found
    practised: Found | None = None
    learnt: Found | None = None


@dataclass(frozen=True, slots=True)
class Standing:
    """What each has earned, and which `edition` of what has practised was asked."""

    rules: Earned = field(default_factory=Earned)
    practised: Earned = field(default_factory=Earned)
    learnt: Earned = field(default_factory=Earned)
    edition: str = ""

    @property
    def hears_practised(self) -> bool:
        """Whether what has practised is heard beside what was learnt: once it was judged."""
        return bool(self.practised.counts)

    @property
    def hears_learnt(self) -> bool:
        """Whether what was learnt is heard beside what has practised: once it was judged, too."""
        return bool(self.learnt.counts) or not self.hears_practised

    def together(self, voices: Voices) -> Together:
        """Return what is suggested in each document, as sure as it deserves."""
        models = self.of_models(voices)
        rules = self.rules.weighed(voices.rules, models)
        return rules if models is None else _merged(rules, models)

    def of_models(self, voices: Voices) -> Together | None:
        """Return what the models suggest, None where none is there."""
        practised, learnt = _banded(voices.practised), _banded(voices.learnt)
        if practised is None or (learnt is not None and not self.hears_practised):
            return learnt
        if learnt is None or not self.hears_learnt:
            return self.practised.weighed(practised)
        trusted = replace(self.learnt, trust=_TRUST)
        return _merged(
            trusted.weighed(learnt, practised), self.practised.weighed(practised, learnt)
        )


def standing_of(parts: Sequence[tuple[Sequence[Example], Voices]], edition: str = "") -> Standing:
    """Count how often each was right in the examples, part by part."""
    models = Standing(
        practised=_earned((each, _banded(said.practised), said.learnt) for each, said in parts),
        learnt=_earned((each, _banded(said.learnt), said.practised) for each, said in parts),
    )
    rules = _earned((each, said.rules, models.of_models(said)) for each, said in parts)
    return replace(models, rules=rules, edition=edition)


def standing_table(standing: Standing) -> dict[str, Any]:
    """Return what a file says of it; `standing_from` reads that."""
    table = {name: earned_table(getattr(standing, name)) for name in _WHO}
    return {"edition": standing.edition, **table}


def standing_from(table: Mapping[str, Any]) -> Standing:
    """Raises what reading a table of another shape ends in, `MALFORMED`."""
    earned = {name: earned_from(table[name]) for name in _WHO}
    return Standing(**earned, edition=str(table["edition"]))


def _earned(parts: Iterable[tuple[Sequence[Example], Found | None, Found | None]]) -> Earned:
    return Earned(
        summed(
            counted(examples, found, others)
            for examples, found, others in parts
            if found is not None
        )
    )


def _banded(found: Found | None) -> Together | None:
    """Name the band of confidence in which a model's suggestions lie as their rule."""
    if found is None:
        return None
    return [tuple(replace(one, rule=_band(one)) for one in each) for each in found]


def _band(suggestion: Suggestion) -> str:
    return f"from {(0.0, *_BANDS)[bisect_right(_BANDS, suggestion.confidence)]:.2f}"


def _merged(*findings: Sequence[Iterable[Suggestion]]) -> Together:
    return [
        apart(one for finding in of_document for one in finding)
        for of_document in zip(*findings, strict=True)
    ]
