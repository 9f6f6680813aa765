"""Making a project from a folder of records."""

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QAbstractButton, QWidget, QWizard

from shared.project.project import Project
from shared.widgets.look.theme import Theme
from shared.widgets.parts.background_task import BackgroundTask
from shared.widgets.start.new_project_pages import PeoplePage, PlacePage, RecordsPage

_SEED = 0


class NewProjectWizard(QWizard):
    """Three steps; `made` (Path of the project) when it is there."""

    made = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("newProject")
        self.setWindowTitle("New project")
        self.setWizardStyle(QWizard.WizardStyle.ClassicStyle)
        self.setOption(QWizard.WizardOption.NoBackButtonOnStartPage)
        self.setButtonText(QWizard.WizardButton.FinishButton, "&Make the project")
        self._records = RecordsPage(theme)
        self._people = PeoplePage(theme)
        self._place = PlacePage(theme)
        self._task: BackgroundTask | None = None
        for page in (self._records, self._people, self._place):
            self.addPage(page)
        self.resize(680, 460)

    def validateCurrentPage(self) -> bool:
        page = self.currentPage()
        if page is self._people:
            return self._people.passes(lambda: self._people.check(self._records.records))
        return super().validateCurrentPage()

    def accept(self) -> None:
        """Make the project, and close when it is there."""
        folder = self._place.folder.folder
        if self._task is None and self._place.passes(self._place.check) and folder:
            self._make(folder)

    def reject(self) -> None:
        if self._task is None:
            self._records.leave()
            super().reject()

    def _make(self, folder: Path) -> None:
        records = self._records.records.records
        title, schema = self._place.title_wanted, self._people.schema
        annotators = self._people.annotators
        self._task = BackgroundTask(
            lambda: Project.create(folder, title, schema, records, annotators, _SEED), self
        )
        self._task.succeeded.connect(self._succeeded)
        self._task.failed.connect(self._failed)
        self._place.line.watch(self._task, "Making the project")
        self._allow(going_on=False)
        self._task.start()

    def _succeeded(self, project: Project) -> None:
        self._task = None
        super().accept()
        self.made.emit(project.root)

    def _failed(self, error: Exception) -> None:
        self._task = None
        self._allow(going_on=True)
        self._place.banner.show_error(error)

    def _allow(self, *, going_on: bool) -> None:
        for which in (
            QWizard.WizardButton.BackButton,
            QWizard.WizardButton.FinishButton,
            QWizard.WizardButton.CancelButton,
        ):
            button: QAbstractButton = self.button(which)
            button.setEnabled(going_on)
