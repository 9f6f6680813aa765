"""The tables of the agreement window: figures, and the tags behind one of them."""

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QLabel, QTableView, QVBoxLayout, QWidget

from adjudicator.agreement.places import Behind
from adjudicator.ui.agreement.models import BehindModel, FigureModel
from shared.agreement.report.table import Table

_WIDEST = 360


class FigureTable(QWidget):
    """The table `agreementTable` with its note.

    Signals: `number_chosen` (QModelIndex) on a click or Enter on a number that tags are behind,
    followed by `list_wanted` where it was Enter or a second click.
    """

    number_chosen = Signal(object)
    list_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = FigureModel(self)
        self.table = _table_view("agreementTable", "Agreement")
        self.table.setModel(self.model)
        self.table.clicked.connect(self._choose)
        self.table.activated.connect(self._enter)
        self._note = QLabel()
        self._note.setObjectName("agreementNote")
        self._note.setWordWrap(True)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addWidget(self.table, 1)
        layout.addWidget(self._note)
        self.setFocusProxy(self.table)

    def set_table(self, table: Table | None) -> None:
        """Show this table, in its own order."""
        self.table.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self.model.set_table(table)
        self._note.setText(table.note if table else "")
        self._note.setVisible(bool(table and table.note))
        _fit(self.table)

    def _choose(self, index: QModelIndex) -> None:
        if self.model.leads_on(index):
            self.number_chosen.emit(index)

    def _enter(self, index: QModelIndex) -> None:
        if self.model.leads_on(index):
            self.number_chosen.emit(index)
            self.list_wanted.emit()


class BehindTable(QWidget):
    """The table `agreementTags` under a line that says what is listed.

    `place_chosen` (Behind) on a double click or Enter.
    """

    place_chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = BehindModel(self)
        self.table = _table_view("agreementTags", "Tags behind the number")
        self.table.setModel(self.model)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.activated.connect(self._choose)
        self._title = QLabel()
        self._title.setObjectName("agreementBehind")
        self._title.setWordWrap(True)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 4, 0, 0)
        layout.setSpacing(4)
        layout.addWidget(self._title)
        layout.addWidget(self.table, 1)
        self.setFocusProxy(self.table)
        self.clear()

    def set_rows(self, title: str, rows: list[Behind]) -> None:
        """List these places."""
        self.table.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self.model.set_rows(rows)
        self._title.setText(title)
        _fit(self.table)
        if rows:
            self.table.selectRow(0)

    def clear(self) -> None:
        """List nothing."""
        self.set_rows("Click a number to list the tags behind it.", [])

    def _choose(self, index: QModelIndex) -> None:
        self.place_chosen.emit(self.model.rows[index.row()])


def _table_view(name: str, told: str) -> QTableView:
    table = QTableView()
    table.setObjectName(name)
    table.setAccessibleName(told)
    table.setSortingEnabled(True)
    table.setShowGrid(False)
    table.setWordWrap(False)
    table.setTabKeyNavigation(False)
    table.setAlternatingRowColors(True)
    table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    table.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    table.verticalHeader().hide()
    table.verticalHeader().setDefaultSectionSize(table.fontMetrics().height() + 8)
    table.horizontalHeader().setHighlightSections(False)
    left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
    table.horizontalHeader().setDefaultAlignment(left)  # of words; numbers say right themselves
    return table


def _fit(table: QTableView) -> None:
    table.resizeColumnsToContents()
    header = table.horizontalHeader()
    for column in range(header.count()):
        header.resizeSection(column, min(_WIDEST, header.sectionSize(column) + 12))
    header.setStretchLastSection(table.objectName() == "agreementTags")
