"""A report as JSON, CSV, Markdown, LaTeX and workbook; numbers in data in full precision."""

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from shared.agreement.report.table import Column, Kind, Report, Table, known, shown_row

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet


_LONG = 40
"""From so many rows on a LaTeX table runs over pages."""

_FORMULA = ("=", "+", "-", "@", "\t")
"""What a spreadsheet would take for a formula at the start of a cell."""

_LATEX = {
    **{char: f"\\{char}" for char in "&%$#_{}"},
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
}
_MARKDOWN = re.compile(r"([\\|*_`<>\[\]])")


def to_json(report: Report) -> str:
    """Return the whole report; what is no number is null."""
    data = {
        "title": report.title,
        "about": dict(report.about),
        "summary": list(report.summary),
        "conventions": list(report.conventions),
        "tables": {
            table.name: {"title": table.title, "note": table.note, "rows": table.records()}
            for table in report.tables
        },
    }
    return json.dumps(data, indent=1) + "\n"


def to_csv(report: Report, table: Table) -> str:
    """Return one table; lines that begin with # say what it is, as many readers can skip them."""
    file = io.StringIO()
    for name, value in (("table", table.title), *report.about):
        file.write(f"# {name}: {_one_line(value)}\n")
    for sentence in (*report.conventions, *([table.note] if table.note else [])):
        file.write(f"# {_one_line(sentence)}\n")
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow([column.name for column in table.columns])
    for row in table.rows:
        writer.writerow(["" if known(cell) is None else harmless(cell) for cell in row])
    return file.getvalue()


def harmless(cell: object) -> object:
    """Return the cell so that no spreadsheet takes text for a formula."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULA) else cell


def to_markdown(report: Report) -> str:
    """Return the whole report, ratios with four decimals."""
    return "\n".join(_markdown_lines(report)) + "\n"


def to_latex(report: Report) -> str:
    r"""Return the tables for `\input`, set with booktabs and, where they are long, longtable."""
    lines = ["% \\usepackage{booktabs,longtable}"]
    lines += [f"% {name}: {_one_line(value)}" for name, value in report.about]
    lines += [f"% {sentence}" for sentence in report.conventions]
    for table in report.tables:
        lines += ["", *(_long_latex(table) if len(table.rows) > _LONG else _short_latex(table))]
    return "\n".join(lines) + "\n"


def _markdown_lines(report: Report) -> Iterator[str]:
    yield f"# {_markdown(report.title)}"
    yield ""
    yield from (f"- {name}: {_markdown(value)}" for name, value in report.about)
    for paragraph in report.summary:
        yield from ("", _markdown(paragraph))
    for table in report.tables:
        yield from ("", f"## {_markdown(table.title)}", "")
        yield _markdown_row(column.title for column in table.columns)
        yield _markdown_row("---" if _is_text(column) else "--:" for column in table.columns)
        yield from (_markdown_row(shown_row(row, table.columns)) for row in table.rows)
        yield from ("", _markdown(table.note)) if table.note else ()
    yield from ("", "## Conventions", "")
    yield from (f"- {_markdown(sentence)}" for sentence in report.conventions)


def _markdown_row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(_markdown(cell) for cell in cells)} |"


def _markdown(text: str) -> str:
    return _MARKDOWN.sub(r"\\\1", _one_line(text)) if not set(text) <= set("-:") else text


def _short_latex(table: Table) -> Iterator[str]:
    yield from (r"\begin{table}", r"\centering", rf"\caption{{{_latex(table.title)}}}")
    yield from (rf"\label{{tab:{table.name}}}", rf"\begin{{tabular}}{{{_alignment(table)}}}")
    yield from (r"\toprule", _latex_head(table), r"\midrule", *_latex_rows(table))
    yield from (r"\bottomrule", r"\end{tabular}")
    yield from _latex_note(table)
    yield r"\end{table}"


def _long_latex(table: Table) -> Iterator[str]:
    yield rf"\begin{{longtable}}{{{_alignment(table)}}}"
    yield rf"\caption{{{_latex(table.title)}}}\label{{tab:{table.name}}}\\"
    yield from (r"\toprule", _latex_head(table), r"\midrule", r"\endhead")
    yield from (*_latex_rows(table), r"\bottomrule", r"\end{longtable}")
    yield from _latex_note(table)


def _alignment(table: Table) -> str:
    return "".join("l" if _is_text(column) else "r" for column in table.columns)


def _latex_head(table: Table) -> str:
    return " & ".join(_latex(column.title) for column in table.columns) + r" \\"


def _latex_rows(table: Table) -> Iterator[str]:
    for row in table.rows:
        yield " & ".join(_latex(cell) for cell in shown_row(row, table.columns)) + r" \\"


def _latex_note(table: Table) -> Iterator[str]:
    if table.note:
        yield rf"\par\smallskip{{\footnotesize {_latex(table.note)}}}"


def _latex(text: str) -> str:
    return "".join(_LATEX.get(char, char) for char in _one_line(text)).replace("–", "--")


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _is_text(column: Column) -> bool:
    return column.kind is Kind.TEXT


_FORMATS = {Kind.RATIO: "0.0000", Kind.COUNT: "#,##0", Kind.TEXT: "@"}
_NAME_LENGTH = 31
_ILLEGAL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f]")
_WIDEST = 60


def to_xlsx(report: Report) -> bytes:
    """Return the workbook; numbers are numbers, in full precision, shown with four decimals."""
    from openpyxl import Workbook

    book = Workbook()
    book.remove(book.worksheets[0])
    _add_about(book.create_sheet("About"), report)
    for table in report.tables:
        _add_table(book.create_sheet(table.name[:_NAME_LENGTH]), table)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def _add_about(sheet: "Worksheet", report: Report) -> None:
    rows = [("", report.title), *report.about]
    rows += [("summary", paragraph) for paragraph in report.summary]
    rows += [("convention", sentence) for sentence in report.conventions]
    for row in rows:
        sheet.append([_cell(value) for value in row])
    sheet.column_dimensions["A"].width = 20


def _add_table(sheet: "Worksheet", table: Table) -> None:
    from openpyxl.styles import Font
    from openpyxl.utils import get_column_letter

    sheet.append([column.title for column in table.columns])
    for row in table.rows:
        sheet.append([_cell(known(cell)) for cell in row])
    for place, column in enumerate(table.columns, start=1):
        sheet.cell(1, place).font = Font(bold=True)
        cells = [len(str(row[place - 1])) for row in table.rows]
        width = 9 if column.kind is Kind.RATIO else max([len(column.title), *cells]) + 2
        sheet.column_dimensions[get_column_letter(place)].width = min(_WIDEST, width)
        for number in range(2, len(table.rows) + 2):
            sheet.cell(number, place).number_format = _FORMATS[column.kind]
    sheet.freeze_panes = "A2"
    sheet.auto_filter.ref = sheet.dimensions
    if table.note:
        sheet.append([])
        sheet.append([table.note])


def _cell(value: object) -> object:
    return _ILLEGAL.sub("\ufffd", str(harmless(value))) if isinstance(value, str) else value
