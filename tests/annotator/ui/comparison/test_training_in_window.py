"""A training round in the window: Patient done shows what was missed and what is wrong."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton

from shared.commands.main import main
from shared.project.project import Project
from tests.adjudicator.projects import make_project
from tests.annotator.comparing import ANA, BEN, banner, is_comparing, label, rows
from tests.annotator.gold import adjudicate
from tests.annotator.page import press, put_caret

CONTROL = Qt.KeyboardModifier.ControlModifier


def training(tmp_path):
    project = make_project(tmp_path, ANA, BEN, p120=(ANA, ANA))
    for each in ("110", "120"):
        adjudicate(project, each)
    assign = ["assign", str(project.root)]
    assert main([*assign, "--add", "dora"]) == 0
    assert main([*assign, "--training", "dora", "110", "120", "--pass-mark", ".1"]) == 0
    return Project.open(project.root)


def patient_done(window):
    for _ in range(3):  # what is left to look at is said before
        if window.session is not None:
            press(window, Qt.Key.Key_D, CONTROL)


def click(window, words):
    buttons = [each for each in window.findChildren(QAbstractButton) if each.text() == words]
    buttons[-1].click()  # the one made last; a layout shows it once events are dealt with


def test_each_patient_is_shown_beside_the_gold_standard_then_the_next(open_window, tmp_path):
    project = training(tmp_path)
    window = open_window(project, name="dora")
    put_caret(window, "Mercy")
    press(window, Qt.Key.Key_H)
    patient_done(window)
    assert is_comparing(window)
    assert [each[1] for each in rows(window)] == ["missed"] * 3
    assert label(window, "comparisonCount") == "3 differences from the gold standard, 1 tag alike"
    said = "Training, patient 1 of 2: 1 of 4 tags right, 3 missed. Look at each difference"
    assert banner(window).startswith(said)
    click(window, "Go on")
    assert not is_comparing(window)
    assert window.session.patient_id == "120"
    patient_done(window)
    assert banner(window).endswith("The round is passed: F1 0.22, 0.10 was needed.")
    click(window, "Go on")
    assert banner(window).endswith("All your patients are done.")


def test_a_gold_standard_that_cannot_be_read_is_told(open_window, tmp_path):
    project = training(tmp_path)
    window = open_window(project, name="dora")
    (project.root / "gold" / "110-01.xml").unlink()
    patient_done(window)
    assert not is_comparing(window)
    assert "110-01.xml: is missing" in banner(window)
