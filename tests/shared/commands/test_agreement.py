"""`tandem agreement`: annotators with each other, and with the gold standard."""

import errno
import itertools
import json
import os
import stat
from pathlib import Path

import pytest

from shared.commands.main import main
from shared.formats.base import Record
from shared.model.i2b2_2014 import I2B2_2014
from shared.project.assignments import State
from shared.project.journal import Journal
from shared.project.project import Project
from shared.project.settings import Policy
from tests.builders import document, layer

ANA = "Seen by [Lee|DOCTOR] on [3/4|DATE]."
BEN = "Seen by [Lee|PATIENT] on [3/4|DATE]."
TWO = ("110", "111")


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """Two patients; the first is finished by both annotators, the second by one."""
    records = [Record(document(ANA, f"{each}-01")) for each in TWO]
    project = Project.create(tmp_path / "p", "P", I2B2_2014, records, ("ana", "ben"), 1)
    write(project, "110", ana=ANA, ben=BEN)
    write(project, "111", ana=ANA)
    return project


def write(project: Project, patient_id: str, **sources: str) -> None:
    (text,) = project.patient(patient_id).documents
    for name, source in sources.items():
        project.write_layer(name, text, layer(source, text.record_id), None)
        if name != "gold":
            project.set_state(patient_id, name, State.DONE)


def measured(project: Project, capsys: pytest.CaptureFixture[str]) -> dict[str, object]:
    assert main(["agreement", str(project.root), "--json", "-"]) == 0
    return json.loads(capsys.readouterr().out)


