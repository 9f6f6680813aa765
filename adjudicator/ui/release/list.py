"""The list of all replacements: read through, edited one or all of a text, said to be right."""

from collections.abc import Iterable, Sequence

from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QSize,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QHeaderView,
    QLineEdit,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeView,
    QWidget,
)

from adjudicator.release.rows import PlaceKey, ReleaseRow
from adjudicator.release.source import SurrogateOptions
from adjudicator.ui.filter_row import FilterRow, offer
from adjudicator.ui.release.key_box import KeyBox
from adjudicator.ui.release.model import BEFORE, RECORD, SURROGATE, WHY, ReleaseModel
from shared.surrogates.surrogate_kinds import RESAMPLED, ReleaseMode

_Index = QModelIndex | QPersistentModelIndex
_WIDTHS = (100, 185, 185, 185, 170, 110, 150)
_AIR = 6
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_PAUSE_MS = 120
_MODES = {
    ReleaseMode.SURROGATE: "Surrogates",
    ReleaseMode.TAGS: "Tags",
    ReleaseMode.KEYED: "Keyed tags",
    ReleaseMode.SAFE_HARBOR: "Safe Harbor",
}


class ReleaseList(QTreeView):
    """The tree `releaseList`.

    Signals: `written` (ReleaseRow, str, bool: for all of its text), `approved` (list of ReleaseRow)
    on Space, `place_wanted` (ReleaseRow) on Enter, `editing` (ReleaseRow) when an editor opens.
    """

    written = Signal(object, str, bool)
    approved = Signal(object)
    place_wanted = Signal(object)
    editing = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows = ReleaseModel(self)
        self._cells = _Cells(self)
        self._same_text = True
        self.setObjectName("releaseList")
        self.setAccessibleName("Replacements")
        self.setModel(self.rows)
        self.setItemDelegate(self._cells)
        self._set_look()
        self._cells.only_this_wanted.connect(self._only_this)
        # the list changes with what is written, so the editor has to be gone before
        self.rows.written.connect(self._write, Qt.ConnectionType.QueuedConnection)
        self.doubleClicked.connect(lambda: self.write_other(same_text=True))

    @property
    def chosen(self) -> list[ReleaseRow]:
        indexes = self.selectionModel().selectedRows(RECORD)
        ordered = sorted(indexes, key=lambda each: (each.parent().row(), each.row()))
        return [row for row in map(self.rows.row_at, ordered) if row is not None]

    def set_rows(self, rows: Sequence[ReleaseRow]) -> None:
        """Show these; the reader stays where they were, or at what took its place."""
        current = self.currentIndex()
        before, place = self.rows.row_at(current), current.row()
        scrolled = self.verticalScrollBar().value()
        if not self.rows.set_rows(rows):
            return
        for number in range(self.rows.rowCount()):
            self.setFirstColumnSpanned(number, QModelIndex(), True)
        self.expandAll()
        if before is None:
            self._go_to(self.rows.index(0, 0, self.rows.index(0, 0)))
        else:
            self._go_to(self.rows.nearest(before, place))
            self.verticalScrollBar().setValue(scrolled)
        self.scrollTo(self.currentIndex())

    def show_place(self, key: PlaceKey, patient_id: str) -> bool:
        """Go to the row of a place; False where it is not listed."""
        index = self.rows.find(key, patient_id)
        self._go_to(index)
        if index.isValid():
            self.scrollTo(index, QAbstractItemView.ScrollHint.PositionAtCenter)
        return index.isValid()

    def write_other(self, *, same_text: bool) -> None:
        row = self.rows.row_at(self.currentIndex())
        if row is not None and self.isEnabled():
            self._same_text = same_text
            index = self.currentIndex().siblingAtColumn(SURROGATE)
            self.editing.emit(row)
            self.edit(index)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if self.state() is QAbstractItemView.State.EditingState:
            super().keyPressEvent(event)  # an Enter that the editor has taken comes by here too
        elif event.key() == Qt.Key.Key_F2:
            self.write_other(same_text=not shift)
        elif event.key() == Qt.Key.Key_Space:
            self.approved.emit(self.chosen)
        elif event.key() in _ENTER and (row := self.rows.row_at(self.currentIndex())):
            self.place_wanted.emit(row)
        else:
            super().keyPressEvent(event)

    def _set_look(self) -> None:
        self.setUniformRowHeights(True)
        self.setAlternatingRowColors(True)
        self.setAllColumnsShowFocus(True)
        self.setIndentation(14)
        self.setTabKeyNavigation(False)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setExpandsOnDoubleClick(False)
        header = self.header()
        for column, width in enumerate(_WIDTHS):
            self.setColumnWidth(column, width)
        header.setSectionResizeMode(WHY, QHeaderView.ResizeMode.Stretch)
        header.setSectionsMovable(False)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)

    def _go_to(self, index: QModelIndex) -> None:
        if index.isValid():
            self.setCurrentIndex(index)

    def _only_this(self) -> None:
        self._same_text = False

    def _write(self, row: ReleaseRow, text: str) -> None:
        if text != row.replacement.surrogate:
            self.written.emit(row, text, self._same_text)


