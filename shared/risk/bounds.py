"""Exact bounds on shares, as sampling for acceptance and all-or-nothing recall need them."""

from collections.abc import Callable
from math import ceil, comb, log, log1p

_CONFIDENCE = 0.95
_STEPS = 60


def upper_bound(found: int, read: int) -> float:
    """The highest share of which a sample shows no more than was found, with 95 % confidence.

    The one-sided bound of Clopper and Pearson (1934).
    """
    return _share_where(lambda share: _at_most(found, read, share) > 1 - _CONFIDENCE, found < read)


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


def _at_most(found: int, every: int, share: float) -> float:
    """The probability of no more than `found` among so many, each as likely as the share."""
    return sum(
        comb(every, each) * share**each * (1 - share) ** (every - each) for each in range(found + 1)
    )


def _share_where(is_below: Callable[[float], bool], has_bound: bool) -> float:
    """The share up to which that holds; 1 where it always does."""
    low, high = 0.0, 1.0
    for _ in range(_STEPS if has_bound else 0):
        middle = (low + high) / 2
        low, high = (middle, high) if is_below(middle) else (low, middle)
    return high
