"""The line under the text: what is at the caret with its keys, or why it is to be dismissed."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QPalette, QResizeEvent
from PySide6.QtWidgets import QLabel, QLineEdit, QSizePolicy, QStackedWidget, QWidget

from shared.widgets.parts.plain_tip import plain_tip

_KEPT = {Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason}


class PlaceLine(QStackedWidget):
    """Shows a hint; or asks for a reason, `left` when that is done."""

    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._about = self._keys = ""
        self._take: Callable[[str], object] | None = None
        self._hint = QLabel(textFormat=Qt.TextFormat.PlainText)
        self._hint.setObjectName("placeHint")
        self._hint.setAccessibleName("At the caret")
        self._hint.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        self._hint.setContentsMargins(6, 0, 6, 0)
        # of no width of its own: a longer hint must not take its room from the panes
        self._hint.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._reason = QLineEdit(frame=False)
        self._reason.setObjectName("dismissalReason")
        self._reason.setAccessibleName("Reason for dismissing")
        self._reason.returnPressed.connect(self._give)
        self._reason.installEventFilter(self)
        self.addWidget(self._hint)
        self.addWidget(self._reason)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    @property
    def hint(self) -> str:
        return f"{self._about}  {self._keys}".strip()

    def show_hint(self, about: str, keys: str) -> None:
        """Say what is at the caret, and what its keys do; the keys are whole in any case."""
        if (about, keys) != (self._about, self._keys):
            self._about, self._keys = about, keys
            self._hint.setToolTip(plain_tip(about))
            self._fit()

    def ask_reason(self, what: str, take: Callable[[str], object], does: str = "dismisses") -> None:
        """Let the user write why `what`: Enter `does` that and gives it to `take`, Esc nothing."""
        self._take = take
        self._reason.clear()
        self._reason.setPlaceholderText(f"Why {what}? Enter {does}, Esc cancels")
        self.setCurrentWidget(self._reason)
        self._reason.setFocus()

    def give_up(self) -> None:
        """Ask no more."""
        self._take = None
        self.setCurrentWidget(self._hint)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.key() == Qt.Key.Key_Escape:
                self.give_up()
                self.left.emit()
                return True
        elif isinstance(event, QFocusEvent) and event.lostFocus() and event.reason() not in _KEPT:
            self.give_up()
        return super().eventFilter(watched, event)

    def _give(self) -> None:
        take = self._take
        self.give_up()
        self.left.emit()
        if take is not None:
            take(self._reason.text().strip())

    def _fit(self) -> None:
        metrics = self._hint.fontMetrics()
        room = self.width() - 12 - metrics.horizontalAdvance(f"  {self._keys}")
        about = metrics.elidedText(self._about, Qt.TextElideMode.ElideRight, max(0, room))
        self._hint.setText(f"{about}  {self._keys}".strip())
