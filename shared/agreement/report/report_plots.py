"""Which plots a report has, drawn from its tables."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from shared.agreement.error_classes import MISSED, SPURIOUS
from shared.agreement.report.plots import Dot, dot_plot, heat_map, histogram, time_plot
from shared.agreement.report.table import Cell, Report, Table

_DRAWN = frozenset({"by_type", "documents", "confusion", "days"})
_MOST_DOTS = 40

Rows = Sequence[dict[str, Cell]]


@dataclass(frozen=True, slots=True)
class Plot:
    """A plot as SVG without colours of its own; `style` has the classes it uses."""

    title: str
    svg: str


def plots_of(report: Report) -> dict[str, tuple[Plot, ...]]:
    """Return the plots of each two sides, by `first and second`."""
    by_name = {each.name: _by_sides(each) for each in report.tables if each.name in _DRAWN}
    return {
        sides: tuple(_plots({name: tables.get(sides, ()) for name, tables in by_name.items()}))
        for sides in by_name.get("by_type", {})
    }


def _plots(tables: Mapping[str, Rows]) -> Iterator[Plot]:
    yield Plot("F1 by type with 95 % intervals", dot_plot(_dots(tables["by_type"])))
    records = [float(row["f1"] or 0) for row in tables["documents"]]
    yield Plot("F1 of the records", histogram(records, "records"))
    if tables["confusion"]:
        title = "Types of the second (rows) as types of the first (columns)"
        yield Plot(title, _confusion(tables["confusion"]))
    days = [row for row in tables["days"] if row["day"] != "unknown"]
    if len(days) > 1:
        points = [(str(row["day"]), _float(row["f1"]), _float(row["token_f1"])) for row in days]
        yield Plot("Over time", time_plot(points))


def _by_sides(table: Table) -> dict[str, list[dict[str, Cell]]]:
    found: dict[str, list[dict[str, Cell]]] = defaultdict(list)
    for row in table.records():
        found[f"{row.get('first')} and {row.get('second')}"].append(row)
    return found


def _dots(rows: Rows) -> list[Dot]:
    dots = [
        Dot(
            _short(str(row["type"])),
            *(_float(row["f1"]), _float(row["f1_low"]), _float(row["f1_high"])),
            int(_float(row["tp"]) + _float(row["fn"])),
        )
        for row in rows
        if ":" in str(row["type"])
    ]
    return sorted(dots, key=lambda dot: (-dot.size, dot.label))[:_MOST_DOTS]


def _short(label: str) -> str:
    """Return DATE for DATE:DATE."""
    category, _, name = label.partition(":")
    return category if category == name else label


def _confusion(rows: Rows) -> str:
    numbers = {
        (str(row["second_type"]), str(row["first_type"])): int(_float(row["tags"])) for row in rows
    }
    types = sorted({name for pair in numbers for name in pair} - {MISSED, SPURIOUS})
    lines = [*types, *([SPURIOUS] if any(row == SPURIOUS for row, _ in numbers) else [])]
    columns = [*types, *([MISSED] if any(column == MISSED for _, column in numbers) else [])]
    return heat_map(numbers, lines, columns)


def _float(cell: Cell) -> float:
    return float(cell) if cell is not None else 0.0
