"""Offsets survive the flattening of blanks."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from shared.consistency.patient_records import NormalizedText, normalized
from shared.model import Span


def test_a_line_end_inside_a_name() -> None:
    flat = NormalizedText("at Mercy\n     Hospital now")
    assert flat.text == "at Mercy Hospital now"
    start = flat.text.index("Mercy")
    assert flat.original_span(start, start + len("Mercy Hospital")) == Span(3, 22)


@pytest.mark.parametrize("text", ["", " ", "\n\n a", "a \x0c b", "a\u3000b\u2028\u2028c  "])
def test_blanks_of_every_kind(text: str) -> None:
    assert NormalizedText(text).text.strip(" ") == normalized(text)


@given(st.text(alphabet="ab \n\t\x0c\u00a0😀"))
def test_every_character_that_is_no_blank_keeps_its_place(text: str) -> None:
    flat = NormalizedText(text)
    assert flat.text.strip(" ") == normalized(text)
    for at, char in enumerate(flat.text):
        if char != " ":
            assert flat.original_span(at, at + 1).text_in(text) == char
            assert flat.flat(flat.original(at, at + 1)[0]) == at


@given(st.text(alphabet="ab \n\t"))
def test_blanks_go_to_the_one_that_is_left_of_them(text: str) -> None:
    flat = NormalizedText(text)
    for at in range(len(text)):
        assert flat.text[flat.flat(at)].isspace() == text[at].isspace()


@given(st.text(alphabet="ab \n\t", min_size=1), st.data())
def test_a_piece_of_the_flat_text_is_that_piece_of_the_original(
    text: str, data: st.DataObject
) -> None:
    flat = NormalizedText(text)
    ends = [at for at, char in enumerate(flat.text) if char != " "]
    assume(ends)
    start = data.draw(st.sampled_from(ends))
    end = data.draw(st.sampled_from([at + 1 for at in ends if at >= start]))
    assert normalized(flat.original_span(start, end).text_in(text)) == flat.text[start:end]


def test_whatever_python_takes_for_a_blank_is_one() -> None:
    blanks = [chr(code) for code in range(0x110000) if chr(code).isspace()]
    assert NormalizedText("a".join(blanks)).text.strip(" ") == normalized("a".join(blanks))
