"""A gazetteer of the training data: which words and phrases were PHI, and of which type.

In training a record's own patient is left out of the count, or the CRF would learn to trust a
gazetteer that on new patients knows less.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from shared.model import Tag
from shared.recognition.dictionaries import PhraseTable
from shared.recognition.features.token_attributes import NOTHING, Attributes, AttributeSets
from shared.recognition.features.tokenized_document import TokenizedDocument
from shared.recognition.labels import label_runs

LONGEST_PHRASE = 10

Counts = dict[str, dict[str, int]]


@dataclass(slots=True)
class TermCounts:
    """In how many records each word and phrase was tagged as what, and each word seen at all."""

    words: Counts = field(default_factory=dict[str, dict[str, int]])
    phrases: Counts = field(default_factory=dict[str, dict[str, int]])
    seen: dict[str, int] = field(default_factory=dict[str, int])

    def add(self, other: "TermCounts", times: int = 1) -> None:
        """Count what `other` counted, `times` over; -1 takes it away again."""
        _add_counts(self.words, other.words, times)
        _add_counts(self.phrases, other.phrases, times)
        for word, count in other.seen.items():
            self.seen[word] = self.seen.get(word, 0) + times * count


def count_terms(tokenized: TokenizedDocument, tags: Iterable[Tag]) -> TermCounts:
    """Count the terms of one record; everything counts once per record."""
    term_counts = TermCounts(seen=dict.fromkeys(tokenized.lowers, 1))
    for run in label_runs(tags, tokenized.tokens.starts, tokenized.tokens.ends):
        words = tokenized.lowers[run.first : run.last + 1]
        term_counts.phrases.setdefault(" ".join(words), {})[run.phi_type] = 1
        for word in words:
            if _is_counted(word):
                term_counts.words.setdefault(word, {})[run.phi_type] = 1
    return term_counts


def total_counts(several: Iterable[TermCounts]) -> TermCounts:
    total = TermCounts()
    for term_counts in several:
        total.add(term_counts)
    return total


class TrainedGazetteer:
    """Counts of terms made ready for looking up."""

    def __init__(self, term_counts: TermCounts) -> None:
        self._counts = term_counts
        self._phrases = PhraseTable(term_counts.phrases)

    def attributes(
        self, tokenized: TokenizedDocument, own: TermCounts | None = None
    ) -> list[Attributes]:
        """Types under which each token, and the phrase that it belongs to, were tagged elsewhere.

        `own` is the counts of the document's own patient, which are left out.
        """
        own = own or TermCounts()
        token_attributes = [self._of_word(word, own) for word in tokenized.lowers]
        self._add_phrases(tokenized, token_attributes, own)
        return token_attributes

    def _of_word(self, word: str, own: TermCounts) -> Attributes:
        counts = self._counts.words.get(word)
        if counts and (left := _left(counts, own.words.get(word, {}))):
            seen = self._counts.seen.get(word, 0) - own.seen.get(word, 0)
            return _word_attributes(left, seen)
        return NOTHING

    def _add_phrases(
        self, tokenized: TokenizedDocument, token_attributes: list[Attributes], own: TermCounts
    ) -> None:
        words, line_ends = tokenized.lowers, tokenized.line_ends
        free = 0
        for at in self._phrases.begun(words):
            if at >= free:
                free, types = self._longest(words, at, line_ends[at], own)
                if types:
                    first, inner = _phrase_attributes(types, min(free - at, 4))
                    token_attributes[at] += first
                    for inside in range(at + 1, free):
                        token_attributes[inside] += inner

    def _longest(
        self, words: list[str], at: int, last: int, own: TermCounts
    ) -> tuple[int, Attributes]:
        for end, phrase in self._phrases.at(words, at, min(last, at + LONGEST_PHRASE)):
            counts = self._counts.phrases.get(phrase)
            if counts and (left := _left(counts, own.phrases.get(phrase, {}))):
                return end, tuple(left)
        return at + 1, NOTHING


def near(token_attributes: Sequence[Attributes]) -> Iterator[AttributeSets]:
    """Yield, for each token, the attributes of its neighbours to the left and right."""
    left, right = ([_signed(sign, each) for each in token_attributes] for sign in "-+")
    yield AttributeSets([NOTHING, *left][: len(token_attributes)])
    yield AttributeSets([*right, NOTHING][1:])


@lru_cache(maxsize=20_000)
def _signed(sign: str, token_attributes: Attributes) -> Attributes:
    return tuple(sign + name for name in token_attributes if name.startswith(("G=", "GB=", "GI=")))


def _add_counts(counts: Counts, added: Counts, times: int) -> None:
    for text, types in added.items():
        entry = counts.setdefault(text, {})
        for phi_type, count in types.items():
            entry[phi_type] = entry.get(phi_type, 0) + times * count


def _is_counted(word: str) -> bool:
    return (word[0].isalpha() and len(word) > 1) or (word.isdecimal() and len(word) == 5)


def _left(counts: Mapping[str, int], own: Mapping[str, int]) -> dict[str, int]:
    return {
        phi_type: count - own.get(phi_type, 0)
        for phi_type, count in counts.items()
        if count > own.get(phi_type, 0)
    }


@lru_cache(maxsize=2000)
def _phrase_attributes(types: tuple[str, ...], length: int) -> tuple[Attributes, Attributes]:
    """The attributes of the first token of a phrase, and of the others."""
    first, inner = (
        (*(place + phi_type for phi_type in types), f"GL={length}") for place in ("GB=", "GI=")
    )
    return first, inner


def _word_attributes(counts: Mapping[str, int], seen: int) -> Attributes:
    tagged = sum(counts.values())
    share = min(4, 5 * tagged // max(seen, tagged))
    often = (f"G2={phi_type}" for phi_type, count in counts.items() if count > 2)
    return (*(f"G={phi_type}" for phi_type in counts), *often, f"GR={share}")
