"""Which disagreements are similar, from the very words to the mere form of the difference.

Who says it never counts: the annotators of another patient are others, and both may err.
"""

import re
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, cached_property

from adjudicator.decisions import SIDES, DecisionChoice
from adjudicator.disagreements import Disagreement, DisagreementKey, TaggedTexts
from shared.language.known_languages import known_languages
from shared.language.languages import languages_together
from shared.metrics.alignment import DifferenceKind, TagMark
from shared.model import MergedView

_WORD = re.compile(r"\w+")
_LETTERS = re.compile(r"[^\W\d_]+")
_DIGITS = re.compile(r"\d+")
_BLANKS = re.compile(r"\s+")
_BEFORE = 40
"""The word before is looked for within so many characters."""


class MatchLevel(StrEnum):
    """How much two disagreements share, from most to least."""

    CONTEXT = "same words, same word before"
    WORDS = "same words"
    CONTEXT_WORD = "same form, same word before"
    FORM = "same form of difference"

    @property
    def is_of_words(self) -> bool:
        """True where the very words are the same."""
        return self in (MatchLevel.CONTEXT, MatchLevel.WORDS)


Statement = tuple[Hashable, ...]
"""What one side says, as far as a level of match looks; equal where it says the same elsewhere."""


@dataclass(frozen=True, slots=True)
class DisagreementPattern:
    """A disagreement as one level of match sees it; `key` is equal for all that match on it."""

    level: MatchLevel
    statements: tuple[Statement, ...]
    key: Hashable


def patterns(
    text: str, about: DisagreementKey, kind: DifferenceKind
) -> Iterator[DisagreementPattern]:
    """Yield the patterns of a disagreement in a record's `text`, the closest level first.

    The words: text and type of each tag. The form, where edges differ: which gaps each side leaves
    between the edges (`Dr. `, a comma, `'s`) and the types; where they do not: the shape of the
    text (`9/9/9`) and the types, with the word before (`MRN`) or without.
    """
    start = about.span.start
    before = _WORD.findall(text[max(0, start - _BEFORE) : start])
    cue = before[-1].lower() if before else None
    words = tuple(_said(side, text, _flat) for side in about.sides)
    if cue:
        yield _pattern(MatchLevel.CONTEXT, kind, words, cue)
    yield _pattern(MatchLevel.WORDS, kind, words)
    if kind in (DifferenceKind.ONE_SIDED, DifferenceKind.TYPE, DifferenceKind.AGREEMENT):
        form = tuple(_said(side, text, shape) for side in about.sides)
        if cue:
            yield _pattern(MatchLevel.CONTEXT_WORD, kind, form, cue)
    else:
        form = tuple(_edges(side, about, text) for side in about.sides)
    yield _pattern(MatchLevel.FORM, kind, form)


def shape(text: str) -> str:
    """Return the shape of a text: `Aa`, `A` or `a` for a word, `9` for digits, else as it is."""
    letters = _LETTERS.sub(_letters, _flat(text))
    return _DIGITS.sub("9", letters)


def _pattern(
    level: MatchLevel,
    kind: DifferenceKind,
    statements: tuple[Statement, ...],
    cue: str | None = None,
) -> DisagreementPattern:
    return DisagreementPattern(level, statements, (level, kind, frozenset(statements), cue))


def _said(side: Iterable[TagMark], text: str, seen_as: Callable[[str], str]) -> Statement:
    return tuple((seen_as(span.text_in(text)), phi_type) for span, phi_type in side)


def _flat(text: str) -> str:
    return _BLANKS.sub(" ", text).strip()


def _letters(found: re.Match[str]) -> str:
    word = found[0]
    if word.islower():
        return "a"
    return "A" if word.isupper() and len(word) > 1 else "Aa"


def _edges(side: Iterable[TagMark], about: DisagreementKey, text: str) -> Statement:
    """The types of a side's tags, and what it leaves out before, between and after them."""
    at, end = about.span.start, about.span.end
    said: list[Hashable] = []
    for span, phi_type in side:
        said += [_gap(text[at : span.start]), phi_type]
        at = span.end
    return (*said, _gap(text[at:end])) if said else ()


def _gap(text: str) -> str:
    """Titles, degrees and punctuation as they are, all other words by their shape."""
    return _DIGITS.sub("9", _LETTERS.sub(_title_or_shape, _BLANKS.sub(" ", text)))


def _title_or_shape(found: re.Match[str]) -> str:
    word = found[0].lower()
    return word if word in _title_words() else _letters(found)


@cache
def _title_words() -> frozenset[str]:
    """What stands before or behind a name, in any language, and the possessive."""
    every = languages_together(known_languages())
    names = every.names
    return every.titles | {*names.degrees, *names.suffixes, *names.saints, "s"}


class SimilarDisagreements:
    """The disagreements of a patient that say the same of the same words, whichever side says it.

    `Lee` tagged DOCTOR by the first and PATIENT by the second is like `Lee` tagged PATIENT by the
    first and DOCTOR by the second: who says it makes no difference to what is right.
    """

    def __init__(self, view: MergedView, disagreements: Iterable[Disagreement]) -> None:
        self._text = view.text
        self._disagreements = disagreements

    def others(self, disagreement: Disagreement) -> list[Disagreement]:
        """All that say the same, without the disagreement itself, in order of deciding."""
        group = self._groups.get(self._shape(disagreement), [])
        return [each for each in group if each is not disagreement]

    def same_choice(
        self, choice: DecisionChoice, made_for: Disagreement, other: Disagreement
    ) -> DecisionChoice:
        """Return the choice that comes to the same for another that says the same."""
        if choice.side is None:
            return choice
        said, others = made_for.tagged_texts(self._text), other.tagged_texts(self._text)
        wanted = said[choice.side]
        return choice if others[choice.side] == wanted else SIDES[others.index(wanted)]

    def same_marks(
        self, marks: Iterable[TagMark], made_for: Disagreement, other: Disagreement
    ) -> tuple[TagMark, ...] | None:
        """Return edited marks moved to another place; None where its characters are others."""
        by = other.key.span.start - made_for.key.span.start
        moved = tuple((span.shifted(by), phi_type) for span, phi_type in marks)
        for (span, _), (there, _) in zip(marks, moved, strict=True):
            here = span.shifted(made_for.shift)
            if here.text_in(self._text) != there.shifted(other.shift).text_in(self._text):
                return None
        return moved

    @cached_property
    def _groups(self) -> dict[frozenset[TaggedTexts], list[Disagreement]]:
        """Made when first asked for, since opening a patient is not the moment to wait."""
        groups: dict[frozenset[TaggedTexts], list[Disagreement]] = {}
        for each in self._disagreements:
            groups.setdefault(self._shape(each), []).append(each)
        return groups

    def _shape(self, disagreement: Disagreement) -> frozenset[TaggedTexts]:
        return frozenset(disagreement.tagged_texts(self._text))
