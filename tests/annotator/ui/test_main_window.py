"""The annotation window driven as its user drives it: real keys and real clicks."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QTableView, QToolButton

from annotator.ui.main_window import AnnotationWindow
from shared.errors import StorageError
from shared.formats.record_folder import FolderRecord
from shared.model import Document, Span
from shared.model.i2b2_2014 import I2B2_2014
from shared.project.assignments import State
from shared.project.project import Project
from shared.project.suggestion_policy import Policy
from shared.widgets.document.marks import MarkStyle
from shared.widgets.parts.messages import StatusBanner
from shared.widgets.tags.annotate_all_dialog import AnnotateAllDialog
from shared.widgets.tags.type_picker import TypePicker

FIRST = "Kai Yamamoto, seen by Dr. Lee on 5/9 in Boston.\nKai\nYamamoto's wife called Lee."
TEXTS = {"1-01": FIRST, "1-02": "Kai Yamamoto again, 😀 Lee.", "2-01": "Nothing here."}
CONTROL, SHIFT, ALT = (
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.AltModifier,
)


@pytest.fixture
def project(tmp_path):
    records = [
        FolderRecord(Document(record_id, record_id[0], text)) for record_id, text in TEXTS.items()
    ]
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


def put_caret(window, text, which=0):
    offset = -1
    for _ in range(which + 1):
        offset = window.view.merged_view.text.index(text, offset + 1)
    window.view.set_caret(offset)


def press(window, key, modifiers=Qt.KeyboardModifier.NoModifier):
    QTest.keyClick(window.view, key, modifiers)


def tags(window):
    text = window.view.merged_view.text
    return [(each.span.text_in(text), each.phi_type.name) for each in window.session.tags]


def click_at(window, text, which=0):
    put_caret(window, text, which)
    place = window.view.cursorRect().center() + QPoint(3, 0)
    QTest.mouseClick(window.view.viewport(), Qt.MouseButton.LeftButton, pos=place)


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


def test_done_saves_and_goes_on(window, project):
    put_caret(window, "Lee", 2)
    press(window, Qt.Key.Key_O)
    press(window, Qt.Key.Key_D, CONTROL)
    assert window.session.patient_id == "2"
    assert project.assignments()[0].state is State.DONE
    document = project.patient("1").document("1-02")
    (tag,) = project.read_layer("ana", document).layer.tags
    assert tag.span.text_in(document.text) == "Lee"


def test_closing_saves(window, project):
    put_caret(window, "Lee")
    press(window, Qt.Key.Key_O)
    assert window.close()
    assert project.layer_path("ana", "1-01").exists()


def test_saving_that_fails_is_said_and_nothing_is_lost(window, project, monkeypatch):
    def refuse(*_):
        raise StorageError("layers", "no space left on device; free some space, then try again")

    put_caret(window, "Lee")
    press(window, Qt.Key.Key_O)
    monkeypatch.setattr(project, "write_layer", refuse)
    assert not window.close()
    assert "no space" in window.findChild(StatusBanner).text
    monkeypatch.undo()
    assert window.close()
    assert project.layer_path("ana", "1-01").exists()


def test_a_save_by_itself_that_fails_says_nothing_of_closing(window, project, monkeypatch, qtbot):
    def refuse(*_):
        raise StorageError("layers", "no space left on device; free some space, then try again")

    put_caret(window, "Lee")
    press(window, Qt.Key.Key_O)
    monkeypatch.setattr(project, "write_layer", refuse)
    press(window, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    banner = window.findChild(StatusBanner)
    qtbot.waitUntil(lambda: "the files are tried again" in banner.text)
    assert "Closing" not in banner.text
    assert not window.close()
    assert "Closing the window once more leaves" in banner.text
    monkeypatch.undo()


def test_a_broken_layer_is_said_and_the_other_patient_opens(window, project):
    window.open_patient("2")
    path = project.layer_path("ana", "1-01")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("<deIdi2b2>")
    window.open_patient("1")
    assert str(path) in window.findChild(StatusBanner).text
    assert window.session is None
    window.open_patient("2")
    assert window.session.patient_id == "2"


def test_a_patient_open_elsewhere_is_said(window, project, qtbot):
    other = AnnotationWindow(project, "ana")
    qtbot.addWidget(other)
    other.open_patient("1")
    assert "ana" in other.findChild(StatusBanner).text
    assert other.session is None


def test_the_title_names_no_patient(window):
    assert "1" not in window.windowTitle()


def test_f1_opens_the_section_of_the_type(window):
    put_caret(window, "Lee")
    press(window, Qt.Key.Key_O)
    press(window, Qt.Key.Key_F1)
    assert window._parts.guidelines.isVisible()


def test_a_comment_is_kept(window):
    put_caret(window, "Lee")
    press(window, Qt.Key.Key_O)
    (placed,) = window.session.tags
    window.editor.comment(placed.key, "the cardiologist")
    (placed,) = window.session.tags
    assert (placed.tag.comment, placed.span) == ("the cardiologist", Span(26, 29))


def test_assignments_that_cannot_be_read_are_said(window, project):
    (project.root / "assignments.csv").write_text("nonsense")
    window.open_patient("2")
    assert "assignments.csv" in window.findChild(StatusBanner).text
    press(window, Qt.Key.Key_PageDown, CONTROL)
    assert window.session.patient_id == "1"


def test_patient_done_says_what_was_never_on_the_screen(qtbot, tmp_path):
    text = "Nobody.\n" * 400
    records = [FolderRecord(Document(name, "1", text)) for name in ("1-01", "1-02")]
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


def test_work_goes_on_while_the_project_folder_is_away(window, project, tmp_path, qtbot):
    away = project.root.with_name("away")
    project.root.rename(away)
    put_caret(window, "Lee")
    press(window, Qt.Key.Key_O)
    assert tags(window) == [("Lee", "DOCTOR")]
    assert "in memory only" in window.findChild(StatusBanner).text
    assert not window.close()
    away.rename(project.root)
    assert window.close()
    document = project.patient("1").document("1-01")
    assert len(project.read_layer("ana", document).layer.tags) == 1


def test_a_rescue_file_brings_the_work_into_another_window(window, project, tmp_path, qtbot):
    project.root.rename(project.root.with_name("away"))
    put_caret(window, "Lee")
    press(window, Qt.Key.Key_O)
    window._keeping.rescue.keep_in(str(tmp_path / "rescue.jsonl"))
    assert "rescue file" in window.findChild(StatusBanner).text
    window.close()
    window.close()
    project.root.with_name("away").rename(project.root)
    for lock in project.root.glob("journal/**/*.lock"):
        lock.unlink()  # as after the death of the program on another computer
    again = AnnotationWindow(project, "ana")
    qtbot.addWidget(again)
    again.open_patient("1")
    assert tags(again) == []
    again._keeping.rescue.take_up(str(tmp_path / "rescue.jsonl"))
    assert tags(again) == [("Lee", "DOCTOR")]


def test_a_guideline_note_is_shown_and_mended_by_one_key(window, qtbot):
    start = FIRST.index("Dr. Lee")
    window.view.select(Span(start, start + 7))
    press(window, Qt.Key.Key_O)
    qtbot.waitUntil(lambda: any(mark.note for mark in window.view.marks()))
    press(window, Qt.Key.Key_F4)
    assert "F2 mends it" in window.statusBar().currentMessage()
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
