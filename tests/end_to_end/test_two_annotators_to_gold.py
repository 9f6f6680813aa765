"""Two annotators tag three records and an adjudicator decides, with real keys and clicks."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QTableView, QToolButton

from adjudicator.ui.main_window import AdjudicationWindow
from annotator.ui.main_window import AnnotationWindow
from shared.formats import i2b2_xml
from shared.formats.base import Record
from shared.model import Document
from shared.model.i2b2_2014 import I2B2_2014
from shared.project.project import Project
from shared.widgets.parts.messages import StatusBanner
from shared.widgets.tags.annotate_all import AnnotateAllDialog

pytestmark = pytest.mark.end_to_end

TEXTS = {
    "7-01": "Visit 05/09/07.\nKai Yamamoto, 53, was seen by Dr. Lee. MRN 833-12.\n",
    "7-02": "Kai Yamamoto came back.\nToe amputation 2/2 diabetes. "
    "Dr. Lee will see Kai\nYamamoto.\n",
    "7-03": "Call Kai Yamamoto at Boston.\n",
}
CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def project(tmp_path):
    records = [Record(Document(name, "7", text)) for name, text in TEXTS.items()]
    return Project.create(tmp_path / "p", "p", I2B2_2014, records, ["ana", "ben"], 1)


class Hand:
    """Somebody at the keyboard and the mouse of a window."""

    def __init__(self, window, qtbot):
        self.window, self.view, self.qtbot = window, window.view, qtbot
        qtbot.addWidget(window)
        window.show()
        window.open_patient("7")
        window.activateWindow()  # or a window of another test that is closing may keep the focus
        qtbot.waitUntil(self.view.hasFocus)

    def find(self, text, which=0):
        offset = -1
        for _ in range(which + 1):
            offset = self.view.merged_view.text.index(text, offset + 1)
        return offset

    def press(self, key, modifiers=Qt.KeyboardModifier.NoModifier):
        QTest.keyClick(self.view, key, modifiers)

    def tag_word(self, text, key, which=0):
        self.view.set_caret(self.find(text, which))
        self.press(key)

    def tag_words(self, text, key, which=0):
        self.view.set_caret(self.find(text, which))
        for _ in text.split():
            self.press(Qt.Key.Key_Right, CONTROL | SHIFT)
        self.press(key)

    def click(self, text, which=0):
        self.view.set_caret(self.find(text, which))
        QTest.qWait(1)
        place = self.view.cursorRect().center() + QPoint(4, 0)
        QTest.mouseClick(self.view.viewport(), Qt.MouseButton.LeftButton, pos=place)

    def annotate_all(self):
        self.press(Qt.Key.Key_A)
        table = self.window.findChild(AnnotateAllDialog).findChild(QTableView)
        self.qtbot.waitUntil(table.hasFocus)
        QTest.keyClick(table, Qt.Key.Key_Return)
        self.qtbot.waitUntil(self.view.hasFocus)
        self.qtbot.waitUntil(lambda: not self.window.findChildren(AnnotateAllDialog))

    def done(self):
        """Again where the window asks: the quick hand leaves text unread."""
        self.press(Qt.Key.Key_D, CONTROL)
        if "Ctrl+D again" in self.window.findChild(StatusBanner).text:
            self.press(Qt.Key.Key_D, CONTROL)
        self.window.close()


def annotate_as_ana(project, qtbot):
    """With annotate all; takes 2/2 for a date and misses Boston."""
    hand = Hand(AnnotationWindow(project, "ana"), qtbot)
    hand.tag_word("05/09", Qt.Key.Key_D)
    hand.tag_words("Kai Yamamoto", Qt.Key.Key_T)
    hand.annotate_all()
    hand.tag_word("Lee", Qt.Key.Key_O)
    hand.annotate_all()
    hand.tag_word("2/2", Qt.Key.Key_D)
    hand.tag_word("53,", Qt.Key.Key_G)
    hand.tag_word("833", Qt.Key.Key_I)
    hand.done()


def annotate_as_ben(project, qtbot):
    """One by one, with an armed type; takes only the last name once and misses a doctor."""
    hand = Hand(AnnotationWindow(project, "ben"), qtbot)
    hand.tag_word("05/09", Qt.Key.Key_D)
    for which in (0, 1, 2):
        hand.tag_words("Kai Yamamoto", Qt.Key.Key_T, which)
    hand.tag_word("Yamamoto.", Qt.Key.Key_T)
    hand.window.findChild(QToolButton, "type.NAME:DOCTOR").click()
    hand.click("Lee")
    hand.press(Qt.Key.Key_Escape)
    hand.tag_word("53,", Qt.Key.Key_G)
    hand.tag_word("833", Qt.Key.Key_M)
    hand.tag_word("Boston", Qt.Key.Key_C)
    hand.done()


CHOICES = {
    "Lee": Qt.Key.Key_1,  # only ana
    "2/2": Qt.Key.Key_0,  # only ana, and no PHI
    "Boston": Qt.Key.Key_2,  # only ben
    "833-12": Qt.Key.Key_2,  # ben has the type right
    "Kai\nYamamoto": Qt.Key.Key_1,  # ana has all of it
}


def adjudicate(project, qtbot):
    hand = Hand(AdjudicationWindow(project, "eva"), qtbot)
    session = hand.window.session
    assert len(session.queue) == len(CHOICES)
    text = hand.view.merged_view.text
    for _ in CHOICES:
        shown = hand.window.disagreements.current
        hand.press(CHOICES[shown.span.text_in(text)])
    assert session.queue.progress.decided == session.queue.progress.total
    hand.done()


def tags(path):
    record = i2b2_xml.read_record(path)
    return [
        (each.span.text_in(record.text), each.phi_type.name)
        for each in sorted(record.tags, key=lambda tag: tag.start)
    ]


def test_the_gold_standard_is_what_a_person_would_expect(project, qtbot):
    annotate_as_ana(project, qtbot)
    annotate_as_ben(project, qtbot)
    adjudicate(project, qtbot)
    gold = {name: tags(project.layer_path("gold", name)) for name in TEXTS}
    assert gold == {
        "7-01": [
            ("05/09/07", "DATE"),
            ("Kai Yamamoto", "PATIENT"),
            ("53", "AGE"),
            ("Lee", "DOCTOR"),
            ("833-12", "MEDICALRECORD"),
        ],
        "7-02": [("Kai Yamamoto", "PATIENT"), ("Lee", "DOCTOR"), ("Kai\nYamamoto", "PATIENT")],
        "7-03": [("Kai Yamamoto", "PATIENT"), ("Boston", "CITY")],
    }
