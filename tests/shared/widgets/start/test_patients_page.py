"""The wizard shows how records become patients before anything is made, and lets it be changed."""

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QRadioButton, QTableView, QWizard
from shiboken6 import isValid

from shared.formats import patient_grouping
from shared.project.project import Project
from shared.widgets.look.theme import LIGHT
from shared.widgets.start.new_project import NewProjectWizard

NEXT = QWizard.WizardButton.NextButton


@pytest.fixture
def wizard(qtbot):
    wizard = NewProjectWizard(LIGHT)
    qtbot.addWidget(wizard)
    wizard.show()
    qtbot.waitExposed(wizard)
    yield wizard
    if isValid(wizard):
        wizard.close()


@pytest.fixture
def opened(wizard, tmp_path, qtbot):
    """Go on to the page of patients with records of these names."""

    def show(*names):
        for name in names:
            (tmp_path / f"{name}.txt").write_text("Seen by Dr. Lee.")
        QTest.keyClicks(QApplication.focusWidget(), str(tmp_path))
        qtbot.waitUntil(wizard.button(NEXT).isEnabled)
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)
        qtbot.waitUntil(lambda: any(each.isVisible() for each in offers(wizard).values()))

    return show


def shown(wizard):
    """The rows of the table."""
    model = wizard.findChild(QTableView, "patientGroups").model()
    return [
        tuple(model.index(row, column).data() for column in range(3))
        for row in range(model.rowCount())
    ]


def said(wizard):
    return [
        each.text() for each in wizard.findChildren(QLabel, "statusBannerText") if each.isVisible()
    ]


def offers(wizard):
    return {each.text(): each for each in wizard.findChildren(QRadioButton, "patternOffer")}


def type_pattern(wizard, pattern):
    line = wizard.findChild(QLineEdit, "patientPattern")
    line.selectAll()
    QTest.keyClick(line, Qt.Key.Key_Delete)
    QTest.keyClicks(line, pattern)


def counted(wizard):
    return wizard.findChild(QLabel, "patientsFound").text()


def test_the_patients_are_shown_with_their_records(wizard, opened):
    opened("110-01", "110-02", "110-03", "110-04", "111-01")
    assert shown(wizard) == [
        ("110", "4", "110-01, 110-02, 110-03 and 1 more"),
        ("111", "1", "111-01"),
    ]
    assert counted(wizard) == "2 patients, 5 records"
    assert not said(wizard)
    assert [text for text, each in offers(wizard).items() if each.isChecked()] == [
        "Before the last -: 2 patients"
    ]


@pytest.mark.parametrize(
    ("names", "how", "ticked", "left_empty"),
    [
        (
            ("110-01", "110-02", "111-01"),
            "By everything before the last -, 110-01 is a record of patient 110.",
            ["Before the last -: 2 patients"],
            "everything before the last -",
        ),
        (
            ("kai", "lee"),
            "By the whole name, kai is a record of patient kai.",
            ["The whole name: 2 patients"],
            "the whole name",
        ),
        (
            (*(f"note{number}-x" for number in range(12)), "note0-y"),
            "By the whole name, note0-x is a record of patient note0-x.",
            ["The whole name: 13 patients"],
            "the whole name",
        ),
        (
            ("a_1", "a_<b>", "b_1"),
            "By the whole name, a_1 is a record of patient a_1.",
            ["The whole name: 3 patients"],
            "the whole name",
        ),
    ],
)
def test_it_says_of_a_record_how_its_patient_is_told(
    wizard, opened, names, how, ticked, left_empty
):
    opened(*names)
    assert explained(wizard) == f"{how} Whoever marks a patient gets all of the patient's records."
    assert [text for text, each in offers(wizard).items() if each.isChecked()] == ticked
    assert wizard.findChild(QLineEdit, "patientPattern").placeholderText() == left_empty


def test_what_it_says_follows_the_pattern(wizard, opened, qtbot):
    opened("A_1_a", "A_1_b", "B_1_a")
    type_pattern(wizard, "(.*?)_")
    qtbot.waitUntil(lambda: counted(wizard) == "2 patients, 3 records")
    assert explained(wizard).startswith("By the pattern, A_1_a is a record of patient A. ")


def explained(wizard):
    """What stands below the title of the page, as it is shown."""
    words = wizard.currentPage().subTitle()
    labels = [each for each in wizard.findChildren(QLabel) if each.text() == words]
    assert [each.textFormat() for each in labels if each.isVisible()] == [Qt.TextFormat.PlainText]
    return words


def test_another_pattern_shows_other_patients_at_once(wizard, opened, qtbot):
    opened("A_1_a", "A_1_b", "A_2_a", "B_1_a")
    assert said(wizard) == [
        "4 records of 4 patients: every record is a patient of its own. "
        "If that is wrong, choose another pattern."
    ]
    type_pattern(wizard, "(.*?)_")
    qtbot.waitUntil(lambda: counted(wizard) == "2 patients, 4 records")
    assert [row[0] for row in shown(wizard)] == ["A", "B"]
    assert not said(wizard)


