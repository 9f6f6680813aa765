"""What is known of what may be left, as the data card says it; audits drawn, releases measured."""

from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSpinBox,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)

from adjudicator.audit_book import HIDDEN, SHOWN, AuditBook, adjudicated_records
from adjudicator.listed_places import ListedPlace, suggested_places, suspicious_places
from adjudicator.release_statements import known_of_release
from adjudicator.risk_statements import project_statements
from adjudicator.ui.audit.release_part import PlacesToLookAt, ReleasePart
from adjudicator.ui.latest_task import LatestTask
from shared.errors import TandemError
from shared.project.current_user import current_user
from shared.project.project import Project
from shared.risk.bounds import sample_bound, share_at_most
from shared.surrogates.residual_risk import RiskStatement, risk_as_markdown
from shared.widgets.parts.background_task import CancelledError, ProgressTask, TaskLine
from shared.widgets.parts.messages import StatusBanner

_LIKELY = 20


@dataclass(frozen=True, slots=True)
class _Known:
    """What the readers and audits of a project tell, of how many records, and what to look at."""

    statements: list[RiskStatement]
    suggested: list[ListedPlace]
    archive: int
    readers: tuple[tuple[str, ...], bool]


class RiskDialog(QDialog):
    """The dialog `riskDialog`, beside which the windows can be used.

    Signals: `reading_wanted` when what was drawn is to be read, `about_to_read` before the gold
    standard is read, `place_wanted` (ListedPlace). What it measures ends when it is closed.
    """

    reading_wanted = Signal()
    about_to_read = Signal()
    place_wanted = Signal(object)

    def __init__(self, project: Project, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("riskDialog")
        self.setWindowTitle("What may be left")
        self._project = project
        self._archive = 0
        self._said: list[RiskStatement] = []
        self._suggested: list[ListedPlace] = []
        self._work = LatestTask(self)
        self._task = TaskLine()
        self._banner = StatusBanner()
        self._page = QTextBrowser()
        self._rules = QCheckBox("With the &rules as a third reader")
        self._judged = QCheckBox(
            "What they suggest &beside the gold standard was looked at, and is no PHI"
        )
        self._release = ReleasePart(project)
        self._places = PlacesToLookAt()
        self._size = QSpinBox(minimum=1)
        self._size.setAccessibleName("Records to draw")
        self._tags = QComboBox()
        self._tags.setAccessibleName("Tags while reading")
        self._bound = QLabel(textFormat=Qt.TextFormat.PlainText)
        self._draw = QPushButton("&Draw")
        self._read = QPushButton("Read &what was drawn")
        self._arrange()
        self._connect()

    @property
    def is_busy(self) -> bool:
        return self._work.is_running

    @property
    def is_measuring(self) -> bool:
        return self._release.is_busy

    def show_release(self, out: Path) -> None:
        """Show what is known of this release."""
        self._release.set_folder(out)

    def look_again(self) -> None:
        """Ask the project anew, off this thread."""
        self.about_to_read.emit()
        models, is_judged = readers = self._third_readers()

        def ask(job: ProgressTask) -> _Known:
            said, found = project_statements(
                self._project, models, lambda ids: job.watch("Reading", ids), is_judged=is_judged
            )
            suggested = suggested_places(found) if found and not is_judged else []
            return _Known(said, suggested, len(adjudicated_records(self._project)), readers)

        self._work.start(ask, self._show, "Reading the project")

    def done(self, result: int) -> None:
        self._work.stop()
        self._release.close_process()
        super().done(result)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.is_measuring:
            self._banner.show_message(
                "The release is being measured. Cancel ends that, and so does closing this window."
            )
            return
        super().keyPressEvent(event)

    def _third_readers(self) -> tuple[tuple[str, ...], bool]:
        """The recognizers to ask besides, and whether what they suggest was looked at."""
        models = ("rules",) if self._rules.isChecked() else ()
        return models, bool(models) and self._judged.isChecked()

    def _connect(self) -> None:
        self._rules.toggled.connect(self.look_again)
        self._judged.toggled.connect(self.look_again)
        self._release.folder_changed.connect(self._show_all)
        self._release.measured.connect(self._tell_measured)
        self._release.failed.connect(self._fail)
        self._places.place_wanted.connect(self.place_wanted)
        self._size.valueChanged.connect(self._tell_bound)
        self._draw.clicked.connect(self._draw_records)
        self._read.clicked.connect(self.reading_wanted)
        self._work.begun.connect(self._task.watch)
        self._work.begun.connect(self._enable)
        self._work.ended.connect(self._enable)
        self._work.failed.connect(self._go_back_to_shown)
        self._work.failed.connect(self._fail)

    def _arrange(self) -> None:
        for widget, name in (
            (self._page, "riskPage"),
            (self._rules, "riskRules"),
            (self._judged, "riskJudged"),
            (self._size, "auditSize"),
            (self._tags, "auditTags"),
            (self._bound, "auditBound"),
            (self._draw, "auditDraw"),
            (self._read, "auditRead"),
        ):
            widget.setObjectName(name)
        self._draw.setToolTip("Kept for good: the data card tells of every draw, read or not")
        self._tags.addItem("no tags in sight", HIDDEN)
        self._tags.addItem("tags in sight", SHOWN)
        line = QHBoxLayout()
        label = QLabel("&Audit: read")
        label.setBuddy(self._size)
        for each in (label, self._size, QLabel("records drawn at random,"), self._tags, self._draw):
            line.addWidget(each)
        line.addStretch(1)
        line.addWidget(self._read)
        layout = QVBoxLayout(self)
        layout.addWidget(self._banner)
        layout.addWidget(self._page, 1)
        layout.addWidget(self._places)
        readers = QHBoxLayout()
        readers.addWidget(self._rules)
        readers.addWidget(self._judged)
        readers.addStretch(1)
        layout.addLayout(readers)
        layout.addWidget(self._task)
        layout.addWidget(self._release)
        layout.addLayout(line)
        layout.addWidget(self._bound)
        for each in (self._draw, self._read):
            each.setAutoDefault(False)
        self._bound.setTextFormat(Qt.TextFormat.PlainText)
        self._judged.setToolTip("Until somebody says so, there is an interval and no estimate")
        self.resize(860, 780)

    def _show(self, known: _Known) -> None:
        self._said, self._suggested = known.statements, known.suggested
        self._archive, self._release.wanted = known.archive, known.readers
        self._show_all()
        self._size.setMaximum(max(1, self._archive))
        if self._size.value() == 1:
            self._size.setValue(min(_LIKELY, self._archive))
        self._tell_bound()
        self._enable()

    def _show_all(self) -> None:
        """Show what the project tells, and what is known of the release."""
        out = self._release.folder
        try:
            of_release = known_of_release(self._project, out) if out else []
            left_over = suspicious_places(self._project, out.name) if out else []
        except TandemError as error:
            self._banner.show_error(error)
            of_release, left_over = [], []
        scrolled = self._page.verticalScrollBar().value()
        self._page.setMarkdown(risk_as_markdown([*self._said, *of_release]))
        self._page.verticalScrollBar().setValue(scrolled)
        self._places.set_places([*left_over, *self._suggested])

    def _tell_measured(self) -> None:
        self._show_all()
        self._banner.show_message(
            "The release was measured; its data card says now all that stands here."
        )

    def _tell_bound(self) -> None:
        if not self._archive:
            self._bound.setText("No patient is adjudicated yet: there is nothing to draw from.")
            return
        size = min(self._size.value(), self._archive)
        share = share_at_most(sample_bound(0, size, self._archive).share)
        self._bound.setText(
            f"Where nothing is left in any of {size:,} of {self._archive:,} records, no more than "
            f"{share} of all have PHI left, with 95 % confidence."
        )

    def _enable(self) -> None:
        is_free = not self._work.is_running
        self._draw.setEnabled(is_free and self._archive > 0)
        self._rules.setEnabled(is_free)
        self._judged.setEnabled(is_free and self._rules.isChecked())
        # nobody is to take what it says for what other readers come to
        self._page.setEnabled(self._third_readers() == self._release.wanted)
        try:
            is_drawn = AuditBook(self._project).latest() is not None
        except TandemError as error:
            self._banner.show_error(error)
            is_drawn = False
        self._read.setEnabled(is_free and is_drawn)
        self._draw.setText("&Draw anew" if is_drawn else "&Draw")

    def _draw_records(self) -> None:
        """Draw and keep; an earlier draw stays, and the card tells of both."""
        self.about_to_read.emit()
        size, tags = self._size.value(), str(self._tags.currentData())

        def draw(job: ProgressTask) -> None:
            archive = adjudicated_records(self._project, lambda ids: job.watch("Drawing", ids))
            AuditBook(self._project).draw(archive, size, current_user(), tags, None)

        self._work.start(draw, lambda _: self.look_again(), "Drawing records")

    def _fail(self, error: Exception) -> None:
        if not isinstance(error, CancelledError):
            self._banner.show_error(error)

    def _go_back_to_shown(self) -> None:
        """Let the boxes say whom the page tells of."""
        models, is_judged = self._release.wanted
        for box, is_ticked in ((self._rules, bool(models)), (self._judged, is_judged)):
            with QSignalBlocker(box):
                box.setChecked(is_ticked)
        self._enable()
