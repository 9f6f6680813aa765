"""Findings in projects with another schema than i2b2 2014: its own types are proposed."""

import pytest

from shared.consistency.across_patients import check_across, shared_texts
from shared.consistency.check import check_patient
from shared.consistency.findings import Finding, FindingKind
from shared.consistency.guideline_rules import check_tag
from shared.consistency.patient_records import PatientRecords
from shared.formats.schema_auto import schema_of_types
from shared.model import Document, EntityKind, PhiType, Schema, Span, Tag
from shared.model.meddocan import MEDDOCAN_TRAITS
from tests.builders import marked_records, phi

AUTO = schema_of_types(MEDDOCAN_TRAITS, "auto")
FEW = schema_of_types([PhiType("NAME", "NAME"), PhiType("ID", "ID")], "few")


def found(schema: Schema, *sources: str) -> list[Finding]:
    return list(check_patient(marked_records(schema, *sources), certainty=0.0))


@pytest.mark.parametrize(
    ("text", "place", "name"),
    [
        ("Escriba a ana@example.org hoy.", "ana@example.org", "CORREO_ELECTRONICO"),
        ("Llame al (912) 555-0143 hoy.", "(912) 555-0143", "NUMERO_TELEFONO"),
        ("Llame al 961 555\n012 hoy.", "961 555\n012", "NUMERO_TELEFONO"),
        ("El paciente con fax 961 555 012 hoy.", "961 555 012", "NUMERO_FAX"),
        ("Historia 1234567, ingreso.", "1234567", "ID_SUJETO_ASISTENCIA"),
        ("Numero de serie: number 7654321.", "7654321", "OTRO_NUMERO_IDENTIF"),
        ("Ingreso el 12/05/2071 sin mas.", "12/05/2071", "FECHAS"),
        ("Paciente de 53 años de edad.", "53", "EDAD_SUJETO_ASISTENCIA"),
        ("Ver www.example.org aqui.", "www.example.org", "URL_WEB"),
    ],
)
def test_what_looks_like_phi_is_proposed_as_a_type_of_the_schema(
    text: str, place: str, name: str
) -> None:
    (proposed,) = {each.type_name for each in found(AUTO, text) if each.text == place}
    assert proposed == name


def test_nothing_is_proposed_that_the_schema_does_not_have() -> None:
    text = (
        "Historia 1234567. Escriba a ana@example.org, (912) 555-0143, 12/05/2071. 53 años de edad."
    )
    every = found(FEW, text)
    assert {each.phi_type for each in every} == {PhiType("ID", "ID"), None}
    assert all(each.fix is None for each in every if each.phi_type is None)


def test_a_name_is_looked_for_in_part_misspelt_and_in_other_order() -> None:
    every = found(
        AUTO,
        "[Clara Mendizabal|NOMBRE_SUJETO_ASISTENCIA]. Mendizabal, Mendizabel. MENDIZABAL, CLARA",
    )
    told = {(each.text, each.kind, each.type_name) for each in every}
    patient = "NOMBRE_SUJETO_ASISTENCIA"
    assert told == {
        ("Mendizabal", FindingKind.NAME_PART, patient),
        ("Mendizabel", FindingKind.NEAR_SPELLING, patient),
        ("MENDIZABAL, CLARA", FindingKind.NAME_ORDER, patient),
    }


def test_a_day_and_a_number_are_found_in_another_form() -> None:
    every = found(
        AUTO, "[12/05/2071|FECHAS] [912-555-0143|NUMERO_TELEFONO]. 12-05-2071, 912 555 0143"
    )
    told = {(each.text, each.kind, each.type_name) for each in every}
    assert ("12-05-2071", FindingKind.OTHER_FORMAT, "FECHAS") in told
    assert ("912 555 0143", FindingKind.OTHER_FORMAT, "NUMERO_TELEFONO") in told


def test_only_staff_and_places_are_looked_for_in_the_records_of_others() -> None:
    source = (
        "[Luisa Ferrandiz|NOMBRE_PERSONAL_SANITARIO] [Clara Mendizabal|NOMBRE_SUJETO_ASISTENCIA] "
        "[Clinica Arganzuela|HOSPITAL] [Calle Orense 5|CALLE]"
    )
    shared = shared_texts(marked_records(AUTO, source))
    assert [each.text for each in shared] == ["Luisa Ferrandiz", "Clinica Arganzuela"]
    other = PatientRecords([Document("120-01", "120", "Luisa Ferrandiz.")], [], AUTO)
    (across,) = check_across([marked_records(AUTO, source), other])
    assert across.type_name == "NOMBRE_PERSONAL_SANITARIO"


def test_what_alone_tells_nothing_is_not_looked_for_in_other_case() -> None:
    assert found(AUTO, "Sexo: [H|SEXO_SUJETO_ASISTENCIA]. Durante 3 h.") == []


def test_rules_hold_by_what_a_type_is() -> None:
    text = "Dra. Luisa Ferrandiz"
    (note,) = check_tag(text, Tag(Span(0, 20), phi("NOMBRE_PERSONAL_SANITARIO", AUTO)), AUTO)
    assert note.fix == ((Span(5, 20), phi("NOMBRE_PERSONAL_SANITARIO", AUTO)),)
    text = "physician number: 12345"
    (note,) = check_tag(text, Tag(Span(18, 23), phi("ID_SUJETO_ASISTENCIA", AUTO)), AUTO)
    assert note.why == "the number of a doctor or a nurse is an ID_EMPLEO_PERSONAL_SANITARIO"
    assert AUTO.traits_of(note.fix[0][1]).kind is EntityKind.NUMBER


def test_an_address_is_left_whole_where_the_schema_has_one_type_for_its_parts() -> None:
    text = "12 Main St, Springfield, MA 01101"
    place = schema_of_types([PhiType("LOCATION", "PLACE")], "place")
    assert check_tag(text, Tag(Span(0, len(text)), PhiType("LOCATION", "PLACE")), place) == ()


def test_a_log_in_name_of_letters_is_said_where_there_is_no_type_for_staff() -> None:
    schema = schema_of_types([PhiType("NAME", "USERNAME")], "few")
    (note,) = check_tag("by klee", Tag(Span(3, 7), PhiType("NAME", "USERNAME")), schema)
    assert (note.why, note.fix) == ("a USERNAME is initials and digits", None)
