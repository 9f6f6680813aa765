"""One mark of PHI in one document, made or proposed."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from shared.model.phi_type import PhiType
from shared.model.span import Span


class Origin(StrEnum):
    """How a tag came to be."""

    HAND = "hand"
    ANNOTATE_ALL = "annotate-all"
    SUGGESTION = "suggestion"
    IMPORT = "import"
    ADJUDICATION = "adjudication"


SUGGESTED_BY = "suggested_by"
"""The attribute of an accepted suggestion that names the other program that it came from."""


@dataclass(frozen=True, slots=True)
class Tag:
    """Span and PHI type, with what is known about how they came together.

    `id` names the tag within its layer and takes no part in equality. `confidence` (0 to 1) is
    that of the accepted suggestion, None for every other origin. `attributes` are those of the
    XML element that Tandem does not know, kept for the way back.
    """

    span: Span
    phi_type: PhiType
    id: str = field(default="", compare=False)
    comment: str = ""
    origin: Origin = Origin.HAND
    confidence: float | None = None
    attributes: tuple[tuple[str, str], ...] = ()

    @property
    def start(self) -> int:
        return self.span.start

    @property
    def end(self) -> int:
        return self.span.end

    @property
    def provenance(self) -> str:
        """The origin, with the name of the other program whose suggestion was accepted."""
        by = dict(self.attributes).get(SUGGESTED_BY) if self.attributes else None
        return f"{self.origin} ({by})" if by else str(self.origin)

    @property
    def mark(self) -> tuple[Span, PhiType]:
        """What agreement compares: where and as what."""
        return self.span, self.phi_type

    def sort_key(self) -> tuple[int, int, PhiType, str]:
        return self.span.start, self.span.end, self.phi_type, self.id


class SuggestedTag(Protocol):
    """What a recognizer takes for PHI, and how sure it is (0 to 1).

    One that was imported from another program has its name as `source`, too.
    """

    @property
    def span(self) -> Span: ...
    @property
    def phi_type(self) -> PhiType: ...
    @property
    def confidence(self) -> float: ...
