"""Lists of names, places and professions, from the library Faker and from locale files."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from hashlib import sha256
from importlib import import_module
from itertools import chain
from typing import cast

from shared.language.detection import AUTO, records_language
from shared.language.folders import files_below
from shared.language.languages import (
    DEFAULT_LANGUAGES,
    SHIPPED,
    Language,
    default_language,
    language,
    languages_together,
)
from shared.language.sections import Words
from shared.model import Document
from shared.recognition.tokens import words_of

_NONE = ""


class PhraseTable:
    """Phrases, words with a blank between, which are looked for by their first two words."""

    def __init__(self, phrases: Iterable[str] = ()) -> None:
        lengths: dict[str, dict[str, set[int]]] = {}
        for phrase in phrases:
            first, second, *_ = *phrase.split(" ", 2), _NONE
            length = phrase.count(" ") + 1
            lengths.setdefault(first, {}).setdefault(second, set()).add(length)
        self._lengths = {
            first: {second: sorted(known, reverse=True) for second, known in seconds.items()}
            for first, seconds in lengths.items()
        }

    def begun(self, words: Sequence[str]) -> list[int]:
        """Return the numbers of the words that any phrase begins with, as do those after them."""
        seconds = map(self._lengths.get, words)
        following = enumerate(zip(seconds, chain(words[1:], [_NONE]), strict=False))
        return [
            at for at, (known, word) in following if known and (word in known or _NONE in known)
        ]

    def at(self, words: Sequence[str], first: int, last: int) -> Iterator[tuple[int, str]]:
        """Yield what may be a phrase from word number `first` to `last`, the longest first.

        Each comes with the number of the word after it.
        """
        seconds = self._lengths.get(words[first], {})
        second = words[first + 1] if first + 1 < last else _NONE
        for length in seconds.get(second, ()):
            if first + length <= last:
                yield first + length, " ".join(words[first : first + length])
        if second != _NONE and _NONE in seconds:
            yield first + 1, words[first]


LOCALES = DEFAULT_LANGUAGES
"""What recognizers read where nobody says a language; see `language_of`."""
CLINIC = "clinic"

_LISTS = {
    "person": {
        "first_name": ("first_names", "first_names_female", "first_names_male"),
        "last_name": ("last_names",),
    },
    "address": {
        "country": ("countries",),
        "state": ("states", "regions", "provinces", "departments", "counties"),
        "state_code": ("states_abbr",),
        "city": ("cities", "municipalities", "communes"),
    },
    "job": {"job": ("jobs",)},
}
"""Faker's provider modules, our dictionaries, and the lists of Faker that make each up."""

_PROFESSIONS = ("any", "women", "men")
"""Of a language's professions, those that are such, not what stands before them."""

_GENDERED = re.compile(r"[/(,].*")


@dataclass(frozen=True, slots=True, eq=False)
class Dictionaries:
    """Single words, and phrases of several words, each with the names of its dictionaries.

    Everything is in lower case; a phrase is its tokens with a blank between. `known` finds where
    phrases may begin; `heads` are the words that compounds may end in.
    """

    words: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    phrases: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    known: PhraseTable = field(default_factory=PhraseTable)
    heads: frozenset[str] = frozenset()


@lru_cache(maxsize=4)
def dictionaries_of(locales: tuple[str, ...] = LOCALES) -> Dictionaries:
    """Return what the shipped files of these locales, and Faker's lists named there, hold."""
    words: dict[str, set[str]] = {}
    phrases: dict[str, set[str]] = {}
    listed: dict[str, dict[str, None]] = {}  # most entries stand in more lists than one
    for locale in locales:
        classes, lists = _lists_of(locale, locales)
        for kind, known in classes.items():
            for word in known:
                words.setdefault(word, set()).add(kind)
        for name, entries in lists:
            listed.setdefault(name, {}).update(dict.fromkeys(entries))
    for name, entries in listed.items():
        for entry in entries:
            _add(name, entry, words, phrases)
    whole = Dictionaries(_frozen(words), _frozen(phrases), PhraseTable(phrases))
    return replace(whole, heads=_heads(whole, locales))


def _heads(whole: Dictionaries, locales: tuple[str, ...]) -> frozenset[str]:
    """The words of those locales that have compounds."""
    of = tuple(each for each in locales if each == CLINIC or language(each).words_compounded)
    if of == locales:
        return frozenset(whole.words)
    return dictionaries_of(of).heads if any(each != CLINIC for each in of) else frozenset()


