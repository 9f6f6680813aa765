"""The pane of the differences between an annotator's tags and the gold standard."""

from collections.abc import Iterable, Iterator

from PySide6.QtCore import QModelIndex, QObject, Qt, Signal
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from annotator.gold_comparison import GoldComparison, GoldDifference
from shared.metrics.alignment import TagMark
from shared.text.blocks import counted
from shared.widgets.parts.row_table import RowModel, RowTable

_TEXT, _KIND, _OWN, _GOLD = range(4)
_WIDTHS = {_KIND: 76, _OWN: 84, _GOLD: 84}


class DifferenceModel(RowModel[GoldDifference]):
    """A row for each difference."""

    heads = ("Text", "Difference", "Yours", "Gold")

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._text = ""

    def show(self, comparison: GoldComparison | None) -> None:
        self._text = comparison.view.text if comparison else ""
        self.set_rows(comparison.differences if comparison else ())

    def cells(self, row: GoldDifference) -> tuple[str, ...]:
        words = " ".join(row.span.text_in(self._text).split())
        return words, row.kind_words, _types(row.own), _types(row.gold)

    def look(self, row: GoldDifference, column: int, role: int) -> object:
        return self.cells(row)[column] if role == Qt.ItemDataRole.ToolTipRole else None

    def about(self, row: GoldDifference) -> Iterator[str]:
        """What each side says of a difference, and what the adjudicator gave as a reason."""
        yield f"Record {row.record_id}"
        yield f"You: {self._said(row.own)}"
        yield f"Gold standard: {self._said(row.gold)}"
        yield from (f"Adjudicator: {each}" for each in row.reasons)

    def _said(self, marks: Iterable[TagMark]) -> str:
        words = (
            f"{phi_type.name} “{' '.join(span.text_in(self._text).split())}”"
            for span, phi_type in marks
        )
        return ", ".join(words) or "no tag"


class ComparisonPane(QWidget):
    """How much is alike, the table `comparisonTable`, and below it the current difference in full.

    `chosen` (GoldDifference) when the user goes to another row.
    """

    chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.model = DifferenceModel(self)
        self._count = QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self._count.setObjectName("comparisonCount")
        self._about = QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self._about.setObjectName("comparisonAbout")
        self._about.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.table = RowTable(self.model, "comparisonTable", _WIDTHS, _TEXT)
        self.table.setAccessibleName("Differences from the gold standard")
        self.table.choose_one()
        self.table.clicked.connect(self._choose)
        self.table.activated.connect(self._choose)
        self.table.pointed.connect(self._choose)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(6, 4, 6, 6)
        layout.setSpacing(6)
        layout.addWidget(self._count)
        layout.addWidget(self.table, 1)
        layout.addWidget(self._about)

    def show_comparison(self, comparison: GoldComparison | None) -> None:
        """Show the differences of a patient, none where no patient is compared."""
        self.model.show(comparison)
        self._count.setText(count_sentence(comparison) if comparison else "")
        self.point_at(None)

    def point_at(self, difference: GoldDifference | None) -> None:
        """Select a row, or none, without `chosen`, and say all of it."""
        if difference is None:
            self.table.clearSelection()
            self._about.clear()
            return
        self.table.selectRow(list(self.model.rows).index(difference))
        self._about.setText("\n".join(self.model.about(difference)))

    def _choose(self, index: QModelIndex) -> None:
        if index.isValid():
            self.chosen.emit(self.model.rows[index.row()])


def count_sentence(comparison: GoldComparison) -> str:
    """How much of a patient is tagged alike."""
    same, different = len(comparison.same), len(comparison.differences)
    if not different:
        if not same:
            return "Neither you nor the gold standard has a tag here."
        alike = "Your only tag is" if same == 1 else f"All {same:,} of your tags are"
        return f"{alike} as in the gold standard, and it has no other."
    differ = counted(different, "difference")
    return f"{differ} from the gold standard, {counted(same, 'tag')} alike"


def _types(marks: Iterable[TagMark]) -> str:
    return " + ".join(phi_type.name for _, phi_type in marks) or "no tag"
