"""The records of a patient made ready to be checked: flat texts, and what is tagged in them."""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable
from functools import cached_property
from itertools import accumulate

from shared.consistency.findings import Place, in_words
from shared.consistency.flat_text import FlatText, flattened
from shared.model import Document, Layer, PhiType, Tag
from shared.text.variants import DateMention, find_dates


class TaggedText:
    """Where and as what one text is tagged; blanks and line ends count as one space in it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.marks: list[tuple[Place, PhiType]] = []
        self.types: Counter[PhiType] = Counter()

    def add(self, record_id: str, tag: Tag) -> None:
        self.marks.append((Place(record_id, tag.span), tag.phi_type))
        self.types[tag.phi_type] += 1
        self.__dict__.pop("tagged_at", None)

    @cached_property
    def phi_type(self) -> PhiType:
        """The most frequent type."""
        return max(self.types, key=lambda each: self.types[each])

    @cached_property
    def tagged_at(self) -> tuple[Place, ...]:
        """One tuple for all findings of the text, which may be many."""
        return tuple(dict.fromkeys(place for place, _ in self.marks))

    @property
    def often(self) -> str:
        """How often it is tagged, in words."""
        return in_words(len(self.marks))


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
                text = flattened(record.text[tag.start : tag.end]).strip()
                if text not in self.texts:
                    self.texts[text] = TaggedText(text)
                self.texts[text].add(record.record_id, tag)

    @property
    def patient_id(self) -> str:
        return self.records[0].document.patient_id if self.records else ""
