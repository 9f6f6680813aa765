"""The character CRF of Liu et al. (2015): it labels characters, bound to no tokenizer."""

from collections.abc import Iterator, Sequence

from shared.recognition.crf.crf import Crf, Cut
from shared.recognition.crf.crfsuite_file import Weights
from shared.recognition.crf.reading import Reading
from shared.recognition.crf.scorer import Scorer
from shared.recognition.features import Sheet
from shared.recognition.features.told import NOTHING, Columns, Facts, Grams, Told
from shared.recognition.features.words import lower, orthography

REACH = 5
"""How many characters to each side are seen."""
LONGEST_SEQUENCE = 1000
_EDGE = "\n"


def character_units(sheet: Sheet) -> Cut:
    """Return every character of the document as a unit, sequences ending with lines."""
    length = len(sheet.text)
    return range(length), range(1, length + 1), list(_sequences(sheet.text))


def told_of_characters(sheet: Sheet) -> Iterator[Told]:
    """Yield, of each character, the n-grams of one to three around it, and its token's."""
    text = _EDGE * (REACH + 1) + sheet.text + _EDGE * (REACH + 3)
    for size in (1, 2, 3):
        pieces = [text[at : at + size] for at in range(len(text))]
        offsets = range(-REACH, REACH + 2 - size)
        yield Grams(pieces, {f"{size}{offset}=": REACH + 1 + offset for offset in offsets})
    yield from _told_of_tokens(sheet)


def character_attributes(sheet: Sheet) -> Columns:
    """Return all attributes of each character."""
    columns: Columns = [[] for _ in sheet.text]
    for told in told_of_characters(sheet):
        told.write(columns)
    return columns


def _told_of_tokens(sheet: Sheet) -> Iterator[Facts]:
    words = ["", *sheet.words, ""]
    about = {word: (*lower(word), *orthography(word)) if word else ("w=",) for word in set(words)}
    own, before, after, places = ([NOTHING] * len(sheet.text) for _ in range(4))
    tokens = sheet.tokens
    for number, (start, end) in enumerate(zip(tokens.starts, tokens.ends, strict=True)):
        count = end - start
        own[start:end] = [about[words[number + 1]]] * count
        before[start:end] = [tuple("<" + each for each in about[words[number]][:2])] * count
        after[start:end] = [tuple(">" + each for each in about[words[number + 2]][:2])] * count
        places[start:end] = [(f"at={min(at, 4)},{min(count - 1 - at, 4)}",) for at in range(count)]
    yield from map(Facts, (own, before, after, places))


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
        self._scorer = Scorer(members)
        self._crfs = [Crf(weights) for weights in members]

    def read(self, sheets: Sequence[Sheet]) -> list[list[Reading]]:
        """Return, for each CRF, the reading of each document."""
        units = [character_units(sheet) for sheet in sheets]
        total, parts = self._scorer.blank([len(sheet.text) for sheet in sheets])
        for sheet, part in zip(sheets, parts, strict=True):
            self._scorer.add(part, list(told_of_characters(sheet)))
        scores = self._scorer.by_member(total)
        return [crf.read(units, each) for crf, each in zip(self._crfs, scores, strict=True)]
