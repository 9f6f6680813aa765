"""A workbook as the bytes of its file, made in memory.

openpyxl writes each sheet to a file in the folder for temporary files first: outside the project,
with all its text, and left there where the process is killed.
"""

# what openpyxl has no types for, and no public names
# pyright: reportUnknownMemberType=false, reportAttributeAccessIssue=false
# ruff: noqa: SLF001

import io
from typing import TYPE_CHECKING, Any
from zipfile import ZIP_DEFLATED, ZipFile

if TYPE_CHECKING:
    from openpyxl import Workbook


def workbook_file(workbook: "Workbook") -> bytes:
    """Return the file of a workbook without charts and pictures."""
    from openpyxl.drawing.spreadsheet_drawing import SpreadsheetDrawing
    from openpyxl.worksheet._writer import WorksheetWriter
    from openpyxl.writer.excel import ExcelWriter

    class InMemory(ExcelWriter):
        def write_worksheet(self, ws: Any) -> None:  # noqa: ANN401  as openpyxl has it
            ws._drawing = SpreadsheetDrawing()
            writer = WorksheetWriter(ws, io.BytesIO())
            writer.write()
            ws._rels = writer._rels
            self._archive.writestr(ws.path[1:], writer.read())
            self.manifest.append(ws)

    file = io.BytesIO()
    InMemory(workbook, ZipFile(file, "w", ZIP_DEFLATED)).save()
    return file.getvalue()
