"""The application's look and its last resort."""

import logging
import subprocess
import sys

import pytest
from PySide6.QtWidgets import QApplication, QCheckBox, QMessageBox, QWidget

from shared.widgets.look.control_style import ControlStyle
from shared.widgets.look.theme import DARK, LIGHT
from shared.widgets.window import application
from shared.widgets.window.application import (
    code_positions,
    report_unforeseen,
    show_within_screen,
)

NAME = "Maria Lee"


def _fail():
    name = NAME
    raise ValueError(name)


@pytest.fixture
def caught():
    try:
        _fail()
    except ValueError as error:
        return type(error), error, error.__traceback__


@pytest.fixture(autouse=True)
def _nothing_shown_yet(monkeypatch):
    monkeypatch.setattr(application, "_shown", set())


def boxes():
    return [each for each in QApplication.topLevelWidgets() if isinstance(each, QMessageBox)]


def close_boxes():
    for each in boxes():
        each.close()
        each.deleteLater()


def test_positions_are_files_lines_and_functions_only(caught):
    positions = code_positions(caught[2])
    assert positions[-1].endswith(" _fail")
    assert NAME not in "".join(positions)


def test_an_unforeseen_error_is_logged_without_values(qapp, caught, caplog):
    with caplog.at_level(logging.ERROR):
        report_unforeseen(*caught)
    close_boxes()
    assert "ValueError at" in caplog.text
    assert NAME not in caplog.text


def test_it_is_shown_once_for_each_place(qapp, caught, caplog):
    report_unforeseen(*caught)
    report_unforeseen(*caught)
    shown = [each.text() for each in boxes() if each.isVisible()]
    close_boxes()
    assert len(shown) == 1
    assert NAME not in shown[0]


def test_an_interrupt_is_left_to_python(monkeypatch):
    seen = []
    monkeypatch.setattr(sys, "__excepthook__", lambda *args: seen.append(args[0]))
    report_unforeseen(KeyboardInterrupt, KeyboardInterrupt(), None)
    assert seen == [KeyboardInterrupt]


_PROGRAM = """
import sys
from shared.widgets.window.application import create_application, report_unforeseen
one = create_application(["tandem"], "dark")
two = create_application(["tandem"], "dark")
print(one is two, one.organizationName(), one.applicationName(), one.cursorFlashTime())
print(one.palette().base().color().name(), sys.excepthook is report_unforeseen)
print(one.windowIcon().isNull())
"""


def test_the_application_is_made_once_and_dressed():
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM], capture_output=True, text=True, check=True
    )
    lines = done.stdout.splitlines()
    assert lines == ["True Tandem Tandem 0", f"{DARK.page} True", "False"]


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_a_tick_box_is_seen_in_every_theme(qtbot, theme):
    box = QCheckBox("Match case")
    qtbot.addWidget(box)
    style = ControlStyle()
    box.setStyle(style)
    box.setPalette(theme.palette())
    empty = box.grab().toImage()
    box.setChecked(True)
    colours = {empty.pixelColor(x, empty.height() // 2).name() for x in range(20)}
    assert box.grab().toImage() != empty
    assert theme.muted in colours or len(colours) > 2


def test_a_window_is_shown_no_larger_than_its_screen(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(5000, 4000)
    show_within_screen(window)
    assert window.screen().availableGeometry().contains(window.frameGeometry())


def test_a_window_that_fits_is_shown_as_large_as_it_is(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(300, 200)
    show_within_screen(window)
    assert (window.width(), window.height()) == (300, 200)


def test_a_window_that_waits_ends_when_it_is_told_to():
    """Python would hear of it only when something moves."""
    script = (
        "import signal; signal.signal(signal.SIGTERM, lambda *_: None)\n"
        "from shared.widgets.window.application import create_application\n"
        "kept = create_application([]); print(signal.getsignal(signal.SIGTERM) is signal.SIG_DFL)"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout == "True\n"
