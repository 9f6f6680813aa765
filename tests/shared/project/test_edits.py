"""Edits as the journal has them."""

import re
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given
from hypothesis import strategies as st

from shared.model import Document, MergedView, Origin, Patient, PhiType, Span, Tag
from shared.project.edits import Edit, PlacedTag, edit_from_entry, edit_to_entry
from shared.project.journal import Journal, read_journal

VIEW = MergedView(Patient("1", (Document('1-"01"', "1", "x" * 40), Document("1-02", "1", "y"))))
texts = st.text(max_size=5)
tags = st.builds(
    lambda start, length, *more: PlacedTag.of(
        VIEW, '1-"01"', Tag(Span(start, start + length), *more)
    ),
    st.integers(0, 20),
    st.integers(1, 20),
    st.builds(PhiType, texts, texts),
    texts,
    texts,
    st.sampled_from(Origin),
    st.none() | st.floats(0, 1),
    st.lists(st.tuples(texts, texts), max_size=2).map(tuple),
)


@given(st.lists(tags, max_size=3), st.lists(tags, max_size=3))
def test_an_edit_comes_back_from_the_journal(removed, added):
    edit = Edit("mend", tuple(removed), tuple(added))
    with TemporaryDirectory() as folder:
        path = Path(folder) / "journal.jsonl"
        with Journal(path) as journal:
            journal.append({"op": "edit"} | edit_to_entry(edit))
        (entry,) = read_journal(path)
    assert edit_from_entry(VIEW, entry) == edit


LINE = (
    '{"op":"edit","what":"mend","removed":[],"added":[{"record":"1-02","id":"P4","start":0,'
    '"end":1,"category":"NAME","type":"DOCTOR","origin":"suggestion","comment":"ä \U0001f9ed",'
    '"confidence":0.9123,"attributes":[["a","b"]]},{"record":"1-02","id":"P5","start":0,"end":1,'
    '"category":"NAME","type":"DOCTOR","origin":"hand"}]}\n'
)


def test_a_line_of_the_journal_stays_as_it_always_was(tmp_path):
    doctor = PhiType("NAME", "DOCTOR")
    first = Tag(Span(0, 1), doctor, "P4", "ä \U0001f9ed", Origin.SUGGESTION, 0.9123, (("a", "b"),))
    placed = [PlacedTag.of(VIEW, "1-02", tag) for tag in (first, Tag(Span(0, 1), doctor, "P5"))]
    with Journal(tmp_path / "journal.jsonl") as journal:
        journal.append({"op": "edit"} | edit_to_entry(Edit("mend", added=tuple(placed))))
    written = (tmp_path / "journal.jsonl").read_text("utf-8")
    assert re.sub(r',"prev":"[0-9a-f]{32}"(?=}\n$)', "", written) == LINE


def test_an_edit_counts_as_one_where_it_takes_out_or_puts_in_a_tag():
    placed = (PlacedTag.of(VIEW, "1-02", Tag(Span(0, 1), PhiType("NAME", "DOCTOR"), "P4")),)
    edits = [
        Edit("mend"),
        Edit("mend", placed),
        Edit("mend", (), placed),
        Edit("mend", placed, placed),
    ]
    assert [bool(each) for each in edits] == [False, True, True, True]


def test_what_the_journal_calls_mend_is_a_fix_to_the_user():
    assert (Edit("mend").words, Edit("mend").done) == ("fix", "fixed")


def test_an_edit_is_named_as_what_it_does_and_as_what_was_done():
    edit = Edit("remove all alike")
    assert (edit.words, edit.done) == ("remove all with this text", "removed all with this text")
