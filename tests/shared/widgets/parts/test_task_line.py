"""A bar for what takes its time, none for the rest, and a way to end it."""

from threading import Event

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton

from shared.widgets.parts import background_task
from shared.widgets.parts.background_task import (
    BackgroundTask,
    CancelledError,
    ProgressTask,
    TaskLine,
)


@pytest.fixture
def line(qtbot, monkeypatch):
    monkeypatch.setattr(background_task, "PATIENCE_MS", 30)
    made = TaskLine()
    qtbot.addWidget(made)
    return made


def start(line, task):
    line.watch(task, "Reading")
    task.start()
    return task


def test_what_is_done_soon_is_not_shown(line, qtbot):
    task = BackgroundTask(lambda: None)
    with qtbot.waitSignal(task.finished):
        start(line, task)
    qtbot.wait(80)
    assert not line.isVisible()


def test_what_takes_longer_is_shown_until_it_is_done(line, qtbot):
    go = Event()
    task = start(line, BackgroundTask(lambda: go.wait(5)))
    qtbot.waitUntil(line.isVisible)
    assert (line.bar.maximum(), line.bar.accessibleName()) == (0, "Reading")
    assert not line.findChild(QPushButton).isVisible()
    go.set()
    qtbot.waitUntil(lambda: not line.isVisible())
    task.wait()


def test_how_far_it_is(line, qtbot):
    go = Event()

    def work(step):
        step(3, 8)
        go.wait(5)

    task = start(line, ProgressTask(work))
    qtbot.waitUntil(lambda: (line.bar.value(), line.bar.maximum()) == (3, 8))
    go.set()
    qtbot.waitUntil(lambda: not task.is_running)


def test_a_task_can_be_ended(line, qtbot):
    def work(step):
        for number in range(100_000):
            step(number, 100_000)
            QTest.qSleep(1)

    task = ProgressTask(work)
    with qtbot.waitSignal(task.failed) as failed:
        start(line, task)
        qtbot.waitUntil(line.isVisible)
        QTest.mouseClick(line.findChild(QPushButton), Qt.MouseButton.LeftButton)
    assert isinstance(failed.args[0], CancelledError)
    qtbot.waitUntil(lambda: not line.isVisible())


def test_another_task_takes_the_line(line, qtbot):
    first, second = Event(), Event()
    one = start(line, BackgroundTask(lambda: first.wait(5)))
    two = start(line, BackgroundTask(lambda: second.wait(5)))
    with qtbot.waitSignal(one.finished):
        first.set()
    qtbot.waitUntil(line.isVisible)
    second.set()
    qtbot.waitUntil(lambda: not line.isVisible())
    two.wait()
