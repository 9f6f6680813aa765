"""Countries and states that are in lists."""

import pytest

from shared.model import PhiType, Span
from shared.recognition.postprocessing.listed_places import boost_listed_places
from shared.recognition.recognizer import Suggestion
from tests.builders import after_pass


@pytest.mark.parametrize(
    ("text", "kind", "sure"),
    [
        ("Peru", "COUNTRY", 0.7),
        ("South Africa", "COUNTRY", 0.7),
        ("Norwegian", "COUNTRY", 0.7),
        ("North\nCarolina", "STATE", 0.7),
        ("Jordan", "COUNTRY", 0.4),
        ("Virginia", "STATE", 0.4),
        ("Peru", "CITY", 0.4),
        ("Vosslandia", "COUNTRY", 0.4),
    ],
)
def test_what_lists_have_and_nothing_else_is_surer(text, kind, sure):
    one = Suggestion(Span(0, len(text)), PhiType("LOCATION", kind), 0.4, "crf")

    assert [each.confidence for each in after_pass(boost_listed_places, [text], [[one]])[0]] == [
        sure
    ]


@pytest.mark.parametrize(
    ("text", "sure"),
    [
        ("lives in Fresno, CA", 0.4),
        ("lives in Fresno CA 93650", 0.4),
        ("lives in Fresno, CA 93650-1234", 0.4),
        ("GLU 98, CA 8.8, MG 2.2", 0.2),
        ("GLU 98, CA: 9", 0.2),
        ("(CA S68)", 0.4),
        ("3/4 CA", 0.4),
    ],
)
def test_two_capitals_are_less_sure_before_a_value(text, sure):
    start = text.index("CA")
    one = Suggestion(Span(start, start + 2), PhiType("LOCATION", "STATE"), 0.4, "crf")

    (found,) = after_pass(boost_listed_places, [text], [[one]])
    assert [each.confidence for each in found] == [sure]
