"""How sure to be of suggestions beside a model: as sure as they were right on finished patients.

A rule says nothing of how often it is right where it is used: `2/2` is a date for some and a grade
for others. So a training counts, for every rule, how often its suggestions are right, and what
became of them when a model that did not know the patient suggested the same, something else, or
nothing. The counts lie beside the model. Models are calibrated likewise, by how sure they are: see
`ensemble_weights`.
"""

import math
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import islice, takewhile

from shared.recognition.labels import type_name
from shared.recognition.recognizer import Example, Suggestion

PRIOR_WEIGHT = 5.0
"""What is expected of a rule weighs as much as so many of its suggestions, if nothing is said."""
MIN_CONFIDENCE = 0.5
"""From this confidence on a model's suggestion agrees with a rule's, or speaks against it."""
_EDGE = 1e-3

SuggestionBatch = Sequence[Sequence[Suggestion]]
"""What a recognizer suggests in each of several documents."""


class ModelAgreement(StrEnum):
    """What a model makes of a place where a rule suggests something."""

    NOT_ASKED = "unasked"
    AGREES = "agrees"
    SILENT = "silent"
    DIFFERS = "differs"


PRIOR_PRECISION = {
    ModelAgreement.AGREES: 0.98,
    ModelAgreement.SILENT: 0.6,
    ModelAgreement.DIFFERS: 0.2,
}
"""How often rules are right for each stance where nothing is known yet, and so is the next."""
PRIOR_PRECISION_OF_ALL = 0.85


@dataclass(frozen=True, slots=True)
class OutcomeCount:
    """How many suggestions there were, and how many of them were right."""

    right: int = 0
    found: int = 0

    def __add__(self, other: "OutcomeCount") -> "OutcomeCount":
        return OutcomeCount(self.right + other.right, self.found + other.found)

    def __sub__(self, other: "OutcomeCount") -> "OutcomeCount":
        return OutcomeCount(self.right - other.right, self.found - other.found)

    def smoothed_precision(self, expected: float, prior_weight: float = PRIOR_WEIGHT) -> float:
        """The share of right ones, between what was counted and what is expected."""
        return (self.right + prior_weight * expected) / (self.found + prior_weight)


Counts = Mapping[str, Mapping[ModelAgreement, OutcomeCount]]
"""By rule and type, and by stance."""


@dataclass(frozen=True, slots=True)
class RuleCalibration:
    """What rules earned; without counts, suggestions keep the confidence that their rule states.

    What is expected weighs as much as `prior_weight` suggestions that were counted.
    """

    counts: Counts = field(default_factory=dict[str, dict[ModelAgreement, OutcomeCount]])
    prior_weight: float = PRIOR_WEIGHT

    def calibrated(
        self, found: SuggestionBatch, by_model: SuggestionBatch | None = None
    ) -> list[tuple[Suggestion, ...]]:
        """Give suggestions of rules the confidence they deserve beside those of a model.

        Both hold one entry per document; without `by_model`, the model has not been asked.
        """
        if not self.counts:
            return [tuple(each) for each in found]
        shifts, by_rule = self._shifts(), self._by_rule()
        agreements = model_agreements(found, by_model)
        return [
            tuple(
                replace(one, confidence=self._confidence(one, agreement, shifts, by_rule))
                for one, agreement in zip(each, of_each, strict=True)
            )
            for each, of_each in zip(found, agreements, strict=True)
        ]

    def _confidence(
        self,
        suggestion: Suggestion,
        agreement: ModelAgreement,
        shifts: Mapping[ModelAgreement, float],
        by_rule: Mapping[str, OutcomeCount],
    ) -> float:
        counts = self.counts.get(_key(suggestion), {})
        own = _sum(counts.values())
        as_other_types = by_rule.get(suggestion.rule, OutcomeCount()) - own
        usual = own.smoothed_precision(
            as_other_types.smoothed_precision(suggestion.confidence, self.prior_weight),
            self.prior_weight,
        )
        if agreement is ModelAgreement.NOT_ASKED:
            return usual
        expected = _expit(_logit(usual) + shifts[agreement])
        return counts.get(agreement, OutcomeCount()).smoothed_precision(expected, self.prior_weight)

    def _by_rule(self) -> dict[str, OutcomeCount]:
        """How often each rule was right, whatever the type."""
        total: defaultdict[str, OutcomeCount] = defaultdict(OutcomeCount)
        for key, counts in self.counts.items():
            total[key.partition(" ")[2]] += _sum(counts.values())
        return total

    def _shifts(self) -> dict[ModelAgreement, float]:
        """How each stance changes the log odds of any rule."""
        of_all = {
            agreement: _sum(
                counts.get(agreement, OutcomeCount()) for counts in self.counts.values()
            )
            for agreement in PRIOR_PRECISION
        }
        usual = _logit(_sum(of_all.values()).smoothed_precision(PRIOR_PRECISION_OF_ALL))
        return {
            agreement: _logit(count.smoothed_precision(PRIOR_PRECISION[agreement])) - usual
            for agreement, count in of_all.items()
        }


