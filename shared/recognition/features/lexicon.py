"""Which dictionaries a word and the phrase that it belongs to are in."""

from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache

from shared.recognition.dictionaries import Dictionaries
from shared.recognition.features.sheet import Sheet
from shared.recognition.features.told import (
    NOTHING,
    Attributes,
    Facts,
    Grams,
    Told,
    joined,
    padded,
    scattered,
)
from shared.recognition.features.words import shape, short_shape

_MANY_PLACES = 20
_FARTHEST = 11
UNTELLING = (
    *("first_name", "last_name", "city", "number", "job", "state_code"),
    *("everyday", "heading", "medical", "acronym", "drug", "vital", "measure", "rating"),
    "demonym",
    *("firm", "facility", "place", "trade"),
)


def dictionary_names(dictionaries: Dictionaries, word: str) -> list[str]:
    """The dictionaries and kinds of words that hold the word."""
    return [f"lx={name}" for name in dictionaries.words.get(word.lower(), ())]


def dictionary_phrases(sheet: Sheet, dictionaries: Dictionaries) -> Iterator[Told]:
    """The dictionaries that hold the longest phrase of several words here, begun or inside."""
    facts = [NOTHING] * len(sheet)
    free = 0
    for at in dictionaries.known.begun(sheet.lowers):
        if at >= free:
            free, names = _longest(sheet.lowers, at, sheet.line_ends[at], dictionaries)
            if names:
                facts[at] = tuple("LB=" + name for name in names)
                facts[at + 1 : free] = [tuple("LI=" + name for name in names)] * (free - at - 1)
    yield Facts(facts)


def triggers(sheet: Sheet, dictionaries: Dictionaries) -> Iterator[Told]:
    """The nearest word of a telling kind to the left and right on the line, and how far it is."""
    kinds = _telling_words(dictionaries)
    telling = [(at, kinds[word]) for at, word in enumerate(sheet.lowers) if word in kinds]
    left, right = ([NOTHING] * len(sheet) for _ in "<>")
    ends = [*(at for at, _ in telling[1:]), len(sheet)]
    for (at, kind), next_one in zip(telling, ends, strict=False):
        last = min(next_one, sheet.line_ends[at] - 1, at + _FARTHEST)
        left[at + 1 : last + 1] = _pointing("<", kind)[: last - at]
    before = -1
    for at, kind in telling:
        first = max(before, sheet.line_starts[at], at - _FARTHEST)
        right[first:at] = _pointing(">", kind)[: at - first][::-1]
        before = at
    yield from (Facts(left), Facts(right))


def classes(sheet: Sheet, dictionaries: Dictionaries) -> Iterator[Told]:
    """N-grams of kinds of words, or shapes where a word is of no kind."""
    row = padded([_class(word, dictionaries) for word in sheet.words])
    spaced = [kind + " " for kind in row]
    pairs = joined(spaced, row[1:])
    triples = joined(spaced, pairs[1:])
    fives = joined(spaced, joined(spaced[1:], triples[2:]))
    yield Grams(pairs, {"c1=": 1, "c2=": 2})
    yield Grams(triples, {"c3=": 1, "c4=": 0, "c5=": 2})
    yield Grams(fives, {"c6=": 0})


def other_places(sheet: Sheet, dictionaries: Dictionaries) -> Iterator[Told]:
    """Kinds of the words before and after the same word elsewhere in the document."""
    places: defaultdict[str, list[int]] = defaultdict(list)
    for at, word in enumerate(sheet.words):
        if word[0].isupper() and len(word) > 1:
            places[sheet.lowers[at]].append(at)
    told: list[tuple[int, Attributes]] = []
    for found in places.values():
        near = {at: _around(sheet, at, dictionaries) for at in found[:_MANY_PLACES]}
        for at in near if len(near) > 1 else ():
            others = {name for other, names in near.items() if other != at for name in names}
            told.append((at, tuple(sorted(others))))
    yield scattered(len(sheet), told)


def _around(sheet: Sheet, at: int, dictionaries: Dictionaries) -> list[str]:
    names: list[str] = []
    for side, step in (("<", -1), (">", 1)):
        place = at + step
        if 0 <= place < len(sheet) and sheet.words[place] == ".":
            place += step
        if 0 <= place < len(sheet):
            kind = _telling(dictionaries.words.get(sheet.lowers[place], ()))
            names += [f"E{side}{kind}"] if kind else []
    return names


@lru_cache(maxsize=50_000)
def _class(word: str, dictionaries: Dictionaries) -> str:
    names = dictionaries.words.get(word.lower())
    if names:
        return "+".join(names)
    return "0" * min(len(word), 6) if word[0].isdigit() else short_shape(shape(word))


@lru_cache(maxsize=4)
def _telling_words(dictionaries: Dictionaries) -> dict[str, str]:
    told = ((word, _telling(names)) for word, names in dictionaries.words.items())
    return {word: kind for word, kind in told if kind}


@lru_cache(maxsize=1000)
def _telling(names: tuple[str, ...]) -> str:
    return "+".join(name for name in names if name not in UNTELLING)


@lru_cache(maxsize=1000)
def _pointing(side: str, kind: str) -> list[Attributes]:
    """What tokens are told that stand 1, 2, 3 and so on tokens away from a word of this kind."""
    near = ("1", "2", "3", *["8"] * 4, *["far"] * 4)
    return [(f"T{side}{kind}", f"T{side}{kind}|{distance}") for distance in near]


def _longest(
    words: list[str], at: int, last: int, dictionaries: Dictionaries
) -> tuple[int, Attributes]:
    for end, phrase in dictionaries.known.at(words, at, last):
        if names := dictionaries.phrases.get(phrase):
            return end, names
    return at + 1, NOTHING
