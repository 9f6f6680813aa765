"""Places and trades that are as long as elsewhere in the patient's records."""

import pytest

from shared.model import PhiType, Span
from shared.recognition.postprocessing.extents import extend_to_known
from shared.recognition.recognizer import Suggestion

HOSPITAL, FIRM = PhiType("LOCATION", "HOSPITAL"), PhiType("LOCATION", "ORGANIZATION")
TRADE, PATIENT = PhiType("PROFESSION", "PROFESSION"), PhiType("NAME", "PATIENT")
NAME = "Lakewood Eye and Ear Infirmary"


def suggestion(text, phrase, phi_type=HOSPITAL, sure=0.6):
    start = text.index(phrase)
    return Suggestion(Span(start, start + len(phrase)), phi_type, sure, "crf")


def longer(text, parts, *, name=NAME, name_type=HOSPITAL, part_type=HOSPITAL, sure=0.9):
    """What becomes of the parts of a text where another record has the name."""
    letter = f"Seen at {name} today"
    found = [suggestion(text, part, part_type) for part in parts]
    known = [suggestion(letter, name, name_type, sure)]
    return [one.span.text_in(text) for one in extend_to_known([letter, text], [known, found])[1]]


@pytest.mark.parametrize(
    ("text", "parts", "whole"),
    [
        (f"{NAME}, Bay 3", ["Lakewood Eye", "Ear Infirmary"], NAME),
        (f"{NAME.upper()} LABS", ["LAKEWOOD EYE"], NAME.upper()),
        (
            "at Lakewood Eye and\nEar Infirmary",
            ["Ear Infirmary"],
            "Lakewood Eye and\nEar Infirmary",
        ),
    ],
)
def test_what_is_known_is_whole(text, parts, whole):
    assert longer(text, parts) == [whole]
    assert longer(text, parts, part_type=FIRM) == [whole]


def test_what_is_not_known_or_of_another_kind_stays():
    text = f"{NAME} came"
    assert longer(text, ["Ear Infirmary"], sure=0.7) == ["Ear Infirmary"]
    assert longer(text, ["Lakewood"], part_type=PATIENT) == ["Lakewood"]
    assert longer(text, ["Infirmary came"]) == ["Infirmary came"]
    assert longer("at Ear Infirmary", ["Ear Infirmary"]) == ["Ear Infirmary"]


def test_of_two_that_begin_alike_the_oftener_is_known():
    texts = ["At Salem Clinic", "At Salem Clinic", "SALEM CLINIC DESK", "At Salem Clinic Desk"]
    names = ["Salem Clinic", "Salem Clinic", "SALEM CLINIC", "Salem Clinic Desk"]
    sure = [0.9, 0.9, 0.6, 0.9]
    made = [[suggestion(*each)] for each in zip(texts, names, [HOSPITAL] * 4, sure, strict=True)]

    found = extend_to_known(texts, made)

    assert [found[at][0].span.text_in(texts[at]) for at in range(4)] == names


def test_trades_too():
    name, text = "history director", "He, a history director, fell"
    assert longer(text, ["director"], name=name, name_type=TRADE, part_type=TRADE) == [name]
