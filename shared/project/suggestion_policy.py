"""Who sees suggestions of which kind, on which patient, and what they are learnt from.

learn_from = "own"                            "own" finished patients (the default), or "gold"

[suggestions]
ana = "on"                                    "on" (the default), "rules" or "off"
ben = { default = "on", "110" = "off" }       and otherwise for single patients

The effect of suggestions can so be measured, between annotators and between patients.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, cast

from shared.errors import RequestError

_DEFAULT = "default"


class Policy(StrEnum):
    """What an annotator is offered."""

    OFF = "off"
    RULES = "rules"
    """What has a form; the same for everybody, and nothing is learnt."""
    ON = "on"
    """Rules and what was learnt."""


class LearnFrom(StrEnum):
    """What a model learns from; never the other annotator's layers."""

    OWN = "own"
    GOLD = "gold"


@dataclass(frozen=True, slots=True)
class SuggestionPolicy:
    """The policy of a project: by annotator, and by annotator and patient where one is named."""

    by_annotator: Mapping[str, Policy] = field(default_factory=dict[str, Policy])
    by_patient: Mapping[tuple[str, str], Policy] = field(
        default_factory=dict[tuple[str, str], Policy]
    )
    learn_from: LearnFrom = LearnFrom.OWN

    def of(self, annotator: str, patient_id: str = "") -> Policy:
        """What an annotator is offered on a patient; without one, on all that are not named."""
        usual = self.by_annotator.get(annotator, Policy.ON)
        return self.by_patient.get((annotator, patient_id), usual)

    def ever_on(self, annotator: str) -> bool:
        """True where the annotator is offered what was learnt, on whichever patient."""
        named = [each for (name, _), each in self.by_patient.items() if name == annotator]
        return Policy.ON in (self.of(annotator), *named)

    def changed(self, annotator: str, policy: Policy, patient_id: str = "") -> "SuggestionPolicy":
        """Return this policy with another for an annotator, or for one patient of theirs."""
        if patient_id:
            by_patient = {**self.by_patient, (annotator, patient_id): policy}
            return replace(self, by_patient=by_patient)
        return replace(self, by_annotator={**self.by_annotator, annotator: policy})


def policy_to_table(policy: SuggestionPolicy, annotators: tuple[str, ...]) -> dict[str, Any]:
    """Return the table `suggestions`, with a line for everybody."""
    table: dict[str, Any] = {}
    for name in annotators:
        patients = {
            patient_id: each.value
            for (annotator, patient_id), each in policy.by_patient.items()
            if annotator == name
        }
        usual = policy.of(name).value
        table[name] = {_DEFAULT: usual, **patients} if patients else usual
    return table


def policy_from_table(
    table: Mapping[str, Any], learn_from: object, annotators: tuple[str, ...]
) -> SuggestionPolicy:
    """Read the table `suggestions` and the value of `learn_from`. Raises RequestError."""
    if learn_from not in [*LearnFrom]:
        raise RequestError('learn_from must be "own" or "gold"')
    by_annotator: dict[str, Policy] = {}
    by_patient: dict[tuple[str, str], Policy] = {}
    for name, value in table.items():
        if name not in annotators:
            raise RequestError(f"suggestions: {name} must be an annotator")
        for patient_id, word in _words(value).items():
            if patient_id == _DEFAULT:
                by_annotator[name] = _policy(word, name)
            else:
                by_patient[name, patient_id] = _policy(word, f"{name}, patient {patient_id}")
    return SuggestionPolicy(by_annotator, by_patient, LearnFrom(str(learn_from)))


def _words(value: object) -> dict[str, object]:
    return cast("dict[str, object]", value) if isinstance(value, dict) else {_DEFAULT: value}


def _policy(word: object, whose: str) -> Policy:
    if word not in [*Policy]:
        raise RequestError(f'suggestions: {whose} must be "on", "rules" or "off"')
    return Policy(str(word))
