"""Where as many places say one type as another: a choice of the types, with their places."""

from PySide6.QtCore import QObject, Signal

from shared.consistency.findings import Finding, FindingLocation, TypeChoice
from shared.model import MergedView
from shared.widgets.document.document_view import DocumentView
from shared.widgets.parts.choice_popup import ChoicePopup, PopupItem

_CONTEXT = 16
_SHOWN = 2


class TiePopup(QObject):
    """Asks at the caret which type is right; `picked` (Finding, bool, PhiType) carries the answer.

    The flag is the one that was asked with: whether all places are to become so.
    """

    picked = Signal(object, bool, object)

    def __init__(self, view: DocumentView, parent: QObject) -> None:
        super().__init__(parent)
        self._view = view
        self._about: tuple[Finding, bool] | None = None
        self._popup = ChoicePopup(view, digits=True, width=460)
        self._popup.setObjectName("tiePopup")
        self._popup.picked.connect(self._answer)

    def ask(self, finding: Finding, *, everywhere: bool) -> None:
        self._about = finding, everywhere
        view = self._view.merged_view
        items = [
            PopupItem(each.phi_type.name, each.phi_type, _places(view, each))
            for each in finding.choices
        ]
        self._popup.pop_up(items, None, self._view.caret_rectangle())

    def _answer(self, phi_type: object) -> None:
        if self._about is not None:
            self.picked.emit(*self._about, phi_type)


def _places(view: MergedView, choice: TypeChoice) -> str:
    """The first places with what stands around them, and how many there are more."""
    shown = "; ".join(_place(view, each) for each in choice.places[:_SHOWN])
    more = len(choice.places) - _SHOWN
    return f"{shown}; {more} more" if more > 0 else shown


def _place(view: MergedView, place: FindingLocation) -> str:
    text = view.patient.document(place.record_id).text
    start, end = place.span.start, place.span.end
    around = text[max(0, start - _CONTEXT) : end + _CONTEXT]
    return f"{place.record_id} …{' '.join(around.split())}…"
