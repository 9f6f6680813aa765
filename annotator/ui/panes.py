"""What the annotation window shows, each part made and put in its place; connected elsewhere."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDockWidget, QLabel, QMainWindow, QVBoxLayout, QWidget

from guidelines import guideline_text
from shared.model import Schema
from shared.widgets.document_view import DocumentView
from shared.widgets.find_bar import FindBar
from shared.widgets.guideline_pane import GuidelinePane
from shared.widgets.messages import StatusBanner
from shared.widgets.tag_table import TagTable
from shared.widgets.theme import Theme
from shared.widgets.type_palette import TypePalette
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
        self.palette = TypePalette(schema)
        self.tags = TagTable()
        self.guidelines = GuidelinePane(guideline_text("annotation_guidelines"))
        self.untagged_count = _status_label("Untagged occurrences")
        self.tag_count = _status_label("Tags")
        self.saved = _status_label("Saved")
        self._fill_middle()
        self._fill_docks()
        for label in (self.untagged_count, self.tag_count, self.saved):
            window.statusBar().addPermanentWidget(label)

    def apply_theme(self, theme: Theme) -> None:
        self.view.apply_theme(theme)
        self.banner.apply_theme(theme)
        self.palette.apply_theme(theme)
        self.tags.apply_theme(theme)

    def show_guidelines(self, section: str) -> None:
        """Bring the guidelines to the front, at a section where there is one of that name."""
        self._guideline_dock.show()
        self._guideline_dock.raise_()
        if section:
            self.guidelines.open_section(section)

    def show_tags(self) -> None:
        self._tag_dock.show()
        self._tag_dock.raise_()

    def _fill_middle(self) -> None:
        middle = QWidget()
        layout = QVBoxLayout(middle)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        for part in (self.banner, self.view, self.find_bar):
            layout.addWidget(part)
        self._window.setCentralWidget(middle)

    def _fill_docks(self) -> None:
        worklist = self._dock("Patients", self.worklist, _LEFT)
        types = self._dock("Types", self.palette, _RIGHT)
        self._tag_dock = self._dock("Tags", self.tags, _RIGHT)
        self._guideline_dock = self._dock("Guidelines", self.guidelines, _RIGHT)
        self._window.tabifyDockWidget(self._tag_dock, self._guideline_dock)
        self._tag_dock.raise_()
        self._window.resizeDocks([worklist, types], [180, 330], Qt.Orientation.Horizontal)
        self._window.resizeDocks([types, self._tag_dock], [460, 340], Qt.Orientation.Vertical)

    def _dock(self, title: str, part: QWidget, area: Qt.DockWidgetArea) -> QDockWidget:
        dock = QDockWidget(title, self._window)
        dock.setObjectName(f"dock.{title.lower()}")
        dock.setWidget(part)
        self._window.addDockWidget(area, dock)
        return dock


def _status_label(name: str) -> QLabel:
    label = QLabel()
    label.setAccessibleName(name)
    label.setContentsMargins(8, 0, 8, 0)
    return label
