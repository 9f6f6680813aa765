import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.model import Span
from shared.text.words import (
    is_word_character,
    is_word_start,
    next_word,
    previous_word,
    snapped,
    trimmed,
)
from tests.strategies import spans, texts


def text_of(span: Span | None, text: str) -> str | None:
    return span and span.text_in(text)


@pytest.mark.parametrize("char", ["a", "É", "ß", "7", "_", "\u0301", "ש", "李"])
def test_characters_of_words(char):
    assert is_word_character(char)


@pytest.mark.parametrize("char", [" ", "\n", "-", "'", "’", "/", "😀", "\u200d", "\xa0"])
def test_characters_between_words(char):
    assert not is_word_character(char)


@pytest.mark.parametrize(
    ("offset", "starts"), [(0, True), (2, False), (3, True), (4, True), (7, True)]
)
def test_a_word_is_not_cut(offset, starts):
    assert is_word_start("Lee Kim", offset) is starts


@pytest.mark.parametrize(
    ("text", "start", "end", "kept"),
    [
        ("  Lee \n", 0, 7, "Lee"),
        ("Lee", 0, 3, "Lee"),
        ("a \xa0\u2003 b", 1, 5, None),
        ("Lee", 1, 1, None),
    ],
)
def test_trimming_leaves_no_white_space_at_the_ends(text, start, end, kept):
    assert text_of(trimmed(text, start, end), text) == kept


@pytest.mark.parametrize(
    ("text", "start", "end", "kept"),
    [
        ("Dr. John Smith.", 6, 11, "John Smith"),
        ("Dr. John Smith.", 3, 9, "John"),
        ("Jose\u0301 was", 0, 4, "Jose\u0301"),
        ("on 3/4/2071", 3, 4, "3"),
        ("a   b", 1, 4, None),
    ],
)
def test_a_selection_snaps_to_whole_words(text, start, end, kept):
    assert text_of(snapped(text, start, end), text) == kept


@given(texts(min_size=1), st.data())
def test_snapping_cuts_no_word_and_keeps_no_white_space(text, data):
    drawn = data.draw(spans(len(text)))
    span = snapped(text, drawn.start, drawn.end)
    assert (span is None) == (not drawn.text_in(text).strip())
    if span:
        assert is_word_start(text, span.start)
        assert is_word_start(text, span.end)
        assert span.text_in(text) == span.text_in(text).strip()
        assert snapped(text, span.start, span.end) == span


@pytest.mark.parametrize(("offset", "end"), [(0, 3), (2, 3), (3, 7), (4, 7), (7, 9), (9, 9)])
def test_the_next_word_ends_after_the_offset(offset, end):
    assert next_word("Lee, Ki. ", offset) == end


@pytest.mark.parametrize(("offset", "start"), [(9, 5), (6, 5), (5, 0), (3, 0), (0, 0)])
def test_the_previous_word_starts_before_the_offset(offset, start):
    assert previous_word("Lee, Ki. ", offset) == start
