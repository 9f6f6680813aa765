"""Which texts may be something else too."""

import pytest

from shared.language.ambiguity import ambiguity_reason
from tests.builders import traits


@pytest.mark.parametrize(
    ("text", "name", "reason"),
    [
        ("2/2", "DATE", "may be a score, a dose or “secondary to”"),
        ("53", "AGE", "a bare number may count something else"),
        ("2007", "DATE", "a bare number may count something else"),
        ("45678", "IDNUM", "a bare number may count something else"),
        ("KL", "DOCTOR", "so short that it may mean something else"),
        ("Long", "PATIENT", "also a common word"),
        ("Rosa", "PATIENT", "also a common word"),
        ("Foley", "DOCTOR", "also the name of a disease, a sign or a device"),
        ("PMH", "HOSPITAL", "an abbreviation that may stand for something else"),
    ],
)
def test_a_reason_to_look_twice(text: str, name: str, reason: str) -> None:
    assert ambiguity_reason(text, traits(name)) == reason


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Yamamoto", "PATIENT"),
        ("Ann Long", "PATIENT"),
        ("5/9/2007", "DATE"),
        ("1234567", "IDNUM"),
        ("MAMH", "HOSPITAL"),
        ("Foley Ward", "DEPARTMENT"),
    ],
)
def test_no_doubt(text: str, name: str) -> None:
    assert ambiguity_reason(text, traits(name)) is None
