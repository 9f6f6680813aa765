"""The list of a patient's records in the annotation window: where one is, and what is unread."""

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtPrintSupport import QPrinterInfo
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QDockWidget,
    QFileDialog,
    QLabel,
    QRadioButton,
    QTableView,
)

from shared.widgets.records.record_pane import DAY, RECORD, TAGS, TITLE, UNREAD
from shared.widgets.tags.type_palette import TypeButton
from tests.annotator.page import press, put_caret

LINES = "Nothing new, all as it was before.\n" * 60
TEXTS = {
    "1-01": f"Record date: 2067-05-03\n\nAdmission Note\n{LINES}Kai Yamamoto went home.",
    "1-02": f"Progress Note\nSeen on 2067-06-04 by Lee.\n{LINES}Lee.",
    "1-03": "Short.",
    "2-01": "Nothing here.",
}
ALT = Qt.KeyboardModifier.AltModifier
CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def texts():
    return TEXTS


@pytest.fixture
def table(window, qtbot):
    found = window.findChild(QTableView, "recordTable")
    qtbot.waitUntil(lambda: cell(found, 0, DAY) != "")  # the language has been read
    return found


def cell(table, row, column):
    return table.model().index(row, column).data()


def row(table, number):
    return [cell(table, number, column) for column in (RECORD, DAY, TITLE, TAGS)]


def current(table):
    return [each.row() for each in table.selectionModel().selectedRows()]


def click(table, number):
    place = table.visualRect(table.model().index(number, 0)).center()
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)


def line(window):
    return window.findChild(QLabel, "recordsRead").text()


def test_each_record_stands_there_with_its_day_title_and_tags(table):
    assert row(table, 0) == ["1-01", "2067-05-03", "Admission Note", "0"]
    assert row(table, 1) == ["1-02", "2067-06-04", "Progress Note", "0"]
    assert row(table, 2) == ["1-03", "", "", "0"]


def test_tags_are_counted_as_one_tags_and_undoes(window, table):
    put_caret(window, "Kai")
    press(window, Qt.Key.Key_T)
    assert [cell(table, number, TAGS) for number in range(3)] == ["1", "0", "0"]
    press(window, Qt.Key.Key_Z, CONTROL)
    assert cell(table, 0, TAGS) == "0"


def test_a_click_goes_to_the_record_and_on_to_the_text(window, table, qtbot):
    click(table, 1)
    assert window.view.caret() == window.session.view.section("1-02").start
    assert window.view.hasFocus()
    qtbot.wait(20)
    assert current(table) == [1]


def test_a_short_last_record_that_was_clicked_is_the_current_one(window, table, qtbot):
    click(table, 2)
    qtbot.wait(20)
    assert current(table) == [2]


def test_keys_go_from_record_to_record_from_anywhere_and_stop_at_the_ends(window, table):
    press(window, Qt.Key.Key_PageDown, ALT)
    assert current(table) == [1]
    QTest.keyClick(table, Qt.Key.Key_PageDown, ALT)
    assert current(table) == [2]
    press(window, Qt.Key.Key_PageDown, ALT)
    assert current(table) == [2]
    assert window.statusBar().currentMessage() == "This is the last record of the patient."
    press(window, Qt.Key.Key_PageUp, ALT)
    assert current(table) == [1]


