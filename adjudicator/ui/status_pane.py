"""How far the project is, for whoever leads the work: what `tandem status` tells, as a pane."""

from datetime import datetime
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QTextBrowser, QToolButton, QVBoxLayout, QWidget

from adjudicator.ui.latest_task import LatestTask
from shared.project.project import Project
from shared.text.blocks import Block, Table, html_of
from shared.widgets.parts.background_task import ProgressTask
from shared.widgets.parts.messages import sentence

_MOST_PATIENTS = 200
"""A text with more rows would hold the window up."""
_MOST_COLUMNS = 6
"""A table with more is wider than the pane."""
_STYLE = "td, th { padding: 2px 14px 2px 0; text-align: left } table { margin-bottom: 10px }"
_HIDDEN = "Names are hidden, and how far the project is cannot be told without them."
_LEAD = "How far the project is, for whoever leads it."


class StatusPane(QWidget):
    """Reads the project when it comes into sight first, and whenever somebody asks for it.

    While names are hidden it shows none, nor anything by which one could be guessed.
    """

    def __init__(self, project: Project) -> None:
        super().__init__()
        self.setObjectName("statusPane")
        self._project = project
        self._hides_names = False
        self._in_sight = False
        self._is_read = False
        self._as_of = ""
        self._work = LatestTask(self)
        self._work.progressed.connect(self._tell_progress)
        self._work.failed.connect(self._fail)
        self._words = QLabel(_LEAD, textFormat=Qt.TextFormat.PlainText)
        self._words.setObjectName("statusWords")
        self._words.setWordWrap(True)
        self._again = QToolButton()
        self._again.setText("Look again")
        self._again.setObjectName("statusAgain")
        self._again.setToolTip("Read layers and journals anew")
        self._again.clicked.connect(self.read)
        self._page = QTextBrowser()
        self._page.setObjectName("statusPage")
        self._page.setAccessibleName("Status of the project")
        self._page.setOpenLinks(False)
        self._page.document().setDefaultStyleSheet(_STYLE)
        top = QHBoxLayout()
        top.addWidget(self._words, 1)
        top.addWidget(self._again)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(6, 6, 6, 6)
        layout.addLayout(top)
        layout.addWidget(self._page, 1)

    @property
    def is_busy(self) -> bool:
        return self._work.is_running

    def come_into_sight(self, in_sight: bool) -> None:
        """Read the project the first time."""
        self._in_sight = in_sight
        if in_sight and not self._is_read:
            self.read()

    def hide_names(self, hidden: bool) -> None:
        """Show what names an annotator, or no more."""
        self._hides_names = hidden
        self._again.setEnabled(not hidden)
        self._work.stop()
        self._page.clear()
        self._is_read = False
        self._as_of = ""
        self._words.setText(_HIDDEN if hidden else _LEAD)
        self.come_into_sight(self._in_sight)

    def read(self) -> None:
        """Read the project on another thread, and show what it says."""
        if not self._hides_names:
            self._is_read = True
            begun = datetime.now().astimezone()
            self._work.start(partial(_page, self._project), partial(self._show_page, begun))

    def stop(self) -> None:
        """Let what is read come to nothing."""
        self._work.stop()

    def _show_page(self, begun: datetime, page: str) -> None:
        """Show a page, at the place where the one before was left."""
        bars = self._page.horizontalScrollBar(), self._page.verticalScrollBar()
        places = [bar.value() for bar in bars]
        self._page.setHtml(page)
        for bar, place in zip(bars, places, strict=True):
            bar.setValue(place)
        self._as_of = f"{begun:%Y-%m-%d %H:%M}"
        self._words.setText(f"As of {self._as_of}.")

    def _tell_progress(self, what: str, done: int, total: int) -> None:
        self._words.setText(f"{what.capitalize()}: {done:,} of {total:,}")

    def _fail(self, error: Exception) -> None:
        """Say what went wrong, and of when what still stands there is."""
        below = f" What is below is as of {self._as_of}." if self._as_of else ""
        self._words.setText(sentence(error) + below)


def _page(project: Project, job: ProgressTask) -> str:
    """What `tandem status --patients --time --drift` tells of a project, as HTML."""
    from adjudicator.project_status import ProjectStatus

    status = ProjectStatus.of(project, timed=True, watch=lambda items, what: job.watch(what, items))
    status.look_back()
    problems = [" ".join(str(each).split()) for each in status.problems]
    blocks = status.blocks(patients=True, most=_MOST_PATIENTS)
    return "\n".join(html_of(problems, map(_narrow, blocks)))


def _narrow(block: Block) -> Block:
    """Return a wide table of few as one with a column for each of them."""
    if isinstance(block, Table) and _MOST_COLUMNS < len(block.headers) > len(block.rows):
        return block.transposed()
    return block
