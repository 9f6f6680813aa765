"""The three steps of making a project: the records, the people and the types, the place."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import (
    QAbstractButton,
    QCheckBox,
    QComboBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QVBoxLayout,
    QWidget,
    QWizard,
    QWizardPage,
)

from shared.errors import RequestError, TandemError
from shared.formats.corpus import Corpus, read_corpus
from shared.formats.registry import read_schema_file
from shared.formats.schema_auto import guesses_in_words, schema_of
from shared.language.detection import AUTO
from shared.language.languages import known_languages, language
from shared.model import Schema
from shared.model.i2b2_2014 import I2B2_2014
from shared.project.folders import check_target
from shared.project.project import Project
from shared.project.settings import check_annotators
from shared.widgets.look.theme import Theme
from shared.widgets.parts.background_task import (
    BackgroundTask,
    CancelledError,
    ProgressTask,
    TaskLine,
)
from shared.widgets.parts.folder_line import FolderLine
from shared.widgets.parts.messages import StatusBanner, Tone, sentence

_SHOWN = 3
_TYPED_MS = 400
"""Nobody stops for longer in the middle of a path."""
_BUILT_IN, _FROM_TAGS, _FROM_FILE = range(3)


class StepPage(QWizardPage):
    """A step that says in a banner what is missing before the next one."""

    def __init__(self, title: str, explained: str, theme: Theme) -> None:
        super().__init__()
        self.setTitle(title)
        self.setSubTitle(explained)
        self.banner = StatusBanner()
        self.banner.apply_theme(theme)
        self.form = QFormLayout()
        self.body = QVBoxLayout(self)
        self.body.addWidget(self.banner)
        self.body.addLayout(self.form)

    def passes(self, check: Callable[[], object]) -> bool:
        """True where `check` raises nothing; what it raises is said."""
        try:
            check()
        except TandemError as error:
            self.banner.show_message(sentence(error), Tone.WARNING)
            return False
        self.banner.clear()
        return True


class RecordsPage(StepPage):
    """Which folder, and what is in it: read as soon as it is named, off the window's thread.

    The language of the records is chosen here, too.
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__(
            "The records", "A folder of records as text, or as XML of i2b2 2014 or MAE.", theme
        )
        self.folder = FolderLine("Folder of records")
        self._languages = QComboBox()
        self._languages.setObjectName("languageChoice")
        self._languages.setAccessibleName("Language")
        self._languages.addItem("As the records tell", AUTO)
        for code in known_languages():
            self._languages.addItem(language(code).name, code)
        self._found = QLabel(wordWrap=True)
        self._found.setObjectName("recordsFound")
        self._skip = QCheckBox("&Leave out files that cannot be read")
        self._skip.setObjectName("skipBroken")
        self._skip.hide()
        self.line = TaskLine()
        self._task: ProgressTask | None = None
        self._records: Corpus | None = None
        self.form.addRow("&Folder", self.folder)
        self.form.addRow("Lan&guage", self._languages)
        for each in (self._found, self._skip, self.line):
            self.body.addWidget(each)
        self.body.addStretch()
        self._soon = QTimer(self, singleShot=True, interval=_TYPED_MS)
        self._soon.timeout.connect(self._read)
        self.folder.changed.connect(self._wait)
        self._skip.toggled.connect(self.completeChanged)

    @property
    def records(self) -> Corpus:
        return self._records or Corpus()

    @property
    def language(self) -> str:
        """The code of the language of the records, or `auto`."""
        return str(self._languages.currentData())

    def leave(self) -> None:
        """End what is still being read."""
        self._soon.stop()
        if self._task is not None:
            self._task.cancel()
            self._task.wait()

    def isComplete(self) -> bool:
        found = self._records
        return bool(found and found.records and (not found.problems or self._skip.isChecked()))

    def _wait(self) -> None:
        """Read nothing while a path is typed: it begins with folders that are not meant."""
        if self._task is not None:
            self._task.cancel()
            self._task = None
        self._show(None)
        self.banner.clear()
        self._soon.start()

    def _read(self) -> None:
        folder = self.folder.folder
        if folder is None or not folder.is_dir():
            return
        self._task = ProgressTask(lambda step: read_corpus(folder, step=step), self)
        self._task.succeeded.connect(self._succeeded)
        self._task.failed.connect(self._failed)
        self.line.watch(self._task, "Reading the records")
        self._task.start()

    def _succeeded(self, found: Corpus) -> None:
        if self.sender() is self._task:
            self._show(found)

    def _failed(self, error: Exception) -> None:
        if self.sender() is self._task and not isinstance(error, CancelledError):
            self.banner.show_error(error)

    def _show(self, found: Corpus | None) -> None:
        self._records = found
        self._found.setText(_told(found) if found else "")
        self._skip.setVisible(bool(found and found.problems))
        self._skip.setChecked(False)
        self.completeChanged.emit()


class PeoplePage(StepPage):
    """Who annotates, and which types there are."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(
            "The annotators and the types",
            "Every patient goes to two of the annotators, drawn at random and balanced.",
            theme,
        )
        self._names = QLineEdit(placeholderText="ana, ben")
        self._names.setObjectName("annotatorNames")
        self._names.setAccessibleName("Annotators")
        self._schemas = QComboBox()
        self._schemas.setObjectName("schemaChoice")
        self._schemas.setAccessibleName("Types")
        self._schemas.addItems(["As in i2b2 2014", "From the tags in the records", "From a file"])
        known = "a schema (.toml) or a task definition of MAE (.dtd)"
        self._file = QLineEdit(placeholderText=known)
        self._file.setObjectName("schemaFile")
        self._file.setAccessibleName("File of types")
        self.form.addRow("&Annotators", self._names)
        self.form.addRow("&Types", self._schemas)
        self.form.addRow("&File", self._file)
        self._schemas.currentIndexChanged.connect(self._show_file)
        self._show_file()
        self.schema = I2B2_2014

    @property
    def annotators(self) -> list[str]:
        return [name.strip() for name in self._names.text().split(",") if name.strip()]

    def check(self, records: Corpus) -> None:
        """Raise TandemError unless one can go on with what stands there."""
        check_annotators(self.annotators)
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
        self.folder = FolderLine("Folder of the project")
        self.line = TaskLine()
        self.form.addRow("&Folder", self.folder)
        self.form.addRow("&Title", self._title)
        self._guesses = QLabel(wordWrap=True)
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
        folder = self.folder.folder
        return self._title.text().strip() or (folder.name if folder else "")

    def check(self) -> None:
        """Raise TandemError unless the project can be made there."""
        folder = self.folder.folder
        if folder is None:
            raise RequestError("name a folder for the project")
        check_target(folder)


def _told(found: Corpus) -> str:
    patients = len({record.document.patient_id for record in found.records})
    lines = [f"{len(found.records):,} records of {patients:,} patients.", *found.notes]
    lines.extend(sentence(each) for each in found.unread)
    if found.problems:
        lines.append(f"{len(found.problems):,} files could not be read:")
        lines.extend(f"  {problem}" for problem in found.problems[:_SHOWN])
        if len(found.problems) > _SHOWN:
            lines.append("  …")
    return "\n".join(lines)


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
        self.setButtonText(QWizard.WizardButton.FinishButton, "&Create project")
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
            right = self._people.passes(lambda: self._people.check(self._records.records))
            self._place.show_guesses(self._people.schema)
            return right
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
        annotators, spoken = self._people.annotators, self._records.language
        self._task = BackgroundTask(
            lambda: Project.create(
                folder, title, schema, records, annotators, _SEED, language=spoken
            ),
            self,
        )
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
