"""What is printed in a paper, and a table made anew with its figures beside ours.

The figures, and what is counted for them, are data: a file in `papers` for each paper.
"""

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from shared.errors import RequestError

Figure = float | int | None
"""A share in percent, a count, or None where nothing was measured."""
RATIOS = ("P", "R", "F")
PAPER = "paper"
_ROOM = "shared.recognition.reproduction"
_SUFFIX = ".toml"


@dataclass(frozen=True, slots=True)
class PrintedRow:
    """A row as it is printed: names, figures, and what says how ours come about.

    That of the whole table holds for each row that says nothing else.
    """

    names: tuple[str, ...]
    figures: tuple[Figure, ...]
    asks: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class PrintedTable:
    """A table of a paper: what is `counts`ed, the names of its `figures`, and why ours differ."""

    number: int
    title: str
    counts: str
    figures: tuple[str, ...]
    why: str
    rows: tuple[PrintedRow, ...]


@dataclass(frozen=True, slots=True)
class PrintedPaper:
    """The tables of a paper that public data allow, and why all of ours differ from them."""

    name: str
    citation: str
    why: tuple[str, ...]
    left_out: str
    tables: tuple[PrintedTable, ...]
    patterns: Mapping[str, Any]

    @property
    def is_of_placed_phi(self) -> bool:
        """Whether its corpora are made by placing PHI, so that they are no records of anybody."""
        return any("corpus" in row.asks for table in self.tables for row in table.rows)


@dataclass(frozen=True, slots=True)
class ReproducedRow:
    """A row with `ours`, for each test the figures, and those of the paper."""

    names: tuple[str, ...]
    ours: tuple[tuple[Figure, ...], ...]
    paper: tuple[Figure, ...]


@dataclass(frozen=True, slots=True)
class ReproducedTable:
    """A table made anew; `tests` are what ours were measured on."""

    printed: PrintedTable
    tests: tuple[str, ...]
    rows: tuple[ReproducedRow, ...]

    @property
    def headers(self) -> tuple[str, ...]:
        """Of the names of a row, then of its figures: ours by test, last the paper's."""
        blanks = ("",) * len(self.rows[0].names)
        sides = (*self.tests, PAPER)
        return (*blanks, *(f"{side} {figure}" for side in sides for figure in self.printed.figures))

    def cells(self) -> list[tuple[str, ...]]:
        """Return the rows as people read them: counts as they are, shares with two decimals."""
        return [
            (*row.names, *(_written(each) for side in (*row.ours, row.paper) for each in side))
            for row in self.rows
        ]

    def as_json(self) -> dict[str, Any]:
        names = self.printed.figures

        def side(figures: Sequence[Figure]) -> dict[str, Figure]:
            return dict(zip(names, figures, strict=True))

        return {
            "number": self.printed.number,
            "title": self.printed.title,
            "why": self.printed.why,
            "rows": [
                {
                    "names": list(row.names),
                    "ours": {
                        test: side(each) for test, each in zip(self.tests, row.ours, strict=True)
                    },
                    PAPER: side(row.paper),
                }
                for row in self.rows
            ],
        }


Measured = Callable[[PrintedRow], Sequence[Sequence[Figure]]]
"""What is measured for a row, for each test."""


def reproduced(printed: PrintedTable, tests: Sequence[str], measured: Measured) -> ReproducedTable:
    """Return a table with what is measured for each of its rows."""
    rows = tuple(
        ReproducedRow(row.names, tuple(map(tuple, measured(row))), row.figures)
        for row in printed.rows
    )
    return ReproducedTable(printed, tuple(tests), rows)


def percent(share: float) -> float:
    return round(100 * share, 2)


@cache
def paper_named(name: str) -> PrintedPaper:
    """Return what is printed in a paper. Raises RequestError for one that is not known."""
    if name not in papers():
        raise RequestError(f"there is no paper {name}; there are {', '.join(papers())}")
    text = files(_ROOM).joinpath("papers", f"{name}{_SUFFIX}").read_text("utf-8")
    table = tomllib.loads(text)
    return PrintedPaper(
        name,
        table["citation"],
        tuple(table["why"]),
        table["left_out"],
        tuple(map(_table, table["table"])),
        {"pattern": table.get("pattern", ())},
    )


@cache
def papers() -> tuple[str, ...]:
    """Return the names of the papers whose tables are made anew."""
    found = (each.name for each in files(_ROOM).joinpath("papers").iterdir())
    return tuple(sorted(name.removesuffix(_SUFFIX) for name in found if name.endswith(_SUFFIX)))


def chosen_tables(paper: PrintedPaper, numbers: Sequence[int]) -> tuple[PrintedTable, ...]:
    """Return the tables of these numbers, all where there are none. Raises RequestError."""
    known = {table.number: table for table in paper.tables}
    for number in numbers:
        if number not in known:
            there = ", ".join(map(str, known))
            raise RequestError(
                f"table {number} of {paper.name} is not made anew; there are {there}"
            )
    return tuple(known[number] for number in dict.fromkeys(numbers)) or paper.tables


def _table(table: Mapping[str, Any]) -> PrintedTable:
    own = {"number", "title", "counts", "figures", "why", "rows"}
    asks = {name: value for name, value in table.items() if name not in own}
    rows = (
        PrintedRow(tuple(row["names"]), tuple(row["figures"]), asks | row) for row in table["rows"]
    )
    figures = tuple(table.get("figures", RATIOS))
    return PrintedTable(
        table["number"], table["title"], table["counts"], figures, table["why"], tuple(rows)
    )


def _written(figure: Figure) -> str:
    if figure is None:
        return "-"
    return str(figure) if isinstance(figure, int) else f"{figure:.2f}"
