"""Annotate all: from the tag or text at the caret to the review list and into the tags."""

from dataclasses import dataclass

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QWidget

from shared.language.variant_rules import Rule
from shared.model import PhiType, Section, Span
from shared.project.tag_operations import TagCandidate
from shared.widgets.parts.review_list import ReviewList, ReviewModel
from shared.widgets.tags.tag_editor import TagEditor

_RECORD, _BEFORE, _HIT, _AFTER, _NOTE = range(5)
_WIDTHS = (110, 270, 160, 270)


@dataclass(frozen=True, slots=True)
class AnnotateAllRow:
    """One place: where, what stands around it, what speaks against it, ticked at first or not."""

    span: Span
    record_id: str
    before: str
    hit: str
    after: str
    note: str = ""
    ticked: bool = True


class AnnotateAllModel(ReviewModel[AnnotateAllRow]):
    """The places and which of them are ticked."""

    heads = ("Record", "", "Text", "", "Note")
    before = _BEFORE
    bold = frozenset({_HIT})

    def cells(self, row: AnnotateAllRow) -> tuple[str, ...]:
        context = map(_one_line, (row.before, row.hit, row.after))
        return row.record_id, *context, row.note

    def starts_ticked(self, row: AnnotateAllRow) -> bool:
        return row.ticked

    def place(self, row: AnnotateAllRow) -> Span:
        return row.span


class AnnotateAllDialog(ReviewList[AnnotateAllRow]):
    """Shows places; `options_changed` asks the owner for others."""

    options_changed = Signal()

    def __init__(self, label: str, parent: QWidget | None = None) -> None:
        super().__init__(AnnotateAllModel(), "Annotate all", f"&Tag as {label}", _WIDTHS, parent)
        self.setObjectName("annotateAllDialog")
        self._table.setAccessibleName("Places to tag")
        self._ignore_case = QCheckBox("&Ignore case")
        self._variants = QCheckBox("&Other spellings and formats")
        self._variants.setToolTip("Parts of a name, other formats of a date, other punctuation …")
        for option in (self._ignore_case, self._variants):
            option.toggled.connect(self.options_changed)
            self.add_option(option)
        self.resize(1080, 480)

    @property
    def ignores_case(self) -> bool:
        return self._ignore_case.isChecked()

    @property
    def wants_variants(self) -> bool:
        """True where other ways of writing the text are to be shown too."""
        return self._variants.isChecked()


def _one_line(text: str) -> str:
    """Line ends as a sign of their own, so that context keeps to its row."""
    return text.replace("\n", " ⏎ ")


_CONTEXT = 60


class AnnotateAll(QObject):
    """Opens the review list; what is ticked there becomes one edit of the editor's.

    Signals: `said` (str) for the status line; `ended` when the list is closed again.
    """

    said = Signal(str)
    ended = Signal()

    def __init__(self, editor: TagEditor, window: QWidget) -> None:
        super().__init__(window)
        self._editor = editor
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

        def apply(rows: list[AnnotateAllRow]) -> None:
            self._editor.apply_all([row.span for row in rows], phi_type)

        look_again()
        dialog.options_changed.connect(look_again)
        dialog.taken.connect(apply)
        dialog.finished.connect(self.ended)
        dialog.open()

    def _rows(
        self, span: Span, phi_type: PhiType, options: AnnotateAllDialog
    ) -> list[AnnotateAllRow]:
        session = self._editor.session
        if session is None:
            return []
        text = session.view.text
        places = session.occurrences(
            span, phi_type, ignore_case=options.ignores_case, variants=options.wants_variants
        )
        return [_row(place, text, session.view.section(place.record_id)) for place in places]


def _row(place: TagCandidate, text: str, record: Section) -> AnnotateAllRow:
    span = place.span
    return AnnotateAllRow(
        span=span,
        record_id=place.record_id,
        before=text[max(record.start, span.start - _CONTEXT) : span.start],
        hit=span.text_in(text),
        after=text[span.end : min(record.end, span.end + _CONTEXT)],
        note=_note(place),
        ticked=place.is_preselected,
    )


def _note(place: TagCandidate) -> str:
    if place.tagged:
        return f"already tagged as {', '.join(sorted({each.name for each in place.tagged}))}"
    reasons = [place.rule.value] if place.rule is not Rule.SAME else []
    if place.glued:
        reasons.append("part of a longer word")
    if place.doubt:
        reasons.append(place.doubt)
    return "; ".join(reasons)