def test_a_proposal_is_taken_with_one_click(wizard, opened, qtbot):
    opened("A_1_a", "A_1_b", "A_2_a", "B_1_a")
    button = offers(wizard)["Before the last _: 3 patients"]
    qtbot.waitUntil(lambda: button.size() == button.sizeHint())
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: counted(wizard) == "3 patients, 4 records")
    assert wizard.findChild(QLineEdit, "patientPattern").text() == button.toolTip()
    assert [each.isChecked() for each in offers(wizard).values()].count(True) == 1
    type_pattern(wizard, "^.")
    assert not any(each.isChecked() for each in offers(wizard).values())


def test_a_pattern_that_is_none_is_one_sentence_and_there_is_no_next_step(wizard, opened, qtbot):
    opened("110-01", "110-02")
    type_pattern(wizard, "(")
    qtbot.waitUntil(lambda: bool(said(wizard)))
    assert said(wizard)[0].startswith("The patient pattern is not a regular expression")
    assert shown(wizard) == []
    assert counted(wizard) == ""
    assert not wizard.button(NEXT).isEnabled()


def test_names_that_tell_no_patient_are_counted_and_there_is_no_next_step(wizard, opened, qtbot):
    opened("110-01", "110-02", "notes")
    type_pattern(wizard, r"(\d+)-")
    qtbot.waitUntil(lambda: bool(said(wizard)))
    assert said(wizard) == ["1 of 3 names tell no patient by this pattern; choose another."]
    assert not wizard.button(NEXT).isEnabled()


def test_the_project_has_the_patients_that_were_shown(wizard, opened, tmp_path, qtbot):
    opened("A_1_a", "A_1_b", "B_1_a")
    type_pattern(wizard, "(.*?)_")
    qtbot.waitUntil(wizard.button(NEXT).isEnabled)
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)
    QTest.keyClicks(QApplication.focusWidget(), "ana, ben")
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)
    QTest.keyClicks(QApplication.focusWidget(), str(tmp_path / "made"))
    with qtbot.waitSignal(wizard.made):
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)
    assert Project.open(tmp_path / "made").patient_ids == ("A", "B")


def test_the_pattern_stays_when_one_goes_back_and_on(wizard, opened, qtbot):
    opened("A_1_a", "A_1_b", "B_1_a")
    type_pattern(wizard, "(.*?)_")
    qtbot.waitUntil(lambda: counted(wizard) == "2 patients, 3 records")
    wizard.back()
    wizard.next()
    assert counted(wizard) == "2 patients, 3 records"


def test_other_records_are_grouped_anew(wizard, opened, tmp_path, qtbot):
    opened("A_1", "B_1")
    type_pattern(wizard, "^.")
    qtbot.waitUntil(lambda: counted(wizard) == "2 patients, 2 records")
    wizard.back()
    other = tmp_path / "other"
    other.mkdir()
    (other / "7-01.txt").write_text("Seen.")
    line = QApplication.focusWidget()
    line.selectAll()
    QTest.keyClicks(line, str(other))
    qtbot.waitUntil(wizard.button(NEXT).isEnabled)
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: counted(wizard) == "1 patient, 1 record")
    assert shown(wizard) == [("7", "1", "7-01")]


def test_a_proposal_is_taken_by_keys(wizard, opened, qtbot):
    opened("A_1_a", "A_1_b", "A_2_a", "B_1_a")
    for key in (Qt.Key.Key_Tab, Qt.Key.Key_Tab, Qt.Key.Key_Space):
        QTest.keyClick(QApplication.focusWidget(), key)
    qtbot.waitUntil(lambda: counted(wizard) == "2 patients, 4 records")
    assert [row[0] for row in shown(wizard)] == ["A", "B"]


RUNAWAY = "(a+)+b"
"""On a name of 30 letters a it tries a thousand million ways."""


def test_a_pattern_that_runs_away_neither_holds_the_window_up_nor_lasts(
    wizard, opened, qtbot, monkeypatch
):
    monkeypatch.setattr(patient_grouping, "LONGEST", 1.0)
    name = "a" * 30
    opened(f"{name}-01", f"{name}-02")
    ticks, ticking = [], QTimer(wizard, interval=20)
    ticking.timeout.connect(lambda: ticks.append(1))
    ticking.start()
    type_pattern(wizard, RUNAWAY)
    qtbot.waitUntil(lambda: bool(said(wizard)), timeout=60_000)
    assert said(wizard) == [
        "The patient pattern takes too long on names such as these; write a simpler one."
    ]
    assert len(ticks) > 3  # with the pattern in this process there would be none
    assert not wizard.button(NEXT).isEnabled()
    type_pattern(wizard, "(.*)-")
    qtbot.waitUntil(lambda: counted(wizard) == "1 patient, 2 records")
    assert said(wizard)[0].startswith("All 2 records are taken to be of one patient")
