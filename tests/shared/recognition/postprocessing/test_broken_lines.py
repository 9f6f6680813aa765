"""What the end of a line cuts in two is suggested whole."""

import pytest

from shared.language.languages import language
from shared.model import Span
from shared.recognition.postprocessing.broken_lines import (
    broken_words,
    join_broken_mentions,
)
from shared.recognition.recognizer import Suggestion
from tests.builders import after_pass, phi


def joined(text, *found):
    """What is left of suggestions, each given and returned as text, type and confidence."""
    made = [
        Suggestion(Span(text.index(it), text.index(it) + len(it)), phi(name), sure, "crf")
        for it, name, sure in found
    ]
    (left,) = after_pass(join_broken_mentions, [text], [sorted(made, key=lambda one: one.start)])
    return [(one.span.text_in(text), one.phi_type.name, one.confidence) for one in left]


def test_of_two_readings_of_a_date_the_longer_stays():
    assert joined("Seen 1 May\n2070 again", ("2070", "DATE", 0.9)) == [("1 May\n2070", "DATE", 0.9)]


def test_a_date_in_pieces_is_one_as_sure_as_the_surest():
    found = ("1 May", "DATE", 0.6), ("2070", "DATE", 0.9)
    assert joined("Seen 1 May\n2070 again", *found) == [("1 May\n2070", "DATE", 0.9)]


def test_a_date_longer_than_the_grammar_knows_stays():
    assert joined("On Monday, 1 May 2070.", ("Monday, 1 May 2070", "DATE", 0.9)) == [
        ("Monday, 1 May 2070", "DATE", 0.9)
    ]


def test_a_month_goes_with_the_two_digits_behind_its_hyphen():
    assert joined("since Nov-09.", ("Nov-", "DATE", 0.9)) == [("Nov-09", "DATE", 0.9)]


def test_a_date_that_nobody_suggests_is_not_suggested():
    assert joined("1 May\n2070, Lee", ("Lee", "DOCTOR", 0.9)) == [("Lee", "DOCTOR", 0.9)]


@pytest.mark.parametrize(
    ("text", "part", "whole"),
    [
        ("Dr. Var-\nga came", "Var-", "Var-\nga"),
        ("Dr. Var-\n   ga came", "ga", "Var-\n   ga"),
        ("O'HALLARAN-\nSATO,YUKI", "SATO,YUKI", "O'HALLARAN-\nSATO,YUKI"),
        ("Kai O'HALLARAN-\nSATO", "Kai O'HALLARAN", "Kai O'HALLARAN-\nSATO"),
    ],
)
def test_half_a_name_becomes_the_name(text, part, whole):
    assert joined(text, (part, "DOCTOR", 0.7)) == [(whole, "DOCTOR", 0.7)]


def test_both_halves_are_one_suggestion_of_the_surer_type():
    found = ("Var", "PATIENT", 0.6), ("ga", "DOCTOR", 0.8)
    assert joined("Dr. Var-\nga came", *found) == [("Var-\nga", "DOCTOR", 0.8)]


def test_a_place_is_made_whole_and_a_profession_is_not():
    assert joined("in Otter-\nham", ("Otter", "CITY", 0.7)) == [("Otter-\nham", "CITY", 0.7)]
    assert joined("a gard-\nener", ("gard", "PROFESSION", 0.7)) == [("gard", "PROFESSION", 0.7)]


def test_a_small_word_after_a_dash_goes_on_with_no_name():
    assert list(broken_words("Dr. Lee-\nfor now", language("en"))) == []
