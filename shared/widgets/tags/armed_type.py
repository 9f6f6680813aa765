"""The type that every click tags with, until Esc."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from shared.model import PhiType, Span
from shared.widgets.document.document_view import DocumentView


class ArmedType(QObject):
    """Signals: `changed` (PhiType or None); `said` (str); `picked` (Span, PhiType) at a click."""

    changed = Signal(object)
    said = Signal(str)
    picked = Signal(object, object)

    def __init__(
        self, view: DocumentView, colour: Callable[[PhiType], str], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._view = view
        self._colour = colour
        self._armed: PhiType | None = None
        view.span_picked.connect(self._pick)
        view.disarmed.connect(self.disarm)

    def arm(self, phi_type: PhiType) -> None:
        """Tag with this type at every click until disarmed; arming it again disarms."""
        if self._armed == phi_type:
            self.disarm()
            return
        self._armed = phi_type
        self._view.arm(phi_type.name, self._colour(phi_type))
        self.changed.emit(phi_type)
        self.said.emit(f"Click words to tag them as {phi_type.name}; Esc ends this.")

    def disarm(self) -> None:
        if self._armed is not None:
            self._armed = None
            self._view.arm(None, "")
            self.changed.emit(None)

    def _pick(self, span: Span) -> None:
        if self._armed is not None:
            self.picked.emit(span, self._armed)
