"""F1 opens the section about what stands at the caret, the project's own before any other."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QDockWidget, QLabel

from annotator.ui.main_window import AnnotationWindow
from shared.widgets.window.guideline_browser import GuidelineBrowser
from tests.annotator.page import press, put_caret


@pytest.fixture
def guideline(project):
    folder = project.root / "guidelines"
    folder.mkdir()
    (folder / "ward.md").write_text("# Ward\n\n## Doctors\n\nInitials too.\n\n## DATE\n\nAll.\n")
    return folder / "ward.md"


@pytest.fixture
def opened(qtbot, project, guideline):
    made = AnnotationWindow(project, "ana")
    qtbot.addWidget(made)
    made.show()
    made.open_patient(None)
    qtbot.waitUntil(made.view.hasFocus)
    return made


def heading(window):
    return window.findChild(GuidelineBrowser).textCursor().block().text()


def dock_title(window):
    return window.findChild(QDockWidget, "dock.guidelines").windowTitle()


def test_f1_on_a_tag_opens_the_projects_section_about_it(opened):
    put_caret(opened, "Lee")
    press(opened, Qt.Key.Key_O)
    put_caret(opened, "Lee")
    press(opened, Qt.Key.Key_F1)
    assert heading(opened) == "Doctors"
    put_caret(opened, "Boston")
    press(opened, Qt.Key.Key_C)
    put_caret(opened, "Boston")
    press(opened, Qt.Key.Key_F1)
    assert heading(opened) == "CITY"


def test_the_title_of_the_pane_says_that_there_is_something_new(opened):
    assert dock_title(opened) == "Guidelines (new)"


def test_a_type_without_a_section_is_said(opened, monkeypatch):
    monkeypatch.setattr(opened._parts.guidelines, "open_type", lambda _: False)
    put_caret(opened, "Lee")
    press(opened, Qt.Key.Key_O)
    press(opened, Qt.Key.Key_F1)
    assert opened.statusBar().currentMessage() == "The guidelines have no section on DOCTOR."


class TestRecordsInSpanish:
    @pytest.fixture
    def texts(self):
        text = (
            "La paciente ingresa el 3 de mayo con dolor en el pie. Dra. Quirós la ve por la tarde."
        )
        return {"1-01": text, "2-01": text}

    @pytest.fixture
    def guideline(self):
        """None of the project's own."""

    def test_f1_opens_guidelines_in_spanish(self, opened):
        put_caret(opened, "Quirós")
        press(opened, Qt.Key.Key_O)
        put_caret(opened, "Quirós")
        press(opened, Qt.Key.Key_F1)
        assert heading(opened) == "NOMBRE_PERSONAL_SANITARIO"
        assert dock_title(opened) == "Guidelines"

    def test_the_english_ones_are_called_so(self, opened):
        press(opened, Qt.Key.Key_F1)
        choice = opened.findChild(QComboBox, "guidelineChoice")
        QTest.keyClick(choice, Qt.Key.Key_End)
        note = opened.findChild(QLabel, "guidelineNote")
        assert note.isVisible()
        assert note.text() == "These are the i2b2 2014 guidelines, in English."
