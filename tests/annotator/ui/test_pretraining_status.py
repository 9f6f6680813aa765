"""An annotator's first minutes: nothing to learn from but fabricated patients."""

import os
import signal
import sys

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QToolButton, QWidget

from annotator.named_recognizers import FABRICATED
from annotator.pretraining import SyntheticTrainingData, pretrained_folder
from annotator.training_lock import lock_of
from annotator.ui.main_window import AnnotationWindow
from annotator.ui.training_status import _PRETRAINING_STARTS_MS
from shared.project.lock import acquire_lock
from shared.widgets.settings.preferences import preference_store
from shared.widgets.settings.user_folders import cache_folder
from tests.annotator.pretraining import SOON, make_project, one_type

LONG = 240_000
"""Training has the lowest priority of all that runs: beside much else it waits."""
pytestmark = pytest.mark.timeout(600)


@pytest.fixture
def open_window(qtbot, tmp_path):
    def opened(project=None, *patients):
        made = AnnotationWindow(project or make_project(tmp_path / "p"), "ana", pretrains=True)
        made._pretraining._pretraining._data = [
            SyntheticTrainingData(each) for each in patients or (3,)
        ]
        made._pretraining._pretraining._settings = SOON
        qtbot.addWidget(made)
        made.show()
        made.open_patient("1")
        return made

    return opened


def box(window):
    return window.findChild(QWidget, "pretraining")


def said(window):
    return window.statusBar().currentMessage()


def test_an_empty_project_gets_suggestions_from_fabricated_patients(open_window, qtbot):
    window = open_window()
    qtbot.waitUntil(lambda: box(window).isVisible(), timeout=LONG)
    titles = [each.text() for each in box(window).findChildren(QLabel)]
    assert titles == ["Training on fabricated patients"]
    pane = window._parts.suggestions
    qtbot.waitUntil(lambda: "a model of fabricated patients" in pane.about, timeout=LONG)
    assert not box(window).isVisible()
    assert (pretrained_folder(cache_folder()) / "card.json").is_file()


def test_the_first_of_them_suggest_while_more_are_learnt(open_window, qtbot):
    window = open_window(None, 3, 12)
    pane = window._parts.suggestions
    qtbot.waitUntil(lambda: "a model of fabricated patients" in pane.about, timeout=LONG)
    assert "get better" in said(window)
    assert window._pretraining.running
    assert box(window).isVisible()
    qtbot.waitUntil(lambda: "show how far to trust" in said(window), timeout=LONG)
    assert not box(window).isVisible()


def test_two_windows_hear_of_every_model(open_window, qtbot, tmp_path, monkeypatch):
    monkeypatch.setattr("annotator.ui.training_status._AGAIN_MS", 50)
    first = open_window(None, 3, 6)
    second = open_window(make_project(tmp_path / "second"), 3, 6)
    learnt = [each._pretraining.learnt for each in (first, second)]
    with qtbot.waitSignals(learnt * 2, timeout=LONG):
        pass
    assert (first._pretraining._heard, second._pretraining._heard) == (6, 6)


def test_a_window_hears_of_a_model_that_is_whole_while_it_looks(open_window, qtbot, monkeypatch):
    window = open_window(None, 6)
    status, pretraining = window._pretraining, window._pretraining._pretraining

    def start():
        monkeypatch.setattr(pretraining, "patients", lambda: 6)
        pretraining.is_trained_elsewhere = False
        return False

    monkeypatch.setattr(pretraining, "start", start)
    with qtbot.waitSignal(status.learnt, timeout=LONG):
        pass
    assert status._heard == 6
    assert "Trained on fabricated" in said(window)


def test_a_window_that_goes_on_training_hears_of_what_another_has_trained(
    open_window, qtbot, tmp_path
):
    open_window(None, 3)
    second = open_window(make_project(tmp_path / "second"), 3, 6)
    heard = []
    second._pretraining.learnt.connect(lambda: heard.append(second._pretraining._heard))
    qtbot.waitUntil(lambda: 6 in heard, timeout=LONG)
    assert heard == [3, 6]


def test_a_window_goes_on_training_once_another_that_came_between_has_stopped(
    open_window, qtbot, monkeypatch
):
    monkeypatch.setattr("annotator.ui.training_status._AGAIN_MS", 50)
    window = open_window(None, 3, 6)
    lock = lock_of(pretrained_folder(cache_folder()))
    between = []
    window._pretraining.learnt.connect(
        lambda: between or between.append(acquire_lock(lock, "other"))
    )
    qtbot.waitUntil(lambda: bool(between), timeout=LONG)
    between[0].release()
    qtbot.waitUntil(lambda: window._pretraining._heard == 6, timeout=LONG)


def test_the_next_window_does_not_wait_again(open_window, qtbot, tmp_path):
    first = open_window()
    qtbot.waitUntil(lambda: "Trained on fabricated" in said(first), timeout=LONG)
    second = open_window(make_project(tmp_path / "second"))
    pane = second._parts.suggestions
    qtbot.waitUntil(lambda: "a model of fabricated patients" in pane.about, timeout=LONG)
    assert not second._pretraining.running
    assert not box(second).isVisible()


