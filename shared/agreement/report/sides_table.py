"""A table of the report with rows for each two sides that are compared, as it is declared."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from shared.agreement.measures import MeasureKey
from shared.agreement.report.figures import Figures
from shared.agreement.report.table import Cell, Column, ReportTable, text

Row = tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class SidesTable:
    """The columns after those that name the sides, and what gives the rows of two sides.

    `keys` gives what the figures of each of these rows measure, where rows are measures or types.
    """

    name: str
    title: str
    columns: tuple[Column, ...]
    rows: Callable[[Figures], Iterable[Row]]
    note: str = ""
    keys: Callable[[Figures], Iterable[MeasureKey]] = lambda _: ()

    def of(self, every: Sequence[Figures]) -> ReportTable:
        return ReportTable.of(
            self.name,
            self.title,
            (text("first", "first"), text("second", "second"), *self.columns),
            [
                (figures.first, figures.second, *row)
                for figures in every
                for row in self.rows(figures)
            ],
            note=self.note,
            keys=[key for figures in every for key in self.keys(figures)],
        )
