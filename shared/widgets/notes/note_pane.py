"""The notes of a patient as a list, what was said about the one looked at, and the box to write."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial

from PySide6.QtCore import QItemSelectionModel, QModelIndex, Qt, Signal, SignalInstance
from PySide6.QtGui import QAction, QFont, QKeyEvent
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from shared.model import Span
from shared.project.notes import NoteThread
from shared.widgets.notes.note_box import NoteBox
from shared.widgets.parts.row_menu import add_row_menu
from shared.widgets.parts.row_table import RowModel, RowTable

STATE, ON, TEXT, BY = range(4)
_WIDTHS = {STATE: 84, ON: 96, BY: 72}
_DETAIL_LINES = 6


class NoteFilter(StrEnum):
    """Which notes are listed."""

    OPEN = "Open"
    ALL = "All"
    EVERYWHERE = "Open in all patients"


@dataclass(frozen=True, slots=True)
class NoteRow:
    """A note as it is shown: `span` is its place in the merged view, None where it has none there.

    `waits` where somebody has to look at it; `said` is all that was written, a paragraph each.
    """

    thread: NoteThread
    state: str
    on: str
    by: str
    said: str
    waits: bool
    span: Span | None = None

    @property
    def id(self) -> str:
        return self.thread.note.id


class NoteModel(RowModel[NoteRow]):
    """A row for each note; what waits for who reads it is bold."""

    heads = ("Note", "On", "Text", "By")

    def cells(self, row: NoteRow) -> tuple[str, ...]:
        return row.state, row.on, " ".join(row.thread.note.text.split()), row.by

    def look(self, row: NoteRow, column: int, role: int) -> object:
        if role == Qt.ItemDataRole.ToolTipRole:
            return row.said
        if role == Qt.ItemDataRole.FontRole and column == STATE and row.waits:
            font = QFont()
            font.setBold(True)
            return font
        return None


class _NoteTable(RowTable):
    """`removal_wanted` on Delete."""

    removal_wanted = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Delete:
            self.removal_wanted.emit()
        else:
            super().keyPressEvent(event)


class NotePane(QWidget):
    """A filter, the table `noteTable`, what was said, and the box to write in.

    Signals: `pointed`, `chosen`, `entered` (NoteRow) where the user goes to a row and stays in the
    list, clicks it, or presses Enter on it; `removal_wanted` on Delete; `filter_changed`.
    """

    pointed = Signal(object)
    chosen = Signal(object)
    entered = Signal(object)
    removal_wanted = Signal()
    filter_changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = NoteModel(self)
        self.box = NoteBox()
        self._filter = QComboBox()
        self._filter.setObjectName("noteFilter")
        self._filter.setAccessibleName("Notes to show")
        self._filter.addItems([NoteFilter.OPEN, NoteFilter.ALL])
        self._filter.currentIndexChanged.connect(self.filter_changed)
        self._count = QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        self._count.setObjectName("noteCount")
        self._said = QPlainTextEdit(readOnly=True)
        self._said.setObjectName("noteSaid")
        self._said.setAccessibleName("What was written")
        self._said.setTabChangesFocus(True)
        self._said.setFixedHeight(self._said.fontMetrics().lineSpacing() * _DETAIL_LINES + 12)
        self.table = _NoteTable(self.model, "noteTable", _WIDTHS, TEXT)
        self.table.setAccessibleName("Notes")
        self.table.choose_one()
        self.table.pointed.connect(partial(self._choose, self.pointed))
        self.table.clicked.connect(partial(self._choose, self.chosen))
        self.table.activated.connect(partial(self._choose, self.entered))
        self.table.removal_wanted.connect(self.removal_wanted)
        self._lay_out()
        self.setFocusProxy(self.table)

    @property
    def filter(self) -> NoteFilter:
        return NoteFilter(self._filter.currentText())

    @property
    def current(self) -> NoteRow | None:
        """The note that is looked at."""
        selected = self.table.selectionModel().selectedRows()
        return self.model.rows[selected[0].row()] if selected else None

    def offer_all_patients(self) -> None:
        """Let the notes on patients that are not open be listed too."""
        self._filter.addItem(NoteFilter.EVERYWHERE)

    def list_everywhere(self) -> None:
        """List the open notes on all patients, and have the keys at the first of them."""
        self._filter.setCurrentText(NoteFilter.EVERYWHERE)
        self.table.setFocus()
        self._choose(self.pointed, self.model.index(0, 0))

    def hide_writers(self) -> None:
        """Leave out who wrote it, where that is always the user."""
        self.table.hideColumn(BY)

    def offer(self, actions: Iterable[QAction]) -> None:
        """Offer actions on a row in its menu."""
        add_row_menu(self.table, actions)

    def show_rows(self, rows: Sequence[NoteRow], count: str, current: str) -> None:
        """Show these notes, and the one with the id `current` as the one looked at."""
        self._count.setText(count)
        if list(rows) != self.model.rows:
            self.model.set_rows(rows)
        self._point_at(current)

    def _point_at(self, note_id: str) -> None:
        """Make a note the one looked at, or none, without choosing it."""
        rows = [each.id for each in self.model.rows]
        selection, flag = self.table.selectionModel(), QItemSelectionModel.SelectionFlag
        if note_id in rows:
            index = self.model.index(rows.index(note_id), 0)
            selection.setCurrentIndex(index, flag.ClearAndSelect | flag.Rows)
        else:
            selection.clear()
        current = self.current
        said = current.said if current else ""
        if self._said.toPlainText() != said:
            self._said.setPlainText(said)

    def _choose(self, how: SignalInstance, index: QModelIndex) -> None:
        if index.isValid():
            how.emit(self.model.rows[index.row()])

    def _lay_out(self) -> None:
        # its words make no pane wider
        self._count.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        head = QHBoxLayout()
        head.setContentsMargins(6, 4, 4, 2)
        head.addWidget(self._count, 1)
        head.addWidget(self._filter)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        layout.addLayout(head)
        layout.addWidget(self.table, 1)
        layout.addWidget(self._said)
        layout.addWidget(self.box)
        # the pane hands the focus on to the table, past what stands above it
        QWidget.setTabOrder(self.table, self._filter)
        QWidget.setTabOrder(self._filter, self._said)
