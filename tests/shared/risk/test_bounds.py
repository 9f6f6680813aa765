import pytest

from shared.risk.bounds import (
    interval,
    records_for_bound,
    sample_bound,
    sample_for_bound,
    upper_bound,
)


@pytest.mark.parametrize(
    ("found", "read", "bound"), [(0, 299, 0.00997), (2, 500, 0.01254), (3, 3, 1.0), (0, 0, 1.0)]
)
def test_the_bound_of_a_sample(found: int, read: int, bound: float) -> None:
    assert upper_bound(found, read) == pytest.approx(bound, abs=1e-5)


def test_so_many_clean_records_are_enough_and_one_less_is_not() -> None:
    for bound in (0.1, 0.05, 0.01, 0.002):
        count = records_for_bound(bound)
        assert upper_bound(0, count) <= bound < upper_bound(0, count - 1)


@pytest.mark.parametrize(
    ("found", "every", "low", "high"),
    [(5, 10, 0.18709, 0.81291), (0, 10, 0, 0.3085), (10, 10, 0.6915, 1), (0, 0, 0, 1)],
)
def test_the_interval_of_a_share(found: int, every: int, low: float, high: float) -> None:
    assert interval(found, every) == pytest.approx((low, high), abs=1e-4)


@pytest.mark.parametrize(
    ("found", "read", "every"),
    [(0, 10, 20), (0, 50, 100), (1, 50, 100), (2, 30, 60), (0, 299, 400), (7, 40, 90)],
)
def test_the_bound_of_a_big_part_is_the_most_that_the_archive_may_have(found, read, every):
    from math import comb

    def at_most(there: int) -> float:
        ways = (comb(there, n) * comb(every - there, read - n) for n in range(found + 1))
        return sum(ways) / comb(every, read)

    told = sample_bound(found, read, every)
    bad = round(told.share * every)
    assert told.method == "hypergeometric"
    assert at_most(bad) > 0.05 >= at_most(bad + 1)


def test_the_bound_of_a_small_part_is_that_of_an_archive_without_end() -> None:
    told = sample_bound(1, 50, 1000)
    assert (told.share, told.method) == (upper_bound(1, 50), "binomial")


def test_who_has_read_all_knows_the_share_and_who_read_nothing_knows_nothing() -> None:
    assert sample_bound(3, 20, 20).share == 3 / 20
    assert sample_bound(0, 0, 20).share == 1
    assert sample_bound(0, 0, 0).share == 1
    assert sample_bound(20, 20, 20).share == 1


@pytest.mark.parametrize("every", [1, 7, 50, 300, 999, 2000, 5980, 10**6])
@pytest.mark.parametrize("bound", [0.2, 0.01])
def test_the_sample_for_a_bound_is_enough_and_one_less_is_not(every: int, bound: float) -> None:
    count = sample_for_bound(bound, every)
    assert count <= min(every, records_for_bound(bound))
    assert count == every or sample_bound(0, count, every).share <= bound
    assert count == 1 or sample_bound(0, count - 1, every).share > bound


def test_the_sample_for_a_share_of_a_hundredth() -> None:
    assert sample_for_bound(0.01, 10**6) == 299
    assert sample_for_bound(0.01, 400) == 180


def test_thousands_of_records_have_a_bound_too() -> None:
    assert 0.5 < upper_bound(1500, 3000) < 0.52
    assert 0.5 < sample_bound(1500, 3000, 9000).share < 0.52


@pytest.mark.parametrize(("every", "bad", "read"), [(400, 20, 60), (400, 4, 60), (5000, 100, 120)])
def test_in_two_hundred_draws_the_bound_holds_the_truth_in_95_of_100(every, bad, read):
    from random import Random

    held = 0
    for seed in range(200):
        drawn = Random(seed).sample(range(every), read)
        found = sum(each < bad for each in drawn)
        held += sample_bound(found, read, every).share >= bad / every
    assert held >= 190
