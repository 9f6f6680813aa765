"""A report as a workbook: a sheet that says what it is, and one for each table."""

import io
import re
from typing import TYPE_CHECKING

from shared.agreement.report.files import harmless
from shared.agreement.report.table import Kind, Report, Table, known

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet

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
