"""The list of findings: what does not fit together in the tags, why, and what to do about it."""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QEvent, QItemSelectionModel, QModelIndex, QObject, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence, QPalette
from PySide6.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from shared.consistency.findings import Finding
from shared.widgets.look.framed_list import FramedList
from shared.widgets.parts.row_menu import add_row_menu
from shared.widgets.parts.row_table import FilteredModel, RowTable
from shared.widgets.tags.place_at_hand import PlaceAction


class FindingModel(FilteredModel[Finding]):
    """The findings that fit the filter."""

    heads = ("Text", "What", "As", "Record")

    def cells(self, row: Finding) -> tuple[str, ...]:
        text = " ".join(row.text.split())
        return text, row.kind.value, row.type_name, row.record_id

    def words(self, row: Finding) -> str:
        return f"{super().words(row)} {row.why}"

    def look(self, row: Finding, column: int, role: int) -> object:  # noqa: ARG002 - of RowModel
        return why_of(row) if role == Qt.ItemDataRole.ToolTipRole else None


def why_of(finding: Finding) -> str:
    """Why it is one, as a sentence, and how sure that is."""
    return f"{finding.why[:1].upper()}{finding.why[1:]} ({finding.certainty:.0%} sure)."


_NATIVE = QKeySequence.SequenceFormat.NativeText
_NO_BREAK = "\N{NO-BREAK SPACE}"
_WIDTHS = {1: 88, 3: 62}
_TYPE = 2
_HERE = {
    Qt.Key.Key_Return: PlaceAction.ACCEPT,
    Qt.Key.Key_Enter: PlaceAction.ACCEPT,
    Qt.Key.Key_X: PlaceAction.DISMISS,
    Qt.Key.Key_Delete: PlaceAction.DISMISS,
    Qt.Key.Key_E: PlaceAction.EDIT,
}
"""What a key does in the list."""
_EVERYWHERE = {
    Qt.Key.Key_Return: PlaceAction.ACCEPT_EVERYWHERE,
    Qt.Key.Key_Enter: PlaceAction.ACCEPT_EVERYWHERE,
    Qt.Key.Key_X: PlaceAction.DISMISS_EVERYWHERE,
    Qt.Key.Key_Delete: PlaceAction.DISMISS_EVERYWHERE,
}


