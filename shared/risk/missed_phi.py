"""How much PHI no reader found, estimated from what each of several readers found.

Two readers who miss independently tell it (Chapman, 1951): the more of what one found the other
missed, the more both missed. People who read alike miss alike, and then more is left than this
says. A third reader of another kind, a recognizer, allows for that: a log-linear model in which
every two readers may be alike (Fienberg, 1972). Intervals are those of the profile likelihood
(Cormack, 1992).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from math import exp, inf, isinf, lgamma, log, sqrt

_DROP = 3.841 / 2
"""How far the log-likelihood falls within an interval of 95 %."""
_STEPS = 40
_CEILING = 20.0
"""An interval that reaches so many times what was found tells nothing."""
_NEXT_TO_NONE = 1e-9
_AT_LEAST = 0.5
"""Added to each cell, as a cell of few tags is none too easily (Jeffreys)."""

_READ_BY_ONE = [key for key in product((True, False), repeat=3) if any(key)]
"""The sets of three readers in which there is one or more."""

Cells = Mapping[tuple[bool, ...], int]
"""How many tags each set of readers found: (True, False) the first of two and not the second."""


@dataclass(frozen=True, slots=True)
class MissedPhi:
    """How many no reader found, with an interval of 95 %; `high` is inf where none can be told.

    `alike` is the odds ratio of the first two readers finding the same, 1 where they find
    independently of each other; None where only a third reader could tell.
    """

    found: int
    missed: float
    low: float
    high: float
    alike: float | None = None

    @property
    def ends(self) -> tuple[float, float, float]:
        """As estimated, at least, at most."""
        return self.missed, self.low, self.high

    @property
    def is_told(self) -> bool:
        """Whether the interval says anything."""
        return self.high <= _CEILING * max(1, self.found)


def missed_by_two(cells: Cells) -> MissedPhi:
    """Chapman's estimate of what neither of two readers found, who miss independently."""
    both, first, second = (
        cells.get(key, 0) for key in ((True, True), (True, False), (False, True))
    )
    found = both + first + second
    missed = first * second / (both + 1)
    likelihood = _two_readers(both + first, both + second, found)
    low, high = _interval(likelihood, _best_of_two(both, first, second), found)
    return MissedPhi(found, missed, min(low, missed), max(high, missed))


def missed_by_three(cells: Cells) -> MissedPhi:
    """What none of three readers found, where every two of them may be alike."""
    return _missed_by_three(tuple(cells.get(key, 0) for key in _READ_BY_ONE))


@lru_cache(maxsize=1024)
def _missed_by_three(read: tuple[int, ...]) -> MissedPhi:
    """As `missed_by_three`, of what each set of readers found: types and their sums come again."""
    found = sum(read)
    counts = {key: count + _AT_LEAST for key, count in zip(_READ_BY_ONE, read, strict=True)}

    def likelihood(missed: float) -> float:
        return _log_likelihood({**counts, (False,) * 3: missed})

    best = _best(likelihood, found)
    low, high = _interval(likelihood, best, found)
    return MissedPhi(found, best, low, high, _odds_ratio(counts, best))


def is_refuted(each: MissedPhi, added: int) -> bool:
    """Whether as much was added as it was said that there can be at most, or more."""
    return bool(added) and added >= each.high


def less_added(each: MissedPhi, added: int) -> MissedPhi:
    """What is left of it where `added` PHI that no reader had found came into the gold standard.

    Where as much or more was added than the estimate allows for, it was wrong: nothing is known
    but that (0, inf), and there is no estimate (inf): see `is_refuted`.
    """
    if is_refuted(each, added):
        return MissedPhi(each.found, inf, 0.0, inf)
    missed, low, high = (max(0.0, end - added) for end in each.ends)
    return MissedPhi(each.found, missed, low, high)


