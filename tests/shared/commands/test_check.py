"""`tandem check`: a folder or a project in, findings out."""

import csv
import json
from pathlib import Path

import pytest

from shared.commands.main import main
from shared.formats.i2b2_xml import format_record
from shared.formats.record_folder import FolderRecord
from shared.model.i2b2_2014 import I2B2_2014
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
    }
    for record, start in (("110-01", 18), ("110-02", 4))
]


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    for record_id, source in (("110-01", FIRST), ("110-02", SECOND), ("111-01", OTHER)):
        data = format_record(marked_up(source)[0], layer(source, record_id))
        (tmp_path / f"{record_id}.xml").write_bytes(data)
    return tmp_path


@pytest.fixture
def project(tmp_path: Path) -> Project:
    records = [
        FolderRecord(document(source, f"110-0{n}")) for n, source in ((1, FIRST), (2, SECOND))
    ]
    return Project.create(tmp_path / "p", "P", I2B2_2014, records, ("ana", "ben"), 1)


def test_the_findings_of_a_folder(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(corpus), "--json", "-"]) == 1
    assert json.loads(capsys.readouterr().out) == {"findings": EXPECTED}


def test_nothing_found(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (corpus / "110-01.xml").unlink()
    assert main(["check", str(corpus), "--json", "-"]) == 0
    assert json.loads(capsys.readouterr().out) == {"findings": []}


@pytest.mark.parametrize("name", ["gold", "ana"])
def test_a_layer_of_a_project(
    project: Project, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    (patient,) = (project.patient(each) for each in project.patient_ids)
    for each, source in zip(patient.documents, (FIRST, SECOND), strict=True):
        project.write_layer(name, each, layer(source, each.record_id), None)
    chosen = [] if name == "gold" else ["--layer", name]
    assert main(["check", str(project.root), *chosen, "--json", "-"]) == 1
    assert json.loads(capsys.readouterr().out) == {"findings": EXPECTED}


def test_a_layer_that_nobody_has(project: Project, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(project.root), "--layer", "eve"]) == 2
    assert "eve is no annotator of this project" in capsys.readouterr().err


def test_the_table_shows_no_text(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(corpus)]) == 1
    out = capsys.readouterr().out
    assert "Yamamoto" not in out
    assert "2 places are not tagged" in out


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
