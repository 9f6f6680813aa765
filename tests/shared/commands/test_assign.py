"""Patients are given and taken back afterwards; work that is there is never touched."""

import pytest

from annotator.session import AnnotationSession
from shared.commands.main import main
from shared.formats.base import Record
from shared.model import Document, Span
from shared.model.i2b2_2014 import I2B2_2014
from shared.project.assignments import State
from shared.project.project import Project
from shared.project.settings import GOLD
from tests.builders import phi


@pytest.fixture
def project(tmp_path):
    names = [Record(Document(f"{n}-01", str(n), "Seen by Dr. Lee.")) for n in (1, 2, 3)]
    made = Project.create(tmp_path / "p", "p", I2B2_2014, names, ["ana", "ben", "cem"], 1)
    rows = ["patient,annotator,state", "1,ana,to do", "1,ben,to do", "2,ana,to do", "2,ben,to do"]
    rows += ["3,ben,to do", "3,cem,to do"]
    (made.root / "assignments.csv").write_text("\n".join(rows) + "\n")
    return made


def who(project):
    found: dict[str, list[str]] = {}
    for each in project.assignments():
        found.setdefault(each.patient_id, []).append(each.annotator)
    return found


def assign(project, *words):
    return main(["assign", str(project.root), *words])


def test_a_patient_goes_to_a_third_in_the_order_of_the_project(project, capsys):
    assert assign(project, "--give", "cem", "1", "2") == 0
    every = ["ana", "ben", "cem"]
    assert who(project) == {"1": every, "2": every, "3": ["ben", "cem"]}
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "2 patients given, 0 patients taken back"
    assert said[-1].split() == ["cem", "3", "3"]


def test_taking_back_and_giving_hands_a_patient_on(project):
    assert assign(project, "--take-back", "ana", "1", "--give", "cem", "1") == 0
    assert who(project)["1"] == ["ben", "cem"]


def test_states_stay(project):
    project.set_state("1", "ana", State.DONE)
    assert assign(project, "--give", "cem", "1") == 0
    assert [each.state for each in project.assignments()][:3] == [
        State.DONE,
        State.TO_DO,
        State.TO_DO,
    ]


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ([], "name what to --give or to --take-back, or who is to --add"),
        (["--give", "cem"], "name the patients after cem"),
        (["--give", "zoe", "1"], "zoe is not an annotator of this project"),
        (["--give", "ana", "7"], "has no patient 7"),
        (["--give", "ana", "1"], "ana has patient 1 already, to annotate"),
        (["--give", "cem", "1", "1"], "cem has patient 1 already"),
        (["--take-back", "cem", "1"], "patient 1 is not assigned to cem"),
        (["--take-back", "ana", "1"], "patient 1 would have 1 annotators; a patient needs 2 to 8"),
        (["--give", GOLD, "1"], "gold is not an annotator of this project"),
    ],
)
def test_what_cannot_be_is_said_and_changes_nothing(project, capsys, words, why):
    before = (project.root / "assignments.csv").read_bytes()
    assert assign(project, *words) == 2
    assert why in capsys.readouterr().err
    assert (project.root / "assignments.csv").read_bytes() == before


def begun(project):
    AnnotationSession(project, "ana", "1").close()


def tagged_and_marked_as_to_do_again(project):
    with AnnotationSession(project, "ana", "1") as session:
        session.tag(Span(12, 15), phi("DOCTOR"))
    project.set_state("1", "ana", State.TO_DO)


def imported(project):
    document = project.patient("1").documents[0]
    layer = project.read_layer("ana", document).layer
    project.write_layer("ana", document, layer, None)


@pytest.mark.parametrize("work", [begun, tagged_and_marked_as_to_do_again, imported])
def test_what_somebody_has_worked_on_is_not_taken_away(project, capsys, work):
    work(project)
    assert assign(project, "--take-back", "ana", "1", "--give", "cem", "1") == 2
    assert "ana has begun patient 1; what is begun stays" in capsys.readouterr().err
    assert who(project)["1"] == ["ana", "ben"]


@pytest.mark.parametrize("words", [["--give", "cem", "1"], ["--take-back", "ana", "1"]])
def test_once_adjudication_has_begun_its_annotators_stay(project, capsys, words):
    path = project.journal_path(GOLD, "1")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text('{"op": "begun", "at": ""}\n')
    assert assign(project, *words) == 2
    assert "the adjudication of patient 1 has begun" in capsys.readouterr().err
