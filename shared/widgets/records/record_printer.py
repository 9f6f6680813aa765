"""Printing the record or the patient on the screen, or saving it as PDF where the user says.

Pages are drawn a few milliseconds at a time, so that the window goes on working. What is printed is
what was there when it was asked for. A file is written once it is whole, for its owner only, and
neither it nor the printer's queue gets a title from the records.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

from PySide6.QtCore import QBuffer, QIODevice, QObject, Qt, Signal
from PySide6.QtGui import QPagedPaintDevice, QPdfWriter
from PySide6.QtPrintSupport import QAbstractPrintDialog, QPrintDialog, QPrinter, QPrinterInfo
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from shared.errors import RequestError, TandemError
from shared.project.files import write_output
from shared.widgets.document.document_view import DocumentView
from shared.widgets.document.marks import MarkStyle
from shared.widgets.parts.refresh import RefreshQueue
from shared.widgets.records.record_pages import draw_records, screen_resolution, set_margins

_TITLE = "Tandem"
_TELL_EVERY = 20


class PrintScopeDialog(QDialog):
    """Asks whether it is to be the record or all of the patient; non-modal as everything else."""

    def __init__(self, title: str, record_id: str, records: int, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("printScope")
        self.setWindowTitle(title)
        self._record = QRadioButton(f"&Record {record_id}")
        self._all = QRadioButton(f"&All {records:,} records of the patient")
        self._record.setChecked(True)
        self._all.setEnabled(records > 1)
        buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        )
        buttons.button(QDialogButtonBox.StandardButton.Ok).setText("&Continue…")
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        for each in (self._record, self._all, buttons):
            layout.addWidget(each)

    @property
    def wants_all(self) -> bool:
        return self._all.isChecked()


class RecordPrinter(QObject):
    """Prints what a view shows; `current` says which record one looks at, from 0.

    Signals: `said` (str) for the status line; `failed` (Exception).
    """

    said = Signal(str)
    failed = Signal(object)

    def __init__(self, view: DocumentView, current: Callable[[], int], window: QWidget) -> None:
        super().__init__(window)
        self._current = current
        self._view = view
        self._window = window
        self._queue = RefreshQueue(self)
        self._pages: Iterator[int] | None = None
        self._record_ids: list[str] = []
        self._device: QPagedPaintDevice | None = None
        self._done: Callable[[], str] = str
        self._page = 0

    def handlers(self) -> dict[str, Callable[[], object]]:
        """What carries out the actions on paper, by their names."""
        return {
            "print": self._print,
            "save_pdf": lambda: self._ask_scope("Save as PDF", self._choose_file),
        }

    def close(self) -> None:
        """Give up what is being drawn; nothing of it is written."""
        self._queue.end(self._step)
        if isinstance(self._device, QPrinter):
            self._device.abort()
        self._pages = self._device = None

    def save_pdf(self, name: str) -> None:
        """Write the records that were chosen to a file."""
        path = Path(name)
        buffer = QBuffer(self)
        buffer.open(QIODevice.OpenModeFlag.WriteOnly)
        writer = QPdfWriter(buffer)
        writer.setTitle(_TITLE)
        writer.setCreator(_TITLE)

        def write() -> str:
            write_output(path, bytes(buffer.data().data()))
            return f"Saved as {path.name}."

        self._begin(writer, write)

    def _print(self) -> None:
        if QPrinterInfo.availablePrinterNames():
            self._ask_scope("Print", self._choose_printer)
        else:
            self.said.emit("There is no printer; Save as PDF writes the same to a file.")

    def _ask_scope(self, title: str, then: Callable[[], None]) -> None:
        view = self._view.merged_view
        if self._pages is not None:
            self.said.emit("Pages are still being drawn; wait until they are done.")
            return
        if not view.sections:
            return
        here = view.sections[self._current()].record_id
        dialog = PrintScopeDialog(title, here, len(view.sections), self._window)

        def take() -> None:
            every = [each.record_id for each in view.sections]
            self._record_ids = every if dialog.wants_all else [here]
            then()

        dialog.accepted.connect(take)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _choose_printer(self) -> None:
        printer = QPrinter()
        printer.setDocName(_TITLE)
        dialog = QPrintDialog(printer, self._window)
        # a file would be everybody's to read; that of “Save as PDF” is not
        options = dialog.options() & ~QAbstractPrintDialog.PrintDialogOption.PrintToFile
        dialog.setOptions(options)

        def sent() -> str:
            if printer.printerState() is QPrinter.PrinterState.Error:
                raise RequestError("the printer did not take the pages; look at it, then try again")
            return "Sent to the printer."

        dialog.accepted.connect(lambda: self._begin(printer, sent))
        dialog.finished.connect(dialog.deleteLater)
        dialog.setWindowModality(Qt.WindowModality.WindowModal)
        dialog.show()

    def _choose_file(self) -> None:
        dialog = QFileDialog(self._window, "Save as PDF", "", "PDF files (*.pdf)")
        dialog.setObjectName("pdfFile")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix("pdf")
        dialog.fileSelected.connect(self.save_pdf)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _begin(self, device: QPrinter | QPdfWriter, done: Callable[[], str]) -> None:
        device.setResolution(screen_resolution())
        set_margins(device)
        view = self._view
        tags = [each for each in view.marks() if each.style is MarkStyle.TAG]
        self._device, self._done, self._page = device, done, 0
        self._pages = draw_records(device, view.merged_view, self._record_ids, tags, view.font())
        self._queue.begin(self._step)

    def _step(self) -> bool:
        """Draw a paragraph; True while more wait."""
        if self._pages is None:
            return False
        try:
            page = next(self._pages, None)
            if page is not None:
                self._tell(page)
                return True
            self.said.emit(self._done())
        except TandemError as error:
            self.failed.emit(error)
        self._pages = self._device = None
        return False

    def _tell(self, page: int) -> None:
        if page != self._page and page % _TELL_EVERY == 0:
            self.said.emit(f"{page:,} pages drawn …")
        self._page = page
