"""Which disagreements of a patient are alike, and what a decision about one says for another."""

from collections.abc import Iterable
from functools import cached_property

from adjudicator.decisions import SIDES, Choice
from adjudicator.disagreements import Disagreement, Pattern
from shared.metrics.alignment import TagMark
from shared.model import MergedView


class AlikeIndex:
    """Disagreements by what the sides say, whichever side says it.

    `Lee` tagged DOCTOR by the first and PATIENT by the second is alike to `Lee` tagged PATIENT by
    the first and DOCTOR by the second: who says it makes no difference to what is right.
    """

    def __init__(self, view: MergedView, disagreements: Iterable[Disagreement]) -> None:
        self._text = view.text
        self._disagreements = disagreements

    def others(self, disagreement: Disagreement) -> list[Disagreement]:
        """All that are alike, without the disagreement itself, in order of deciding."""
        group = self._groups.get(self._shape(disagreement), [])
        return [each for each in group if each is not disagreement]

    def same_choice(self, choice: Choice, made_for: Disagreement, other: Disagreement) -> Choice:
        """Return the choice that comes to the same for another disagreement that is alike."""
        if choice.side is None:
            return choice
        said, patterns = made_for.patterns(self._text), other.patterns(self._text)
        wanted = said[choice.side]
        return choice if patterns[choice.side] == wanted else SIDES[patterns.index(wanted)]

    def same_marks(
        self, marks: Iterable[TagMark], made_for: Disagreement, other: Disagreement
    ) -> tuple[TagMark, ...] | None:
        """Return edited marks moved to another place; None where its characters are others."""
        by = other.key.span.start - made_for.key.span.start
        moved = tuple((span.shifted(by), phi_type) for span, phi_type in marks)
        for (span, _), (there, _) in zip(marks, moved, strict=True):
            here = span.shifted(made_for.shift)
            if here.text_in(self._text) != there.shifted(other.shift).text_in(self._text):
                return None
        return moved

    @cached_property
    def _groups(self) -> dict[frozenset[Pattern], list[Disagreement]]:
        """Made when first asked for, since opening a patient is not the moment to wait."""
        groups: dict[frozenset[Pattern], list[Disagreement]] = {}
        for each in self._disagreements:
            groups.setdefault(self._shape(each), []).append(each)
        return groups

    def _shape(self, disagreement: Disagreement) -> frozenset[Pattern]:
        return frozenset(disagreement.patterns(self._text))
