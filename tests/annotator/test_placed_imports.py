"""Imported suggestions beside those of recognizers, and what annotators made of them."""

import json

import pytest

from annotator.placed_imports import import_outcomes
from annotator.recognizers import Recognizers
from annotator.session import AnnotationSession
from shared.commands.main import main
from shared.formats.base import Record
from shared.model import Document, MergedView, Origin, Span
from shared.model.i2b2_2014 import I2B2_2014
from shared.project.assignments import State
from shared.project.imported_suggestions import ImportedSuggestion, write_imported
from shared.project.project import Project
from shared.project.settings import Policy
from tests.builders import phi

TEXT = "Kai Lee came by, then Pat, then Ada, on 05/09/2007.\n"


def suggested(name, sure, phi_type="PATIENT"):
    start = TEXT.index(name)
    return ImportedSuggestion(Span(start, start + len(name)), phi(phi_type), sure)


@pytest.fixture
def project(tmp_path):
    records = [Record(Document(f"{n}-{r}", n, TEXT)) for n in "12" for r in ("01", "02")]
    made = Project.create(tmp_path / "p", "p", I2B2_2014, records, ["ana", "ben"], 1)
    four = [suggested("Kai Lee", 0.9), suggested("Pat", 0.8), suggested("Ada", 0.4)]
    write_imported(made, "gpt", {"1-02": [*four, suggested("05/09/2007", 0.01, "DATE")]})
    return made


def last(project, patient="1", policy=Policy.ON):
    *_, found = [
        None,
        *Recognizers(project, "ana").suggest(MergedView(project.patient(patient)), policy),
    ]
    return found


def test_they_stand_in_their_record_with_their_name_and_confidence(project):
    found = last(project)
    ours = [each for each in found.suggestions if each.source == "gpt"]
    assert [(each.record_id, each.confidence, each.recognizer) for each in ours] == [
        ("1-02", 0.9, "gpt"), ("1-02", 0.8, "gpt"), ("1-02", 0.4, "gpt")
    ]  # fmt: skip
    view = MergedView(project.patient("1"))
    assert [each.span.text_in(view.text) for each in ours] == ["Kai Lee", "Pat", "Ada"]
    assert found.by.endswith("and gpt (imported)")


def test_of_two_that_overlap_the_surer_is_shown(project):
    dates = [each for each in last(project).suggestions if each.record_id == "1-02"]
    on_date = [each for each in dates if each.phi_type.name == "DATE"]
    assert [each.source for each in on_date] == [""]


def test_who_is_offered_rules_only_or_nothing_does_not_see_them(project):
    assert all(each.source == "" for each in last(project, policy=Policy.RULES).suggestions)
    assert last(project, policy=Policy.OFF) is None
    assert all(each.source == "" for each in last(project, patient="2").suggestions)


def test_a_broken_file_is_said_and_costs_no_other_suggestion(project):
    (project.root / "suggestions" / "gpt.jsonl").write_text("nonsense")
    found = last(project)
    assert "import them again" in found.problem
    assert found.suggestions


def work(project, annotator="ana"):
    """Accept one, tag another otherwise, reject a third; the fourth waits."""
    with AnnotationSession(project, annotator, "1") as session:
        session.review.threshold = 0.0
        session.review.fill(last(project).suggestions)
        kai, pat, ada = (
            next(
                one
                for one in session.review.shown
                if one.source
                and one.phi_type == phi("PATIENT")
                and one.span.text_in(session.view.text) == name
            )
            for name in ("Kai Lee", "Pat", "Ada")
        )
        session.accept([kai])
        session.tag(pat.span, phi("DOCTOR"))
        session.reject(ada)
        session.finish()


def test_what_became_of_them_is_told_by_annotator_and_name(project, capsys):
    work(project)
    told = {each.annotator: each for each in import_outcomes(project)}
    ana = told["ana"]
    assert (ana.offered, ana.accepted, ana.otherwise, ana.rejected, ana.waiting) == (4, 1, 1, 1, 1)
    assert (told["ben"].accepted, told["ben"].waiting) == (0, 4)
    assert main(["status", str(project.root), "--suggestions", "--json", "-"]) == 0
    assert json.loads(capsys.readouterr().out)["suggestions"][0]["rejected"] == 1
    assert main(["status", str(project.root), "--suggestions"]) == 0
    assert "suggestions of" in capsys.readouterr().out


def test_an_accepted_one_says_whose_it_was_also_after_reopening(project):
    work(project)
    document = project.patient("1").documents[1]
    tags = project.read_layer("ana", document).layer.tags
    said = {each.span.text_in(TEXT): (each.origin, each.provenance) for each in tags}
    assert said["Kai Lee"] == (Origin.SUGGESTION, "suggestion (gpt)")
    assert said["Pat"][1] == "hand"
    with AnnotationSession(project, "ana", "1") as session:
        session.undo()
    assert project.read_layer("ana", document).layer.tags


def test_the_other_annotator_sees_the_same_whatever_the_first_did(project):
    before = last(project)
    work(project)
    view = MergedView(project.patient("1"))
    *_, after = Recognizers(project, "ben").suggest(view, Policy.ON)
    assert after.suggestions == before.suggestions


def test_the_agreement_report_tells_their_tags_and_patients_apart(project, tmp_path, capsys):
    for name in ("ana", "ben"):
        work(project, name)
        with AnnotationSession(project, name, "2") as session:
            session.tag(Span(0, 7), phi("PATIENT"))
            session.finish()
    assert all(each.state is State.DONE for each in project.assignments())
    assert main(["agreement", str(project.root), "--out", str(tmp_path / "report")]) == 0
    said = (tmp_path / "report" / "agreement.html").read_text()
    assert "suggestion (gpt)" in said
    assert "on + gpt" in said


def test_handed_out_work_has_those_of_its_patients_only(project, tmp_path):
    write_imported(
        project, "gpt", {"1-02": [suggested("Pat", 0.8)], "2-01": [suggested("Pat", 0.8)]}
    )
    (tmp_path / "word").write_text("correct horse battery\n")
    word = ["--passphrase-file", str(tmp_path / "word")]
    out = ["hand-out", str(project.root), "--annotator", "ana", "--patients", "2"]
    assert main([*out, "--out", str(tmp_path / "out"), *word]) == 0
    assert main(["open", str(tmp_path / "out"), str(tmp_path / "away"), *word]) == 0
    lines = (tmp_path / "away" / "suggestions" / "gpt.jsonl").read_text().splitlines()
    assert [json.loads(each).get("record") for each in lines] == [None, "2-01"]
    assert any(each.source for each in last(Project.open(tmp_path / "away"), "2").suggestions)
