"""Where a text is written otherwise."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.language.ambiguity import ambiguity_reason, is_generic_department
from shared.language.languages import language
from shared.language.number_keys import number_key
from shared.language.variant_rules import Rule
from shared.language.variants import find_variants, variants
from shared.text.spelling import lowered_in_place
from tests.builders import traits


def found(text: str, name: str, *texts: str) -> list[tuple[str, Rule]]:
    return [
        (each.span.text_in(texts[each.text_number]), each.rule)
        for each in find_variants(text, traits(name), texts)
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("YAMAMOTO,KAI", Rule.ORDER),
        ("Yamamoto, Kai", Rule.ORDER),
        ("Kai R. Yamamoto", None),
        ("kai yamamoto", Rule.CASE),
        ("K. Yamamoto", Rule.INITIAL),
        ("Kai Yama-\n moto", Rule.HYPHEN),
        ("Yamamoto", Rule.PART),
        ("Kai", Rule.PART),
        ("KY", Rule.INITIALS),
        ("K.Y.", Rule.INITIALS),
        ("kyamamoto", Rule.LOGIN),
        ("Kai\nYamamoto", None),
        ("Yamamotos", None),
        ("ky", None),
    ],
)
def test_ways_of_writing_a_name(text: str, expected: Rule | None) -> None:
    there = found("Kai Yamamoto", "PATIENT", f"Seen: {text}; again.")
    assert (text, expected) in there if expected else all(each[0] != text for each in there)


@pytest.mark.parametrize(
    ("name", "some"),
    [
        ("Renata B. Voss, M.D.", {"Voss,Renata", "Renata Voss", "R. Voss", "Voss", "RBV", "RV"}),
        ("VOSS,RENATA B", {"RENATA VOSS", "R. VOSS", "RENATA", "RBV"}),
        ("Maria del Carmen Ruiz-Soto", {"Ruiz-Soto", "Ruiz", "Soto", "Carmen"}),
        ("Ana de la Torre", {"de la Torre", "A. de la Torre"}),
    ],
)
def test_names_of_several_words(name: str, some: set[str]) -> None:
    assert some <= {each.text for each in variants(name, traits("DOCTOR"))}


def test_a_spanish_name_has_two_family_names() -> None:
    texts = {each.text for each in variants("Ana Ruiz Gil", traits("DOCTOR"), language("es"))}
    assert {"Ruiz Gil, Ana", "A. Ruiz Gil", "Ruiz Gil", "Ruiz", "ARG"} <= texts
    assert "Ana R. Gil" not in texts


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("Ana Ruiz Gil", "Ana Ruiz"),
        ("Ana Ruiz Gil", "Ruiz, Ana"),
        ("Ana Ruiz Gil", "A. Ruiz"),
        ("Ana de la Torre Gil", "ANA DE LA TORRE"),
        ("Ana Ruiz Gil", "Ana\nRuiz"),
    ],
)
def test_of_two_family_names_the_first_does_with_the_given_one(name: str, written: str) -> None:
    text = f"Vino {written} sola."
    there = find_variants(name, traits("PATIENT"), [text], language("es"))
    assert [text[each.start : each.end] for each in there] == [written]


@pytest.mark.parametrize(
    ("name", "written", "spoken"),
    [
        ("Maria Ines Roth", "Maria Ines", "de"),
        ("سليم حمدان الراوي", "سليم حمدان", "und"),
        ("سليم حمدان الراوي", "سليم\nحمدان", "und"),
        ("سليم حمدان الراوي", "سَلِيم", "und"),
        ("سليم حمدان أحمد الراوي", "سليم حمدان احمد", "und"),
        ("Ana Ibáñez", "IBANEZ", "es"),
        ("Ana Villalobos", "Villa-\nlobos", "es"),
    ],
)
def test_part_of_a_name_is_found_whole_however_it_is_written(
    name: str, written: str, spoken: str
) -> None:
    text = f"X. {written}, y."
    there = find_variants(name, traits("PATIENT"), [text], language(spoken))
    assert [text[each.start : each.end] for each in there] == [written]


def test_a_middle_name_is_no_first_family_name() -> None:
    texts = {each.text for each in variants("Ana Ruiz Gil", traits("PATIENT"), language("en"))}
    assert not texts & {"Ruiz, Ana", "A. Ruiz"}


@pytest.mark.parametrize("name", ["Voss", "Dr. Voss", "J.", "", "Voss,", ",", "12"])
def test_a_single_word_has_no_other_form(name: str) -> None:
    assert variants(name, traits("PATIENT")) == ()


def test_a_hospital_by_its_first_letters() -> None:
    (only,) = variants("Mount Auberon Hospital of the North", traits("HOSPITAL"))
    assert (only.text, only.rule) == ("MAHN", Rule.ACRONYM)
    assert variants("Mercy Hospital", traits("HOSPITAL")) == ()


@pytest.mark.parametrize("name", ["Kai Yamamoto", "VOSS, RENATA B.", "Ana de la Torre"])
def test_no_variant_is_the_text_itself_or_there_twice(name: str) -> None:
    texts = [lowered_in_place(each.text) for each in variants(name, traits("PATIENT"))]
    assert len(texts) == len({*texts, lowered_in_place(name)}) - 1


def test_dates_of_the_same_day() -> None:
    assert found("05/20/07", "DATE", "May 20, 2007 and 5/20", "2007-05-20, 05/20/07") == [
        ("May 20, 2007", Rule.DATE),
        ("5/20", Rule.OPEN_DATE),
        ("2007-05-20", Rule.DATE),
    ]


def test_two_readings_are_never_guessed() -> None:
    assert found("02/03/07", "DATE", "Feb 3, 2007") == [("Feb 3, 2007", Rule.OPEN_DATE)]
    assert found("02/03/07", "DATE", "Feb 3, 2007. 2/28/07") == [("Feb 3, 2007", Rule.DATE)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("617-555-0143", ("617-555-0143", Rule.NUMBER)),
        ("617.555.0143", ("617.555.0143", Rule.NUMBER)),
        ("(617)555-0143", ("(617)555-0143", Rule.NUMBER)),
        ("617 555\n0143", ("617 555\n0143", Rule.NUMBER)),
        ("555-0143", ("555-0143", Rule.SHORT_NUMBER)),
        ("1617-555-01432", None),
        ("88-555-0143", None),
    ],
)
def test_a_phone_with_other_marks(text: str, expected: tuple[str, Rule] | None) -> None:
    there = found("(617) 555-0143", "PHONE", f"Call {text} now.")
    assert there == ([expected] if expected else [])


@pytest.mark.parametrize(
    ("text", "name", "key"),
    [
        ("833-120-60", "MEDICALRECORD", "83312060"),
        ("py989/54741", "IDNUM", "PY98954741"),
        ("+1 (617) 555-0143", "PHONE", "6175550143"),
        ("4711", "IDNUM", None),
        ("a@b.example", "EMAIL", None),
        ("5/9/2007", "DATE", None),
    ],
)
def test_the_key_of_a_number(text: str, name: str, key: str | None) -> None:
    assert number_key(text, traits(name)) == key


digits = st.text("0123456789", min_size=6, max_size=9)


@given(digits, st.lists(st.sampled_from(["", "-", ".", " ", " - "]), min_size=9, max_size=9))
def test_a_number_is_found_whatever_stands_between_its_digits(
    number: str, marks: list[str]
) -> None:
    written = "".join(char + mark for char, mark in zip(number, marks, strict=False)).rstrip(" -.")
    there = found(number, "MEDICALRECORD", f"No. {written}, ok")
    assert there == ([] if written == number else [(written, Rule.NUMBER)])


def test_a_name_that_is_written_like_a_degree_is_a_name() -> None:
    assert "L. Ma" in {each.text for each in variants("Lee Ma", traits("DOCTOR"))}


def test_german_names_dates_and_departments_are_written_otherwise_too() -> None:
    german = language("de")
    texts = {each.text for each in variants("Dr. med. Anna von Hagen", traits("DOCTOR"), german)}
    assert {"von Hagen, Anna", "A. von Hagen"} <= texts
    assert not any("med" in each.lower() for each in texts)
    (found,) = find_variants("3. März 2071", traits("DATE"), ["seit 03.03.71"], german)
    assert found.rule is Rule.DATE
    assert is_generic_department("Innere Medizin", german)
    assert ambiguity_reason("Sommer", traits("PATIENT"), german) == "also a common word"
    assert ambiguity_reason("Sommer", traits("PATIENT")) is None


def test_a_genitive_without_an_apostrophe_is_a_variant_in_a_language_that_has_it() -> None:
    text, kind = "Müllers Mann, MÜLLERS, Müllersche", traits("PATIENT")
    of_language = {
        code: [
            each.span.text_in(text)
            for each in find_variants("Müller", kind, [text], language(code))
        ]
        for code in ("de", "en")
    }
    assert of_language == {"de": ["Müllers"], "en": []}
    assert variants("Schulz", kind, language("de")) == ()
