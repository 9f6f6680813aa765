"""Events that tests let come one after the other."""

from PySide6.QtCore import QEventLoop
from PySide6.QtWidgets import QApplication


def process_events() -> None:
    """Process what events there are; where there are none, wait, and leave others the processor."""
    QApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
