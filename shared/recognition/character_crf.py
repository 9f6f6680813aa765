"""The character CRF of Liu et al. (2015): it labels characters, bound to no tokenizer."""

from collections.abc import Iterator, Sequence

from shared.recognition.crf import Crf, Units
from shared.recognition.crfsuite_file import Weights
from shared.recognition.features import Sheet
from shared.recognition.features.words import lower, orthography
from shared.recognition.reading import Reading
from shared.recognition.scorer import AttributeScorer

REACH = 5
"""How many characters to each side are seen."""
LONGEST_SEQUENCE = 1000
_EDGE = "\n"


def character_units(sheet: Sheet) -> Units:
    """Return every character of the document as a unit, sequences ending with lines."""
    length = len(sheet.text)
    return range(length), range(1, length + 1), list(_sequences(sheet.text))


def character_attributes(sheet: Sheet) -> list[list[str]]:
    """Return, for each character, the n-grams of one to three around it, and its token's."""
    text = sheet.text
    padded = _EDGE * (REACH + 1) + text + _EDGE * (REACH + 3)
    columns: list[list[str]] = [[] for _ in text]
    for size in (1, 2, 3):
        for offset in range(-REACH, REACH + 2 - size):
            start = f"{size}{offset}="
            at = REACH + 1 + offset
            for place, column in enumerate(columns, start=at):
                column.append(start + padded[place : place + size])
    _tell_tokens(sheet, columns)
    return columns


def _tell_tokens(sheet: Sheet, columns: list[list[str]]) -> None:
    words = ["", *sheet.words, ""]
    about = {word: [*lower(word), *orthography(word)] if word else ["w="] for word in set(words)}
    tokens = sheet.tokens
    for number, (start, end) in enumerate(zip(tokens.starts, tokens.ends, strict=True)):
        told = [*about[words[number + 1]]]
        told += ("<" + each for each in about[words[number]][:2])
        told += (">" + each for each in about[words[number + 2]][:2])
        for at in range(start, end):
            columns[at].extend(told)
            columns[at].append(f"at={min(at - start, 4)},{min(end - 1 - at, 4)}")


def _sequences(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for line in text.splitlines(keepends=True):
        end = start + len(line)
        for first in range(start, end, LONGEST_SEQUENCE):
            yield first, min(first + LONGEST_SEQUENCE, end)
        start = end


class CharacterCrfs:
    """Several character CRFs, which share what is read off the page."""

    def __init__(self, members: Sequence[Weights]) -> None:
        self._scorer = AttributeScorer(members)
        self._crfs = [Crf(weights) for weights in members]

    def read(self, sheets: Sequence[Sheet]) -> list[list[Reading]]:
        """Return, for each CRF, the reading of each document."""
        units = [character_units(sheet) for sheet in sheets]
        sums = [self._scorer.sums(character_attributes(sheet)) for sheet in sheets]
        return [
            crf.read(units, [each[number] for each in sums])
            for number, crf in enumerate(self._crfs)
        ]
