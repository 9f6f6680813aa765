"""Reading, measuring, listing and writing the agreement of a project, off the window's thread."""

import gc
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QLabel, QProgressBar, QStatusBar, QToolButton

from adjudicator.agreement.export import export, options_of_today
from adjudicator.agreement.project_study import ProjectStudy
from adjudicator.agreement.tags_behind import TagEvidence, tags_behind
from adjudicator.agreement.view import FilteredReport, ReportBuilder, StudyFilter, without_names
from adjudicator.ui.latest_task import LatestTask
from shared.agreement.report.table import ReportTable, TableRow
from shared.agreement.study import Study
from shared.errors import FileError
from shared.project.project import Project
from shared.widgets.parts.background_task import ProgressTask
from shared.widgets.parts.garbage import collection_paused


class AgreementWork(LatestTask):
    """What takes long on a whole project.

    Signals: `read` (Study, problems as list of FileError), `measured` (FilteredReport), `exported`
    (Path).
    """

    read = Signal(object, object)
    measured = Signal(object)
    exported = Signal(object)

    def __init__(self, project: Project, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._project = project

    def start_reading(self, *, hidden: bool) -> None:
        """Read the layers of all finished patients; `hidden` numbers the annotators."""

        def work(job: ProgressTask) -> tuple[Study, list[FileError]]:
            reading = ProjectStudy(self._project)
            study = reading.read(partial(job.watch, "Reading layers"))
            gc.freeze()
            return (without_names(study) if hidden else study), reading.problems

        self.start(work, lambda found: self.read.emit(*found))

    def start_measuring(self, builder: ReportBuilder, study_filter: StudyFilter) -> None:
        """Measure a part of a study."""

        def work(job: ProgressTask) -> FilteredReport:
            with collection_paused():
                return builder.show(study_filter, partial(job.watch, "Measuring"))

        self.start(work, self.measured.emit)

    def start_exporting(self, study: Study, out: Path) -> None:
        """Write the report on the whole study to a folder."""

        def work(job: ProgressTask) -> Path:
            export(study, options_of_today(), out, partial(job.watch, "Writing the report"))
            return out

        self.start(work, self.exported.emit)


class ListingWork(LatestTask):
    """Finds the tags behind a number. `listed` (list of TagEvidence, its title)."""

    listed = Signal(object, object)

    def start_listing(
        self, study: Study, table: ReportTable, row: TableRow, column: str, title: str
    ) -> None:
        """List what is behind the number in a row and column; `title` comes back with it."""

        def work(_job: ProgressTask) -> list[TagEvidence]:
            return tags_behind(study, table, row, column)

        self.start(work, lambda found: self.listed.emit(found, title))


class ProgressLine(QLabel):
    """Words, a bar and a button at the right of a status bar, in sight while something runs.

    `cancelled` when the user wants it to end.
    """

    cancelled = Signal()

    def __init__(self, status_bar: QStatusBar) -> None:
        super().__init__()
        self._bar = QProgressBar()
        self._bar.setObjectName("agreementProgress")
        self._bar.setAccessibleName("Progress")
        self._bar.setFixedWidth(180)
        self._bar.setTextVisible(False)
        self._button = QToolButton()
        self._button.setObjectName("agreementCancel")
        self._button.setText("Cancel")
        self._button.clicked.connect(self.cancelled)
        for part in (self, self._bar, self._button):
            status_bar.addPermanentWidget(part)
        self.rest()

    def show_progress(self, what: str, done: int, total: int) -> None:
        """Say that so much of all is done; once all of it is, that it goes on."""
        self.setText(f"{what}: {done:,} of {total:,}")
        self._bar.setRange(0, total if done < total else 0)
        self._bar.setValue(done)
        self._set_visible(True)

    def rest(self) -> None:
        """Show nothing."""
        self._set_visible(False)

    def _set_visible(self, visible: bool) -> None:
        for part in (self, self._bar, self._button):
            part.setVisible(visible)
