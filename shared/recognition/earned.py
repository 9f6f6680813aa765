"""How sure to be of suggestions beside a model: as sure as they were right on finished patients.

A rule says nothing of how often it is right where it is used: `2/2` is a date for some and a grade
for others. So a training counts, for every rule, how often its suggestions are right, and what
became of them when a model that did not know the patient suggested the same, something else, or
nothing. The counts lie beside the model. Models are judged likewise, by how sure they are: see
`standing`.
"""

import math
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import islice, takewhile

from shared.recognition.example import Example
from shared.recognition.labels import type_name
from shared.recognition.suggestion import Suggestion

TRUST = 5.0
"""What is expected of a rule weighs as much as so many of its suggestions, if nothing is said."""
CLEAR = 0.5
"""From this confidence on a model's suggestion agrees with a rule's, or speaks against it."""
_EDGE = 1e-3

Found = Sequence[Sequence[Suggestion]]
"""What a recognizer suggests in each of several documents."""


class Stance(StrEnum):
    """What a model makes of a place where a rule suggests something."""

    UNASKED = "unasked"
    AGREES = "agrees"
    SILENT = "silent"
    DIFFERS = "differs"


_BEFOREHAND = {Stance.AGREES: 0.98, Stance.SILENT: 0.6, Stance.DIFFERS: 0.2}
"""How often rules are right for each stance where nothing is known yet, and so is the next."""
_BEFOREHAND_AT_ALL = 0.85


@dataclass(frozen=True, slots=True)
class Count:
    """How many suggestions there were, and how many of them were right."""

    right: int = 0
    found: int = 0

    def __add__(self, other: "Count") -> "Count":
        return Count(self.right + other.right, self.found + other.found)

    def __sub__(self, other: "Count") -> "Count":
        return Count(self.right - other.right, self.found - other.found)

    def share(self, expected: float, trust: float = TRUST) -> float:
        """The share of right ones, between what was counted and what is expected."""
        return (self.right + trust * expected) / (self.found + trust)


Counts = Mapping[str, Mapping[Stance, Count]]
"""By rule and type, and by stance."""


@dataclass(frozen=True, slots=True)
class Earned:
    """What rules earned; without counts, suggestions keep the confidence that their rule states.

    What is expected weighs as much as `trust` suggestions that were counted.
    """

    counts: Counts = field(default_factory=dict[str, dict[Stance, Count]])
    trust: float = TRUST

    def weighed(self, found: Found, by_model: Found | None = None) -> list[tuple[Suggestion, ...]]:
        """Give suggestions of rules the confidence they deserve beside those of a model.

        Both hold one entry per document; without `by_model`, the model has not been asked.
        """
        if not self.counts:
            return [tuple(each) for each in found]
        shifts, by_rule = self._shifts(), self._by_rule()
        stances = stances_of(found, by_model)
        return [
            tuple(
                replace(one, confidence=self._confidence(one, stance, shifts, by_rule))
                for one, stance in zip(each, of_each, strict=True)
            )
            for each, of_each in zip(found, stances, strict=True)
        ]

    def _confidence(
        self,
        suggestion: Suggestion,
        stance: Stance,
        shifts: Mapping[Stance, float],
        by_rule: Mapping[str, Count],
    ) -> float:
        counts = self.counts.get(_key(suggestion), {})
        own = _sum(counts.values())
        as_other_types = by_rule.get(suggestion.rule, Count()) - own
        usual = own.share(as_other_types.share(suggestion.confidence, self.trust), self.trust)
        if stance is Stance.UNASKED:
            return usual
        expected = _expit(_logit(usual) + shifts[stance])
        return counts.get(stance, Count()).share(expected, self.trust)

    def _by_rule(self) -> dict[str, Count]:
        """How often each rule was right, whatever the type."""
        total: dict[str, Count] = {}
        for key, counts in self.counts.items():
            rule = _rule(key)
            total[rule] = total.get(rule, Count()) + _sum(counts.values())
        return total

    def _shifts(self) -> dict[Stance, float]:
        """How each stance changes the log odds of any rule."""
        of_all = {
            stance: _sum(counts.get(stance, Count()) for counts in self.counts.values())
            for stance in _BEFOREHAND
        }
        usual = _logit(_sum(of_all.values()).share(_BEFOREHAND_AT_ALL))
        return {
            stance: _logit(count.share(_BEFOREHAND[stance])) - usual
            for stance, count in of_all.items()
        }


