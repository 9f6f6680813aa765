"""Who annotates what: how many per patient, how many patients all do, and who sees gold."""

import re
from collections import Counter

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QCheckBox,
    QLabel,
    QLineEdit,
    QSpinBox,
    QWizard,
)
from shiboken6 import isValid

from shared.project.project import Project
from shared.widgets.look.theme import LIGHT
from shared.widgets.start.new_project import NewProjectWizard


@pytest.fixture
def records(tmp_path):
    folder = tmp_path / "in"
    folder.mkdir()
    for patient in range(1, 7):
        (folder / f"{patient}-01.txt").write_text("Seen by Dr. Lee.")
        (folder / f"{patient}-02.txt").write_text("Seen again.")
    return folder


@pytest.fixture
def wizard(qtbot, records):
    made = NewProjectWizard(LIGHT)
    qtbot.addWidget(made)
    made.show()
    write(made, "Folder of records", records)
    next_button = made.button(QWizard.WizardButton.NextButton)
    for _ in range(2):
        qtbot.waitUntil(next_button.isEnabled)
        QTest.mouseClick(next_button, Qt.MouseButton.LeftButton)
    yield made
    if isValid(made):
        made.close()


def write(wizard, name, text):
    kinds = (*wizard.findChildren(QLineEdit), *wizard.findChildren(QSpinBox))
    field = next(each for each in kinds if each.accessibleName() == name)
    field.selectAll()
    QTest.keyClicks(field, str(text))


def press(wizard, which):
    button = wizard.button(getattr(QWizard.WizardButton, f"{which}Button"))
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def finish(wizard, folder, qtbot):
    press(wizard, "Next")
    write(wizard, "Folder of the project", folder)
    with qtbot.waitSignal(wizard.made):
        press(wizard, "Finish")
    return Project.open(folder)


def said(wizard):
    labels = wizard.findChildren(QLabel, "statusBannerText")
    return [each.text() for each in labels if each.isVisible()]


def shares(project):
    return sorted(Counter(each.patient_id for each in project.assignments()).values())


def test_every_patient_goes_to_two_and_gold_stays_hidden_where_nothing_is_said(
    wizard, tmp_path, qtbot
):
    write(wizard, "Annotators", "ana, ben, cem")
    project = finish(wizard, tmp_path / "p", qtbot)
    assert shares(project) == [2] * 6
    assert not project.shows_gold


def test_so_many_per_patient_and_so_many_patients_to_all(wizard, tmp_path, qtbot):
    write(wizard, "Annotators", "ana, ben, cem, dan")
    write(wizard, "Annotators per patient", 3)
    write(wizard, "Patients for all annotators", 2)
    assert shares(finish(wizard, tmp_path / "p", qtbot)) == [3, 3, 3, 3, 4, 4]


def test_the_tick_lets_annotators_compare_with_gold(wizard, tmp_path, qtbot):
    write(wizard, "Annotators", "ana, ben")
    box = wizard.findChild(QCheckBox, "showGold")
    QTest.keyClick(box, Qt.Key.Key_Space)
    assert finish(wizard, tmp_path / "p", qtbot).shows_gold


@pytest.mark.parametrize(
    ("per_patient", "to_all", "why"),
    [
        (3, 0, "3 annotators per patient cannot be drawn; there are 2"),
        (2, 7, "7 patients cannot go to all; there are 6"),
    ],
)
def test_what_cannot_be_drawn_is_said_on_the_page(wizard, per_patient, to_all, why):
    write(wizard, "Annotators", "ana, ben")
    write(wizard, "Annotators per patient", per_patient)
    write(wizard, "Patients for all annotators", to_all)
    page = wizard.currentPage()
    press(wizard, "Next")
    assert wizard.currentPage() is page
    assert said(wizard)[0].startswith(why)


def test_the_page_fits_a_screen_of_1280_by_720(wizard):
    assert wizard.sizeHint().height() < 640
    assert wizard.sizeHint().width() < 1000


def test_the_project_is_made_by_its_letter(wizard, tmp_path, qtbot):
    write(wizard, "Annotators", "ana, ben")
    press(wizard, "Next")
    write(wizard, "Folder of the project", tmp_path / "p")
    with qtbot.waitSignal(wizard.made):
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_E, Qt.KeyboardModifier.AltModifier)


def test_no_letter_stands_twice_on_a_page(wizard):
    for _ in range(2):
        texts = [
            each.text()
            for each in (*wizard.findChildren(QLabel), *wizard.findChildren(QAbstractButton))
            if each.isVisible()
        ]
        letters = [found.lower() for text in texts for found in re.findall(r"&(\w)", text)]
        assert sorted(letters) == sorted(set(letters))
        write(wizard, "Annotators", "ana, ben")
        press(wizard, "Next")
