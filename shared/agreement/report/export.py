"""A report as JSON, CSV, Markdown and workbook; numbers in data in full precision."""

import json
import math
import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from shared.agreement.report.table import NO_NUMBER, ColumnKind, Report, ReportTable
from shared.agreement.report.workbook import workbook_file
from shared.text.harmless import as_cell, as_markdown

if TYPE_CHECKING:
    import pandas as pd
    from openpyxl import Workbook
    from openpyxl.worksheet.worksheet import Worksheet

_MOST_ROWS = 2000
_NUMBER_FORMATS = {ColumnKind.RATIO: "0.0000", ColumnKind.COUNT: "#,##0"}
_SHEET_NAME_LENGTH = 31
_ILLEGAL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f]")
_NARROWEST, _WIDEST, _PARAGRAPH = 7, 60, 100
"""Widths of columns, in letters."""
_LINE = 15
"""How high a line is, in points."""
_ARROW = 2
"""What the arrow of the filter takes, which would cover the end of a title."""


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


# ---------------------------------------------------------------- CSV


def to_csv(table: ReportTable) -> str:
    """Return one table: a line of column names, then a line for each row."""
    return _written(table, as_cell).to_csv(index=False, lineterminator="\n")


def _written(table: ReportTable, write: Callable[[str], str]) -> "pd.DataFrame":
    """Return the frame with its texts as they are written; each is looked at once."""
    columns = {name: table.frame[name] for name in table.text_columns}
    return table.frame.assign(
        **{
            name: column.map({text: write(text) for text in column.unique().tolist()})
            for name, column in columns.items()
        }
    )


# ---------------------------------------------------------------- Markdown


def to_markdown(report: Report) -> str:
    """Return the whole report, ratios with four decimals; of a long list the first 2,000 rows."""
    return "\n".join(_markdown_lines(report)) + "\n"


def _markdown_lines(report: Report) -> Iterator[str]:
    yield f"# {as_markdown(report.title)}"
    yield ""
    yield from (f"- {name}: {as_markdown(value)}" for name, value in report.about)
    for paragraph in report.summary:
        yield from ("", as_markdown(paragraph))
    for table in (each.head(_MOST_ROWS) for each in report.tables):
        yield from ("", f"## {as_markdown(table.title)}", "", _markdown_table(table))
        yield from ("", as_markdown(table.note)) if table.note else ()
    yield from ("", "## Conventions", "")
    yield from (f"- {as_markdown(sentence)}" for sentence in report.conventions)


def _markdown_table(table: ReportTable) -> str:
    ratios = (column.name for column in table.columns if column.kind is ColumnKind.RATIO)
    alignment = ["left" if column.is_text else "right" for column in table.columns]
    return (
        _written(table, as_markdown)
        .assign(**{name: table.frame[name].map(_four_decimals) for name in ratios})
        .set_axis([as_markdown(column.title) for column in table.columns], axis=1)
        .to_markdown(index=False, disable_numparse=True, colalign=alignment)
    )


def _four_decimals(value: float) -> str:
    return NO_NUMBER if math.isnan(value) else f"{value:.4f}"


# ---------------------------------------------------------------- workbook


def to_xlsx(report: Report) -> bytes:
    """Return the workbook; numbers are numbers, in full precision, shown with four decimals."""
    from openpyxl import Workbook
    from openpyxl.styles import Alignment

    about = [("", report.title), *report.about]
    about += [("summary", paragraph) for paragraph in report.summary]
    about += [("convention", sentence) for sentence in report.conventions]
    book = Workbook()
    about_sheet = book.worksheets[0]
    about_sheet.title = "About"
    for row in about:
        about_sheet.append([_sheet_text(each) for each in row])
    about_sheet.column_dimensions["A"].width = 20
    about_sheet.column_dimensions["B"].width = _PARAGRAPH
    for number, (_, said) in enumerate(about, start=1):
        for cell in about_sheet[number]:
            cell.alignment = Alignment(wrap_text=True, vertical="top")
        about_sheet.row_dimensions[number].height = _LINE * math.ceil(len(said) / _PARAGRAPH + 0.1)
    _fit_to_page(about_sheet)
    for table in report.tables:
        _lay_out(_add_sheet(book, table), table)
    return workbook_file(book)


def _fit_to_page(sheet: "Worksheet") -> None:
    """Print all columns beside each other, on as many pages as there are rows for."""
    from openpyxl.worksheet.properties import PageSetupProperties

    sheet.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)
    sheet.page_setup.orientation = "landscape"
    sheet.page_setup.fitToHeight = 0


def _add_sheet(book: "Workbook", table: ReportTable) -> "Worksheet":
    from openpyxl.styles import Font

    sheet = book.create_sheet(table.name[:_SHEET_NAME_LENGTH])
    sheet.append([column.title for column in table.columns])
    for cell in sheet[1]:
        cell.font = Font(bold=True)
    frame = _written(table, _sheet_text)
    for row in zip(*(frame[name].tolist() for name in frame.columns), strict=True):
        sheet.append([_sheet_number(each) if isinstance(each, float) else each for each in row])
    return sheet


def _sheet_number(number: float) -> float | str | None:
    """What a cell can hold of a number."""
    if math.isfinite(number):
        return number
    return None if math.isnan(number) else str(number)


def _lay_out(sheet: "Worksheet", table: ReportTable) -> None:
    from openpyxl.utils import get_column_letter

    for number, column in enumerate(table.columns, start=1):
        longest = max(_NARROWEST, len(column.title) + _ARROW)
        if column.kind is not ColumnKind.RATIO:
            longest = max([longest, *table.frame[column.name].astype(str).str.len()])
        sheet.column_dimensions[get_column_letter(number)].width = min(_WIDEST, longest + 2)
        if column.kind in _NUMBER_FORMATS:
            for (cell,) in sheet.iter_rows(2, table.row_count + 1, number, number):
                cell.number_format = _NUMBER_FORMATS[column.kind]
    _fit_to_page(sheet)
    sheet.freeze_panes = "A2"
    sheet.auto_filter.ref = sheet.dimensions
    if table.note:
        sheet.append([])
        sheet.append([table.note])


def _sheet_text(text: str) -> str:
    return _ILLEGAL.sub("\ufffd", as_cell(text))
