"""The records of a patient as a list, with what there is to say of each; a click asks for one."""

from itertools import islice

from PySide6.QtCore import QModelIndex, QObject, Qt, Signal
from PySide6.QtWidgets import QLabel, QSizePolicy, QVBoxLayout, QWidget

from shared.project.record_summaries import RecordSummaries
from shared.widgets.parts.row_table import Index, RowModel, RowTable

RECORD, TAGS, UNREAD, DAY, TITLE = range(5)
_LIKELY = {RECORD: "110-02", TAGS: "99", UNREAD: "100%", DAY: "2071-05-12"}
"""What finds room in a column; the title has what is left."""
_MARGINS, _LEAST, _MOST_IDS = 10, 24, 200
_HEAD_TIPS = {
    DAY: "The date of the record, or else the first full date in it that is no date of birth",
    TITLE: "The first line that reads as a title",
    UNREAD: "How much of the text has not been on the screen",
}
_TOOL_TIP, _ALIGNMENT = Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.TextAlignmentRole
_ROLES = frozenset(map(int, (Qt.ItemDataRole.DisplayRole, _TOOL_TIP, _ALIGNMENT)))
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


def percent(share: float) -> str:
    """A share as one reads it, never 0% or 100% of what is neither."""
    if 0 < share < 0.01:
        return "<1%"
    return f"{int(share * 100 + 1e-9)}%"


class RecordModel(RowModel[str]):
    """A row for each record, by its id; what stands in it is asked for when it is seen."""

    heads = ("Record", "Tags", "Unread", "Date", "Title")

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._about: RecordSummaries | None = None

    def open(self, about: RecordSummaries | None) -> None:
        self._about = about
        self.set_rows(about.record_ids if about else ())

    def cells(self, row: str) -> tuple[str, ...]:
        return tuple(self._cell(row, column) for column in range(len(self.heads)))

    def look(self, row: str, column: int, role: int) -> object:
        if role == _TOOL_TIP:
            return self._cell(row, column) or None
        return _RIGHT if column in (TAGS, UNREAD) else None

    def data(self, index: Index, role: int = 0) -> object:
        if role not in _ROLES:  # Qt asks for many of each cell it paints
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._cell(self._rows[index.row()], index.column())
        return super().data(index, role)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> object:
        if role == _TOOL_TIP:
            return _HEAD_TIPS.get(section)
        if role == _ALIGNMENT and section in (TAGS, UNREAD):
            return _RIGHT
        return super().headerData(section, orientation, role)

    def changed(self, number: int) -> None:
        """What stands in a row has changed."""
        self.dataChanged.emit(self.index(number, TAGS), self.index(number, TITLE))

    def _cell(self, row: str, column: int) -> str:
        about = self._about
        if about is None or column == RECORD:
            return row
        if column == DAY:
            return about.day(row)
        if column == TITLE:
            return about.title(row)
        if column == TAGS:
            return f"{about.tag_count(row):,}"
        return percent(share) if (share := about.unread_share(row)) else ""


class RecordPane(QWidget):
    """The table `recordTable` below a line on all records. `record_chosen` (str) at a click."""

    record_chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = RecordModel(self)
        self._line = QLabel(textFormat=Qt.TextFormat.PlainText)
        self._line.setObjectName("recordsRead")
        self._line.setContentsMargins(6, 4, 6, 2)
        # its words make no pane wider
        self._line.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.table = RowTable(self.model, "recordTable", {}, TITLE)
        self.model.modelReset.connect(self._make_room_for_ids)
        self._fit_columns()
        self.table.setAccessibleName("Records")
        self.table.setTextElideMode(Qt.TextElideMode.ElideMiddle)  # records differ at their ends
        self.table.choose_one()
        self.table.clicked.connect(self._choose)
        self.table.activated.connect(self._choose)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._line)
        layout.addWidget(self.table)
        self.setFocusProxy(self.table)

    def show_line(self, text: str) -> None:
        self._line.setText(text)

    def set_current(self, number: int) -> None:
        """Point at a record without asking for it."""
        if self.table.currentIndex().row() != number:
            self.table.selectRow(number)

    def _fit_columns(self) -> None:
        """Leave the title as much room as there is; tooltips have what is cut off."""
        header, metrics = self.table.horizontalHeader(), self.table.fontMetrics()
        header.setMinimumSectionSize(_LEAST)
        self.table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        for column, words in _LIKELY.items():
            width = metrics.horizontalAdvance(words) + _MARGINS
            self.table.setColumnWidth(column, max(width, header.sectionSizeHint(column)))

    def _make_room_for_ids(self) -> None:
        """Show ids that are somewhat longer than usual whole."""
        metrics = self.table.fontMetrics()
        ids = (metrics.horizontalAdvance(each) for each in islice(self.model.rows, _MOST_IDS))
        most = 2 * metrics.horizontalAdvance(_LIKELY[RECORD])
        width = min(max(ids, default=0), most) + _MARGINS
        self.table.setColumnWidth(RECORD, max(width, self.table.columnWidth(RECORD)))

    def _choose(self, index: QModelIndex) -> None:
        self.record_chosen.emit(self.model.rows[index.row()])
