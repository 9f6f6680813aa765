"""A fall of agreement is told, and none where there is none; measured by simulation."""

import numpy as np
import pytest

from shared.agreement.drift import FEWEST, windows
from shared.metrics.counts import CountTable

SEEDS = 100


def simulated(seed: int, patients: int, fall: float = 0.0, since: int = 0) -> CountTable:
    """Patients of 5 to 60 tags, some of them harder; from `since` on so much less is the same."""
    chance = np.random.default_rng(seed)
    rows: list[list[int]] = []
    for at in range(patients):
        rate = 0.93 - (fall if at >= since else 0.0) - abs(chance.normal(0, 0.04))
        tags = int(chance.integers(5, 60))
        same = int(chance.binomial(tags, max(0.0, rate)))
        rows.append([same, int(chance.binomial(tags - same, 0.8)), tags - same])
    return np.array(rows, np.int64)


@pytest.mark.parametrize("patients", [2 * FEWEST, 40, 90])
def test_where_nothing_changes_fewer_than_five_of_a_hundred_are_told_of_a_fall(patients: int):
    alarms = sum(
        any(each.has_fallen for each in windows(simulated(seed, patients))) for seed in range(SEEDS)
    )
    assert alarms < SEEDS * 0.05


@pytest.mark.parametrize("patients", [40, 90])
def test_a_fall_of_fifteen_per_cent_is_found_within_three_windows(patients: int):
    found = 0
    for seed in range(SEEDS):
        size = windows(simulated(seed, patients))[0].end
        told = windows(simulated(seed, patients, 0.15, since=size))
        found += any(each.has_fallen for each in told[1:4])
    assert found >= SEEDS * 0.9


def test_too_few_patients_are_not_judged():
    assert windows(simulated(1, 2 * FEWEST - 1, 0.5, since=FEWEST)) == []


def test_windows_are_of_equal_numbers_in_the_order_given():
    found = windows(simulated(1, 43))
    assert [(each.begin, each.end) for each in found] == [(n * 8, n * 8 + 8) for n in range(5)]
    assert found[0].p is None
    assert len(windows(simulated(1, 1000))) == 8


def test_a_rise_is_no_fall():
    table = simulated(1, 40)
    table[:8] = [[10, 20, 20]] * 8
    assert not any(each.has_fallen for each in windows(table))
