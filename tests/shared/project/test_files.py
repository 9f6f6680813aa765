import errno
import os
import stat
from pathlib import Path

import pytest

from shared.errors import ChangedOnDiskError, StorageError
from shared.project import files
from shared.project.files import (
    digest_of,
    is_there,
    make_folder,
    read_file,
    write_atomic,
    write_new,
)

FULL = OSError(errno.ENOSPC, "No space left on device")


def refuse(*_, **__):
    raise FULL


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


def names(folder):
    return [each.name for each in folder.iterdir()]


def test_a_file_is_replaced_and_its_digest_told(tmp_path):
    path = tmp_path / "a.xml"
    assert write_atomic(path, b"old") == digest_of(b"old")
    assert write_atomic(path, b"new") == digest_of(b"new")
    assert path.read_bytes() == b"new"
    assert names(tmp_path) == ["a.xml"]


def test_folders_that_are_missing_are_made(tmp_path):
    write_atomic(tmp_path / "layers" / "ana" / "a.xml", b"x")
    assert read_file(tmp_path / "layers" / "ana" / "a.xml") == b"x"


def test_a_file_that_goes_and_comes_while_it_is_opened_is_not_there(tmp_path, monkeypatch):
    """As a lock that one process gives back and another takes."""
    path = tmp_path / "a.lock"
    path.write_bytes(b"1")

    def gone(*_, **__):
        raise FileNotFoundError(errno.ENOENT, "No such file or directory")

    monkeypatch.setattr(os, "open", gone)
    assert read_file(path) is None


def test_the_expected_version_is_overwritten(tmp_path):
    path = tmp_path / "a.xml"
    digest = write_atomic(path, b"1", expected_digest=None)
    write_atomic(path, b"2", expected_digest=digest)
    assert path.read_bytes() == b"2"


@pytest.mark.parametrize("expected", [None, digest_of(b"as I read it")])
def test_a_file_that_somebody_changed_is_not_overwritten(tmp_path, expected):
    path = tmp_path / "a.xml"
    path.write_bytes(b"theirs")
    with pytest.raises(ChangedOnDiskError, match="was changed by somebody else"):
        write_atomic(path, b"mine", expected_digest=expected)
    assert path.read_bytes() == b"theirs"
    assert names(tmp_path) == ["a.xml"]


def test_a_file_that_somebody_removed_is_not_made_anew(tmp_path):
    with pytest.raises(ChangedOnDiskError):
        write_atomic(tmp_path / "a.xml", b"mine", expected_digest=digest_of(b"as I read it"))
    assert names(tmp_path) == []


@pytest.mark.parametrize("call", ["write", "fsync", "replace", "open"])
def test_a_full_disk_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch, call):
    path = tmp_path / "a.xml"
    write_atomic(path, b"old")
    monkeypatch.setattr(os, call, refuse)
    with pytest.raises(StorageError, match=r"a\.xml: no space left on device; free some space"):
        write_atomic(path, b"new")
    monkeypatch.undo()
    assert path.read_bytes() == b"old"
    assert names(tmp_path) == ["a.xml"]


def test_writes_that_stop_short_are_continued(tmp_path, monkeypatch):
    write = os.write
    monkeypatch.setattr(os, "write", lambda descriptor, data: write(descriptor, data[:3]))
    write_atomic(tmp_path / "a.xml", b"0123456789")
    assert read_file(tmp_path / "a.xml") == b"0123456789"


def test_files_and_folders_are_their_owners_only(tmp_path):
    tmp_path.chmod(0o755 & ~0o070)
    write_atomic(tmp_path / "new" / "a.xml", b"x")
    assert mode(tmp_path / "new") == 0o700
    assert mode(tmp_path / "new" / "a.xml") == 0o600


def test_in_a_folder_that_is_open_to_the_group_new_ones_are_too(tmp_path):
    tmp_path.chmod(0o770)
    write_atomic(tmp_path / "new" / "a.xml", b"x")
    write_new(tmp_path / "new" / "b.txt", b"x")
    assert mode(tmp_path / "new") == 0o770
    assert mode(tmp_path / "new" / "a.xml") == 0o660
    assert mode(tmp_path / "new" / "b.txt") == 0o660


def test_a_new_file_overwrites_nothing(tmp_path):
    write_new(tmp_path / "a.txt", b"first")
    with pytest.raises(StorageError, match="file exists"):
        write_new(tmp_path / "a.txt", b"second")
    assert read_file(tmp_path / "a.txt") == b"first"


def test_a_missing_file_reads_as_none_and_a_folder_as_an_error(tmp_path):
    assert read_file(tmp_path / "none") is None
    with pytest.raises(StorageError, match="is a directory; give a file"):
        read_file(tmp_path)


def test_a_folder_below_a_file_cannot_be_made(tmp_path):
    (tmp_path / "a").write_bytes(b"")
    with pytest.raises(StorageError):
        make_folder(tmp_path / "a" / "b")


def test_a_file_system_that_cannot_sync_a_folder_is_no_problem(tmp_path, monkeypatch):
    opened = os.open

    def no_folders(path, flags, *mode):
        if flags == os.O_RDONLY:
            raise PermissionError(errno.EACCES, "Permission denied")
        return opened(path, flags, *mode)

    monkeypatch.setattr(files.os, "open", no_folders)
    write_atomic(tmp_path / "a.xml", b"x")
    assert read_file(tmp_path / "a.xml") == b"x"


def test_a_drive_that_is_not_there_is_an_error(monkeypatch):
    monkeypatch.setattr(Path, "is_dir", lambda _: False)
    with pytest.raises(StorageError):
        make_folder(Path("/nowhere"))


def test_what_the_system_does_not_tell_is_neither_there_nor_not(tmp_path, monkeypatch):
    assert is_there(tmp_path)
    assert not is_there(tmp_path / "a")
    monkeypatch.setattr(Path, "exists", refuse)
    with pytest.raises(StorageError, match="no space left"):
        is_there(tmp_path)