def count_outcomes(
    examples: Sequence[Example], found: SuggestionBatch, by_model: SuggestionBatch | None = None
) -> Counts:
    """Count how often suggestions of rules are right; `by_model`: as in `calibrated`."""
    counts: defaultdict[str, defaultdict[ModelAgreement, OutcomeCount]]
    counts = defaultdict(lambda: defaultdict(OutcomeCount))
    agreements = model_agreements(found, by_model)
    for example, suggestions, of_each in zip(examples, found, agreements, strict=True):
        gold = {(tag.span, tag.phi_type) for tag in example.tags}
        for each, agreement in zip(suggestions, of_each, strict=True):
            is_right = (each.span, each.phi_type) in gold
            counts[_key(each)][agreement] += OutcomeCount(int(is_right), 1)
    return counts


def summed(several: Iterable[Counts]) -> Counts:
    """Add up the counts of several parts of the examples."""
    total: defaultdict[str, defaultdict[ModelAgreement, OutcomeCount]]
    total = defaultdict(lambda: defaultdict(OutcomeCount))
    for rule, of_rule in (each for counts in several for each in counts.items()):
        for agreement, count in of_rule.items():
            total[rule][agreement] += count
    return total


def model_agreements(
    found: SuggestionBatch, by_model: SuggestionBatch | None
) -> list[list[ModelAgreement]]:
    """What a model makes of each suggestion of rules, document by document."""
    if by_model is None:
        return [[ModelAgreement.NOT_ASKED] * len(each) for each in found]
    return [
        [_stance(one, of_model) for one in each]
        for each, of_model in zip(found, by_model, strict=True)
    ]


def calibration_table(calibration: RuleCalibration) -> dict[str, dict[str, list[int]]]:
    """Return what a file says of it; `calibration_from` reads that."""
    return {
        rule: {agreement.value: [count.right, count.found] for agreement, count in counts.items()}
        for rule, counts in sorted(calibration.counts.items())
    }


def calibration_from(table: Mapping[str, Mapping[str, Sequence[int]]]) -> RuleCalibration:
    """Raises what reading a table of another shape ends in, `MALFORMED`."""
    return RuleCalibration({rule: _counts(row) for rule, row in table.items()})


def _counts(row: Mapping[str, Sequence[int]]) -> dict[ModelAgreement, OutcomeCount]:
    counts: dict[ModelAgreement, OutcomeCount] = {}
    for name, (right, found) in row.items():
        if not 0 <= int(right) <= int(found):
            raise ValueError
        counts[ModelAgreement(name)] = OutcomeCount(int(right), int(found))
    return counts


def _stance(suggestion: Suggestion, of_model: Sequence[Suggestion]) -> ModelAgreement:
    first = bisect_right(of_model, suggestion.start, key=lambda each: each.end)
    near = takewhile(lambda each: each.start < suggestion.end, islice(of_model, first, None))
    there = [each for each in near if each.confidence >= MIN_CONFIDENCE]
    if not there:
        return ModelAgreement.SILENT
    same = [(suggestion.span, suggestion.phi_type)]
    is_same = [(each.span, each.phi_type) for each in there] == same
    return ModelAgreement.AGREES if is_same else ModelAgreement.DIFFERS


def _key(suggestion: Suggestion) -> str:
    return f"{type_name(suggestion.phi_type)} {suggestion.rule}"


def _sum(counts: Iterable[OutcomeCount]) -> OutcomeCount:
    return sum(counts, OutcomeCount())


def _logit(smoothed_precision: float) -> float:
    clipped = min(max(smoothed_precision, _EDGE), 1 - _EDGE)
    return math.log(clipped / (1 - clipped))


def _expit(score: float) -> float:
    return 1 / (1 + math.exp(-score))
