"""Annotate all: from the tag or text at the caret to the review list and into the tags."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QWidget

from shared.language.variant_rules import Rule
from shared.model import PhiType, Span
from shared.project.tag_operations import TagCandidate
from shared.widgets.tags.place_list import PlaceList, PlaceRow, place_row
from shared.widgets.tags.tag_editor import TagEditor


class AnnotateAllDialog(PlaceList):
    """Shows places; `options_changed` asks the owner for others."""

    options_changed = Signal()
    hint = ""

    def __init__(self, label: str, parent: QWidget | None = None) -> None:
        super().__init__("Annotate all", f"&Tag as {label}", parent)
        self.setObjectName("annotateAllDialog")
        self._table.setAccessibleName("Places to tag")
        self._ignore_case = QCheckBox("Words in &small letters too")
        self._variants = QCheckBox("&Other spellings and formats")
        self._variants.setToolTip("Parts of a name, other formats of a date, other punctuation …")
        for option in (self._ignore_case, self._variants):
            option.toggled.connect(self.options_changed)
            self.add_option(option)

    @property
    def ignores_case(self) -> bool:
        return self._ignore_case.isChecked()

    @property
    def wants_variants(self) -> bool:
        """True where other ways of writing the text are to be shown too."""
        return self._variants.isChecked()


class AnnotateAll(QObject):
    """Opens the review list; what is ticked there becomes one edit of the editor's.

    `dismissal` says why a place was dismissed, None where it was not: such a place is listed, but
    not ticked. Signals: `said` (str) for the status line; `ended` when the list is closed again.
    """

    said = Signal(str)
    ended = Signal()

    def __init__(
        self, editor: TagEditor, dismissal: Callable[[Span], str | None], window: QWidget
    ) -> None:
        super().__init__(window)
        self._editor = editor
        self._dismissal = dismissal
        self._window = window

    def start(self) -> None:
        """Review every place of the text at the caret, for its tag's type or the one used last."""
        current, span = self._editor.current(), self._editor.target()
        phi_type = current.phi_type if current else self._editor.last_type
        if span is None or phi_type is None:
            self.said.emit("Tag one occurrence first, then annotate all.")
            return
        self._review(span, phi_type)

    def _review(self, span: Span, phi_type: PhiType) -> None:
        dialog = AnnotateAllDialog(phi_type.name, self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)

        def look_again() -> None:
            dialog.set_rows(self._rows(span, phi_type, dialog))

        def apply(rows: list[PlaceRow]) -> None:
            self._editor.apply_all([row.span for row in rows], phi_type)

        look_again()
        dialog.options_changed.connect(look_again)
        dialog.taken.connect(apply)
        dialog.finished.connect(self.ended)
        dialog.open()

    def _rows(self, span: Span, phi_type: PhiType, options: AnnotateAllDialog) -> list[PlaceRow]:
        session = self._editor.session
        if session is None:
            return []
        places = session.occurrences(
            span, phi_type, ignore_case=options.ignores_case, variants=options.wants_variants
        )
        listed = [(each, self._dismissal(each.span)) for each in places]
        return [
            place_row(
                session.view,
                each.span,
                _note(each, dismissal),
                ticked=each.is_preselected and dismissal is None,
            )
            for each, dismissal in listed
        ]


def _note(place: TagCandidate, dismissal: str | None) -> str:
    if place.tagged:
        return f"already tagged as {', '.join(sorted({each.name for each in place.tagged}))}"
    reasons = [place.rule.value] if place.rule is not Rule.SAME else []
    if place.glued:
        reasons.append("part of a longer word")
    if place.doubt:
        reasons.append(place.doubt)
    if dismissal is not None:
        reasons.append(f"dismissed{f' ({dismissal})' if dismissal else ''}")
    return "; ".join(reasons)
