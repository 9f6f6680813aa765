"""A name in full that only other patients have as a tag holds a release up where it has none."""

import pytest

from adjudicator.release.source import Source, SurrogateOptions
from shared.consistency.findings import FindingKind
from shared.model.i2b2_2014 import I2B2_2014
from tests.builders import layer, patient


def found(language: str, first: str, second: str) -> list[str]:
    """What is found across patients in the second of two, each of one record."""
    patients = {
        patient_id: (
            patient(source, patient_id=patient_id),
            {f"{patient_id}-01": layer(source, f"{patient_id}-01")},
        )
        for patient_id, source in (("110", first), ("111", second))
    }
    source = Source.of(patients, I2B2_2014, language, SurrogateOptions())
    kind = FindingKind.ACROSS_PATIENTS
    return [each.text for each in source.findings("111") if each.kind is kind]


@pytest.mark.parametrize(
    ("language", "first", "second", "name"),
    [
        ("en", "Seen by [Ann Okafor|DOCTOR].", "Ann Okafor\nfollows him.", "Ann Okafor"),
        ("en", "At [Rosehill Clinic|HOSPITAL].", "To Rosehill Clinic today.", "Rosehill Clinic"),
        ("es", "Dra. [Eva Gárate|DOCTOR].", "La vio Eva Gárate ayer.", "Eva Gárate"),
        ("es", "Del [Hospital Zarzal|HOSPITAL].", "Al Hospital\nZarzal.", "Hospital\nZarzal"),
        ("de", "Gez. [Ida Röhrdanz|DOCTOR]", "Frau Ida Röhrdanz sah ihn.", "Ida Röhrdanz"),
        ("de", "Im [Klinikum Rosenau|HOSPITAL].", "Ins Klinikum Rosenau.", "Klinikum Rosenau"),
    ],
)
def test_a_name_in_full_is_found(language: str, first: str, second: str, name: str) -> None:
    assert found(language, first, second) == [name]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Seen by Dr. [Okafor|DOCTOR].", "Okafor stain was used."),
        ("For [Ann Okafor|PATIENT].", "A wound, Ann Okafor said."),
        ("Seen by [Ann Okafor|DOCTOR].", "Seen by [Ann Okafor|DOCTOR]."),
        ("Seen by [A. B.|DOCTOR].", "Hepatitis A. B. is none."),
        ("In [Rosehill|CITY].", "To Rosehill Road."),
    ],
)
def test_less_than_that_holds_nothing_up(first: str, second: str) -> None:
    assert found("en", first, second) == []
