"""The replacements of a release as Qt's trees want them: sections, and below each its rows."""

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from PySide6.QtCore import (
    QAbstractItemModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)
from PySide6.QtGui import QFont, QGuiApplication, QPalette

from adjudicator.release.rows import PlaceKey, ReleaseRow, ReviewSection
from shared.widgets.parts.plain_tip import plain_tip

RECORD, BEFORE, ORIGINAL, SURROGATE, AFTER, TYPE, GROUP, WHY = range(8)
HEADS = ("Record", "", "Original", "Surrogate", "", "Type", "Who, where, when", "Review because")
_ROOT = QModelIndex()
_Index = QModelIndex | QPersistentModelIndex
_Sections = list[tuple[ReviewSection, list[ReleaseRow]]]
_CONTEXT = 60
_SECTION_FLAGS = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
_ROW_FLAGS = _SECTION_FLAGS | Qt.ItemFlag.ItemNeverHasChildren
_WRITTEN_FLAGS = _ROW_FLAGS | Qt.ItemFlag.ItemIsEditable


class ReleaseModel(QAbstractItemModel):
    """Rows by section; `written` (ReleaseRow, str) when another surrogate was typed in."""

    written = Signal(object, str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._sections: _Sections = []
        self._bold = QFont()
        self._bold.setBold(True)

    def set_rows(self, rows: Sequence[ReleaseRow]) -> bool:
        """Show these rows, which are in order of their sections.

        False where they are about the same places in the same order: the views then need only be
        painted anew.
        """
        fresh = [(section, list(own)) for section, own in groupby(rows, lambda row: row.section)]
        if _places(fresh) == _places(self._sections):
            self._sections = fresh
            for number, (_, own) in enumerate(fresh, start=1):
                first = self.createIndex(0, 0, number)
                self.dataChanged.emit(first, self.createIndex(len(own) - 1, WHY, number))
            return False
        self.beginResetModel()
        self._sections = fresh
        self.endResetModel()
        return True

    def row_at(self, index: _Index) -> ReleaseRow | None:
        """The row at an index, None for a section."""
        if not index.isValid() or not index.internalId():
            return None
        return self._sections[index.internalId() - 1][1][index.row()]

    def find(self, key: PlaceKey, patient_id: str = "") -> QModelIndex:
        """The index of a place of the gold standard; an invalid one where it is not listed."""
        for number, (_, rows) in enumerate(self._sections):
            for place, row in enumerate(rows):
                if row.key == key and patient_id in ("", row.patient_id):
                    return self.createIndex(place, 0, number + 1)
        return QModelIndex()

    def nearest(self, before: ReleaseRow, place: int) -> QModelIndex:
        """The row that is where it was in its section, else the one that is now in its `place`."""
        for number, (section, rows) in enumerate(self._sections, start=1):
            if section is before.section:
                same = (at for at, row in enumerate(rows) if row.key == before.key)
                return self.createIndex(next(same, min(place, len(rows) - 1)), 0, number)
        return self.createIndex(0, 0, 1) if self._sections else QModelIndex()

    def index(self, row: int, column: int, parent: _Index = _ROOT) -> QModelIndex:
        if not self.hasIndex(row, column, parent):
            return QModelIndex()
        return self.createIndex(row, column, parent.row() + 1 if parent.isValid() else 0)

    def parent(self, index: _Index = _ROOT) -> Any:  # noqa: ANN401 - also QObject's own
        if not index.isValid() or not index.internalId():
            return QModelIndex()
        return self.createIndex(index.internalId() - 1, 0, 0)

    def rowCount(self, parent: _Index = _ROOT) -> int:
        if not parent.isValid():
            return len(self._sections)
        if parent.internalId() or parent.column():
            return 0
        return len(self._sections[parent.row()][1])

    def columnCount(self, parent: _Index = _ROOT) -> int:  # noqa: ARG002 - Qt's
        return len(HEADS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:  # noqa: ANN401
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return HEADS[section]
        return None

    def flags(self, index: _Index) -> Qt.ItemFlag:
        if not index.internalId():
            return _SECTION_FLAGS
        return _WRITTEN_FLAGS if index.column() == SURROGATE else _ROW_FLAGS

    def data(self, index: _Index, role: int = 0) -> Any:  # noqa: ANN401
        row = self.row_at(index)
        if row is None:
            return self._section_data(index, role)
        column = index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return _cells(row)[column]
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip(_cells(row)[column])
        if role == Qt.ItemDataRole.EditRole:
            return row.replacement.surrogate
        return self._look(column, role)

    def setData(self, index: _Index, value: object, role: int = 0) -> bool:
        row = self.row_at(index)
        if row is None or role != Qt.ItemDataRole.EditRole:
            return False
        self.written.emit(row, str(value))
        return True

    def _section_data(self, index: _Index, role: int) -> Any:  # noqa: ANN401
        if not index.isValid() or index.column():
            return None
        section, rows = self._sections[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return f"{section} – {len(rows):,}"
        return self._bold if role == Qt.ItemDataRole.FontRole else None

    def _look(self, column: int, role: int) -> Any:  # noqa: ANN401
        if role == Qt.ItemDataRole.FontRole and column == SURROGATE:
            return self._bold
        if role == Qt.ItemDataRole.TextAlignmentRole and column == BEFORE:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        if role == Qt.ItemDataRole.ForegroundRole and column in (BEFORE, AFTER):
            return QGuiApplication.palette().color(QPalette.ColorRole.PlaceholderText)
        return None


def _places(sections: _Sections) -> list[tuple[ReviewSection, list[PlaceKey]]]:
    return [(section, [row.key for row in rows]) for section, rows in sections]


def _cells(row: ReleaseRow) -> tuple[str, ...]:
    each = row.replacement
    return (
        each.record_id,
        _in_line(each.before)[-_CONTEXT:],
        _in_line(each.original),
        _in_line(each.surrogate),
        _in_line(each.after)[:_CONTEXT],
        each.tag.phi_type.name,
        row.group,
        row.why,
    )


def _in_line(text: str) -> str:
    return " ".join(text.split())
