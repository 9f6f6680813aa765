"""Notes without tags as hosts: what may name somebody is left out, sentences with PHI come in.

Nobody has marked the PHI of these notes, so a sentence stays only where it can hardly hold any:
where each capitalized word is written in small letters elsewhere in the notes or is a clinical or
everyday word, and no rule finds a date or number.
"""

import re
from collections.abc import Iterable, Sequence
from random import Random

from shared.model import Document
from shared.model.i2b2_2014 import I2B2_2014
from shared.recognition.dictionaries import CLINIC, LOCALES, dictionaries_of
from shared.recognition.local_context.features import CLINICAL_TERMS
from shared.recognition.local_context.words import words_of_text
from shared.recognition.reproduction.phi_classes import class_of
from shared.recognition.reproduction.placing import PhiSlot, Template
from shared.recognition.rules import ShippedRules

Lines = tuple[tuple[str, ...], ...]
"""The lines of a note, each as its sentences."""

_WORD = re.compile(r"[^\W\d_]+")
_END = "."
_NO_NAMES = CLINICAL_TERMS | {"everyday"}
"""Lists of words that name nobody."""
DENSITY = 0.25
"""A sentence with PHI comes after every fourth sentence, about."""


def notes_without_names(notes: Sequence[str]) -> list[Lines]:
    """Return the notes without the sentences that may hold PHI."""
    written = {word for note in notes for word in _WORD.findall(note) if word.islower()}
    known = dictionaries_of((*LOCALES, CLINIC)).words
    common = {word for word, lists in known.items() if not _NO_NAMES.isdisjoint(lists)}
    rules = ShippedRules(I2B2_2014)
    return [_without_names(note, written | common, rules) for note in notes]


def between_sentences(
    note: Lines, sentences: Sequence[Template], chance: Random, density: float = DENSITY
) -> Template:
    """Put sentences with PHI between those of a note; what is no whole sentence gets a line."""
    pieces: list[str | PhiSlot] = []
    for line in note:
        for sentence in line:
            pieces.append(f"{sentence} ")
            if chance.random() < density:
                pieces += _as_inserted(chance.choice(sentences))
        pieces.append("\n")
    return _joined(pieces)


def _as_inserted(sentence: Template) -> Iterable[str | PhiSlot]:
    last = sentence[-1]
    is_whole = isinstance(last, str) and last.endswith(_END)
    return (*sentence, " ") if is_whole else ("\n", *sentence, "\n")


def _without_names(note: str, small: set[str], rules: ShippedRules) -> Lines:
    found = [
        one
        for one in rules.suggest([Document("0-0", "0", note)])[0]
        if class_of(one.phi_type) is not None
    ]
    lines: list[tuple[str, ...]] = []
    start = 0
    for line in note.split("\n"):
        words = words_of_text(line)
        kept: list[str] = []
        for first, last in words.sentences:
            begin, end = words.starts[first], words.ends[last - 1]
            sentence = line[begin:end]
            is_found = any(one.start < start + end and start + begin < one.end for one in found)
            if not is_found and not any(_is_name(word, small) for word in _WORD.findall(sentence)):
                kept.append(sentence)
        lines.append(tuple(kept))
        start += len(line) + 1
    return tuple(lines)


def _is_name(word: str, small: set[str]) -> bool:
    is_capitalized = word[0].isupper() and not word.isupper()
    return is_capitalized and word.lower() not in small


def _joined(pieces: Iterable[str | PhiSlot]) -> Template:
    """Return a template in which no two texts are side by side."""
    found: list[str | PhiSlot] = []
    for piece in pieces:
        if found and isinstance(piece, str) and isinstance(found[-1], str):
            found[-1] += piece
        else:
            found.append(piece)
    return tuple(found)