def language_of(texts: Iterable[str], locales: tuple[str, ...] = LOCALES) -> Language:
    """Return the language of these locales; with the usual ones, that of the texts themselves.

    In which order the texts come makes no difference.
    """
    if locales != LOCALES:
        return languages_together(locales)
    return records_language(AUTO, sorted(texts))


def with_languages(
    documents: Sequence[Document], locales: tuple[str, ...] = LOCALES
) -> Iterator[tuple[Document, Language]]:
    """Yield each document with its language, that of its patient's records where few words tell."""
    texts: defaultdict[str, list[str]] = defaultdict(list)
    for each in documents:
        texts[each.patient_id].append(each.text)
    for each in documents:
        own = language_of([each.text], locales)
        is_told = own is not default_language()
        yield each, own if is_told else language_of(texts[each.patient_id], locales)


def dictionaries_table(known: Dictionaries) -> dict[str, dict[str, str]]:
    """Return what they hold for a file that is read fast; `dictionaries_from` reads that."""
    return {
        "words": _by_names(known.words),
        "phrases": _by_names(known.phrases),
        "heads": {"": "\n".join(sorted(known.heads))} if known.heads else {},
    }


def dictionaries_from(table: Mapping[str, Mapping[str, str]]) -> Dictionaries:
    """Raises what reading a table of another shape ends in, `MALFORMED`."""
    words, phrases = _by_text(table["words"]), _by_text(table["phrases"])
    heads = frozenset(_by_text(table.get("heads", {})))
    if not heads <= words.keys():
        raise ValueError
    return Dictionaries(words, phrases, PhraseTable(phrases), heads)


def _by_names(entries: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    texts: defaultdict[str, list[str]] = defaultdict(list)
    for text in sorted(entries):
        texts["+".join(entries[text])].append(text)
    return {names: "\n".join(texts[names]) for names in sorted(texts)}


def _by_text(table: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    return {
        text: names
        for joined, texts in table.items()
        for names in (tuple(joined.split("+")),)
        for text in texts.split("\n")
    }


def digest_of_locales() -> str:
    """Return a SHA-256 over all that languages tell, which models are trained with."""
    digest = sha256()
    for path, file in files_below(SHIPPED):
        digest.update(f"{path}\n{file.read_text('utf-8')}\n".encode())
    return digest.hexdigest()


def _frozen(entries: dict[str, set[str]]) -> dict[str, tuple[str, ...]]:
    return {text: tuple(sorted(names)) for text, names in entries.items()}


def _add(name: str, entry: str, words: dict[str, set[str]], phrases: dict[str, set[str]]) -> None:
    plain = entry if entry.isalpha() else _GENDERED.sub("", entry)
    tokens = [word.lower() for word in words_of(plain)]
    if len(tokens) == 1 and len(tokens[0]) > 1:
        words.setdefault(tokens[0], set()).add(name)
    elif len(tokens) > 1:
        phrases.setdefault(" ".join(tokens), set()).add(name)


def _faker_lists(locales: Iterable[str]) -> Iterable[tuple[str, list[str]]]:
    for locale in locales:
        for module, lists in _LISTS.items():
            try:
                provider = import_module(f"faker.providers.{module}.{locale}").Provider
            except ImportError:
                continue  # Faker has no such list for this locale
            for name, attributes in lists.items():
                for attribute in attributes:
                    listed: object = getattr(provider, attribute, ())
                    if isinstance(listed, (tuple, list, dict)):
                        entries = cast("Iterable[object]", listed)
                        yield name, [_text(entry) for entry in entries]


def _lists_of(
    locale: str, locales: Sequence[str]
) -> tuple[Mapping[str, Words], Iterable[tuple[str, Iterable[str]]]]:
    """The word classes of a locale and its lists; of `clinic`, what clinics of the others say."""
    if locale != CLINIC:
        known = language(locale)
        return known.classes, chain(
            _faker_lists(known.faker_dictionaries),
            (("job", known.professions.get(whose, ())) for whose in _PROFESSIONS),
        )
    known = languages_together(tuple(each for each in locales if each != CLINIC))
    return known.clinical_classes, _everyday(known.everyday)


def _everyday(locales: Iterable[str]) -> Iterator[tuple[str, list[str]]]:
    for locale in locales:
        provider = import_module(f"faker.providers.lorem.{locale}").Provider
        yield "everyday", [word for word in provider.word_list if word.islower()]


def _text(entry: object) -> str:
    """Faker keeps some entries with a number, some with their state."""
    if isinstance(entry, str):
        return entry
    parts = cast("tuple[object, ...]", entry) if isinstance(entry, tuple) else ()
    return next((part for part in reversed(parts) if isinstance(part, str)), "")
