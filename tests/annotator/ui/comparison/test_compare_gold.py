"""Own tags beside the gold standard: by keys and clicks, to be looked at only, never too early."""

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QTableView, QToolButton

from adjudicator.decisions import DecisionChoice
from adjudicator.session import AdjudicationSession
from annotator.session import AnnotationSession
from shared.model import PhiType, Span
from shared.widgets.document.marks import MarkStyle
from shared.widgets.records.view_tracker import LOOK_MS
from tests.annotator.comparing import (
    COMPARE,
    SHIFT,
    banner,
    digest,
    is_comparing,
    label,
    marks,
    row,
    rows,
    said,
    selected,
)
from tests.annotator.gold import project_that_shows_gold
from tests.annotator.page import press
from tests.menus import type_to


def test_a_key_shows_what_differs_from_the_first_difference_on(window):
    assert not is_comparing(window)
    press(window, *COMPARE)
    assert is_comparing(window)
    assert rows(window) == [
        ("Lee", "type", "PATIENT", "DOCTOR"),
        ("May 9", "too short", "DATE", "DATE"),
        ("Ann", "missed", "no tag", "PATIENT"),
    ]
    assert label(window, "comparisonCount") == "3 differences from the gold standard, 1 tag alike"
    assert (selected(window), row(window)) == ("Lee", [0])
    assert marks(window) == [
        ("Lee", "yours PATIENT", "FIRST"),
        ("Lee", "gold DOCTOR", "SECOND"),
        ("Mercy", "HOSPITAL", "TAG"),
        ("May", "yours DATE", "FIRST"),
        ("May 9", "gold DATE", "SECOND"),
        ("Ann", "gold PATIENT", "SECOND"),
    ]
    assert banner(window).startswith("Patient 110 beside the gold standard, to read only")


def test_f8_goes_through_the_differences_and_around(window):
    press(window, *COMPARE)
    seen = []
    for _ in range(3):
        press(window, Qt.Key.Key_F8)
        seen.append((selected(window), row(window), said(window)))
    assert seen == [
        ("May 9", [1], "Difference 2 of 3."),
        ("Ann", [2], "Difference 3 of 3."),
        ("Lee", [0], "Difference 1 of 3."),
    ]
    press(window, Qt.Key.Key_F8, Qt.KeyboardModifier.ShiftModifier)
    assert selected(window) == "Ann"
    press(window, Qt.Key.Key_F8, Qt.KeyboardModifier.ShiftModifier)
    assert selected(window) == "May 9"


def test_f8_goes_on_from_where_the_caret_is(window):
    press(window, *COMPARE)
    window.view.set_caret(window.view.merged_view.text.index("Mercy"))
    assert row(window) == []
    press(window, Qt.Key.Key_F8)
    assert selected(window) == "May 9"


def test_what_the_adjudicator_wrote_stands_with_its_difference_alone(window):
    press(window, *COMPARE)
    assert label(window, "comparisonAbout") == (
        "Record 110-01\nYou: PATIENT “Lee”\nGold standard: DOCTOR “Lee”\n"
        "Adjudicator: Title before the name, as [another annotator] says"
    )
    press(window, Qt.Key.Key_F8)
    assert label(window, "comparisonAbout") == (
        "Record 110-01\nYou: DATE “May”\nGold standard: DATE “May 9”"
    )


