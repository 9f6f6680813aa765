"""The first step of making a project: where the records are, and which language they are in."""

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QCheckBox, QComboBox, QLabel

from shared.formats.corpus import RecordsRead, read_ungrouped
from shared.language.detection import AUTO
from shared.language.known_languages import known_languages
from shared.language.languages import language
from shared.text.blocks import counted
from shared.widgets.look.theme import Theme
from shared.widgets.parts.background_task import CancelledError, ProgressTask, TaskLine
from shared.widgets.parts.messages import sentence
from shared.widgets.parts.path_line import PathLine
from shared.widgets.start.step_page import StepPage

_SHOWN = 3
_TYPED_MS = 400
"""Nobody stops for longer in the middle of a path."""


class RecordsPage(StepPage):
    """Which folder, and what is in it: read as soon as it is named, off the window's thread.

    The language of the records is chosen here, too.
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__(
            "The records",
            "A folder of records: text, tables, or files of other annotation programs.",
            theme,
        )
        self.folder = PathLine("Folder of records")
        self._languages = QComboBox()
        self._languages.setObjectName("languageChoice")
        self._languages.setAccessibleName("Language")
        self._languages.addItem("As the records tell", AUTO)
        for code in known_languages():
            self._languages.addItem(language(code).name, code)
        self._found = QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self._found.setObjectName("recordsFound")
        self._skip = QCheckBox("&Leave out files that cannot be read")
        self._skip.setObjectName("skipBroken")
        self._skip.hide()
        self.line = TaskLine()
        self._task: ProgressTask | None = None
        self._records: RecordsRead | None = None
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
    def records(self) -> RecordsRead:
        return self._records or RecordsRead()

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
        folder = self.folder.path
        if folder is None or not folder.is_dir():
            return
        self._task = ProgressTask(lambda step: read_ungrouped(folder, step=step), self)
        self._task.succeeded.connect(self._succeeded)
        self._task.failed.connect(self._failed)
        self.line.watch(self._task, "Reading the records")
        self._task.start()

    def _succeeded(self, found: RecordsRead) -> None:
        if self.sender() is self._task:
            self._show(found)

    def _failed(self, error: Exception) -> None:
        if self.sender() is self._task and not isinstance(error, CancelledError):
            self.banner.show_error(error)

    def _show(self, found: RecordsRead | None) -> None:
        self._records = found
        self._found.setText(_told(found) if found else "")
        self._skip.setVisible(bool(found and found.problems))
        self._skip.setChecked(False)
        self.completeChanged.emit()


def _told(found: RecordsRead) -> str:
    records = counted(len(found.records), "record")
    lines = [f"{records} found."]
    lines.extend(sentence(each) for each in found.unread)
    if found.problems:
        lines.append(f"{counted(len(found.problems), 'file')} could not be read:")
        lines.extend(f"  {problem}" for problem in found.problems[:_SHOWN])
        if len(found.problems) > _SHOWN:
            lines.append("  …")
    return "\n".join(lines)
