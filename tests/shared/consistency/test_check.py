"""The check of one patient as a whole."""

import pytest

from shared.consistency.check import check_patient
from tests.builders import document, tagged_records

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
