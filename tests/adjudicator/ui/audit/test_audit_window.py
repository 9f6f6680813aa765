"""The records of an audit, read in their window, and what may be left in its dialog."""

from collections import Counter

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QDialog,
    QLabel,
    QListWidget,
    QPushButton,
    QSpinBox,
    QTextBrowser,
)

from adjudicator.audit_book import AuditBook, adjudicated_records
from adjudicator.session import AdjudicationSession
from adjudicator.ui.audit import window as audit_window
from adjudicator.ui.audit.actions import action_table
from adjudicator.ui.main_window import AdjudicationWindow
from shared.model import Span
from shared.model.i2b2_2014 import I2B2_2014
from shared.widgets.actions.actions import key_conflicts
from shared.widgets.records.view_tracker import LOOK_MS
from tests.adjudicator.projects import make_project

TEXT = "[Kai|PATIENT] saw Dr. Petty."
LONG = "\n".join(["A line of the record.", *["More of it."] * 200])


def adjudicated(tmp_path, *sources):
    project = make_project(tmp_path, sources, sources)
    with AdjudicationSession(project, "110", "carol") as session:
        session.finish()
    return project


def press(widget, key):
    combination = QKeySequence(key)[0]
    QTest.keyClick(widget, combination.key(), combination.keyboardModifiers())


class Reader:
    """Reads the records of an audit and presses keys."""

    def __init__(self, main, qtbot):
        self.main = main
        self._qtbot = qtbot

    @property
    def window(self):
        return self.main.audit.window

    @property
    def banner(self):
        label = self.window.findChild(QLabel, "statusBannerText")
        return label.text() if label.isVisible() else ""

    @property
    def states(self):
        return {each.patient_id: each.state for each in self.window._work_rows()}

    def read(self):
        self.main.audit.read()
        self.activate()

    def activate(self):
        self._qtbot.waitUntil(lambda: self.window is not None and self.window.session is not None)
        with self._qtbot.waitActive(self.window):
            self.window.activateWindow()
        self.window.view.setFocus()
        self._qtbot.wait(LOOK_MS + 50)

    def select(self, words):
        at = self.window.view.merged_view.text.index(words)
        self.window.view.select(Span(at, at + len(words)))

    def press(self, key):
        press(self.window.view, key)

    def mark_petty(self):
        """Tags what the gold standard left out and ends the record: the list of what was found."""
        self.select("Petty")
        self.press("O")
        self.press("Ctrl+D")
        return self.found()

    def found(self):
        self._qtbot.waitUntil(lambda: self.window.findChild(QDialog, "auditFound") is not None)
        dialog = self.window.findChild(QDialog, "auditFound")
        self._qtbot.waitUntil(dialog.isActiveWindow)
        return dialog

    def dialog(self):
        """What may be left, once it is known."""
        with self._qtbot.waitActive(self.main):
            self.main.activateWindow()
        press(self.main.view, "Ctrl+Shift+L")
        dialog = self.main.findChild(QDialog, "riskDialog")
        self._qtbot.waitUntil(lambda: not dialog.is_busy, timeout=20_000)
        return dialog

    def click(self, dialog, name):
        button = dialog.findChild(QPushButton, name)
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
        if name == "auditDraw":
            self._qtbot.waitUntil(lambda: not dialog.is_busy, timeout=20_000)


@pytest.fixture
def open_reader(qtbot):
    windows = []

    def open_on(project, patient_id=None):
        window = AdjudicationWindow(project, "carol")
        windows.append(window)
        with qtbot.waitActive(window):
            window.show()
            window.activateWindow()
        if patient_id:
            window.open_patient(patient_id)
        return Reader(window, qtbot)

    yield open_on
    for window in windows:
        for dialog in window.findChildren(QDialog):
            dialog.close()
        window.close()
        window.deleteLater()


@pytest.fixture
def read_drawn(tmp_path, open_reader):
    """Adjudicates records, draws all of them for an audit and opens them in its window."""

    def read(*sources, tags="hidden", open_in_front=None):
        project = adjudicated(tmp_path, *sources)
        archive = adjudicated_records(project)
        AuditBook(project).draw(archive, len(archive), "carol", tags, 1)
        reader = open_reader(project, open_in_front)
        reader.read()
        return project, reader

    return read


def test_no_key_and_no_letter_is_there_twice():
    specs = action_table(I2B2_2014)
    assert not key_conflicts(specs)
    letters = [(each.menu, each.text[each.text.index("&") + 1].lower())
               for each in specs if "&" in each.text]  # fmt: skip
    assert [each for each, times in Counter(letters).items() if times > 1] == []
    menus = {each.menu for each in specs if each.menu}
    assert len({menu[menu.index("&") + 1] for menu in menus}) == len(menus)


