"""The annotation window driven as its user drives it: real keys and real clicks."""

from pathlib import Path

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QTableView, QToolButton

from annotator.ui.main_window import AnnotationWindow
from shared.formats.base import Record
from shared.model import Document, Span
from shared.model.i2b2_2014 import I2B2_2014
from shared.project.assignments import State
from shared.project.project import Project
from shared.widgets.document.marks import MarkStyle
from shared.widgets.parts import manual_opener
from shared.widgets.parts.messages import StatusBanner
from shared.widgets.tags.annotate_all import AnnotateAllDialog
from shared.widgets.tags.type_palette import TypePicker
from tests.annotator.page import FIRST, click_at, press, put_caret, tags

CONTROL, SHIFT, ALT = (
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.AltModifier,
)


def test_a_letter_tags_the_word_at_the_caret(window):
    put_caret(window, "Lee")
    press(window, Qt.Key.Key_O)
    assert tags(window) == [("Lee", "DOCTOR")]


def test_a_letter_tags_the_selection(window):
    put_caret(window, "Kai Yamamoto")
    for _ in range(2):
        press(window, Qt.Key.Key_Right, CONTROL | SHIFT)
    press(window, Qt.Key.Key_T)
    assert tags(window) == [("Kai Yamamoto", "PATIENT")]


def test_a_category_with_several_types_asks_which(window, qtbot):
    put_caret(window, "Boston")
    press(window, Qt.Key.Key_3)
    picker = window.findChild(TypePicker)
    assert picker.isVisible()
    QTest.keyClicks(picker.focusWidget() or picker, "cit")
    QTest.keyClick(picker.focusWidget() or picker, Qt.Key.Key_Return)
    assert tags(window) == [("Boston", "CITY")]


def test_a_category_with_one_type_tags_at_once(window):
    put_caret(window, "5/9")
    press(window, Qt.Key.Key_5)
    assert tags(window) == [("5/9", "DATE")]


def test_another_letter_retypes(window):
    put_caret(window, "Lee")
    press(window, Qt.Key.Key_O)
    press(window, Qt.Key.Key_T)
    assert tags(window) == [("Lee", "PATIENT")]


def test_delete_and_undo_and_redo(window):
    put_caret(window, "Lee")
    press(window, Qt.Key.Key_O)
    press(window, Qt.Key.Key_Delete)
    assert tags(window) == []
    press(window, Qt.Key.Key_Z, CONTROL)
    assert tags(window) == [("Lee", "DOCTOR")]
    press(window, Qt.Key.Key_Z, CONTROL | SHIFT)
    assert tags(window) == []


def test_moving_the_edges(window):
    put_caret(window, "Yamamoto")
    press(window, Qt.Key.Key_T)
    press(window, Qt.Key.Key_Left, ALT | SHIFT)
    assert tags(window) == [("Kai Yamamoto", "PATIENT")]
    press(window, Qt.Key.Key_Up, ALT)
    press(window, Qt.Key.Key_Right, ALT)
    assert tags(window) == [("ai Yamamot", "PATIENT")]


def test_annotate_all_is_one_step(window, qtbot):
    put_caret(window, "Kai Yamamoto")
    for _ in range(2):
        press(window, Qt.Key.Key_Right, CONTROL | SHIFT)
    press(window, Qt.Key.Key_T)
    press(window, Qt.Key.Key_A)
    dialog = window.findChild(AnnotateAllDialog)
    table = dialog.findChild(QTableView)
    qtbot.waitUntil(table.hasFocus)
    assert dialog.count_text == "2 of 3 ticked"
    QTest.keyClick(table, Qt.Key.Key_Return)
    texts = [text for text, _ in tags(window)]
    assert texts == ["Kai Yamamoto", "Kai\nYamamoto", "Kai Yamamoto"]
    qtbot.waitUntil(window.view.hasFocus)
    press(window, Qt.Key.Key_Z, CONTROL)
    assert len(tags(window)) == 1


def test_the_context_of_a_place_ends_with_its_record(window, qtbot):
    put_caret(window, "Lee")
    press(window, Qt.Key.Key_O)
    press(window, Qt.Key.Key_A)
    dialog = window.findChild(AnnotateAllDialog)
    qtbot.waitUntil(dialog.findChild(QTableView).hasFocus)
    last = [row for row in dialog.model.rows if row.record_id == "1-01"][-1]
    assert last.after == FIRST.rpartition("Lee")[2]
    dialog.reject()


