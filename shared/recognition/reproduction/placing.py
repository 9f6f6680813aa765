"""Records as templates with PHI taken out, and filled again with other PHI that is known.

What Uzuner and others (2008) did with discharge summaries in which PHI had been removed: each place
keeps its class and the form in which it was written. Lines that a program broke are joined first,
since other words need other room.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from string import ascii_uppercase

from shared.model import Document, PhiType, Span, Tag
from shared.model.i2b2_2014 import I2B2_2014
from shared.model.phi_traits import EntityKind
from shared.recognition.dictionaries import LOCALES, dictionaries_of
from shared.recognition.local_context.words import words_of_text
from shared.recognition.recognizer import Example
from shared.recognition.reproduction.other_words import WordSource, WordWanted
from shared.recognition.reproduction.phi_classes import class_of, kind_of
from shared.recognition.tokens import tokenized

_WORD = re.compile(r"[^\W\d_]+")
_RENAMED = frozenset({EntityKind.PERSON, EntityKind.HOSPITAL, EntityKind.CITY, EntityKind.STREET})
"""Kinds that get other words; states, codes, dates and numbers stay as they are written."""
_COMMON = frozenset({"hospital", "institution", "facility", "street"})
"""Lists of words that belong to names of places without telling which, as a hospital's last."""
_LONGEST_ACRONYM = 5
_LONGEST_SENTENCE = 300


@dataclass(frozen=True, slots=True)
class PhiSlot:
    """PHI that was taken out: how it was written, what it is, and the type of its class."""

    text: str
    kind: EntityKind
    phi_type: PhiType


Template = tuple[str | PhiSlot, ...]


@dataclass(frozen=True, slots=True)
class PlacedExample:
    """A record with its PHI, and where the words stand that its corpus is about."""

    example: Example
    special: tuple[Span, ...]


def unwrapped(text: str) -> str:
    """Return the text with blanks where a program broke its lines; offsets stay."""
    tokens = tokenized(text)
    characters = list(text)
    for first, last in tokens.sequences:
        if first < last:
            start, end = tokens.starts[first], tokens.ends[last - 1]
            characters[start:end] = text[start:end].replace("\n", " ")
    return "".join(characters)


def template_of(example: Example) -> Template:
    """Return a record as a template."""
    return _between(
        unwrapped(example.document.text), _classed(example), 0, len(example.document.text)
    )


def sentences_with_phi(examples: Sequence[Example]) -> list[Template]:
    """Return the sentences of records that hold PHI of some class, each once."""
    found: dict[Template, None] = {}
    for example in examples:
        text, tags = unwrapped(example.document.text), _classed(example)
        words = words_of_text(text)
        ends = [tag.end for tag in tags]
        for first, last in words.sentences:
            start, end = words.starts[first], words.ends[last - 1]
            own = [tag for tag in tags[bisect_right(ends, start) :] if tag.start < end]
            whole = all(start <= tag.start and tag.end <= end for tag in own)
            if own and whole and end - start <= _LONGEST_SENTENCE:
                found[_between(text, own, start, end)] = None
    return list(found)


def plain_text(template: Template) -> str:
    """Return what is no PHI, with blanks where it was."""
    return " ".join(piece for piece in template if isinstance(piece, str))


def filled(template: Template, number: int, source: WordSource, chance: Random) -> PlacedExample:
    """Fill a template; the record, of a patient of its own, is named after its number."""
    parts: list[str] = []
    tags: list[Tag] = []
    special: list[Span] = []
    at = 0
    for piece in template:
        start = at
        written = [(piece, False)] if isinstance(piece, str) else _rewritten(piece, source, chance)
        for part, is_special in written:
            if is_special:
                special.append(Span(at, at + len(part)))
            parts.append(part)
            at += len(part)
        if isinstance(piece, PhiSlot):
            tags.append(Tag(Span(start, at), piece.phi_type))
    document = Document(f"{number:05}-1", f"{number:05}", "".join(parts))
    return PlacedExample(Example(document, tuple(tags)), tuple(special))


def _classed(example: Example) -> list[Tag]:
    return sorted(
        (tag for tag in example.tags if class_of(tag.phi_type)), key=lambda tag: tag.start
    )


def _between(text: str, tags: Sequence[Tag], start: int, end: int) -> Template:
    pieces: list[str | PhiSlot] = []
    for tag in tags:
        phi_type = class_of(tag.phi_type)
        if phi_type is not None:
            slot = PhiSlot(text[tag.start : tag.end], kind_of(tag.phi_type), phi_type)
            pieces += [text[start : tag.start], slot]
            start = tag.end
    return tuple(piece for piece in (*pieces, text[start:end]) if piece)


def _rewritten(slot: PhiSlot, source: WordSource, chance: Random) -> Iterator[tuple[str, bool]]:
    """Yield the text of a slot with other words in the same form, and which of them are special.

    Initials become other letters; words that a hospital or street shares with others stay, as do
    those in small letters. A city is one word, however many it had.
    """
    traits = I2B2_2014.traits_of(slot.phi_type)
    if slot.kind not in _RENAMED:
        yield slot.text, False
        return
    if slot.kind is EntityKind.CITY:
        drawn = source.draw(WordWanted(traits.kind), chance)
        yield _in_case_of(slot.text, drawn.text), drawn.is_special
        return
    words = list(_WORD.finditer(slot.text))
    is_reversed = slot.text[words[0].end() :].startswith(",") if words else False
    reached = 0
    for number, word in enumerate(words):
        yield slot.text[reached : word.start()], False
        reached = word.end()
        if _stays(word[0], slot):
            yield word[0], False
        elif len(word[0]) == 1 or _is_acronym(word[0], slot):
            yield "".join(chance.choices(ascii_uppercase, k=len(word[0]))), False
        else:
            is_given = (number > 0) if is_reversed else number == 0 and len(words) > 1
            is_given = is_given and slot.kind is EntityKind.PERSON
            drawn = source.draw(WordWanted(traits.kind, traits.role, is_given), chance)
            yield _in_case_of(word[0], drawn.text), drawn.is_special
    yield slot.text[reached:], False


def _stays(word: str, slot: PhiSlot) -> bool:
    return not word[0].isupper() or (
        slot.kind is not EntityKind.PERSON and word.lower() in _common_words()
    )


def _is_acronym(word: str, slot: PhiSlot) -> bool:
    is_short = len(word) <= _LONGEST_ACRONYM and word.isupper()
    return is_short and word == slot.text and slot.kind is not EntityKind.STREET


def _in_case_of(written: str, word: str) -> str:
    return word.upper() if written.isupper() else word


@cache
def _common_words() -> frozenset[str]:
    known = dictionaries_of(LOCALES).words
    return frozenset(word for word, lists in known.items() if not _COMMON.isdisjoint(lists))
