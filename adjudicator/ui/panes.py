"""What the adjudication window shows, each part made and put in its place; connected elsewhere."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDockWidget, QLabel, QMainWindow, QVBoxLayout, QWidget

from adjudicator.ui.decision_pane import DecisionPane
from adjudicator.ui.disagreement_table import DisagreementTable
from guidelines import guideline_text
from shared.model import Schema
from shared.widgets.document_view import DocumentView
from shared.widgets.find_bar import FindBar
from shared.widgets.guideline_pane import GuidelinePane
from shared.widgets.messages import StatusBanner
from shared.widgets.tag_table import TagTable
from shared.widgets.theme import Theme
from shared.widgets.worklist_pane import WorklistPane

_LEFT = Qt.DockWidgetArea.LeftDockWidgetArea
_RIGHT = Qt.DockWidgetArea.RightDockWidgetArea


class Panes:
    """The parts of the window, by name."""

    def __init__(self, window: QMainWindow, schema: Schema) -> None:
        self._window = window
        self.view = DocumentView()
        self.banner = StatusBanner()
        self.find_bar = FindBar()
        self.worklist = WorklistPane()
        self.disagreements = DisagreementTable()
        self.decision = DecisionPane(schema)
        self.tags = TagTable()
        self.guidelines = GuidelinePane(guideline_text("adjudication_guidelines"))
        self.progress = _status_label("Decided")
        self.untagged_count = _status_label("Untagged occurrences")
        self.tag_count = _status_label("Tags of the gold standard")
        self.saved = _status_label("Saved")
        self._fill_middle()
        self._fill_docks()
        for label in (self.progress, self.untagged_count, self.tag_count, self.saved):
            window.statusBar().addPermanentWidget(label)

    def apply_theme(self, theme: Theme) -> None:
        self.view.apply_theme(theme)
        self.banner.apply_theme(theme)
        self.disagreements.apply_theme(theme)
        self.decision.apply_theme(theme)
        self.tags.apply_theme(theme)

    def show_guidelines(self) -> None:
        """Bring the guidelines to the front."""
        self._guideline_dock.show()
        self._guideline_dock.raise_()

    def _fill_middle(self) -> None:
        middle = QWidget()
        layout = QVBoxLayout(middle)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        for part in (self.banner, self.view, self.find_bar):
            layout.addWidget(part)
        self._window.setCentralWidget(middle)

    def _fill_docks(self) -> None:
        patients = self._dock("Patients", self.worklist, _LEFT)
        disagreements = self._dock("Disagreements", self.disagreements, _LEFT)
        decision = self._dock("Decision", self.decision, _RIGHT)
        tags = self._dock("Gold standard", self.tags, _RIGHT)
        self._guideline_dock = self._dock("Guidelines", self.guidelines, _RIGHT)
        self._window.tabifyDockWidget(tags, self._guideline_dock)
        tags.raise_()
        self._window.resizeDocks([patients, decision], [450, 330], Qt.Orientation.Horizontal)
        self._window.resizeDocks([patients, disagreements], [170, 640], Qt.Orientation.Vertical)
        self._window.resizeDocks([decision, tags], [440, 360], Qt.Orientation.Vertical)

    def _dock(self, title: str, part: QWidget, area: Qt.DockWidgetArea) -> QDockWidget:
        dock = QDockWidget(title, self._window)
        dock.setObjectName(f"dock.{title.lower().replace(' ', '_')}")
        dock.setWidget(part)
        self._window.addDockWidget(area, dock)
        return dock


def _status_label(name: str) -> QLabel:
    label = QLabel()
    label.setAccessibleName(name)
    label.setContentsMargins(8, 0, 8, 0)
    return label
