"""Scripts without blanks between words: selections, carets and occurrences."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.language.occurrences import edge_kind, occurrences
from shared.model import Span
from shared.text.scripts import (
    begins_right_to_left,
    has_arabic,
    has_han,
    is_edge_of_letter,
    is_han,
    is_unspaced,
    is_unspaced_at,
    is_written_on_to,
    length_in_letters,
    letters_apart,
    name_around,
    without_unspaced,
)
from shared.text.words import (
    is_word_start,
    next_word,
    previous_word,
    snapped,
)

CHINESE = "患者王小明先生于2071年入院"
JAPANESE = "担当医の山田太郎がスミス氏を診察した"
THAI = "ผู้ป่วยสมชายใจดีมาพบแพทย์"


@pytest.mark.parametrize("char", "王々〇ぁンｱกສကខㄅ")
def test_letters_of_scripts_without_blanks(char):
    assert is_unspaced(char)


@pytest.mark.parametrize("char", "aé한א7，。・ ฿¥")
def test_other_characters_are_none_of_them(char):
    assert not is_unspaced(char)


@pytest.mark.parametrize(
    ("text", "name"),
    [(CHINESE, "王小明"), (JAPANESE, "山田"), (JAPANESE, "スミス"), (THAI, "สมชาย")],
)
def test_a_selection_without_blanks_stays_as_it_is(text, name):
    start = text.index(name)
    assert snapped(text, start, start + len(name)) == Span(start, start + len(name))


def test_a_selection_never_parts_a_mark_from_its_letter():
    start = THAI.index("ผู้")
    assert snapped(THAI, start, start + 1) == Span(start, start + 3)
    assert snapped("น้ำ", 0, 1) == Span(0, 3)
    assert snapped("က္က", 0, 2) == Span(0, 3)


def test_a_latin_word_amid_chinese_is_one_word():
    text = "患者Smith先生"
    assert snapped(text, 3, 5) == Span(2, 7)


@pytest.mark.parametrize(
    ("text", "at", "name"),
    [
        ("姓名：王小明，男", 4, "王小明"),
        (CHINESE, 2, "王"),
        (JAPANESE, JAPANESE.index("田"), "山田太郎"),
        (JAPANESE, JAPANESE.index("ミ"), "スミス"),
        ("葛\U000e0100城", 0, "葛\U000e0100城"),
        ("e\u0301王", 2, "王"),
        ("かか\u3099かかか", 2, "か\u3099"),
        (THAI, 1, "ผู้"),
        ("น้ำ", 2, "น้ำ"),
        ("㐀\ufe0f", 1, "㐀\ufe0f"),
    ],
)
def test_a_place_means_a_name_or_a_letter_and_never_the_line(text, at, name):
    assert Span(*name_around(text, at)).text_in(text) == name


def test_a_mark_is_of_the_script_of_its_letter():
    assert [is_unspaced_at("㐀\ufe0fe\u0301", at) for at in range(4)] == [True, True, False, False]


def test_at_the_start_of_nothing_there_is_no_name():
    assert name_around("", 0) is None
    assert name_around("ab", 0) is None


def test_a_tag_grows_and_shrinks_by_a_letter():
    assert next_word(CHINESE, 2) == 3
    assert previous_word(CHINESE, 5) == 4
    assert next_word(THAI, 0) == 3
    assert previous_word(THAI, 3) == 0


@pytest.mark.parametrize(
    ("phrase", "text", "count"),
    [
        ("王小明", "王小明。次日王小明先生于2071年", 2),
        ("2071", CHINESE, 1),
        ("山田", "山田さんは山田病院へ", 2),
        ("สมชาย", THAI + "สมชาย", 2),
        ("Smith", "患者Smith先生Smithson", 1),
        ("ก", "กำ", 0),
    ],
)
def test_a_text_is_found_as_it_stands(phrase, text, count):
    found = list(occurrences(phrase, text))
    assert [each.span.text_in(text) for each in found] == [phrase] * count
    assert not any(each.glued for each in found)


def test_every_edge_beside_such_a_letter_is_whole():
    assert edge_kind("于2071", 1) == "whole"
    assert edge_kind("王小", 1) == "whole"
    assert edge_kind("ก\u0e38", 1) == "inside"


@given(st.text("王ก้ a2ス。", min_size=1, max_size=30), st.data())
def test_a_selection_grows_to_whole_letters_and_no_further(text, data):
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    span = snapped(text, start, end)
    if span is not None:
        assert is_word_start(text, span.start)
        assert is_word_start(text, span.end)
        assert snapped(text, span.start, span.end) == span


@given(st.text("王ก้a2", min_size=2, max_size=8))
def test_an_edge_of_a_letter_is_no_mark(text):
    for offset in range(1, len(text)):
        if is_edge_of_letter(text, offset):
            assert text[offset] != "\u0e49"


def test_a_han_character_tells_as_much_as_two_letters():
    assert length_in_letters("王小明 Lee") == 10


def test_the_pieces_of_mixed_text():
    text = "于2071年"
    assert [text[a:b] for a, b in letters_apart(text, 0, 6)] == ["于", "2071", "年"]
    assert list(letters_apart("Lee", 0, 3)) == [(0, 3)]


@pytest.mark.parametrize(
    ("text", "han"), [("小明", True), ("スミス", False), ("王a", False), ("", False)]
)
def test_han_characters_alone(text, han):
    assert is_han(text) is han


@pytest.mark.parametrize(
    ("before", "word"),
    [
        ("", "أحمد"),
        ("قال و", "أحمد"),
        ("قال ف", "أحمد"),
        ("ذهب ل", "أحمد"),
        ("في وب", "مستشفى"),
        ("(و", "بلال"),
        ("אמר ל", "דוד"),
        ("בא ומ", "חיפה"),
    ],
)
def test_a_word_of_one_letter_may_be_written_on_to_the_next(before, word):
    text = before + word
    assert is_written_on_to(text, len(before)) is bool(before)


@pytest.mark.parametrize(
    ("text", "offset"),
    [
        ("كمال", 2),  # amid a name
        ("قالوأحمد", 4),
        ("و أحمد", 2),
        ("و", 1),
        ("وأحمد", 0),
        ("v. Lee", 1),
        ("و7", 1),
    ],
)
def test_no_word_is_written_on_to_another_there(text, offset):
    assert not is_written_on_to(text, offset)


@pytest.mark.parametrize("text", ["وأحمد جاء", "جاء وأحمد", "شرح لأحمد", "شرح ولأحمد."])
def test_a_name_is_found_behind_a_word_of_one_letter(text):
    (found,) = occurrences("أحمد", text)
    assert found.span.text_in(text) == "أحمد"
    assert found.glued


def test_too_little_behind_a_word_of_one_letter_is_no_occurrence():
    assert not list(occurrences("لي", "ولي"))


def test_a_name_amid_an_arabic_word_is_no_occurrence():
    assert not list(occurrences("مال", "جمال"))


@pytest.mark.parametrize(
    ("text", "apart"), [("号12a", "。12a"), ("ที่5", "。。。5"), ("May 5", "May 5"), ("é5", "é5")]
)
def test_what_stands_between_unspaced_letters_stands_apart(text, apart):
    assert without_unspaced(text) == apart


@pytest.mark.parametrize(
    ("text", "leftward"),
    [("أحمد", True), ("12 דוד", True), ("Lee أحمد", False), ("٣/٥", False), ("", False)],
)
def test_which_way_a_text_begins(text, leftward):
    assert begins_right_to_left(text) is leftward


@pytest.mark.parametrize(
    ("text", "han", "arabic"),
    [
        ("", False, False),
        ("Ann 3", False, False),
        ("Dr. 王", True, False),
        ("Dr. علي", False, True),
    ],
)
def test_which_script_stands_anywhere(text: str, han: bool, arabic: bool) -> None:
    assert (has_han(text), has_arabic(text)) == (han, arabic)
