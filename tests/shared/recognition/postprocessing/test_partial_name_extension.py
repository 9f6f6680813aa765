"""Names that are as long as elsewhere in the patient's records."""

import pytest

from shared.model import PhiType, Span
from shared.recognition.postprocessing.partial_name_extension import extend_partial_names
from shared.recognition.recognizer import Suggestion

PATIENT, CITY = PhiType("NAME", "PATIENT"), PhiType("LOCATION", "CITY")


def whole(text, phrase, *, name="Lidia Murthy-Voss", sure=0.9, phi_type=PATIENT):
    """What becomes of the phrase where another record has the name."""
    texts = [f"Seen: {name} came", text]
    start = text.index(phrase)
    made = [
        [Suggestion(Span(6, 6 + len(name)), phi_type, sure, "crf")],
        [Suggestion(Span(start, start + len(phrase)), phi_type, 0.8, "crf")],
    ]
    return [one.span.text_in(text) for one in extend_partial_names(texts, made)[1]]


@pytest.mark.parametrize(
    ("text", "phrase", "name"),
    [
        ("Mrs. Lidia\nMurthy-Voss came", "Lidia", "Lidia\nMurthy-Voss"),
        ("Mrs. Lidia T. Murthy-Voss came", "Lidia", "Lidia T. Murthy-Voss"),
        ("Today Lidia Murthy-Voss came", "Murthy-Voss", "Lidia Murthy-Voss"),
        ("LIDIA MURTHY-VOSS", "LIDIA", "LIDIA MURTHY-VOSS"),
    ],
)
def test_a_name_goes_on_as_elsewhere(text, phrase, name):
    assert whole(text, phrase) == [name]
    assert whole(text, phrase, name="MURTHY-VOSS, LIDIA T") == [name]


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("Lidia Kern came", "Lidia"),
        ("Lidia murthy-voss came", "Lidia"),
        ("Today Murthy-Voss came", "Murthy-Voss"),
        ("Lidia, Murthy-Voss came", "Lidia"),
        ("Lidia Murthy-Voss came", "Lidia Murthy-Voss"),
    ],
)
def test_other_names_stay(text, phrase):
    assert whole(text, phrase) == [phrase]


def test_a_first_name_of_the_lists_belongs_to_the_name_after_it():
    assert whole("niece, Christina Murthy-Voss,", "Murthy-Voss") == ["Christina Murthy-Voss"]


def test_a_doubtful_name_or_a_place_says_nothing():
    assert whole("Lidia\nMurthy-Voss", "Lidia", sure=0.5) == ["Lidia"]
    assert whole("Lidia\nMurthy-Voss", "Lidia", phi_type=CITY) == ["Lidia"]
