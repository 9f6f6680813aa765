"""The pane of suggestions: how sure they have to be, how many there are, and which, by text."""

from collections.abc import Callable

from PySide6.QtCore import QModelIndex, QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QShowEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QSlider,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from annotator.rejections import PlacedSuggestion
from annotator.suggestions import USUAL_THRESHOLD, SuggestionChange, SuggestionReview
from annotator.ui.actions import SURE as GOOD_AS_SURE
from annotator.ui.suggestion_model import SURE, TEXT, SuggestionModel
from shared.model import MergedView, Patient, PhiType
from shared.widgets.look.framed_list import FramedList
from shared.widgets.look.theme import Theme
from shared.widgets.parts.fixed_layout_label import FixedLayoutLines
from shared.widgets.parts.group_tree import GroupTree

_STEPS = 100
_QUIET_MS = 20
"""So long after the last change the list follows, as changes come one after the other."""
_WIDTHS = (150, 98, 52, 54)
_INDENT = 14


class SuggestionPane(QWidget):
    """A slider for the threshold, figures, and the tree `suggestionTable`.

    `chosen` (PlacedSuggestion) on a click or Enter in the tree, `pointed` where the user went to a
    row by a key or with the right button, and works on in the tree; `threshold_moved` (float).
    """

    chosen = Signal(object)
    pointed = Signal(object)
    threshold_moved = Signal(float)

    def __init__(self, colour: Callable[[PhiType], str]) -> None:
        super().__init__()
        self.model = SuggestionModel(colour, self)
        self._pointed: PlacedSuggestion | None = None
        self._removed: set[PlacedSuggestion] = set()
        self._added: set[PlacedSuggestion] = set()
        self._soon = QTimer(self, singleShot=True, interval=_QUIET_MS)
        self._soon.timeout.connect(self.catch_up)
        self._about = QLabel(textFormat=Qt.TextFormat.PlainText)
        self._about.setWordWrap(True)
        self._figures = FixedLayoutLines()  # a longer one must not take its room from the page
        self._level = QLabel(textFormat=Qt.TextFormat.PlainText)
        self.slider = self._make_slider()
        self._on_screen = _text_button("Accept suggestions on this screen")
        self._on_screen.setText("Accept screen")
        self._sure = _text_button("Accept all sure suggestions")
        self.tree = self._make_tree()
        self._lay_out()

    @property
    def figures(self) -> str:
        return self._figures.text()

    @property
    def about(self) -> str:
        return self._about.text()

    def show_actions(self, on_screen: QAction, sure: QAction) -> None:
        """Give buttons to the actions that accept many: those on the screen, those almost sure."""
        for button, action in ((self._on_screen, on_screen), (self._sure, sure)):
            button.setToolTip(action.toolTip())
            button.clicked.connect(action.trigger)

    def open(self, view: MergedView) -> None:
        """Show a patient, without suggestions so far."""
        self._pointed = None
        self._removed, self._added = set(), set()
        self.model.open(view)

    def clear(self) -> None:
        self.open(MergedView(Patient("", ())))
        self._figures.clear()
        self.say("")

    def say(self, about: str) -> None:
        """Say where suggestions come from, or why there are none."""
        self._about.setText(about)
        self._about.setVisible(bool(about))

    def change(self, change: SuggestionChange) -> None:
        """Take suggestions out and put others in, when the change is painted."""
        gone, new = set(change.removed), set(change.added)
        self._removed = (self._removed - new) | gone
        self._added = (self._added - gone) | new
        if self.isVisible():
            self._soon.start()

    def count(self, review: SuggestionReview) -> None:
        """Show how many there are."""
        shown, waiting = len(review.shown), review.waiting
        figures = [f"{shown:,} to look at"]
        if waiting > shown:
            figures.append(f"{waiting - shown:,} less sure")
        if review.rejected:
            figures.append(f"{review.rejected:,} rejected")
        self._figures.setText(" · ".join(figures))
        sure = review.count_above(GOOD_AS_SURE)
        self._sure.setText(f"Accept {sure:,} above {GOOD_AS_SURE}")
        # of a fixed size, so that not all is laid out anew at each new number
        self._sure.setFixedSize(self._sure.sizeHint().expandedTo(self._sure.minimumSize()))
        self._sure.setEnabled(sure > 0)
        self._on_screen.setEnabled(shown > 0)

    def select(self, suggestion: PlacedSuggestion) -> None:
        """Point at a suggestion without choosing it."""
        self._pointed = suggestion
        if not self.isVisible():
            return
        self.catch_up()
        index = self.model.index_of(suggestion)
        if index.isValid():
            self.tree.setCurrentIndex(index)
            self.tree.scrollTo(index)

    def apply_theme(self, theme: Theme) -> None:
        self.model.apply_theme(theme)

    def catch_up(self) -> None:
        """Show the changes that wait."""
        if self._removed or self._added:
            gone, new, self._removed, self._added = self._removed, self._added, set(), set()
            self.model.change(gone, new)
        self._arrange()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.catch_up()
        if self._pointed is not None:
            self.select(self._pointed)

    def _arrange(self) -> None:
        if self.model.in_order:
            return
        current = self.tree.currentIndex().row()
        self.model.arrange()
        self.model.fetch(current + 1)
        self.tree.setCurrentIndex(self.model.index(current, 0))

    def _make_slider(self) -> QSlider:
        slider = QSlider(Qt.Orientation.Horizontal)
        slider.setObjectName("suggestionThreshold")
        slider.setAccessibleName("How sure a suggestion has to be")
        slider.setRange(0, _STEPS)
        slider.setPageStep(5)
        slider.valueChanged.connect(self._moved)
        with QSignalBlocker(slider):
            slider.setValue(round(USUAL_THRESHOLD * _STEPS))
        self._level.setText(f"from {slider.value()}%")
        return slider

    def _make_tree(self) -> GroupTree:
        tree = GroupTree(self.model, "suggestionTable")
        tree.setAccessibleName("Suggestions")
        tree.sortByColumn(SURE, Qt.SortOrder.AscendingOrder)
        tree.setExpandsOnDoubleClick(False)
        tree.setIndentation(_INDENT)
        for column, width in enumerate(_WIDTHS):
            tree.setColumnWidth(column, width)
        tree.header().setSectionResizeMode(TEXT, QHeaderView.ResizeMode.Stretch)
        tree.clicked.connect(self._choose)
        tree.activated.connect(self._choose)
        tree.pointed.connect(self._point)
        return tree

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.addWidget(self.slider, 1)
        row.addWidget(self._level)
        buttons = QHBoxLayout()
        buttons.addWidget(self._on_screen)
        buttons.addStretch(1)
        buttons.addWidget(self._sure)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(6, 4, 6, 0)
        layout.setSpacing(4)
        layout.addWidget(self._about)
        layout.addLayout(row)
        layout.addWidget(self._figures)
        layout.addLayout(buttons)
        layout.addWidget(FramedList(self.tree, self.tree), 1)

    def _moved(self, value: int) -> None:
        self._level.setText(f"from {value}%")
        self.threshold_moved.emit(value / _STEPS)

    def _choose(self, index: QModelIndex) -> None:
        found = self.model.suggestions(index)
        if found:
            self.chosen.emit(found[0])

    def _point(self, index: QModelIndex) -> None:
        found = self.model.suggestions(index)
        if found:
            self.pointed.emit(found[0])


def _text_button(name: str) -> QToolButton:
    button = QToolButton()
    button.setEnabled(False)
    button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
    button.setAccessibleName(name)
    return button
