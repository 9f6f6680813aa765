"""What the windows of annotators and adjudicators show alike, each part made and put in place."""

from functools import partial
from typing import Protocol

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDockWidget,
    QHBoxLayout,
    QLabel,
    QMainWindow,
    QMenu,
    QVBoxLayout,
    QWidget,
)

from shared.model import PhiType
from shared.widgets.document.document_view import DocumentView
from shared.widgets.document.find_bar import FindBar
from shared.widgets.document.overview_ruler import OverviewRuler
from shared.widgets.look.theme import Theme
from shared.widgets.notes.note_pane import NotePane
from shared.widgets.parts.background_task import TaskLine
from shared.widgets.parts.choice_popup import ChoicePopup
from shared.widgets.parts.fixed_layout_label import FixedLayoutLabel
from shared.widgets.parts.messages import StatusBanner
from shared.widgets.parts.place_line import PlaceLine
from shared.widgets.parts.refresh import RefreshQueue
from shared.widgets.records.record_pane import RecordPane
from shared.widgets.tags.tag_table import TagTable
from shared.widgets.window.guideline_pane import GuidelinePane
from shared.widgets.window.save_status import KEPT
from shared.widgets.window.worklist_pane import WorklistPane

_LIKELY_TAGS, _LIKELY_UNTAGGED = "10,000 tags", "1,000 untagged occurrences"


class Themed(Protocol):
    """A part with colours of its own."""

    def apply_theme(self, theme: Theme) -> None: ...


class WindowParts:
    """The document view amid banner and find bar, and the panes that both windows have.

    A window adds panes of its own with `dock`.
    """

    def __init__(self, window: QMainWindow, guideline: str) -> None:
        self._window = window
        self.refresh = RefreshQueue(window)
        self.view = DocumentView()
        self.overview = OverviewRuler(self.view)
        self.banner = StatusBanner()
        self.find_bar = FindBar(self.view)
        self.place_line = PlaceLine()
        self.worklist = WorklistPane()
        self.records = RecordPane()
        self.notes = NotePane()
        self.tags = TagTable()
        self.guidelines = GuidelinePane(guideline)
        self.guidelines.retitled.connect(partial(self.retitle, self.guidelines))
        self._themed: list[Themed] = [
            *(self.view, self.overview, self.banner, self.tags, self.guidelines)
        ]
        self._fill_middle()
        self.tasks = TaskLine()
        window.statusBar().addPermanentWidget(self.tasks)
        self.exact = self.status_label("Selection", "Exact characters")
        self.untagged_count = self.status_label("Untagged occurrences", _LIKELY_UNTAGGED)
        self.tag_count = self.status_label("Tags", _LIKELY_TAGS)
        self.saved = self.status_label("Saved", KEPT)

    def apply_theme(self, theme: Theme) -> None:
        for part in self._themed:
            part.apply_theme(theme)

    def also_themed(self, *parts: Themed) -> None:
        """Give these parts the colours of every theme too."""
        self._themed.extend(parts)

    def dock(self, title: str, part: QWidget, area: Qt.DockWidgetArea) -> QDockWidget:
        """Put a pane at a side of the window, below those that are there."""
        dock = QDockWidget(title, self._window)
        dock.setObjectName(f"dock.{title.lower().replace(' ', '_')}")
        dock.setWidget(part)
        self._window.addDockWidget(area, dock)
        return dock

    def list_panes(self, menu: QMenu) -> None:
        """Offer every pane in a menu, so that one that was closed comes back."""
        menu.addSeparator()
        panes = menu.addMenu("&Panes")
        panes.setObjectName("menu.panes")
        for dock in self._window.findChildren(QDockWidget):
            action = dock.toggleViewAction()
            action.triggered.connect(dock.raise_)
            panes.addAction(action)

    def status_label(self, name: str, likely: str = "") -> QLabel:
        """Add a figure to the right of the status bar, with room for a `likely` text."""
        label = FixedLayoutLabel(likely)
        label.setAccessibleName(name)
        self._window.statusBar().addPermanentWidget(label)
        return label

    def bring_forward(self, part: QWidget) -> None:
        """Show the dock that holds a part, before those it is stacked with."""
        dock = part.parentWidget()
        if isinstance(dock, QDockWidget):
            dock.show()
            dock.raise_()

    def offer(self, part: QWidget, *, offered: bool) -> None:
        """Bring forward the dock of a part that is there at times only, or have it nowhere."""
        dock = part.parentWidget()
        if isinstance(dock, QDockWidget):
            dock.toggleViewAction().setVisible(offered)
            dock.setVisible(offered)
            if offered:
                dock.raise_()

    def retitle(self, part: QWidget, title: str) -> None:
        """Give the dock that holds a part another title."""
        dock = part.parentWidget()
        if isinstance(dock, QDockWidget):
            dock.setWindowTitle(title)

    def show_guidelines(self, phi_type: PhiType | None) -> bool:
        """Bring the guidelines to the front, at the section on a type; False if there is none."""
        self.bring_forward(self.guidelines)
        return phi_type is None or self.guidelines.open_type(phi_type)

    def clear(self) -> None:
        """Show no patient, and ask nothing more about one."""
        for each in self.view.window().findChildren(ChoicePopup):
            each.dismiss()
        self.view.clear_document()
        self.find_bar.document_changed()
        self.place_line.give_up()
        self.place_line.show_hint("", "")
        self.tags.set_rows([])
        for label in (self.untagged_count, self.tag_count, self.saved):
            label.clear()

    def _fill_middle(self) -> None:
        middle = QWidget()
        layout = QVBoxLayout(middle)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        text = QHBoxLayout()
        text.setSpacing(0)
        text.addWidget(self.view)
        text.addWidget(self.overview)
        layout.addWidget(self.banner)
        layout.addLayout(text)
        layout.addWidget(self.place_line)
        layout.addWidget(self.find_bar)
        self._window.setCentralWidget(middle)