def test_a_second_window_waits_for_the_first_to_train(open_window, qtbot, tmp_path, monkeypatch):
    monkeypatch.setattr("annotator.ui.training_status._AGAIN_MS", 50)
    first = open_window(None, 6)
    qtbot.waitUntil(lambda: first._pretraining.running, timeout=LONG)
    second = open_window(make_project(tmp_path / "second"))
    training = second._pretraining._pretraining
    qtbot.waitUntil(lambda: training.is_trained_elsewhere, timeout=LONG)
    assert not second._pretraining.running
    pane = second._parts.suggestions
    qtbot.waitUntil(lambda: "a model of fabricated patients" in pane.about, timeout=LONG)
    assert "Trained on fabricated" in said(second)


def test_a_second_window_trains_once_the_first_has_stopped(
    open_window, qtbot, tmp_path, monkeypatch
):
    monkeypatch.setattr("annotator.ui.training_status._AGAIN_MS", 50)
    first = open_window(None, 60)
    qtbot.waitUntil(lambda: first._pretraining.running, timeout=LONG)
    second = open_window(make_project(tmp_path / "second"))
    training = second._pretraining._pretraining
    qtbot.waitUntil(lambda: training.is_trained_elsewhere, timeout=LONG)
    assert first.close()
    qtbot.waitUntil(lambda: second._pretraining.running, timeout=LONG)
    qtbot.waitUntil(lambda: "Trained on fabricated" in said(second), timeout=LONG)


def test_a_cache_that_cannot_be_written_is_said(open_window, qtbot):
    cache_folder().parent.mkdir(parents=True, exist_ok=True)
    cache_folder().write_text("in the way")
    window = open_window()
    qtbot.waitUntil(lambda: "Training on fabricated patients failed" in said(window), timeout=LONG)
    assert not box(window).isVisible()


def test_it_can_be_stopped(open_window, qtbot):
    window = open_window(None, 60)
    qtbot.waitUntil(lambda: box(window).isVisible(), timeout=LONG)
    stop = window.findChild(QToolButton, "stopPretraining")
    QTest.mouseClick(stop, Qt.MouseButton.LeftButton)
    assert not box(window).isVisible()
    assert not window._pretraining.running
    assert "was stopped" in said(window)
    assert not pretrained_folder(cache_folder()).exists()


@pytest.mark.skipif(sys.platform == "win32", reason="no such signal there")
def test_a_trainer_that_dies_is_said_and_can_be_started_again(open_window, qtbot):
    window = open_window()
    qtbot.waitUntil(lambda: box(window).isVisible(), timeout=LONG)
    os.kill(window._pretraining._pretraining._training._process.pid, signal.SIGKILL)
    qtbot.waitUntil(lambda: "start it again" in said(window), timeout=LONG)
    window.actions_table.action("learn").trigger()
    qtbot.waitUntil(lambda: "Trained on fabricated" in said(window), timeout=LONG)


def test_closing_the_window_ends_it(open_window, qtbot):
    window = open_window(None, 60)
    qtbot.waitUntil(lambda: window._pretraining.running, timeout=LONG)
    assert window.close()
    assert not window._pretraining.running
    assert not pretrained_folder(cache_folder()).exists()


def test_a_schema_of_other_types_is_said(open_window, qtbot, tmp_path):
    schema = one_type("COLOUR", "RED")
    window = open_window(make_project(tmp_path / "other", schema))
    qtbot.waitUntil(lambda: "schema small shares no type" in said(window), timeout=LONG)
    assert not window._pretraining.running


def test_where_another_recognizer_is_named_it_ends_and_goes_on_when_none_is(open_window, qtbot):
    window = open_window(None, 60)
    qtbot.waitUntil(lambda: window._pretraining.running, timeout=LONG)
    preference_store().change(recognizer="rules")
    assert not window._pretraining.running
    assert not box(window).isVisible()
    assert "stopped" not in said(window)
    preference_store().change(recognizer="")
    qtbot.waitUntil(lambda: window._pretraining.running, timeout=LONG)
    preference_store().change(recognizer=FABRICATED)
    assert window._pretraining.running


def test_who_stopped_it_does_not_have_it_again_for_naming_another_and_none(open_window, qtbot):
    window = open_window(None, 60)
    qtbot.waitUntil(lambda: window._pretraining.running, timeout=LONG)
    window._pretraining.cancel()
    preference_store().change(recognizer="rules")
    preference_store().change(recognizer="")
    qtbot.wait(_PRETRAINING_STARTS_MS + 400)
    assert not window._pretraining.running
    window.actions_table.action("learn").trigger()
    qtbot.waitUntil(lambda: window._pretraining.running, timeout=LONG)


def test_where_one_is_named_from_the_start_it_does_not_begin(open_window, qtbot):
    preference_store().change(recognizer="rules")
    window = open_window()
    qtbot.wait(_PRETRAINING_STARTS_MS + 400)
    assert not window._pretraining.running
    preference_store().change(recognizer="")
    qtbot.waitUntil(lambda: window._pretraining.running, timeout=LONG)
