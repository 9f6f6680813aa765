from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.language.occurrences import edge_kind, is_whole_token, occurrences, repeats
from shared.model import Span
from shared.text.flat_text import FlatText
from tests.strategies import spans, texts


def places(phrase: str, text: str, *, ignore_case: bool = False) -> list[int]:
    return [found.span.start for found in occurrences(phrase, text, ignore_case=ignore_case)]


@pytest.mark.parametrize(
    ("phrase", "text", "expected"),
    [
        ("Lee", "Lee, Leeds, Lee's, lee and (Lee)", [0, 12, 28]),
        ("John Smith", "John Smith, John\n  Smith, JohnSmith", [0, 12]),
        ("O'Brien", "O'Brien met O'Briens", [0]),
        ("2/2", "2/2 and 12/2 and 2/21", [0]),
        ("Jose", "Jose Jose\u0301", [0]),
        ("a.b", "axb a.b", [4]),
        ("1 1", "21 1 1", [3]),
        ("aa aa", "aa aa aa", [0]),
        ("(617) 555", "(617) 555 x(617) 555", [0, 11]),
        ("", "Lee", []),
        (" \n", "Lee \n", []),
        ("Lee", "", []),
    ],
)
def test_a_phrase_stands_where_it_stands_as_whole_words(phrase, text, expected):
    assert places(phrase, text) == expected


def test_case_can_be_ignored():
    assert places("Lee", "LEE lee Lee", ignore_case=True) == [0, 4, 8]


def test_a_possessive_is_not_part_of_an_occurrence():
    (found,) = occurrences("Smith", "Mrs. Smith's")
    assert found.span == Span(5, 10)


def test_blanks_around_a_phrase_do_not_count():
    assert places("  Lee ", "x Lee,") == [2]


@pytest.mark.parametrize(
    ("phrase", "text", "glued"),
    [
        ("6/03/04", "Since6/03/04", [True]),
        ("Dennis", "HolcombDennis Dennis", [True, False]),
        ("12", "B12", []),
        ("McGee", "xMcGeeX", [True]),
        ("Dennis", "DennisX", [True]),
        ("Dennis", "Dennisx DENNISx", []),
    ],
)
def test_long_phrases_are_found_glued_to_a_neighbour(phrase, text, glued):
    assert [found.glued for found in occurrences(phrase, text)] == glued


@pytest.mark.parametrize(
    ("text", "offset", "kind"),
    [
        ("Lee", 0, "whole"),
        ("Lee", 3, "whole"),
        ("a b", 1, "whole"),
        ("ab", 1, "inside"),
        ("12", 1, "inside"),
        ("e\u0301", 1, "inside"),
        ("a1", 1, "glued"),
        ("1a", 1, "glued"),
        ("aB", 1, "glued"),
        ("Ab", 1, "inside"),
    ],
)
def test_kinds_of_edges(text, offset, kind):
    assert edge_kind(text, offset) == kind


@given(texts(min_size=1), st.data())
def test_text_that_is_whole_words_is_found_where_it_was_taken(text, data):
    span = data.draw(spans(len(text)))
    phrase = span.text_in(text)
    whole = {edge_kind(text, span.start), edge_kind(text, span.end)} == {"whole"}
    if whole and phrase == phrase.strip():
        assert any(found.span.overlaps(span) for found in occurrences(phrase, text))


@given(texts(), st.sampled_from(["Smith", "B12", "3/4/2071", "SMITH,JOHN", "s"]))
def test_occurrences_hold_the_phrase_stand_in_order_and_never_overlap(text, phrase):
    found = [each.span for each in occurrences(phrase, text)]
    assert all(span.text_in(text) == phrase for span in found)
    assert all(one.end <= other.start for one, other in pairwise(found))


@pytest.mark.parametrize(
    ("phrase", "text", "expected"),
    [
        ("5/9", "5/9 and 5/9/07 and 05/5/9, 5/9.", [0, 27]),
        ("98", "98.6 F, 98, 98. BP 120/98", [8, 12]),
        ("10", "at 10:30, 10: ten", [10]),
        ("5/9", "5/9-5/12", [0]),
    ],
)
def test_a_number_that_goes_on_is_another_number(phrase, text, expected):
    assert places(phrase, text) == expected


@pytest.mark.parametrize(
    ("phrase", "text", "expected"),
    [
        ("Ferrándiz", "Ferrán-\ndiz, FERRANDIZ; ferrándiz", ["Ferrán-\ndiz", "FERRANDIZ"]),
        ("ferrándiz", "Ferrándiz; ferrándiz", ["Ferrándiz", "ferrándiz"]),
        ("Fer", "Ferrándiz Kofer Fer", ["Fer"]),
        ("--", "-- a", []),
        ("1 1", "21 1 1", ["1 1"]),
        ("王小明", "王小\n明先生", ["王小\n明"]),
    ],
)
def test_repeats_are_found_however_they_stand(phrase, text, expected):
    assert [each.span.text_in(text) for each in repeats(phrase, FlatText(text))] == expected


def test_small_words_are_repeats_where_they_are_asked_for():
    found = repeats("May", FlatText("may May"), small=True)
    assert [each.span.start for each in found] == [0, 4]


def test_a_repeat_tells_whether_it_is_part_of_a_longer_word():
    found = repeats("6/03/04", FlatText("Since6/03/04 on 6/03/04"))
    assert [each.glued for each in found] == [True, False]


@pytest.mark.parametrize(
    ("text", "token", "is_whole"),
    [
        ("a Lee b", "Lee", True),
        ("Leeward", "Lee", False),
        ("x.Lee.y", "Lee", True),
        ("KaiYamamoto.", "Yamamoto", True),
        ("KaiLee.", "Lee", False),
        ("since2081.", "2081", True),
        ("Hb2081.", "2081", False),
        ("61yo", "61", True),
        ("61mg", "61", False),
        ("KLFocus", "KL", True),
        ("KLM", "KL", False),
        ("ofKLFocus", "KL", False),
    ],
)
def test_what_stands_alone(text, token, is_whole):
    start = text.index(token)
    assert is_whole_token(text, start, start + len(token)) == is_whole
