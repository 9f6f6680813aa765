"""Untagged words that are almost a tagged name: slips of the typist.

Names of people and places are compared, never numbers; common words and whatever the records also
write in small letters are left alone. Distances are of optimal string alignment (a swap of two
neighbours counts as one), computed many at a time by rapidfuzz.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from enum import Enum
from functools import cache, lru_cache
from typing import cast

from rapidfuzz.distance import OSA, Indel
from rapidfuzz.process import cdist

from shared.consistency.candidates import UntaggedCandidate
from shared.consistency.context_cues import is_titled
from shared.consistency.findings import FindingKind
from shared.consistency.patient_records import CheckedRecord, TaggedText
from shared.language.ambiguity import is_common_word, is_eponym, words_beside_names
from shared.language.languages import Language
from shared.model import EntityKind, Span
from shared.model.phi_traits import PLACES
from shared.text.spelling import lowered_in_place, match_key

_WORD = re.compile(r"[A-ZÀ-ÖØ-ÞĀ-Ž](?<![^\W_].)[^\W\d_]{3,}(?![^\W_])")
_NAME_WORD = re.compile(r"[^\W\d_]{4,}")
_SMALL_WORD = re.compile(r"[a-zß-öø-ÿ](?<![^\W_].)[a-zß-öø-ÿ]{3,}(?![^\W_])")
_COMPARED = frozenset(
    {EntityKind.PERSON, *PLACES} - {EntityKind.ROOM, EntityKind.POSTAL_CODE, EntityKind.DEPARTMENT}
)
_TITLE_REACH = 15
_LONG = 9
_MIDDLE = 7
_SHORT = 6
_ALIKE = 0.85
_NOUN = 0.3
"""So much less sure it is where nouns have capitals as names have."""
_GAP = r"(?:\s+|,\s*|\s+[^\W\d_]\.?\s+)"


def small_words(texts: Iterable[str]) -> frozenset[str]:
    """Return the words of four letters and more that stand in small letters in the texts."""
    pieces: set[str] = set()
    for text in texts:
        pieces.update(text.split())
    return frozenset(_SMALL_WORD.findall(" ".join(pieces)))


def max_typos(word: str, name: str) -> int:
    """Return how many typos a word may have to be taken for a name: two in a long one, else one.

    Two in a name of middle length as well where almost all letters are there in order.
    """
    length = min(len(word), len(name))
    if length < _MIDDLE or word[0] != name[0]:
        return 1
    return 2 if length >= _LONG or Indel.normalized_similarity(word, name) >= _ALIKE else 1


class _WordStatus(Enum):
    TAGGED = "a word of a tagged name"
    COMMON = "a name right after a title only"
    OPEN = "perhaps a typo"


class MisspellingFinder:
    """Looks for words that are almost a word of a tagged name.

    `common` are words in small letters that are no names: those that some record writes small.
    """

    def __init__(
        self, texts: Iterable[TaggedText], common: frozenset[str], language: Language
    ) -> None:
        self._common = common
        self._language = language
        titles = language.cue("name_follows")
        self._title_before = re.compile(rf"\b{titles}[ .]*$", re.IGNORECASE)
        self._generic = _generic_words(language)
        self._by_word: dict[str, list[TaggedText]] = defaultdict(list)
        self._written: set[str] = set()
        self._known: dict[str, tuple[str, _WordStatus]] = {}
        """What is known of each word as it is written: a record repeats most of its words."""
        for each in texts:
            if each.traits.kind in _COMPARED:
                self._written.update(map(lowered_in_place, _NAME_WORD.findall(each.text)))
                skipped = self._generic if each.traits.kind.is_place else frozenset[str]()
                for word in set(_name_words(each)) - skipped:
                    self._by_word[word].append(each)
        self._names = list(self._by_word)

    def candidates(
        self, records: Iterable[CheckedRecord]
    ) -> Iterator[tuple[CheckedRecord, UntaggedCandidate]]:
        """Yield the records with the places in them that no tag touches."""
        places: dict[str, list[tuple[CheckedRecord, Span]]] = defaultdict(list)
        for record in records:
            for word, span in self._untagged_words(record):
                places[word].append((record, span))
        for word, name, typos in _nearest_names(list(places), self._names):
            for record, span in places[word]:
                yield record, self._candidate(record, span, word, name, typos)

    def _untagged_words(self, record: CheckedRecord) -> Iterator[tuple[str, Span]]:
        for found in _WORD.finditer(record.text):
            written = found[0]
            known = self._known.get(written)
            if known is None:
                word = match_key(written)
                known = self._known[written] = word, self._status(word, written)
            word, status = known
            if status is _WordStatus.TAGGED:
                continue
            start, end = found.span()
            if status is _WordStatus.COMMON and not self._follows_title(record.text, start):
                continue
            if not record.is_tagged(start, end):
                yield word, Span(start, end)

    def _status(self, word: str, written: str) -> "_WordStatus":
        if lowered_in_place(written) in self._written:
            return _WordStatus.TAGGED
        common = (
            word in self._common
            or written.lower() in self._common
            or word in words_beside_names(self._language)
            or _is_ordinary(word, self._language)
        )
        return _WordStatus.COMMON if common else _WordStatus.OPEN

    def _follows_title(self, text: str, start: int) -> bool:
        """True right behind a title, where a common word is a name."""
        before = text[max(0, start - _TITLE_REACH) : start]
        return self._title_before.search(before) is not None

    def _candidate(
        self, record: CheckedRecord, span: Span, word: str, name: str, typos: int
    ) -> UntaggedCandidate:
        sources = self._by_word[name]
        whole, source = max(
            ((_full_place(record, span, name, each), each) for each in sources),
            key=lambda found: (len(found[0]), len(found[1].tags)),
        )
        certainty = _certainty(word, name, typos)
        if self._language.nouns_capitalised:
            certainty -= _NOUN
        if whole != span or is_titled(record.text, span, record.language):
            certainty = max(certainty, 0.85)
        why = f"this is almost a name that is tagged as {source.phi_type.name} {source.often}"
        return UntaggedCandidate(
            whole, FindingKind.NEAR_SPELLING, source.phi_type, certainty, why, source
        )


@lru_cache(maxsize=10_000)
def _is_ordinary(word: str, language: Language) -> bool:
    return is_common_word(word, language) or is_eponym(word, language)


@cache
def _generic_words(language: Language) -> frozenset[str]:
    """Words of many streets and institutions, in small letters without accents."""
    places = language.places
    words = (*places.generic_words, *places.hospital_words, *places.organization_words)
    return frozenset(match_key(word.partition("'")[0]) for word in words)


def _name_words(tagged: TaggedText) -> Iterator[str]:
    for word in map(match_key, _NAME_WORD.findall(tagged.text)):
        if not (tagged.traits.kind.is_place and len(word) < 5):
            yield word


def _nearest_names(words: list[str], names: list[str]) -> Iterator[tuple[str, str, int]]:
    """Yield each word that is near a name, with the nearest one and the number of typos."""
    if not words or not names:
        return
    table = cdist(words, names, scorer=OSA.distance, score_cutoff=2)
    rows, columns = cast("tuple[list[int], list[int]]", (table <= 2).nonzero())
    for row, column in zip(rows, columns, strict=True):
        word, name, typos = words[row], names[column], int(table[row, column])
        if typos <= max_typos(word, name) and typos == table[row].min():
            yield word, name, typos


def _certainty(word: str, name: str, typos: int) -> float:
    sure = 0.4 if len(name) < 5 else 0.6 if len(name) < _SHORT else 0.75
    if word[0] != name[0]:
        sure -= 0.3
    if word + "s" == name or name + "s" == word:
        sure -= 0.2
    return 0.9 if typos == 0 else sure if typos == 1 else sure - 0.1


def _full_place(record: CheckedRecord, span: Span, name: str, source: TaggedText) -> Span:
    """The place with the words of the tagged name around it, where they stand as they should."""
    words = list(re.finditer(r"[^\s,]+", source.text))
    at = next(number for number, found in enumerate(words) if name in match_key(found[0]))
    start, end = span.start, span.end
    if at and (before := _joined(words[:at]) + _GAP + "$"):
        found = re.search(r"(?<!\w)" + before, record.text[max(0, start - 60) : start], re.I)
        if found:
            start -= len(found[0])
    if words[at + 1 :]:
        after = re.compile(_GAP + _joined(words[at + 1 :]) + r"(?!\w)", re.I)
        if found := after.match(record.text, end):
            end = found.end()
    return Span(start, end) if not record.is_tagged(start, end) else span


def _joined(words: list[re.Match[str]]) -> str:
    return _GAP.join(re.escape(found[0]) for found in words)
