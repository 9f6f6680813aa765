"""What one does to every tag like the one at the caret, as one step."""

from collections.abc import Callable
from typing import Protocol

from PySide6.QtCore import QObject, Signal

from shared.model import PhiType, Schema
from shared.widgets.document.document_view import DocumentView
from shared.widgets.tags.tag_edges import TagOwner
from shared.widgets.tags.type_picker import TypePicker


class AlikeOwner(TagOwner, Protocol):
    """What knows the tag that is meant and the type that was given last, and makes changes."""

    @property
    def last_type(self) -> PhiType | None: ...
    def remember(self, phi_type: PhiType) -> None: ...


class AlikeTags(QObject):
    """Removes and retypes all tags of the same type on the same text; `said` (str)."""

    said = Signal(str)

    def __init__(self, owner: AlikeOwner, view: DocumentView, schema: Schema) -> None:
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
