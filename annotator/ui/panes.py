"""The panes of the annotation window, types and suggestions among them, and where each stands."""

from functools import cache

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMainWindow

from annotator.ui.suggestion_pane import SuggestionPane
from shared.model import Schema
from shared.widgets.findings.finding_pane import FindingPane
from shared.widgets.tags.type_palette import TypePalette
from shared.widgets.window.window_parts import WindowParts

_LEFT = Qt.DockWidgetArea.LeftDockWidgetArea
_RIGHT = Qt.DockWidgetArea.RightDockWidgetArea


class Panes(WindowParts):
    """The parts of the annotation window, by name."""

    def __init__(self, window: QMainWindow, schema: Schema) -> None:
        super().__init__(window, "annotation_guidelines")
        self.palette = TypePalette(schema)
        self.suggestions = SuggestionPane(cache(schema.colour))
        self.findings = FindingPane()
        self.also_themed(self.palette, self.suggestions)
        patients = self.dock("Patients", self.worklist, _LEFT)
        types = self.dock("Types", self.palette, _RIGHT)
        tags = self.dock("Tags", self.tags, _RIGHT)
        window.tabifyDockWidget(tags, self.dock("Suggestions", self.suggestions, _RIGHT))
        window.tabifyDockWidget(tags, self.dock("Findings", self.findings, _RIGHT))
        window.tabifyDockWidget(tags, self.dock("Guidelines", self.guidelines, _RIGHT))
        tags.raise_()
        window.resizeDocks([patients, types], [180, 360], Qt.Orientation.Horizontal)
        window.resizeDocks([types, tags], [520, 280], Qt.Orientation.Vertical)
