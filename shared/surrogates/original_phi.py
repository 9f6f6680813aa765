"""What must stand nowhere in a patient's new records: phrases, parts of names, numbers."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from shared.model import PhiType
from shared.surrogates.dates.grammar import parse
from shared.surrogates.mentions import placeholder
from shared.surrogates.people.person_names import PARTICLES
from shared.surrogates.replacement import Replacement
from shared.surrogates.surrogate_kinds import SurrogateKind
from shared.surrogates.wording import folded
from shared.text.scripts import is_han, is_unspaced, length_in_letters, letters_apart

_WORD = re.compile(r"[^\W_]+(?:['’][^\W\d_]{2,})*")
_MIN_DIGITS = 6
_MIN_LETTERS = 3
_HAN_NAME = (3, 4)
"""So many characters have names with a given name of two."""
_WITHOUT_TEXT = frozenset(
    {
        SurrogateKind.KEEP,
        SurrogateKind.AGE,
        SurrogateKind.RELATIVE,
        SurrogateKind.DEPARTMENT,
        SurrogateKind.ROOM,
    }
)
"""Kinds whose texts say nothing by themselves: they are only to be replaced, ages from 90 on."""

_NUMBERS = frozenset(
    {SurrogateKind.NUMBER, SurrogateKind.SSN, SurrogateKind.PHONE, SurrogateKind.ZIP}
)
_NAMES = frozenset({SurrogateKind.PERSON})
_GENERIC = (
    frozenset("dr mr mrs ms miss prof sr sra jr md rn np phd don the and".split()) | PARTICLES
)


@dataclass(slots=True)
class OriginalPhi:
    """What must stand nowhere: phrases by first word, parts of names, numbers, with their types."""

    phrases: dict[str, list[tuple[tuple[str, ...], PhiType]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    parts: dict[str, PhiType] = field(default_factory=dict[str, PhiType])
    digits: dict[str, PhiType] = field(default_factory=dict[str, PhiType])


@dataclass(frozen=True, slots=True)
class Token:
    """A word of a record; `key` is it in small letters without accents."""

    key: str
    text: str
    start: int
    end: int


def original_phi_of(replacements: Iterable[Replacement]) -> OriginalPhi:
    authentic = OriginalPhi()
    for each in replacements:
        if each.original == placeholder(each.tag.phi_type):
            continue
        if each.kind in _WITHOUT_TEXT or (
            each.kind is SurrogateKind.DATE and not _is_full(each.original)
        ):
            continue
        words = tuple(token.key for token in tokens_of(each.original))
        if _letters(words) > _MIN_LETTERS and not _is_short_code(each, words):
            authentic.phrases[words[0]].append((words, each.tag.phi_type))
        if each.kind in _NUMBERS:
            digits = "".join(char for char in each.original if char.isdigit())
            if len(digits) >= _MIN_DIGITS:
                authentic.digits[digits] = each.tag.phi_type
        if each.kind in _NAMES:
            _add_name(authentic, each, words)
    return authentic


def _add_name(authentic: OriginalPhi, name: Replacement, words: tuple[str, ...]) -> None:
    parts = (word for word in words if _tells(word))
    authentic.parts.update(dict.fromkeys(parts, name.tag.phi_type))
    for part in _unspaced_parts(name.original):
        authentic.phrases[part[0]].append((part, name.tag.phi_type))


def _letters(words: Iterable[str]) -> int:
    return length_in_letters("".join(words))


def _unspaced_parts(name: str) -> Iterator[tuple[str, ...]]:
    """The parts of a name in a script without blanks: between blanks, and the given name alone."""
    for piece in name.split():
        letters = tuple(token.key for token in tokens_of(piece) if is_unspaced(token.key))
        if _letters(letters) > _MIN_LETTERS:
            yield letters
        if len(letters) in _HAN_NAME and all(map(is_han, letters)):
            yield letters[-2:]


def _tells(word: str) -> bool:
    """True unless a word of a name is a title, a particle, or too short to tell anything."""
    return len(word) >= _MIN_LETTERS and word.isalpha() and word not in _GENERIC


def _is_short_code(replacement: Replacement, words: tuple[str, ...]) -> bool:
    """True for `4563`: other numbers of the record may be the same by chance."""
    return replacement.kind in _NUMBERS and sum(map(len, words)) < _MIN_DIGITS


def _is_full(text: str) -> bool:
    expressions = parse(text).expressions
    return any(
        "year" in each.roles and ("day" in each.roles or "second" in each.roles)
        for each in expressions
    )


def tokens_of(text: str) -> list[Token]:
    """The words of a text in order; in scripts without blanks between words, every letter."""
    return [
        Token(folded(text[start:end]), text[start:end], start, end)
        for found in _WORD.finditer(text)
        for start, end in letters_apart(text, *found.span())
    ]
