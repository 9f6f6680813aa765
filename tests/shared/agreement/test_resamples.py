"""Resamples of patients: what must always hold, and that parts of them add up."""

import pickle
from collections.abc import Mapping
from itertools import pairwise
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.agreement.comparison import Comparison
from shared.agreement.measures import STRICT, TOKEN, MeasureKey
from shared.agreement.report.comparison_counts import ComparisonCounts
from shared.agreement.report.figures import CountedRecord, Figures
from shared.agreement.resamples import Interval, ResampledSums, drawn_by, swapped_by
from shared.metrics.counts import CountTable, MatchCounts, ratios_of, table_of
from tests.builders import document

numbers = st.integers(0, 9)
counts = st.lists(st.builds(MatchCounts, numbers, numbers, numbers), min_size=1, max_size=12)


def patients(table: "list[MatchCounts] | CountTable") -> list[str]:
    return [str(number // 3) for number in range(len(table))]


def bootstrap(
    tables: Mapping[str, CountTable], names: list[str], *, resamples: int = 1000, seed: int = 1
) -> dict[str, tuple[Interval, Interval]]:
    """The intervals of micro and macro F1 of records with these counts, of these patients."""
    found: dict[str, tuple[Interval, Interval]] = {}
    for name, table in tables.items():
        figures = Figures("ana", "ben", drawn_by(seed, resamples))
        for patient in dict.fromkeys(names):
            rows = [row for row, of in zip(table.tolist(), names, strict=True) if of == patient]
            figures.add(patient, [record(MatchCounts(*row)) for row in rows])
        key = MeasureKey(STRICT)
        found[name] = figures.interval(key), figures.macro_interval(key)
    return found


def record(found: MatchCounts) -> CountedRecord:
    matches = {MeasureKey(STRICT): found, MeasureKey(TOKEN): found}
    return CountedRecord(
        Comparison(document(""), (), ()), ComparisonCounts(matches, {}, {}, {}, {}, ())
    )


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


def test_resamples_without_a_type_do_not_agree_on_it() -> None:
    """One of twenty patients has a tag, which the other side has not: that is no F1 of 0 to 1."""
    rare = table_of([MatchCounts(0, 1, 0)] + [MatchCounts()] * 19)
    found, _ = bootstrap({"rare": rare}, list(map(str, range(20))))["rare"]
    assert np.isnan([found.low, found.high]).all()
    twice = table_of([MatchCounts(0, 1, 0), MatchCounts(1, 0, 0)] + [MatchCounts()] * 18)
    found, _ = bootstrap({"twice": twice}, list(map(str, range(20))))["twice"]
    assert (found.low, found.high) == (0, 1)


def test_a_patient_is_drawn_as_a_poisson_variable_says() -> None:
    drawn = drawn_by(1, 200_000)("110")
    expected = [0.36788, 0.36788, 0.18394, 0.06131, 0.01533]
    assert np.bincount(drawn)[:5] / len(drawn) == pytest.approx(expected, abs=0.005)
    assert drawn.mean() == pytest.approx(1, abs=0.01)


def test_one_patient_tells_nothing_of_how_often_another_is_drawn() -> None:
    one, other, again = (drawn_by(1, 50_000)(each).astype(float) for each in ("110", "111", "110"))
    assert (one == again).all()
    assert abs(np.corrcoef(one, other)[0, 1]) < 0.02
    assert abs(np.corrcoef(one, drawn_by(2, 50_000)("110").astype(float))[0, 1]) < 0.02


def test_half_of_the_patients_change_sides() -> None:
    drawn = swapped_by(1, 100_001)("110")
    assert len(drawn) == 100_001
    assert drawn.mean() == pytest.approx(0.5, abs=0.01)


vectors = st.lists(
    st.dictionaries(
        st.sampled_from("abcde"), st.tuples(numbers, st.integers(0, 2**31)), max_size=5
    ),
    max_size=150,
)


@given(vectors, st.randoms(), st.data())
def test_sums_of_parts_are_those_of_the_whole(
    some: list[dict[str, tuple[int, int]]], chance: Random, data: st.DataObject
) -> None:
    """In whatever order and parts the patients come, some of which were in another process."""
    draw = drawn_by(1, 30)
    whole: ResampledSums[str] = ResampledSums(draw, 2)
    for at, each in enumerate(some):
        whole.add(str(at), each)
    mixed = list(enumerate(some))
    chance.shuffle(mixed)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(mixed)), max_size=4)))
    parts: ResampledSums[str] = ResampledSums(draw, 2)
    for begin, end in pairwise([0, *cuts, len(mixed)]):
        part: ResampledSums[str] = ResampledSums(draw, 2)
        for at, each in mixed[begin:end]:
            part.add(str(at), each)
        sent = pickle.loads(pickle.dumps(part))  # noqa: S301  our own
        parts.add_up(sent if data.draw(st.booleans()) else part)
    assert (whole.of("abcde") == parts.of("abcde")).all() or not some


def test_what_nobody_has_adds_up_to_nothing() -> None:
    sums: ResampledSums[str] = ResampledSums(drawn_by(1, 7))
    sums.add("110", {"a": (3,)})
    assert sums.of(["b", "a"])[:, 0].tolist() == [[0.0]] * 7
    assert (sums.of(["b", "a"])[:, 1, 0] == 3.0 * drawn_by(1, 7)("110")).all()