def test_a_click_on_a_row_or_in_the_text_goes_there(window):
    press(window, *COMPARE)
    table = window.findChild(QTableView, "comparisonTable")
    place = table.visualRect(table.model().index(2, 0)).center()
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert selected(window) == "Ann"
    window.view.set_caret(window.view.merged_view.text.index("May"))
    place = window.view.cursorRect().center() + QPoint(3, 0)
    QTest.mouseClick(window.view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert (selected(window), row(window)) == ("May 9", [1])


def test_who_has_everything_right_is_told_so(open_window, project):
    window = open_window(project, "ana")
    press(window, *COMPARE)
    assert rows(window) == []
    whole = "All 4 of your tags are as in the gold standard, and it has no other."
    assert label(window, "comparisonCount") == whole
    press(window, Qt.Key.Key_F8)
    assert said(window) == whole


def test_of_the_other_annotator_nothing_is_anywhere_in_the_window(open_window, project):
    window = open_window(project, "ana")
    press(window, *COMPARE)
    shown = [each.text() for each in window.findChildren(QLabel)]
    shown += [*map(str, rows(window)), *map(str, window.view.marks())]
    assert not any(word in "\n".join(shown) for word in ("ben", "carol", "First", "second"))


class TestReadOnly:
    def test_no_action_key_or_drag_changes_a_file(self, window, project, qtbot):
        press(window, *COMPARE)
        before = digest(project.root)
        leave = {"compare_gold", "next_patient", "previous_patient", "quit", "learn"}
        dialogs = {"preferences", "take_up_rescue", "commands", "print", "save_pdf", "shortcuts"}
        for spec in window.actions_table.specs:
            if spec.name not in leave | dialogs:
                window.view.select(Span(0, 4))
                window.actions_table.action(spec.name).trigger()
        window.view.setFocus()
        for letter in "ADPLTX.0123":
            window.view.select(Span(0, 4))
            QTest.keyClick(window.view, letter)
        for key in (Qt.Key.Key_Return, Qt.Key.Key_Delete, Qt.Key.Key_F2, Qt.Key.Key_F9):
            press(window, key)
        assert is_comparing(window)
        assert digest(project.root) == before

    def test_no_edge_can_be_dragged(self, window, project):
        press(window, *COMPARE)
        before, shown = digest(project.root), marks(window)
        window.view.set_caret(window.view.merged_view.text.index("Mercy") + 5)
        end = window.view.cursorRect().center() - QPoint(1, 0)
        port, button = window.view.viewport(), Qt.MouseButton.LeftButton
        QTest.mouseMove(port, end)
        assert port.cursor().shape() is Qt.CursorShape.IBeamCursor
        QTest.mousePress(port, button, pos=end)
        QTest.mouseMove(port, end + QPoint(60, 0))
        QTest.mouseRelease(port, button, pos=end + QPoint(60, 0))
        assert marks(window) == shown
        assert digest(project.root) == before

    def test_the_patient_is_free_for_others_meanwhile(self, window, project):
        press(window, *COMPARE)
        AnnotationSession(project, "ben", "110").close()

    def test_going_back_all_can_be_tagged_again(self, window):
        press(window, *COMPARE)
        press(window, *COMPARE)
        assert not is_comparing(window)
        assert window.session.patient_id == "110"
        assert banner(window) == ""
        window.view.select(Span(0, 4))
        press(window, Qt.Key.Key_D)
        assert next(each.phi_type.name for each in window.session.tags) == "DATE"

    def test_the_button_in_the_banner_goes_back_too(self, window):
        press(window, *COMPARE)
        buttons = {each.text(): each for each in window.findChildren(QToolButton)}
        QTest.mouseClick(buttons["Back to your tags"], Qt.MouseButton.LeftButton)
        assert not is_comparing(window)
        assert window.session.patient_id == "110"

    def test_the_next_patient_is_the_one_after(self, window):
        press(window, *COMPARE)
        type_to(window, Qt.Key.Key_PageDown, Qt.KeyboardModifier.ControlModifier)
        assert not is_comparing(window)
        assert window.session.patient_id == "120"
        assert all(each.style is MarkStyle.TAG for each in window.view.marks())


def test_in_compact_text_too_the_current_difference_has_its_label(window):
    press(window, Qt.Key.Key_L, Qt.KeyboardModifier.ControlModifier)
    press(window, *COMPARE)
    assert window.view.current_mark.label == "gold DOCTOR"
    press(window, Qt.Key.Key_F8)
    assert window.view.current_mark.label == "gold DATE"
    window.view.set_caret(window.view.merged_view.text.index("Mercy"))
    assert window.view.current_mark is None


def test_f1_opens_the_guidelines_at_what_gold_says(window, monkeypatch):
    press(window, *COMPARE)
    asked = []
    monkeypatch.setattr(
        window._parts, "show_guidelines", lambda wanted: asked.append(wanted) or True
    )
    type_to(window, Qt.Key.Key_F1)
    assert [each.name for each in asked] == ["DOCTOR"]


def test_differences_at_one_place_are_gone_through_one_by_one(open_window, tmp_path):
    bare = ["Kai Roe came, Lee too"]
    project = project_that_shows_gold(tmp_path, bare, bare)
    with AnnotationSession(project, "ben", "110") as session:
        for start, end in ((0, 3), (0, 7), (14, 17)):
            session.tag(Span(start, end), PhiType("NAME", "DOCTOR" if end == 7 else "PATIENT"))
        session.finish()
    with AdjudicationSession(project, "110", "carol") as session:
        for each in list(session.queue):
            session.queue.decide(each, DecisionChoice.NEITHER)
        session.finish()
    window = open_window(project)
    press(window, *COMPARE)
    seen = [selected(window)]
    for modifier in (Qt.KeyboardModifier.NoModifier, SHIFT):
        for _ in range(3):
            press(window, Qt.Key.Key_F8, modifier)
            seen.append(selected(window))
    assert seen == ["Kai", "Kai Roe", "Lee", "Kai", "Lee", "Kai Roe", "Kai"]


def test_a_click_in_a_difference_is_where_f8_goes_on_from(window):
    press(window, *COMPARE)
    window.view.set_caret(window.view.merged_view.text.index("May 9") + 1)
    assert row(window) == [1]
    press(window, Qt.Key.Key_F8)
    assert selected(window) == "Ann"
    window.view.set_caret(window.view.merged_view.text.index("May 9") + 1)
    press(window, Qt.Key.Key_F8, SHIFT)
    assert selected(window) == "Lee"


def test_the_records_are_listed_while_comparing(window):
    before = records(window)
    assert [each[:2] for each in before] == [("110-01", "3"), ("110-02", "0")]
    press(window, *COMPARE)
    assert records(window) == before
    table = window.findChild(QTableView, "recordTable")
    QTest.mouseClick(
        table.viewport(),
        Qt.MouseButton.LeftButton,
        pos=table.visualRect(table.model().index(1, 0)).center(),
    )
    assert window.view.caret() == window.view.merged_view.sections[1].start
    back = Qt.Key.Key_PageUp, Qt.KeyboardModifier.AltModifier
    press(window, *back)
    assert window.view.caret() == 0
    press(window, *COMPARE)
    assert records(window) == before


def test_what_one_compares_is_not_said_to_be_read(window, project, qtbot):
    press(window, *COMPARE)
    before = digest(project.root)
    qtbot.wait(LOOK_MS + 200)
    assert digest(project.root) == before


def records(window):
    model = window.findChild(QTableView, "recordTable").model()
    columns = range(model.columnCount() - 2)
    return [tuple(model.index(n, at).data() for at in columns) for n in range(model.rowCount())]
