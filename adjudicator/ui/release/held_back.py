"""What is held back from a release: the button that asks for it, and the list with the reasons."""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMenu, QPushButton, QVBoxLayout, QWidget

from adjudicator.release.held_back import Held, HeldBack, in_words
from shared.widgets.parts.focus import FocusBefore
from shared.widgets.parts.place_line import PlaceLine
from shared.widgets.parts.row_table import RowModel, RowTable

_WIDTHS = {0: 90, 1: 110, 2: 420, 3: 110}
_LINES = 4


class HoldBackButton(QPushButton):
    """A button with a menu, and its keys in the list that it is about: H, Shift+H.

    `wanted` (list of Held): the records of what is chosen in the list, or their patients.
    """

    wanted = Signal(object)

    def __init__(self, text: str, where: QWidget, chosen: Callable[[], list[Held]]) -> None:
        super().__init__(text)
        self._chosen = chosen
        self._record = self._action("Record…", "H", where, self._records)
        self._patient = self._action("Patient…", "Shift+H", where, self._patients)
        menu = QMenu(self)
        menu.addActions([self._record, self._patient])
        menu.aboutToShow.connect(self._offer)
        self.setMenu(menu)
        self.setToolTip("Leave the record (H) or the patient (Shift+H) out of the release")

    def _action(
        self, text: str, key: str, where: QWidget, keys: Callable[[], list[Held]]
    ) -> QAction:
        action = QAction(text, self)
        action.setShortcut(QKeySequence(key))
        action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        action.triggered.connect(lambda: self._want(keys()))
        where.addAction(action)
        return action

    def _want(self, keys: list[Held]) -> None:
        if keys and self.isEnabled():
            self.wanted.emit(keys)

    def _records(self) -> list[Held]:
        """The records chosen; a patient where there is no record to name."""
        return list(dict.fromkeys(self._chosen()))

    def _patients(self) -> list[Held]:
        return list(dict.fromkeys((patient_id, "") for patient_id, _ in self._chosen()))

    def _offer(self) -> None:
        records = [each for each in self._records() if each[1]]
        for action, keys, what in (
            (self._record, records, "Record"),
            (self._patient, self._patients(), "Patient"),
        ):
            action.setEnabled(bool(keys))
            name = next((record or patient for patient, record in keys), "")
            many = f"{len(keys):,} {what.lower()}s…"
            action.setText(many if len(keys) > 1 else f"{what} {name}…" if keys else f"{what}…")


class HeldBackModel(RowModel[HeldBack]):
    """One patient or record a row."""

    heads = ("Patient", "Record", "Held back because", "By", "When")

    def cells(self, row: HeldBack) -> tuple[str, ...]:
        when = row.when[:16].replace("T", " ")
        return row.patient_id, row.record_id or "all", row.reason, row.who, when

    def look(self, row: HeldBack, column: int, role: int) -> object:
        return self.cells(row)[column] if role == Qt.ItemDataRole.ToolTipRole else None


class HeldBackPane(QWidget):
    """The table `releaseHeldBack` under a line that counts, there where something is held back.

    Asks for the reason too. Signals: `held` (list of Held, str) with the reason, `let_in` (Held).
    """

    held = Signal(object, str)
    let_in = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = HeldBackModel(self)
        self._title = QLabel(textFormat=Qt.TextFormat.PlainText)
        self._title.setObjectName("releaseHeldBackCount")
        self._let_in = QPushButton("Let in &again")
        self._let_in.setObjectName("releaseLetIn")
        self._let_in.setToolTip("Hold it back no more (Del)")
        self._line = PlaceLine()
        self.table = RowTable(self._model, "releaseHeldBack", _WIDTHS, 4)
        self.table.setAccessibleName("What is held back from the release")
        self.table.choose_one()
        self._arrange()
        self._connect()
        self.set_held((), 0)

    def set_held(self, held: Sequence[HeldBack], records: int) -> None:
        """List these, which hold so many records back."""
        row = max(0, self.table.currentIndex().row())
        self._model.set_rows(held)
        one = records == 1
        self._title.setText(
            f"{records:,} {'record is' if one else 'records are'} held back from the release."
        )
        for each in (self._title, self._let_in, self.table):
            each.setVisible(bool(held))
        height = self.table.fontMetrics().height() + 10
        self.table.setFixedHeight(height * (min(len(held), _LINES) + 1))
        if held:
            self.table.selectRow(min(row, len(held) - 1))
        self.setVisible(bool(held))

    def ask(self, keys: Sequence[Held]) -> None:
        """Ask why these are to be held back."""
        what = in_words(keys[0]) if len(keys) == 1 else f"these {len(keys):,}"
        self._asked_from = FocusBefore(self.window())
        self.show()
        self._line.show()
        self._line.ask_reason(
            f"hold {what} back", partial(self.held.emit, list(keys)), "holds back"
        )

    def _arrange(self) -> None:
        self._asked_from: FocusBefore | None = None
        line = QHBoxLayout()
        line.addWidget(self._title, 1)
        line.addWidget(self._let_in)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 4, 0, 0)
        layout.addWidget(self._line)
        layout.addLayout(line)
        layout.addWidget(self.table)
        self._line.hide()

    def _connect(self) -> None:
        self._let_in.clicked.connect(self._want_let_in)
        self._line.left.connect(self._go_back)
        self._line.currentChanged.connect(self._end_asking)
        delete = QShortcut(QKeySequence(QKeySequence.StandardKey.Delete), self.table)
        delete.setContext(Qt.ShortcutContext.WidgetShortcut)
        delete.activated.connect(self._want_let_in)

    def _want_let_in(self) -> None:
        row = self.table.currentIndex().row()
        if 0 <= row < len(self._model.rows):
            self.let_in.emit(self._model.rows[row].key)

    def _end_asking(self, page: int) -> None:
        if page == 0:  # given, given up, or the user went elsewhere
            self._line.hide()
            self.setVisible(bool(self._model.rows))

    def _go_back(self) -> None:
        if self._asked_from is not None:
            self._asked_from.give_back(self.table)
