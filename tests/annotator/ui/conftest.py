"""A project of two patients, or of other `texts`, and the window of one of its annotators."""

from unicodedata import bidirectional

import pytest
from PySide6.QtCore import Qt

from annotator.ui.main_window import AnnotationWindow
from shared.formats.base import Record
from shared.model import Document
from shared.model.i2b2_2014 import I2B2_2014
from shared.project.project import Project
from shared.project.settings import Policy
from tests.annotator.notes import note
from tests.annotator.page import TEXTS, press, tags


@pytest.fixture
def texts():
    return TEXTS


@pytest.fixture
def project(tmp_path, texts):
    records = [Record(Document(record_id, record_id[0], text)) for record_id, text in texts.items()]
    made = Project.create(tmp_path / "p", "p", I2B2_2014, records, ["ana", "ben"], 1)
    made.set_suggestions(made.suggestions.changed("ana", Policy.OFF))
    return made


@pytest.fixture
def window(qtbot, project):
    made = AnnotationWindow(project, "ana")
    qtbot.addWidget(made)
    made.show()
    made.open_patient(None)
    qtbot.waitUntil(made.view.hasFocus)
    return made


@pytest.fixture
def open_window(qtbot):
    """Open the window of an annotator on a patient."""

    def open_on(project, name="ben", patient="110"):
        window = AnnotationWindow(project, name, learns=False)
        qtbot.addWidget(window)
        with qtbot.waitActive(window):
            window.show()
        window.open_patient(patient)
        qtbot.waitUntil(window.view.hasFocus)
        return window

    return open_on


@pytest.fixture
def in_front(window):
    """The window with the notes in front of the other panes."""
    press(window, Qt.Key.Key_F12)
    note(window, "", Qt.Key.Key_Escape)
    return window


@pytest.fixture
def tagged(window, record, qtbot):
    """The window once the name of a `record`, a name in a text, is tagged once, by keys."""
    name, text = record
    window.view.set_caret(text.index(name))
    is_arabic = bidirectional(name[0]) == "AL"
    on = Qt.Key.Key_Left if is_arabic else Qt.Key.Key_Right  # as the eye goes
    while len(window.view.selected_span() or ()) < len(name):
        press(window, on, Qt.KeyboardModifier.ShiftModifier)
    press(window, Qt.Key.Key_T)
    qtbot.waitUntil(lambda: window._work.untagged._live is not None)
    assert [text for text, _ in tags(window)] == [name]
    return window
