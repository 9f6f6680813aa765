"""Tests of a difference: known values, and what must always hold."""

from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.agreement.comparison import Comparison
from shared.agreement.measures import STRICT, MeasureKey
from shared.agreement.significance import (
    Difference,
    RandomizationTest,
    compare_candidates,
    z_test,
)
from shared.errors import RequestError
from shared.metrics.counts import CountTable, MatchCounts, added, table_of
from tests.builders import document, marked_up

numbers = st.integers(0, 9)
counts = st.lists(st.builds(MatchCounts, numbers, numbers, numbers), min_size=1, max_size=12)


def patients(table: "list[MatchCounts] | CountTable") -> list[str]:
    return [str(number // 3) for number in range(len(table))]


def randomization_test(
    first: CountTable, second: CountTable, names: list[str], *, shuffles: int, seed: int = 1
) -> Difference:
    key, test = MeasureKey(STRICT), RandomizationTest(shuffles, seed)
    for patient in dict.fromkeys(names):
        one, other = (
            MatchCounts(*(int(n) for n in side[[name == patient for name in names]].sum(axis=0)))
            for side in (first, second)
        )
        test.add(patient, {key: (one, other)})
    return test.difference(key)


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


@given(counts, st.randoms())
def test_the_order_of_patients_changes_nothing(some: list[MatchCounts], chance: Random) -> None:
    pairs = {str(at): (each, each.swapped()) for at, each in enumerate(some)}
    mixed = list(pairs)
    chance.shuffle(mixed)
    key, found = MeasureKey(STRICT), list[Difference]()
    for order in (list(pairs), mixed):
        test = RandomizationTest(60)
        for patient in order:
            test.add(patient, {key: pairs[patient]})
        found.append(test.difference(key))
    assert found[0] == found[1]


def test_p_is_that_of_all_ways_to_change_sides() -> None:
    """Of six patients there are 64."""
    one = [MatchCounts(5, at % 3, 1) for at in range(6)]
    other = [MatchCounts(4, 1, at % 4) for at in range(6)]

    def gap(swapped: tuple[bool, ...]) -> float:
        pairs = [(b, a) if each else (a, b) for a, b, each in zip(one, other, swapped, strict=True)]
        first, second = (added(side) for side in zip(*pairs, strict=True))
        return abs(first.f1 - second.f1)

    ways = [gap(each) for each in product((False, True), repeat=6)]
    exact = sum(each >= ways[0] - 1e-12 for each in ways) / len(ways)
    names = [str(at) for at in range(6)]
    found = randomization_test(table_of(one), table_of(other), names, shuffles=20_000)
    assert found.p == pytest.approx(exact, abs=0.02)


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
