"""The passes as a declared list."""

import pytest

from shared.errors import RequestError
from shared.formats.schema_auto import schema_of_types
from shared.model import PhiType, Span
from shared.model.i2b2_2014 import I2B2_2014
from shared.model.meddocan import MEDDOCAN_TRAITS
from shared.recognition.passes import PASSES, apply_passes, check_passes
from shared.recognition.postprocessing.patient_suggestions import PatientSuggestions
from shared.recognition.recognizer import Suggestion
from shared.recognition.training_settings import SETTINGS, STANDARD_PASSES
from tests.builders import phi

MEDDOCAN = schema_of_types(MEDDOCAN_TRAITS, "meddocan")


def suggested(text, *suggestions, schema=I2B2_2014):
    """A patient of one text, of which each suggestion gives a phrase, its type and confidence."""
    made = [
        Suggestion(
            Span(text.index(phrase), text.index(phrase) + len(phrase)),
            phi(name, schema),
            confidence,
            "crf",
        )
        for phrase, name, confidence in suggestions
    ]
    return PatientSuggestions((text,), (tuple(made),), schema, "crf")


def test_every_pass_is_in_the_standard_and_says_what_it_decides():
    assert set(STANDARD_PASSES) == set(PASSES)
    assert all(each.decides for each in PASSES.values())


def test_every_pass_gains_a_thousandth_somewhere():
    assert all(max(each.gains) >= 0.001 for each in PASSES.values())


def test_only_recognizers_for_other_records_have_passes():
    assert {name for name, each in SETTINGS.items() if each.postprocessing} == {"general", "broad"}


def test_passes_run_in_the_order_that_is_asked_for():
    patient = suggested("Dr. Ann Lee saw her.", ("Dr. Ann Lee", "PATIENT", 0.6))

    (found,) = apply_passes(patient, ("name_roles",)).found
    assert [(one.span.text_in(patient.texts[0]), one.phi_type.name) for one in found] == [
        ("Ann Lee", "DOCTOR")
    ]
    assert apply_passes(patient, ()) is patient


def test_an_unknown_pass_is_refused_by_name():
    with pytest.raises(RequestError, match="no pass years; there are high_precision_rules"):
        check_passes(["years"])


@pytest.mark.parametrize("name", PASSES)
def test_passes_suggest_types_of_the_schema_alone(name):
    text = "Dr. Ann Lee, MRN 1234567, fax 617-555-0123, on 3/4/2071 and 3/9 in Peru. Ann Lee came."
    patient = suggested(
        text,
        ("Ann Lee", "NOMBRE_SUJETO_ASISTENCIA", 0.9),
        ("1234567", "ID_SUJETO_ASISTENCIA", 0.9),
        ("617-555-0123", "NUMERO_TELEFONO", 0.9),
        ("3/4/2071", "FECHAS", 0.9),
        ("Peru", "PAIS", 0.5),
        schema=MEDDOCAN,
    )

    (found,) = apply_passes(patient, (name,)).found
    assert found
    assert all(one.phi_type in MEDDOCAN for one in found)


@pytest.mark.parametrize("name", PASSES)
def test_a_schema_with_one_type_is_no_trouble(name):
    date = PhiType("DATE", "DATE")
    patient = suggested(
        "On 3/4/2071.", ("3/4/2071", "DATE", 0.9), schema=schema_of_types([date], "one")
    )

    assert [one.phi_type for one in apply_passes(patient, (name,)).found[0]] == [date]


def test_passes_read_the_kind_of_a_type_and_not_its_name():
    patient = suggested(
        "Dr. Ana Ruiz firma.", ("Ana Ruiz", "NOMBRE_SUJETO_ASISTENCIA", 0.6), schema=MEDDOCAN
    )

    (found,) = apply_passes(patient, ("name_roles",)).found
    assert [one.phi_type.name for one in found] == ["NOMBRE_PERSONAL_SANITARIO"]
