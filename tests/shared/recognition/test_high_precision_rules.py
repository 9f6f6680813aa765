"""What has an unmistakable form is found beside what was suggested."""

import pytest

from shared.formats.schema_auto import schema_of_types
from shared.language.languages import language
from shared.model import PhiType, Span
from shared.recognition.postprocessing.patient_suggestions import PatientSuggestions
from shared.recognition.recognizer import Suggestion
from shared.recognition.rules import find_high_precision_patterns
from tests.builders import after_pass

URL, DATE = PhiType("CONTACT", "URL"), PhiType("DATE", "DATE")
TEXT = "Portal https://mercy.example/p since 3/4/2012."


def found(*suggested, types=(URL, DATE)):
    made = [
        Suggestion(Span(TEXT.index(phrase), TEXT.index(phrase) + len(phrase)), *rest, "own")
        for phrase, *rest in suggested
    ]
    schema = schema_of_types(types, "some")
    (result,) = after_pass(find_high_precision_patterns, [TEXT], [made], schema)
    return [(one.span.text_in(TEXT), one.phi_type.name, one.recognizer) for one in result]


def test_addresses_and_dates_are_found_by_their_form():
    assert found() == [
        ("https://mercy.example/p", "URL", "crf"),
        ("3/4/2012", "DATE", "crf"),
    ]


def test_only_types_that_are_asked_for():
    assert [each[1] for each in found(types=(DATE,))] == ["DATE"]


def test_what_was_suggested_stays_unless_it_is_doubtful():
    assert ("3/4", "DATE", "own") in found(("3/4", DATE, 0.6))
    assert ("3/4/2012", "DATE", "crf") in found(("3/4", DATE, 0.4))


def test_a_holiday_is_firm_enough_and_a_title_is_not():
    text = "Mr. Voss fell on Columbus Day."
    types = (DATE, PhiType("NAME", "PATIENT"))
    (result,) = after_pass(
        find_high_precision_patterns, [text], [[]], schema_of_types(types, "some")
    )

    assert [one.span.text_in(text) for one in result] == ["Columbus Day"]


@pytest.mark.parametrize(("code", "found"), [("de", ["3. März 2071"]), ("en", [])])
def test_forms_are_those_of_the_language_of_the_records(code, found):
    text = "Seit 3. März 2071 krank."
    schema = schema_of_types([DATE], "some")
    patient = PatientSuggestions((text,), ((),), schema, "crf", language(code))
    (result,) = find_high_precision_patterns(patient).found
    assert [one.span.text_in(text) for one in result] == found
