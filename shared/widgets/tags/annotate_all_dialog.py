"""The review list of annotate all: every place of a text, with its context and a tick box."""

from dataclasses import dataclass

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QWidget

from shared.model import Span
from shared.widgets.parts.review_list import ReviewList, ReviewModel

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
