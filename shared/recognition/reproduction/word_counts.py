"""Words between blanks, PHI of whatever class against the rest, as in papers on Stat De-id."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from shared.metrics.counts import MatchCounts
from shared.model import PhiType, Tag
from shared.recognition.recognizer import Suggestion
from shared.recognition.reproduction.phi_classes import NAMED, class_of, kind_of
from shared.recognition.reproduction.placing import PlacedExample
from shared.text.tokens import whitespace_tokens

Found = Sequence[Sequence[Suggestion]]
"""What a recognizer finds in each record."""
Keep = Callable[[PhiType], bool]


@dataclass(frozen=True, slots=True)
class JudgedWord:
    """A word as it is written, its class or None, whether it was found, and whether it is special.

    `text` is in small letters, without what stands around letters and digits.
    """

    text: str
    phi_type: PhiType | None
    is_found: bool = False
    is_special: bool = False


@dataclass(frozen=True, slots=True)
class PhiWordCounts:
    """PHI, and what is none, each against what was taken for it."""

    phi: MatchCounts
    rest: MatchCounts


def is_classed(phi_type: PhiType) -> bool:
    return class_of(phi_type) is not None


def is_named(phi_type: PhiType) -> bool:
    """Whether people, organizations or locations are of the type's class."""
    own = class_of(phi_type)
    return own is not None and kind_of(own) in NAMED


def judged_words(
    records: Iterable[PlacedExample], found: Found, keep: Keep = is_classed
) -> Iterator[JudgedWord]:
    """Yield the words of records; tags and suggestions count whose type is kept."""
    for record, suggestions in zip(records, found, strict=True):
        text = record.example.document.text
        types = _types_at(record.example.tags, keep)
        covered = _types_at(suggestions, keep)
        special = {at for span in record.special for at in range(span.start, span.end)}
        for span in whitespace_tokens(text):
            places = range(span.start, span.end)
            yield JudgedWord(
                _bare(span.text_in(text)),
                next((types[at] for at in places if at in types), None),
                any(at in covered for at in places),
                not special.isdisjoint(places),
            )


def gold_words(records: Sequence[PlacedExample]) -> list[JudgedWord]:
    """Return the words of records with their classes alone."""
    return list(judged_words(records, [()] * len(records)))


def word_counts(words: Iterable[JudgedWord]) -> PhiWordCounts:
    """Count words that are PHI or none, found or not."""
    right = wrong = missed = neither = 0
    for word in words:
        if word.phi_type is not None:
            right, missed = right + word.is_found, missed + (not word.is_found)
        else:
            wrong, neither = wrong + word.is_found, neither + (not word.is_found)
    return PhiWordCounts(MatchCounts(right, wrong, missed), MatchCounts(neither, missed, wrong))


def _types_at(marked: Iterable[Tag | Suggestion], keep: Keep) -> dict[int, PhiType]:
    return {
        at: each.phi_type
        for each in marked
        if keep(each.phi_type)
        for at in range(each.start, each.end)
    }


def _bare(word: str) -> str:
    first = next((at for at, sign in enumerate(word) if sign.isalnum()), 0)
    last = next((at for at in range(len(word), 0, -1) if word[at - 1].isalnum()), len(word))
    return word[first:last].lower()
