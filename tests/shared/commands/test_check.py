"""`tandem check`: a folder or a project in, findings out."""

import csv
import json
import threading
from pathlib import Path
from typing import Any

import pytest

from shared.commands.main import main
from shared.formats.base import Record
from shared.formats.i2b2_xml import format_record
from shared.model import Layer
from shared.model.i2b2_2014 import I2B2_2014
from shared.project.assignments import State
from shared.project.journal import Journal
from shared.project.project import Project
from tests.builders import document, layer, marked_up

FIRST = "Seen by [Yamamoto|DOCTOR]. Yamamoto\nsigned."
SECOND = "Dr. Yamamoto, [5/3/04|DATE]."
OTHER = "Yamamoto is nobody here."

EXPECTED = [
    {
        "patient": "110",
        "record": record,
        "start": start,
        "end": start + 8,
        "text": "Yamamoto",
        "type": "DOCTOR",
        "category": "NAME",
        "tagged_at": [{"record": "110-01", "start": 8, "end": 16}],
        "kind": "repeat",
        "why": "this text is tagged as DOCTOR once elsewhere",
        "certainty": 1.0,
    }
    for record, start in (("110-01", 18), ("110-02", 4))
]


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    for record_id, source in (("110-01", FIRST), ("110-02", SECOND), ("111-01", OTHER)):
        data = format_record(marked_up(source)[0], layer(source, record_id))
        (tmp_path / f"{record_id}.xml").write_bytes(data)
    return tmp_path


def add_record(corpus: Path, record_id: str, source: str) -> None:
    data = format_record(marked_up(source)[0], layer(source, record_id))
    (corpus / f"{record_id}.xml").write_bytes(data)


def findings_of(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, Any]]:
    main(["check", *arguments, "--json", "-"])
    return json.loads(capsys.readouterr().out)["findings"]


@pytest.fixture
def project(tmp_path: Path) -> Project:
    records = [Record(document(source, f"110-0{n}")) for n, source in ((1, FIRST), (2, SECOND))]
    return Project.create(tmp_path / "p", "P", I2B2_2014, records, ("ana", "ben"), 1)


def test_the_findings_of_a_folder(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(corpus), "--json", "-"]) == 1
    assert json.loads(capsys.readouterr().out) == {"version": 1, "findings": EXPECTED}


