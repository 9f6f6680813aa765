"""Making a project in four steps: the records, the patients, the people and types, the place."""

from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QAbstractButton,
    QCheckBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QSizePolicy,
    QSpinBox,
    QWidget,
    QWizard,
)

from shared.errors import RequestError
from shared.formats.corpus import Corpus
from shared.formats.registry import read_schema_file
from shared.formats.schema_auto import guesses_in_words, schema_of
from shared.model import Schema
from shared.model.i2b2_2014 import I2B2_2014
from shared.project.assignments import MOST_ANNOTATORS, AssignmentDraw
from shared.project.folders import check_target
from shared.project.project import Project
from shared.project.settings import check_annotators
from shared.widgets.look.theme import Theme
from shared.widgets.parts.background_task import BackgroundTask, TaskLine
from shared.widgets.parts.path_line import PathLine
from shared.widgets.start.patients_page import PatientsPage
from shared.widgets.start.records_page import RecordsPage
from shared.widgets.start.step_page import StepPage

_BUILT_IN, _FROM_TAGS, _FROM_FILE = range(3)
_SEED = 0
_MOST = 999_999


class PeoplePage(StepPage):
    """Who annotates, and which types there are."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(
            "The annotators and the types",
            "Who marks which patient is drawn at random and balanced.",
            theme,
        )
        self._names = QLineEdit(placeholderText="ana, ben")
        self._names.setObjectName("annotatorNames")
        self._names.setAccessibleName("Annotators")
        self._schemas = QComboBox()
        self._schemas.setObjectName("schemaChoice")
        self._schemas.setAccessibleName("Types")
        self._schemas.addItems(["As in i2b2 2014", "From the tags in the records", "From a file"])
        self._per_patient = _number_field("Annotators per patient", 2, 2, MOST_ANNOTATORS)
        self._to_all = _number_field("Patients for all annotators", 0, 0, _MOST)
        self._to_all.setToolTip("So many patients, drawn at random, go to all annotators")
        self._show_gold = QCheckBox("Show annotators the &gold standard after adjudication")
        self._show_gold.setObjectName("showGold")
        self._show_gold.setToolTip(
            "They can compare their own tags with it once they and the adjudicator are done"
        )
        known = "a schema (.toml) or a task definition of MAE (.dtd)"
        self._file = QLineEdit(placeholderText=known)
        self._file.setObjectName("schemaFile")
        self._file.setAccessibleName("File of types")
        self.form.addRow("&Annotators", self._names)
        self.form.addRow("Annotators per &patient", self._per_patient)
        self.form.addRow("Patients for a&ll", self._to_all)
        self.form.addRow("&Types", self._schemas)
        self.form.addRow("Fil&e", self._file)
        self.form.addRow("", self._show_gold)
        self._schemas.currentIndexChanged.connect(self._show_file)
        self._show_file()
        self.schema = I2B2_2014

    @property
    def annotators(self) -> list[str]:
        return [name.strip() for name in self._names.text().split(",") if name.strip()]

    @property
    def draw(self) -> AssignmentDraw:
        """How many annotate each patient, and how many patients all do."""
        return AssignmentDraw(_SEED, self._per_patient.value(), self._to_all.value())

    @property
    def shows_gold(self) -> bool:
        return self._show_gold.isChecked()

    def check(self, records: Corpus) -> None:
        """Raise TandemError unless one can go on with what stands there."""
        check_annotators(self.annotators)
        self.draw.check(len(records.patients), len(self.annotators))
        self.schema = self._schema(records)

    def _show_file(self) -> None:
        self.form.setRowVisible(self._file, self._schemas.currentIndex() == _FROM_FILE)

    def _schema(self, records: Corpus) -> Schema:
        choice = self._schemas.currentIndex()
        if choice == _BUILT_IN:
            return I2B2_2014
        if choice == _FROM_TAGS:
            return schema_of(tag for record in records.records for tag in record.tags)
        if not self._file.text().strip():
            raise RequestError("name the file that holds the types")
        return read_schema_file(Path(self._file.text().strip()).expanduser())


def _number_field(name: str, value: int, least: int, most: int) -> QSpinBox:
    field = QSpinBox(minimum=least, maximum=most, value=value)
    field.setAccessibleName(name)
    field.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
    return field


class PlacePage(StepPage):
    """What the project is called, and where its folder is made."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(
            "The project",
            "A new folder, which holds copies of the records: it needs the same protection.",
            theme,
        )
        self._title = QLineEdit(placeholderText="the name of the folder")
        self._title.setObjectName("projectTitle")
        self._title.setAccessibleName("Title")
        self.folder = PathLine("Folder of the project")
        self.line = TaskLine()
        self.form.addRow("&Folder", self.folder)
        self.form.addRow("&Title", self._title)
        self._guesses = QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self._guesses.setObjectName("schemaGuesses")
        self.body.addWidget(self._guesses)
        self.body.addStretch()
        self.body.addWidget(self.line)

    def show_guesses(self, schema: Schema) -> None:
        """Say which types were taken for what, before the project is made with them."""
        said = guesses_in_words(schema)
        self._guesses.setText(said and f"{said[:1].upper()}{said[1:]}.")

    @property
    def title_wanted(self) -> str:
        folder = self.folder.path
        return self._title.text().strip() or (folder.name if folder else "")

    def check(self) -> None:
        """Raise TandemError unless the project can be made there."""
        folder = self.folder.path
        if folder is None:
            raise RequestError("name a folder for the project")
        check_target(folder)


