"""Names of known people from end to end, in whatever form."""

import pytest

from shared.model import PhiType, Span
from shared.recognition.postprocessing.name_completion import complete_names
from shared.recognition.recognizer import Suggestion
from tests.builders import after_pass

PATIENT, DOCTOR = PhiType("NAME", "PATIENT"), PhiType("NAME", "DOCTOR")
CITY = PhiType("LOCATION", "CITY")
FULL_LINE = "It is long told that they came all the way with".ljust(60, ".")


def suggestion(text, phrase, phi_type=PATIENT, sure=0.6):
    start = text.index(phrase)
    return Suggestion(Span(start, start + len(phrase)), phi_type, sure, "crf")


def fixed(text, parts, *, names=("Lidia Murthy", "Joan Kern"), sure=0.9, phi_type=PATIENT):
    """What becomes of the parts of a text where another record has the names."""
    letter = f"Seen: {'; '.join(names)} came"
    known = [suggestion(letter, name, sure=sure) for name in names]
    found = [suggestion(text, part, phi_type) for part in parts]
    return [
        one.span.text_in(text)
        for one in after_pass(complete_names, [letter, text], [known, found])[1]
    ]


@pytest.mark.parametrize(
    ("text", "parts", "name"),
    [
        ("LIDIA T. MURTHY came", ["LIDIA T.", "MURTHY"], "LIDIA T. MURTHY"),
        ("LIDIA MURTHY came", ["LIDIA", "MURTHY"], "LIDIA MURTHY"),
        ("and Lidia T. Murthy came", ["Lidia", "Murthy"], "Lidia T. Murthy"),
        ("and Lidia Ellen Murthy came", ["Murthy"], "Lidia Ellen Murthy"),
        (f"{FULL_LINE} Lidia\nMurthy came", ["Murthy"], "Lidia\nMurthy"),
        ("Murthy, Lidia came", ["Murthy", "Lidia"], "Murthy, Lidia"),
        ("MURTHY,LIDIA T came", ["LIDIA"], "MURTHY,LIDIA T"),
        ("MURTHY, LIDIA\nI came", ["MURTHY", "LIDIA"], "MURTHY, LIDIA"),
        ("by L. Murthy, who", ["Murthy"], "L. Murthy"),
        ("by L.T. Murthy, who", ["Murthy"], "L.T. Murthy"),
        ("by LT Murthy, who", ["Murthy"], "LT Murthy"),
        ("by Murthy L (nurse)", ["Murthy"], "Murthy L"),
        ("by Lidia M., who", ["Lidia"], "Lidia M."),
    ],
)
def test_a_known_name_is_whole_in_every_form(text, parts, name):
    assert fixed(text, parts) == [name]
    assert fixed(text, parts, names=("MURTHY, LIDIA", "Joan Kern")) == [name]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("by K. Murthy, who", "Murthy"),
        ("and Nora Murthy came", "Murthy"),
        ("Murthy lidia came", "Murthy"),
        ("Murthy's Lidia", "Murthy"),
        ("Murthy Laboratory", "Murthy"),
        ("Lidia\nMurthy", "Murthy"),
    ],
)
def test_names_of_others_and_other_lines_stay(text, name):
    assert fixed(text, [name]) == [name]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Lidia Murthy, Joan Kern", ["Lidia Murthy", "Joan Kern"]),
        ("Kern, Murthy", ["Kern", "Murthy"]),
        ("KERN,JOAN/MURTHY,LIDIA", ["KERN,JOAN", "MURTHY,LIDIA"]),
        ("Rhee, Lidia Murthy", ["Rhee", "Lidia Murthy"]),
        ("Nora Rhee, Ann Voss", ["Nora Rhee", "Ann Voss"]),
    ],
)
def test_two_names_that_were_taken_for_one_come_apart(text, names):
    assert fixed(text, [text]) == names


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Lidia Murthy MURTHY", ["Lidia Murthy", "MURTHY"]),
        ("Lidia\nLidia Murthy", ["Lidia", "Lidia Murthy"]),
        ("Voss, Kern", ["Voss", "Kern"]),
    ],
)
def test_two_people_or_two_lines_stay_two(text, parts):
    assert fixed(text, parts, names=("Lidia Murthy", "Kern Voss", "Joan Kern")) == parts


def test_two_of_the_staff_are_not_put_together():
    parts = ["LIDIA", "MURTHY"]
    assert fixed("LIDIA MURTHY", parts, phi_type=DOCTOR) == parts
    assert fixed("LIDIA MURTHY", parts[1:], phi_type=DOCTOR) == ["LIDIA MURTHY"]


def test_a_doctor_is_put_together_at_the_comma_where_the_name_is_known_in_its_order():
    parts = ["MURTHY", "LIDIA"]
    assert fixed("MURTHY, LIDIA", parts, phi_type=DOCTOR) == ["MURTHY, LIDIA"]
    assert fixed("MURTHY, LIDIA T", parts, phi_type=DOCTOR) == ["MURTHY, LIDIA T"]
    known_by_a_list = ("Murthy, Lidia", "Joan Kern")
    assert fixed("MURTHY, LIDIA", parts, names=known_by_a_list, phi_type=DOCTOR) == parts
    assert fixed("MURTHY, KERN", ["MURTHY", "KERN"], phi_type=DOCTOR) == ["MURTHY", "KERN"]


@pytest.mark.parametrize("text", ["Rhee, Nora", "Rhee, Nora T."])
def test_a_name_that_nobody_knows_stays_one(text):
    assert fixed(text, [text]) == [text]


def test_where_nobody_is_known_or_nobody_is_meant_all_stays():
    assert fixed("LIDIA MURTHY", ["LIDIA", "MURTHY"], sure=0.6) == ["LIDIA", "MURTHY"]
    assert fixed("L. Murthy Springs", ["Murthy"], phi_type=CITY) == ["Murthy"]
