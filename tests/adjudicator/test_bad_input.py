"""What is wrong with the files of a patient is said in one sentence each; the rest is decided."""

import re

import pytest

from adjudicator.decisions import DecisionChoice
from adjudicator.other_patients import OtherPatientFindings
from adjudicator.session import AdjudicationSession
from adjudicator.worklist import OpenOptions
from shared.commands.main import main
from shared.errors import FileFormatError, RequestError
from shared.model import Layer
from shared.project.assignments import State
from tests.adjudicator.desk import said_by
from tests.adjudicator.projects import add_third, make_project
from tests.builders import marked_up, tagged_records

ANA = (
    "Seen by [Lee|DOCTOR] of [Mercy|HOSPITAL].",
    "[Kai|PATIENT] called from [Boston|CITY].",
    "On [5/9/07|DATE] and [6/9/07|DATE].",
    "[Roe|DOCTOR] rang [555-0143|PHONE].",
    "Lee and [Okafor|DOCTOR] met.",
)
BEN = (
    "Seen by [Lee|PATIENT] of [Mercy|HOSPITAL].",
    "Kai called from Boston.",
    "On [5/9/07|DATE] and 6/9/07.",
    "[Roe|PATIENT] rang 555-0143.",
    "[Lee|DOCTOR] and Okafor met.",
)


@pytest.fixture
def project(tmp_path):
    """Five records: of another text, of one annotator only, with a gold standard, out of range,
    and a sound one; a third annotator has not finished, the log ends in the middle of a line."""
    made = make_project(tmp_path, ANA, BEN)
    layers = made.root / "layers" / "ben"
    other_text, out_of_range = layers / "110-01.xml", layers / "110-04.xml"
    other_text.write_text(other_text.read_text().replace("Seen by", "Met by"))
    (layers / "110-02.xml").unlink()
    gold = Layer.of("110-03", "gold", marked_up(ANA[2])[1])
    made.write_layer("gold", made.patient("110").documents[2], gold, None)
    out_of_range.write_text(re.sub(r'end="3"', 'end="3000"', out_of_range.read_text()))
    journal = made.journal_path("gold", "110")
    journal.parent.mkdir(parents=True)
    journal.write_text(
        '{"at":"2026-11-21T20:00:00.000+00:00","op":"active","by":"carol"}\n{"at":"20'
    )
    return add_third(made, ANA, state=State.BEGUN)


def opened(project) -> AdjudicationSession:
    return AdjudicationSession(project, "110", "carol", OpenOptions(force=True))


def test_it_is_refused_while_one_of_three_has_not_finished(project):
    with pytest.raises(RequestError, match="cem has not finished"):
        AdjudicationSession(project, "110", "carol")


def test_each_is_said_in_one_sentence(project):
    with opened(project) as session:
        first, second, third = session.notices
    assert first.startswith("Record 110-01 is left out: ")
    assert second == "Record 110-02 has no file from ben; it counts as untagged."
    assert third.startswith("Record 110-04 is left out: ")
    assert "offsets [0, 3000) in a record of 18 characters" in third


def test_no_sentence_holds_text_of_a_record(project):
    with opened(project) as session:
        said = " ".join(session.notices)
    assert not {"Lee", "Roe", "Kai", "Mercy", "Okafor"} & set(re.findall(r"\w+", said))


def test_the_rest_is_decided_and_written(project):
    with opened(project) as session:
        while (each := session.queue.next_open()) is not None:
            session.queue.decide(each, said_by(each, 0))
        assert str(session.queue.progress) == "5 of 5"
    with opened(project) as again:
        assert again.queue.progress.decided == 5
        texts = [each.span.text_in(again.view.text) for each in again.tags]
    assert texts == ["Kai", "Boston", "5/9/07", "6/9/07", "Okafor"]


def test_a_gold_standard_that_was_there_is_kept(project):
    with opened(project) as session:
        kept = [each.tag.start for each in session.tags if each.record_id == "110-03"]
    assert len(kept) == 2


def test_what_was_left_out_keeps_the_patient_from_being_done(project):
    with opened(project) as session:
        while (each := session.queue.next_open()) is not None:
            session.queue.decide(each, said_by(each, 0))
        with pytest.raises(RequestError, match="record 110-01, 110-04 was left out"):
            session.finish()


def test_no_annotators_file_is_touched(project):
    layers = sorted((project.root / "layers").rglob("*.xml"))
    before = [each.read_bytes() for each in layers]
    with opened(project) as session:
        for each in session.queue:
            session.queue.decide(each, said_by(each, 1))
    assert [each.read_bytes() for each in layers] == before


def test_a_patient_whose_gold_standard_is_broken_says_nothing_about_others(tmp_path):
    named, unnamed = ["[Kai Okafor|DOCTOR] came."], ["Kai Okafor came."]
    project = make_project(tmp_path, unnamed, unnamed, p120=(named, named), p130=(named, named))
    for patient_id in ("120", "130"):
        AdjudicationSession(project, patient_id, "carol").close()
    (project.root / "gold" / "120-01.xml").write_text("no XML")
    documents = project.patient("110").documents
    others = OtherPatientFindings(project)
    (found,) = others.findings(tagged_records(documents, ()), lambda done, total: None)
    assert [each.record_id for each in found.tagged_at] == ["130-01"]


@pytest.fixture
def decided(tmp_path):
    """A patient with one decision, whose line in the journal a test changes by hand."""
    project = make_project(tmp_path, ["[Kai|PATIENT]"], ["Kai"])
    with AdjudicationSession(project, "110", "carol") as session:
        session.queue.decide(session.queue[0], DecisionChoice.FIRST)

    def change(old: str, new: str) -> None:
        journal = project.journal_path("gold", "110")
        before, found, after = journal.read_text().rpartition(old)
        assert found
        journal.write_text(before + new + after)

    return project, change


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"NAME","PATIENT"]]}]', '"NAME","NOBODY"]]}]', "the type NAME:NOBODY"),
        ('"decisions":[{"record":"110-01"', '"decisions":[{"record":"999"', "the record 999"),
    ],
)
def test_a_decision_edited_by_hand_on_what_there_is_not_is_refused(decided, capsys, old, new, said):
    project, change = decided
    change(old, new)
    with pytest.raises(FileFormatError, match=f"decides on {said}, which is not in the project"):
        AdjudicationSession(project, "110", "carol")
    assert main(["adjudicate", str(project.root), "--export-log", "-"]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)


def test_a_decision_edited_by_hand_about_nothing_is_refused(decided, capsys):
    project, change = decided
    change('"sides":[[[0,3,"NAME","PATIENT"]],[]]', '"sides":[[],[]]')
    with pytest.raises(FileFormatError, match="an entry that Tandem cannot read"):
        AdjudicationSession(project, "110", "carol")
    assert main(["adjudicate", str(project.root), "--export-log", "-"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
