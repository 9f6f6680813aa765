"""An annotator asks for a recognizer by its name, in the preferences."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QDialog, QTabWidget

from annotator import named_recognizers as named
from annotator.recognizers import trained_folder
from annotator.ui.main_window import AnnotationWindow
from shared.formats.base import Record
from shared.model import Document
from shared.model.i2b2_2014 import I2B2_2014
from shared.project.project import Project
from shared.project.settings import Policy
from shared.recognition import registry
from shared.recognition.model_card import read_card
from shared.recognition.training_settings import SETTINGS
from shared.widgets.settings.preferences import preference_store

TEXT = "Seen by Dr. Velo on 05/09/2007. Ruth Velo was told by Gerhard.\n"
CONTROL = Qt.KeyboardModifier.ControlModifier
LONG = 60_000
pytestmark = pytest.mark.timeout(600)


@pytest.fixture
def project(tmp_path):
    records = [Record(Document(f"{n}-01", str(n), TEXT)) for n in range(1, 4)]
    return Project.create(tmp_path / "p", "p", I2B2_2014, records, ["ana", "ben"], 1)


def choose(window, name, qtbot):
    """By keys: the preferences, their last page, and down or up to the name."""
    QTest.keyClick(window.view, Qt.Key.Key_Comma, CONTROL)
    dialog = window.findChild(QDialog, "preferenceDialog")
    bar = dialog.findChild(QTabWidget).tabBar()
    while bar.tabText(bar.currentIndex()) != "&Suggestions":
        QTest.keyClick(bar, Qt.Key.Key_Right)
    names = dialog.findChild(QComboBox, "preferredRecognizer")
    assert names.isVisible()
    while names.currentData() != name:
        before = names.currentIndex()
        step = Qt.Key.Key_Down if names.findData(name) > before else Qt.Key.Key_Up
        QTest.keyClick(names, step)
        assert names.currentIndex() != before
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)


def shown(project, qtbot):
    window = AnnotationWindow(project, "ana")
    qtbot.addWidget(window)
    window.show()
    window.open_patient("1")
    return window


def said_by(window, words, qtbot):
    about = window._parts.suggestions
    qtbot.waitUntil(lambda: words in about.about, timeout=LONG)


def test_what_is_named_suggests_alone_from_then_on(window, qtbot):
    said_by(window, "From the rules and lists of names.", qtbot)
    choose(window, "rules", qtbot)
    said_by(window, "From rules.", qtbot)
    window.open_patient("2")
    said_by(window, "From rules.", qtbot)
    assert preference_store().values.recognizer == "rules"
    choose(window, "dictionaries", qtbot)
    said_by(window, "From dictionaries.", qtbot)
    choose(window, "", qtbot)
    said_by(window, "From the rules and lists of names.", qtbot)


@pytest.mark.parametrize("name", ["identifinder", "he"])
def test_a_system_of_a_paper_learns_from_finished_patients_beside_the_usual_model(
    window, project, qtbot, name
):
    choose(window, name, qtbot)
    said_by(window, f"{name} is not trained yet", qtbot)
    text = window.view.merged_view.text
    window.view.set_caret(text.index("Velo"))
    QTest.keyClick(window.view, Qt.Key.Key_O)
    for _ in range(2):  # not all was on the screen yet
        if window.session.patient_id == "1":
            QTest.keyClick(window.view, Qt.Key.Key_D, CONTROL)
    assert window.session.patient_id != "1"
    usual = trained_folder(project, "ana")
    own = named.folder_of(usual, name)
    qtbot.waitUntil((own / "card.json").exists, timeout=LONG)
    qtbot.waitUntil(lambda: not window._learning.running, timeout=LONG)
    assert read_card(own).settings.name == name
    assert not usual.exists()
    window.open_patient("3")
    said_by(window, f"From {name}.", qtbot)
    choose(window, "", qtbot)  # the usual one learns what it has missed
    qtbot.waitUntil((usual / "card.json").exists, timeout=LONG)


def test_what_the_project_does_not_offer_is_not_to_be_had(project, qtbot):
    project.set_suggestions(project.suggestions.changed("ana", Policy.RULES))
    preference_store().change(recognizer="dictionaries")
    window = shown(project, qtbot)
    said_by(window, "From the rules.", qtbot)


def test_a_name_of_nothing_is_said(project, qtbot):
    preference_store().change(recognizer="gone")
    window = shown(project, qtbot)
    said_by(window, "gone is not a recognizer", qtbot)
    choose(window, "rules", qtbot)
    said_by(window, "From rules.", qtbot)


def test_the_model_of_fabricated_patients_is_asked_for_by_its_name(window, qtbot):
    choose(window, named.FABRICATED, qtbot)
    said_by(window, "the model of fabricated patients is not trained yet", qtbot)


def test_all_that_can_be_trained_has_a_name_and_what_is_plugged_in_too(monkeypatch):
    monkeypatch.setattr(registry, "plugged_in", lambda: ["he", "ours"])
    listed = named.named_recognizers()
    assert named._TRAINED.keys() == SETTINGS.keys()
    assert {each for each in SETTINGS if not SETTINGS[each].networks} < listed.keys()
    assert list(listed)[:2] == ["rules", "dictionaries"]
    assert list(listed)[-1] == "ours"
    assert listed["he"] == named._TRAINED["he"]
