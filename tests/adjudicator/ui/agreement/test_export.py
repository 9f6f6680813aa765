"""The report, written from the window."""

import shutil
import stat
from datetime import date, timedelta
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from adjudicator.agreement import export as export_module
from adjudicator.ui.agreement import work
from shared.errors import StorageError
from shared.project.project import Project
from tests.adjudicator.agreement_reader import Reader


class Tomorrow(date):
    @classmethod
    def today(cls) -> date:
        return date.today() + timedelta(days=1)  # noqa: DTZ011


def choose_folder(reader: Reader, folder: Path) -> None:
    reader.press("agreementExport")
    dialog = reader.window.findChild(QFileDialog, "agreementFolder")
    assert not dialog.isModal()
    dialog.selectFile(str(folder))
    dialog.accept()


def test_export_writes_what_the_command_writes(
    reader: Reader, tmp_path: Path, project: Project, qtbot: QtBot
):
    from shared.commands.main import main

    folder = tmp_path / "report"
    folder.mkdir(mode=0o700)
    choose_folder(reader, folder)
    qtbot.waitUntil(lambda: "open agreement.html" in reader.banner, timeout=20_000)
    assert str(folder) in (project.root / "log" / "gold.jsonl").read_text("utf-8")
    assert main(["agreement", str(project.root), "--out", str(tmp_path / "other")]) == 0
    files = sorted(path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    others = (path for path in (tmp_path / "other").rglob("*") if path.is_file())
    assert files == sorted(path.relative_to(tmp_path / "other") for path in others)
    for path in files:
        if path.suffix != ".xlsx":
            assert (folder / path).read_bytes() == (tmp_path / "other" / path).read_bytes()
    assert not stat.S_IMODE((folder / "agreement.html").stat().st_mode) & 0o077


def test_a_report_bears_the_day_on_which_layers_were_read(
    reader: Reader, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
):
    read_on = date.today()  # noqa: DTZ011
    monkeypatch.setattr(export_module, "date", Tomorrow)
    folder = tmp_path / "report"
    folder.mkdir()
    choose_folder(reader, folder)
    qtbot.waitUntil(lambda: "open agreement.html" in reader.banner, timeout=20_000)
    page = (folder / "agreement.html").read_text("utf-8")
    assert read_on.isoformat() in page
    assert Tomorrow.today().isoformat() not in page


def test_a_log_that_cannot_be_written_is_told_and_the_report_written(
    reader: Reader, tmp_path: Path, project: Project, qtbot: QtBot
):
    log = project.root / "log"
    shutil.rmtree(log, ignore_errors=True)
    log.write_text("in the way")
    (tmp_path / "report").mkdir()
    choose_folder(reader, tmp_path / "report")
    qtbot.waitUntil(
        lambda: "the project's log could not be written" in reader.banner, timeout=20_000
    )
    assert (tmp_path / "report" / "agreement.html").exists()


def test_what_goes_wrong_with_export_is_one_sentence(
    reader: Reader, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
):
    def refuse(*_: object) -> None:
        raise StorageError(tmp_path / "report", "there is no space left; free some, then try again")

    monkeypatch.setattr(work, "export", refuse)
    (tmp_path / "report").mkdir()
    choose_folder(reader, tmp_path / "report")
    qtbot.waitUntil(lambda: "no space left" in reader.banner, timeout=20_000)
    assert "\n" not in reader.banner
