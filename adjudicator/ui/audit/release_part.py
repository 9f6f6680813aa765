"""A release in the dialog of what may be left: attacked beside the window, and what to look at."""

from datetime import UTC, datetime
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from adjudicator.listed_places import ListedPlace
from adjudicator.measuring_process import Measuring, MeasuringProcess
from adjudicator.release.folder import usual_release
from adjudicator.ui.latest_task import LatestTask
from shared.project.project import Project
from shared.widgets.parts.background_task import ProgressTask, TaskLine
from shared.widgets.parts.path_line import PathLine
from shared.widgets.parts.row_table import RowModel, RowTable

_WIDTHS = {0: 70, 1: 110, 3: 110, 4: 200}
_LINES = 7
_LONG = "Trains recognizers on it, which takes minutes; everything else can be used meanwhile"


class ReleasePart(QWidget):
    """A line with the folder of a release, and how far the measuring of it is.

    Signals: `folder_changed`, `measured` when there is more to be shown of the release, `failed`
    (Exception).
    """

    folder_changed = Signal()
    measured = Signal()
    failed = Signal(object)

    def __init__(self, project: Project) -> None:
        super().__init__()
        self._process = MeasuringProcess(project)
        self._work = LatestTask(self)
        self._task = TaskLine()
        self._folder = PathLine("Folder of the release")
        self._folder.setObjectName("riskRelease")
        self._folder.set_path(usual_release(project))
        self._measure = QPushButton("A&ttack and measure")
        self._measure.setObjectName("riskMeasure")
        self._measure.setToolTip(_LONG)
        self._measure.setAutoDefault(False)
        label = QLabel("Re&lease:")
        label.setBuddy(self._folder)
        line = QHBoxLayout()
        line.addWidget(label)
        line.addWidget(self._folder, 1)
        line.addWidget(self._measure)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addLayout(line)
        layout.addWidget(self._task)
        self.wanted: tuple[tuple[str, ...], bool] = ((), False)
        """The third readers that the data card is to tell of, and whether they were judged."""
        self._measure.clicked.connect(self.measure)
        self._folder.changed.connect(self.folder_changed)
        self._work.begun.connect(self._task.watch)
        self._work.progressed.connect(self._say)
        self._work.begun.connect(self._enable)
        self._work.ended.connect(self._enable)
        self._work.failed.connect(self.failed)

    @property
    def folder(self) -> Path | None:
        return self._folder.path

    @property
    def is_busy(self) -> bool:
        return self._work.is_running

    def set_folder(self, folder: Path) -> None:
        self._folder.set_path(folder)

    def measure(self) -> None:
        """Measure the release beside the window; its card and its list are new then."""
        out = self.folder
        if out is None or self.is_busy:
            return
        day = datetime.now(UTC).date().isoformat()
        models, is_judged = self.wanted

        def measure(job: ProgressTask) -> None:
            self._process.measure(Measuring(out, day, models, is_judged), job.tell)

        self._work.start(measure, lambda _: self.measured.emit(), "Measuring the release")

    def close_process(self) -> None:
        """End what runs, at once and for good."""
        self._work.stop()
        self._process.close()
        self._work.wait()

    def _say(self, what: str, _done: int, _total: int) -> None:
        self._task.say(what)

    def _enable(self) -> None:
        self._folder.setEnabled(not self.is_busy)
        self._measure.setEnabled(not self.is_busy)


class ListedPlaceModel(RowModel[ListedPlace]):
    """One place a row."""

    heads = ("Sure", "Type", "Text", "Record", "Found")

    def cells(self, row: ListedPlace) -> tuple[str, ...]:
        text = " ".join(row.text.split())
        where = f"left over in {row.found_in}" if row.found_in else "suggested, not in gold"
        return f"{row.confidence:.2f}", row.type_name, text, row.record_id, where

    def look(self, row: ListedPlace, column: int, role: int) -> object:
        return self.cells(row)[column] if role == Qt.ItemDataRole.ToolTipRole else None


class PlacesToLookAt(QWidget):
    """The table `riskPlaces` under a line that counts, there where there is something to look at.

    `place_wanted` (ListedPlace) on Enter, a double click or the button.
    """

    place_wanted = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._model = ListedPlaceModel(self)
        self._title = QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        self._title.setObjectName("riskPlacesCount")
        self._show = QPushButton("&Show in record")
        self._show.setObjectName("riskShowPlace")
        self._show.setToolTip("Go to the place in the record (Enter)")
        self._show.setAutoDefault(False)
        self.table = RowTable(self._model, "riskPlaces", _WIDTHS, 2)
        self.table.setAccessibleName("Places to look at")
        self.table.choose_one()
        self.table.setMaximumHeight((self.table.fontMetrics().height() + 9) * _LINES)
        line = QHBoxLayout()
        line.addWidget(self._title, 1)
        line.addWidget(self._show)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addLayout(line)
        layout.addWidget(self.table)
        self._show.clicked.connect(self._want)
        self.table.activated.connect(self._want)
        self.hide()

    def set_places(self, places: list[ListedPlace]) -> None:
        """List these, the likeliest first."""
        row = max(0, self.table.currentIndex().row())
        self._model.set_rows(places)
        self._title.setText(
            f"{len(places):,} to look at, the surest first: tag what is PHI in the gold standard, "
            "then release again."
        )
        if places:
            self.table.selectRow(min(row, len(places) - 1))
        self.setVisible(bool(places))

    def _want(self) -> None:
        row = self.table.currentIndex().row()
        if 0 <= row < len(self._model.rows):
            self.place_wanted.emit(self._model.rows[row])
