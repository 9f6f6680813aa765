"""The heuristic and dictionary baseline: lists of names and places, and a few signs around them.

After the scheme that the Stat De-id paper compares with (Uzuner et al. 2008, section 7.1): a
capitalized word that is in a dictionary and no common word is PHI, and so is what stands with a
title. Common words are those that the same document writes in lower case, and those of the kinds
of words of the locale files. The lists are those of the language of the records.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from shared.language.languages import Language
from shared.model import Document, Schema, Span
from shared.model.phi_traits import EntityKind, PersonRole
from shared.recognition.dictionaries import LOCALES, dictionaries_of, with_languages
from shared.recognition.features.tokenized_document import TokenizedDocument
from shared.recognition.recognizer import Suggestion, keep_most_confident
from shared.recognition.rules import ShippedRules
from shared.recognition.tokens import pieces

KINDS: dict[str, tuple[EntityKind, PersonRole | None]] = {
    "first_name": (EntityKind.PERSON, PersonRole.PATIENT),
    "last_name": (EntityKind.PERSON, PersonRole.PATIENT),
    "city": (EntityKind.CITY, None),
    "state": (EntityKind.STATE, None),
    "country": (EntityKind.COUNTRY, None),
    "job": (EntityKind.PROFESSION, None),
}
"""What a dictionary stands for, the first of those that hold a word."""
_TITLED = "titled"
CONFIDENCE = 0.6
_NAMES = ("first_name", "last_name")


class DictionaryRecognizer:
    """Dictionaries with heuristics, and the rules, as a recognizer.

    They are of the locales that were asked for; by default of the language of each document.
    """

    name = "dictionaries"

    def __init__(self, schema: Schema, locales: tuple[str, ...] = LOCALES) -> None:
        self._locales = locales
        self._rules = ShippedRules(schema, locales)
        self._schema = schema

    def suggest(self, documents: Sequence[Document]) -> list[tuple[Suggestion, ...]]:
        by_rules = self._rules.suggest(documents)
        return [
            keep_most_confident([*of_rules, *found])
            for of_rules, found in zip(by_rules, self.look_up(documents), strict=True)
        ]

    def look_up(self, documents: Sequence[Document]) -> Iterator[tuple[Suggestion, ...]]:
        """Yield what the dictionaries alone find in each document."""
        for each, language in with_languages(documents, self._locales):
            yield tuple(_lookup_in(language, self._schema).found(each.text))


@lru_cache(maxsize=8)
def _lookup_in(language: Language, schema: Schema) -> "_DictionaryLookup":
    return _DictionaryLookup(language, schema)


class _DictionaryLookup:
    """The dictionaries of one language."""

    def __init__(self, language: Language, schema: Schema) -> None:
        self._dictionaries = dictionaries_of(language.codes)
        self._titles = frozenset(language.names.clinician_titles)
        kinds = {**KINDS, _TITLED: (EntityKind.PERSON, PersonRole.STAFF)}
        self._types = {name: schema.type_for(*kind) for name, kind in kinds.items()}

    def found(self, text: str) -> Iterator[Suggestion]:
        for offset, piece in pieces(text):
            tokenized = TokenizedDocument(piece)
            common = set(filter(str.islower, set(tokenized.words)))
            for start, end, dictionary in self._runs(tokenized, common):
                phi_type = self._types.get(dictionary)
                if phi_type:
                    begin, stop = tokenized.tokens.starts[start], tokenized.tokens.ends[end - 1]
                    span = Span(offset + begin, offset + stop)
                    yield Suggestion(span, phi_type, CONFIDENCE, DictionaryRecognizer.name)

    def _runs(
        self, tokenized: TokenizedDocument, common: set[str]
    ) -> Iterator[tuple[int, int, str]]:
        """Yield the `[start, end)` tokens of what is in a dictionary, names in a row as one."""
        reached = 0
        for at in [at for at, word in enumerate(tokenized.words) if word[0].isupper()]:
            if at < reached:
                continue
            first, last = tokenized.line_starts[at], tokenized.line_ends[at]
            reached, dictionary = self._entry(tokenized, at, last, common)
            while dictionary in _NAMES and reached < last:
                further, of = self._entry(tokenized, reached, last, common)
                if of not in _NAMES:
                    break
                reached = further
            if dictionary:
                titled = dictionary in _NAMES and at > first and self._after_title(tokenized, at)
                yield at, reached, _TITLED if titled else dictionary

    def _entry(
        self, tokenized: TokenizedDocument, at: int, last: int, common: set[str]
    ) -> tuple[int, str]:
        words, lowers = tokenized.words, tokenized.lowers
        if not words[at][0].isupper() or lowers[at] in common:
            return at + 1, ""
        for end, phrase in self._dictionaries.known.at(lowers, at, last):
            if dictionary := _first_known(self._dictionaries.phrases.get(phrase, ())):
                return end, dictionary
        names = self._dictionaries.words.get(lowers[at], ())
        return at + 1, "" if _is_common(names) else _first_known(names)

    def _after_title(self, tokenized: TokenizedDocument, at: int) -> bool:
        before = [word for word in tokenized.lowers[max(0, at - 2) : at] if word != "."]
        return bool(before) and before[-1] in self._titles


def _first_known(names: Iterable[str]) -> str:
    return next((name for name in KINDS if name in set(names)), "")


def _is_common(names: Iterable[str]) -> bool:
    """Whether the word is of a kind of words too, such as a month or a part of an address."""
    return any(name not in KINDS and name != "state_code" for name in names)
