import errno
import os
import signal
import subprocess
import sys
import threading
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.errors import FileFormatError, StorageError
from shared.project import journal as journal_module
from shared.project.journal import Journal, read_head, read_journal, read_uncut
from tests.strategies import texts

ENTRIES = [{"n": 1}, {"n": 2, "span": [0, 3]}]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "journal" / "ana" / "110.jsonl"


def filled(path, entries=ENTRIES):
    with Journal(path) as journal:
        for entry in entries:
            journal.append(entry)
    return path


def test_what_was_appended_is_read(path):
    assert read_journal(filled(path)) == ENTRIES


def test_no_file_is_an_empty_journal(path):
    assert read_journal(path) == []


def test_a_head_that_could_not_be_made_is_made_with_the_next_line(path, monkeypatch):
    def full(*_):
        raise StorageError("head", "no space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(journal_module, "write_head", full)
        journal = Journal(path)
        journal.append({"n": 1})
    assert read_head(path) is None
    journal.append({"n": 2})
    assert read_head(path).is_in(path.read_bytes())
    assert read_uncut(path).count(b"\n") == 2
    journal.close()


def test_a_head_that_could_not_be_made_is_made_at_the_end(path, monkeypatch):
    def full(*_):
        raise StorageError("head", "no space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(journal_module, "write_head", full)
        journal = Journal(path)
        journal.append({"n": 1})
    journal.close()
    assert read_uncut(path).count(b"\n") == 1


def test_a_journal_goes_on_where_it_ended(path):
    filled(filled(path))
    assert read_journal(path) == ENTRIES * 2


def test_an_entry_is_in_the_file_before_append_returns(path):
    with Journal(path) as journal:
        journal.append({"n": 1})
        assert read_journal(path) == [{"n": 1}]


@given(st.dictionaries(texts(), texts()))
def test_every_string_comes_back(tmp_path_factory, entry):
    path = tmp_path_factory.mktemp("journal") / "110.jsonl"
    assert read_journal(filled(path, [entry])) == [entry]


def test_two_halves_of_a_pair_stay_two(path):
    entry = {"comment": "\ud83d\udc69"}
    assert read_journal(filled(path, [entry])) == [entry]


@pytest.mark.parametrize("torn", [b'{"n": 3', b"\0\0\0", b'{"n": 3}'])
def test_a_torn_last_line_is_dropped_and_cut_off(path, torn):
    whole = filled(path).read_bytes()
    path.write_bytes(whole + torn)
    assert read_journal(path) == ENTRIES
    Journal(path).close()
    assert path.read_bytes() == whole


def test_a_long_torn_line_is_cut_off(path):
    whole = filled(path).read_bytes()
    path.write_bytes(whole + b"x" * 200_000)
    Journal(path).close()
    assert path.read_bytes() == whole


def test_a_file_that_is_nothing_but_a_torn_line_is_emptied(path):
    path.parent.mkdir(parents=True)
    path.write_bytes(b'{"n": 1')
    filled(path, [{"n": 2}])
    assert read_journal(path) == [{"n": 2}]


@pytest.mark.parametrize("line", [b"{", b"3", b"\xff", b""])
def test_a_broken_line_within_is_named(path, line):
    path.parent.mkdir(parents=True)
    path.write_bytes(b'{"n": 1}\n' + line + b'\n{"n": 3}\n')
    with pytest.raises(FileFormatError, match=r"110\.jsonl: line 2 is not a journal entry"):
        read_journal(path)


def test_a_full_disk_is_told_and_leaves_the_entries_before(path, monkeypatch):
    def refuse(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    with Journal(path) as journal:
        journal.append({"n": 1})
        monkeypatch.setattr(os, "write", refuse)
        with pytest.raises(StorageError, match="no space left on device; free some space"):
            journal.append({"n": 2})
        monkeypatch.undo()
        journal.append({"n": 3})
    assert read_journal(path) == [{"n": 1}, {"n": 3}]


def test_a_line_for_which_there_was_no_room_is_taken_back(path, monkeypatch):
    write = os.write
    with Journal(path) as journal:
        journal.append({"n": 1})
        monkeypatch.setattr(os, "write", lambda descriptor, data: write(descriptor, data[:4]))
        with pytest.raises(StorageError, match="no space left on device"):
            journal.append({"n": 2})
        monkeypatch.undo()
        journal.append({"n": 3})
    assert read_journal(path) == [{"n": 1}, {"n": 3}]


def test_what_is_synced_in_the_background_is_the_file_of_the_journal(path, monkeypatch):
    synced = []
    with Journal(path) as journal:
        monkeypatch.setattr(journal_module.os, "fsync", synced.append)
        journal._sync_once()
        assert synced == [journal._descriptor]


def test_a_failed_sync_in_the_background_is_told_with_the_next_call(path, monkeypatch):
    def refuse(_):
        raise OSError(errno.EIO, "Input/output error")

    journal = Journal(path)
    monkeypatch.setattr(journal_module.os, "fsync", refuse)
    journal._sync_once()
    monkeypatch.undo()
    with pytest.raises(StorageError, match="input/output error"):
        journal.append({"n": 1})
    journal.close()


def test_a_failed_sync_is_told_by_flush(path, monkeypatch):
    def refuse(_):
        raise OSError(errno.EIO, "Input/output error")

    with Journal(path) as journal:
        monkeypatch.setattr(journal_module.os, "fsync", refuse)
        with pytest.raises(StorageError, match="input/output error"):
            journal.flush()
        monkeypatch.undo()


def test_closing_twice_is_closing_once(path):
    journal = Journal(path)
    journal.close()
    journal.close()


def test_a_journal_that_cannot_be_opened_is_a_storage_error(path):
    path.mkdir(parents=True)
    with pytest.raises(StorageError, match="is a directory"):
        Journal(path)


def test_a_journal_is_its_owners_only(path):
    filled(path)
    assert path.stat().st_mode & 0o777 in {0o600, 0o660}
    assert path.stat().st_mode & 0o007 == 0


def test_what_append_returned_for_survives_a_killed_process(path):
    script = (
        "import sys; from pathlib import Path; from shared.project.journal import Journal\n"
        "journal = Journal(Path(sys.argv[1]))\n"
        "for number in range(10**9):\n"
        "    journal.append({'n': number})\n"
        "    print(number, flush=True)\n"
    )
    process = subprocess.Popen([sys.executable, "-c", script, str(path)], stdout=subprocess.PIPE)
    seen = [int(process.stdout.readline()) for _ in range(200)]
    process.send_signal(signal.SIGKILL)
    seen += [int(line) for line in process.communicate()[0].split(b"\n")[:-1]]
    numbers = [entry["n"] for entry in read_journal(path)]
    assert numbers == list(range(len(numbers)))
    assert numbers[: len(seen)] == seen


def test_what_was_appended_is_synced_beside_the_program(path, monkeypatch):
    synced = threading.Event()
    seen = []

    def note(_):
        seen.append(threading.current_thread())
        synced.set()

    with Journal(path) as journal:
        monkeypatch.setattr(journal_module.os, "fsync", note)
        for number in range(2):
            journal.append({"n": number})
            assert synced.wait(10)
            synced.clear()
        monkeypatch.undo()
    assert {(thread.name, thread.daemon) for thread in seen} == {("journal", True)}
    assert not seen[0].is_alive()


def test_a_sync_that_fails_beside_the_program_is_told_by_flush_once(path, monkeypatch):
    failed = threading.Event()

    def refuse(_):
        failed.set()
        raise OSError(errno.EIO, "Input/output error")

    with Journal(path) as journal:
        monkeypatch.setattr(journal_module.os, "fsync", refuse)
        journal.append({"n": 1})
        assert failed.wait(10)
        while journal._failure is None:
            time.sleep(0.001)
        monkeypatch.undo()
        with pytest.raises(StorageError, match="input/output error"):
            journal.flush()
        journal.append({"n": 2})
    assert read_journal(path) == [{"n": 1}, {"n": 2}]


@pytest.mark.parametrize("move_aside", ["unlink", "replace"])
def test_a_journal_that_was_removed_or_replaced_takes_nothing_more(path, move_aside):
    with Journal(path) as journal:
        journal.append({"n": 1})
        path.unlink()
        if move_aside == "replace":
            path.write_bytes(b"")
        with pytest.raises(StorageError) as caught:
            journal.append({"n": 2})
    assert str(caught.value) == f"{path}: is gone; bring the folder back"


def test_a_line_for_which_there_was_no_room_takes_no_earlier_one_with_it(path, monkeypatch):
    write = os.write
    with Journal(filled(path)) as journal:
        journal.append({"n": 3})
        journal.append({"n": 4})
        monkeypatch.setattr(os, "write", lambda descriptor, data: write(descriptor, data[:4]))
        with pytest.raises(StorageError) as caught:
            journal.append({"n": 5})
        monkeypatch.undo()
    assert read_journal(path) == [*ENTRIES, {"n": 3}, {"n": 4}]
    assert str(caught.value) == (
        f"{path}: no space left on device; free some space, then try again"
    )


def test_a_full_disk_is_told_even_where_nothing_can_be_taken_back(path, monkeypatch):
    def refuse(*_):
        raise OSError(errno.EIO, "Input/output error")

    write = os.write
    with Journal(path) as journal:
        monkeypatch.setattr(os, "write", lambda descriptor, data: write(descriptor, data[:4]))
        monkeypatch.setattr(os, "ftruncate", refuse)
        with pytest.raises(StorageError, match="no space left on device"):
            journal.append({"n": 1})
        monkeypatch.undo()


@pytest.mark.parametrize(
    ("data", "kept"),
    [
        (b"x", b""),
        (b"\nx", b"\n"),
        (b"\n" + b"x" * 65_536, b"\n"),
        (b"{}\n" + b"x" * 65_535, b"{}\n"),
        (b"{}\n" + b"x" * 65_536, b"{}\n"),
        (b"x" * 65_536 + b"\n", b"x" * 65_536 + b"\n"),
    ],
)
def test_what_follows_the_last_line_feed_is_cut_off(path, data, kept):
    path.parent.mkdir(parents=True)
    path.write_bytes(data)
    Journal(path).close()
    assert path.read_bytes() == kept


def test_a_closed_journal_lets_go_of_its_file(path):
    journal = Journal(path)
    journal.close()
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(journal._descriptor)
