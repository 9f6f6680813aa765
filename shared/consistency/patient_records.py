"""The records of a patient made ready to be checked, and what is tagged in them."""

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from functools import cached_property, lru_cache
from itertools import accumulate
from string import ascii_lowercase
from typing import TYPE_CHECKING

from shared.consistency.findings import (
    Finding,
    FindingKind,
    FindingLocation,
    TagMark,
    TypeChoice,
    times_in_words,
)
from shared.language.detection import AUTO, records_language
from shared.language.languages import Language
from shared.model import Document, Layer, PhiTraits, PhiType, Schema, Span, Tag
from shared.model.layer import TAG_ORDER
from shared.text.flat_text import FlatText, flattened
from shared.text.scripts import without_unspaced
from shared.text.spelling import in_plain_forms

if TYPE_CHECKING:
    from shared.language.date_mentions import DateMention

_DIGIT = re.compile(r"\d")
_TAGGED = re.compile(b"\1+")
_SMALL_WORD = re.compile(r"(?<![^\W\d_])[a-z]+(?![^\W\d_])")


_flat = lru_cache(maxsize=256)(FlatText)
"""Records are checked again after each edit and each mask."""


class TaggedText:
    """Where and as what one text is tagged; blanks and line ends count as one space in it."""

    def __init__(self, text: str, schema: Schema, language: Language) -> None:
        self.text = text
        self.schema = schema
        self.language = language
        self.tags: list[tuple[str, Tag]] = []
        """Each tag with its record. To be asked for what follows only when all are there."""

    @classmethod
    def counted(
        cls, text: str, schema: Schema, language: Language, types: Mapping[PhiType, int]
    ) -> "TaggedText":
        """A text of which only is known how often it is tagged as what, and no place."""
        made = cls(text, schema, language)
        made.types = Counter(types)
        return made

    @cached_property
    def types(self) -> Counter[PhiType]:
        """How often it is tagged as what."""
        return Counter(tag.phi_type for _, tag in self.tags)

    @cached_property
    def phi_type(self) -> PhiType:
        """The most frequent type."""
        if len(self.tags) == 1:
            return self.tags[0][1].phi_type
        return self.types.most_common(1)[0][0]

    @cached_property
    def usual_type(self) -> PhiType | None:
        """The most frequent type; None where two are equally frequent."""
        most = [count for _, count in self.types.most_common(2)]
        return None if len(most) == 2 and most[0] == most[1] else self.phi_type

    @cached_property
    def choices(self) -> tuple[TypeChoice, ...]:
        """All types with the places that are tagged so, the most frequent first."""
        return tuple(
            TypeChoice(phi_type, self._places_of(phi_type))
            for phi_type, _ in self.types.most_common()
        )

    @cached_property
    def traits(self) -> PhiTraits:
        """What the most frequent type is."""
        return self.schema.traits_of(self.phi_type)

    @cached_property
    def tagged_at(self) -> tuple[FindingLocation, ...]:
        """One tuple for all findings of the text, which may be many."""
        return tuple(
            dict.fromkeys(FindingLocation(record_id, tag.span) for record_id, tag in self.tags)
        )

    @cached_property
    def often(self) -> str:
        """How often it is tagged, in words."""
        return times_in_words(len(self.tags))

    def _places_of(self, phi_type: PhiType) -> tuple[FindingLocation, ...]:
        return tuple(
            FindingLocation(record_id, tag.span)
            for record_id, tag in self.tags
            if tag.phi_type == phi_type
        )


