"""One key tags an age or a name without its ending, in the language of the records."""

import pytest
from PySide6.QtCore import Qt

from tests.annotator.page import press, put_caret, tags

AGES = {
    "English": ("The patient is a 56-year-old man and was seen for his cough.", "56-y"),
    "German": ("Der Patient ist ein 56-jähriger Mann und wurde wegen Husten gesehen.", "56-j"),
    "German in one word": ("Die Patientin ist eine 56jährige Frau und war nicht allein.", "56j"),
    "Spanish": ("Se trata de un varón de 56años que acude por tos y fiebre.", "56a"),
}


@pytest.fixture(params=list(AGES), ids=list(AGES))
def record(request):
    return AGES[request.param]


@pytest.fixture
def texts(record):
    return {"1-01": record[0]}


def test_an_age_is_tagged_without_what_makes_it_one(window, record):
    put_caret(window, record[1])
    press(window, Qt.Key.Key_G)
    assert tags(window) == [("56", "AGE")]
