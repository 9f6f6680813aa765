"""Offsets of files that do not say what they count, and labels without categories."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.errors import SchemaError, TextMismatchError
from shared.formats.labels import label_of_type, type_of_label
from shared.formats.tag_offsets import RawSpan, placed_spans
from shared.model import PhiType
from shared.text.utf16 import Utf16Map

PATH = Path("a.ann")
PIECES = st.lists(
    st.sampled_from(["Lee", "\r\n", "\r", "\n", "\U0001f600", "שלום", "é", " "]), min_size=1
)


@given(PIECES, st.booleans(), st.data())
def test_a_tag_marks_what_its_text_says_whatever_its_offsets_count(pieces, units, data):
    text = "".join(pieces)
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    count = Utf16Map(text).to_units if units else int
    raw = [RawSpan(count(start), count(end), text[start:end])]
    placed = placed_spans(text, raw, PATH)
    plain = text[start:end].replace("\r\n", "\n").replace("\r", "\n")
    found = placed.spans[0].text_in(placed.text)
    halves = text[start - 1 : start + 1] == "\r\n" or text[end - 1 : end + 1] == "\r\n"
    assert "\r" not in placed.text
    assert halves or [*map(str.isspace, found)] == [*map(str.isspace, plain)]
    assert halves or found.split() == plain.split()


def test_a_text_that_stands_nowhere_near_is_an_error():
    with pytest.raises(TextMismatchError, match=r"tag T1 .* \[0, 3\)"):
        placed_spans("Bo and Lee", [RawSpan(0, 3, "Lee", "T1")], PATH)


@given(
    st.sampled_from(["NAME", "DOCTOR", "DATE", "Ärztin", "x-1", "PHI"]),
    st.text(st.characters(categories=["L", "N", "P", "Zs"]), min_size=1, max_size=8),
)
def test_a_label_means_the_type_that_it_was_made_of(category, name):
    phi_type = PhiType(category, name)
    for is_qualified in (True, False):
        label = label_of_type(phi_type, is_qualified=is_qualified)
        assert type_of_label(label) == phi_type


def test_a_category_that_no_label_could_tell_is_refused():
    with pytest.raises(SchemaError, match="no label can mean the type a b:c"):
        label_of_type(PhiType("a b", "c"))
