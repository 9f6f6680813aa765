"""Shows a patient beside the gold standard, in place of the patient that is tagged.

No session is open meanwhile, so nothing can be changed.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from PySide6.QtCore import QObject, Signal

from annotator.gold_comparison import GoldComparison, GoldDifference, refuse_comparison
from annotator.ui.comparison_pane import ComparisonPane, count_sentence
from shared.errors import RequestError, TandemError
from shared.metrics.alignment import TagMark
from shared.model import PhiType, Span
from shared.project.files import FileSignature, signature_of
from shared.project.project import Project
from shared.project.settings import GOLD
from shared.widgets.document.document_view import DocumentView
from shared.widgets.document.marks import Mark, MarkStyle


class _DifferenceKey(NamedTuple):
    """The name of a mark: of which difference, and which of its marks."""

    difference: GoldDifference
    mark: int


class ComparisonController(QObject):
    """Leads through the differences; the current one is that of the caret, in text and pane alike.

    Signals: `said` (str) for the status line; `outdated` (Exception) where what is shown may be
    shown no more.
    """

    said = Signal(str)
    outdated = Signal(object)

    def __init__(
        self, project: Project, annotator: str, view: DocumentView, pane: ComparisonPane
    ) -> None:
        super().__init__(view)
        self._project = project
        self._annotator = annotator
        self._view = view
        self._pane = pane
        self._colour = cache(project.schema.colour)
        self._comparison: GoldComparison | None = None
        self._current: GoldDifference | None = None
        self._journals: list[FileSignature | None] = []
        pane.chosen.connect(self._show)
        view.caret_moved.connect(self._follow_caret)
        view.selection_changed.connect(self._follow_caret)

    @property
    def patient_id(self) -> str | None:
        """The patient that is compared, None while none is."""
        return self._comparison.patient_id if self._comparison else None

    def open(self, comparison: GoldComparison) -> None:
        """Show a patient, of which no session is open, from its first difference."""
        self._journals = self._signatures(comparison.patient_id)
        self._view.open(comparison.view)
        self._view.tags_are_fixed = True
        self._view.set_marks(self._marks(comparison))
        self._comparison = comparison
        self._pane.show_comparison(comparison)
        self.said.emit(f"{count_sentence(comparison).rstrip('.')}.")
        for first in comparison.differences[:1]:
            self._show(first)

    def close(self) -> None:
        """Show no patient."""
        if self._comparison is not None:
            self._comparison = self._current = None
            self._pane.show_comparison(None)
            self._view.tags_are_fixed = False
            self._view.clear_document()

    def step(self, by: int) -> None:
        """Go to the next (1) or previous (-1) difference from the caret, around the end."""
        comparison = self._comparison
        if comparison is None or not self.check():
            return
        every = comparison.differences
        if not every:
            self.said.emit(count_sentence(comparison))
            return
        found = every[(self._number_at_caret(every, by) + by) % len(every)]
        self._show(found)
        self._view.setFocus()
        self.said.emit(f"Difference {every.index(found) + 1:,} of {len(every):,}.")

    def show_mark(self, mark: Mark) -> None:
        """Go to the difference of a mark that was clicked."""
        if self._comparison is not None and isinstance(mark.key, _DifferenceKey):
            self._show(mark.key.difference)

    def mark_at_caret(self) -> Mark | None:
        """The mark that stands for the difference at the caret: the gold standard's, if any."""
        self._follow_caret()
        return self._marks_of(self._current)[-1] if self._current else None

    def type_at_caret(self) -> PhiType | None:
        """The type that the gold standard gives what the caret is at, or else the annotator."""
        found = self._current
        marks = (*found.gold, *found.own) if found else ()
        return marks[0][1] if marks else None

    def check(self) -> bool:
        """Whether what is shown may still be shown, and is still so; if not that is told."""
        comparison = self._comparison
        if comparison is None:
            return True
        patient_id = comparison.patient_id
        try:
            refuse_comparison(self._project, self._annotator, patient_id)
            if self._signatures(patient_id) != self._journals:
                raise RequestError(f"patient {patient_id} was changed; compare it again")
        except TandemError as error:
            self.outdated.emit(error)
            return False
        return True

    def _signatures(self, patient_id: str) -> list[FileSignature | None]:
        journals = (
            self._project.journal_path(each, patient_id) for each in (GOLD, self._annotator)
        )
        return [signature_of(each) for each in journals]

    def _show(self, difference: GoldDifference) -> None:
        self._current = difference
        self._view.select(difference.span)
        self._pane.point_at(difference)

    def _number_at_caret(self, every: Sequence[GoldDifference], by: int) -> int:
        """The number of the current difference, or of the one from which `by` leads on."""
        if self._current is not None:
            return every.index(self._current)
        before = sum(each.start < self._view.caret() for each in every)
        return before - 1 if by > 0 else before

    def _follow_caret(self) -> None:
        """Make the difference at the caret, or selected, the current one; or none."""
        if self._comparison is None:
            return
        caret, selected = self._view.caret(), self._view.selected_span()
        here = selected or Span(caret, caret + 1)
        there = [each for each in self._comparison.differences if each.span.overlaps(here)]
        there.sort(key=lambda each: (each.span != selected, each.end - each.start))
        if self._current not in there or self._current.span != there[0].span:
            self._current = there[0] if there else None
        self._pane.point_at(self._current)

    def _marks(self, comparison: GoldComparison) -> Iterator[Mark]:
        """What is alike as a tag; of differences the own tags above the text, gold's below it."""
        for span, phi_type in comparison.same:
            yield Mark(span.start, span.end, phi_type.name, self._colour(phi_type))
        for each in comparison.differences:
            yield from self._marks_of(each)

    def _marks_of(self, difference: GoldDifference) -> list[Mark]:
        note = "\n".join(difference.reasons)
        return [
            Mark(
                span.start,
                span.end,
                f"{label} {phi_type.name}",
                self._colour(phi_type),
                style,
                _DifferenceKey(difference, nth),
                note,
            )
            for nth, (style, label, (span, phi_type)) in enumerate(_sides(difference))
        ]


def _sides(difference: GoldDifference) -> Iterator[tuple[MarkStyle, str, TagMark]]:
    yield from ((MarkStyle.FIRST, "yours", each) for each in difference.own)
    yield from ((MarkStyle.SECOND, "gold", each) for each in difference.gold)
