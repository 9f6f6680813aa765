from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.model import Span
from shared.text.scripts import is_unspaced
from shared.text.words import (
    chunk_at,
    chunks_within,
    is_word_character,
    is_word_start,
    next_word,
    previous_word,
    snapped,
    trimmed,
    without_possessive,
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


CHUNKS = [
    ("a 56-year-old man", 4, "56"),
    ("a 56-year-old man", 10, "56"),
    ("fifty-seven-year-old", 0, "fifty-seven"),
    ("57yo man", 1, "57"),
    ("a 3-month-old", 5, "3"),
    ("a well-known man", 5, "well-known"),
    ("room 45you", 6, "45you"),
    ("seen 2007-05-09.", 7, "2007-05-09"),
    ("call (617) 555-1212", 7, "617"),
    ("HOLCOMB,DENNIS E", 3, "HOLCOMB,DENNIS"),
    ("Holcomb,Dennis", 3, "Holcomb"),
    ("Holcomb,Dennis", 9, "Dennis"),
    ("by O'Brien's wife", 5, "O'Brien"),
    ("by Chris' wife", 5, "Chris"),
    ("mail a.lee@mercy.example,", 8, "a.lee@mercy.example"),
    ("at 10:30pm", 4, "10:30pm"),
    ("MD:Lee", 4, "Lee"),
    ("see http://mercy.example/a", 9, "http://mercy.example/a"),
    ("in '92 he", 4, "'92"),
    ("in '92 he", 3, "'92"),
    ("the 'Lee' note", 6, "Lee"),
    ("MRN #12345;", 7, "12345"),
    ("x", 0, "x"),
]


@pytest.mark.parametrize(("text", "offset", "kept"), CHUNKS)
def test_one_click_tags_what_belongs_together(text, offset, kept):
    assert text_of(chunk_at(text, offset), text) == kept


@pytest.mark.parametrize(
    ("text", "offset"), [("Lee, Kim", 3), ("Lee Kim", 3), ("Lee", 3), ("Lee)", 3)]
)
def test_a_caret_behind_a_chunk_means_that_chunk(text, offset):
    assert text_of(chunk_at(text, offset), text) == "Lee"


@pytest.mark.parametrize(
    ("text", "offset"),
    [("a  b", 2), ("a -- b", 3), ("", 0), ("a (x", 2), ("\n\n", 1)],
)
def test_nothing_to_tag_amid_blanks_and_bare_punctuation(text, offset):
    assert text_of(chunk_at(text, offset), text) is None


@given(texts(), st.data())
def test_a_chunk_lies_between_the_blanks_around_its_offset(text, data):
    offset = data.draw(st.integers(0, len(text)))
    span = chunk_at(text, offset)
    if span:
        reach = text[min(offset, span.start) : max(offset, span.end)]
        assert reach.split() == [reach]
        assert chunk_at(text, span.start) == span
        if not any(map(is_unspaced, text[span.end - 1 : span.end + 1])):
            assert chunk_at(text, span.end) == span


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Smith's", "Smith"),
        ("SMITH’S", "SMITH"),
        ("Chris'", "Chris"),
        ("Lee'", "Lee'"),
        ("O'Brien", "O'Brien"),
        ("'s", "'s"),
    ],
)
def test_a_possessive_is_left_out(text, kept):
    assert text_of(without_possessive(text, 0, len(text)), text) == kept


def test_nothing_is_left_of_nothing():
    assert without_possessive("Smith", 2, 2) is None


@pytest.mark.parametrize(("offset", "end"), [(0, 3), (2, 3), (3, 7), (4, 7), (7, 9), (9, 9)])
def test_the_next_word_ends_after_the_offset(offset, end):
    assert next_word("Lee, Ki. ", offset) == end


@pytest.mark.parametrize(("offset", "start"), [(9, 5), (6, 5), (5, 0), (3, 0), (0, 0)])
def test_the_previous_word_starts_before_the_offset(offset, start):
    assert previous_word("Lee, Ki. ", offset) == start


@pytest.mark.parametrize(
    ("text", "chunks"),
    [
        ("Dr. Smith's wife, 56-year-old", ["Dr", "Smith", "wife", "56"]),
        ("on 5/9/07 at (617) 555-0143.", ["on", "5/9/07", "at", "617", "555-0143"]),
        ("- -- ...", []),
    ],
)
def test_the_words_of_a_stretch_are_what_clicks_would_tag(text, chunks):
    assert [each.text_in(text) for each in chunks_within(text, Span(0, len(text)))] == chunks


@given(texts(min_size=1), st.data())
def test_the_words_of_a_stretch_are_disjoint_and_in_order(text, data):
    stretch = data.draw(spans(len(text)))
    found = list(chunks_within(text, stretch))
    assert all(first.end <= second.start for first, second in pairwise(found))
    assert all(stretch.start <= each.start for each in found)
