"""The place at hand, which the caret shows: what is to be said of it, and what can be done."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from PySide6.QtCore import QObject, Signal

from shared.model import Span
from shared.widgets.document.document_view import DocumentView


class PlaceAction(StrEnum):
    """What can be done at any place, by the same keys."""

    ACCEPT = "accept"
    ACCEPT_EVERYWHERE = "accept everywhere"
    DISMISS = "dismiss"
    DISMISS_EVERYWHERE = "dismiss everywhere"
    EDIT = "edit"


@dataclass(frozen=True, slots=True)
class PlaceVerb:
    """What can be done at a place; `words` follow the key, as in “tags it here too”."""

    words: str
    carry_out: Callable[[], object]


@dataclass(frozen=True, slots=True)
class PlaceAtHand:
    """What a list knows of the place at the caret, and what each action does there."""

    about: str
    verbs: Mapping[PlaceAction, PlaceVerb]


class PlaceSource(Protocol):
    """A list of places that somebody has to look at."""

    def place_at_hand(self) -> PlaceAtHand | None:
        """What it knows of the caret's place; None where that is none of its own."""


class PlaceWalk(QObject):
    """Which of several lists has led to what is selected: the verbs are that one's.

    `led` when one has, even to what was selected before.
    """

    led = Signal()

    def __init__(self, view: DocumentView) -> None:
        super().__init__(view)
        self._view = view
        self._guide: PlaceSource | None = None
        self._span: Span | None = None

    def go(self, guide: PlaceSource, span: Span) -> None:
        """Show a place, where what comes next is a key in the text."""
        self.show(guide, span)
        self._view.setFocus()

    def show(self, guide: PlaceSource, span: Span) -> None:
        """Select a place and bring it into sight; the keys stay where they are."""
        self._guide, self._span = guide, span
        self._view.select(span)
        self._view.reveal(span)
        self.led.emit()

    def is_led_by(self, guide: PlaceSource) -> bool:
        """Whether what is selected was walked to in this list."""
        return self._guide is guide and self._span == self._view.selected_span()

    def end(self) -> None:
        self._guide = self._span = None
