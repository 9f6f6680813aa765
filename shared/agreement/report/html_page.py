"""A report as one HTML page that needs nothing beside it."""

from collections.abc import Iterator
from html import escape

from shared.agreement.report.plots import Inks, plots_of, style_of
from shared.agreement.report.table import Cell, Column, Report, ReportTable, formatted
from shared.text.blocks import counted
from shared.text.web_page import web_page

_MANY_ROWS = 60
_MOST_ROWS = 2000


def to_html(report: Report) -> str:
    """Return the page: summary, plots, tables, conventions."""
    return web_page(report.title, f"{STYLE}{style_of(_INKS)}", _lines(report))


def _lines(report: Report) -> Iterator[str]:
    about = "".join(f"<span>{escape(name)}: {escape(value)}</span>" for name, value in report.about)
    yield f'<header><h1>{escape(report.title)}</h1><p class="about">{about}</p></header><main>'
    yield from (f"<p>{escape(paragraph)}</p>" for paragraph in report.summary)
    links = (f'<a href="#{each.name}">{escape(each.title)}</a>' for each in report.tables)
    yield f'<nav class="contents">{" ".join(links)}</nav>'
    yield from _plots(report)
    for table in report.tables:
        yield from _table(table)
    yield '<h2 id="conventions">Conventions</h2><ul class="note">'
    yield from (f"<li>{escape(sentence)}</li>" for sentence in report.conventions)
    yield "</ul></main>"


def _plots(report: Report) -> Iterator[str]:
    for number, (sides, plots) in enumerate(plots_of(report).items()):
        opened = "" if number else " open"
        yield f"<details{opened}><summary><h2>Plots: {escape(sides)}</h2></summary>"
        for plot in plots:
            yield f"<h3>{plot.title}</h3>"
            yield plot.svg
        yield "</details>"


def _table(table: ReportTable) -> Iterator[str]:
    opened = " open" if table.row_count <= _MANY_ROWS else ""
    yield f'<details{opened}><summary><h2 id="{table.name}">{escape(table.title)}</h2>'
    rows = counted(table.row_count, "row")
    yield f'<span class="note"> {rows}</span></summary><div class="wide"><table>'
    heads = (f"<th{_kind(column)}>{escape(column.title)}</th>" for column in table.columns)
    yield f"<thead><tr>{''.join(heads)}</tr></thead><tbody>"
    shown = table.head(_MOST_ROWS)
    for row in shown.records():
        cells = (_td(row[column.name], column) for column in table.columns)
        yield f"<tr>{''.join(cells)}</tr>"
    yield "</tbody></table></div>"
    if shown.note:
        yield f'<p class="note">{escape(shown.note)}</p>'
    yield "</details>"


def _td(cell: Cell, column: Column) -> str:
    is_number = cell is not None and not column.is_text
    exact = f' data-value="{cell!r}"' if is_number else ""
    return f"<td{_kind(column)}{exact}>{escape(formatted(cell, column.kind))}</td>"


def _kind(column: Column) -> str:
    return "" if column.is_text else ' class="number"'


_INKS = Inks(
    *(
        f"var(--{name})"
        for name in ("inverse", "text", "faint", "line", "strong", "other", "right")
    ),
    family="inherit",
)
STYLE = """
:root { color-scheme: light dark; --page: #fdfdfc; --text: #1d2124; --faint: #6a7178;
  --line: #dcdfe2; --head: #f2f3f4; --strong: #0072b2; --other: #d55e00; --right: #009e73;
  --inverse: #000; }
@media (prefers-color-scheme: dark) { :root { --page: #16191c; --text: #e4e6e8; --faint: #98a0a8;
  --line: #343a40; --head: #1f2428; --strong: #56b4e9; --other: #e69f00; --right: #2fbf95;
  --inverse: #16191c; } }
body { margin: 0 auto; padding: 2rem 1.5rem 4rem; max-width: 76rem; background: var(--page);
  color: var(--text); font: 15px/1.5 system-ui, "Segoe UI", "DejaVu Sans", sans-serif; }
h1 { font-size: 1.7rem; font-weight: 600; margin: 0 0 .3rem; }
h2 { font-size: 1.2rem; font-weight: 600; margin: 2.6rem 0 .6rem; }
h3 { font-size: 1rem; font-weight: 600; margin: 1.4rem 0 .4rem; }
p { max-width: 46rem; } .about, .note, .contents { color: var(--faint); font-size: .87rem; }
.about span { margin-right: 1.4rem; overflow-wrap: anywhere; }
.contents a { margin-right: 1.1rem; white-space: nowrap; } a { color: var(--strong); }
.wide { overflow-x: auto; max-height: 40rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .87rem; }
th, td { padding: .25rem .7rem; border-bottom: 1px solid var(--line); text-align: left;
  white-space: nowrap; }
th { position: sticky; top: 0; background: var(--head); font-weight: 600; }
td.number, th.number { text-align: right; } tbody tr:hover { background: var(--head); }
summary { cursor: pointer; } summary h2 { display: inline-block; margin-bottom: .2rem; }
svg { max-width: 100%; height: auto; }
@media print { :root { --page: #fff; --text: #000; --faint: #444; --line: #bbb; --head: #fff;
  --strong: #0072b2; --other: #d55e00; --right: #009e73; --inverse: #000; }
  body { padding: 0; max-width: none; font-size: 10pt; } .contents { display: none; }
  .wide { overflow: visible; max-height: none; }
  details::details-content { content-visibility: visible; block-size: auto; }
  h2, h3, summary { break-after: avoid; } tr, svg { break-inside: avoid; } table { font-size: 8pt; }
  th { position: static; } th, td { padding: .1rem .35rem; white-space: normal; } }
"""
