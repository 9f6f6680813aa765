"""What only the adjudication window shows, disagreements and decision, and where all stands."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMainWindow

from adjudicator.ui.decision_pane import DecisionPane
from adjudicator.ui.disagreement_table import DisagreementTable
from adjudicator.ui.status_pane import StatusPane
from shared.project.project import Project
from shared.widgets.findings.finding_pane import FindingPane
from shared.widgets.window.window_parts import WindowParts

_LEFT = Qt.DockWidgetArea.LeftDockWidgetArea
_RIGHT = Qt.DockWidgetArea.RightDockWidgetArea


class AdjudicatorPanes(WindowParts):
    """The parts of the adjudication window, by name."""

    def __init__(self, window: QMainWindow, project: Project) -> None:
        super().__init__(window, "adjudication_guidelines")
        self.disagreements = DisagreementTable()
        self.decision = DecisionPane(project.schema)
        self.findings = FindingPane()
        self.status = StatusPane(project)
        self.read = self.status_label("Read")
        self.progress = self.status_label("Decided")
        self.also_themed(self.disagreements, self.decision)
        patients = self.dock("Patients", self.worklist, _LEFT)
        disagreements = self.dock("Disagreements", self.disagreements, _LEFT)
        status = self.dock("Status", self.status, _LEFT)
        status.visibilityChanged.connect(self.status.come_into_sight)
        window.tabifyDockWidget(disagreements, status)
        decision = self.dock("Decision", self.decision, _RIGHT)
        tags = self.dock("Gold standard", self.tags, _RIGHT)
        window.tabifyDockWidget(tags, self.dock("Records", self.records, _RIGHT))
        window.tabifyDockWidget(tags, self.dock("Findings", self.findings, _RIGHT))
        window.tabifyDockWidget(tags, self.dock("Notes", self.notes, _RIGHT))
        window.tabifyDockWidget(tags, self.dock("Guidelines", self.guidelines, _RIGHT))
        tags.raise_()
        disagreements.raise_()
        window.resizeDocks([patients, decision], [450, 330], Qt.Orientation.Horizontal)
        window.resizeDocks([patients, disagreements], [170, 640], Qt.Orientation.Vertical)
        window.resizeDocks([decision, tags], [440, 360], Qt.Orientation.Vertical)
