"""What counts of a model of fabricated patients on records in a language that it did not learn."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from shared.model import Document, Schema, Span
from shared.model.phi_traits import EntityKind
from shared.recognition.recognizer import Suggestion
from shared.text.span_index import SpanIndex

if TYPE_CHECKING:
    from shared.language.languages import Language

Suggested = Sequence[Sequence[Suggestion]]
"""What is suggested in each document."""


@dataclass(frozen=True, slots=True)
class ForeignModel:
    """What is heard of a model on records in a language that it did not learn."""

    spoken: "Language"
    schema: Schema

    def heard(self, documents: Sequence[Document], rules: Suggested, found: Suggested) -> Suggested:
        """Return what was found where no rule suggests something else, names without other words.

        A model that knows no word of the records takes those with a capital for names.
        """
        return [
            [named for one in each if (named := self._named(document.text, one))]
            for document, each in zip(documents, _where_rules_agree(rules, found), strict=True)
        ]

    def _named(self, text: str, one: Suggestion) -> Suggestion | None:
        """Return a name from its first word that is not one of the language; None without one."""
        from shared.language.ambiguity import words_of_notes
        from shared.text.spelling import match_key

        if self.schema.traits_of(one.phi_type).kind is not EntityKind.PERSON:
            return one
        known = words_of_notes(self.spoken)
        words = re.finditer(r"[^\W\d_]+", one.span.text_in(text))
        starts = (found.start() for found in words if match_key(found[0]) not in known)
        first = next(starts, None)
        return None if first is None else replace(one, span=Span(one.start + first, one.end))


def _where_rules_agree(rules: Suggested, found: Suggested) -> Suggested:
    """Return what was found where no rule suggests something else."""
    return [
        [
            one
            for one in of_document
            if all(
                (each.span, each.phi_type) == (one.span, one.phi_type)
                for each in ruled.query(one.start, one.end)
            )
        ]
        for of_document, ruled in zip(found, map(SpanIndex, rules), strict=True)
    ]
