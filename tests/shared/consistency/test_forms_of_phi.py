"""What has the form or place of PHI is found untagged: numbers, addresses, days, ages, names."""

import tomllib
from pathlib import Path

import pytest

from shared.consistency.check import check_patient
from shared.consistency.findings import LIKELY
from shared.consistency.patient_records import PatientRecords
from shared.model import Document, Layer, Span
from shared.model.i2b2_2014 import I2B2_2014

FORMS = tomllib.loads((Path(__file__).parent / "forms_of_phi.toml").read_text("utf-8"))
EVERY = [
    (language, said)
    for language, each in FORMS.items()
    for said in (
        *map(each["called"].format, each["phones"]),
        *each["numbers"],
        *each["days_and_ages"],
        *each["names"],
    )
]
VALUES = [(language, said) for language, each in FORMS.items() for said in each["values"]]


def found_in(language: str, said: str) -> tuple[str, list[Span]]:
    """A record that says so, without brackets, and the likely findings in it."""
    text = FORMS[language]["around"].format(said.replace("[", "").replace("]", ""))
    record, layer = Document("1-01", "1", text), Layer.of("1-01", "gold", ())
    found = check_patient(PatientRecords((record,), (layer,), I2B2_2014))
    return text, [each.span for each in found if each.certainty >= LIKELY]


@pytest.mark.parametrize(("language", "said"), EVERY)
def test_none_is_passed_over(language: str, said: str) -> None:
    text, found = found_in(language, said)
    before, phi = said.partition("]")[0].split("[")
    start = FORMS[language]["around"].index("{") + len(before)
    place = Span(start, start + len(phi))
    assert place.text_in(text) == phi
    assert any(each.overlaps(place) for each in found)


@pytest.mark.parametrize(("language", "said"), VALUES)
def test_values_are_none(language: str, said: str) -> None:
    text, found = found_in(language, said)
    place = Span(text.index(said), text.index(said) + len(said))
    assert not [each for each in found if each.overlaps(place)]
