"""The Qt application: name, look, and what happens when something unforeseen does."""

import logging
import signal
import sys
import traceback
from collections.abc import Sequence
from functools import cache
from types import TracebackType

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QApplication, QStyle, QToolTip, QWidget

from shared.widgets.look.control_style import ControlStyle
from shared.widgets.look.icon_set import load_icon
from shared.widgets.look.theme import Theme, theme_named
from shared.widgets.parts.messages import show_error

_log = logging.getLogger(__name__)
_shown: set[tuple[str, ...]] = set()
_SWITCH_SECONDS = 0.0005
"""So long a task beside the window may keep it waiting each time that Qt calls Python."""


def create_application(argv: Sequence[str], theme: str = "") -> QApplication:
    """Return the application, made on the first call; `theme` is "light", "dark" or the system's.

    From then on an unforeseen error is shown in one sentence and logged without any values.
    """
    application = QApplication.instance()
    if not isinstance(application, QApplication):
        application = QApplication(list(argv))
    application.setOrganizationName("Tandem")
    application.setApplicationName("Tandem")
    application.setApplicationDisplayName("Tandem")
    application.setDesktopFileName("tandem")
    application.setWindowIcon(load_icon("tandem"))
    application.setStyle(_style())
    # nothing blinks, not even the caret
    application.setCursorFlashTime(0)
    dress(application, theme_named(theme))
    sys.setswitchinterval(_SWITCH_SECONDS)
    sys.excepthook = report_unforeseen
    for each in (signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)):
        if callable(signal.getsignal(each)):  # a window that waits would not hear of it
            signal.signal(each, signal.SIG_DFL)
    return application


@cache
def _style() -> ControlStyle:
    """The one style: Qt owns it, but without a reference here Python's part of it would go."""
    return ControlStyle()


def dress(application: QApplication, theme: Theme) -> None:
    """Give all widgets the colours of a theme."""
    application.setPalette(theme.palette())
    QToolTip.setPalette(theme.palette())


def show_within_screen(window: QWidget) -> None:
    """Show a window, no larger than the screen that it comes up on has room for."""
    window.show()
    if window.isMaximized() or window.isFullScreen():
        return
    room = window.screen().availableGeometry()
    title = QSize(0, window.style().pixelMetric(QStyle.PixelMetric.PM_TitleBarHeight))
    frame = (window.frameSize() - window.size()).expandedTo(title)  # it may not be there yet
    size = window.size().boundedTo(room.size() - frame)
    if size != window.size():
        window.resize(size)
        window.move(room.topLeft())


def code_positions(trace: TracebackType | None) -> tuple[str, ...]:
    """Return where in the code a trace went, outermost first: file, line and function only."""
    return tuple(
        f"{frame.filename}:{frame.lineno} {frame.name}" for frame in traceback.extract_tb(trace)
    )


def report_unforeseen(
    kind: type[BaseException], error: BaseException, trace: TracebackType | None
) -> None:
    """Log an error's type and code positions, and show one sentence, once for each place.

    Neither holds its message, which may quote a record.
    """
    if not issubclass(kind, Exception):
        sys.__excepthook__(kind, error, trace)
        return
    positions = code_positions(trace)
    _log.error("%s at %s", kind.__name__, " < ".join(reversed(positions)))
    if positions not in _shown:
        _shown.add(positions)
        show_error(QApplication.activeWindow(), error)