def test_an_armed_type_tags_at_every_click(window):
    window.findChild(QToolButton, "type.NAME:DOCTOR").click()
    click_at(window, "Lee")
    click_at(window, "Lee", 2)
    assert tags(window) == [("Lee", "DOCTOR"), ("Lee", "DOCTOR")]
    press(window, Qt.Key.Key_Escape)
    click_at(window, "Boston")
    assert len(tags(window)) == 2


def test_a_drag_and_a_letter(window):
    view = window.view
    put_caret(window, "amamoto")
    start = view.cursorRect().center()
    put_caret(window, "moto,")
    end = view.cursorRect().center()
    viewport, left = view.viewport(), Qt.MouseButton.LeftButton
    QTest.mousePress(viewport, left, pos=start)
    QTest.mouseMove(viewport, (start + end) / 2)
    QTest.mouseMove(viewport, end)
    QTest.mouseRelease(viewport, left, pos=end)
    press(window, Qt.Key.Key_T)
    assert tags(window) == [("Yamamoto", "PATIENT")]


def test_next_and_previous_tag(window):
    for which in (0, 1):
        put_caret(window, "Lee", which)
        press(window, Qt.Key.Key_O)
    window.view.set_caret(0)
    press(window, Qt.Key.Key_N)
    assert window.view.caret() == FIRST.index("Lee")
    press(window, Qt.Key.Key_N)
    press(window, Qt.Key.Key_P)
    assert window.view.caret() == FIRST.index("Lee")


def test_untagged_occurrences_are_marked_and_walked_and_tagged(window, qtbot):
    put_caret(window, "Lee")
    press(window, Qt.Key.Key_O)
    qtbot.waitUntil(lambda: len(window.view.marks()) == 3)
    styles = [each.style for each in window.view.marks()]
    assert styles.count(MarkStyle.UNTAGGED) == 2
    press(window, Qt.Key.Key_F9)
    press(window, Qt.Key.Key_Return)
    assert tags(window) == [("Lee", "DOCTOR"), ("Lee", "DOCTOR")]


def test_enter_goes_on_to_the_next_untagged_place_until_all_are_tagged(window, qtbot):
    put_caret(window, "Lee")
    press(window, Qt.Key.Key_O)
    qtbot.waitUntil(lambda: len(window.view.marks()) == 3)
    for key in (Qt.Key.Key_F9, Qt.Key.Key_Return):
        press(window, key)
    last = window.view.selected_span()
    assert window.view.merged_view.text[last.start : last.end] == "Lee"
    press(window, Qt.Key.Key_Return)
    assert tags(window) == [("Lee", "DOCTOR")] * 3
    assert "tagged everywhere" in window.statusBar().currentMessage()
    press(window, Qt.Key.Key_Return)
    assert tags(window) == [("Lee", "DOCTOR")] * 3


def test_enter_on_an_untagged_place_that_was_not_walked_to_stays_there(window, qtbot):
    put_caret(window, "Lee")
    press(window, Qt.Key.Key_O)
    qtbot.waitUntil(lambda: len(window.view.marks()) == 3)
    put_caret(window, "Lee", 1)
    press(window, Qt.Key.Key_Return)
    assert tags(window) == [("Lee", "DOCTOR")] * 2
    assert window.view.selected_span() is None


