"""A report as one HTML page that needs nothing beside it."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from html import escape

from shared.agreement.error_classes import MISSED, SPURIOUS
from shared.agreement.report.plots import Dot, dot_plot, heat_map, histogram, time_plot
from shared.agreement.report.style import SCRIPT, STYLE
from shared.agreement.report.table import Cell, Column, Kind, Report, Table, known, shown

_MOST_DOTS = 40
_MANY_ROWS = 60
_MOST_ROWS = 2000
_NO_NETWORK = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"


def to_html(report: Report) -> str:
    """Return the page: summary, plots, tables that sort, conventions."""
    return "\n".join(_lines(report)) + "\n"


def _lines(report: Report) -> Iterator[str]:
    title = escape(report.title)
    yield '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{_NO_NETWORK}">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{title}</title><style>{STYLE}</style></head><body>"
    about = "".join(f"<span>{escape(name)}: {escape(value)}</span>" for name, value in report.about)
    yield f'<header><h1>{title}</h1><p class="about">{about}</p></header><main>'
    yield from (f"<p>{escape(paragraph)}</p>" for paragraph in report.summary)
    links = (f'<a href="#{each.name}">{escape(each.title)}</a>' for each in report.tables)
    yield f'<nav class="contents">{" ".join(links)}</nav>'
    yield from _plots(report)
    for table in report.tables:
        yield from _table(table)
    yield '<h2 id="conventions">Conventions</h2><ul class="note">'
    yield from (f"<li>{escape(sentence)}</li>" for sentence in report.conventions)
    yield f"</ul></main><script>{SCRIPT}</script></body></html>"


def _table(table: Table) -> Iterator[str]:
    opened = " open" if len(table.rows) <= _MANY_ROWS else ""
    yield f'<details{opened}><summary><h2 id="{table.name}">{escape(table.title)}</h2>'
    rows = "1 row" if len(table.rows) == 1 else f"{len(table.rows):,} rows"
    yield f'<span class="note"> {rows}</span></summary><div class="wide"><table>'
    heads = (f"<th{_kind(column)}>{escape(column.title)}</th>" for column in table.columns)
    yield f"<thead><tr>{''.join(heads)}</tr></thead><tbody>"
    for row in table.rows[:_MOST_ROWS]:
        cells = (_td(cell, column) for cell, column in zip(row, table.columns, strict=True))
        yield f"<tr>{''.join(cells)}</tr>"
    yield "</tbody></table></div>"
    if table.note:
        yield f'<p class="note">{escape(table.note)}</p>'
    if len(table.rows) > _MOST_ROWS:
        yield f'<p class="note">The first {_MOST_ROWS:,} rows; all are in {table.name}.csv.</p>'
    yield "</details>"


def _td(cell: Cell, column: Column) -> str:
    value = known(cell)
    exact = "" if value is None or column.kind is Kind.TEXT else f' data-value="{value!r}"'
    return f"<td{_kind(column)}{exact}>{escape(shown(cell, column.kind))}</td>"


def _kind(column: Column) -> str:
    return "" if column.kind is Kind.TEXT else ' class="number"'


# ---------------------------------------------------------------- plots


Rows = Sequence[dict[str, Cell]]


def _plots(report: Report) -> Iterator[str]:
    by_name = {table.name: _by_sides(table) for table in report.tables}
    for number, (sides, rows) in enumerate(by_name.get("by_type", {}).items()):
        opened = "" if number else " open"
        yield f"<details{opened}><summary><h2>Plots: {escape(sides)}</h2></summary>"
        yield "<h3>F1 by type with 95 % intervals</h3>"
        yield dot_plot(_dots(rows))
        records = by_name["documents"][sides]
        yield "<h3>F1 of the records</h3>"
        yield histogram([float(row["f1"] or 0) for row in records], "records")
        confused = by_name["confusion"].get(sides, ())
        if confused:
            yield "<h3>Types of the second (rows) as types of the first (columns)</h3>"
            yield _confusion(confused)
        days = [row for row in by_name["days"].get(sides, ()) if row["day"] != "unknown"]
        if len(days) > 1:
            yield "<h3>Over time</h3>"
            points = [(str(row["day"]), _float(row["f1"]), _float(row["token_f1"])) for row in days]
            yield time_plot(points)
        yield "</details>"


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
