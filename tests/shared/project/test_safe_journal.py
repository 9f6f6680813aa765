"""Nothing that a journal was given is lost, whatever happens to its file."""

import errno
import os
import shutil

import pytest

from shared.errors import FileFormatError, LockedError, StorageError
from shared.project.journal import read_journal
from shared.project.lock import acquire_lock
from shared.project.safe_journal import SafeJournal, read_rescue


@pytest.fixture
def path(tmp_path):
    return tmp_path / "project" / "journal" / "ana" / "110.jsonl"


@pytest.fixture
def journal(path):
    with acquire_lock(path.with_suffix(".lock"), "ana") as lock:
        yield SafeJournal(path, lock, "ana", "110")


def entry(number):
    return {"op": "edit", "number": number}


def full_disk(*_):
    raise OSError(errno.ENOSPC, "No space left on device")


def refused(*_, **__):
    raise PermissionError(errno.EACCES, "Permission denied")


def test_entries_go_into_the_journal(journal, path):
    journal.append(entry(1))
    assert (journal.waiting, journal.trouble) == (0, None)
    assert read_journal(path) == [entry(1)]


def test_a_full_disk_is_waited_out(journal, path, monkeypatch):
    told = []
    journal.changed = lambda: told.append(journal.waiting)
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", full_disk)
        journal.append(entry(1))
        journal.append(entry(2))
        assert (journal.waiting, isinstance(journal.trouble, StorageError)) == (2, True)
    journal.append(entry(3))
    assert read_journal(path) == [entry(1), entry(2), entry(3)]
    assert told == [1, 0]


def test_a_rescue_file_takes_what_waits_and_what_comes(journal, path, tmp_path):
    shutil.rmtree(tmp_path / "project")
    journal.append(entry(1))
    journal.write_rescue_file(tmp_path / "rescue.jsonl")
    journal.append(entry(2))
    assert read_rescue(tmp_path / "rescue.jsonl", "ana", "110") == [entry(1), entry(2)]
    assert journal.is_rescued


def test_a_folder_that_is_gone_is_not_made_again(journal, path, tmp_path):
    shutil.rmtree(tmp_path / "project")
    journal.append(entry(1))
    assert not journal.retry()
    assert not (tmp_path / "project").exists()


def test_a_journal_file_that_is_gone_is_begun_anew(journal, path):
    journal.append(entry(1))
    path.unlink()
    journal.append(entry(2))
    assert read_journal(path) == [entry(2)]


def test_a_rescue_file_goes_when_the_journal_is_back(journal, path, tmp_path):
    path.with_suffix(".lock").rename(tmp_path / "lock")
    journal.append(entry(1))
    journal.write_rescue_file(tmp_path / "rescue.jsonl")
    (tmp_path / "lock").rename(path.with_suffix(".lock"))
    assert journal.retry()
    assert read_journal(path) == [entry(1)]
    assert not (tmp_path / "rescue.jsonl").exists()


def test_nothing_is_written_where_somebody_took_the_patient_over(journal, path):
    path.with_suffix(".lock").unlink()
    with acquire_lock(path.with_suffix(".lock"), "ben"):
        journal.append(entry(1))
        assert isinstance(journal.trouble, LockedError)
        assert "ben" in str(journal.trouble)
        assert read_journal(path) == []


def test_closing_with_entries_in_no_file_is_said(journal, monkeypatch):
    monkeypatch.setattr(os, "write", full_disk)
    journal.append(entry(1))
    with pytest.raises(StorageError, match="1 entries"):
        journal.close()


def test_a_rescue_file_of_somebody_else_is_refused(journal, path, tmp_path):
    path.with_suffix(".lock").unlink()
    journal.append(entry(1))
    journal.write_rescue_file(tmp_path / "rescue.jsonl")
    with pytest.raises(FileFormatError, match="ana's patient 110"):
        read_rescue(tmp_path / "rescue.jsonl", "ben", "110")
    with pytest.raises(FileFormatError, match="not a Tandem rescue file"):
        read_rescue(path, "ana", "110")


def test_a_rescue_file_does_not_overwrite(journal, tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(FileFormatError, match="already exists"):
        journal.write_rescue_file(tmp_path / "notes.txt")


def test_an_entry_that_the_rescue_file_cannot_take_is_still_kept(
    journal, path, tmp_path, monkeypatch
):
    lock, told = path.with_suffix(".lock"), []
    lock.rename(tmp_path / "lock")
    journal.append(entry(1))
    journal.write_rescue_file(tmp_path / "rescue.jsonl")
    journal.changed = lambda: told.append((journal.waiting, journal.is_rescued))
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", full_disk)
        journal.append(entry(2))
    assert told == [(2, False)]
    (tmp_path / "lock").rename(lock)
    assert journal.retry()
    assert read_journal(path) == [entry(1), entry(2)]


def test_a_rescue_file_that_cannot_be_removed_keeps_nobody_from_working(
    journal, path, tmp_path, monkeypatch
):
    lock, rescue = path.with_suffix(".lock"), tmp_path / "rescue.jsonl"
    lock.rename(tmp_path / "lock")
    journal.append(entry(1))
    journal.write_rescue_file(rescue)
    (tmp_path / "lock").rename(lock)
    with monkeypatch.context() as patch:
        patch.setattr(type(rescue), "unlink", refused)
        journal.append(entry(2))
    assert (journal.waiting, journal.is_rescued) == (0, False)
    assert read_journal(path) == [entry(1), entry(2)]


def test_closing_loses_nothing_and_says_nothing_where_a_rescue_file_has_it(
    journal, path, tmp_path, monkeypatch
):
    with monkeypatch.context() as patch:
        patch.setattr(SafeJournal, "check_lock", refused_lock)
        journal.append(entry(1))
        journal.write_rescue_file(tmp_path / "rescue.jsonl")
        journal.append(entry(2))
        journal.close()
    assert read_rescue(tmp_path / "rescue.jsonl", "ana", "110") == [entry(1), entry(2)]
    assert read_journal(path) == []


def refused_lock(journal):
    raise LockedError(journal._path, "ben")
