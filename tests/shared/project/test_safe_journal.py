"""Nothing that a journal was given is lost, whatever happens to its file."""

import errno
import os
import shutil

import pytest

from shared.errors import FileFormatError, LockedError, StorageError
from shared.project.journal import Journal, read_journal
from shared.project.lock import acquire_lock
from shared.project.safe_journal import SafeJournal, read_rescue


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


def test_what_it_begins_with_comes_before_the_first_entry(journal, path):
    journal.begin_with(lambda: entry(0))
    assert read_journal(path) == []
    journal.append(entry(1))
    journal.append(entry(2))
    assert read_journal(path) == [entry(0), entry(1), entry(2)]


def test_what_it_begins_with_is_written_when_nothing_else_is(journal, path):
    journal.begin_with(lambda: entry(0))
    journal.close()
    assert read_journal(path) == [entry(0)]


def test_what_it_begins_with_waits_for_room_and_keeps_its_place(journal, path, monkeypatch):
    journal.begin_with(lambda: entry(0))
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", full_disk)
        journal.append(entry(1))
    assert (journal.waiting, read_journal(path)) == (2, [])
    journal.append(entry(2))
    assert read_journal(path) == [entry(0), entry(1), entry(2)]


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


def test_the_journal_is_closed_too_where_the_rescue_file_cannot_be(
    journal, path, tmp_path, monkeypatch, closed
):
    monkeypatch.setattr(SafeJournal, "check_lock", refused_lock)
    journal.write_rescue_file(tmp_path / "rescue.jsonl")
    monkeypatch.setattr(journal._rescue, "close", refused_close)
    with pytest.raises(StorageError, match="cannot be written"):
        journal.close()
    assert closed == [path]


def refused_lock(journal):
    raise LockedError(journal._path, "ben")


@pytest.fixture
def lock_away(path, tmp_path):
    """Take the lock away, and give it back: nothing can be written meanwhile."""
    lock, hidden = path.with_suffix(".lock"), tmp_path / "lock"

    class LockAway:
        def __enter__(self):
            lock.rename(hidden)

        def __exit__(self, *_):
            hidden.rename(lock)

    return LockAway()


def refused_close(*_):
    raise StorageError("x", "cannot be written")


@pytest.fixture
def closed(monkeypatch):
    """The files of all journals that were closed."""
    paths, close = [], Journal.close

    def noted(journal):
        paths.append(journal.path)
        close(journal)

    monkeypatch.setattr(Journal, "close", noted)
    return paths


def test_a_journal_is_closed_at_the_end_of_its_block(journal, path, closed):
    with journal as same:
        assert same is journal
        journal.append(entry(1))
    assert closed == [path]
    assert read_journal(path) == [entry(1)]


def test_an_entry_that_waits_stays_as_it_was_given(journal, path, lock_away):
    given = entry(1)
    with lock_away:
        journal.append(given)
        given["number"] = 2
    assert journal.retry()
    assert read_journal(path) == [entry(1)]


def test_trouble_is_over_when_nothing_waits_any_more(journal, lock_away):
    told = []
    journal.changed = lambda: told.append((journal.waiting, journal.trouble is None))
    assert journal.retry()
    with lock_away:
        journal.append(entry(1))
        journal.append(entry(2))
        assert not journal.retry()
    assert journal.retry()
    assert journal.retry()
    assert told == [(1, False), (0, True)]


def test_what_was_written_before_the_disk_was_full_waits_no_more(journal, path, monkeypatch):
    write, left = os.write, [1]

    def one_more(*arguments):
        if not left:
            full_disk()
        left.pop()
        return write(*arguments)

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", full_disk)
        for number in (1, 2, 3):
            journal.append(entry(number))
        patch.setattr(os, "write", one_more)
        assert not journal.retry()
        assert (journal.waiting, read_journal(path)) == (2, [entry(1)])
    assert journal.retry()
    assert read_journal(path) == [entry(1), entry(2), entry(3)]


def test_a_folder_that_is_gone_is_named_and_waited_for(tmp_path):
    hidden = tmp_path / "hidden"
    with acquire_lock(tmp_path / "lock", "ana") as lock:
        other = SafeJournal(tmp_path / "far" / "110.jsonl", lock, "ana", "110")
        other.append(entry(1))
        (tmp_path / "far").rename(hidden)
        other.append(entry(2))
        assert isinstance(other.trouble, StorageError)
        assert other.trouble.path == tmp_path / "far"
        assert str(other.trouble).endswith("far: is gone; bring the folder back")
        hidden.rename(tmp_path / "far")
        assert other.retry()
    assert read_journal(tmp_path / "far" / "110.jsonl") == [entry(1), entry(2)]