def test_annotators_over_what_both_finished(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    found = measured(project, capsys)
    (pair,) = found["between_annotators"]
    assert (pair["first"], pair["second"], pair["documents"]) == ("ana", "ben", 1)
    strict = pair["measures"]["strict"]["all"]["micro"]
    assert (strict["tp"], strict["fp"], strict["fn"]) == (1, 1, 1)
    assert found["left_out"] == ["111-01"]


def test_a_category_looks_past_its_types(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    (pair,) = measured(project, capsys)["between_annotators"]
    assert pair["by_type"]["NAME"]["f1"] == 1.0
    assert pair["by_type"]["NAME:DOCTOR"]["f1"] == 0.0


def test_each_annotator_with_the_gold_standard_and_their_mean(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    write(project, "110", gold=ANA)
    found = measured(project, capsys)
    strict = [each["measures"]["strict"]["all"]["micro"]["f1"] for each in found["with_gold"]]
    assert strict == [1.0, 0.5]
    average = found["with_gold_average"]
    assert average["measures"]["strict"]["all"]["micro"]["f1"] == 0.75
    assert average["by_type"]["NAME:DOCTOR"] == {"precision": 0.5, "recall": 0.5, "f1": 0.5}


def test_a_gold_standard_under_way_enters_no_number(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    write(project, "110", gold=ANA)
    with Journal(project.journal_path("gold", "110")) as journal:
        journal.append({"op": "begun"})
    assert measured(project, capsys)["with_gold"] == []


def test_a_type_is_averaged_over_those_who_met_it(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    write(project, "110", gold=ANA)
    average = measured(project, capsys)["with_gold_average"]
    assert average["by_type"]["NAME:PATIENT"] == {"precision": 0.0, "recall": 0.0, "f1": 0.0}


def test_the_tables(project: Project, capsys: pytest.CaptureFixture[str]) -> None:
    write(project, "110", gold=ANA)
    assert main(["agreement", str(project.root)]) == 0
    out = capsys.readouterr().out
    assert "ana against ben, 1 record" in out
    assert "Mean of 2 annotators against the gold standard" in out
    assert "111-01" in out


def test_nobody_is_done(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    records = [Record(document(ANA, "110-01"))]
    fresh = Project.create(tmp_path / "p", "P", I2B2_2014, records, ("ana", "ben"), 1)
    assert main(["agreement", str(fresh.root)]) == 0
    assert "No record is finished by two annotators yet" in capsys.readouterr().out


def test_a_broken_layer_is_named(project: Project, capsys: pytest.CaptureFixture[str]) -> None:
    project.layer_path("ben", "110-01").write_text("<a>")
    assert main(["agreement", str(project.root), "--json", "-"]) == 2
    out, err = capsys.readouterr()
    assert json.loads(out)["left_out"] == ["110-01", "111-01"]
    assert "110-01.xml" in err


def test_no_project(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["agreement", str(tmp_path)]) == 2
    assert "is not a Tandem project" in capsys.readouterr().err


@pytest.fixture
def reported(project: Project, tmp_path: Path) -> Path:
    write(project, "110", gold=ANA)
    out = tmp_path / "report"
    assert main(["agreement", str(project.root), "--out", str(out), "--resamples", "20"]) == 0
    return out


def test_the_files_of_a_report(reported: Path) -> None:
    names = {path.name for path in reported.iterdir()}
    assert names == {
        "agreement.html",
        "agreement.json",
        "agreement.md",
        "agreement.tex",
        "agreement.xlsx",
        "plots",
        "tables",
    }
    assert (reported / "tables" / "by_type.csv").exists()


def test_a_report_is_for_its_owner_only(reported: Path) -> None:
    assert all(path.stat().st_mode & 0o007 == 0 for path in reported.rglob("*"))


def test_a_report_shows_no_text_of_records(reported: Path) -> None:
    assert not [path for path in reported.rglob("*.*") if b"Lee" in path.read_bytes()]


def test_a_report_agrees_with_the_tables_on_the_terminal(
    reported: Path, project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    found = measured(project, capsys)
    rows = json.loads((reported / "agreement.json").read_text())["tables"]["agreement"]["rows"]
    strict = [row["f1"] for row in rows if (row["measure"], row["types"]) == ("strict", "all")]
    expected = [*found["between_annotators"], *found["with_gold"]]
    assert strict == [each["measures"]["strict"]["all"]["micro"]["f1"] for each in expected]


def test_the_day_comes_from_the_journal(project: Project, tmp_path: Path) -> None:
    for name, day in (("ana", "2026-02-03"), ("ben", "2026-02-05")):
        with Journal(project.journal_path(name, "110")) as journal:
            journal.append({"at": f"{day}T10:00:00.000+00:00", "by": name, "op": "edit"})
            journal.append({"at": "2026-03-01T10:00:00.000+00:00", "by": name, "op": "saved"})
    out = tmp_path / "report"
    main(["agreement", str(project.root), "--out", str(out), "--resamples", "20"])
    assert "2026-02-05" in (out / "tables" / "days.csv").read_text()


@pytest.mark.parametrize("words", [["--change", "soon"], ["--resamples", "0"]])
def test_what_cannot_be_done_is_said(
    project: Project, tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    assert main(["agreement", str(project.root), "--out", str(tmp_path / "r"), *words]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_a_report_is_not_written_among_the_files_of_a_project(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    before = sorted(project.root.iterdir())
    assert main(["agreement", str(project.root), "--out", str(project.root)]) == 2
    assert "is a project; give the report a folder of its own" in capsys.readouterr().err
    assert sorted(project.root.iterdir()) == before


def test_the_report_tells_agreement_by_what_was_suggested(project: Project, tmp_path: Path) -> None:
    write(project, "111", ben=ANA)
    project.set_suggestions(project.suggestions.changed("ben", Policy.OFF, "111"))
    out = tmp_path / "report"
    assert main(["agreement", str(project.root), "--out", str(out), "--resamples", "2"]) == 0

    lines = (out / "tables" / "suggestions.csv").read_text().splitlines()
    rows = [line.split(",") for line in lines if line.startswith("ana,ben,")]
    assert [row[2:5] for row in rows] == [["on", "1", "1"], ["on / off", "1", "1"]]


def table_of(reported: Path, name: str) -> list[dict[str, object]]:
    found = json.loads((reported / "agreement.json").read_text(encoding="utf-8"))
    return found["tables"][name]["rows"]


def test_what_both_may_have_missed_stands_beside_their_agreement(reported: Path) -> None:
    missed = {row["type"]: row for row in table_of(reported, "missed")}
    gold = {row["type"]: row["tags"] for row in table_of(reported, "corpus_by_type")}
    every = [number for label, number in gold.items() if ":" in label]
    assert missed["all"]["found"] == sum(every)
    assert all(row["missed_low"] <= row["found"] * 10 for row in missed.values())
    whole = table_of(reported, "all_or_nothing")
    assert {(row["annotator"], row["patients"]) for row in whole} >= {("ana", 1), ("ben", 1)}
    assert [row["whole"] for row in whole if row["annotator"] == "ana" and row["patients"]] == [
        1 for row in whole if row["annotator"] == "ana" and row["patients"]
    ]  # the gold standard is what ana said


def test_without_a_gold_standard_nothing_is_estimated(project: Project, tmp_path: Path) -> None:
    out = tmp_path / "report"
    assert main(["agreement", str(project.root), "--out", str(out), "--resamples", "20"]) == 0
    names = set(json.loads((out / "agreement.json").read_text(encoding="utf-8"))["tables"])
    assert "agreement" in names
    assert not names & {"missed", "all_or_nothing", "corpus", "adjudication"}


def modes(folder: Path) -> set[int]:
    return {stat.S_IMODE(each.stat().st_mode) for each in (folder, *folder.rglob("*"))}


@pytest.mark.parametrize("above", [0o755, 0o775, 0o700])
def test_a_report_is_its_owners_alone_in_a_folder_that_others_only_see(
    project: Project, tmp_path: Path, above: int
) -> None:
    (tmp_path / "above").mkdir()
    (tmp_path / "above").chmod(above)
    before = os.umask(0o022)
    try:
        out = tmp_path / "above" / "report"
        assert main(["agreement", str(project.root), "--out", str(out), "--resamples", "5"]) == 0
    finally:
        os.umask(before)
    assert modes(out) == {0o700, 0o600}


@pytest.mark.skipif(os.name != "posix", reason="modes are those of Unix")
def test_a_report_is_open_to_the_group_that_its_folder_was_given_to(
    project: Project, tmp_path: Path
) -> None:
    (tmp_path / "above").mkdir()
    (tmp_path / "above").chmod(0o2770)
    out = tmp_path / "above" / "report"
    assert main(["agreement", str(project.root), "--out", str(out), "--resamples", "5"]) == 0
    assert modes(out) == {0o2770, 0o660}


def test_an_earlier_report_gives_way_whole_and_what_else_lies_there_stays(reported: Path) -> None:
    (reported / "tables" / "old.csv").write_text("of another version")
    (reported / "mine.txt").write_text("a note")
    project = reported.parent / "p"
    assert main(["agreement", str(project), "--out", str(reported), "--resamples", "5"]) == 0
    assert not (reported / "tables" / "old.csv").exists()
    assert (reported / "mine.txt").read_text() == "a note"
    assert "5, seed 1" in (reported / "agreement.md").read_text(encoding="utf-8")
    assert [each.name for each in reported.parent.glob(".report*")] == []


def test_a_folder_of_other_things_is_refused(
    project: Project, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "mine"
    out.mkdir()
    (out / "thesis.txt").write_text("mine")
    assert main(["agreement", str(project.root), "--out", str(out)]) == 2
    assert "is not empty; give a new folder" in capsys.readouterr().err
    assert [each.name for each in out.iterdir()] == ["thesis.txt"]


@pytest.mark.parametrize("failing", range(0, 40, 6))
def test_a_report_that_fails_leaves_the_earlier_one_or_nothing(
    reported: Path, monkeypatch: pytest.MonkeyPatch, failing: int
) -> None:
    def all_of(folder: Path) -> dict[str, bytes]:
        files = (each for each in folder.rglob("*") if each.is_file())
        return {str(each.relative_to(folder)): each.read_bytes() for each in files}

    written, before = itertools.count(), all_of(reported)
    replace = os.replace

    def full(*places: object, **how: object) -> None:
        if next(written) >= failing:
            raise OSError(errno.ENOSPC, "No space left on device")
        replace(*places, **how)  # pyright: ignore[reportArgumentType]

    monkeypatch.setattr("shared.project.files.os.replace", full)
    project = reported.parent / "p"
    new = reported.parent / "new"
    assert main(["agreement", str(project), "--out", str(reported), "--resamples", "5"]) == 2
    assert main(["agreement", str(project), "--out", str(new), "--resamples", "5"]) == 2
    assert all_of(reported) == before
    assert [each.name for each in reported.parent.iterdir() if "report" in each.name] == ["report"]
    assert not new.exists()


def test_any_number_of_processes_reports_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of more patients than one process takes for itself, with a broken file and what is left."""
    ids = [str(100 + at) for at in range(50)]
    records = [Record(document(ANA, f"{each}-01")) for each in ids]
    project = Project.create(tmp_path / "p", "P", I2B2_2014, records, ("ana", "ben"), 1)
    for at, each in enumerate(ids[:-2]):
        gold = {"gold": ANA} if at % 3 == 0 else {}
        write(project, each, ana=ANA, ben=(ANA, BEN)[at % 2], **gold)
    project.layer_path("ben", "110-01").write_text("broken")
    found: list[tuple[int, str, dict[str, bytes]]] = []
    for cores in ("1", "2", "3"):
        out = tmp_path / f"report{cores}"
        words = ["agreement", str(project.root), "--json", "-", "--cores", cores]
        status = main([*words, "--out", str(out), "--resamples", "20", "--with-text"])
        files = {each.name: each.read_bytes() for each in out.rglob("*.*") if each.is_file()}
        files.pop("agreement.xlsx")  # which has the time in it
        found.append((status, capsys.readouterr().out, files))
    assert found[0] == found[1] == found[2]
    assert found[0][0] == 2
    assert "110-01" in json.loads(found[0][1])["left_out"]
    assert main(["agreement", str(project.root), "--json", "-"]) == 2
    assert json.loads(capsys.readouterr().out) == json.loads(found[0][1])
