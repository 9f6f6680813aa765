import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.text.spelling import (
    AlikeSpellings,
    Typo,
    apply_typo,
    base_letter,
    is_without_capitals,
    lowered_in_place,
    match_case,
    match_case_by_word,
    match_key,
    typo_between,
    without_accents,
)
from tests.strategies import texts


@pytest.mark.parametrize(
    ("text", "small"),
    [("HOLCOMB, Dennis", "holcomb, dennis"), ("ÉTÉ", "été"), ("İZMİR Ave", "İzmİr ave")],
)
def test_capitals_and_small_letters_fall_together(text, small):
    assert lowered_in_place(text) == small


@given(texts())
def test_every_character_keeps_its_place(text):
    assert len(lowered_in_place(text)) == len(text)
    assert lowered_in_place(lowered_in_place(text)) == lowered_in_place(text)


@pytest.mark.parametrize(
    ("text", "key"),
    [("Mercy\n  Hospital", "mercy hospital"), ("Marañón", "maranon"), ("STRAẞE", "strasse")],
)
def test_a_key_tells_nothing_of_case_accents_and_blanks(text, key):
    assert match_key(text) == key


def test_accents_go_and_letters_stay():
    assert without_accents("Núñez ø") == "Nunez ø"
    assert without_accents("Nunez") == "Nunez"


@pytest.mark.parametrize(
    ("new", "old", "cased"),
    [
        ("Ann", "BOB", "ANN"),
        ("Ann", "bob", "ann"),
        ("Ann", "A", "Ann"),
        ("ann", "Bob", "Ann"),
        ("Ann", "123", "Ann"),
        ("McRae", "Bob", "McRae"),
    ],
)
def test_a_word_takes_the_case_of_another(new, old, cased):
    assert match_case(new, old) == cased


@pytest.mark.parametrize(
    ("new", "old", "cased"),
    [
        ("bus driver", "Truck Driver", "Bus driver"),
        ("bus driver", "truck driver", "bus driver"),
        ("Bus driver", "Truck Driver", "Bus Driver"),
        ("Bus driver", "Truck driver", "Bus driver"),
        ("", "Truck", ""),
    ],
)
def test_several_words_take_their_case_one_by_one(new, old, cased):
    assert match_case_by_word(new, old) == cased


@given(
    st.text("abcdefgh", min_size=3, max_size=10),
    st.sampled_from(["swap", "double", "insert", "lose", "change"]),
    st.floats(0, 1),
)
def test_a_typo_makes_another_word(word, kind, place):
    assert apply_typo(word, Typo(kind, place)) != word


@pytest.mark.parametrize(
    ("right", "wrong", "kind"),
    [
        ("marissa", "marrissa", "double"),
        ("marissa", "marisas", "swap"),
        ("marissa", "marisa", "lose"),
        ("marissa", "marixssa", "insert"),
        ("marissa", "maressa", "change"),
        ("marissa", "marrisa", "double"),
        ("ann", "anna", "insert"),
        ("ann", "annn", "double"),
        ("anna", "ann", "lose"),
        ("ab", "ba", "swap"),
    ],
)
def test_typos_are_told(right, wrong, kind):
    typo = typo_between(right, wrong)
    assert typo is not None
    assert typo.kind == kind


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ann", "ann"),
        ("ann", "bob"),
        ("anna", "annabel"),
        ("ann", "nna"),
        ("annie", "abbie"),
        ("annie", "bnnix"),
    ],
)
def test_no_typo(one, other):
    assert typo_between(one, other) is None


@pytest.mark.parametrize(
    ("word", "kind", "wrong"),
    [
        ("anna", "change", "anne"),
        ("ANNB", "change", "ANNC"),
        ("a1b", "change", "a1c"),
        ("ab1", "change", "ac1"),
        ("añ", "change", "aññ"),
        ("ab", "lose", "abb"),
        ("a", "swap", "aa"),
        ("abc", "lose", "ab"),
    ],
)
def test_a_typo_comes_near_the_place_where_it_was(word, kind, wrong):
    assert apply_typo(word, Typo(kind, 1)) == wrong


def test_a_letter_with_a_stroke_is_a_form_of_the_letter_without():
    assert [base_letter(each) for each in "đØłÆœéQ"] == list("DOLAOEQ")
    assert [base_letter(each) for each in ("", "þ", "ж", "李", "7")] == [""] * 5


@given(words=st.lists(st.text("abnoü", max_size=7), unique=True, max_size=12))
def test_alike_spellings_miss_no_word_that_is_one_slip_away(words):
    known = AlikeSpellings()
    for each in words:
        known.add(each)
    for word in words:
        slips = {each for each in words if each != word and typo_between(word, each)}
        assert slips <= known.near(word)


def test_alike_spellings_are_few_and_never_the_word_itself():
    known = AlikeSpellings()
    for each in ("miller", "milller", "miler", "muller", "becker"):
        known.add(each)
    assert known.near("miller") == {"milller", "miler", "muller"}
    assert known.near("schmidt") == set()


@pytest.mark.parametrize(
    ("text", "is_so"),
    [
        ("seen by kern today", True),
        ("Seen by kern today", False),
        ("seen " * 99 + "Kern", True),
        ("SEEN BY KERN", False),
        ("3 of kern", True),
        ("السيد خالد", False),
        ("", False),
    ],
)
def test_which_texts_have_no_capitals(text: str, is_so: bool) -> None:
    assert is_without_capitals(text.split()) is is_so