def test_a_rescue_file_says_first_whose_work_it_holds(journal, tmp_path, lock_away):
    rescue = tmp_path / "rescue.jsonl"
    with lock_away:
        journal.append(entry(1))
        journal.write_rescue_file(rescue)
        assert read_journal(rescue) == [
            {"op": "rescue", "annotator": "ana", "patient": "110"},
            entry(1),
        ]


def test_a_rescue_file_that_cannot_be_written_rescues_nothing(
    journal, path, tmp_path, lock_away, monkeypatch
):
    monkeypatch.setattr(SafeJournal, "_rescue_from_lock_loss", lambda _: None)
    with lock_away:
        journal.append(entry(1))
        for number, fault in enumerate(("write", "fsync")):
            with monkeypatch.context() as patch:
                patch.setattr(os, fault, full_disk)
                with pytest.raises(StorageError):
                    journal.write_rescue_file(tmp_path / f"{number}.jsonl")
            assert not journal.is_rescued
        with pytest.raises(StorageError, match="entries could not be written"):
            journal.close()


def test_a_rescue_file_that_somebody_removed_or_that_cannot_be_closed_keeps_nobody_from_working(
    journal, path, tmp_path, lock_away, monkeypatch
):
    with lock_away:
        journal.append(entry(1))
        journal.write_rescue_file(tmp_path / "first.jsonl")
        (tmp_path / "first.jsonl").unlink()
    assert journal.retry()
    with lock_away:
        journal.append(entry(2))
        journal.write_rescue_file(tmp_path / "second.jsonl")
    with monkeypatch.context() as patch:
        patch.setattr(Journal, "close", refused_close)
        assert journal.retry()
    assert not (tmp_path / "second.jsonl").exists()
    assert (journal.is_rescued, read_journal(path)) == (False, [entry(1), entry(2)])


def test_a_refusal_names_the_file_and_what_to_do(journal, path, tmp_path, lock_away):
    rescue, notes = tmp_path / "rescue.jsonl", tmp_path / "notes.txt"
    notes.write_text("")
    with lock_away:
        journal.write_rescue_file(rescue)
    said = []
    for call in (
        lambda: journal.write_rescue_file(notes),
        lambda: read_rescue(rescue, "ben", "110"),
        lambda: read_rescue(rescue, "ana", "111"),
        lambda: read_rescue(notes, "ana", "110"),
        lambda: read_rescue(tmp_path / "missing.jsonl", "ana", "110"),
    ):
        with pytest.raises(FileFormatError) as refused:
            call()
        said.append(str(refused.value))
    whose = "holds work on ana's patient 110; open that patient to recover it"
    assert said == [
        f"{notes}: already exists; choose another name",
        f"{rescue}: {whose}",
        f"{rescue}: {whose}",
        f"{notes}: is not a Tandem rescue file",
        f"{tmp_path / 'missing.jsonl'}: is not a Tandem rescue file",
    ]


def test_closing_writes_what_waits_if_that_is_possible_by_now(journal, path, lock_away):
    with lock_away:
        journal.append(entry(1))
    journal.close()
    assert read_journal(path) == [entry(1)]


def test_closing_says_how_many_entries_are_in_no_file_and_closes(
    journal, path, lock_away, closed, monkeypatch
):
    monkeypatch.setattr(SafeJournal, "_rescue_from_lock_loss", lambda _: None)
    with lock_away:
        journal.append(entry(1))
        journal.append(entry(2))
        with pytest.raises(StorageError) as refused:
            journal.close()
        assert refused.value.path == path
        assert str(refused.value).endswith(": 2 entries could not be written")
        assert closed == [path]


def test_closing_says_what_goes_wrong_with_the_journal_only_where_it_has_the_entries(
    journal, path, tmp_path, lock_away, monkeypatch
):
    close = Journal.close

    def refused_to_the_first(one):
        close(one)
        if one.path == path:
            refused_close()

    with lock_away, monkeypatch.context() as patch:
        journal.append(entry(1))
        journal.write_rescue_file(tmp_path / "rescue.jsonl")
        patch.setattr(Journal, "close", refused_to_the_first)
        journal.close()
        assert journal.is_rescued
    assert read_rescue(tmp_path / "rescue.jsonl", "ana", "110") == [entry(1)]


def test_closing_says_where_the_journal_could_not_be_brought_to_the_disk(journal, monkeypatch):
    monkeypatch.setattr(Journal, "close", refused_close)
    with pytest.raises(StorageError, match="cannot be written"):
        journal.close()
