"""A text is the same however it stands, and every offset leads back."""

import re
import unicodedata

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from shared.model.span import Span
from shared.text.flat_text import (
    FlatText,
    flattened,
    folded,
    is_small_word,
    spelling,
    text_key,
    without_points,
)


def normalized(text: str) -> str:
    return " ".join(text.split())


def test_a_line_end_inside_a_name() -> None:
    flat = FlatText("at Mercy\n     Hospital now")
    assert flat.text == "at Mercy Hospital now"
    start = flat.text.index("Mercy")
    assert flat.original_span(start, start + len("Mercy Hospital")) == Span(3, 22)


@pytest.mark.parametrize("text", ["", " ", "\n\n a", "a \x0c b", "a\u2028b\u2028\u2028c  "])
def test_blanks_of_every_kind(text: str) -> None:
    assert FlatText(text).text.strip(" ") == normalized(text)


@given(st.text(alphabet="ab \n\t\x0c\u00a0😀"))
def test_every_character_that_is_no_blank_keeps_its_place(text: str) -> None:
    flat = FlatText(text)
    assert flat.text.strip(" ") == normalized(text)
    for at, char in enumerate(flat.text):
        if char != " ":
            assert flat.original_span(at, at + 1).text_in(text) == char


@given(st.text(alphabet="ab \n\t", min_size=1), st.data())
def test_a_piece_of_the_flat_text_is_that_piece_of_the_original(
    text: str, data: st.DataObject
) -> None:
    flat = FlatText(text)
    ends = [at for at, char in enumerate(flat.text) if char != " "]
    assume(ends)
    start = data.draw(st.sampled_from(ends))
    end = data.draw(st.sampled_from([at + 1 for at in ends if at >= start]))
    assert normalized(flat.original_span(start, end).text_in(text)) == flat.text[start:end]


def test_whatever_python_takes_for_a_blank_is_one() -> None:
    blanks = [chr(code) for code in range(0x110000) if chr(code).isspace()]
    assert FlatText("a".join(blanks)).text.strip(" ") == normalized("a".join(blanks))


SAME = {
    "hyphen at a line end": ("Ferrándiz", "Ferrán-\ndiz"),
    "hyphen, blanks, line end": ("Ferrándiz", "Ferrán- \n\t diz"),
    "two hyphens at line ends": ("Ferrándiz", "Fer-\nrán-\ndiz"),
    "hyphen of the name at a line end": ("García-López", "García-\nLópez"),
    "another sign for a hyphen": ("Jean-Luc", "Jean\u2011Luc"),
    "line end for a blank": ("Kai Lee", "Kai\n  Lee"),
    "non-breaking blank": ("Kai Lee", "Kai\u00a0Lee"),
    "soft hyphen": ("Müller", "Mül\u00adler"),
    "soft hyphen at a line end": ("Müller", "Mül\u00ad\n  ler"),
    "number after its hyphen": ("555-0123", "555-\n0123"),
    "date after its slash": ("03/04/2071", "03/\n04/2071"),
    "address after its at sign": ("a.lee@mercy.example", "a.lee@\nmercy.example"),
    "accents apart from their letters": ("Ferrándiz", "Ferra\u0301ndiz"),
    "another sign for an apostrophe": ("O'Brien", "O’Brien"),
    "Chinese over a line end": ("王小明", "王小\n明"),
    "Chinese with a wide blank": ("王小明", "王\u3000小明"),
    "Chinese date over a line end": ("2071年3月", "2071\n年3月"),
    "Japanese with a sound mark apart": ("がん", "か\u3099ん"),
    "Thai over a line end": ("สมชาย ใจดี", "สมชาย\nใจดี"),
    "Arabic with vowel points": ("محمد علي", "مُحَمَّد علي"),
    "Arabic stretched": ("محمد", "محـــمد"),
    "Arabic with a sign of direction": ("محمد علي", "محمد\u200f علي"),
    "Arabic over a line end": ("محمد علي", "محمد\nعلي"),
    "Hebrew with points": ("שלום", "שָׁלוֹם"),
    "wide digits": ("139-5550", "１３９－５５５０"),
    "wide letters": ("Lee K", "Ｌｅｅ Ｋ"),
    "Arabic digits": ("0795", "٠٧٩٥"),
    "Persian digits": ("0795", "۰۷۹۵"),
    "another middle dot": ("阿依古丽·买买提", "阿依古丽•买买提"),
    "no middle dot": ("阿依古丽·买买提", "阿依古丽买买提"),
    "a middle dot of half width": ("マイケル・スミス", "マイケル･スミス"),
    "Korean in its parts": ("김", unicodedata.normalize("NFD", "김")),
}


