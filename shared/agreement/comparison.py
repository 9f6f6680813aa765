"""Two layers of one document, one measured against the other."""

from collections.abc import Callable
from dataclasses import dataclass

from shared.model import Document, PhiType, Tag


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """The tags of a candidate and of a reference on one document.

    Which side is which only says which ratio is called precision; between two annotators neither
    is right. Two are equal where they are one, so that counts can be remembered by comparison.
    """

    document: Document
    candidate: tuple[Tag, ...]
    reference: tuple[Tag, ...]

    @property
    def record_id(self) -> str:
        return self.document.record_id

    def only(self, keep: Callable[[PhiType], bool]) -> "Comparison":
        """Return the comparison of the tags whose type is kept, on each side."""
        return Comparison(
            self.document,
            tuple(tag for tag in self.candidate if keep(tag.phi_type)),
            tuple(tag for tag in self.reference if keep(tag.phi_type)),
        )
