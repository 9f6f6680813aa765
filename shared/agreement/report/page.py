"""A report as one HTML page that needs nothing beside it."""

from collections.abc import Iterator
from html import escape

from shared.agreement.report.report_plots import plots_of
from shared.agreement.report.style import SCRIPT, STYLE
from shared.agreement.report.table import Cell, Column, Kind, Report, Table, known, shown

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


def _plots(report: Report) -> Iterator[str]:
    for number, (sides, plots) in enumerate(plots_of(report).items()):
        opened = "" if number else " open"
        yield f"<details{opened}><summary><h2>Plots: {escape(sides)}</h2></summary>"
        for plot in plots:
            yield f"<h3>{plot.title}</h3>"
            yield plot.svg
        yield "</details>"


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
