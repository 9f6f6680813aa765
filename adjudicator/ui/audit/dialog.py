"""What is known of what may be left, as the data card says it, and the drawing of an audit."""

from PySide6.QtCore import Qt, Signal
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
from adjudicator.risk_statements import project_statements
from adjudicator.ui.latest_task import LatestTask
from shared.errors import TandemError
from shared.project.current_user import current_user
from shared.project.project import Project
from shared.risk.bounds import sample_bound, share_at_most
from shared.surrogates.residual_risk import RiskStatement, risk_as_markdown
from shared.widgets.parts.background_task import CancelledError, ProgressTask, TaskLine
from shared.widgets.parts.messages import StatusBanner

_Known = tuple[list[RiskStatement], int]
_LIKELY = 20


class RiskDialog(QDialog):
    """The dialog `riskDialog`; `reading_wanted` when what was drawn is to be read."""

    reading_wanted = Signal()

    def __init__(self, project: Project, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("riskDialog")
        self.setWindowTitle("What may be left")
        self._project = project
        self._archive = 0
        self._work = LatestTask(self)
        self._task = TaskLine()
        self._banner = StatusBanner()
        self._page = QTextBrowser()
        self._rules = QCheckBox("With the &rules as a third reader")
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

    def look_again(self) -> None:
        """Ask the project anew, off this thread."""
        models = ("rules",) if self._rules.isChecked() else ()

        def ask(job: ProgressTask) -> _Known:
            known = project_statements(self._project, models, lambda ids: job.watch("Reading", ids))
            return known, len(adjudicated_records(self._project))

        self._work.start(ask, self._show, "Reading the project")

    def done(self, result: int) -> None:
        self._work.stop()
        super().done(result)

    def _connect(self) -> None:
        self._rules.toggled.connect(self.look_again)
        self._size.valueChanged.connect(self._tell_bound)
        self._draw.clicked.connect(self._draw_records)
        self._read.clicked.connect(self.reading_wanted)
        self._work.begun.connect(self._task.watch)
        self._work.begun.connect(self._enable)
        self._work.ended.connect(self._enable)
        self._work.failed.connect(self._fail)

    def _arrange(self) -> None:
        for widget, name in (
            (self._page, "riskPage"),
            (self._rules, "riskRules"),
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
        layout.addWidget(self._rules)
        layout.addWidget(self._task)
        layout.addLayout(line)
        layout.addWidget(self._bound)
        for each in (self._draw, self._read):
            each.setAutoDefault(False)
        self._bound.setTextFormat(Qt.TextFormat.PlainText)
        self.resize(860, 720)

    def _show(self, known: _Known) -> None:
        statements, self._archive = known
        self._page.setMarkdown(risk_as_markdown(statements))
        self._size.setMaximum(max(1, self._archive))
        if self._size.value() == 1:
            self._size.setValue(min(_LIKELY, self._archive))
        self._tell_bound()
        self._enable()

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
        try:
            is_drawn = AuditBook(self._project).latest() is not None
        except TandemError as error:
            self._banner.show_error(error)
            is_drawn = False
        self._read.setEnabled(is_free and is_drawn)
        self._draw.setText("&Draw anew" if is_drawn else "&Draw")

    def _draw_records(self) -> None:
        """Draw and keep; an earlier draw stays, and the card tells of both."""
        size, tags = self._size.value(), str(self._tags.currentData())

        def draw(job: ProgressTask) -> None:
            archive = adjudicated_records(self._project, lambda ids: job.watch("Drawing", ids))
            AuditBook(self._project).draw(archive, size, current_user(), tags, None)

        self._work.start(draw, lambda _: self.look_again(), "Drawing records")

    def _fail(self, error: Exception) -> None:
        if not isinstance(error, CancelledError):
            self._banner.show_error(error)
