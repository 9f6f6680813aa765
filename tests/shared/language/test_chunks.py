"""What one click tags, and what it leaves out, in the language of the records."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.language.chunks import chunk_at, chunks_within, without_possessive
from shared.language.languages import language
from shared.model import Span
from shared.text.scripts import is_unspaced_at
from tests.strategies import spans, texts

ENGLISH, ANY = language("en"), language("und")
CHINESE = "患者王小明先生于2071年入院"
JAPANESE = "担当医の山田太郎がスミス氏を診察した"
THAI = "ผู้ป่วยสมชายใจดีมาพบแพทย์"


def text_of(span: Span | None, text: str) -> str | None:
    return span and span.text_in(text)


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
    assert text_of(chunk_at(text, offset, ENGLISH), text) == kept


@pytest.mark.parametrize(
    ("text", "offset"), [("Lee, Kim", 3), ("Lee Kim", 3), ("Lee", 3), ("Lee)", 3)]
)
def test_a_caret_behind_a_chunk_means_that_chunk(text, offset):
    assert text_of(chunk_at(text, offset, ENGLISH), text) == "Lee"


@pytest.mark.parametrize(
    ("text", "offset"),
    [("a  b", 2), ("a -- b", 3), ("", 0), ("a (x", 2), ("\n\n", 1)],
)
def test_nothing_to_tag_amid_blanks_and_bare_punctuation(text, offset):
    assert text_of(chunk_at(text, offset, ENGLISH), text) is None


def test_a_click_behind_a_mark_means_the_letter_that_it_is_of():
    assert chunk_at("㐀\ufe0f", 2, ENGLISH) == chunk_at("㐀\ufe0f", 0, ENGLISH)


@given(texts(), st.data())
def test_a_chunk_lies_between_the_blanks_around_its_offset(text, data):
    offset = data.draw(st.integers(0, len(text)))
    span = chunk_at(text, offset, ENGLISH)
    if span:
        reach = text[min(offset, span.start) : max(offset, span.end)]
        assert reach.split() == [reach]
        assert chunk_at(text, span.start, ENGLISH) == span
        around = range(span.end - 1, min(span.end + 1, len(text)))
        if not any(is_unspaced_at(text, each) for each in around):
            assert chunk_at(text, span.end, ENGLISH) == span


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
    assert text_of(without_possessive(text, 0, len(text), ENGLISH), text) == kept


def test_nothing_is_left_of_nothing():
    assert without_possessive("Smith", 2, 2, ENGLISH) is None


@pytest.mark.parametrize(
    ("text", "chunks"),
    [
        ("Dr. Smith's wife, 56-year-old", ["Dr", "Smith", "wife", "56"]),
        ("on 5/9/07 at (617) 555-0143.", ["on", "5/9/07", "at", "617", "555-0143"]),
        ("- -- ...", []),
    ],
)
def test_the_words_of_a_stretch_are_what_clicks_would_tag(text, chunks):
    assert [
        each.text_in(text) for each in chunks_within(text, Span(0, len(text)), ENGLISH)
    ] == chunks


@given(texts(min_size=1), st.data())
def test_the_words_of_a_stretch_are_disjoint_and_in_order(text, data):
    stretch = data.draw(spans(len(text)))
    found = list(chunks_within(text, stretch, ENGLISH))
    assert all(first.end <= second.start for first, second in pairwise(found))
    assert all(stretch.start <= each.start for each in found)


@pytest.mark.parametrize(
    ("code", "text", "kept"),
    [
        ("de", "56-jähriger", "56"),
        ("de", "56jährige", "56"),
        ("de", "3-monatiges", "3"),
        ("de", "56j", "56"),
        ("de", "fünfzig-jährig", "fünfzig"),
        ("de", "Fritz’", "Fritz"),
        ("de", "56yo", "56yo"),
        ("es", "56años", "56"),
        ("es", "12-años", "12"),
        ("es", "45a", "45a"),
        ("es", "Lee's", "Lee's"),
        ("und", "56yo", "56yo"),
    ],
)
def test_what_an_ending_is_the_language_of_the_records_tells(code, text, kept):
    assert text_of(chunk_at(text, 0, language(code)), text) == kept


@pytest.mark.parametrize(
    ("text", "at", "chunk"),
    [
        ("姓名：王小明，男", 4, "王小明"),
        ("姓名：王小明，男", 6, "王小明"),
        (CHINESE, 2, "王"),
        (CHINESE, CHINESE.index("2"), "2071"),
        (JAPANESE, JAPANESE.index("田"), "山田太郎"),
        (JAPANESE, JAPANESE.index("ミ"), "スミス"),
        ("葛\U000e0100城", 0, "葛\U000e0100城"),
        ("葛\U000e0100城", 2, "葛\U000e0100城"),
        ("e\u0301王", 2, "王"),
        ("かか\u3099かかか", 1, "か\u3099"),
        (THAI, 1, "ผู้"),
        (THAI, 2, "ผู้"),
        ("ผู", 5, "ผู"),
        ("，。", 1, None),
    ],
)
def test_a_caret_means_a_name_or_a_letter_and_never_the_line(text, at, chunk):
    found = chunk_at(text, at, ANY)
    assert (found and found.text_in(text)) == chunk


def test_the_words_of_a_clause_are_all_reached():
    text = "患者王小明于2071年入院。"
    chunks = [each.text_in(text) for each in chunks_within(text, Span(0, len(text)), ANY)]
    assert "".join(chunks) == text.rstrip("。")
    assert "2071" in chunks


def test_a_latin_word_amid_chinese_is_one_chunk():
    assert chunk_at("患者Smith先生", 4, ANY) == Span(2, 7)
