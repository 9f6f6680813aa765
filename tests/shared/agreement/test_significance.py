"""Intervals and tests of a difference: known values, and what must always hold."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.agreement.comparison import Comparison
from shared.agreement.significance import (
    bootstrap,
    by_group,
    compare_candidates,
    randomization_test,
    z_test,
)
from shared.errors import RequestError
from shared.metrics.counts import CountTable, MatchCounts, ratios_of, table_of
from tests.builders import document, marked_up

numbers = st.integers(0, 9)
counts = st.lists(st.builds(MatchCounts, numbers, numbers, numbers), min_size=1, max_size=12)


def patients(table: list[MatchCounts] | CountTable) -> list[str]:
    return [str(number // 3) for number in range(len(table))]


@pytest.mark.parametrize("alike", [MatchCounts(3, 1, 2), MatchCounts(7, 0, 0)])
@pytest.mark.parametrize("count", [1, 2, 6, 60])
def test_patients_that_are_all_alike_say_nothing_of_others(alike: MatchCounts, count: int) -> None:
    table = table_of([alike] * count)
    for found in bootstrap({"strict": table}, patients(table))["strict"]:
        assert np.isnan([found.low, found.high]).all()


@given(counts)
def test_intervals_lie_within_the_worst_and_the_best_patient(some: list[MatchCounts]) -> None:
    micro, macro = bootstrap({"a": table_of(some)}, patients(some), resamples=50)["a"]
    for found in (micro, macro):
        assert np.isnan(found.low) == np.isnan(found.high)
        assert np.isnan(found.low) or 0 <= found.low < found.high <= 1 + 1e-12


def test_the_same_seed_draws_the_same() -> None:
    table = table_of([MatchCounts(n, 1, 2) for n in range(9)])
    first, second = (bootstrap({"a": table}, patients(table), seed=3) for _ in range(2))
    assert first == second


def test_the_bootstrap_draws_patients_not_records() -> None:
    """All records of one patient: whatever is drawn is the same corpus."""
    table = table_of([MatchCounts(n, 1, 2) for n in range(9)])
    micro, macro = bootstrap({"a": table}, ["110"] * 9)["a"]
    assert np.isnan([micro.low, micro.high, macro.low, macro.high]).all()


def test_the_bootstrap_is_that_of_drawing_one_by_one() -> None:
    """Of patients with one record, two, and so on to four, so that samples differ in size."""
    names = [str(patient) for patient in range(10) for _ in range(patient % 4 + 1)]
    table = table_of([MatchCounts(n % 4, n % 3, n % 2) for n in range(len(names))])
    found = bootstrap({"a": table}, names, resamples=4000, seed=1)["a"]
    chance = np.random.default_rng(2)
    samples = []
    for _ in range(4000):
        drawn = [str(each) for each in chance.integers(0, 10, 10)]
        rows = np.array(
            [row for each in drawn for row, name in zip(table, names, strict=True) if name == each]
        )
        samples.append([ratios_of(rows.sum(axis=0))[2], ratios_of(rows)[:, 2].mean()])
    for expected, interval in zip(
        np.quantile(samples, [0.025, 0.975], axis=0).T, found, strict=True
    ):
        low, high = expected
        assert interval.low == pytest.approx(low, abs=0.02)
        assert interval.high == pytest.approx(high, abs=0.02)


@given(counts)
def test_groups_add_up(some: list[MatchCounts]) -> None:
    groups = np.arange(len(some), dtype=np.intp) % 3
    sums = by_group(table_of(some), groups, 3)
    whole = sum(some, MatchCounts())
    assert sums.sum(axis=0).tolist() == [whole.tp, whole.fp, whole.fn]


def test_a_group_without_rows_has_none() -> None:
    groups = np.array([2, 0, 2], np.intp)
    assert by_group(np.array([[1], [5], [2]]), groups, 4).tolist() == [[5], [0], [3], [0]]


def test_resamples_without_a_type_do_not_agree_on_it() -> None:
    """One of twenty patients has a tag, which the other side has not: that is no F1 of 0 to 1."""
    rare = table_of([MatchCounts(0, 1, 0)] + [MatchCounts()] * 19)
    found, _ = bootstrap({"rare": rare}, list(map(str, range(20))))["rare"]
    assert np.isnan([found.low, found.high]).all()
    twice = table_of([MatchCounts(0, 1, 0), MatchCounts(1, 0, 0)] + [MatchCounts()] * 18)
    found, _ = bootstrap({"twice": twice}, list(map(str, range(20))))["twice"]
    assert (found.low, found.high) == (0, 1)


def test_no_patient() -> None:
    with pytest.raises(ValueError, match="no patient"):
        bootstrap({}, [])


def test_alike_candidates_do_not_differ() -> None:
    table = table_of([MatchCounts(3, 1, 2)] * 6)
    assert randomization_test(table, table, patients(table), shuffles=99).p == 1.0


def test_a_clear_difference_is_one() -> None:
    good, bad = (table_of([each] * 60) for each in (MatchCounts(9, 1, 1), MatchCounts(1, 9, 9)))
    found = randomization_test(good, bad, patients(good), shuffles=1999)
    assert found.p == pytest.approx(1 / 2000)
    assert found.difference == pytest.approx(0.8)


def test_one_patient_can_show_no_difference() -> None:
    good, bad = (table_of([each]) for each in (MatchCounts(9, 1, 1), MatchCounts(1, 9, 9)))
    assert randomization_test(good, bad, ["110"], shuffles=99).p == 1.0


@given(counts, st.integers(0, 100))
def test_p_is_a_share(some: list[MatchCounts], seed: int) -> None:
    first, second = table_of(some), table_of(each.swapped() for each in some)
    found = randomization_test(first, second, patients(some), shuffles=40, seed=seed)
    assert 0 < found.p <= 1


def test_the_z_test_by_hand() -> None:
    z, p = z_test(0.9, 0.85, 400, 400)
    assert z == pytest.approx(0.05 / (0.875 * 0.125 / 200) ** 0.5)
    assert p == pytest.approx(0.0325, abs=5e-4)


@pytest.mark.parametrize("value", [0.0, 1.0, 0.5])
def test_equal_proportions_do_not_differ(value: float) -> None:
    assert z_test(value, value, 10, 20) == (0.0, 1.0)


def compare(record_id: str, candidate: str, reference: str) -> Comparison:
    return Comparison(
        document(reference, record_id), marked_up(candidate)[1], marked_up(reference)[1]
    )


def test_only_records_that_both_have_count() -> None:
    first = [compare(each, "[Lee|DOCTOR]", "[Lee|DOCTOR]") for each in ("110-01", "111-01")]
    second = [compare(each, "Lee", "[Lee|DOCTOR]") for each in ("111-01", "112-01")]
    (strict, *_) = compare_candidates(first, second, shuffles=9)
    assert (strict.measure, strict.records) == ("strict", 1)
    assert (strict.difference.first, strict.difference.second) == (1.0, 0.0)


def test_a_candidate_does_not_differ_from_itself() -> None:
    some = [compare("110-01", "[Lee|DOCTOR] Wu", "[Lee|DOCTOR] [Wu|DOCTOR]")]
    for each in compare_candidates(some, some, shuffles=9):
        assert (each.difference.p, each.z, each.z_p) == (1.0, 0.0, 1.0)


def test_a_reference_without_tags() -> None:
    (strict, *_) = compare_candidates(
        [compare("110-01", "Lee", "Lee")], [compare("110-01", "[Lee|DOCTOR]", "Lee")], shuffles=9
    )
    assert (strict.z, strict.difference.first, strict.difference.second) == (0.0, 1.0, 0.0)


def test_nothing_in_common() -> None:
    with pytest.raises(RequestError, match="no record in common"):
        compare_candidates([compare("110-01", "a", "a")], [compare("111-01", "a", "a")])