def counted(
    examples: Sequence[Example], found: Found, by_model: Found | None = None
) -> dict[str, dict[Stance, Count]]:
    """Count how often suggestions of rules are right; `by_model` as in `Earned.weighed`."""
    counts: dict[str, dict[Stance, Count]] = {}
    stances = stances_of(found, by_model)
    for example, suggestions, of_each in zip(examples, found, stances, strict=True):
        gold = {(tag.span, tag.phi_type) for tag in example.tags}
        for each, stance in zip(suggestions, of_each, strict=True):
            of_rule = counts.setdefault(_key(each), {})
            is_right = (each.span, each.phi_type) in gold
            of_rule[stance] = of_rule.get(stance, Count()) + Count(int(is_right), 1)
    return counts


def summed(several: Iterable[Counts]) -> dict[str, dict[Stance, Count]]:
    """Add up the counts of several parts of the examples."""
    total: dict[str, dict[Stance, Count]] = {}
    for counts in several:
        for rule, of_rule in counts.items():
            into = total.setdefault(rule, {})
            for stance, count in of_rule.items():
                into[stance] = into.get(stance, Count()) + count
    return total


def stances_of(found: Found, by_model: Found | None) -> list[list[Stance]]:
    """What a model makes of each suggestion of rules, document by document."""
    if by_model is None:
        return [[Stance.UNASKED] * len(each) for each in found]
    return [
        [_stance(one, of_model) for one in each]
        for each, of_model in zip(found, by_model, strict=True)
    ]


def earned_table(earned: Earned) -> dict[str, dict[str, list[int]]]:
    """Return what a file says of it; `earned_from` reads that."""
    return {
        rule: {stance.value: [count.right, count.found] for stance, count in counts.items()}
        for rule, counts in sorted(earned.counts.items())
    }


def earned_from(table: Mapping[str, Mapping[str, Sequence[int]]]) -> Earned:
    """Raises what reading a table of another shape ends in, `MALFORMED`."""
    return Earned({rule: _counts(row) for rule, row in table.items()})


def _counts(row: Mapping[str, Sequence[int]]) -> dict[Stance, Count]:
    counts: dict[Stance, Count] = {}
    for name, (right, found) in row.items():
        if not 0 <= int(right) <= int(found):
            raise ValueError
        counts[Stance(name)] = Count(int(right), int(found))
    return counts


def _stance(suggestion: Suggestion, of_model: Sequence[Suggestion]) -> Stance:
    first = bisect_right(of_model, suggestion.start, key=lambda each: each.end)
    near = takewhile(lambda each: each.start < suggestion.end, islice(of_model, first, None))
    there = [each for each in near if each.confidence >= CLEAR]
    if not there:
        return Stance.SILENT
    same = [(suggestion.span, suggestion.phi_type)]
    is_same = [(each.span, each.phi_type) for each in there] == same
    return Stance.AGREES if is_same else Stance.DIFFERS


def _key(suggestion: Suggestion) -> str:
    return f"{type_name(suggestion.phi_type)} {suggestion.rule}"


def _rule(key: str) -> str:
    return key.partition(" ")[2]


def _sum(counts: Iterable[Count]) -> Count:
    return sum(counts, Count())


def _logit(share: float) -> float:
    clipped = min(max(share, _EDGE), 1 - _EDGE)
    return math.log(clipped / (1 - clipped))


def _expit(score: float) -> float:
    return 1 / (1 + math.exp(-score))