def test_nothing_found(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (corpus / "110-01.xml").unlink()
    (corpus / "110-02.xml").unlink()
    assert main(["check", str(corpus), "--json", "-"]) == 0
    assert json.loads(capsys.readouterr().out) == {"version": 1, "findings": []}


@pytest.mark.parametrize("name", ["gold", "ana"])
def test_a_layer_of_a_project(
    project: Project, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    (patient,) = (project.patient(each) for each in project.patient_ids)
    for each, source in zip(patient.documents, (FIRST, SECOND), strict=True):
        project.write_layer(name, each, layer(source, each.record_id), None)
    chosen = [] if name == "gold" else ["--layer", name]
    assert main(["check", str(project.root), *chosen, "--json", "-"]) == 1
    assert json.loads(capsys.readouterr().out) == {"version": 1, "findings": EXPECTED}


@pytest.fixture
def three(tmp_path: Path) -> Project:
    """Three patients with a telephone number that nobody tagged; the first has a gold standard."""
    records = [Record(document("Call (617) 555-0143.", f"{n}-01")) for n in (1, 2, 3)]
    project = Project.create(tmp_path / "t", "T", I2B2_2014, records, ("ana", "ben"), 1)
    (first,) = project.patient("1").documents
    project.write_layer("gold", first, Layer.of("1-01", "gold", ()), None)
    return project


def test_patients_without_a_gold_standard_are_left_out_and_counted(
    three: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", str(three.root)]) == 1
    last = capsys.readouterr().out.splitlines()[-1]
    assert last == "1 finding: 1 lookalike; 2 patients without a gold standard yet"
    assert {each["patient"] for each in findings_of(capsys, str(three.root))} == {"1"}


def test_a_gold_standard_that_is_begun_again_is_left_out(
    three: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    path = three.journal_path("gold", "1")
    path.parent.mkdir(parents=True)
    with Journal(path) as journal:
        journal.append({"op": "begun"})
    assert main(["check", str(three.root), "--json", "-"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out) == {"version": 1, "findings": []}
    assert err == "tandem: left out: 3 patients without a gold standard yet\n"


def test_of_an_annotator_what_is_begun_is_checked(
    three: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    three.set_state("2", "ana", State.BEGUN)
    three.set_state("3", "ana", State.DONE)
    three.set_state("1", "ben", State.DONE)
    assert main(["check", str(three.root), "--layer", "ana"]) == 1
    last = capsys.readouterr().out.splitlines()[-1]
    assert last == "2 findings: 2 lookalike; 1 patient not begun by ana"


def test_until_clean_notices_that_a_patient_is_adjudicated_anew(three: Project) -> None:
    path = three.journal_path("gold", "1")
    path.parent.mkdir(parents=True)

    def begin_again() -> None:
        with Journal(path) as journal:
            journal.append({"op": "begun"})

    timer = threading.Timer(0.3, begin_again)
    timer.start()
    assert main(["check", str(three.root), "--until-clean", "--patience", "20"]) == 0
    timer.join()


def test_a_layer_that_nobody_has(project: Project, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(project.root), "--layer", "eve"]) == 2
    assert "eve is not an annotator of this project" in capsys.readouterr().err


def test_the_table_shows_no_text(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(corpus)]) == 1
    out = capsys.readouterr().out
    assert "Yamamoto" not in out
    assert "2 findings: 2 repeat" in out


def test_the_table_shows_text_on_request(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", str(corpus), "--with-text"])
    assert capsys.readouterr().out.count("Yamamoto") == 2


@pytest.mark.parametrize("with_text", [False, True])
def test_the_table_as_a_file(corpus: Path, tmp_path: Path, *, with_text: bool) -> None:
    target = tmp_path / "findings.csv"
    main(["check", str(corpus), "--csv", str(target)] + ["--with-text"] * with_text)
    with target.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [row["start"] for row in rows] == ["18", "4"]
    assert rows[0]["tagged_at"] == "110-01:8-16"
    assert rows[0].get("text") == ("Yamamoto" if with_text else None)


def test_a_broken_file_is_named_and_the_rest_is_checked(
    corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (corpus / "112-01.xml").write_text("<a>")
    assert main(["check", str(corpus), "--json", "-"]) == 2
    out, err = capsys.readouterr()
    assert len(json.loads(out)["findings"]) == 2
    assert "112-01.xml" in err


def test_a_folder_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(tmp_path / "none")]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_only_the_kinds_that_are_asked_for(
    corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    add_record(corpus, "110-03", "On May 3, 2004 with Yamamoto.")
    found = findings_of(capsys, str(corpus), "--kinds", "other-format,types")
    assert [(each["kind"], each["text"]) for each in found] == [("other-format", "May 3, 2004")]


def test_a_kind_that_there_is_not(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(corpus), "--kinds", "typo"]) == 2
    assert "there is no kind typo; choose from repeat, " in capsys.readouterr().err


def test_the_unlikely_ones_on_request(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    add_record(corpus, "112-01", "A [53|AGE] year old man; sat 53%.")
    likely, all_of_them = (findings_of(capsys, str(corpus), *some) for some in ([], ["--all"]))
    assert [each["text"] for each in all_of_them if each not in likely] == ["53"]


def test_across_patients(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    add_record(corpus, "112-01", "Dr. Yamamoto called.")
    found = findings_of(capsys, str(corpus), "--across-patients")
    across = [each for each in found if each["kind"] == "across-patients"]
    assert [(each["record"], each["start"]) for each in across] == [("112-01", 4)]


def test_a_page(corpus: Path, tmp_path: Path) -> None:
    page = tmp_path / "findings.html"
    assert main(["check", str(corpus), "--html", str(page)]) == 1
    assert "Yamamoto" not in page.read_text(encoding="utf-8")
    main(["check", str(corpus), "--html", str(page), "--with-text"])
    assert page.read_text(encoding="utf-8").count("<mark>Yamamoto</mark>") == 2
    assert page.stat().st_mode & 0o077 == 0


def test_a_file_that_cannot_be_written(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(corpus), "--html", str(corpus / "none" / "a.html")]) == 2
    assert "check the name" in capsys.readouterr().err


def test_a_dismissed_finding_stays_away(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    for each, source in zip(
        project.patient(project.patient_ids[0]).documents, (FIRST, SECOND), strict=True
    ):
        project.write_layer("gold", each, layer(source, each.record_id), None)
    root = str(project.root)
    assert main(["check", root, "--dismiss", "110-02:4-12", "--reason", "a namesake"]) == 0
    capsys.readouterr()
    assert [each["record"] for each in findings_of(capsys, root)] == ["110-01"]
    main(["check", root])
    assert capsys.readouterr().out.splitlines()[-1].endswith("1 finding dismissed")
    (line,) = (project.root / "dismissed" / "gold.jsonl").read_text(encoding="utf-8").splitlines()
    assert json.loads(line)["reason"] == "a namesake"
    assert "Yamamoto" not in line


@pytest.mark.parametrize(
    ("place", "said"), [("110-02:5-9", "no finding at"), ("110-02", "RECORD:START-END")]
)
def test_what_cannot_be_dismissed(
    project: Project, capsys: pytest.CaptureFixture[str], place: str, said: str
) -> None:
    assert main(["check", str(project.root), "--dismiss", place]) == 2
    assert said in capsys.readouterr().err


def test_dismissing_needs_a_project(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(corpus), "--dismiss", "110-02:4-12"]) == 2
    assert "in a project only" in capsys.readouterr().err


def test_until_clean_ends_when_nothing_is_left(corpus: Path) -> None:
    def fix() -> None:
        add_record(corpus, "110-01", "Seen by [Yamamoto|DOCTOR]. [Yamamoto|DOCTOR]\nsigned.")
        add_record(corpus, "110-02", "Dr. [Yamamoto|DOCTOR], [5/3/04|DATE].")

    timer = threading.Timer(0.3, fix)
    timer.start()
    assert main(["check", str(corpus), "--until-clean", "--patience", "20"]) == 0
    timer.join()


def test_until_clean_gives_up_where_nothing_changes(corpus: Path) -> None:
    assert main(["check", str(corpus), "--until-clean", "--patience", "0.1"]) == 1
