"""The box in which a note, a question or an answer is written; it keeps what could not be kept."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from shared.project.notes import NoteKind, NotePlace, NoteThread, new_note_id

_LINES = 4


@dataclass(frozen=True, slots=True)
class NoteDraft:
    """What is being written, by an id that it keeps when it has to be tried again.

    Of an answer `thread` is what it answers; all else is on one of the `places`, each with words.
    """

    patient_id: str
    kind: NoteKind
    title: str
    id: str
    places: Sequence[tuple[str, NotePlace]] = ()
    thread: NoteThread | None = None

    @classmethod
    def on(
        cls, patient_id: str, kind: NoteKind, title: str, places: Sequence[tuple[str, NotePlace]]
    ) -> "NoteDraft":
        return cls(patient_id, kind, title, new_note_id(), places)

    @classmethod
    def answering(cls, thread: NoteThread, title: str) -> "NoteDraft":
        return cls(thread.patient_id, NoteKind.ANSWER, title, new_note_id(), thread=thread)


class NoteBox(QWidget):
    """Hidden until somebody writes. Enter asks for it to be kept (`kept`), Esc drops it (`left`).

    It is for its owner to say `finish` once it is on the disk; until then the text stays.
    """

    kept = Signal()
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._draft: NoteDraft | None = None
        self._title = QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        self._title.setObjectName("noteTitle")
        self._places = QComboBox()
        self._places.setObjectName("notePlace")
        self._places.setAccessibleName("What the note is on")
        self._places.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._text = QPlainTextEdit()
        self._text.setObjectName("noteText")
        self._text.setAccessibleName("Note")
        self._text.setTabChangesFocus(True)
        self._text.setPlaceholderText("Enter saves, Shift+Enter begins a line, Esc cancels")
        self._text.setFixedHeight(self._text.fontMetrics().lineSpacing() * _LINES + 12)
        self._text.installEventFilter(self)
        self._places.installEventFilter(self)
        self._lay_out()
        self.hide()

    @property
    def draft(self) -> NoteDraft | None:
        """What is being written; None while nothing is."""
        return self._draft

    @property
    def text(self) -> str:
        return self._text.toPlainText().strip()

    @property
    def is_unsaved(self) -> bool:
        """Whether words would be lost if it went."""
        return self._draft is not None and bool(self.text)

    @property
    def place(self) -> NotePlace:
        """What the user wants it to be on."""
        places = self._draft.places if self._draft else ()
        number = self._places.currentIndex()
        return places[number][1] if 0 <= number < len(places) else NotePlace()

    def begin(self, draft: NoteDraft) -> None:
        """Let the user write."""
        self._draft = draft
        self._title.setText(draft.title)
        self._places.clear()
        self._places.addItems([words for words, _ in draft.places])
        self._places.setVisible(len(draft.places) > 1)
        self._text.clear()
        self.show()
        self.take_keys()

    def take_keys(self) -> None:
        """Have the keyboard in the text."""
        self._text.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def finish(self) -> None:
        """What was written is kept, or is not wanted."""
        self._draft = None
        self._text.clear()
        self.hide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.key() == Qt.Key.Key_Escape:
                self._drop()
                return True
            is_enter = event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}
            if is_enter and not event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
                self.kept.emit()
                return True
        return super().eventFilter(watched, event)

    def _drop(self) -> None:
        self.finish()
        self.left.emit()

    def _lay_out(self) -> None:
        save, cancel = QPushButton("Save"), QPushButton("Cancel")
        save.setObjectName("note.save")
        cancel.setObjectName("note.cancel")
        save.clicked.connect(self.kept)
        cancel.clicked.connect(self._drop)
        buttons = QHBoxLayout()
        buttons.addStretch()
        buttons.addWidget(save)
        buttons.addWidget(cancel)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(6, 2, 6, 4)
        layout.setSpacing(4)
        for part in (self._title, self._places, self._text):
            layout.addWidget(part)
        layout.addLayout(buttons)
