import errno
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from shared.errors import FileError, LockedError, RequestError, StorageError
from shared.project.folders import new_folder_atomically
from shared.project.lock import acquire_lock


@pytest.fixture
def root(tmp_path):
    return tmp_path / "made" / "project"


def left(root):
    return sorted(each.name for each in root.parent.iterdir()) if root.parent.exists() else []


def test_the_folder_is_there_at_the_end_and_not_before(root):
    with new_folder_atomically(root, "test") as aside:
        (aside / "a").write_text("x", "utf-8")
        assert not root.exists()
    assert (root / "a").read_text("utf-8") == "x"
    assert left(root) == ["project"]


def test_an_empty_folder_is_filled(root):
    root.mkdir(parents=True)
    with new_folder_atomically(root, "test") as aside:
        (aside / "a").write_text("x", "utf-8")
    assert (root / "a").exists()


def test_a_path_without_a_name_is_that_of_the_folder_it_stands_for(root, monkeypatch):
    root.mkdir(parents=True)
    monkeypatch.chdir(root)
    with new_folder_atomically(Path(), "test") as aside:
        (aside / "a").write_text("x", "utf-8")
    assert (root / "a").exists()


@pytest.mark.parametrize(
    "error", [RequestError("no"), OSError(errno.ENOSPC, "x"), KeyboardInterrupt]
)
def test_where_it_fails_nothing_is_left(root, error):
    with (
        pytest.raises((RequestError, StorageError, KeyboardInterrupt)),
        new_folder_atomically(root, "x"),
    ):
        raise error
    assert left(root) == []


def test_a_folder_that_holds_something_is_not_touched(root):
    root.mkdir(parents=True)
    (root / "a").write_text("x", "utf-8")
    with (
        pytest.raises(FileError, match="already exists and is not empty"),
        new_folder_atomically(root, "x"),
    ):
        raise AssertionError
    assert left(root) == ["project"]


def test_a_file_is_not_touched(root):
    root.parent.mkdir()
    root.write_text("x", "utf-8")
    with (
        pytest.raises(FileError, match="already exists and is not a folder"),
        new_folder_atomically(root, "x"),
    ):
        raise AssertionError


def test_two_do_not_make_one_folder(root):
    with (
        acquire_lock(root.with_name(".project.lock"), "ana"),
        pytest.raises(LockedError),
        new_folder_atomically(root, "x"),
    ):
        raise AssertionError


def test_a_folder_that_cannot_be_looked_into_is_a_storage_error(root, monkeypatch):
    def refuse(_):
        raise PermissionError(errno.EACCES, "Permission denied")

    root.mkdir(parents=True)
    monkeypatch.setattr(Path, "iterdir", refuse)
    with pytest.raises(StorageError, match="ask its owner"), new_folder_atomically(root, "x"):
        raise AssertionError


def test_where_nothing_may_be_made_the_folder_is_named(root, monkeypatch):
    def refuse(*_, **__):
        raise PermissionError(errno.EACCES, "Permission denied")

    root.parent.mkdir()
    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(StorageError) as caught, new_folder_atomically(root, "x"):
        raise AssertionError
    assert str(caught.value) == f"{root}: permission denied; ask its owner for access"


def test_what_a_killed_process_left_is_no_folder_and_is_cleared_away(root):
    script = (
        "import sys, time; from pathlib import Path\n"
        "from shared.project.folders import new_folder_atomically\n"
        "with new_folder_atomically(Path(sys.argv[1]), 'test') as aside:\n"
        "    (aside / 'half').write_text('x', 'utf-8')\n"
        "    print('there', flush=True)\n"
        "    time.sleep(60)\n"
    )
    process = subprocess.Popen([sys.executable, "-c", script, str(root)], stdout=subprocess.PIPE)
    process.stdout.readline()
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    assert not root.exists()
    with new_folder_atomically(root, "test") as aside:
        (aside / "whole").write_text("x", "utf-8")
    assert left(root) == ["project"]
    assert [each.name for each in root.iterdir()] == ["whole"]