class CheckedRecord:
    """One document with its tags in order."""

    def __init__(self, document: Document, tags: Iterable[Tag], language: Language) -> None:
        self.language = language
        self.document = document
        self.text = document.text
        self.tags = sorted(tags, key=TAG_ORDER)
        ends = [(tag.span.start, tag.span.end) for tag in self.tags]
        self.spans = Counter(ends)
        self._starts = [start for start, _ in ends]
        self._reach = list(accumulate((end for _, end in ends), max))

    @cached_property
    def apart(self) -> str:
        """The text with digits as 0 to 9, and nothing but them and letters with blanks between."""
        return in_plain_forms(without_unspaced(self.text))

    @cached_property
    def flat(self) -> FlatText:
        return _flat(self.text)

    @cached_property
    def has_digits(self) -> bool:
        """Whether there is any digit; one look is quicker than each pattern that needs one."""
        return _DIGIT.search(self.text) is not None

    @cached_property
    def tagged_in_spelling(self) -> bytes:
        """For each character of the spelling, 1 where a tag touches it, or may touch it."""
        marks, flat = bytearray(len(self.flat.spelling)), self.flat.in_spelling
        for start, end in self.spans:
            low, high = flat(start), flat(end) + 1
            marks[low:high] = b"\1" * len(marks[low:high])
        return bytes(marks)

    @cached_property
    def telling_words(self) -> list[tuple[int, int]]:
        """Where the spelling has words that are not in small letters, or that a tag touches."""
        spelt, small = self.flat.spelling, set[tuple[int, int]]()
        for tagged in _TAGGED.finditer(self.tagged_in_spelling):
            start, end = tagged.span()
            while start and spelt[start - 1] in ascii_lowercase:
                start -= 1
            while end < len(spelt) and spelt[end] in ascii_lowercase:
                end += 1
            small.update(found.span() for found in _SMALL_WORD.finditer(spelt, start, end))
        return [*self.flat.capitalised, *small]

    @cached_property
    def dates(self) -> tuple["DateMention", ...]:
        """Every date in the text, tagged or not."""
        from shared.language.date_mentions import dates_of

        return dates_of(self.text, self.language)

    @property
    def record_id(self) -> str:
        return self.document.record_id

    def is_tagged(self, start: int, end: int) -> bool:
        """True where any tag touches `[start, end)`."""
        before = bisect_left(self._starts, end)
        return before > 0 and self._reach[before - 1] > start

    def tags_in(self, start: int, end: int) -> list[Tag]:
        """The tags that touch `[start, end)`."""
        before = bisect_left(self._starts, end)
        first = bisect_left(self._reach, start + 1)
        return [tag for tag in self.tags[first:before] if tag.end > start]

    def finding(  # noqa: PLR0913, PLR0917  a finding has that many parts
        self,
        span: Span,
        phi_type: PhiType | None,
        kind: FindingKind,
        why: str,
        certainty: float,
        tagged_at: tuple[FindingLocation, ...],
        fix: tuple[TagMark, ...] | None,
    ) -> Finding:
        """Return a finding in this record; its parts are those of `Finding`."""
        patient, place = self.document.patient_id, FindingLocation(self.record_id, span)
        text = span.text_in(self.text)
        return Finding(patient, place, text, phi_type, tagged_at, kind, why, certainty, fix)


class PatientRecords:
    """A patient's documents with one layer of tags, and every tagged text with its places.

    `schema` says what the types are, and which to propose; `language` is the code of
    that of the records, or `auto` where they tell.
    Layers of records that are not among the documents are ignored.
    """

    def __init__(
        self,
        documents: Iterable[Document],
        layers: Iterable[Layer],
        schema: Schema,
        language: str = AUTO,
    ) -> None:
        documents = tuple(documents)
        self.schema = schema
        self.language = records_language(language, (each.text for each in documents))
        tags: dict[str, list[Tag]] = defaultdict(list)
        for layer in layers:
            tags[layer.record_id].extend(layer.tags)
        self.records = [
            CheckedRecord(each, tags.get(each.record_id, ()), self.language) for each in documents
        ]
        self.texts: dict[str, TaggedText] = {}
        for record in self.records:
            for tag in record.tags:
                text = flattened(tag.span.text_in(record.text))
                tagged = self.texts.get(text)
                if tagged is None:
                    tagged = self.texts[text] = TaggedText(text, schema, self.language)
                tagged.tags.append((record.record_id, tag))

    @property
    def patient_id(self) -> str:
        return self.records[0].document.patient_id if self.records else ""
