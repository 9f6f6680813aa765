"""Reading, measuring and writing the agreement of a project, off the window's thread."""

import gc
from dataclasses import replace
from datetime import date
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QProgressBar, QStatusBar, QToolButton

from adjudicator.agreement.export import PAGE, export, options_of_today
from adjudicator.agreement.project_study import ProjectStudy
from adjudicator.agreement.view import FilteredReport, ReportBuilder, StudyFilter, without_names
from adjudicator.released_corpus import released_corpus
from shared.agreement.study import Study
from shared.errors import FileError
from shared.garbage import collection_paused
from shared.project.files import is_there
from shared.project.project import Project
from shared.project.project_log import note_export
from shared.widgets.parts.background_task import ProgressTask


def read_study(
    project: Project, job: ProgressTask, *, hidden: bool
) -> tuple[Study, list[FileError]]:
    """Read the layers of all finished patients; `hidden` numbers the annotators."""
    reading = ProjectStudy(project, is_detailed=True)
    study = reading.read(partial(job.watch, "Reading layers"))
    study = reading.with_details(study, released_corpus(project))
    gc.freeze()
    return (without_names(study) if hidden else study), reading.problems


def measure(builder: ReportBuilder, study_filter: StudyFilter, job: ProgressTask) -> FilteredReport:
    """Measure a part of a study."""
    with collection_paused():
        return builder.show(study_filter, partial(job.watch, "Measuring"))


def write(
    project: Project, study: Study, read_on: date, out: Path, job: ProgressTask
) -> tuple[Path, str]:
    """Write the report on the whole study to a folder; where other things are, to one in it.

    It bears the day on which layers were read, which may be before today's.

    Returns the folder, and what was wrong where the project's log could not be told, else "".
    """
    if not is_there(out / PAGE) and out.is_dir() and any(out.iterdir()):
        out /= "agreement"
    problems: list[str] = []

    def note(folder: Path) -> None:
        problems.append(note_export(project.root, "agreement", folder.resolve()))

    options = replace(options_of_today(), today=read_on)
    export(study, options, out, partial(job.watch, "Writing the report"), note)
    return out, "".join(problems)


class ProgressLine(QLabel):
    """Words, a bar and a button at the right of a status bar, in sight while something runs.

    `cancelled` when the user wants it to end.
    """

    cancelled = Signal()

    def __init__(self, status_bar: QStatusBar) -> None:
        super().__init__(textFormat=Qt.TextFormat.PlainText)
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
