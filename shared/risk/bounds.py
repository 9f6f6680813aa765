"""Exact bounds on shares, as sampling for acceptance and all-or-nothing recall need them."""

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil, exp, floor, lgamma, log, log1p

_CONFIDENCE = 0.95
_STEPS = 60
_BIG_PART = 0.05
"""From this share on it matters that a sample is drawn from an archive that has an end."""


@dataclass(frozen=True, slots=True)
class SampleBound:
    """No more than this share of an archive is bad, with 95 % confidence; how that was told."""

    share: float
    is_finite: bool

    @property
    def method(self) -> str:
        return "hypergeometric" if self.is_finite else "binomial"


def sample_bound(found: int, read: int, every: int) -> SampleBound:
    """The exact bound for an archive of so many records of which some were drawn and read.

    Where the sample is more than a twentieth of it, by what can have been drawn from just so many.
    """
    if read <= _BIG_PART * every:
        return SampleBound(upper_bound(found, read), is_finite=False)
    least, most = found, every - (read - found)
    while least < most:  # how many may be bad: the more, the less likely so few were found
        middle = (least + most + 1) // 2
        if _drawn_at_most(found, read, middle, every) > 1 - _CONFIDENCE:
            least = middle
        else:
            most = middle - 1
    return SampleBound(least / every if every else 1.0, is_finite=True)


def sample_for_bound(bound: float, every: int) -> int:
    """How many of an archive's records to read, all clean, for `sample_bound` to be no more."""
    low, high = 1, every
    while low < high:
        middle = (low + high) // 2
        if sample_bound(0, middle, every).share <= bound:
            high = middle
        else:
            low = middle + 1
    return low


def upper_bound(found: int, read: int, confidence: float = _CONFIDENCE) -> float:
    """The highest share of which a sample shows no more than was found, with that confidence.

    The one-sided bound of Clopper and Pearson (1934).
    """
    return _share_where(lambda share: _at_most(found, read, share) > 1 - confidence, found < read)


def is_bound_below(share: float, found: int, read: int, confidence: float) -> bool:
    """Whether `upper_bound` is below a share, told without working it out."""
    return found < read and _at_most(found, read, share) <= 1 - confidence


def interval(found: int, every: int) -> tuple[float, float]:
    """The exact interval of 95 % of a share (Clopper and Pearson, 1934)."""
    tail = (1 - _CONFIDENCE) / 2
    low = 1 - _share_where(
        lambda share: _at_most(every - found, every, share) > tail, every - found < every
    )
    high = _share_where(lambda share: _at_most(found, every, share) > tail, found < every)
    return low, high


def records_for_bound(bound: float) -> int:
    """How many records to read, all of them clean, for `upper_bound` to be no more than this.

    `bound` lies between 0 and 1.
    """
    return ceil(log(1 - _CONFIDENCE) / log1p(-bound))


def share_at_most(share: float) -> str:
    """A share as per cent, rounded so that it is no less than it was."""
    return f"{ceil(share * 1000 - 1e-9) / 10:g} %"


def share_at_least(share: float) -> str:
    """A share as per cent, rounded so that it is no more than it was."""
    return f"{floor(share * 1000 + 1e-9) / 10:g} %"


def _at_most(found: int, every: int, share: float) -> float:
    """The probability of no more than `found` among so many, each as likely as the share."""
    if found >= every or share <= 0:
        return 1.0
    yes, no = log(share), log1p(-share) if share < 1 else -1e9
    return min(1.0, sum(exp(_ways(every, each) + each * yes + (every - each) * no)
                        for each in range(found + 1)))  # fmt: skip


def _drawn_at_most(found: int, read: int, bad: int, every: int) -> float:
    """The probability that so many drawn from an archive hold no more than `found` of its bad."""
    every_way = _ways(every, read)
    numbers = range(max(0, read - (every - bad)), min(found, bad, read) + 1)
    return sum(
        exp(_ways(bad, each) + _ways(every - bad, read - each) - every_way) for each in numbers
    )


def _ways(every: int, some: int) -> float:
    """The logarithm of how many ways there are to choose some of so many."""
    return lgamma(every + 1) - lgamma(some + 1) - lgamma(every - some + 1)


def _share_where(is_below: Callable[[float], bool], has_bound: bool) -> float:
    """The share up to which that holds; 1 where it always does."""
    low, high = 0.0, 1.0
    for _ in range(_STEPS if has_bound else 0):
        middle = (low + high) / 2
        low, high = (middle, high) if is_below(middle) else (low, middle)
    return high
