"""The findings of a layer as rows: text, kind, type and record, narrowed by words."""

from collections.abc import Sequence

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from shared.consistency.findings import Finding

_ROOT = QModelIndex()
_HEADERS = ("Text", "What", "As", "Record")


class FindingModel(QAbstractTableModel):
    """The findings that fit the filter."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._all: Sequence[Finding] = ()
        self._rows: list[Finding] = []
        self._words: list[str] = []

    @property
    def rows(self) -> Sequence[Finding]:
        return self._rows

    @property
    def findings(self) -> Sequence[Finding]:
        """All of them, whatever the filter."""
        return self._all

    def set_findings(self, findings: Sequence[Finding]) -> None:
        self._all = findings
        self._arrange()

    def narrow(self, text: str) -> None:
        """Show the findings that hold all words of `text`."""
        self._words = text.lower().split()
        self._arrange()

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: QModelIndex | QPersistentModelIndex = _ROOT) -> int:
        return 0 if parent.isValid() else len(_HEADERS)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return _HEADERS[section]
        return None

    def data(
        self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        finding = self._rows[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return _cells(finding)[index.column()]
        return why_of(finding) if role == Qt.ItemDataRole.ToolTipRole else None

    def _arrange(self) -> None:
        self.beginResetModel()
        self._rows = [each for each in self._all if self._fits(each)]
        self.endResetModel()

    def _fits(self, finding: Finding) -> bool:
        line = f"{' '.join(_cells(finding))} {finding.why}".lower()
        return all(word in line for word in self._words)


def why_of(finding: Finding) -> str:
    """Why it is one, as a sentence, and how sure that is."""
    return f"{finding.why[:1].upper()}{finding.why[1:]} ({finding.certainty:.0%} sure)."


def _cells(finding: Finding) -> tuple[str, ...]:
    text = " ".join(finding.text.split())
    return text, finding.kind.value, finding.phi_type.name, finding.record_id
