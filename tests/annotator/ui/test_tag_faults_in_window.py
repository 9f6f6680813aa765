"""Faults of tags are findings as soon as they are made, by real keys."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from annotator.ui.main_window import AnnotationWindow
from shared.formats.base import Record
from shared.model import Layer, Span, Tag
from shared.model.i2b2_2014 import I2B2_2014
from shared.project.project import Project
from shared.project.settings import Policy
from shared.widgets.findings.finding_pane import FindingPane
from tests.builders import document, marked_up, phi

SOURCE = "[Mercy General Hospital|HOSPITAL]: Mrs. Var-\nga came on March 3, 1997."


@pytest.fixture
def window(qtbot, tmp_path):
    return opened(qtbot, tmp_path)


def opened(qtbot, tmp_path, *more):
    """The window on a patient with two places that are not tagged yet, and with `more` tags."""
    made = Project.create(
        tmp_path / "p", "p", I2B2_2014, [Record(document(SOURCE, "1-01"))], ["ana", "ben"], 1
    )
    made.set_suggestions(made.suggestions.changed("ana", Policy.OFF))
    (one,) = made.patient("1").documents
    made.write_layer("ana", one, Layer.of("1-01", "ana", [*marked_up(SOURCE)[1], *more]), None)
    window = AnnotationWindow(made, "ana")
    qtbot.addWidget(window)
    window.show()
    window.open_patient("1")
    qtbot.waitUntil(window.view.hasFocus)
    qtbot.waitUntil(lambda: len(found(window)) == 2 + len(more), timeout=20_000)
    return window


def found(window) -> list[tuple[str, str]]:
    rows = window.findChild(FindingPane).model.all_rows
    return [(each.kind.value, each.text) for each in rows]


def faults(window) -> list[tuple[str, str]]:
    return [each for each in found(window) if each[0] != "lookalike"]


def marks(window) -> list[tuple[str, str]]:
    text = window.view.merged_view.text
    return [(each.span.text_in(text), each.phi_type.name) for each in window.session.tags]


def fault_made(window, qtbot, text: str, name: str, fault: tuple[str, str]) -> None:
    """Tag text as a suggestion or another program would, and wait until it is a finding."""
    start = window.view.merged_view.text.index(text)
    span = Span(start, start + len(text))
    window.editor.carry_out(lambda: window.session.tag(span, phi(name)))
    qtbot.waitUntil(lambda: faults(window) == [fault], timeout=20_000)


def fixed(window, qtbot) -> None:
    QTest.keyClick(window.view, Qt.Key.Key_F3)
    while window.findChild(FindingPane).current.kind.value == "lookalike":
        QTest.keyClick(window.view, Qt.Key.Key_F3)
    QTest.keyClick(window.view, Qt.Key.Key_M, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: faults(window) == [], timeout=20_000)


def test_half_a_word_is_made_whole(window, qtbot):
    fault_made(window, qtbot, "Var-", "PATIENT", ("boundary", "Var-"))
    fixed(window, qtbot)
    assert ("Var-\nga", "PATIENT") in marks(window)


def test_a_date_gets_its_year(window, qtbot):
    fault_made(window, qtbot, "March 3", "DATE", ("boundary", "March 3"))
    fixed(window, qtbot)
    assert ("March 3, 1997", "DATE") in marks(window)


def test_a_twin_within_a_tag_goes(qtbot, tmp_path):
    window = opened(qtbot, tmp_path, Tag(Span(0, 5), phi("HOSPITAL")))
    assert faults(window) == [("overlap", "Mercy")]
    fixed(window, qtbot)
    assert marks(window) == [("Mercy General Hospital", "HOSPITAL")]


def test_a_tag_within_one_of_another_type_is_told_and_left_to_the_annotator(window, qtbot):
    fault_made(window, qtbot, "Mercy", "ORGANIZATION", ("overlap", "Mercy"))
    before = marks(window)
    (at,) = [each for each in window.findChild(FindingPane).model.all_rows if each.text == "Mercy"]
    assert at.why.endswith("a release leaves it out")
    QTest.keyClick(window.view, Qt.Key.Key_M, Qt.KeyboardModifier.ControlModifier)
    assert ("Mercy", "ORGANIZATION") in marks(window)
    assert before[0] in marks(window)
