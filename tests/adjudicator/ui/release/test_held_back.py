"""Records and patients held back in the release window, by keys and by mouse."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QPushButton, QTableView

from tests.adjudicator.clerk import LEAKY, SOURCES
from tests.adjudicator.release.sessions import make

SHIFT = Qt.KeyboardModifier.ShiftModifier


def reason(clerk, text: str, key=Qt.Key.Key_Return) -> None:
    lines = clerk.window.findChildren(QLineEdit, "dismissalReason")
    line = next(each for each in lines if each.isVisible())
    QTest.keyClicks(line, text)
    QTest.keyClick(line, key)


def held(clerk) -> list[list[str]]:
    table = clerk.window.findChild(QTableView, "releaseHeldBack")
    model = table.model()
    return [
        [model.index(row, column).data() for column in range(3)]
        for row in range(model.rowCount())
        if table.isVisible()
    ]


def test_a_record_is_held_back_by_a_key_in_the_list(clerk, tmp_path):
    clerk.go_to("sings in a choir")
    clerk.press(Qt.Key.Key_H)
    reason(clerk, "the choir tells who it is")
    assert held(clerk) == [["110", "110-02", "the choir tells who it is"]]
    assert "1 record is held back" in clerk.window.findChild(QLabel, "releaseHeldBackCount").text()
    assert list(clerk.sections) == ["People – 3", "Places – 2", "Dates – 4"]
    clerk.release(tmp_path / "out")
    assert "2 records of 2 patients were released" in clerk.banner
    assert ", 1 held back" in clerk.banner
    assert not (tmp_path / "out" / "text" / "110-02.txt").exists()


def test_the_keys_of_the_list_act_as_soon_as_the_window_is_open(clerk):
    assert clerk.tree.hasFocus()
    QTest.keyClick(clerk.window.focusWidget(), Qt.Key.Key_H)
    reason(clerk, "the choir tells who it is")
    assert held(clerk) == [["110", "110-02", "the choir tells who it is"]]


def test_a_patient_who_stands_in_the_way_is_held_back_and_undone(open_release, tmp_path):
    clerk = open_release(make(tmp_path, LEAKY))
    clerk.review()
    count = clerk.blockers.model().rowCount()
    clerk.blockers.setFocus()
    QTest.keyClick(clerk.blockers, Qt.Key.Key_H, SHIFT)
    reason(clerk, "asked")
    assert held(clerk) == [["112", "all", "asked"]]
    assert "Nothing stands" in clerk.window.findChild(QLabel, "releaseObstacleCount").text()
    clerk.press_anywhere(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert held(clerk) == []
    assert clerk.blockers.model().rowCount() == count


def test_the_menu_of_the_button_names_record_and_patient(clerk, qtbot):
    clerk.go_to("Room 12")
    clerk.click("release.hold_back")
    qtbot.waitUntil(lambda: QApplication.activePopupWidget() is not None)
    menu = QApplication.activePopupWidget()
    assert [each.text() for each in menu.actions()] == ["Record 111-01…", "Patient 111…"]
    at = menu.actionGeometry(menu.actions()[1]).center()
    QTest.mouseClick(menu, Qt.MouseButton.LeftButton, pos=at)
    reason(clerk, "asked")
    assert held(clerk) == [["111", "all", "asked"]]


def test_what_is_held_back_is_let_in_again_by_key_and_by_mouse(clerk):
    for press in ("key", "mouse"):
        clerk.go_to("Room 12")
        clerk.press(Qt.Key.Key_H)
        reason(clerk, "asked")
        table = clerk.window.findChild(QTableView, "releaseHeldBack")
        if press == "key":
            table.setFocus()
            QTest.keyClick(table, Qt.Key.Key_Delete)
        else:
            button = clerk.window.findChild(QPushButton, "releaseLetIn")
            QTest.mouseClick(button, Qt.MouseButton.LeftButton, pos=QPoint(8, 8))
        assert held(clerk) == []
        assert "Room 12" in clerk.sections["Places – 2"]


@pytest.mark.parametrize(
    ("text", "key", "said"),
    [("", Qt.Key.Key_Return, "say why"), ("asked", Qt.Key.Key_Escape, "")],
)
def test_without_a_reason_nothing_is_held_back(clerk, text, key, said):
    clerk.go_to("Room 12")
    clerk.press(Qt.Key.Key_H)
    reason(clerk, text, key)
    assert said in clerk.banner.lower()
    assert clerk.window.session.held_back == ()
    assert not clerk.window.findChild(QTableView, "releaseHeldBack").isVisible()
    assert clerk.tree.hasFocus()


def test_several_records_are_held_back_at_once(clerk):
    clerk.go_to("Room 12")
    QTest.keyClick(clerk.tree, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    clerk.press(Qt.Key.Key_H)
    reason(clerk, "all of them")
    assert len(held(clerk)) == 3
    said = clerk.window.findChild(QLabel, "releaseObstacleCount").text()
    assert said == "Everything is held back: there is nothing to release."
    clerk.press_anywhere(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert held(clerk) == []


def test_a_patient_without_gold_is_held_back(open_release, tmp_path):
    project = make(tmp_path, SOURCES)
    (project.root / "gold" / "111-01.xml").unlink()
    clerk = open_release(project)
    clerk.blockers.setFocus()
    QTest.keyClick(clerk.blockers, Qt.Key.Key_H)
    reason(clerk, "not adjudicated")
    clerk.review()
    clerk.release(tmp_path / "out")
    assert "2 records of 1 patients were released" in clerk.banner


def test_what_was_held_back_is_listed_when_one_looks_again(clerk):
    clerk.go_to("Room 12")
    clerk.press(Qt.Key.Key_H)
    reason(clerk, "asked")
    clerk.look_again()
    assert held(clerk) == [["111", "111-01", "asked"]]


def test_no_two_letters_of_the_window_are_the_same(clerk):
    buttons = clerk.window.findChildren(QPushButton)
    letters = [each.text().partition("&")[2][:1].lower() for each in buttons if "&" in each.text()]
    letters += ["p", "t", "w"]
    assert len(letters) == len(set(letters))


def test_who_dismissed_the_last_blocker_is_in_the_list_and_lets_nothing_in(open_release, tmp_path):
    clerk = open_release(make(tmp_path, LEAKY))
    clerk.review()
    session = clerk.window.session
    session.hold_back([("111", "")], "asked")
    clerk.window._show_all()
    while session.blockers:
        clerk.dismiss("seen")
    assert clerk.window.focusWidget() is clerk.tree
    QTest.keyClick(clerk.window.focusWidget(), Qt.Key.Key_Space)
    assert session.records_held == 1


def test_who_held_the_last_blocker_back_is_in_the_list(open_release, tmp_path):
    clerk = open_release(make(tmp_path, LEAKY))
    clerk.review()
    assert len(clerk.window.session.blockers) == 1
    clerk.blockers.setFocus()
    QTest.keyClick(clerk.blockers, Qt.Key.Key_H)
    QTest.keyClicks(clerk.window.focusWidget(), "asked")
    QTest.keyClick(clerk.window.focusWidget(), Qt.Key.Key_Return)
    assert not clerk.window.session.blockers
    assert clerk.window.focusWidget() is clerk.tree
