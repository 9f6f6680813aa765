"""The line under a decision: why, and whether it is to be discussed."""

from collections.abc import Sequence

from PySide6.QtCore import QStringListModel, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QCheckBox, QCompleter, QHBoxLayout, QLineEdit, QWidget

from adjudicator.decisions import Note


class RemarkLine(QWidget):
    """Shows a note; `remarked` (reason, discuss) when the user has changed it.

    `left` when the user is done with writing: Enter keeps what was written, Esc forgets it.
    """

    remarked = Signal(str, bool)
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._note = Note()
        self._reason = _ReasonField()
        self._reasons = QStringListModel(self)
        completer = QCompleter(self._reasons, self)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self._reason.setCompleter(completer)
        self._discuss = QCheckBox("Discuss (Q)")
        self._discuss.setObjectName("decisionDiscuss")
        self._discuss.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._reason)
        layout.addWidget(self._discuss)
        self._reason.editingFinished.connect(self._tell)
        self._reason.returnPressed.connect(self.left)
        self._reason.given_up.connect(self._give_up)
        self._discuss.clicked.connect(self._tell)

    def show_note(self, note: Note) -> None:
        """Show what was remarked."""
        self._note = note
        if self._reason.text() != note.reason:
            self._reason.setText(note.reason)
        self._discuss.setChecked(note.discuss)

    def edit(self) -> None:
        """Put the caret into the line."""
        self._reason.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._reason.selectAll()

    def offer(self, reasons: Sequence[str]) -> None:
        """Complete what is written by these."""
        if list(reasons) != self._reasons.stringList():
            self._reasons.setStringList(list(reasons))

    def _tell(self) -> None:
        self.remarked.emit(self._reason.text(), self._discuss.isChecked())

    def _give_up(self) -> None:
        self._reason.setText(self._note.reason)
        self.left.emit()


class _ReasonField(QLineEdit):
    """One line; `given_up` on Esc."""

    given_up = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("decisionReason")
        self.setAccessibleName("Reason")
        self.setPlaceholderText("Reason (Ctrl+E)")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.given_up.emit()
        else:
            super().keyPressEvent(event)
