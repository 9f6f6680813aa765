"""Where the keys go when what was asked is answered."""

from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid


class FocusBefore:
    """What had the focus when this was made; None is nothing.

    That may be gone when the focus is given back: the editor of a cell goes with its focus.
    """

    def __init__(self, window: QWidget | None = None) -> None:
        self._had_it = window.focusWidget() if window else QApplication.focusWidget()

    @property
    def widget(self) -> QWidget | None:
        """What had the focus, None where it is gone."""
        return self._had_it if self._had_it is not None and isValid(self._had_it) else None

    def give_back(self, otherwise: QWidget) -> None:
        """Give the focus to what had it, `otherwise` to this."""
        (self.widget or otherwise).setFocus()
