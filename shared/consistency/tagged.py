"""The records of a patient made ready to be checked: flat texts, and what is tagged in them."""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable
from functools import cached_property
from itertools import accumulate

from shared.consistency.findings import Place, in_words
from shared.consistency.flat_text import FlatText, flattened
from shared.language.date_mentions import DateMention, find_dates
from shared.model import Document, Layer, PhiType, Tag


class TaggedText:
    """Where and as what one text is tagged; blanks and line ends count as one space in it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tags: list[tuple[str, Tag]] = []
        """Each tag with its record. To be asked for what follows only when all are there."""

    @cached_property
    def types(self) -> Counter[PhiType]:
        """How often it is tagged as what."""
        return Counter(tag.phi_type for _, tag in self.tags)

    @cached_property
    def phi_type(self) -> PhiType:
        """The most frequent type."""
        first = self.tags[0][1].phi_type
        return first if len(self.tags) == 1 else self.types.most_common(1)[0][0]

    @cached_property
    def tagged_at(self) -> tuple[Place, ...]:
        """One tuple for all findings of the text, which may be many."""
        return tuple(dict.fromkeys(Place(record_id, tag.span) for record_id, tag in self.tags))

    @cached_property
    def often(self) -> str:
        """How often it is tagged, in words."""
        return in_words(len(self.tags))


class Record:
    """One document with its tags in order."""

    def __init__(self, document: Document, tags: Iterable[Tag]) -> None:
        self.document = document
        self.text = document.text
        self.tags = sorted(tags, key=Tag.sort_key)
        self.spans = frozenset((tag.start, tag.end) for tag in self.tags)
        self._starts = [tag.start for tag in self.tags]
        self._reach = list(accumulate((tag.end for tag in self.tags), max))

    @cached_property
    def flat(self) -> FlatText:
        return FlatText(self.text)

    @cached_property
    def dates(self) -> list[DateMention]:
        """Every date in the text, tagged or not."""
        return list(find_dates(self.text))

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


class PatientRecords:
    """A patient's documents with one layer of tags, and every tagged text with its places.

    Layers of records that are not among the documents are ignored.
    """

    def __init__(self, documents: Iterable[Document], layers: Iterable[Layer]) -> None:
        tags: dict[str, list[Tag]] = defaultdict(list)
        for layer in layers:
            tags[layer.record_id].extend(layer.tags)
        self.records = [Record(each, tags.get(each.record_id, ())) for each in documents]
        self.texts: dict[str, TaggedText] = {}
        for record in self.records:
            for tag in record.tags:
                text = flattened(record.text[tag.start : tag.end])
                tagged = self.texts.get(text)
                if tagged is None:
                    tagged = self.texts[text] = TaggedText(text)
                tagged.tags.append((record.record_id, tag))

    @property
    def patient_id(self) -> str:
        return self.records[0].document.patient_id if self.records else ""
