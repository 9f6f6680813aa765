"""Text that is tagged in one place of a patient's records and not in another."""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from itertools import accumulate

from shared.consistency.findings import Finding, Place
from shared.consistency.flat_text import FlatText, flattened
from shared.consistency.phrases import PhraseFinder
from shared.model import Document, Layer, PhiType, Span, Tag


def check_patient(documents: Iterable[Document], layers: Iterable[Layer]) -> tuple[Finding, ...]:
    """Return every untagged place of a patient's records whose text is tagged elsewhere in them.

    A place is found where it stands as whole words, or glued to its neighbour where it is long;
    blanks match any blanks, line ends included. A place that any tag touches counts as tagged. Of
    untagged places that overlap, the longest is reported. Findings come in the order of the
    documents. Layers of records that are not among the documents are ignored.
    """
    documents = tuple(documents)
    tags = _tags_by_record(layers)
    phrases = _tagged_phrases(documents, tags)
    finder = PhraseFinder(phrases)
    return tuple(
        finding
        for document in documents
        for finding in _check_document(document, tags[document.record_id], finder, phrases)
    )


class _Phrase:
    """Where and as what one text is tagged."""

    def __init__(self) -> None:
        self.places: list[Place] = []
        self.types: Counter[PhiType] = Counter()
        self._tagged_at: tuple[Place, ...] = ()

    def add(self, record_id: str, tag: Tag) -> None:
        self.places.append(Place(record_id, tag.span))
        self.types[tag.phi_type] += 1

    @property
    def phi_type(self) -> PhiType:
        return self.types.most_common(1)[0][0]

    @property
    def tagged_at(self) -> tuple[Place, ...]:
        """One tuple for all findings of the phrase, which may be many."""
        if not self._tagged_at:
            self._tagged_at = tuple(dict.fromkeys(self.places))
        return self._tagged_at


def _tags_by_record(layers: Iterable[Layer]) -> dict[str, list[Tag]]:
    tags: dict[str, list[Tag]] = defaultdict(list)
    for layer in layers:
        tags[layer.record_id].extend(layer.tags)
    return tags


def _tagged_phrases(
    documents: Iterable[Document], tags: Mapping[str, Iterable[Tag]]
) -> dict[str, _Phrase]:
    phrases: dict[str, _Phrase] = defaultdict(_Phrase)
    for document in documents:
        for tag in tags.get(document.record_id, ()):
            text = flattened(tag.span.text_in(document.text)).strip()
            if any(char.isalnum() for char in text):
                phrases[text].add(document.record_id, tag)
    return phrases


def _check_document(
    document: Document, tags: list[Tag], finder: PhraseFinder, phrases: Mapping[str, _Phrase]
) -> list[Finding]:
    covered = _Covered(tag.span for tag in tags)
    flat = FlatText(document.text)
    untagged = [
        (span, phrase)
        for start, end, phrase in finder.find(flat.text)
        if not covered.touches(span := flat.original_span(start, end))
    ]
    return [
        Finding(
            document.patient_id,
            Place(document.record_id, span),
            span.text_in(document.text),
            phrases[phrase].phi_type,
            phrases[phrase].tagged_at,
        )
        for span, phrase in _longest(untagged)
    ]


class _Covered:
    """Which stretches of a text are touched by a tag."""

    def __init__(self, spans: Iterable[Span]) -> None:
        ordered = sorted((span.start, span.end) for span in spans)
        self._starts = [start for start, _ in ordered]
        self._reach = list(accumulate((end for _, end in ordered), max))

    def touches(self, span: Span) -> bool:
        before = bisect_left(self._starts, span.end)
        return before > 0 and self._reach[before - 1] > span.start


def _longest(places: list[tuple[Span, str]]) -> list[tuple[Span, str]]:
    """Of places that overlap keep the longest, of equally long ones the first."""
    kept: dict[Span, str] = {}
    taken: set[int] = set()
    for span, phrase in sorted(places, key=lambda place: (-len(place[0]), place[0])):
        offsets = range(span.start, span.end)
        if taken.isdisjoint(offsets):
            taken.update(offsets)
            kept[span] = phrase
    return sorted(kept.items())
