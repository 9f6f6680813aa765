"""Lines of a journal hang together by hashes, and a head tells of what is gone from the end."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.errors import FileFormatError
from shared.project.chain import Head, chained_lines, has_hash
from shared.project.journal import (
    Journal,
    append_to_journal,
    head_path,
    read_head,
    read_journal,
    read_uncut,
)

OLD = b'{"n":1}\n{"n":2}\n'


def journal_of(folder, count, before=b""):
    path = folder / "110.jsonl"
    path.write_bytes(before)
    with Journal(path) as journal:
        for number in range(count):
            journal.append({"n": number, "text": '"prev":"' + "0" * 32 + '"}'})
    return path


def wrong_lines(data):
    return [each.number for each in chained_lines(data) if not each.is_right]


@pytest.mark.parametrize("before", [b"", OLD])
def test_a_journal_hangs_together_also_where_an_earlier_version_began_it(tmp_path, before):
    path = journal_of(tmp_path, 5, before)
    lines = list(chained_lines(path.read_bytes()))
    assert [each.has_hash for each in lines] == [False] * before.count(b"\n") + [True] * 5
    assert all(each.is_right for each in lines)
    assert read_head(path) == Head.of(path.read_bytes())
    assert not any("prev" in each for each in read_journal(path))


@given(data=st.data())
def test_no_line_before_the_last_can_go_change_or_come_twice(tmp_path_factory, data):
    path = journal_of(tmp_path_factory.mktemp("j"), 6, data.draw(st.sampled_from([b"", OLD])))
    lines = path.read_bytes().splitlines(keepends=True)
    at = data.draw(st.integers(0, len(lines) - 2))
    other = data.draw(st.integers(0, len(lines) - 1).filter(lambda each: each != at))
    changed = data.draw(st.sampled_from(["drop", "double", "swap", "byte"]))
    if changed == "drop":
        lines = lines[:at] + lines[at + 1 :]
    elif changed == "double":
        lines = [*lines[: at + 1], *lines[at:]]
    elif changed == "swap":
        lines[at], lines[other] = lines[other], lines[at]
    else:
        lines[at] = lines[at].replace(b"n", b"m", 1)
    assert wrong_lines(b"".join(lines))


def test_lines_that_are_gone_from_the_end_are_missed(tmp_path):
    path = journal_of(tmp_path, 3)
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:2]))
    with pytest.raises(FileFormatError, match="was cut short or changed outside of Tandem"):
        read_uncut(path)
    with Journal(path) as journal:  # who goes on does not hide it
        journal.append({"n": 9})
    with pytest.raises(FileFormatError, match="was cut short"):
        read_uncut(path)


def test_a_head_may_be_a_line_behind_as_a_kill_leaves_it(tmp_path):
    path = journal_of(tmp_path, 3)
    head = head_path(path).read_bytes()
    with Journal(path) as journal:
        journal.append({"n": 3})
    head_path(path).write_bytes(head)
    assert read_uncut(path) == path.read_bytes()


def test_a_head_that_is_gone_is_missed_and_an_older_journal_needs_none(tmp_path):
    path = journal_of(tmp_path, 1)
    head_path(path).unlink()
    with pytest.raises(FileFormatError, match=r"110\.head: is missing"):
        read_uncut(path)
    path.write_bytes(OLD)
    assert read_uncut(path) == OLD
    head_path(path).write_text("no head")
    with pytest.raises(FileFormatError, match="is no head of a journal"):
        read_uncut(path)


def test_a_torn_last_line_is_no_alteration(tmp_path):
    path = journal_of(tmp_path, 2)
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"n":3,"pr')
    assert read_uncut(path).startswith(whole)
    assert has_hash(path.read_bytes())
    with Journal(path) as journal:
        journal.append({"n": 3})
    assert not wrong_lines(path.read_bytes())
    assert len(read_journal(path)) == 3


def test_a_line_that_was_refused_is_in_no_hash(tmp_path, monkeypatch):
    path = journal_of(tmp_path, 2)
    with Journal(path) as journal:
        write = journal._descriptor
        real = __import__("os").write
        monkeypatch.setattr(
            "os.write", lambda fd, data: real(fd, data[:5] if fd == write else data)
        )
        with pytest.raises(Exception, match="no space"):
            journal.append({"n": 2})
        monkeypatch.undo()
        journal.append({"n": 3})
    assert not wrong_lines(path.read_bytes())
    assert [each["n"] for each in read_journal(path)] == [0, 1, 3]


def test_two_who_append_in_turn_leave_one_chain(tmp_path):
    path = tmp_path / "notes.jsonl"
    for number in range(4):
        append_to_journal(path, [{"n": number}], "ana" if number % 2 else "ben")
    assert not wrong_lines(path.read_bytes())
    assert has_hash(path.read_bytes())
    assert not list(tmp_path.glob("*.lock"))
