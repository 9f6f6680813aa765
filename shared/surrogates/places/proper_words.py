"""Which words of a street or an institution name it, and which are generic."""

import re
from collections.abc import Callable, Container, Sequence
from functools import cache

from shared.language.languages import Language
from shared.language.ordinals import ordinal_words
from shared.text.spelling import match_key

TOKEN = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_ORDINAL = re.compile(r"(?:[ºª°]|(?:\d|\bn)\.?[oa])$")
"""An ordinal sign, or the small letter that stands for one: `3.º C`, `n.o 119`, `5o`."""
_ROMAN = re.compile(r"[IVX]+")
_FLAT = re.compile(r"[A-H]")
_WORD_NEXT = re.compile(r"\.?\s+\w{3}")
_MIN_NAME = 2


@cache
def _generic_words(language: Language) -> frozenset[str]:
    """Words that tell nothing of which institution or street it is, folded."""
    places = language.places
    phrases = (
        *(places.generic_words + places.street_words + places.unit_words + places.floor_words),
        *(places.postal_boxes + places.hospital_words + places.organization_words),
        *(places.company_suffixes + places.small_words + places.department_words),
        *(places.street_endings + places.hospital_endings + language.names.saints),
        *(language.articles.definite + tuple(language.titles)),
    )
    return frozenset(word for phrase in phrases for word in TOKEN.findall(match_key(phrase)))


def _is_generic(word: str, generic: Container[str]) -> bool:
    key = match_key(word)
    return key.strip("ºª°").isdigit() or key in generic


def proper_runs(
    text: str,
    language: Language,
    *,
    of_street: bool,
    is_city: Callable[[str], bool] = lambda _: False,
    of_hospital: bool = False,
) -> list[tuple[int, int]]:
    """Where proper words stand, those with but a blank between them as one.

    A hospital's name goes on over small words, but not to a city: `Gate of Heaven`.

    A street has one name, so that small words and hyphens between are within it: `Altos de Nava`;
    so are they in the name of a city. Of a word with a generic ending (`Lindenstraße`) it is what
    stands before that. Where all words of a street are generic, those that streets are named by
    are proper: `School` of `School Street`.
    """
    found = _runs(text, language, _generic_words(language), of_street)
    if of_street and all(end - start == 1 for start, end in found):
        names = frozenset(map(match_key, language.places.street_names_too))
        found = _runs(text, language, _generic_words(language) - names, of_street)
    if of_street:
        return found
    found = _with_cities(text, found, is_city)
    return _over_small_words(text, found, is_city, language) if of_hospital else found


def _runs(
    text: str, language: Language, generic: Container[str], of_street: bool
) -> list[tuple[int, int]]:
    runs: list[tuple[int, int]] = []
    for found in TOKEN.finditer(text):
        if _is_generic(found[0], generic) and not (of_street and _is_flat(found)):
            continue
        end = found.end() - len(generic_ending(found[0], language))
        if any(char.isdigit() for char in found[0]):
            runs += _numbered(found, language, generic)
        elif runs and _goes_on(text[: found.end()], runs[-1], found.start(), of_street, language):
            runs[-1] = (runs[-1][0], end)
        elif not _ORDINAL.search(text[: found.end()]):
            runs.append((found.start(), end))
    return runs


def _with_cities(
    text: str, runs: Sequence[tuple[int, int]], is_city: Callable[[str], bool]
) -> list[tuple[int, int]]:
    """The runs, those that are a city together as one: `Santiago de Compostela`."""
    joined: list[tuple[int, int]] = []
    for start, end in runs:
        if joined and start < joined[-1][1]:
            continue
        ends = [other for first, other in runs if first >= start]
        city = next((each for each in reversed(ends) if is_city(text[start:each])), end)
        joined.append((start, city))
    return joined


def _over_small_words(
    text: str,
    runs: Sequence[tuple[int, int]],
    is_city: Callable[[str], bool],
    language: Language,
) -> list[tuple[int, int]]:
    joined: list[tuple[int, int]] = []
    for start, end in runs:
        first, last = joined[-1] if joined else (start, start)
        between = TOKEN.findall(text[last:start].lower())
        goes_on = bool(between) and not re.search(r"[^\w\s]", text[last:start])
        goes_on = goes_on and all(each in language.places.small_words for each in between)
        long = min(last - first, end - start) >= _MIN_NAME
        if goes_on and long and not is_city(text[first:last]) and not is_city(text[start:end]):
            joined[-1] = (first, end)
        else:
            joined.append((start, end))
    return joined


def has_small_word(name: str, language: Language) -> bool:
    """Whether a name has a small word within: `Gate of Heaven`."""
    return any(each.lower() in language.places.small_words for each in TOKEN.findall(name)[1:])


def _is_flat(found: re.Match[str]) -> bool:
    """True for the `A` of `Bajo A` and `3, A`, which elsewhere is a small word or a title."""
    behind = found.string[found.end() :]
    return found.start() > 0 and bool(_FLAT.fullmatch(found[0])) and not _WORD_NEXT.match(behind)


def _numbered(
    found: re.Match[str], language: Language, generic: Container[str]
) -> list[tuple[int, int]]:
    """Every digit and letter of a number, but not what makes an ordinal of it: `5ºC`, `1er`."""
    suffixes = {"º", "ª", "°", *language.dates.ordinal_suffixes, *ordinal_words()}
    if "º" in language.dates.ordinal_suffixes:
        suffixes |= {"o", "a"}  # `5o` for `5º`

    def is_kept(part: str) -> bool:
        ordinal = (part.lower() if len(part) > 1 else part) in suffixes  # `5A` is a flat
        return ordinal or (_is_generic(part, generic) and not part.isdigit())

    return [
        (found.start() + at, found.start() + at + 1)
        for part in re.finditer(r"\d+|[ºª°]|[^\W\d_ºª°]+", found[0])
        if _FLAT.fullmatch(part[0]) or not is_kept(part[0])
        for at in range(part.start(), part.end())
    ]


def _goes_on(
    text: str, run: tuple[int, int], start: int, of_street: bool, language: Language
) -> bool:
    """Whether the word at `start`, the last of the text, belongs to the proper words before it."""
    between, word = text[run[1] : start], text[start:]
    if run[1] - run[0] < _MIN_NAME or (len(word) == 1 and not _ROMAN.fullmatch(word)):
        return False
    small = language.places.small_words + language.names.joiners
    within = of_street and all(
        each in small for each in re.findall(r"\w+|[^\w\s-]", between.lower())
    )
    return within or between.isspace()


def has_street_word(text: str, language: Language) -> bool:
    words = [match_key(each) for each in TOKEN.findall(text)]
    known = set(map(match_key, language.places.street_words))
    return any(each in known or generic_ending(each, language) for each in words)


def without_ending(name: str, language: Language) -> str:
    """`Linden` of `Lindenstraße`, and `Breite ` of `Breite Straße`."""
    return name.removesuffix(generic_ending(name, language))


def generic_ending(word: str, language: Language) -> str:
    """The longest ending that makes a word a street or an institution: `hospital`, not `spital`."""
    places = language.places
    endings = (*places.street_endings, *places.hospital_endings)
    fitting = [
        each for each in endings if len(word) > len(each) + 2 and word.lower().endswith(each)
    ]
    longest = max(map(len, fitting), default=0)
    return word[len(word) - longest :] if longest else ""
