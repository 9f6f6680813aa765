"""Names of people and places: parts outside the tag, and those that are never tagged."""

import pytest

from shared.consistency.check import check_patient
from shared.consistency.findings import FindingKind
from shared.consistency.patient_records import PatientRecords
from shared.model.i2b2_2014 import I2B2_2014
from tests.builders import document, layer


def told(source: str, language: str = "en") -> list[tuple[str, str, str, list[str] | None]]:
    one = document(source)
    records = PatientRecords([one], [layer(source)], I2B2_2014, language)
    return [
        (
            each.kind.value,
            each.text,
            each.type_name,
            None if each.fix is None else [span.text_in(one.text) for span, _ in each.fix],
        )
        for each in check_patient(records)
    ]


@pytest.mark.parametrize(
    ("source", "tagged", "whole"),
    [
        ("Seen by Dr. Quillon [Tembrake|DOCTOR] today", "Tembrake", "Quillon Tembrake"),
        ("Seen by Dr. Q. [Tembrake|DOCTOR] today", "Tembrake", "Q. Tembrake"),
        ("Mrs. Anna [Tembrake|PATIENT] came", "Tembrake", "Anna Tembrake"),
        ("His brother Kimberly [Tembrake|PATIENT] came", "Tembrake", "Kimberly Tembrake"),
        ("Seen by Dr. [Kimberly|DOCTOR] Tembrake today", "Kimberly", "Kimberly Tembrake"),
        ("with [Kimberly|PATIENT] Rodriguez today", "Kimberly", "Kimberly Rodriguez"),
    ],
)
def test_part_of_a_name_outside_the_tag(source: str, tagged: str, whole: str) -> None:
    assert [each for each in told(source) if each[0] == "boundary"] == [
        ("boundary", tagged, source.partition("|")[2].partition("]")[0], [whole])
    ]


@pytest.mark.parametrize(
    "source",
    [
        "Seen by Dr. [Tembrake|DOCTOR] Monday",
        "Seen by Dr. [Tembrake|DOCTOR] Clinic",
        "Seen by Dr. [Tembrake|DOCTOR] MD",
        "Attending Dr. [Tembrake|DOCTOR]",
        "Mother [Anna|PATIENT] Will come",
        "with [Kimberly|PATIENT] Today: well",
        "[KAI LEE|PATIENT] Rodriguez",
        "Kimberly. [Tembrake|PATIENT] came",
        "[Kimberly Tembrake|DOCTOR] KT",
        "[Ann Lee|DOCTOR]\n[Bo Wu|DOCTOR]",
        "Nurse [Tembrake|DOCTOR]",
    ],
)
def test_what_stands_beside_names(source: str) -> None:
    assert [each for each in told(source) if each[0] == "boundary"] == []


def test_a_colleague_is_no_part_of_a_german_name() -> None:
    assert told("Sehr geehrte Frau Kollegin [Kroker|DOCTOR],", "de") == []


def test_a_spanish_title_between_another_and_a_given_name_is_no_initial() -> None:
    assert told("Remitido por: Dr. D. [Javier Pascual|DOCTOR].", "es") == []
    assert told("Remitido por: Dr. J. [Pascual|DOCTOR].", "es") != []


def test_a_name_in_two_tags() -> None:
    found = told("Seen by [Quillon|DOCTOR] [Tembrake|DOCTOR] today")
    assert found == [("boundary", "Quillon", "DOCTOR", ["Quillon Tembrake"])]


@pytest.mark.parametrize(
    ("source", "text", "name"),
    [
        ("Seen by Dr. Quillon Tembrake today.", "Quillon Tembrake", "DOCTOR"),
        ("Seen by Dr. Tembrake today.", "Tembrake", "DOCTOR"),
        ("Seen by Quillon Tembrake, M.D.", "Quillon Tembrake", "DOCTOR"),
        ("Mrs. Tem-\nbrake came Monday.", "Tem-\nbrake", "PATIENT"),
        ("Mrs. Tembrake came Monday.", "Tembrake", "PATIENT"),
        ("He has a flat at 12 Pell Road with a cat", "12 Pell Road", "STREET"),
        ("He lives in Otterham with a cat", "Otterham", "CITY"),
        ("She lives in Vermont", "Vermont", "STATE"),
        ("A woman from Spain with asthma", "Spain", "COUNTRY"),
        ("Office in town, Fall River, MA 02720", "Fall River", "CITY"),
        ("Sent from Mercy General Hospital today", "Mercy General Hospital", "HOSPITAL"),
    ],
)
def test_a_name_that_is_never_tagged(source: str, text: str, name: str) -> None:
    assert ("lookalike", text, name, [text]) in told(source)


@pytest.mark.parametrize(
    ("source", "text", "name"),
    [
        ("La vio la Dra. Quilona Tembraque ayer.", "Quilona Tembraque", "DOCTOR"),
        ("La vio la dra. Quilona GIL PAZ ayer.", "Quilona GIL PAZ", "DOCTOR"),
        ("Avisada la Dra.\nTembraque.", "Tembraque", "DOCTOR"),
        ("Doña Quilona Tembraque acude", "Quilona Tembraque", "PATIENT"),
        ("en la Calle Monforte 129, Bajo", "Calle Monforte 129, Bajo", "STREET"),
        ("vive en Peñafuerte, con su hija", "Peñafuerte", "CITY"),
        ("Localidad: Peñafuerte.", "Peñafuerte", "CITY"),
    ],
)
def test_a_spanish_name_that_is_never_tagged(source: str, text: str, name: str) -> None:
    assert ("lookalike", text, name, [text]) in told(source, "es")


@pytest.mark.parametrize(
    "source",
    [
        "mild MR. Creatinine rose",
        "mild MR. No change",
        "Doctor ID 39081.",
        "She lives in Nursing home care",
        "Dr. [Tembrake|DOCTOR] came. Dr. said so",
    ],
)
def test_what_is_no_name(source: str) -> None:
    assert [
        each for each in told(source) if each[0] == "lookalike" and not each[1][0].isdigit()
    ] == []


@pytest.mark.parametrize(
    "source",
    [
        "[April Tembrake|PATIENT] came. Then April said so.",
        "[April Tembrake|PATIENT] came. Now April is well.",
        "[June Tembrake|PATIENT]\nMr 12\n\nJune          1234-56",
        "[May Tembrake|PATIENT] came. Now May, well, left.",
    ],
)
def test_a_name_that_is_a_month_too(source: str) -> None:
    assert [kind for kind, *_ in told(source)] == ["name-part"]


@pytest.mark.parametrize(
    "source",
    [
        "[April Tembrake|PATIENT] came in [April|DATE]",
        "[April Tembrake|PATIENT] came last [April|DATE]",
        "[May Tembrake|PATIENT] came. May take aspirin",
        "[May Tembrake|PATIENT] came. She may go",
    ],
)
def test_a_month_that_is_a_name_too(source: str) -> None:
    assert told(source) == []


def test_part_of_a_longer_name_elsewhere_is_told_once() -> None:
    found = told("[Kimberly Rodriguez|PATIENT]. Mr. [Kimberly|PATIENT] Rodriguez came")
    assert [kind for kind, *_ in found] == [FindingKind.EXTENTS]
