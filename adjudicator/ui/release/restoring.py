"""What is asked before a release is led back: its map, the passphrase, where its records go."""

from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from adjudicator.release.restored_records import check_restoring
from adjudicator.release.writing import StoredMap
from shared.errors import TandemError
from shared.widgets.parts.messages import sentence
from shared.widgets.parts.path_line import PathLine

_NOTE = (
    "The map that was kept with a keyed release leads its records back to what they were, letter "
    "by letter. They name the patients again."
)


@dataclass(frozen=True, slots=True)
class Restoring:
    """Which release is led back by which map, and where its records go."""

    release: Path
    kept: StoredMap
    out: Path


class RestoreDialog(QDialog):
    """The dialog `restoreDialog`. `wanted` (Restoring) once what is asked for can be done."""

    wanted = Signal(object)

    def __init__(self, project: Path, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._project = project
        self.setObjectName("restoreDialog")
        self.setWindowTitle("Restore a release")
        self._release = PathLine("Folder of the release")
        self._map = PathLine("Map of the release", file=True)
        self._passphrase = QLineEdit(echoMode=QLineEdit.EchoMode.Password)
        self._out = PathLine("Folder for the records")
        self._problem = QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self._restore = QPushButton("R&estore")
        usual = project / "surrogates" / "map.tandem"
        if usual.is_file():
            self._map.set_path(usual)
        self._arrange()
        self.resize(620, self.sizeHint().height())

    def show_again(self, asked: Restoring) -> None:
        """Show what was asked for before, but the passphrase."""
        self._release.set_path(asked.release)
        self._map.set_path(asked.kept.path)
        self._out.set_path(asked.out)
        self._passphrase.setFocus()

    @property
    def restoring(self) -> Restoring | None:
        """What is asked for, None while something is missing."""
        release, kept, out = self._release.path, self._map.path, self._out.path
        passphrase = self._passphrase.text()
        if release is None or kept is None or out is None or not passphrase:
            return None
        return Restoring(release, StoredMap(kept, passphrase), out)

    def accept(self) -> None:
        asked = self.restoring
        if asked is None:
            self._tell("Choose the release, its map and a folder, and type the passphrase.")
            return
        try:
            check_restoring(asked.release, asked.out, self._project)
        except TandemError as error:
            self._tell(sentence(error))
            return
        self.wanted.emit(asked)
        super().accept()

    def _arrange(self) -> None:
        note = QLabel(_NOTE, wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        form = QFormLayout()
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.addRow(note)
        for title, line, name in (
            ("&Release", self._release, "restoreRelease"),
            ("&Map", self._map, "restoreMap"),
            ("&Passphrase", self._passphrase, "restorePassphrase"),
            ("&To folder", self._out, "restoreFolder"),
        ):
            line.setObjectName(name)
            form.addRow(title, line)
        self._problem.setObjectName("restoreProblem")
        self._problem.hide()
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        buttons.addButton(self._restore, QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.button(QDialogButtonBox.StandardButton.Cancel).setAutoDefault(False)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        self._restore.setDefault(True)
        layout = QVBoxLayout(self)
        layout.addLayout(form)
        layout.addWidget(self._problem)
        layout.addStretch(1)
        layout.addWidget(buttons)

    def _tell(self, text: str) -> None:
        self._problem.setText(text)
        self._problem.setAccessibleName(text)
        self._problem.show()