class FindingPane(QWidget):
    """The list `findingTable`, the reason for the current finding, and what can be done.

    Signals: `chosen` (Finding) when the user goes to another; `verb_wanted` (PlaceAction) about the
    current one; `again_wanted`.
    """

    chosen = Signal(object)
    verb_wanted = Signal(object)
    again_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("findingPane")
        self._model = FindingModel(self)
        self._pointing = False
        self._waiting = self._dismissed = 0
        self._is_cut_short = False
        self._looked_at: Finding | None = None
        self._count, self._why, self._keys = (
            QLabel(textFormat=Qt.TextFormat.PlainText),
            QLabel(textFormat=Qt.TextFormat.PlainText),
            QLabel(textFormat=Qt.TextFormat.PlainText),
        )
        self._filter = QLineEdit()
        self._table = RowTable(self._model, "findingTable", _WIDTHS, 0)
        self._buttons = {
            name: _button(name, text, tip, signal)
            for name, text, tip, signal in (
                ("mend", "Apply fix", "Enter in the list", self._wants(PlaceAction.ACCEPT)),
                (
                    "all",
                    "To all similar",
                    "Shift+Enter in the list",
                    self._wants(PlaceAction.ACCEPT_EVERYWHERE),
                ),
                ("dismiss", "Dismiss", "X or Delete in the list", self._wants(PlaceAction.DISMISS)),
                ("again", "Check again", "F5", self.again_wanted.emit),
            )
        }
        self._set_up_table()
        self._set_up_lines()
        self._lay_out()
        self.say("")

    def show_action(self, action: QAction) -> None:
        """Offer an action that is on or off beside the button that looks again."""
        box = QCheckBox(action.text().replace("&", ""))
        box.setObjectName(f"finding.{action.objectName()}")
        box.setToolTip(action.toolTip())
        box.setChecked(action.isChecked())
        box.clicked.connect(action.trigger)
        action.toggled.connect(box.setChecked)
        self._head.insertWidget(self._head.count() - 1, box)

    def show_keys(self, keys: Sequence[tuple[QAction, str]]) -> None:
        """Say below the list which key does what, whatever the keys are bound to."""

        def tell() -> None:
            shown = ((action.shortcut().toString(_NATIVE), what) for action, what in keys)
            parts = (f"{key} {what}".replace(" ", _NO_BREAK) for key, what in shown if key)
            self._keys.setText(" · ".join(parts))

        for action, _ in keys:
            action.changed.connect(tell)
        tell()

    def offer(self, *actions: QAction) -> None:
        """Offer actions on the current finding in the context menu."""
        add_row_menu(self._table, actions)

    @property
    def current(self) -> Finding | None:
        """The finding that is looked at."""
        row = self._table.currentIndex().row()
        return self._model.rows[row] if 0 <= row < len(self._model.rows) else None

    @property
    def summary(self) -> str:
        """How many there are, in words."""
        return self._count.text()

    @property
    def model(self) -> FindingModel:
        return self._model

    def show_findings(
        self,
        findings: Sequence[Finding],
        waiting: int = 0,
        dismissed: int = 0,
        *,
        is_cut_short: bool = False,
    ) -> None:
        """Show these; so many others wait for a decision. The place in the list is kept.

        With `is_cut_short`, say that other patients were not asked to the end.
        """
        self._waiting, self._dismissed, self._is_cut_short = waiting, dismissed, is_cut_short
        self._arrange(lambda: self._model.set_rows(findings))

    def step(self, by: int) -> None:
        """Go to the next (1) or previous (-1) finding, around the end; first to the current one."""
        rows = self._model.rowCount()
        if rows:
            by = by if self.current is self._looked_at else 0
            self._point_at((self._table.currentIndex().row() + by) % rows)
            self._choose(self._table.currentIndex())

    def say(self, instead: str) -> None:
        """Show no findings, and in place of their number why that is."""
        self.show_findings(())
        self._count.setText(instead)

    def point_at(self, finding: Finding) -> None:
        """Make a finding the current one, without choosing it."""
        if finding is not self.current and finding in self._model.rows:
            self._point_at(self._model.rows.index(finding))
            self._looked_at = finding
            self._tell()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if (
            watched is self._table
            and isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.KeyPress
            and (verb := _verb_of(event))
        ):
            self.verb_wanted.emit(verb)
            return True
        return super().eventFilter(watched, event)

    def _wants(self, verb: PlaceAction) -> Callable[[], None]:
        return partial(self.verb_wanted.emit, verb)

    def _arrange(self, change: Callable[[], object]) -> None:
        """Show other rows, with the current one as before if it is still shown."""
        row, before = max(0, self._table.currentIndex().row()), self.current
        change()
        rows = self._model.rows
        if before in rows:
            row = rows.index(before)
        if rows:
            self._point_at(min(row, len(rows) - 1))
        self._count.setText(self._numbers())
        self._tell()

    def _numbers(self) -> str:
        every, shown = len(self._model.all_rows), len(self._model.rows)
        found = f"{every} {'finding' if every == 1 else 'findings'}" if every else "No findings"
        some = f"{shown} of " if shown < every else ""
        later = f"; {self._waiting} more wait for a decision" if self._waiting else ""
        without = f"; {self._dismissed} dismissed" if self._dismissed and not every else ""
        rest = "; other patients not checked" if self._is_cut_short else ""
        return f"{some}{found}{later}{without}{rest}"

    def _narrow(self, words: str) -> None:
        said = self._count.text()
        self._arrange(partial(self._model.narrow, words))
        if not self._model.all_rows:
            self._count.setText(said)

    def _point_at(self, row: int) -> None:
        flag = QItemSelectionModel.SelectionFlag
        self._pointing = True
        self._table.selectionModel().setCurrentIndex(
            self._model.index(row, 0), flag.ClearAndSelect | flag.Rows
        )
        self._pointing = False

    def _moved(self, index: QModelIndex) -> None:
        if not self._pointing:
            self._choose(index)

    def _choose(self, index: QModelIndex) -> None:
        self._tell()
        if index.isValid():
            self._looked_at = self.current
            self.chosen.emit(self._model.rows[index.row()])

    def _tell(self) -> None:
        current = self.current
        self._why.setText(why_of(current) if current else "")
        sure = current is not None and current.fix is not None
        self._buttons["all"].setEnabled(sure or bool(current and current.choices))
        self._buttons["mend"].setEnabled(sure or (current is not None and not current.phi_type))
        self._buttons["dismiss"].setEnabled(current is not None)
        self._keys.setVisible(current is not None)

    def _set_up_table(self) -> None:
        table = self._table
        table.setAccessibleName("Findings")
        table.choose_one()
        table.horizontalHeader().setSectionResizeMode(_TYPE, QHeaderView.ResizeMode.Stretch)
        table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        table.installEventFilter(self)
        table.selectionModel().currentRowChanged.connect(self._moved)
        table.clicked.connect(self._choose)

    def _set_up_lines(self) -> None:
        self._filter.setObjectName("findingFilter")
        self._filter.setAccessibleName("Filter findings")
        self._filter.setPlaceholderText("Filter: text, kind, type, record")
        self._filter.setClearButtonEnabled(True)
        self._filter.textChanged.connect(self._narrow)
        for label in (self._count, self._why, self._keys):
            label.setWordWrap(True)
        self._keys.setObjectName("findingKeys")
        self._keys.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        self._why.setObjectName("findingWhy")
        self._count.setObjectName("findingCount")

    def _lay_out(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        self._head = head = QHBoxLayout()
        head.setContentsMargins(6, 4, 4, 0)
        head.addWidget(self._count, 1)
        head.addWidget(self._buttons["again"])
        buttons = QHBoxLayout()
        for name in ("mend", "all", "dismiss"):
            buttons.addWidget(self._buttons[name])
        layout.addLayout(head)
        for part in (self._filter, FramedList(self._table, self._table), self._why):
            layout.addWidget(part)
        layout.addLayout(buttons)
        layout.addWidget(self._keys)


def _verb_of(event: QKeyEvent) -> PlaceAction | None:
    """What a key in the list asks for."""
    modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    if modifiers == Qt.KeyboardModifier.ShiftModifier:
        return _EVERYWHERE.get(Qt.Key(event.key()))
    return _HERE.get(Qt.Key(event.key())) if not modifiers else None


def _button(name: str, text: str, tip: str, wanted: Callable[[], object]) -> QToolButton:
    button = QToolButton()
    button.setObjectName(f"finding.{name}")
    button.setText(text)
    button.setToolTip(tip)
    button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    button.clicked.connect(lambda: wanted())  # noqa: PLW0108 - a signal would be sent the tick
    return button
