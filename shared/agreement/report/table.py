"""A table of the report: one data frame in full precision, and what its columns are."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from shared.agreement.error_classes import ErrorClass
from shared.agreement.measures import MeasureKey
from shared.metrics.counts import number_or_none

if TYPE_CHECKING:
    import pandas as pd

Cell = str | int | float | None
NO_NUMBER = "–"


class ColumnKind(StrEnum):
    """What a column holds, and so how it is shown and aligned."""

    TEXT = "text"
    COUNT = "count"
    OFFSET = "offset"
    RATIO = "ratio"


_DTYPES = {
    ColumnKind.TEXT: "str",
    ColumnKind.COUNT: "int64",
    ColumnKind.OFFSET: "int64",
    ColumnKind.RATIO: "float64",
}


class Column(NamedTuple):
    """A column; `name` is its key in JSON and CSV, `title` what a person reads.

    `key` says what its figures count where the column says that, and not the row.
    """

    name: str
    title: str
    kind: ColumnKind = ColumnKind.TEXT
    key: MeasureKey | ErrorClass | None = None

    @property
    def is_text(self) -> bool:
        return self.kind is ColumnKind.TEXT


class TableRow(NamedTuple):
    """The cells of a row by column name, no number as None, and what its figures measure."""

    cells: dict[str, Cell]
    key: MeasureKey | None = None


@dataclass(frozen=True, slots=True, eq=False)
class ReportTable:
    """A data frame with a column for each of `columns`; no number is NaN.

    `name` is a file name, `note` a footnote. `keys` has what the figures of each row measure, in
    tables whose rows are measures or types; else it is empty.
    """

    name: str
    title: str
    columns: tuple[Column, ...]
    frame: "pd.DataFrame"
    note: str = ""
    keys: tuple[MeasureKey, ...] = ()

    @classmethod
    def of(
        cls,
        name: str,
        title: str,
        columns: Sequence[Column],
        rows: Sequence[Sequence[Cell]],
        *,
        note: str = "",
        keys: Sequence[MeasureKey] = (),
    ) -> "ReportTable":
        """Raises ValueError where two columns have one name, or a row has not a cell for each."""
        import pandas as pd

        if len({column.name for column in columns}) < len(columns):
            raise ValueError(f"table {name}: two columns have one name")
        if any(len(row) != len(columns) for row in rows) or len(keys) not in (0, len(rows)):
            raise ValueError(f"table {name}: a row has not one cell for each column")
        cells = zip(*rows, strict=True) if rows else [()] * len(columns)
        frame = pd.DataFrame(
            {
                column.name: pd.Series(list(of_column), dtype=_DTYPES[column.kind])
                for column, of_column in zip(columns, cells, strict=True)
            }
        )
        return cls(name, title, tuple(columns), frame, note, tuple(keys))

    @property
    def row_count(self) -> int:
        return len(self.frame)

    def head(self, most: int) -> "ReportTable":
        """Return the table, of more rows than `most` the first ones and where the others are."""
        if self.row_count <= most:
            return self
        note = f"The first {most:,} of {self.row_count:,} rows; all are in {self.name}.csv."
        note = f"{self.note} {note}".strip()
        return replace(self, frame=self.frame.head(most), keys=self.keys[:most], note=note)

    @property
    def text_columns(self) -> list[str]:
        """The names of the columns that hold text."""
        return [column.name for column in self.columns if column.is_text]

    def records(self) -> list[dict[str, Cell]]:
        """Return the rows as dictionaries by column name; what is no number is None."""
        names = [column.name for column in self.columns]
        cells = (
            [number_or_none(cell) if isinstance(cell, float) else cell for cell in column]
            for column in (self.frame[name].tolist() for name in names)
        )
        return [dict(zip(names, row, strict=True)) for row in zip(*cells, strict=True)]

    def rows(self) -> list[TableRow]:
        keys = self.keys or [None] * self.row_count
        return [TableRow(*row) for row in zip(self.records(), keys, strict=True)]


@dataclass(frozen=True, slots=True)
class Report:
    """All that the files of a report say. `about` is what each of them states about itself."""

    title: str
    about: tuple[tuple[str, str], ...]
    summary: tuple[str, ...]
    tables: tuple[ReportTable, ...]
    conventions: tuple[str, ...]

    def table(self, name: str) -> ReportTable:
        return next(each for each in self.tables if each.name == name)


def text(name: str, title: str) -> Column:
    return Column(name, title)


def counts(*names: tuple[str, str], key: MeasureKey | None = None) -> tuple[Column, ...]:
    return tuple(Column(name, title, ColumnKind.COUNT, key) for name, title in names)


def ratios(*names: tuple[str, str], key: MeasureKey | None = None) -> tuple[Column, ...]:
    return tuple(Column(name, title, ColumnKind.RATIO, key) for name, title in names)


def formatted(cell: Cell, kind: ColumnKind) -> str:
    """Return what a person reads: ratios with four decimals, a dash where there is no number."""
    if cell is None:
        return NO_NUMBER
    is_ratio = kind is ColumnKind.RATIO and not isinstance(cell, str)
    return f"{cell:.4f}" if is_ratio else str(cell)