def total(parts: Iterable[MissedPhi]) -> MissedPhi:
    """The sum of estimates of separate strata (Zou and Donner, 2008); of none nothing is known.

    Of strata of which one has no estimate (inf) there is none either, nor an upper end.
    """
    every = list(parts)
    if not every:
        return MissedPhi(0, 0.0, 0.0, inf)
    found = sum(each.found for each in every)
    told = [each for each in every if not isinf(each.missed)]
    missed = sum(each.missed for each in told)
    below = sqrt(sum((each.missed - each.low) ** 2 for each in told))
    low = max(0.0, missed - below)
    if len(told) < len(every):
        return MissedPhi(found, inf, low, inf)
    above = sqrt(sum((each.high - each.missed) ** 2 for each in told))
    return MissedPhi(found, missed, low, missed + above)


def patients_with_missed(found_of_patients: Sequence[int], missed: float) -> float:
    """How many patients are likely to have at least one, where all tags are missed as easily."""
    found = sum(found_of_patients)
    if not found or missed == inf:
        return float(len(found_of_patients)) if missed else 0.0
    return sum(1 - exp(-missed * own / found) for own in found_of_patients)


def _two_readers(first: int, second: int, found: int) -> Callable[[float], float]:
    def likelihood(missed: float) -> float:
        every = found + missed
        left = lgamma(every + 1) - lgamma(missed + 1)
        return left + sum(
            _xlogx(part) + _xlogx(every - part) - _xlogx(every) for part in (first, second)
        )

    return likelihood


def _best_of_two(both: int, first: int, second: int) -> float:
    return first * second / both if both else float(first * second)


def _xlogx(value: float) -> float:
    return value * log(value) if value > 0 else 0.0


def _log_likelihood(cells: Mapping[tuple[bool, ...], float]) -> float:
    """Of a full table, under the model that has every two readers alike as they are."""
    every = sum(cells.values())
    fitted = _fitted(cells)
    parts = sum(count * log(max(fitted[key], _NEXT_TO_NONE) / every)
                for key, count in cells.items() if count)  # fmt: skip
    missed = cells[(False,) * 3]
    return lgamma(every + 1) - lgamma(missed + 1) + parts


def _fitted(cells: Mapping[tuple[bool, ...], float]) -> dict[tuple[bool, ...], float]:
    """The table with the same margins of every two readers in which no three are alike.

    Such tables differ by a number that half of the cells have more and the others less.
    """
    more = [count for key, count in cells.items() if sum(key) % 2]
    less = [count for key, count in cells.items() if not sum(key) % 2]
    low, high = -min(more), min(less)
    for _ in range(_STEPS):
        by = (low + high) / 2
        above = sum([log(max(count + by, _NEXT_TO_NONE)) for count in more])
        below = sum([log(max(count - by, _NEXT_TO_NONE)) for count in less])
        low, high = (by, high) if above < below else (low, by)
    by = (low + high) / 2
    return {key: count + (by if sum(key) % 2 else -by) for key, count in cells.items()}


def _best(likelihood: Callable[[float], float], found: int) -> float:
    """Where the likelihood is highest: it has one peak."""
    low, high = 0.0, _CEILING * max(1, found)
    for _ in range(_STEPS):
        third = (high - low) / 3
        if likelihood(low + third) < likelihood(high - third):
            low += third
        else:
            high -= third
    return (low + high) / 2


def _interval(likelihood: Callable[[float], float], best: float, found: int) -> tuple[float, float]:
    least = likelihood(best) - _DROP
    low = 0.0 if likelihood(0.0) >= least else _crossing(likelihood, least, 0.0, best)
    ceiling = _CEILING * max(1, found)
    if likelihood(ceiling) >= least:
        return low, inf
    return low, _crossing(likelihood, least, ceiling, best)


def _crossing(
    likelihood: Callable[[float], float], least: float, outside: float, inside: float
) -> float:
    for _ in range(_STEPS):
        middle = (outside + inside) / 2
        if likelihood(middle) >= least:
            inside = middle
        else:
            outside = middle
    return inside


def _odds_ratio(cells: Cells | Mapping[tuple[bool, ...], float], missed: float) -> float:
    """How alike the first two readers are, over what the third found and what it did not."""
    above = below = 0.0
    for third in (True, False):
        none = missed if not third else cells[False, False, True]
        own = [cells[True, True, third], cells[True, False, third], cells[False, True, third]]
        every = sum(own) + none
        if every:
            above += own[0] * none / every
            below += own[1] * own[2] / every
    return above / below if below else inf
