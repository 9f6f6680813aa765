import pytest

from shared.risk.bounds import interval, records_for_bound, upper_bound


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
