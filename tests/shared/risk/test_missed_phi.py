"""Estimates of what no reader found, beside the truth of simulated readers."""

from collections import Counter
from collections.abc import Callable
from math import isinf
from random import Random

import pytest

from shared.risk.missed_phi import (
    MissedPhi,
    missed_by_three,
    missed_by_two,
    patients_with_missed,
    total,
)

Reading = Callable[[Random], tuple[bool, ...]]
SEEDS = 100


def independent(rng: Random) -> tuple[bool, ...]:
    return tuple(rng.random() < recall for recall in (0.92, 0.9, 0.85))


def some_are_hard(rng: Random) -> tuple[bool, ...]:
    """What is hard for one is hard for all three."""
    recalls = (0.5, 0.45, 0.6) if rng.random() < 0.08 else (0.96, 0.95, 0.9)
    return tuple(rng.random() < recall for recall in recalls)


def second_follows_first(rng: Random) -> tuple[bool, ...]:
    first = rng.random() < 0.9
    return first, rng.random() < (0.93 if first else 0.55), rng.random() < 0.85


def second_copies_first(rng: Random) -> tuple[bool, ...]:
    first = rng.random() < 0.9
    return first, first or rng.random() < 0.02, rng.random() < 0.85


def covered(read: Reading, tags: int, readers: int) -> tuple[int, list[MissedPhi]]:
    """In how many of the seeds the interval has the truth, and the estimates."""
    hits, found = 0, []
    for seed in range(SEEDS):
        rng = Random(seed)
        cells = Counter(read(rng)[:readers] for _ in range(tags))
        missed = cells.pop((False,) * readers, 0)
        found.append((missed_by_two if readers == 2 else missed_by_three)(cells))
        hits += found[-1].low - 0.5 <= missed <= found[-1].high + 0.5
    return hits, found


def test_two_independent_readers_tell_what_both_missed() -> None:
    assert covered(independent, 800, 2)[0] >= 90


@pytest.mark.parametrize("read", [independent, some_are_hard, second_follows_first])
def test_three_readers_tell_it_though_two_are_alike(read: Reading) -> None:
    assert covered(read, 300, 3)[0] >= 90


def test_two_readers_who_are_alike_do_not_tell_it() -> None:
    """That is why the command says what it assumes where there is no third reader."""
    assert covered(second_follows_first, 800, 2)[0] < 50


def test_that_readers_are_alike_is_told() -> None:
    alike = [each.alike for each in covered(second_copies_first, 300, 3)[1]]
    assert min(alike) > 20
    alike = [each.alike for each in covered(independent, 300, 3)[1]]
    assert sum(each < 5 for each in alike) > 90


def test_what_cannot_be_told_has_no_upper_end() -> None:
    found = missed_by_three({(True, False, False): 1, (False, True, False): 1})
    assert isinf(found.high)
    assert not found.is_told


def test_readers_who_found_the_same_missed_next_to_nothing() -> None:
    found = missed_by_two({(True, True): 400})
    assert found.missed == found.low == 0
    assert 0 <= found.high < 1


def test_chapman() -> None:
    """23 of 43 marked, of 40 read again: the estimate is (44 * 41) / 24 - 1."""
    found = missed_by_two({(True, True): 23, (True, False): 20, (False, True): 17})
    assert found.found + found.missed == pytest.approx(44 * 41 / 24 - 1)
    assert found.low < found.missed < found.high


def test_a_total_is_narrower_than_the_sum_of_its_ends() -> None:
    one = MissedPhi(100, 2.0, 1.0, 6.0)
    both = total([one, one])
    assert (both.found, both.missed) == (200, 4.0)
    assert 2.0 < both.low < 4.0 < both.high < 12.0


def test_patients_with_missed() -> None:
    assert patients_with_missed([10] * 100, 0) == 0
    assert patients_with_missed([10] * 100, 1) == pytest.approx(1, abs=0.01)
    assert patients_with_missed([10, 10], float("inf")) == 2
