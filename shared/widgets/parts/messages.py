"""The only place where something that went wrong becomes visible."""

from collections.abc import Callable, Mapping
from enum import StrEnum

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QMessageBox, QToolButton, QWidget

from shared.errors import FileError, TandemError
from shared.widgets.look.theme import LIGHT, Theme

_open_boxes: set[QMessageBox] = set()


class Tone(StrEnum):
    """How urgent a message is."""

    HINT = "hint"
    WARNING = "warning"
    ERROR = "error"


class StatusBanner(QFrame):
    """A calm bar at the top of a window, with a sentence and what one can do about it.

    `dismissed` when the user closed it.
    """

    dismissed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("statusBanner")
        self.setAutoFillBackground(True)
        self._theme = LIGHT
        self._tone = Tone.HINT
        self._label = QLabel(textFormat=Qt.TextFormat.PlainText)
        self._label.setObjectName("statusBannerText")
        self._label.setWordWrap(True)
        self._label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._label.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # a click would take the text's keys
        self._buttons: list[QToolButton] = []
        self._close = QToolButton()
        self._close.setText("✕")
        self._close.setAutoRaise(True)
        self._close.setAccessibleName("Close the message")
        self._close.clicked.connect(self._dismiss)
        self._line = QHBoxLayout(self)
        self._line.setContentsMargins(12, 6, 8, 6)
        self._line.addWidget(self._label, 1)
        self._line.addWidget(self._close)
        self.hide()

    @property
    def text(self) -> str:
        return "" if self.isHidden() else self._label.text()

    def show_message(
        self,
        text: str,
        tone: Tone = Tone.HINT,
        buttons: Mapping[str, Callable[[], object]] | None = None,
    ) -> None:
        """Show a sentence, with a button for each action; a message before it goes."""
        for button in self._buttons:
            button.deleteLater()
        self._buttons = [self._button(*each) for each in (buttons or {}).items()]
        self._label.setText(text)
        self.setAccessibleName(text)
        self._tone = tone
        self._colour()
        self.show()

    def show_error(self, error: Exception) -> None:
        """Show what an error says."""
        self.show_message(sentence(error), Tone.ERROR)

    def clear(self) -> None:
        """Show no message."""
        self.hide()

    def apply_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._colour()

    def _button(self, text: str, action: Callable[[], object]) -> QToolButton:
        button = QToolButton()
        button.setText(text)

        def act() -> None:
            action()

        button.clicked.connect(act)
        self._line.insertWidget(self._line.count() - 1, button)
        return button

    def _colour(self) -> None:
        theme = self._theme
        ground = {Tone.HINT: theme.band, Tone.WARNING: theme.warning, Tone.ERROR: theme.error}
        palette = theme.palette()
        palette.setColor(QPalette.ColorRole.Window, QColor(ground[self._tone]))
        self.setPalette(palette)

    def _dismiss(self) -> None:
        self.hide()
        self.dismissed.emit()


def sentence(error: BaseException) -> str:
    """Return what to tell the user about an error; of an unforeseen one no more than its type.

    The message of an unforeseen error may hold text of a record.
    """
    if isinstance(error, TandemError):
        text = str(error)
        # a file keeps its name as it is
        start = text[:1] if isinstance(error, FileError) else text[:1].upper()
        return f"{start}{text[1:]}{'' if text.endswith('.') else '.'}"
    return (
        f"Something went wrong inside Tandem ({type(error).__name__}). Every edit that you saw is "
        "in the journal; close this window and open it again."
    )


def show_error(window: QWidget | None, error: BaseException) -> QMessageBox:
    """Show an error beside the window, which stays usable; return the box."""
    box = QMessageBox(QMessageBox.Icon.Warning, "Tandem", sentence(error), parent=window)
    box.setObjectName("errorBox")
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setStandardButtons(QMessageBox.StandardButton.Ok)
    box.setModal(False)
    # without a window nobody else holds it, and it would be gone before it is seen
    _open_boxes.add(box)

    def forget() -> None:
        _open_boxes.discard(box)
        box.deleteLater()

    box.finished.connect(forget)
    box.show()
    return box
