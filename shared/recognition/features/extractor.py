"""Documents to attributes, for training as strings and for labelling as scores."""

import re
from functools import lru_cache, partial

from shared.recognition.dictionaries import Dictionaries, dictionaries_of
from shared.recognition.features.lexicon import dictionary_names
from shared.recognition.features.matched import patterns
from shared.recognition.features.sets import LEXICON_GROUPS, PLACE_GROUPS, WORD_GROUPS, FeatureSet
from shared.recognition.features.sheet import Sheet
from shared.recognition.features.taught import Lesson, Teaching, near
from shared.recognition.features.told import Columns, Facts, Told
from shared.recognition.rules import shipped_patterns

LARGEST_CACHE = 200_000
_WINDOW = re.compile(r"-?\d+x?\|")
_AFFIXES = tuple(f"{kind}{length}=" for kind in "ps" for length in range(1, 6))
_NGRAMS = tuple(f"n{number}=" for number in range(1, 9))
_LEXICAL = ("w=", "cs=", "K=", "FK=", "PK=", "DK=", "DP=", "S=", "G", *_AFFIXES, *_NGRAMS)
BIAS = ("b",)
OUTSIDE_TEXT = ""
"""Stands for the word before the first and after the last."""

WindowKey = tuple[str, int, bool]
"""A word, how far from the token it stands, and whether on the token's line."""


class Extractor:
    """Attributes by the groups of a feature set.

    Word attributes are made once for each distinct word, offset and side of a line end.
    """

    def __init__(
        self,
        features: FeatureSet,
        lesson: Lesson | None = None,
        dictionaries: Dictionaries | None = None,
    ) -> None:
        """`dictionaries`: those to look words up in, None for what is shipped now."""
        self.features = features
        self._teaching = Teaching(lesson or Lesson())
        self._word_groups = [WORD_GROUPS[name] for name in features.groups if name in WORD_GROUPS]
        self._place_groups = [
            PLACE_GROUPS[name] for name in features.groups if name in PLACE_GROUPS
        ]
        self._patterns = shipped_patterns(features.locales) if "patterns" in features.groups else []
        self._dictionaries = dictionaries or Dictionaries()
        self._lexicon_groups = [
            LEXICON_GROUPS[name] for name in features.groups if name in LEXICON_GROUPS
        ]
        if features.looks_up and dictionaries is None:
            self._dictionaries = dictionaries_of(features.locales)
        if "lexicon" in features.groups:
            self._word_groups.append(partial(dictionary_names, self._dictionaries))
        self._words: dict[str, list[str]] = {}
        self._windows: dict[WindowKey, list[str]] = {}

    def attributes(self, sheet: Sheet, own: Lesson | None = None) -> Columns:
        """Return the attributes of every token. `own`: what its own patient taught."""
        columns: Columns = [[] for _ in range(len(sheet))]
        for told in self.places(sheet, own):
            told.write(columns)
        for offset in range(-self.features.window, self.features.window + 1):
            for column, key in zip(columns, window_keys(sheet, offset), strict=True):
                column.extend(self._window(key))
        return columns

    def places(self, sheet: Sheet, own: Lesson | None = None) -> list[Told]:
        """Return what is told of the tokens but for the words in their window."""
        told: list[Told] = [Facts([BIAS] * len(sheet))]
        for group in self._place_groups:
            told += group(sheet)
        for group in self._lexicon_groups:
            told += group(sheet, self._dictionaries)
        if self._patterns:
            told += patterns(sheet, self._patterns)
        if "taught" in self.features.groups:
            taught = self._teaching.attributes(sheet, own)
            told.append(Facts(taught))
            told += near(taught) if "taught-near" in self.features.groups else ()
        return told

    def word_attributes(self, word: str) -> list[str]:
        """Return what is read of a word wherever it stands; `prefix` says where."""
        if word == OUTSIDE_TEXT:
            return ["#"]
        made: list[str] = []
        for group in self._word_groups:
            made += group(word)
        return list(dict.fromkeys(made))  # groups may share some

    def _window(self, key: WindowKey) -> list[str]:
        found = self._windows.get(key)
        if found is None:
            if len(self._windows) >= LARGEST_CACHE:
                self._windows.clear()
                self._words.clear()
            word, offset, same_line = key
            if word not in self._words:
                self._words[word] = self.word_attributes(word)
            start = prefix(offset, same_line=same_line)
            found = self._windows[key] = [start + each for each in self._words[word]]
        return found


def prefix(offset: int, *, same_line: bool) -> str:
    """Return what the attributes of a word begin with that stands `offset` tokens away."""
    return f"{offset}|" if same_line else f"{offset}x|"


def window_keys(sheet: Sheet, offset: int) -> list[WindowKey]:
    """Return, for every token, the word that stands `offset` tokens from it."""
    edge: WindowKey = (OUTSIDE_TEXT, offset, True)
    words, lines = sheet.words, sheet.tokens.lines
    if offset == 0:
        return [(word, 0, True) for word in words]
    if offset > 0:
        near = zip(words[offset:], lines[offset:], lines, strict=False)
        keys = [(word, offset, line == own) for word, line, own in near]
        return (
            (keys + [edge] * offset)[: len(words)] if len(words) > offset else [edge] * len(words)
        )
    near = zip(words, lines, lines[-offset:], strict=False)
    keys = [(word, offset, line == own) for word, line, own in near]
    return ([edge] * -offset + keys)[: len(words)]


@lru_cache(maxsize=200_000)
def is_lexical(attribute: str) -> bool:
    """Whether an attribute is of particular words rather than of their kinds and shapes."""
    if _WINDOW.match(attribute):
        attribute = attribute.partition("|")[2]
    return attribute.startswith(_LEXICAL)
