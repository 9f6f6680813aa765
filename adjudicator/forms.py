"""What makes two disagreements alike, from the very words to the mere form of the difference.

Who says it never counts: the annotators of another patient are others, and both may err.
"""

import re
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from adjudicator.disagreements import DisagreementKey
from shared.metrics.alignment import DifferenceKind, TagMark

_WORD = re.compile(r"\w+")
_LETTERS = re.compile(r"[^\W\d_]+")
_DIGITS = re.compile(r"\d+")
_BLANKS = re.compile(r"\s+")
_TITLES = frozenset(
    "dr drs mr mrs ms miss prof doctor sir md do phd rn np pa jr sr ii iii s st".split()
)
_BEFORE = 40
"""The word before is looked for within so many characters."""


class Likeness(StrEnum):
    """How much two disagreements share, from most to least."""

    CONTEXT = "same words, same word before"
    WORDS = "same words"
    CUE = "same form, same word before"
    FORM = "same form of difference"

    @property
    def is_of_words(self) -> bool:
        """True where the very words are the same."""
        return self in (Likeness.CONTEXT, Likeness.WORDS)


Statement = tuple[Hashable, ...]
"""What one side says, as far as a likeness looks; equal where it says the same elsewhere."""


@dataclass(frozen=True, slots=True)
class Form:
    """A disagreement as far as a likeness looks; `key` is equal for all that are so alike."""

    likeness: Likeness
    statements: tuple[Statement, ...]
    key: Hashable


def forms(text: str, about: DisagreementKey, kind: DifferenceKind) -> Iterator[Form]:
    """Yield what a disagreement in a record's `text` is like, the closest likeness first.

    The words: text and type of each tag. The form, where edges differ: which gaps each side leaves
    between the edges (`Dr. `, a comma, `'s`) and the types; where they do not: the shape of the
    text (`9/9/9`) and the types, with the word before (`MRN`) or without.
    """
    span = about.span
    words = tuple(_said(side, text, _flat) for side in about.sides)
    before = _WORD.findall(text[max(0, span.start - _BEFORE) : span.start])
    cue = before[-1].lower() if before else None
    if cue:
        yield _form(Likeness.CONTEXT, kind, words, cue)
    yield _form(Likeness.WORDS, kind, words)
    if kind in (DifferenceKind.ONE_SIDED, DifferenceKind.TYPE, DifferenceKind.AGREEMENT):
        shapes = tuple(_said(side, text, shape) for side in about.sides)
        if cue:
            yield _form(Likeness.CUE, kind, shapes, cue)
        yield _form(Likeness.FORM, kind, shapes)
    else:
        yield _form(Likeness.FORM, kind, tuple(_edges(side, about, text) for side in about.sides))


def shape(text: str) -> str:
    """Return the shape of a text: `Aa`, `A` or `a` for a word, `9` for digits, else as it is."""
    letters = _LETTERS.sub(_letters, _flat(text))
    return _DIGITS.sub("9", letters)


def _form(
    likeness: Likeness,
    kind: DifferenceKind,
    statements: tuple[Statement, ...],
    cue: str | None = None,
) -> Form:
    return Form(likeness, statements, (likeness, kind, frozenset(statements), cue))


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
    return word if word in _TITLES else _letters(found)