def test_a_double_click_tags_an_untagged_occurrence(window, qtbot):
    put_caret(window, "Lee")
    press(window, Qt.Key.Key_O)
    qtbot.waitUntil(lambda: len(window.view.marks()) == 3)
    second = FIRST.index("Lee", FIRST.index("Lee") + 1)
    window.view.set_caret(second)
    place = window.view.cursorRect().center() + QPoint(2, 0)
    QTest.mouseClick(window.view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    QTest.mouseDClick(window.view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert tags(window) == [("Lee", "DOCTOR"), ("Lee", "DOCTOR")]


def test_the_title_names_no_patient(window):
    assert "1" not in window.windowTitle()


def test_f1_opens_the_section_of_the_type(window):
    put_caret(window, "Lee")
    press(window, Qt.Key.Key_O)
    press(window, Qt.Key.Key_F1)
    assert window._parts.guidelines.isVisible()


def test_shift_f1_opens_the_manual_or_says_why_not(window, monkeypatch):
    for built, said in ((Path("/manual/index.html"), "browser"), (None, "make manual")):
        monkeypatch.setattr(manual_opener, "manual_page", lambda _, built=built: built)
        monkeypatch.setattr(manual_opener.QDesktopServices, "openUrl", lambda url: True)
        press(window, Qt.Key.Key_F1, Qt.KeyboardModifier.ShiftModifier)
        assert said in window.statusBar().currentMessage()


def test_a_comment_is_kept(window):
    put_caret(window, "Lee")
    press(window, Qt.Key.Key_O)
    (placed,) = window.session.tags
    window.editor.comment(placed.key, "the cardiologist")
    (placed,) = window.session.tags
    assert (placed.tag.comment, placed.span) == ("the cardiologist", Span(26, 29))


def test_patient_done_says_what_was_never_on_the_screen(qtbot, tmp_path):
    text = "Nobody.\n" * 400
    records = [Record(Document(name, "1", text)) for name in ("1-01", "1-02")]
    project = Project.create(tmp_path / "p", "p", I2B2_2014, records, ["ana", "ben"], 1)
    window = AnnotationWindow(project, "ana")
    qtbot.addWidget(window)
    window.show()
    window.open_patient("1")
    qtbot.waitUntil(window.view.hasFocus)
    press(window, Qt.Key.Key_D, CONTROL)
    assert "1-01, 1-02" in window.findChild(StatusBanner).text
    assert project.assignments()[0].state is State.BEGUN
    press(window, Qt.Key.Key_D, CONTROL)
    assert project.assignments()[0].state is State.DONE


def test_a_dot_repeats_the_last_tagging_on_the_selection(window):
    put_caret(window, "Lee")
    press(window, Qt.Key.Key_O)
    start = FIRST.index("Boston")
    window.view.select(Span(start, start + 6))
    press(window, Qt.Key.Key_Period)
    assert tags(window) == [("Lee", "DOCTOR"), ("Boston", "DOCTOR")]


def test_a_dot_goes_from_search_hit_to_search_hit(window, qtbot):
    put_caret(window, "Lee")
    press(window, Qt.Key.Key_O)
    window.view.set_caret(0)
    press(window, Qt.Key.Key_F, CONTROL)
    QTest.keyClicks(window.focusWidget(), "Lee")
    window.view.setFocus()
    window.view.set_caret(FIRST.index("Lee") + 1)
    for _ in range(2):
        press(window, Qt.Key.Key_Period)
    assert tags(window) == [("Lee", "DOCTOR")] * 3


def test_commands_are_found_by_their_words(window, qtbot):
    put_caret(window, "Lee")
    press(window, Qt.Key.Key_K, CONTROL)
    QTest.keyClicks(window.focusWidget(), "doctor")
    QTest.keyClick(window.focusWidget(), Qt.Key.Key_Return)
    assert tags(window) == [("Lee", "DOCTOR")]


def test_a_guideline_note_is_shown_and_mended_by_one_key(window, qtbot):
    start = FIRST.index("Dr. Lee")
    window.view.select(Span(start, start + 7))
    press(window, Qt.Key.Key_O)
    qtbot.waitUntil(lambda: any(mark.note for mark in window.view.marks()))
    press(window, Qt.Key.Key_F4)
    assert "F2 fixes it" in window.statusBar().currentMessage()
    press(window, Qt.Key.Key_F2)
    assert tags(window) == [("Lee", "DOCTOR")]
    qtbot.waitUntil(lambda: not any(mark.note for mark in window.view.marks()))
    press(window, Qt.Key.Key_Z, CONTROL)
    assert tags(window) == [("Dr. Lee", "DOCTOR")]


def test_two_types_on_one_text_are_noted_on_both(window, qtbot):
    put_caret(window, "Lee")
    press(window, Qt.Key.Key_O)
    put_caret(window, "Lee", 1)
    press(window, Qt.Key.Key_T)
    qtbot.waitUntil(lambda: sum(bool(mark.note) for mark in window.view.marks()) == 2)
    press(window, Qt.Key.Key_O)
    qtbot.waitUntil(lambda: not any(mark.note for mark in window.view.marks()))


def test_notes_are_of_the_language_of_the_project(qtbot, tmp_path):
    text = "Gesehen von Oberarzt Lang.\n"
    records, folder = [Record(Document("1-01", "1", text))], tmp_path / "g"
    people = ["ana", "ben"]
    german = Project.create(folder, "g", I2B2_2014, records, people, 1, language="de")
    window = AnnotationWindow(german, "ana", learns=False)
    qtbot.addWidget(window)
    window.show()
    window.open_patient(None)
    qtbot.waitUntil(window.view.hasFocus)
    window.view.select(Span(text.index("Oberarzt"), text.index(".")))
    press(window, Qt.Key.Key_O)
    qtbot.waitUntil(lambda: any(mark.note for mark in window.view.marks()))
