"""F9 says what it does not look for, where a reader would take two writings for the same."""

import pytest
from PySide6.QtCore import Qt

from tests.annotator.page import press

LIMITS = {
    ("張偉", "姓名：張偉。张伟已服药。\n"): "simplified characters for traditional ones",
    ("عبد الرحمن", "عبد الرحمن\nخرج عبدالرحمن.\n"): "names written together",
    ("Lindqvist", "Mary Lindqvist came. Mary left.\n"): "",
}


@pytest.fixture(params=list(LIMITS), ids=["Chinese", "Arabic", "English"])
def record(request):
    return request.param


@pytest.fixture
def texts(record):
    return {"1-01": record[1]}


def test_it_says_what_it_did_not_look_for(tagged, record):
    press(tagged, Qt.Key.Key_F9)
    said = tagged.statusBar().currentMessage()
    assert "tagged everywhere" in said
    assert LIMITS[record] in said
    assert ("Not looked for" in said) == bool(LIMITS[record])
