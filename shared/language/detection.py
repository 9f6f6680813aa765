"""Which language records are in: said by the project, or told from their small words."""

import re
from collections.abc import Iterable, Iterator
from itertools import islice

from shared.language.known_languages import UNDETERMINED, known_languages
from shared.language.languages import Language, default_language, language

AUTO = "auto"
"""Stands in a project's settings where the records themselves tell their language."""

_WORD = re.compile(r"[^\W\d_]+")
_ENOUGH = 50
_TELLING, _TOLD_BY = 800, 2
"""So many characters of the first of so many records of a patient that do tell the language."""
_MIN_SHARE = 0.02
"""Of fabricated notes, 500 of MEDDOCAN and telegraphic English ones, stopwords of their own
language were 2.9 % of the words or more, mostly over 10 %."""


def detect(texts: Iterable[str]) -> Language:
    """Return the language with most stopwords in the first texts; `und` where hardly any are."""
    words = [word for text in islice(texts, _ENOUGH) for word in _WORD.findall(text.lower())]
    counts = {
        one: sum(map(one.stopwords.__contains__, words)) for one in map(language, known_languages())
    }
    best = max(counts, key=counts.__getitem__, default=language(UNDETERMINED))
    return best if counts.get(best, 0) > _MIN_SHARE * len(words) else language(UNDETERMINED)


def language_said(code: str, texts: Iterable[str]) -> Language:
    """Return the language of this code, of the texts themselves for `auto`."""
    return detect(texts) if code == AUTO else language(code)


def records_language(code: str, texts: Iterable[str]) -> Language:
    """Return the language to check the records of one patient in; with `auto` that of their words.

    Where too few words tell, it is any of the default ones.
    """
    if code != AUTO:
        return language(code)
    told = (detect([text[:_TELLING]]) for text in islice(texts, _TOLD_BY))
    return next((each for each in told if each.code != UNDETERMINED), default_language())


def languages_so_far(texts: Iterable[str]) -> Iterator[Language]:
    """Yield the language of each record of a patient: that of the first that tells one so far.

    Later records have no say. It is `und` where neither the record nor one before it tells.
    """
    told = language(UNDETERMINED)
    for text in texts:
        if told.code == UNDETERMINED:
            told = detect([text])
        yield told


def missing_language(code: str) -> str:
    """Say in a sentence what a language without a folder means; "" for one that has a folder."""
    if code in (AUTO, UNDETERMINED, *known_languages()):
        return ""
    return (
        f"nothing is known of the language {code}: numbers, addresses on the web and text that is "
        f"tagged elsewhere are found, words are not; known are {', '.join(known_languages())}"
    )
