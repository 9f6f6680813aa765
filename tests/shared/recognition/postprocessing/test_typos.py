"""Names that a typist got wrong."""

import pytest

from shared.model import PhiType, Span
from shared.recognition.postprocessing.mention_propagation import find_typos, propagate_mentions
from shared.recognition.recognizer import Suggestion
from tests.builders import after_pass


@pytest.mark.parametrize("word", ["okaofr", "okkafor", "okafr"])
def test_one_slip_is_seen_through(word):
    assert find_typos([word], ["okafor"]) == {word: "okafor"}


@pytest.mark.parametrize(
    ("word", "name"), [("okoafr", "okafor"), ("maria", "marie"), ("vos", "voss")]
)
def test_other_names_and_more_slips_are_not(word, name):
    assert find_typos([word], [name]) == {}


def test_what_may_be_two_names_is_neither():
    assert find_typos(["okafr"], ["okafor", "okafir"]) == {}


def test_a_slip_echoes_like_the_name():
    doctor = PhiType("NAME", "DOCTOR")
    texts = ["Dr. Okafor and Kern", "Dear Okaofr, okafro is small. Kern"]
    made = [
        [Suggestion(Span(4, 10), doctor, 0.97, "crf")],
        [Suggestion(Span(texts[1].index("Kern"), len(texts[1])), doctor, 0.97, "crf")],
    ]

    found = [one.span.text_in(texts[1]) for one in after_pass(propagate_mentions, texts, made)[1]]

    assert found == ["Okaofr", "Kern"]
