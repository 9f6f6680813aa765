"""What is tagged by keys decides, on the page, what is suggested on the same name."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from annotator.ui.main_window import AnnotationWindow
from shared.formats.base import Record
from shared.model import Document
from shared.model.i2b2_2014 import I2B2_2014
from shared.project.project import Project
from shared.project.settings import Policy
from shared.widgets.document.marks import MarkStyle
from tests.annotator.page import press, put_caret, wait_for_suggestions

TEXT = (
    "Greta Teasdale is 50.\nSeen by Greta Teasdale, MD, on 1 May\n2070.\n"
    "GRETA TEASDALE\nUltram 50 mg. Dr. Teasdale."
)


@pytest.fixture
def opened(qtbot, tmp_path):
    def open_with(policy):
        record = Record(Document("1-01", "1", TEXT))
        project = Project.create(tmp_path / "p", "p", I2B2_2014, [record], ["ana", "ben"], 1)
        project.set_suggestions(project.suggestions.changed("ana", policy))
        window = AnnotationWindow(project, "ana")
        qtbot.addWidget(window)
        window.show()
        window.open_patient("1")
        qtbot.waitUntil(window.view.hasFocus)
        about = "no suggestions" if policy is Policy.OFF else "From the rules"
        qtbot.waitUntil(lambda: about in window._parts.suggestions.about, timeout=20_000)
        wait_for_suggestions(window, qtbot)
        return window

    return open_with


def suggested(window):
    """The texts marked as suggestions, with the label of each."""
    return [
        (TEXT[each.start : each.end], each.label)
        for each in sorted(window.view.marks(), key=lambda each: each.start)
        if each.style is MarkStyle.SUGGESTION
    ]


def tag_first(window):
    """Drag over the first name with the mouse, and press the key of its type."""
    ends = []
    for offset in (0, len("Greta Teasdale")):
        window.view.set_caret(offset)
        ends.append(window.view.cursorRect().center())
    page = window.view.viewport()
    QTest.mousePress(page, Qt.MouseButton.LeftButton, pos=ends[0])
    QTest.mouseMove(page, ends[0] + QPoint(9, 0))
    QTest.mouseMove(page, ends[1])
    QTest.mouseRelease(page, Qt.MouseButton.LeftButton, pos=ends[1])
    press(window, Qt.Key.Key_T)


def test_a_name_tagged_as_the_patients_is_no_doctors_any_more(opened):
    window = opened(Policy.RULES)
    assert ("Greta Teasdale", "DOCTOR") in suggested(window)
    assert ("1 May\n2070", "DATE") in suggested(window)
    tag_first(window)
    after = suggested(window)
    assert ("Greta Teasdale", "PATIENT") in after
    assert ("GRETA TEASDALE", "PATIENT") in after
    assert ("Greta Teasdale", "DOCTOR") not in after
    assert ("Teasdale", "DOCTOR") in after  # with a title of its own
    press(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert ("Greta Teasdale", "DOCTOR") in suggested(window)
    assert "PATIENT" not in {label for _, label in suggested(window)}


def test_enter_accepts_what_the_tags_suggest(opened):
    window = opened(Policy.RULES)
    tag_first(window)
    put_caret(window, "GRETA")
    press(window, Qt.Key.Key_Return)
    (tag,) = [each for each in window.session.tags if each.start == TEXT.index("GRETA")]
    assert tag.phi_type.name == "PATIENT"
    assert window._parts.suggestions.figures.split()[0] == str(len(suggested(window)))


def test_where_suggestions_are_off_the_tags_suggest_nothing(opened):
    window = opened(Policy.OFF)
    tag_first(window)
    assert len(window.session.tags) == 1
    assert suggested(window) == []