class _Cells(QStyledItemDelegate):
    """Cuts the words before from the left; Shift+Enter in the editor is for one row only."""

    only_this_wanted = Signal()

    def createEditor(self, parent: QWidget, *_args: object) -> QWidget:
        editor = QLineEdit(parent)
        editor.setObjectName("surrogateEditor")
        editor.setAccessibleName("Surrogate")
        editor.setFrame(False)
        return editor

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        size = super().sizeHint(option, index)
        return QSize(size.width(), size.height() + _AIR)

    def initStyleOption(self, option: QStyleOptionViewItem, index: _Index) -> None:
        super().initStyleOption(option, index)
        if index.column() == BEFORE:
            option.textElideMode = Qt.TextElideMode.ElideLeft  # pyright: ignore[reportAttributeAccessIssue] - a field of the struct

    def eventFilter(self, editor: QObject, event: QEvent) -> bool:
        if (
            isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.KeyPress
            and event.key() in _ENTER
            and event.modifiers() & Qt.KeyboardModifier.ShiftModifier
            and isinstance(editor, QWidget)
        ):
            self.only_this_wanted.emit()
            self.commitData.emit(editor)
            self.closeEditor.emit(editor, QStyledItemDelegate.EndEditHint.NoHint)
            return True
        return super().eventFilter(editor, event)


class ReleaseFilterRow(FilterRow):
    """A line of choices. `changed` for what is shown, `options_changed` for what is drawn anew."""

    changed = Signal()
    options_changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._patient = self._add("&Patient", "releasePatient")
        self._type = self._add("&Type", "releaseType")
        self.words = QLineEdit(placeholderText="Filter (Ctrl+F)", clearButtonEnabled=True)
        self.words.setObjectName("releaseFilter")
        self.words.setAccessibleName("Filter")
        self.words.setMinimumWidth(200)
        self._line.addWidget(self.words)
        self._weekdays = QCheckBox("Keep days of the &week")
        self._weekdays.setObjectName("releaseWeekdays")
        self._weekdays.setToolTip("Shift dates by whole weeks; all dates are drawn again")
        self._line.addSpacing(8)
        self._mode = self._add("&Mode", "releaseMode")
        self._mode.setToolTip("What stands in place of PHI; the list shows what is written")
        offer(self._mode, ((title, mode) for mode, title in _MODES.items()))
        self._names = self._add("&Names", "releaseNames")
        self._names.setToolTip(
            "Resampled: half of the mentions of people have names of their own, so that one that "
            "was missed does not stand out"
        )
        offer(self._names, (("Consistent", 0.0), ("Resampled", RESAMPLED)))
        self._key = KeyBox()
        self._line.addWidget(self._key)
        self._line.addWidget(self._weekdays)
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._pause.timeout.connect(self.changed)
        self.words.textChanged.connect(self._pause.start)
        self._patient.activated.connect(self.changed)
        self._type.activated.connect(self.changed)
        self._weekdays.clicked.connect(self.options_changed)
        self._mode.activated.connect(self.options_changed)
        self._names.activated.connect(self.options_changed)
        self._key.changed.connect(self.options_changed)

    @property
    def patient_id(self) -> str:
        """The patient that is shown, "" for all."""
        return self._patient.currentData() or ""

    @property
    def type_name(self) -> str:
        """The type that is shown, "" for all."""
        return self._type.currentData() or ""

    @property
    def surrogate_options(self) -> SurrogateOptions:
        """How what is listed is made."""
        mode = ReleaseMode(self._mode.currentData())
        has_names = mode is ReleaseMode.SURROGATE
        return SurrogateOptions(
            keep_weekdays=self._weekdays.isChecked(),
            mode=mode,
            key=self._key.path if mode is ReleaseMode.KEYED else None,
            resample=self._names.currentData() if has_names else 0.0,
        )

    def show_options(self, options: SurrogateOptions) -> None:
        """Show how what is listed was made."""
        for each in (self._weekdays, self._names):
            each.setEnabled(options.mode is ReleaseMode.SURROGATE)
        self._weekdays.setChecked(options.keep_weekdays)
        self._names.setCurrentIndex(max(0, self._names.findData(options.resample)))
        self._mode.setCurrentIndex(self._mode.findData(options.mode))
        self._key.show_path(options.key)
        self._key.setVisible(options.mode is ReleaseMode.KEYED)

    def offer(
        self, patient_ids: Iterable[str], type_names: Iterable[str], open_one: str = ""
    ) -> None:
        """Offer these, the patient that is open first; what was chosen stays so."""
        ids = sorted(patient_ids, key=lambda each: each != open_one)
        names = [f"{each} (open)" if each == open_one else each for each in ids]
        offer(self._patient, [("All patients", ""), *zip(names, ids, strict=True)])
        offer(self._type, [("All types", ""), *((each, each) for each in type_names)])

    def widen(self) -> None:
        self._patient.setCurrentIndex(0)
        self._type.setCurrentIndex(0)
        self.words.clear()
        self._pause.stop()
