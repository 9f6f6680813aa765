"""The check of one patient as a whole."""

import pytest

from shared.consistency.check import check_patient
from shared.consistency.findings import LIKELY
from tests.builders import document, layer, tagged_records

TEXT = "[Yamamoto|DOCTOR] came. Later Yamamoto left."


class EnoughError(Exception):
    """Somebody does not want to wait."""


def test_it_can_be_ended_between_records():
    asked = []

    def enough() -> None:
        asked.append(1)
        if len(asked) > 1:
            raise EnoughError

    documents = [document(TEXT, f"1-0{number}") for number in (1, 2)]
    with pytest.raises(EnoughError):
        check_patient(tagged_records(documents, []), between=enough)
    assert len(asked) == 2


WORDS = "[Bo Long|DOCTOR] met [Short|PATIENT]. A long walk, a short one; Long ago, LONG, bo long."


def test_what_is_not_likely_changes_nothing_of_what_is():
    patient = tagged_records(
        [document(WORDS, "1-01"), document(TEXT, "1-02")],
        [layer(WORDS, "1-01"), layer(TEXT, "1-02")],
    )
    every = check_patient(patient, certainty=0.0)
    likely = tuple(each for each in every if each.certainty >= LIKELY)
    assert check_patient(patient) == likely
    assert len(likely) < len(every)
