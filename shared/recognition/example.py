"""What is learnt from."""

from dataclasses import dataclass

from shared.model import Document, Tag


@dataclass(frozen=True, slots=True)
class Example:
    """A document with the tags that are right for it."""

    document: Document
    tags: tuple[Tag, ...]
