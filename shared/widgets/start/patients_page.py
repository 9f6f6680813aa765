"""The step of making a project that shows which records are taken to be of one patient."""

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import (
    QLabel,
    QLineEdit,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from shared.formats.corpus import Corpus, RecordsRead
from shared.formats.patient_grouping import (
    USUAL_PATTERN,
    GroupingProposal,
    PatientGroup,
    doubt_about,
    followed_pattern,
    grouping_proposals,
    listed_names,
)
from shared.text.blocks import counted
from shared.widgets.look.theme import Theme
from shared.widgets.parts.background_task import BackgroundTask, TaskLine
from shared.widgets.parts.messages import Tone
from shared.widgets.parts.plain_tip import plain_tip
from shared.widgets.parts.row_table import RowModel, RowTable
from shared.widgets.start.step_page import StepPage

_TYPED_MS = 250
_OFFERED = 5
_EXPLAINED = "Whoever marks a patient gets all of the patient's records."
_BEFORE_SIGN = "everything before the last -"


class PatientGroupModel(RowModel[PatientGroup]):
    """A row for each patient."""

    heads = ("Patient", "Records", "Names")

    def cells(self, row: PatientGroup) -> tuple[str, ...]:
        return row.patient_id, f"{len(row.record_ids):,}", listed_names(row.record_ids)


class _Grouped(NamedTuple):
    corpus: Corpus
    patients: Sequence[PatientGroup]
    proposals: Sequence[GroupingProposal]


class PatientsPage(StepPage):
    """Which records are of one patient, shown as it will be; a pattern of names tells it."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(
            "The patients",
            _EXPLAINED,
            theme,
        )
        self._read = RecordsRead()
        self._usual = USUAL_PATTERN
        self._grouped: _Grouped | None = None
        self._proposals: Sequence[GroupingProposal] | None = None
        self._task: BackgroundTask | None = None
        self._pattern = QLineEdit(placeholderText=_BEFORE_SIGN)
        self._pattern.setObjectName("patientPattern")
        self._pattern.setAccessibleName("Patient pattern")
        self._pattern.setToolTip(
            "A regular expression. What its brackets capture of a record's name is the patient"
        )
        self._offers = QVBoxLayout()
        self._buttons: list[QRadioButton] = []
        self._counts = QLabel(textFormat=Qt.TextFormat.PlainText)
        self._counts.setObjectName("patientsFound")
        self._model = PatientGroupModel(self)
        self.line = TaskLine()
        self._lay_out()
        self._soon = QTimer(self, singleShot=True, interval=_TYPED_MS)
        self._soon.timeout.connect(self._regroup)
        self._pattern.textChanged.connect(self._wait)

    @property
    def corpus(self) -> Corpus:
        """The records with their patients, as the page shows them."""
        return self._grouped.corpus if self._grouped else Corpus()

    def take(self, read: RecordsRead) -> None:
        """Show how these records are grouped; the pattern stays while they are the same."""
        if read is not self._read:
            self._read, self._proposals = read, None
            self._usual = followed_pattern(read.names)
            words = _BEFORE_SIGN if self._usual == USUAL_PATTERN else "the whole name"
            self._pattern.setPlaceholderText(words)
            self._pattern.clear()
            self._show(None)
        if self._grouped is None:
            self._regroup()

    def leave(self) -> None:
        """Let what is still being grouped come to its end."""
        self._soon.stop()
        if self._task is not None:
            self._task.wait()

    def isComplete(self) -> bool:
        found = self._grouped
        return bool(found and found.patients and not self._nameless(found))

    def _lay_out(self) -> None:
        self.form.addRow("Pa&ttern", self._pattern)
        self.form.addRow("", self._offers)
        table = RowTable(self._model, "patientGroups", {0: 180, 1: 70}, 2)
        table.setAccessibleName("Patients")
        table.choose_one()
        self.body.addWidget(self._counts)
        self.body.addWidget(table, 1)
        self.body.addWidget(self.line)

    def _wait(self) -> None:
        self._show(None)
        self._soon.start()

    def _regroup(self) -> None:
        read, pattern, known = self._read, self._pattern.text(), self._proposals

        def group() -> _Grouped:
            corpus = read.grouped(pattern)
            proposals = grouping_proposals(read.names) if known is None else known
            return _Grouped(corpus, corpus.patients, proposals)

        self._task = BackgroundTask(group, self)
        self._task.succeeded.connect(self._succeeded)
        self._task.failed.connect(self._failed)
        self.line.watch(self._task, "Grouping the records")
        self._task.start()

    def _succeeded(self, found: _Grouped) -> None:
        if self.sender() is self._task and not self._soon.isActive():
            if self._proposals is None:
                self._proposals = found.proposals
                self._offer(found.proposals[:_OFFERED])
            self._show(found)

    def _failed(self, error: Exception) -> None:
        if self.sender() is self._task and not self._soon.isActive():
            self.banner.show_error(error)

    def _offer(self, proposals: Sequence[GroupingProposal]) -> None:
        for button in self._buttons:
            button.deleteLater()
        self._buttons = []
        before: QWidget = self._pattern
        for each in proposals:
            words = f"{each.words[:1].upper()}{each.words[1:]}"
            button = QRadioButton(f"{words}: {counted(each.patients, 'patient')}")
            button.setObjectName("patternOffer")
            button.setToolTip(plain_tip(each.pattern))
            button.setAutoExclusive(False)  # one tab stop each, and none where the pattern is typed
            button.clicked.connect(self._choose)
            self._buttons.append(button)
            self._offers.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
            QWidget.setTabOrder(before, button)
            before = button

    def _choose(self) -> None:
        offer = self.sender()
        if isinstance(offer, QRadioButton):
            self._pattern.setText(offer.toolTip())
            self._tick()

    def _tick(self) -> None:
        """Tick the offer that is followed, and no other."""
        followed = self._pattern.text() or self._usual
        for button in self._buttons:
            button.setChecked(button.toolTip() == followed)

    def _show(self, found: _Grouped | None) -> None:
        self._grouped = found
        patients = found.patients if found else ()
        self._model.set_rows(patients)
        records = sum(len(each.record_ids) for each in patients)
        counts = f"{counted(len(patients), 'patient')}, {counted(records, 'record')}"
        self._counts.setText(counts if found else "")
        self.setSubTitle(" ".join(filter(None, (self._example(found), _EXPLAINED))))
        self.banner.clear()
        if found:
            self._warn(found)
        self._tick()
        self.completeChanged.emit()

    def _example(self, found: _Grouped | None) -> str:
        """Say by what a record is taken to be of a patient, with one of these records."""
        named = set(self._read.names)
        if found is not None and not named:
            return "The files say of which patient each record is."
        every = found.corpus.records if found else ()
        record = next((each.document for each in every if each.document.record_id in named), None)
        if record is None:
            return ""
        is_whole = record.patient_id == record.record_id
        usual = "the whole name" if is_whole else _BEFORE_SIGN
        how = "the pattern" if self._pattern.text() else usual
        return f"By {how}, {record.record_id} is a record of patient {record.patient_id}."

    def _warn(self, found: _Grouped) -> None:
        nameless = self._nameless(found)
        doubt = doubt_about(found.patients)
        if nameless:
            self.banner.show_message(
                f"{nameless:,} of {len(self._read.records):,} names tell no patient by this "
                "pattern; choose another.",
                Tone.ERROR,
            )
        elif doubt:
            said = f"{doubt[:1].upper()}{doubt[1:]}. If that is wrong, choose another pattern."
            self.banner.show_message(said, Tone.WARNING)

    def _nameless(self, found: _Grouped) -> int:
        return len(self._read.records) - len(found.corpus.records)
