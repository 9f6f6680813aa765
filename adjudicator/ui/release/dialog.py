"""What is asked before a release is written: where to, what is tagged, how it is split, a map."""

from collections.abc import Iterable
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QSpinBox,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)

from adjudicator.release.folder import usual_release
from adjudicator.release.session import ReleaseSession
from adjudicator.release.writing import ReleaseOptions, StoredMap, check_options
from shared.errors import FileFormatError, TandemError
from shared.project.files import read_file
from shared.project.folders import holds_earlier
from shared.project.project import Project
from shared.surrogates.data_card import CARD
from shared.surrogates.release import MARKER
from shared.surrogates.release_modes import MODES
from shared.widgets.parts.messages import sentence
from shared.widgets.parts.path_line import PathLine

_LINES = 6


class ReleaseDialog(QDialog):
    """The dialog `releaseDialog`. `wanted` (ReleaseOptions) once what is asked for can be done."""

    wanted = Signal(object)

    def __init__(self, session: ReleaseSession, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        project = self._project = session.project
        self._mode = session.options.mode
        self.setObjectName("releaseDialog")
        self.setWindowTitle("Release")
        self._folder = PathLine("Folder of the release")
        self._replace = QCheckBox("Replace the &earlier release that is there")
        self._version = QLineEdit("1")
        self._types = QListWidget()
        self._test = QSpinBox(maximum=90, suffix=" % of the records")
        self._new_ids = QCheckBox("Give patients and records &new names")
        self._keep_map = QCheckBox("&Keep an encrypted map from originals to surrogates")
        self._map = _MapLines(project)
        self._problem = QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self._release = QPushButton("&Release")
        self._fill(session.type_names)
        self._arrange()
        self._folder.changed.connect(self._look_at_folder)
        self._keep_map.toggled.connect(self._show_map)
        self._folder.set_path(usual_release(project))
        self._map.setVisible(False)
        if MODES[self._mode].needs_map:
            self._keep_map.setChecked(True)
            self._keep_map.setEnabled(False)
            self._keep_map.setToolTip("Only the map leads back from keyed tags")
        self.resize(620, self.sizeHint().height())

    @property
    def options(self) -> ReleaseOptions | None:
        """What is asked for, None while there is no folder."""
        folder = self._folder.path
        if folder is None:
            return None
        return ReleaseOptions(
            folder,
            self._unmarked(),
            self._test.value(),
            self._new_ids.isChecked(),
            self._version.text().strip() or "1",
            self._replace.isChecked(),
            self._map.kept() if self._keep_map.isChecked() else None,
        )

    def accept(self) -> None:
        options = self.options
        if options is None:
            self._tell("Choose a folder for the release.")
            return
        if self._keep_map.isChecked() and not self._map.is_repeated:
            self._tell("The two passphrases differ; type both again.")
            return
        try:
            check_options(self._project.schema, options, self._mode, self._project.root)
        except TandemError as error:
            self._tell(sentence(error))
            return
        self.wanted.emit(options)
        super().accept()

    def _fill(self, type_names: Iterable[str]) -> None:
        for name in type_names:
            item = QListWidgetItem(name, self._types)
            item.setFlags(Qt.ItemFlag.ItemIsUserCheckable | Qt.ItemFlag.ItemIsEnabled)
            item.setCheckState(Qt.CheckState.Unchecked)
        self._types.setObjectName("releaseUnmark")
        self._types.setAccessibleName("Types that are replaced but not tagged")
        self._types.setMaximumHeight(self._types.fontMetrics().height() * _LINES + 24)
        self._types.setToolTip("As ROOM, DEPARTMENT and OTHER were for the shared task of 2014")
        self._test.setSpecialValueText("not split")
        self._test.setToolTip("Whole patients are drawn for the test part")
        for widget, name in (
            (self._replace, "releaseReplace"),
            (self._version, "releaseVersion"),
            (self._test, "releaseTest"),
            (self._new_ids, "releaseNewNames"),
            (self._keep_map, "releaseKeepMap"),
            (self._problem, "releaseProblem"),
            (self._folder, "releaseFolder"),
        ):
            widget.setObjectName(name)

    def _arrange(self) -> None:
        form = QFormLayout()
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.addRow("&Folder", self._folder)
        form.addRow("", self._replace)
        form.addRow("&Version", self._version)
        form.addRow("Not &tagged", self._types)
        form.addRow("Test &part", self._test)
        form.addRow("", self._new_ids)
        form.addRow("", self._keep_map)
        form.addRow("", self._map)
        self._problem.hide()
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        buttons.addButton(self._release, QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.button(QDialogButtonBox.StandardButton.Cancel).setAutoDefault(False)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        self._release.setDefault(True)
        layout = QVBoxLayout(self)
        layout.addLayout(form)
        layout.addWidget(self._problem)
        layout.addStretch(1)
        layout.addWidget(buttons)

    def _show_map(self, wanted: bool) -> None:
        self._map.setVisible(wanted)
        self.resize(self.width(), self.sizeHint().height())

    def _look_at_folder(self) -> None:
        self._problem.hide()
        folder = self._folder.path
        there = folder is not None and holds_earlier(folder, MARKER)
        self._replace.setVisible(there)
        self._replace.setChecked(False)

    def _unmarked(self) -> frozenset[str]:
        items = (self._types.item(number) for number in range(self._types.count()))
        return frozenset(
            each.text() for each in items if each.checkState() is Qt.CheckState.Checked
        )

    def _tell(self, text: str) -> None:
        self._problem.setText(text)
        self._problem.setAccessibleName(text)
        self._problem.show()


class _MapLines(QWidget):
    """A file for the map and its passphrase, twice."""

    def __init__(self, project: Project) -> None:
        super().__init__()
        self._file = QLineEdit(str(project.root / "surrogates" / "map.tandem"))
        password = QLineEdit.EchoMode.Password
        self._first, self._second = QLineEdit(echoMode=password), QLineEdit(echoMode=password)
        note = QLabel(
            "The map is a key to the patients: with it and the passphrase they can be identified. "
            "Without the passphrase nobody can open it.",
            wordWrap=True,
        )
        form = QFormLayout(self)
        form.setContentsMargins(0, 0, 0, 0)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.addRow(note)
        for title, line, name in (
            ("F&ile", self._file, "releaseMapFile"),
            ("Pa&ssphrase", self._first, "releasePassphrase"),
            ("C&onfirm", self._second, "releasePassphraseAgain"),
        ):
            line.setObjectName(name)
            form.addRow(title, line)

    @property
    def is_repeated(self) -> bool:
        return self._first.text() == self._second.text()

    def kept(self) -> StoredMap:
        return StoredMap(Path(self._file.text().strip()).expanduser(), self._first.text())


class DataCardView(QDialog):
    """Shows the card in a release's folder; raises FileError where there is none."""

    def __init__(self, out: Path, parent: QWidget | None = None) -> None:
        data = read_file(out / CARD)
        if data is None:
            raise FileFormatError(out, f"has no {CARD}")
        super().__init__(parent)
        self.setObjectName("dataCard")
        self.setWindowTitle("Data card")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        page = QTextBrowser()
        page.setObjectName("dataCardPage")
        page.setMarkdown(data.decode("utf-8", "replace"))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.close)
        layout = QVBoxLayout(self)
        layout.addWidget(page)
        layout.addWidget(buttons)
        self.resize(760, 720)
