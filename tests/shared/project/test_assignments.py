from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.errors import FileFormatError, RequestError
from shared.project.assignments import Assignment, AssignmentDraw, State, assign, from_csv, to_csv

PATH = Path("assignments.csv")
patients = st.integers(0, 60).map(lambda count: [str(number) for number in range(count)])
people = st.integers(2, 9).map(lambda count: [f"a{number}" for number in range(count)])


def by_patient(assignments):
    pairs = {}
    for each in assignments:
        pairs.setdefault(each.patient_id, []).append(each.annotator)
    return pairs


@given(patients, people, st.integers())
def test_every_patient_has_two_different_annotators(patient_ids, annotators, seed):
    pairs = by_patient(assign(patient_ids, annotators, AssignmentDraw(seed)))
    assert list(pairs) == patient_ids
    assert all(len(set(pair)) == len(pair) == 2 for pair in pairs.values())


@given(patients, people, st.integers())
def test_nobody_has_two_patients_more_than_another(patient_ids, annotators, seed):
    loads = Counter(
        each.annotator for each in assign(patient_ids, annotators, AssignmentDraw(seed))
    )
    counts = [loads[name] for name in annotators]
    assert max(counts) - min(counts) <= 1


@given(patients, people, st.integers())
def test_no_pair_has_two_patients_more_than_another(patient_ids, annotators, seed):
    pairs = by_patient(assign(patient_ids, annotators, AssignmentDraw(seed))).values()
    counts = Counter(frozenset(pair) for pair in pairs)
    possible = len(annotators) * (len(annotators) - 1) // 2
    least = min(counts.values()) if len(counts) == possible else 0
    assert max(counts.values(), default=0) - least <= 1


def test_two_annotators_get_everybody():
    pairs = by_patient(assign(["1", "2", "3"], ["ana", "ben"], AssignmentDraw(7)))
    assert set(map(tuple, pairs.values())) == {("ana", "ben")}


def test_the_seed_decides():
    patient_ids = [str(number) for number in range(30)]
    draws = [assign(patient_ids, ["a", "b", "c", "d"], AssignmentDraw(seed)) for seed in (1, 1, 2)]
    assert draws[0] == draws[1] != draws[2]


def test_assignments_come_back():
    made = (Assignment("1", "ana", State.DONE), Assignment('odd, "id"', "ben"))
    assert from_csv(to_csv(made), PATH) == made


@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_a_file_that_a_spreadsheet_saved_is_read(mark):
    data = f"{mark}patient,annotator,state\r\n1,ana,to do\r\n\r\n".encode()
    assert from_csv(data, PATH) == (Assignment("1", "ana"),)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"patient,annotator\n1,ana\n",
        b"patient,annotator,state\n1,ana\n",
        b"patient,annotator,state\n1,ana,nearly\n",
        b"patient,annotator,state\n1,ana,done,x\n",
        b"patient,annotator,state\n1,\xff,done\n",
        b'patient,annotator,state\n1,"ana,done\n',
    ],
)
def test_a_broken_file_is_named(data):
    with pytest.raises(FileFormatError, match=r"assignments\.csv: .*restore it"):
        from_csv(data, PATH)


@given(patients, st.integers(3, 9), st.data())
def test_any_number_per_patient_is_balanced_and_some_go_to_all(patient_ids, people, data):
    annotators = [f"a{number}" for number in range(people)]
    size = data.draw(st.integers(2, min(8, people)))
    all_on = data.draw(st.integers(0, len(patient_ids))) if people <= 8 else 0
    draw = AssignmentDraw(data.draw(st.integers()), size, all_on)
    draw.check(len(patient_ids), people)
    made = assign(patient_ids, annotators, draw)
    groups = by_patient(made)
    assert list(groups) == patient_ids
    assert all(len(set(each)) == len(each) for each in groups.values())
    sizes = Counter(len(each) for each in groups.values())
    wanted = Counter({size: len(patient_ids) - all_on}) + Counter({people: all_on})
    assert sizes == wanted
    loads = Counter(each.annotator for each in made)
    counts = [loads[name] for name in annotators]
    assert max(counts) - min(counts) <= 1
    assert made == assign(patient_ids, annotators, draw)


def test_three_of_five_meet_each_other_about_equally():
    groups = by_patient(assign([str(n) for n in range(20)], "abcde", AssignmentDraw(1, 3)))
    met = Counter(pair for each in groups.values() for pair in combinations(sorted(each), 2))
    assert len(met) == 10
    assert max(met.values()) - min(met.values()) <= 2


@pytest.mark.parametrize(
    ("draw", "annotators", "said"),
    [
        (AssignmentDraw(1, 1), 5, "1 annotators per patient cannot be drawn"),
        (AssignmentDraw(1, 6), 5, "there are 5, and a patient needs 2 to 8"),
        (AssignmentDraw(1, 9), 12, "needs 2 to 8"),
        (AssignmentDraw(1, 2, 4), 5, "4 patients cannot go to all; there are 3"),
        (AssignmentDraw(1, 2, -1), 5, "-1 patients cannot go to all"),
        (AssignmentDraw(1, 2, 1), 9, "no patient can go to all 9 annotators"),
    ],
)
def test_what_cannot_be_drawn_is_said(draw, annotators, said):
    with pytest.raises(RequestError, match=said):
        draw.check(3, annotators)