@pytest.mark.parametrize(("one", "other"), SAME.values(), ids=SAME)
def test_one_text_is_spelt_the_same_however_it_stands(one: str, other: str) -> None:
    assert spelling(one) == spelling(other)
    assert text_key(one) == text_key(f" {other}\n")
    flat = FlatText(f"to {other}, and")
    start = flat.key.index(text_key(one))
    place = flat.in_text(start, start + len(text_key(one)))
    assert flat.original_span(*place).text_in(f"to {other}, and") == other


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ferrándiz", "FERRÁNDIZ"),
        ("Ferrándiz", "FERRAN-\nDIZ"),
        ("Müller", "Muller"),
        ("Łukasz", "ŁUKASZ"),
        ("Νίκος", "ΝΙΚΟΣ".replace("Σ", "ς")),
        ("Йорданов", "ИОРДАНОВ"),
        ("أحمد", "احمد"),
        ("فاطمة", "فاطمه"),
        ("الجامعي", "الجامعى"),
        ("کریم", "كريم"),
        ("İzmir", "IZMIR"),
    ],
)
def test_case_and_accents_make_no_other_key(one: str, other: str) -> None:
    assert text_key(one) == text_key(other)
    assert spelling(one) != spelling(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Lee", "L ee"),
        ("Kai Lee", "KaiLee"),
        ("555-0123", "5550123"),
        ("が", "か"),
        ("5-\nA", "5A"),
        ("of -\n Lee", "of Lee"),
        ("Lee\n- Kai", "Lee Kai"),
        ("--\nA", "--A"),
    ],
)
def test_what_reads_otherwise_is_another_text(one: str, other: str) -> None:
    assert text_key(one) != text_key(other)


@given(st.text(alphabet="aB- \n\u00ad\u0301é王/5\u200f\0", max_size=30), st.data())
def test_a_piece_of_the_key_is_that_piece_of_the_original(text: str, data: st.DataObject) -> None:
    flat = FlatText(text)
    assert len(flat.key) == len(flat.spelling)
    ends = [at for at, char in enumerate(flat.key) if char not in " -/"]
    assume(ends)
    start = data.draw(st.sampled_from(ends))
    end = data.draw(st.sampled_from([at + 1 for at in ends if at >= start]))
    span = flat.original_span(*flat.in_text(start, end))
    assert flat.spelling[start:end] in {spelling(span.text_in(text)), flat.spelling[start:end]}
    assert span.start < span.end <= len(text)
    assert flattened(span.text_in(text)).strip("-/")


@given(st.text(alphabet="aB- \n\u00ad王/", max_size=30))
def test_every_offset_leads_to_the_spelling(text: str) -> None:
    flat = FlatText(text)
    there = [flat.in_spelling(at) for at in range(len(text) + 1)]
    assert there == sorted(there)
    assert 0 <= there[0] <= there[-1] <= len(flat.spelling)
    for at in range(len(flat.spelling)):
        start, _ = flat.original(*flat.in_text(at, at + 1))
        if flat.spelling[at] != " ":
            assert flat.in_spelling(start) == at


def test_one_word_in_small_letters() -> None:
    assert is_small_word("may")
    assert not any(map(is_small_word, ("May", "may day", "5/may", "王小明", "")))


def test_nothing_else_is_folded() -> None:
    assert folded("Straße, ÑANDÚ; 한글") == "straße, nandu; 한글"


@given(st.text(alphabet="aZé- \n1"))
def test_what_lies_amid_small_letters_is_known_of_each_offset(text):
    flat = FlatText(text)
    small = [char in "abcdefghijklmnopqrstuvwxyz" for char in flat.spelling]
    amid = [*map(all, zip([False, *small], [*small, False], strict=True))]
    assert list(map(bool, flat.amid)) == amid


@given(st.text(alphabet="aZé界- \n1"))
def test_every_word_that_is_not_all_small_lies_in_a_run(text):
    flat = FlatText(text)
    runs = {at for start, end in flat.capitalised for at in range(start, end)}
    for found in re.finditer(r"[^\W\d_]+", flat.spelling):
        word = set(range(*found.span()))
        assert word <= runs if set(found[0]) - {"a"} else not word & runs
    assert sum(end - start for start, end in flat.capitalised) == len(runs)


@pytest.mark.parametrize("text", ["Kai\n  Lee-Sato", "José’s", "Ana -\n Lee"])
def test_what_reads_as_it_is_written(text: str) -> None:
    assert FlatText(text).reads_as_written


@pytest.mark.parametrize("text", ["Ferrán-\ndiz", "Mül\u00adler", "Ferra\u0301ndiz"])
def test_what_reads_otherwise(text: str) -> None:
    assert not FlatText(text).reads_as_written


@pytest.mark.parametrize(
    ("text", "plain"), [("أَحْمَـــد", "أحمد"), ("Mül\u00adler", "Müller"), ("Lee", "Lee")]
)
def test_a_text_without_points(text: str, plain: str) -> None:
    assert without_points(text) == plain
