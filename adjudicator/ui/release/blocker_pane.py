"""What stands in the way of a release, as a table that leads to each place."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from adjudicator.release.draft import BlockerKind, ReleaseBlocker
from adjudicator.release.held_back import Held
from adjudicator.ui.release.held_back import HoldBackButton
from shared.widgets.parts.place_line import PlaceLine
from shared.widgets.parts.row_table import RowModel, RowTable

_WIDTHS = {0: 90, 1: 110, 2: 220, 3: 120, 4: 110}
_FOUND_BY = {
    BlockerKind.NO_GOLD: "Project",
    BlockerKind.FINDING: "Check",
    BlockerKind.REVIEW: "Surrogates",
    BlockerKind.LEAK: "Leak check",
}
_TALLEST = 16_777_215
"""As Qt has it for no limit."""

_NOT_HERE = {
    BlockerKind.NO_GOLD: "A patient without a gold standard cannot be dismissed: adjudicate it, or "
    "hold it back (H).",
    BlockerKind.FINDING: "This finding has no place: correct the gold standard.",
    BlockerKind.REVIEW: "A surrogate is approved (Space) or edited (F2) in the list (Enter).",
    BlockerKind.LEAK: "This leak is in a surrogate or a record's name: edit that (Enter).",
}


class BlockerModel(RowModel[ReleaseBlocker]):
    """One blocker a row."""

    heads = ("Patient", "Record", "Text", "Type", "Found by", "What stands in the way")

    def cells(self, row: ReleaseBlocker) -> tuple[str, ...]:
        text = " ".join(row.text.split())
        what = row.what[:1].upper() + row.what[1:]
        found_by = _FOUND_BY[row.kind]
        return row.patient_id, row.record_id, text, row.type_name, found_by, what

    def look(self, row: ReleaseBlocker, column: int, role: int) -> object:
        return self.cells(row)[column] if role == Qt.ItemDataRole.ToolTipRole else None


class BlockerPane(QWidget):
    """The table `releaseObstacles` under a line that counts them.

    Signals: `place_wanted` (ReleaseBlocker) on Enter, a double click or the button,
    `dismissed` (ReleaseBlocker, str) with the user's reason why it is as it should be, `said` (str)
    where it cannot be dismissed, `hold_back_wanted` (list of Held), `emptied` when the last
    one is gone and the user was in the table.
    """

    place_wanted = Signal(object)
    dismissed = Signal(object, str)
    said = Signal(str)
    hold_back_wanted = Signal(object)
    emptied = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = BlockerModel(self)
        self._title = QLabel(textFormat=Qt.TextFormat.PlainText)
        self._title.setObjectName("releaseObstacleCount")
        self._title.setWordWrap(True)
        self._show = _button("&Show", "releaseShowObstacle", "Go to the place (Enter)")
        self._clear = _button(
            "&Dismiss…",
            "releaseClear",
            "Nothing is left there that identifies a patient: say why (X). Later runs remember it",
        )
        self._line = PlaceLine()
        self._line.hide()
        self.table = RowTable(self._model, "releaseObstacles", _WIDTHS, 5)
        self.table.setAccessibleName("What stands in the way of a release")
        self.table.setAlternatingRowColors(True)
        self.table.choose_one()
        self._hold_back = HoldBackButton("Hold &back", self.table, self._places)
        self._hold_back.setObjectName("releaseHoldBackObstacle")
        self.setFocusProxy(self.table)
        self._arrange()
        self._connect()
        self._list(())

    def _arrange(self) -> None:
        line = QHBoxLayout()
        line.addWidget(self._title, 1)
        line.addWidget(self._show)
        line.addWidget(self._clear)
        line.addWidget(self._hold_back)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 4, 0, 0)
        layout.addLayout(line)
        layout.addWidget(self.table, 1)
        layout.addWidget(self._line)
        QWidget.setTabOrder(self.table, self._show)
        QWidget.setTabOrder(self._show, self._clear)
        QWidget.setTabOrder(self._clear, self._hold_back)

    def _connect(self) -> None:
        self.table.activated.connect(self._show.click)
        self.table.selectionModel().currentRowChanged.connect(self._offer)
        self._show.clicked.connect(lambda: self.place_wanted.emit(self.current))
        self._clear.clicked.connect(self._ask_reason)
        self._line.left.connect(self._end_asking)
        self._hold_back.wanted.connect(self.hold_back_wanted)
        dismiss = QShortcut(QKeySequence("X"), self.table)
        dismiss.setContext(Qt.ShortcutContext.WidgetShortcut)
        dismiss.activated.connect(self._ask_reason)

    def set_blockers(
        self, blockers: Sequence[ReleaseBlocker], *, nothing_out: bool = False
    ) -> None:
        """List these; the row that was current stays the current one, as far as there is one.

        Until then nothing is said: nobody has looked yet. `nothing_out` where everything is held
        back, so that there is nothing to release.
        """
        count = len(blockers)
        things = "1 thing stands" if count == 1 else f"{count:,} things stand"
        self._title.setText(
            f"{things} in the way of the release. Set each right in the gold standard (F5 reads "
            "it again) or in the list, or dismiss it or hold it back with a reason."
            if count
            else "Everything is held back: there is nothing to release."
            if nothing_out
            else "Nothing stands in the way of the release."
        )
        self._list(blockers)

    @property
    def height_without_rows(self) -> int | None:
        """The height of the line alone where there are no rows; None where there are some."""
        return None if self._model.rows else self.maximumHeight()

    def _list(self, blockers: Sequence[ReleaseBlocker]) -> None:
        row, count = max(0, self.table.currentIndex().row()), len(blockers)
        self._model.set_rows(blockers)
        was_there = self.window().focusWidget() is self.table
        self.table.setVisible(bool(count))
        if was_there and not count:
            self.emptied.emit()
        self.setMaximumHeight(_TALLEST if count else self._show.sizeHint().height() + 8)
        if count:
            self.table.selectRow(min(row, count - 1))
        self._offer()

    @property
    def current(self) -> ReleaseBlocker | None:
        row = self.table.currentIndex().row()
        return self._model.rows[row] if 0 <= row < len(self._model.rows) else None

    def _offer(self) -> None:
        current = self.current
        for button in (self._show, self._clear, self._hold_back):
            button.setVisible(current is not None)
        self._clear.setEnabled(current is not None and current.can_be_dismissed)

    def _places(self) -> list[Held]:
        current = self.current
        return [(current.patient_id, current.record_id)] if current else []

    def _ask_reason(self) -> None:
        current = self.current
        if current is not None and not current.can_be_dismissed:
            self.said.emit(_NOT_HERE[current.kind])
        elif current is not None:
            self._line.show()
            self._line.ask_reason("may it stay", partial(self.dismissed.emit, current))

    def _end_asking(self) -> None:
        self._line.hide()
        self.table.setFocus()


def _button(text: str, name: str, tip: str) -> QPushButton:
    button = QPushButton(text)
    button.setObjectName(name)
    button.setToolTip(tip)
    return button
