"""What a release changed in the corpus, as the agreement report tells it."""

import shutil
from dataclasses import replace
from datetime import date
from pathlib import Path

from lxml import etree

from adjudicator.agreement.project_study import ProjectStudy
from adjudicator.released_corpus import released_corpus
from shared.agreement.report.options import ReportOptions
from shared.agreement.report.report import make_report
from shared.agreement.report.table import Report
from shared.agreement.study import ReleasedCorpus
from shared.project.assignments import State
from shared.project.project import Project
from tests.adjudicator.test_release_risk import made, regold, released, sources

OPTIONS = ReportOptions("1.2.3", date(2026, 3, 4), resamples=5)
NOT_TOLD = "What surrogates changed cannot be told"


def report_of(project: Project, found: ReleasedCorpus | None) -> Report:
    project.set_state("110", "ana", State.DONE)
    reading = ProjectStudy(project)
    return make_report(replace(reading.read(), released=found), OPTIONS)


def counted_by_hand(project: Project, out: Path, phi_type: str) -> tuple[int, int]:
    """The tags of a type in the files of a release, and those whose text is another."""
    tags = changed = 0
    for path in sorted((out / "xml").glob("*.xml")):
        found = [each for each in etree.parse(path).iter() if each.get("TYPE") == phi_type]
        document = project.patient(path.stem[:3]).document(path.stem)
        gold = project.read_layer("gold", document).layer.tags
        old = [each.span.text_in(document.text) for each in gold if each.phi_type.name == phi_type]
        assert len(old) == len(found)
        tags += len(found)
        new = sorted(found, key=lambda each: int(each.get("start", "")))
        changed += sum(was != now.get("text") for was, now in zip(old, new, strict=True))
    return tags, changed


def test_what_surrogates_changed_is_what_the_files_say(tmp_path: Path) -> None:
    project, out = released(tmp_path, sources())
    found = released_corpus(project)
    assert found is not None
    assert (found.mode, found.patients, found.records) == ("surrogate", 10, 20)
    rows = {
        row["type"]: row for row in report_of(project, found).table("corpus_released").records()
    }
    for label, name in (("DATE", "DATE"), ("NAME:DOCTOR", "DOCTOR"), ("NAME:PATIENT", "PATIENT")):
        tags, changed = counted_by_hand(project, out, name)
        assert (rows[label]["tags"], rows[label]["changed"]) == (tags, changed)
        assert rows[label]["share"] == changed / tags
    assert rows["all"]["tags"] == sum(rows[each]["tags"] for each in ("NAME", "DATE"))
    assert rows["NAME"]["share"] == 1


def test_without_a_release_nothing_is_told_of_one(tmp_path: Path) -> None:
    project = made(tmp_path, sources())
    assert released_corpus(project) is None
    report = report_of(project, None)
    assert "corpus_released" not in [each.name for each in report.tables]
    assert NOT_TOLD not in report.table("corpus").note


def test_a_release_of_another_gold_standard_is_not_counted_and_said(tmp_path: Path) -> None:
    project, out = released(tmp_path, sources())
    regold(project, "111-01", 3)
    project = Project.open(project.root)
    found = released_corpus(project)
    assert found == ReleasedCorpus()
    report = report_of(project, found)
    assert "corpus_released" not in [each.name for each in report.tables]
    assert NOT_TOLD in report.table("corpus").note
    assert str(out) not in report.table("corpus").note


def test_a_release_that_was_changed_is_not_counted_and_one_that_is_gone_is_none(
    tmp_path: Path,
) -> None:
    project, out = released(tmp_path, sources())
    path = next((out / "xml").iterdir())
    path.write_text(path.read_text("utf-8").replace("old clinic", "new clinic"), "utf-8")
    assert released_corpus(project) == ReleasedCorpus()
    shutil.rmtree(out)
    assert released_corpus(project) is None