class NewProjectWizard(QWizard):
    """Four steps; `made` (Path of the project) when it is there."""

    made = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("newProject")
        self.setWindowTitle("New project")
        self.setWizardStyle(QWizard.WizardStyle.ClassicStyle)
        self.setOption(QWizard.WizardOption.NoBackButtonOnStartPage)
        self.setSubTitleFormat(Qt.TextFormat.PlainText)
        self.setButtonText(QWizard.WizardButton.FinishButton, "Cr&eate project")
        self._records = RecordsPage(theme)
        self._patients = PatientsPage(theme)
        self._people = PeoplePage(theme)
        self._place = PlacePage(theme)
        self._task: BackgroundTask | None = None
        for page in (self._records, self._patients, self._people, self._place):
            self.addPage(page)
        self.currentIdChanged.connect(self._enter)
        self.resize(720, 560)

    def validateCurrentPage(self) -> bool:
        page = self.currentPage()
        if page is self._people:
            right = self._people.passes(lambda: self._people.check(self._patients.corpus))
            self._place.show_guesses(self._people.schema)
            return right
        return super().validateCurrentPage()

    def accept(self) -> None:
        """Make the project, and close when it is there."""
        folder = self._place.folder.path
        if self._task is None and self._place.passes(self._place.check) and folder:
            self._make(folder)

    def reject(self) -> None:
        if self._task is None:
            self._records.leave()
            self._patients.leave()
            super().reject()

    def _enter(self) -> None:
        """Begin at the first field of the page that is shown."""
        page = self.currentPage()
        if page is self._patients:
            self._patients.take(self._records.records)
        if isinstance(page, StepPage):
            page.focus_first()

    def _make(self, folder: Path) -> None:
        records = self._patients.corpus.records
        title, schema = self._place.title_wanted, self._people.schema
        make = partial(
            Project.create,
            *(folder, title, schema, records, self._people.annotators, _SEED),
            language=self._records.language,
            per_patient=self._people.draw.per_patient,
            all_on=self._people.draw.all_on,
            show_gold_to_annotators=self._people.shows_gold,
        )
        self._task = BackgroundTask(make, self)
        self._task.succeeded.connect(self._succeeded)
        self._task.failed.connect(self._failed)
        self._place.line.watch(self._task, "Creating the project")
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
