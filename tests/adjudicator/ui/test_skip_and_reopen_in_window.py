"""The adjudicator filters the patients, skips one and reopens one, with real keys and clicks."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QInputDialog, QLineEdit, QPushButton, QTableView

from adjudicator.worklist import Stage, WorklistReader
from tests.adjudicator.projects import make_project

KAI = (["[Kai|PATIENT]"], ["Kai"])
AGREED = (["[Kai|PATIENT]"], ["[Kai|PATIENT]"])


@pytest.fixture
def project(tmp_path):
    return make_project(tmp_path, *KAI, p120=KAI, p130=AGREED)


def choose(hand, letter: str) -> None:
    """Open the menu of patients and press the letter of one of its actions."""
    menu = hand.window.actions_table.menu("&Patient")
    menu.popup(hand.window.mapToGlobal(hand.window.rect().center()))
    QTest.keyClick(menu, letter)


def listed(hand) -> list[tuple[str, str]]:
    model = hand.window.findChild(QTableView, "worklist").model()
    rows = range(model.rowCount())
    return [(model.index(row, 0).data(), model.index(row, 1).data()) for row in rows]


def narrow(hand, wanted: str) -> None:
    box = hand.window.findChild(QComboBox, "worklistFilter")
    box.setFocus()
    QTest.keyClick(box, Qt.Key.Key_Home)
    for _ in range(box.findText(wanted)):
        QTest.keyClick(box, Qt.Key.Key_Down)
    assert box.currentText() == wanted


def skip(hand, reason: str) -> None:
    choose(hand, "k")
    dialog = hand.window.findChild(QInputDialog, "skipDialog")
    QTest.keyClicks(dialog.findChild(QLineEdit), reason)
    press_button(dialog, "OK")


def press_button(dialog, name: str) -> None:
    buttons = dialog.findChildren(QPushButton)
    button = next(each for each in buttons if name in each.text().replace("&", ""))
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def stage(project, patient_id: str) -> Stage:
    works = WorklistReader(project).read().works
    return next(each.stage for each in works if each.patient_id == patient_id)


def test_a_patient_is_skipped_with_a_reason_and_the_next_is_opened(open_window, project):
    hand = open_window(project)
    assert hand.window.session.patient_id == "110"
    skip(hand, "scans")
    assert hand.window.session.patient_id == "120"
    assert dict(listed(hand))["110"] == "skipped"
    assert (stage(project, "110"), project.gold_status("110").reason) == (Stage.SKIPPED, "scans")
    assert "110 is skipped" in hand.said


def test_a_question_that_is_cancelled_skips_nothing(open_window, project):
    hand = open_window(project)
    choose(hand, "k")
    dialog = hand.window.findChild(QInputDialog, "skipDialog")
    press_button(dialog, "Cancel")
    assert hand.window.session.patient_id == "110"
    assert stage(project, "110") is Stage.BEGUN


def test_a_key_that_decides_takes_a_skipped_patient_up_again(open_window, project):
    hand = open_window(project)
    skip(hand, "")
    hand.window.open_patient("110")
    assert dict(listed(hand))["110"] == "skipped"
    hand.press("F8", "1")
    assert dict(listed(hand))["110"] == "1 of 1"
    assert stage(project, "110") is Stage.BEGUN


def test_a_done_patient_is_reopened_and_its_gold_standard_stays(open_window, project):
    hand = open_window(project)
    hand.window.open_patient("130")
    hand.press("Ctrl+D", "Ctrl+D")
    assert stage(project, "130") is Stage.DONE
    hand.window.open_patient("130")
    assert dict(listed(hand))["130"] == "✓ done"
    choose(hand, "o")
    assert dict(listed(hand))["130"] == "0 of 0"
    assert stage(project, "130") is Stage.BEGUN
    assert len(hand.window.session.tags) == 1
    choose(hand, "o")
    assert "neither done nor skipped" in hand.said


def test_the_list_is_narrowed_and_keeps_the_patient_that_is_open(open_window, project):
    hand = open_window(project)
    skip(hand, "")
    assert [each for each, _ in listed(hand)] == ["110", "120", "130"]
    narrow(hand, "Skipped")
    assert [each for each, _ in listed(hand)] == ["110", "120"]
    narrow(hand, "To do")
    assert [each for each, _ in listed(hand)] == ["120", "130"]
    narrow(hand, "Done")
    assert [each for each, _ in listed(hand)] == ["120"]
    assert hand.window.findChild(QTableView, "worklist").currentIndex().row() == 0
    narrow(hand, "All patients")
    assert len(listed(hand)) == 3