def test_a_record_is_drawn_and_read_from_the_window_and_what_was_missed_goes_into_gold(
    tmp_path, open_reader
):
    project = adjudicated(tmp_path, TEXT)
    reader = open_reader(project)
    dialog = reader.dialog()
    assert "No audit was made" in dialog.findChild(QTextBrowser, "riskPage").toPlainText()
    assert not dialog.findChild(QPushButton, "auditRead").isEnabled()
    reader.click(dialog, "auditDraw")
    assert "says nothing yet" in dialog.findChild(QTextBrowser, "riskPage").toPlainText()
    reader.click(dialog, "auditRead")
    reader.activate()
    assert reader.states == {"110-01": "to read"}
    assert len(reader.window.session.tags) == 0
    reader.select("Petty")
    reader.press("O")
    reader.select("Kai")
    reader.press("T")
    reader.press("Ctrl+D")
    found = reader.found()
    names = found.findChild(QListWidget, "auditFoundList")
    assert [names.item(each).text().split("   ")[0] for each in range(names.count())] == [
        "DOCTOR: “Petty”"
    ]
    reader.click(found, "auditKeep")
    assert AuditBook(project).latest().with_phi == {"110-01"}
    assert len(adjudicated_records(project)["110-01"].layer.tags) == 2
    assert reader.states == {"110-01": "PHI was left"}
    assert "Every record that was drawn is read" in reader.banner
    assert "no more than 100 %" in reader.banner
    page = reader.dialog().findChild(QTextBrowser, "riskPage").toPlainText()
    assert "PHI was found left in 1 of them" in page
    assert "they marked 1" in page


def test_a_record_that_was_not_on_the_screen_to_its_end_does_not_count(read_drawn):
    project, reader = read_drawn(LONG)
    reader.press("Ctrl+D")
    assert "counts only when it was read to its end" in reader.banner
    reader.press("Ctrl+D")
    assert not AuditBook(project).latest().read
    for _ in range(60):
        reader.press("V")
    reader.press("Ctrl+D")
    assert AuditBook(project).latest().read == {"110-01"}
    assert reader.states == {"110-01": "nothing found"}
    assert "Do not rely" not in reader.banner  # nothing was known to be there


def test_who_marks_nothing_of_what_is_there_is_told_not_to_rely_on_the_bound(read_drawn):
    _, reader = read_drawn(TEXT)
    reader.press("Ctrl+D")
    assert "readers marked 0" in reader.banner
    assert "Do not rely on this bound" in reader.banner


def test_a_key_that_is_held_down_reads_nothing(read_drawn, monkeypatch):
    project, reader = read_drawn(TEXT, "Nothing.", "Nothing more.")
    reader.press("Ctrl+D")
    monkeypatch.setattr(audit_window, "LOOK_MS", 600_000)  # however slow this machine is
    for _ in range(4):
        reader.press("Ctrl+D")
    assert len(AuditBook(project).latest().read) == 1
    assert "only just come on the screen" in reader.window.statusBar().currentMessage()


def test_what_is_given_up_in_the_list_leaves_the_record_unread(read_drawn):
    project, reader = read_drawn(TEXT)
    found = reader.mark_petty()
    QTest.keyClick(found, Qt.Key.Key_Escape)
    assert not AuditBook(project).latest().read
    assert len(adjudicated_records(project)["110-01"].layer.tags) == 1


def test_enter_in_the_list_keeps_what_is_ticked(read_drawn):
    project, reader = read_drawn(TEXT)
    found = reader.mark_petty()
    names = found.findChild(QListWidget, "auditFoundList")
    names.setFocus()
    names.setCurrentRow(0)
    QTest.keyClick(names, Qt.Key.Key_Return)
    assert AuditBook(project).latest().with_phi == {"110-01"}


def test_what_is_unticked_is_no_phi(read_drawn):
    project, reader = read_drawn(TEXT)
    found = reader.mark_petty()
    names = found.findChild(QListWidget, "auditFoundList")
    names.setCurrentRow(0)
    names.setFocus()
    QTest.keyClick(names, Qt.Key.Key_Space)
    reader.click(found, "auditKeep")
    audit = AuditBook(project).latest()
    assert (audit.read, audit.with_phi) == ({"110-01"}, frozenset())
    assert len(adjudicated_records(project)["110-01"].layer.tags) == 1


def test_a_patient_that_is_open_in_front_is_let_go_and_comes_back_with_the_new_tag(read_drawn):
    _, reader = read_drawn(TEXT, open_in_front="110")
    reader.click(reader.mark_petty(), "auditKeep")
    assert reader.main.session.patient_id == "110"
    assert len(reader.main.session.tags) == 2
    assert reader.main.session.is_done


def test_where_tags_are_shown_those_of_the_gold_standard_are_there(read_drawn):
    project, reader = read_drawn(TEXT, tags="shown")
    assert len(reader.window.session.tags) == 1
    reader.press("Ctrl+D")
    assert AuditBook(project).latest().read == {"110-01"}


def test_another_draw_opens_another_list(read_drawn):
    project, reader = read_drawn(TEXT, "Nothing.")
    before = reader.window
    AuditBook(project).draw(adjudicated_records(project), 1, "carol", "hidden", None)
    reader.read()
    assert reader.window is not before
    assert len(reader.states) == 1


def test_the_bound_that_a_sample_could_give_is_told_before_it_is_drawn(tmp_path, open_reader):
    project = adjudicated(tmp_path, *[TEXT] * 20)
    dialog = open_reader(project).dialog()
    size, told = dialog.findChild(QSpinBox, "auditSize"), dialog.findChild(QLabel, "auditBound")
    size.setValue(10)
    assert "10 of 20 records, no more than 15 %" in told.text()
    size.setValue(20)
    assert "no more than 0 %" in told.text()
    assert size.maximum() == 20
