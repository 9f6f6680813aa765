"""A table as all files of the report show it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

Cell = str | int | float | None
NO_NUMBER = "–"


class Kind(StrEnum):
    """What a column holds, and so how it is shown and aligned."""

    TEXT = "text"
    COUNT = "count"
    RATIO = "ratio"


@dataclass(frozen=True, slots=True)
class Column:
    """A column; `name` is its key in JSON and CSV, `title` what a person reads."""

    name: str
    title: str
    kind: Kind = Kind.TEXT


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of full precision; `name` is a file name, `note` a footnote.

    Raises ValueError where two columns have one name, or a row has not a cell for each.
    """

    name: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""

    def __post_init__(self) -> None:
        if len({column.name for column in self.columns}) < len(self.columns):
            raise ValueError(f"table {self.name}: two columns have one name")
        if any(len(row) != len(self.columns) for row in self.rows):
            raise ValueError(f"table {self.name}: a row has not one cell for each column")

    def records(self) -> list[dict[str, Cell]]:
        """Return the rows as dictionaries by column name; what is no number is None."""
        names = [column.name for column in self.columns]
        return [dict(zip(names, map(known, row), strict=True)) for row in self.rows]


@dataclass(frozen=True, slots=True)
class Report:
    """All that the files of a report say. `about` is what each of them states about itself."""

    title: str
    about: tuple[tuple[str, str], ...]
    summary: tuple[str, ...]
    tables: tuple[Table, ...]
    conventions: tuple[str, ...]

    def table(self, name: str) -> Table:
        return next(each for each in self.tables if each.name == name)


def text(name: str, title: str) -> Column:
    return Column(name, title)


def counts(*names: tuple[str, str]) -> tuple[Column, ...]:
    return tuple(Column(name, title, Kind.COUNT) for name, title in names)


def ratios(*names: tuple[str, str]) -> tuple[Column, ...]:
    return tuple(Column(name, title, Kind.RATIO) for name, title in names)


def known(cell: Cell) -> Cell:
    """Return the cell, None where it is not a number."""
    return None if isinstance(cell, float) and math.isnan(cell) else cell


def shown(cell: Cell, kind: Kind) -> str:
    """Return what a person reads: ratios with four decimals, a dash where there is no number."""
    value = known(cell)
    if value is None:
        return NO_NUMBER
    return f"{value:.4f}" if kind is Kind.RATIO and not isinstance(value, str) else str(value)


def shown_row(row: Sequence[Cell], columns: Sequence[Column]) -> list[str]:
    return [shown(cell, column.kind) for cell, column in zip(row, columns, strict=True)]
