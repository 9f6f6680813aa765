"""Reading, measuring, listing and writing the agreement of a project, off the window's thread."""

from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from adjudicator.agreement.export import export, options_of_today
from adjudicator.agreement.places import Behind
from adjudicator.agreement.study import ProjectStudy
from adjudicator.agreement.tags import Row, tags_behind
from adjudicator.agreement.view import Measuring, Narrowing, Shown, without_names
from adjudicator.ui.latest_task import LatestTask, TaskHandle
from shared.agreement.report.table import Table
from shared.agreement.study import Study
from shared.errors import FileError
from shared.project.project import Project
from shared.widgets.parts.garbage import collection_paused, spare_what_is_there


class AgreementWork(LatestTask):
    """What takes long on a whole project.

    Signals: `read` (Study, problems as list of FileError), `measured` (Shown), `exported` (Path).
    """

    read = Signal(object, object)
    measured = Signal(object)
    exported = Signal(object)

    def __init__(self, project: Project, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._project = project

    def start_reading(self, *, hidden: bool) -> None:
        """Read the layers of all finished patients; `hidden` numbers the annotators."""

        def work(job: TaskHandle) -> tuple[Study, list[FileError]]:
            reading = ProjectStudy(self._project)
            study = reading.read(partial(job.watch, "Reading layers"))
            spare_what_is_there()
            return (without_names(study) if hidden else study), reading.problems

        self.start(work, lambda found: self.read.emit(*found))

    def start_measuring(self, measuring: Measuring, narrowing: Narrowing) -> None:
        """Measure a part of a study."""

        def work(job: TaskHandle) -> Shown:
            with collection_paused():
                return measuring.show(narrowing, partial(job.watch, "Measuring"))

        self.start(work, self.measured.emit)

    def start_exporting(self, study: Study, out: Path) -> None:
        """Write the report on the whole study to a folder."""

        def work(job: TaskHandle) -> Path:
            export(study, options_of_today(), out, partial(job.watch, "Writing the report"))
            return out

        self.start(work, self.exported.emit)


class ListingWork(LatestTask):
    """Finds the tags behind a number. `listed` (list of Behind, its title)."""

    listed = Signal(object, object)

    def start_listing(self, study: Study, table: Table, row: Row, column: str, title: str) -> None:
        """List what is behind the number in a row and column; `title` comes back with it."""

        def work(_job: TaskHandle) -> list[Behind]:
            return tags_behind(study, table, row, column)

        self.start(work, lambda found: self.listed.emit(found, title))
