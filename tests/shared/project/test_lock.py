import errno
import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from shared.errors import LockedError, StorageError
from shared.project import lock
from shared.project.lock import acquire_lock


@pytest.fixture
def path(tmp_path):
    return tmp_path / "journal" / "110.lock"


def written(path, **changes):
    """Write the lock of another holder."""
    table = {"who": "ben", "host": "ward-3", "pid": 1, "started": "1", "since": "2026-05-09 10:12"}
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(table | changes), "utf-8")


def pid_of_the_dead():
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def test_a_lock_is_there_while_it_is_held(path):
    with acquire_lock(path, "ana"):
        assert json.loads(path.read_text("utf-8"))["who"] == "ana"
    assert not path.exists()


def test_a_second_holder_is_told_who_holds_it(path):
    with (
        acquire_lock(path, "ana"),
        pytest.raises(LockedError, match=r"is open for ana on .* since 20"),
    ):
        acquire_lock(path, "ben")
    acquire_lock(path, "ben").release()


def test_a_lock_of_another_computer_is_respected(path):
    written(path)
    with pytest.raises(LockedError) as caught:
        acquire_lock(path, "ana")
    assert caught.value.holder == "ben on ward-3 since 2026-05-09 10:12"


def test_a_lock_of_a_dead_process_is_taken_over(path):
    written(path, host=lock.socket.gethostname(), pid=pid_of_the_dead())
    with acquire_lock(path, "ana"):
        assert json.loads(path.read_text("utf-8"))["who"] == "ana"


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="only /proc tells when")
def test_a_later_process_with_the_same_number_is_not_the_holder(path):
    written(path, host=lock.socket.gethostname(), pid=os.getpid(), started="1")
    acquire_lock(path, "ana").release()


@pytest.mark.parametrize(
    ("noted", "now", "is_gone"),
    [
        ("133", "133", False),
        ("133", "134", True),
        ("133", None, True),
        ("", "133", False),
        ("133", "", False),
        ("", None, True),
    ],
)
def test_only_a_process_that_is_known_to_have_ended_has_no_lock(
    path, monkeypatch, noted, now, is_gone
):
    monkeypatch.setattr(lock, "process_start", lambda _: now)
    written(path, host=lock.socket.gethostname(), started=noted)
    if is_gone:
        acquire_lock(path, "ana").release()
    else:
        with pytest.raises(LockedError):
            acquire_lock(path, "ana")


@pytest.mark.parametrize("content", ["", "{", "[]", '{"who": "ben"}'])
def test_a_lock_that_was_never_finished_is_nobodys_after_a_while(path, content):
    path.parent.mkdir()
    path.write_text(content, "utf-8")
    long_ago = time.time() - 60
    os.utime(path, (long_ago, long_ago))
    acquire_lock(path, "ana").release()


def test_a_lock_that_a_killed_process_was_just_writing_is_waited_for(path, monkeypatch):
    monkeypatch.setattr(lock, "_HALF_WRITTEN", 0.2)
    path.parent.mkdir()
    path.touch()
    acquire_lock(path, "ana").release()


def test_a_lock_that_a_clock_says_is_still_being_written_is_not_waited_for_for_ever(
    path, monkeypatch
):
    monkeypatch.setattr(lock, "_HALF_WRITTEN", 0.2)
    path.parent.mkdir()
    path.touch()
    tomorrow = time.time() + 86_400
    os.utime(path, (tomorrow, tomorrow))
    with pytest.raises(LockedError, match="is open for somebody"):
        acquire_lock(path, "ana")


def test_patience_waits_for_the_lock(path):
    first = acquire_lock(path, "ana")
    threading.Timer(0.1, first.release).start()
    acquire_lock(path, "ben", patience=30).release()


def test_what_somebody_else_holds_is_not_released(path):
    first = acquire_lock(path, "ana")
    written(path)
    first.release()
    assert path.exists()


def test_release_twice_is_release_once(path):
    first = acquire_lock(path, "ana")
    first.release()
    first.release()


def test_a_lock_taken_in_the_meantime_is_put_back(path):
    """Two take over a dead lock: the slower finds the lock of the faster, which must stay."""
    acquire_lock(path, "ben")
    kept = path.read_bytes()
    lock._take_away(path, b"what the dead one wrote")
    assert path.read_bytes() == kept
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_a_lock_given_back_while_it_is_looked_at_is_taken(path, monkeypatch):
    acquire_lock(path, "ben")
    read = lock.read_file

    def too_late(at):
        at.unlink()
        return read(at)

    monkeypatch.setattr(lock, "read_file", too_late)
    assert acquire_lock(path, "ana").path == path


def test_a_dead_lock_that_may_not_be_removed_is_a_storage_error(path, monkeypatch):
    def refuse(*_):
        raise PermissionError(errno.EACCES, "Permission denied")

    written(path, host=lock.socket.gethostname(), pid=pid_of_the_dead())
    monkeypatch.setattr(Path, "rename", refuse)
    with pytest.raises(StorageError, match="permission denied"):
        acquire_lock(path, "ana")


def test_a_full_disk_leaves_no_lock(path, monkeypatch):
    def refuse(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "write", refuse)
    with pytest.raises(StorageError, match="no space left on device"):
        acquire_lock(path, "ana")
    assert not path.exists()


def test_a_folder_without_permission_is_a_storage_error(path, monkeypatch):
    def refuse(*_, **__):
        raise PermissionError(errno.EACCES, "Permission denied")

    path.parent.mkdir()
    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(StorageError, match="permission denied; ask its owner"):
        acquire_lock(path, "ana")


def test_only_one_of_many_gets_a_lock(path):
    script = (
        "import sys; from pathlib import Path; from shared.project.lock import acquire_lock\n"
        "from shared.errors import LockedError\n"
        "try:\n    acquire_lock(Path(sys.argv[1]), 'x')\n"
        "except LockedError: print('no', flush=True)\n"
        "else: print('yes', flush=True)\n"
        "sys.stdin.read()"
    )
    runs = [
        subprocess.Popen(
            [sys.executable, "-c", script, str(path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(4)
    ]
    said = [run.stdout.readline().strip() for run in runs]
    for run in runs:
        run.communicate()
    assert sorted(said) == ["no", "no", "no", "yes"]
