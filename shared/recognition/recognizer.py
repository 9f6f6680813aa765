"""What recognizers give and learn from, and the one protocol that all of them follow."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from shared.model import Document, Origin, PhiType, Span, Tag
from shared.text.overlaps import resolve_overlaps


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A tag that a recognizer proposes: where, as what, how sure (0 to 1), and by whom.

    `rule` tells apart the rules of a recognizer that is made of such.
    """

    span: Span
    phi_type: PhiType
    confidence: float
    recognizer: str
    rule: str = ""

    def __reduce__(self) -> tuple[object, ...]:
        """Say in few words how to make it again: processes send each other many."""
        rest = self.phi_type, self.confidence, self.recognizer, self.rule
        return _suggestion, (self.span.start, self.span.end, *rest)

    @property
    def start(self) -> int:
        return self.span.start

    @property
    def end(self) -> int:
        return self.span.end

    def tag(self) -> Tag:
        """Return the tag that accepting this makes."""
        return Tag(
            self.span,
            self.phi_type,
            origin=Origin.SUGGESTION,
            confidence=round(self.confidence, 4),
        )


def _suggestion(start: int, end: int, *rest: Any) -> Suggestion:  # noqa: ANN401  as they were
    return Suggestion(Span(start, end), *rest)


class Recognizer(Protocol):
    """Anything that reads documents and proposes tags.

    Suggestions of one document do not overlap and come in order. Documents of one patient are
    best read together, since what is found in one helps with the others; the result has one
    entry per document, in the order given, and does not depend on the order.
    """

    @property
    def name(self) -> str: ...

    def suggest(self, documents: Sequence[Document]) -> list[tuple[Suggestion, ...]]: ...


def keep_most_confident(suggestions: Iterable[Suggestion]) -> tuple[Suggestion, ...]:
    """Return those that stay when of two that overlap the surer goes first, then the longer."""
    return tuple(
        resolve_overlaps(suggestions, lambda each: (-each.confidence, -len(each.span), each.start))
    )


@dataclass(frozen=True, slots=True)
class Example:
    """A document with the tags that are right for it."""

    document: Document
    tags: tuple[Tag, ...]
