"""Counts of a corpus add up over its parts, however it was cut."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.corpus_counts import CorpusCounts, CorpusSummary, added_lines
from shared.model import PhiType
from shared.model.i2b2_2014 import I2B2_2014
from shared.surrogates.ordinary_words import WordCounts
from shared.synthetic import fabricate

DOCTOR, HOSPITAL = PhiType("NAME", "DOCTOR"), PhiType("LOCATION", "HOSPITAL")
WORDS = st.sampled_from(["fever", "año", "weiß", "knee", "\n", "a\tb", 'say "no"'])
COUNTS = st.dictionaries(WORDS, st.integers(1, 5)).map(Counter)
NAMES = st.dictionaries(
    st.tuples(st.sampled_from(["Mary Stone", "Mary Stones", 'A. "B" C', "J.\nPetty"]),
              st.sampled_from([DOCTOR, HOSPITAL])),
    st.integers(1, 3),
).map(Counter)  # fmt: skip
PARTS = st.lists(
    st.builds(
        CorpusCounts,
        st.builds(WordCounts, st.integers(0, 9), COUNTS, COUNTS),
        COUNTS,
        st.just(Counter({DOCTOR: 3})),
        NAMES,
    ),
    max_size=5,
)


def summary_of(parts: list[CorpusCounts], most_names: int = 1000) -> CorpusSummary:
    return CorpusSummary.of_lines(added_lines(each.lines() for each in parts), most_names)


@given(PARTS)
def test_lines_of_parts_add_up_to_those_of_all(parts: list[CorpusCounts]) -> None:
    assert list(added_lines(each.lines() for each in parts)) == (
        list(CorpusCounts.added(parts).lines()) if parts else []
    )


@given(PARTS)
def test_the_summary_keeps_what_is_common_and_every_name(parts: list[CorpusCounts]) -> None:
    whole, told = CorpusCounts.added(parts), summary_of(parts)
    assert told.common == set(whole.small)
    assert told.ordinary == whole.words.ordinary(labels_too=False)
    assert told.names == whole.names
    assert CorpusSummary.of_json(told.as_json()) == told


@pytest.mark.parametrize("cut", range(4))
def test_a_corpus_cut_at_random_gives_the_same(cut: int) -> None:
    patients = [
        CorpusCounts.of_patient(each.patient, each.gold, I2B2_2014) for each in fabricate(12, 3)
    ]
    mixed = Random(cut).sample(patients, len(patients))
    parts = [CorpusCounts.added(mixed[at :: cut + 1]) for at in range(cut + 1)]
    told = summary_of(parts)
    assert told == summary_of(patients)
    assert told.common
    assert told.names


def test_names_that_most_patients_have_are_kept() -> None:
    names = Counter({(f"Doctor {each:02}", DOCTOR): each for each in range(1, 40)})
    names["Doctor 05", HOSPITAL] = 100
    told = summary_of([CorpusCounts(names=names)], most_names=3)
    assert {text for text, _ in told.names} == {"Doctor 05", "Doctor 39", "Doctor 38"}
    assert told.names["Doctor 05", DOCTOR] == 5


def test_common_names_are_no_words_in_a_large_corpus() -> None:
    """A slip in small letters of one patient in a thousand makes no name a word; of two, it did."""
    words = Counter({"stone": 9, "fever": 10})
    counts = CorpusCounts(WordCounts(10_000, words, words), words)
    assert summary_of([counts]).common == {"fever"}
    assert summary_of([counts]).ordinary == {"fever"}
