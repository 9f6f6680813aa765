"""One set of keys for the place at hand, whichever list knows of it."""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QAction, QKeySequence

from shared.widgets.tags.place_at_hand import PlaceAction, PlaceAtHand, PlaceSource, PlaceWalk
from shared.widgets.tags.untagged_marks import UntaggedMarks
from shared.widgets.window.window_parts import WindowParts

_NATIVE = QKeySequence.SequenceFormat.NativeText
_NOTHING = "There is nothing here to accept or dismiss; F8, F9 and F3 lead to what there is."


class PlaceController(QObject):
    """Asks the lists in turn whose place the caret shows, first the one that has led there.

    Signals: `said` (str) for the status line.
    """

    said = Signal(str)

    def __init__(
        self, parts: WindowParts, walk: PlaceWalk, untagged: UntaggedMarks, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._line = parts.place_line
        self.walk = walk
        self.untagged = untagged
        self._sources: list[PlaceSource] = [untagged]
        self.yields: Callable[[], bool] = _never
        """Whether the keys are for something else at the caret, unless a list has led there."""
        self._keys: dict[PlaceAction, QAction] = {}
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._tell)
        parts.view.caret_moved.connect(self.tell)
        walk.led.connect(self.tell)
        untagged.counted.connect(self.tell)

    def add(self, source: PlaceSource, *, first: bool = False) -> None:
        """Ask this too, before or after those that are asked already."""
        self._sources.insert(0 if first else len(self._sources), source)

    def show_keys(self, keys: Sequence[tuple[PlaceAction, QAction]]) -> None:
        """Say beside a place which key does what, whatever the keys are bound to."""
        self._keys = dict(keys)
        for _, each in keys:
            each.changed.connect(self.tell)

    def at_hand(self, *sources: PlaceSource) -> PlaceAtHand | None:
        """What the caret shows, of these lists or of all."""
        if not sources and not self.is_led_here() and self.yields():
            return None
        asked = sorted(sources or self._sources, key=lambda each: not self.walk.is_led_by(each))
        return next((place for each in asked if (place := each.place_at_hand())), None)

    def is_led_here(self, *sources: PlaceSource) -> bool:
        """Whether one of these lists, or of all, has led to what is selected."""
        return any(map(self.walk.is_led_by, sources or self._sources))

    def handler(self, action: PlaceAction) -> Callable[[], None]:
        return partial(self.carry_out, action)

    def carry_out(self, action: PlaceAction) -> None:
        """Do at the caret's place what a key asks for, or say that there is none."""
        self.untagged.catch_up()
        place = self.at_hand()
        if place is None:
            self.said.emit(_NOTHING)
        else:
            place.verbs[action].carry_out()

    def tell(self) -> None:
        """Say what is at hand once the window has seen to its user."""
        self._soon.start()

    def _tell(self) -> None:
        place = self.at_hand()
        if place is None:
            self._line.show_hint("", "")
            return
        shown = (
            (self._keys[name].shortcut().toString(_NATIVE), verb.words)
            for name, verb in place.verbs.items()
            if name in self._keys and verb.words
        )
        self._line.show_hint(place.about, " · ".join(f"{key} {words}" for key, words in shown))


def _never() -> bool:
    return False
