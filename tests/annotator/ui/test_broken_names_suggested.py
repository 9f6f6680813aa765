"""A name over the end of a line is suggested whole by the rules where it stands whole elsewhere."""

import pytest
from PySide6.QtCore import Qt

from shared.project.settings import Policy
from tests.annotator.page import press, tags, wait_for_suggestions

RECORDS = {
    "Spanish": (
        "El paciente acude solo a la consulta y refiere que habló con el Dr. Iñaki\n"
        "Lizarralde, que aumentó la dosis.\nMédico: Dr. Iñaki Lizarralde.\n",
        "Iñaki\nLizarralde",
    ),
    "German": (
        "Die Patientin wurde auf die Station aufgenommen und beraten durch Dr. Rüdiger\n"
        "Haßlacher, der die Dosis erhöhte.\nGezeichnet: Dr. Rüdiger Haßlacher.\n",
        "Rüdiger\nHaßlacher",
    ),
}


@pytest.fixture(params=list(RECORDS))
def record(request):
    return RECORDS[request.param]


@pytest.fixture
def texts(record):
    return {"1-01": record[0]}


@pytest.fixture
def project(project):
    project.set_suggestions(project.suggestions.changed("ana", Policy.RULES))
    return project


def test_one_key_tags_a_broken_name_whole(window, record, qtbot):
    wait_for_suggestions(window, qtbot)
    press(window, Qt.Key.Key_F8)
    press(window, Qt.Key.Key_Return)
    assert tags(window) == [(record[1], "DOCTOR")]
