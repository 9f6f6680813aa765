import errno
import json
import os
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import tqdm

from shared.commands.main import main
from shared.commands.output import (
    bar_of_stages,
    print_problems,
    print_table,
    progress,
    progress_of,
    reading_bar,
    write_json,
    write_text,
)
from shared.errors import FileError, StorageError


def test_json_goes_to_the_screen(capsys):
    write_json({"n": 1}, "-")
    assert json.loads(capsys.readouterr().out) == {"version": 1, "n": 1}


def test_json_goes_to_a_file_that_its_owner_reads(tmp_path):
    path = tmp_path / "a.json"
    write_json({"text": "é \U0001f600 \ud83d"}, str(path))
    assert json.loads(path.read_text("ascii"))["text"] == "é \U0001f600 \ud83d"
    assert path.stat().st_mode & 0o077 == 0


def test_text_goes_to_what_a_name_leads_to_such_as_a_device(tmp_path):
    """A file put in its place would take `/dev/null` away from everybody."""
    link, file = tmp_path / "link", tmp_path / "file"
    link.symlink_to(file)
    write_text("a\n", str(link))
    assert link.is_symlink()
    assert file.read_text("utf-8") == "a\n"


def test_a_file_stays_as_it_was_where_the_disk_is_full(tmp_path, monkeypatch):
    path = tmp_path / "a.json"
    path.write_text("before")

    def fill(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", fill)
    with pytest.raises(StorageError, match=r"a\.json: no space left"):
        write_json({"n": 1}, str(path))
    assert path.read_text() == "before"
    assert [each.name for each in tmp_path.iterdir()] == ["a.json"]


def test_a_file_that_everybody_could_read_is_its_owners_only_afterwards(tmp_path):
    path = tmp_path / "a.json"
    path.write_text("before")
    path.chmod(0o644)
    write_json({"n": 1}, str(path))
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_pipe_and_what_a_device_leads_to_are_written_to(tmp_path):
    read, write = os.pipe()
    write_text("a", f"/dev/fd/{write}")
    assert os.read(read, 9) == b"a"
    for each in (read, write):
        os.close(each)
    with (tmp_path / "out").open("w") as file:
        write_text("b", f"/dev/fd/{file.fileno()}")
        assert os.fstat(file.fileno()).st_size == 1


@pytest.fixture
def in_memory():
    memory = Path("/dev/shm")  # noqa: S108
    if not os.access(memory, os.W_OK):
        pytest.skip("there is no folder in memory that one may write")
    with TemporaryDirectory(dir=memory) as folder:
        yield Path(folder)


@pytest.mark.parametrize("was_there", [False, True])
def test_a_file_in_memory_is_its_owners_only_and_whole_or_not_there(
    in_memory, was_there, monkeypatch
):
    path = in_memory / "a.json"
    if was_there:
        path.write_text("before")
        path.chmod(0o644)
    write_text("after", path)
    assert path.stat().st_mode & 0o777 == 0o600

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(StorageError):
        write_text("again", path)
    assert [(each.name, each.read_text()) for each in in_memory.iterdir()] == [("a.json", "after")]


def test_half_a_pair_becomes_a_question_mark_in_a_file(tmp_path):
    write_text("a \ud83d", tmp_path / "a.txt")
    assert (tmp_path / "a.txt").read_text("utf-8") == "a ?"


def test_a_file_that_cannot_be_written_is_named(tmp_path):
    with pytest.raises(StorageError, match=r"none/a\.json: no such file"):
        write_json({}, str(tmp_path / "none" / "a.json"))


def test_a_table_has_columns_of_words_and_of_numbers(capsys):
    print_table([["ana", 7, "0.5"], ["benedict", 120, "-"]], ["annotator", "tags", "F1"])
    assert capsys.readouterr().out.splitlines() == [
        "annotator  tags   F1",
        "---------  ----  ---",
        "ana           7  0.5",
        "benedict    120    -",
    ]


def test_a_table_without_rows_has_headers(capsys):
    print_table([], ["a", "b"])
    assert capsys.readouterr().out == "a  b\n-  -\n"


def test_problems_are_a_line_each_on_standard_error(capsys):
    print_problems([FileError("a", "is odd"), FileError("b", "is even")])
    assert capsys.readouterr().err == "tandem: a: is odd\ntandem: b: is even\n"


def test_a_problem_is_one_line_whatever_the_name_of_its_file(capsys):
    print_problems([FileError("a\nb", "is odd")])
    assert capsys.readouterr().err == "tandem: a b: is odd\n"


@pytest.mark.parametrize("terminal", [True, False])
def test_progress_gives_the_items_and_says_nothing_before_half_a_second(
    capsys, monkeypatch, terminal
):
    monkeypatch.setattr("sys.stderr.isatty", lambda: terminal)
    assert list(progress([1, 2], "counting")) == [1, 2]
    assert capsys.readouterr().err.strip() == ""


@pytest.fixture
def bars(monkeypatch):
    """A terminal, and the totals of the bars that are drawn on it."""
    totals = []

    class Bar(tqdm.tqdm):
        def close(self):
            if not self.disable:  # as the first time
                totals.append(self.total)
            super().close()

    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setattr(tqdm, "tqdm", Bar)
    return totals


def test_a_bar_knows_how_many_there_are(bars):
    assert list(progress([1, 2], "counting")) == [1, 2]
    assert list(progress_of(iter("abc"), "counting", 3)) == ["a", "b", "c"]
    with reading_bar("reading") as step:
        step(0, 0)
        step(1, 4)
    assert bars == [2, 3, 4]


def test_a_bar_begins_anew_with_each_stage(monkeypatch):
    shown = []

    class Bar(tqdm.tqdm):
        def update(self, n=1):
            super().update(n)
            shown.append((self.desc, self.n, self.total))

    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setattr(tqdm, "tqdm", Bar)
    with bar_of_stages() as show:
        for stage in ("counting", "checking"):
            show(stage, 2, 4)
            show(stage, 4, 4)
    assert shown == [
        ("counting", 2, 4), ("counting", 4, 4), ("checking", 2, 4), ("checking", 4, 4)
    ]  # fmt: skip


def test_every_bar_of_a_conversion_and_of_suggesting_has_a_total(bars, tmp_path):
    (tmp_path / "in").mkdir()
    for name in ("1-1.txt", "1-2.txt"):
        (tmp_path / "in" / name).write_text("Seen by Dr. Okafor.")
    assert main(["convert", str(tmp_path / "in"), str(tmp_path / "out"), "--to", "brat"]) == 0
    words = ["suggest", str(tmp_path / "in"), "--model", "rules", "--out", str(tmp_path / "s")]
    assert main(words) == 0
    assert len(bars) >= 4
    assert all(each == 2 for each in bars)
