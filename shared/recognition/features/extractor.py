"""Documents to attributes, for training as strings and for labelling as scores."""

import re
from functools import lru_cache, partial

from shared.recognition.dictionaries import Dictionaries, dictionaries_of
from shared.recognition.features.lexicon import patterns
from shared.recognition.features.sets import (
    LEXICON_GROUPS,
    PLACE_GROUPS,
    WORD_GROUPS,
    WORD_LIST_GROUPS,
    FeatureSet,
)
from shared.recognition.features.token_attributes import (
    AttributeColumns,
    AttributeSets,
    TokenAttributes,
)
from shared.recognition.features.tokenized_document import TokenizedDocument
from shared.recognition.features.trained_gazetteer import TermCounts, TrainedGazetteer, near
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
        term_counts: TermCounts | None = None,
        dictionaries: Dictionaries | None = None,
    ) -> None:
        """`dictionaries`: those to look words up in, None for what is shipped now."""
        self.features = features
        self._gazetteer = TrainedGazetteer(term_counts or TermCounts())
        self._patterns = shipped_patterns(features.locales) if "patterns" in features.groups else []
        if features.looks_up and dictionaries is None:
            dictionaries = dictionaries_of(features.locales)
        self._dictionaries = dictionaries or Dictionaries()
        self._word_groups = [WORD_GROUPS[name] for name in features.groups if name in WORD_GROUPS]
        self._word_groups += [
            partial(look_up, self._dictionaries)
            for name, look_up in WORD_LIST_GROUPS.items()
            if name in features.groups
        ]
        self._words: dict[str, list[str]] = {}
        self._windows: dict[WindowKey, list[str]] = {}

    def attributes(
        self, tokenized: TokenizedDocument, own: TermCounts | None = None
    ) -> AttributeColumns:
        """Return the attributes of every token. `own`: the counts of its own patient."""
        columns: AttributeColumns = [[] for _ in range(len(tokenized))]
        for token_attributes in self.places(tokenized, own):
            token_attributes.write(columns)
        for offset in range(-self.features.window, self.features.window + 1):
            for column, key in zip(columns, window_keys(tokenized, offset), strict=True):
                column.extend(self._window(key))
        return columns

    def places(
        self, tokenized: TokenizedDocument, own: TermCounts | None = None
    ) -> list[TokenAttributes]:
        """Return the attributes of the tokens but for those of the words in their window."""
        token_attributes: list[TokenAttributes] = [AttributeSets([BIAS] * len(tokenized))]
        groups = self.features.groups
        for name in groups:
            if name in PLACE_GROUPS:
                token_attributes += PLACE_GROUPS[name](tokenized)
        for name in groups:
            if name in LEXICON_GROUPS:
                token_attributes += LEXICON_GROUPS[name](tokenized, self._dictionaries)
        if self._patterns:
            token_attributes += patterns(tokenized, self._patterns)
        if "taught" in groups:
            trained = self._gazetteer.attributes(tokenized, own)
            token_attributes.append(AttributeSets(trained))
            token_attributes += near(trained) if "taught-near" in groups else ()
        return token_attributes

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


def window_keys(tokenized: TokenizedDocument, offset: int) -> list[WindowKey]:
    """Return, for every token, the word that stands `offset` tokens from it."""
    words, lines = tokenized.words, tokenized.tokens.lines
    count = len(words)
    return [
        (words[there], offset, lines[there] == lines[at])
        if 0 <= there < count
        else (OUTSIDE_TEXT, offset, True)
        for at, there in enumerate(range(offset, offset + count))
    ]


@lru_cache(maxsize=200_000)
def is_lexical(attribute: str) -> bool:
    """Whether an attribute is of particular words rather than of their kinds and shapes."""
    if _WINDOW.match(attribute):
        attribute = attribute.partition("|")[2]
    return attribute.startswith(_LEXICAL)
