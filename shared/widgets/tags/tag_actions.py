"""What one does to the tag at the caret and to all with its text: edges moved, retyped, removed."""

from collections.abc import Callable
from functools import partial
from typing import Protocol

from PySide6.QtCore import QObject, Signal

from shared.model import PhiType, Schema, Span
from shared.project.edits import Edit, PlacedTag
from shared.project.patient_session import PatientSession
from shared.text.words import next_word, previous_word
from shared.widgets.document.document_view import DocumentView
from shared.widgets.tags.type_palette import TypePicker


class TagOwner(Protocol):
    """What knows which tag is meant, and makes changes."""

    @property
    def session(self) -> PatientSession | None: ...
    def current(self) -> PlacedTag | None: ...
    def carry_out(self, change: Callable[[], Edit]) -> None: ...


class EdgeActions:
    """Moves the edges of the current tag."""

    def __init__(self, owner: TagOwner) -> None:
        self._owner = owner

    def handlers(self) -> dict[str, Callable[[], object]]:
        """What carries out the actions on edges, by their names."""
        handlers: dict[str, Callable[[], object]] = {}
        for way, by in (("left", -1), ("right", 1)):
            handlers[f"start_{way}"] = partial(self.move_start, by)
            handlers[f"end_{way}"] = partial(self.move_end, by)
            handlers[f"start_word_{way}"] = partial(self.move_start, by, word=True)
            handlers[f"end_word_{way}"] = partial(self.move_end, by, word=True)
        return handlers

    def move_start(self, by: int, *, word: bool = False) -> None:
        """Move the start of the current tag by one character or word, back (-1) or on (1)."""
        if (current := self._owner.current()) is not None:
            self._resize(current, self._stepped(current.start, by, word=word), current.end)

    def move_end(self, by: int, *, word: bool = False) -> None:
        if (current := self._owner.current()) is not None:
            self._resize(current, current.start, self._stepped(current.end, by, word=word))

    def _stepped(self, offset: int, by: int, *, word: bool) -> int:
        session = self._owner.session
        if not word or session is None:
            return offset + by
        step = next_word if by > 0 else previous_word
        return step(session.view.text, offset)

    def _resize(self, placed: PlacedTag, start: int, end: int) -> None:
        session = self._owner.session
        if session is not None and 0 <= start < end:
            self._owner.carry_out(lambda: session.resize(placed, Span(start, end)))


class SameTextOwner(TagOwner, Protocol):
    """What knows the tag that is meant and the type that was given last, and makes changes."""

    @property
    def last_type(self) -> PhiType | None: ...
    def remember(self, phi_type: PhiType) -> None: ...


class SameTextActions(QObject):
    """Removes and retypes all tags of the same type on the same text; `said` (str)."""

    said = Signal(str)

    def __init__(self, owner: SameTextOwner, view: DocumentView, schema: Schema) -> None:
        super().__init__(view)
        self._owner = owner
        self._view = view
        self._types = [each.phi_type for each in schema.types()]
        self._picker = TypePicker(schema, view)
        self._picker.chosen.connect(self._retype)

    def handlers(self) -> dict[str, Callable[[], object]]:
        """What carries out the actions on alike tags, by their names."""
        return {"remove_alike": self.remove, "retype_alike": self.retype}

    def remove(self) -> None:
        session, current = self._owner.session, self._owner.current()
        if session is not None:
            self._owner.carry_out(
                lambda: session.remove(session.same_text(current) if current else [])
            )

    def retype(self) -> None:
        """Let the user pick a type for every tag like the one at the caret."""
        if self._owner.current() is None:
            self.said.emit("Put the caret on a tag to retype all with its text.")
            return
        self._picker.open(self._types, self._owner.last_type, self._view.caret_rectangle())

    def _retype(self, phi_type: PhiType) -> None:
        session, current = self._owner.session, self._owner.current()
        if session is not None and current is not None:
            self._owner.remember(phi_type)
            self._owner.carry_out(lambda: session.retype(session.same_text(current), phi_type))
