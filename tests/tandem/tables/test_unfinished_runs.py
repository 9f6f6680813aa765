"""A run that was ended in whatever way goes on where it was, and nothing is there before all is."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pandas as pd
import pytest
from pandas.testing import assert_frame_equal

from tandem.tables import table_run
from tandem.tables.run_folder import RunFolder
from tests.tandem.tables.conftest import Archive

SUGGEST = ("suggest", "notes.parquet", "--model", "rules", "--part-size", 0.01, "--out")

PROGRAM = "import sys; from shared.commands.main import main; sys.exit(main(sys.argv[1:]))"
ENDED = 130


def unfinished(archive: Archive, name: str) -> Path:
    return archive / f".{name}.unfinished"


def parts_done(archive: Archive, name: str) -> dict[str, int]:
    """The parts that are done, and when they were written."""
    found = (unfinished(archive, name) / "parts").glob("*.json")
    return {each.name: each.stat().st_mtime_ns for each in found}


def test_a_killed_run_goes_on(archive: Archive) -> None:
    archive.run(*SUGGEST, "whole.parquet")
    command = [*map(str, SUGGEST), "tags.parquet", "--cores", "1"]
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM, *command],
        cwd=archive.folder,
        env={**os.environ, "PYTHONPATH": str(Path.cwd())},
    ) as run:
        until = time.monotonic() + 60
        while not parts_done(archive, "tags.parquet") and time.monotonic() < until:
            time.sleep(0.001)
        run.send_signal(signal.SIGKILL)
    before = parts_done(archive, "tags.parquet")
    assert before
    assert not (archive / "tags.parquet").exists()
    done: list[str] = []
    original = table_run.work_part

    def watched(folder: str, secret: str, number: int) -> object:
        done.append(f"{number:06}.json")
        return original(folder, secret, number)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(table_run, "work_part", watched)
        assert archive.run(*SUGGEST, "tags.parquet") == 0
    assert not before.keys() & set(done)
    assert_frame_equal(archive.frame("tags.parquet"), archive.frame("whole.parquet"))
    assert not unfinished(archive, "tags.parquet").exists()


def test_what_was_put_together_is_placed_by_the_next_run(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = Path.replace

    def dead(source: Path, target: Path) -> Path:
        if "read" in str(target):
            raise KeyboardInterrupt
        return original(source, target)

    monkeypatch.setattr(Path, "replace", dead)
    assert archive.run(*SUGGEST, "tags.parquet") == ENDED
    assert not (archive / "tags.parquet").exists()  # what is asked for comes last
    monkeypatch.undo()
    assert archive.run(*SUGGEST, "tags.parquet") == 0
    for name in ("tags.parquet", "tags.read.parquet", "tags.left-out.parquet"):
        assert (archive / name).exists()
    assert not unfinished(archive, "tags.parquet").exists()


def ended_within(archive: Archive, name: str) -> None:
    """Begin a run that ends before its last part."""
    original = table_run.work_part

    def ended(folder: str, secret: str, number: int) -> object:
        if number:
            raise KeyboardInterrupt
        return original(folder, secret, number)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(table_run, "work_part", ended)
        assert archive.run(*SUGGEST, name) == ENDED


@pytest.mark.parametrize("change", ["other options", "other notes"])
def test_another_run_does_not_go_on_with_it(
    archive: Archive, change: str, capsys: pytest.CaptureFixture[str]
) -> None:
    ended_within(archive, "tags.parquet")
    if change == "other notes":
        more = pd.concat([archive.notes, archive.notes.head(1).assign(record="new-01")])
        more.to_parquet(archive / "notes.parquet", index=False)
    others = ("--recall",) if change == "other options" else ()
    assert archive.run(*SUGGEST, "tags.parquet", *others) == 2
    assert "an unfinished run with other tables or options" in capsys.readouterr().err
    assert not (archive / "tags.parquet").exists()


def test_an_unfinished_run_is_its_owners_only(archive: Archive) -> None:
    ended_within(archive, "tags.parquet")
    folder = unfinished(archive, "tags.parquet")
    for each in (folder, *folder.rglob("*")):
        assert each.stat().st_mode & 0o077 == 0, each


def test_what_is_there_is_not_written_over(
    archive: Archive, capsys: pytest.CaptureFixture[str]
) -> None:
    (archive / "tags.read.parquet").write_text("mine")
    assert archive.run(*SUGGEST, "tags.parquet") == 2
    assert "already exists; give a new name" in capsys.readouterr().err
    assert (archive / "tags.read.parquet").read_text() == "mine"
    assert not unfinished(archive, "tags.parquet").exists()


@pytest.mark.parametrize("removed", range(8))
def test_a_run_that_was_killed_while_it_removed_its_folder_leaves_nothing_for_good(
    archive: Archive, monkeypatch: pytest.MonkeyPatch, removed: int
) -> None:
    left, rmtree, unlink = iter(range(removed)), shutil.rmtree, Path.unlink

    def dead(original: Callable[..., None], *arguments: object, **more: object) -> None:
        if next(left, None) is None:
            raise KeyboardInterrupt
        original(*arguments, **more)

    original = RunFolder.finish

    def finish(run: RunFolder) -> None:
        with monkeypatch.context() as patch:
            patch.setattr(shutil, "rmtree", partial(dead, rmtree))
            patch.setattr(Path, "unlink", lambda path, **more: dead(unlink, path, **more))
            original(run)

    monkeypatch.setattr(RunFolder, "finish", finish)
    status = archive.run(*SUGGEST, "tags.parquet")
    before = archive.frame("tags.parquet")
    assert status == ENDED or not unfinished(archive, "tags.parquet").exists()
    monkeypatch.undo()
    assert archive.run(*SUGGEST, "tags.parquet") in (0, 2)  # or it is there already
    assert not unfinished(archive, "tags.parquet").exists()
    assert_frame_equal(archive.frame("tags.parquet"), before)
