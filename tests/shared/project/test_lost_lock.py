"""What becomes of edits while the lock of the patient is somebody else's, or nobody's."""

import os

import pytest

from shared.errors import LockedError, StorageError
from shared.project.journal import read_journal
from shared.project.lock import acquire_lock
from shared.project.safe_journal import read_rescue, rescue_files


def entry(number):
    return {"op": "note", "number": number}


def full_disk(*_):
    raise OSError(28, "No space left on device")


def test_an_edit_without_its_lock_goes_to_a_rescue_file_beside_the_journal(journal, path):
    path.with_suffix(".lock").unlink()
    (path.parent / "110.1.rescue").write_bytes(b"an earlier one\n")
    journal.append(entry(1))
    assert str(journal.trouble).endswith(
        "is no longer locked for you, somebody took the lock away; open it again"
    )
    journal.append(entry(2))
    assert journal.rescue_file == path.parent / "110.2.rescue"
    journal.close()
    assert read_rescue(path.parent / "110.2.rescue", "ana", "110") == [entry(1), entry(2)]
    assert rescue_files(path) == [path.parent / f"110.{each}.rescue" for each in (1, 2)]
    assert read_journal(path) == []


def test_an_edit_of_a_patient_whom_somebody_took_over_is_rescued_too(journal, path):
    path.with_suffix(".lock").unlink()
    with acquire_lock(path.with_suffix(".lock"), "ben"):
        journal.append(entry(1))
        assert "is open for ben" in str(journal.trouble)
        assert read_rescue(path.parent / "110.1.rescue", "ana", "110") == [entry(1)]


def test_a_lock_that_is_nobodys_is_never_open_for_nobody(journal, path):
    path.with_suffix(".lock").unlink()
    with pytest.raises(StorageError, match="no longer locked for you"):
        journal.check_lock()
    path.with_suffix(".lock").mkdir()
    with pytest.raises(StorageError, match="no longer locked for you"):
        journal.check_lock()


def test_the_rescue_file_goes_when_the_lock_is_back(journal, path, tmp_path):
    path.with_suffix(".lock").rename(tmp_path / "lock")
    journal.append(entry(1))
    assert rescue_files(path)
    (tmp_path / "lock").rename(path.with_suffix(".lock"))
    assert journal.retry()
    assert (rescue_files(path), read_journal(path)) == ([], [entry(1)])


def test_a_rescue_file_that_cannot_be_had_elsewhere_stays_beside_the_journal(
    journal, path, tmp_path, monkeypatch
):
    path.with_suffix(".lock").unlink()
    journal.append(entry(1))
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", full_disk)
        with pytest.raises(StorageError):
            journal.write_rescue_file(tmp_path / "mine.jsonl")
    journal.append(entry(2))
    assert read_rescue(path.parent / "110.1.rescue", "ana", "110") == [entry(1), entry(2)]
    journal.write_rescue_file(tmp_path / "all.jsonl")
    assert rescue_files(path) == []
    assert read_rescue(tmp_path / "all.jsonl", "ana", "110") == [entry(1), entry(2)]


def test_nothing_is_written_where_somebody_took_the_patient_over(journal, path):
    path.with_suffix(".lock").unlink()
    with acquire_lock(path.with_suffix(".lock"), "ben"):
        journal.append(entry(1))
        assert isinstance(journal.trouble, LockedError)
        assert "ben" in str(journal.trouble)
        assert read_journal(path) == []


def test_who_took_the_patient_over_is_named_with_the_file(journal, path):
    journal.check_lock()
    path.with_suffix(".lock").unlink()
    with acquire_lock(path.with_suffix(".lock"), "ben") as lock:
        with pytest.raises(LockedError) as refused:
            journal.check_lock()
        assert refused.value.path == path
        assert str(lock.holder_now) in str(refused.value)
