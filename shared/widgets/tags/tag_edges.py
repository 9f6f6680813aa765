"""Moving the start and the end of a tag, by characters and by words."""

from collections.abc import Callable
from functools import partial
from typing import Protocol

from shared.model import Span
from shared.project.edits import Edit, PlacedTag
from shared.project.patient_session import PatientSession
from shared.text.words import next_word, previous_word


class TagOwner(Protocol):
    """What knows which tag is meant, and makes changes."""

    @property
    def session(self) -> PatientSession | None: ...
    def current(self) -> PlacedTag | None: ...
    def carry_out(self, change: Callable[[], Edit]) -> None: ...


class TagEdges:
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
