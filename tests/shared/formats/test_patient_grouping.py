"""Which records are of one patient is told from their names."""

import pytest

from shared.errors import RequestError
from shared.formats import patient_grouping
from shared.formats.patient_grouping import (
    PatientGroup,
    PatientPattern,
    doubt_about,
    grouping_in_words,
    grouping_proposals,
    patient_groups,
    usual_pattern,
)


def groups(*sizes):
    return [
        PatientGroup(f"p{n}", tuple(f"p{n}-{m}" for m in range(size)))
        for n, size in enumerate(sizes)
    ]


@pytest.mark.parametrize(
    ("pattern", "name", "patient"),
    [
        (None, "110-02", "110"),
        (None, "a-b-02", "a-b"),
        (None, "notes", "notes"),
        (r"(\d+)", "x12y3", "12"),
        (r"\d+", "x12y3", "12"),
        (r"\d+", "notes", ""),
        (r"(a)?b", "b", ""),
        (".*", "..", ""),
    ],
)
def test_the_patient_is_what_the_pattern_captures(pattern, name, patient):
    assert PatientPattern(pattern).patient_of(name) == patient


@pytest.mark.parametrize("pattern", ["(", "[", "a{99999999999999999999}", "(" * 5000])
def test_what_is_no_pattern_is_refused_in_one_sentence(pattern):
    with pytest.raises(RequestError, match="is not a regular expression") as refused:
        PatientPattern(pattern)
    assert "\n" not in str(refused.value)


def test_proposals_are_those_that_fit_every_name_each_grouping_once():
    offered = grouping_proposals(["A_1_a", "A_1_b", "A_2_a", "B_1_a"])
    assert [(each.words, each.patients) for each in offered] == [
        ("before the last _", 3),
        ("before the first _", 2),
        ("the first number", 2),
        ("the whole name", 4),
    ]


def test_what_groups_records_is_proposed_first():
    offered = grouping_proposals(["Note_1_01_x", "Note_1_02_x", "Note_2_01_x"])
    assert [(each.words, each.patients) for each in offered] == [
        ("the first number", 2),
        ("before the last _", 3),
        ("before the first _", 1),
    ]


def test_without_names_nothing_is_proposed():
    assert grouping_proposals([]) == []


def test_a_pattern_that_fails_one_name_is_not_proposed():
    assert [each.words for each in grouping_proposals(["a-1", "b"])] == ["the whole name"]


def test_patients_that_hardly_recur_are_none():
    names = [f"x{n}-1" for n in range(10)]
    assert usual_pattern([*names, "x0-2"]) == ".*"
    assert usual_pattern(names) == ""
    assert usual_pattern(["110-01", "110-02", *(f"{n}-01" for n in range(111, 130))]) == ""


@pytest.mark.parametrize(
    ("sizes", "said"),
    [
        ((1, 1, 1), "3 records of 3 patients: every record is a patient of its own"),
        ((3,), "all 3 records are taken to be of one patient"),
        ((1,), ""),
        ((2, 1), ""),
        ((), ""),
    ],
)
def test_doubt_is_said_where_every_record_stands_alone_or_all_together(sizes, said):
    assert doubt_about(groups(*sizes)) == said


def test_the_grouping_in_words():
    assert grouping_in_words(groups(1, 4)) == (
        "records of each patient: 1 to 4, as p0 (p0-0); p1 (p1-0, p1-1, p1-2 and 1 more)"
    )
    assert grouping_in_words(groups(1, 1, 1, 1)).endswith("; p2 (p2-0); …")
    assert grouping_in_words(groups(2, 2)).startswith("records of each patient: 2, as")


def test_records_are_put_together_by_patient():
    named = [("1", "1-01"), ("2", "2-01"), ("1", "1-02")]
    assert patient_groups(named) == [
        PatientGroup("1", ("1-01", "1-02")),
        PatientGroup("2", ("2-01",)),
    ]


def test_a_pattern_that_runs_away_is_refused_in_one_sentence(monkeypatch):
    monkeypatch.setattr(patient_grouping, "LONGEST", 0.5)
    with pytest.raises(RequestError, match="takes too long on names such as these"):
        PatientPattern("(a+)+b").patients_of(["110-01", "a" * 40])


def test_any_other_pattern_tells_the_patients_of_many_names():
    names = [f"{number}_x-{number}" for number in range(3000)]
    assert PatientPattern(r"(\d+)_").patients_of(names) == [str(number) for number in range(3000)]