def test_the_record_on_the_page_is_the_current_one_as_one_scrolls(window, table, qtbot):
    window.view.verticalScrollBar().setValue(window.view.verticalScrollBar().maximum() // 2 + 20)
    qtbot.waitUntil(lambda: current(table) == [1])
    window.view.verticalScrollBar().setValue(0)
    qtbot.waitUntil(lambda: current(table) == [0])


def test_what_has_not_been_on_the_screen_is_unread_until_it_has(window, table, qtbot):
    assert line(window).startswith("0 of 3 records read, ")
    click(table, 2)
    qtbot.waitUntil(lambda: cell(table, 2, UNREAD) == "")
    qtbot.waitUntil(lambda: line(window).startswith("1 of 3 records read"))
    assert cell(table, 0, UNREAD) not in ("", "0%")


def test_what_rushes_by_or_is_not_on_the_screen_is_not_read(window, table, qtbot):
    before = line(window)
    window.showMinimized()
    window.view.verticalScrollBar().setValue(window.view.verticalScrollBar().maximum())
    qtbot.wait(900)
    assert line(window) == before
    window.showNormal()


def test_patient_done_says_how_many_records_are_unread_and_asks_once(window, table, project):
    press(window, Qt.Key.Key_D, CONTROL)
    said = window.findChild(QLabel, "statusBannerText").text()
    assert said.startswith("3 records have text that has not been on the screen: 1-01, 1-02, 1-03.")
    assert window.session.state != "done"
    press(window, Qt.Key.Key_D, CONTROL)
    assert next(each.state for each in project.assignments() if each.annotator == "ana") == "done"


def test_what_one_has_read_to_the_end_is_done_without_a_question(window, table, qtbot):
    action = window.actions_table.action("read_on")
    for _ in range(40):
        action.trigger()
    assert window.statusBar().currentMessage() == "All text of this patient has been on the screen."
    assert line(window) == "3 of 3 records read, 100% of the text"
    press(window, Qt.Key.Key_D, CONTROL)
    qtbot.waitUntil(lambda: window.session.patient_id == "2")
    assert window.findChild(QTableView, "recordTable").model().rowCount() == 1


def counts(window):
    found = window.findChildren(TypeButton)
    return {each.text(): each.count for each in found if each.count}


def test_the_palette_counts_the_patients_tags_by_type_at_each_edit(window):
    tally = next(each for each in window.findChildren(QLabel) if each.accessibleName() == "Tags")
    put_caret(window, "Kai")
    press(window, Qt.Key.Key_T)
    put_caret(window, "Lee")
    press(window, Qt.Key.Key_O)
    assert counts(window) == {"PATIENT": 1, "DOCTOR": 1}
    QApplication.sendEvent(tally, QHelpEvent(QEvent.Type.ToolTip, QPoint(2, 2), QPoint(2, 2)))
    assert tally.toolTip() == "PATIENT: 1\nDOCTOR: 1"
    press(window, Qt.Key.Key_T)
    assert counts(window) == {"PATIENT": 2}
    press(window, Qt.Key.Key_Z, CONTROL)
    assert counts(window) == {"PATIENT": 1, "DOCTOR": 1}
    press(window, Qt.Key.Key_PageDown, CONTROL)
    assert window.session.patient_id == "2"
    assert counts(window) == {}


def save_pdf(window, qtbot, path, *, every):
    window.actions_table.action("save_pdf").trigger()
    scope = window.findChild(QDialog, "printScope")
    if every:
        QTest.mouseClick(
            next(each for each in scope.findChildren(QRadioButton) if "All" in each.text()),
            Qt.MouseButton.LeftButton,
            pos=QPoint(8, 8),
        )
    scope.accept()
    dialog = window.findChild(QFileDialog, "pdfFile")
    assert not path.exists()
    dialog.selectFile(str(path))
    dialog.accept()
    said = window.statusBar().currentMessage
    qtbot.waitUntil(lambda: said() == "Saved as a.pdf.", timeout=20_000)


def test_a_pdf_goes_where_one_says_and_is_its_owners_only(window, qtbot, tmp_path):
    tmp_path.chmod(0o755)
    put_caret(window, "Kai")
    press(window, Qt.Key.Key_T)
    save_pdf(window, qtbot, tmp_path / "a.pdf", every=False)
    data = (tmp_path / "a.pdf").read_bytes()
    assert data.startswith(b"%PDF")
    assert not (tmp_path / "a.pdf").stat().st_mode & 0o077
    for word in ("Kai", "Yamamoto", "1-01"):
        assert word.encode() not in data
        assert word.encode("utf-16-be") not in data


def test_the_record_to_print_is_the_one_on_the_page_wherever_the_caret_is(window, table, qtbot):
    bar = window.view.verticalScrollBar()
    bar.setValue(bar.maximum() // 2 + 20)
    qtbot.waitUntil(lambda: current(table) == [1])
    window.actions_table.action("save_pdf").trigger()
    scope = window.findChild(QDialog, "printScope")
    assert [each.text() for each in scope.findChildren(QRadioButton)] == [
        "&Record 1-02",
        "&All 3 records of the patient",
    ]
    scope.reject()


def test_a_pdf_of_the_patient_has_every_record(window, qtbot, tmp_path):
    save_pdf(window, qtbot, tmp_path / "a.pdf", every=True)
    assert (tmp_path / "a.pdf").read_bytes().count(b"/Type /Page\n") >= 3


def test_a_pdf_that_cannot_be_written_is_said_in_one_sentence(window, qtbot, tmp_path):
    window.actions_table.action("save_pdf").trigger()
    window.findChild(QDialog, "printScope").accept()
    window.findChild(QFileDialog, "pdfFile").fileSelected.emit(str(tmp_path / ("x" * 300)))
    banner = window.findChild(QLabel, "statusBannerText")
    qtbot.waitUntil(banner.isVisible, timeout=20_000)
    assert "\n" not in banner.text()
    window.findChild(QFileDialog, "pdfFile").reject()


def test_without_a_printer_that_is_said(window, monkeypatch):
    monkeypatch.setattr(QPrinterInfo, "availablePrinterNames", list)
    press(window, Qt.Key.Key_P, CONTROL)
    assert window.statusBar().currentMessage() == (
        "There is no printer; Save as PDF writes the same to a file."
    )


def test_a_window_that_is_closed_while_pages_are_drawn_writes_nothing(window, tmp_path, qtbot):
    window.actions_table.action("save_pdf").trigger()
    window.findChild(QDialog, "printScope").accept()
    dialog = window.findChild(QFileDialog, "pdfFile")
    dialog.selectFile(str(tmp_path / "a.pdf"))
    dialog.accept()
    window.close()
    qtbot.wait(300)
    assert not list(tmp_path.glob("*a.pdf*"))


def test_at_the_usual_width_titles_can_be_read_and_nothing_is_out_of_sight(window, table):
    assert table.horizontalScrollBar().maximum() == 0
    room = table.columnWidth(TITLE)
    assert room > table.fontMetrics().horizontalAdvance("Admission")
    shown = table.columnViewportPosition(TITLE) + room
    assert shown <= table.viewport().width()
    for column in (RECORD, TAGS, UNREAD, DAY):
        assert table.sizeHintForColumn(column) <= table.columnWidth(column)
    assert table.model().index(0, TITLE).data(Qt.ItemDataRole.ToolTipRole) == "Admission Note"


def test_a_narrow_pane_has_no_scroll_bar_either(window, table, qtbot):
    dock = window.findChild(QDockWidget, "dock.records")
    window.resizeDocks([dock], [120], Qt.Orientation.Horizontal)
    qtbot.wait(50)
    assert not table.horizontalScrollBar().isVisible()


class TestLongerIds:
    @pytest.fixture
    def texts(self):
        return {"clinic7-01": "Admission Note\n2071-05-09\n", "clinic7-02": "Progress Note\n"}

    def test_they_are_shown_whole(self, window, table):
        assert table.sizeHintForColumn(RECORD) <= table.columnWidth(RECORD)
        assert table.horizontalScrollBar().maximum() == 0
