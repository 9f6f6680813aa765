"""A change of many tags on its way, while the window sees to its user."""

from PySide6.QtCore import QObject, QTimer, Signal

from shared.errors import TandemError
from shared.project.edits import Making
from shared.widgets.parts.garbage import collection_postponed

_AT_ONCE = 3
"""So many steps are taken at once: most changes have no more."""


class EditSteps(QObject):
    """Takes the steps of one edit after the other, each in a turn of the event loop of its own.

    Not beside other work in a turn: the last step, with all that it shows, is the longest.
    Signals: `made` (Edit) at the end, or `failed` (TandemError).
    """

    made = Signal(object)
    failed = Signal(object)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._making: Making | None = None
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._go_on)

    def begin(self, making: Making) -> None:
        """Make an edit, after the one that may be on its way."""
        self.finish()
        self._making = making
        for _ in range(_AT_ONCE):
            if not self._step():
                return
        self._soon.start()

    def finish(self) -> None:
        """Take all steps that are left."""
        while self._step():
            pass

    def _go_on(self) -> None:
        if self._step():
            self._soon.start()

    @collection_postponed()
    def _step(self) -> bool:
        """Take a step; True while there are more."""
        making = self._making
        if making is None:
            return False
        self._making = None
        try:
            next(making)
        except StopIteration as end:
            self.made.emit(end.value)
        except TandemError as error:
            self.failed.emit(error)
        else:
            self._making = making
        return self._making is making
