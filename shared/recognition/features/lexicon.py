"""Which dictionaries and patterns find a word, or the phrase that it belongs to."""

from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache

from shared.language.patterns import Pattern, places_in
from shared.recognition.dictionaries import Dictionaries
from shared.recognition.features.token_attributes import (
    NOTHING,
    Attributes,
    AttributeSets,
    NgramAttributes,
    TokenAttributes,
    joined,
    padded,
    scattered,
)
from shared.recognition.features.tokenized_document import TokenizedDocument
from shared.recognition.features.word_shapes import shape, short_shape

_MANY_PLACES = 20
_FARTHEST = 11
_SHORTEST_COMPOUND, _SHORTEST_MODIFIER, _SHORTEST_HEAD = 8, 3, 4
_PROPER = ("first_name", "last_name", "city", "everyday", "country", "state")
"""Lists of names, and what ends like one of these is often another."""
UNTELLING = (
    *("first_name", "last_name", "city", "number", "job", "state_code"),
    *("everyday", "heading", "medical", "acronym", "drug", "vital", "measure", "rating"),
    "demonym",
    *("firm", "facility", "place", "trade"),
)

_PLACES_AND_DATES = frozenset(
    {"city", "state", "state_code", "country", "street", "month", "weekday", "season"}
)


def dictionary_names(dictionaries: Dictionaries, word: str) -> list[str]:
    """The dictionaries and kinds of words that hold the word."""
    return [f"lx={name}" for name in dictionaries.words.get(word.lower(), ())]


def place_and_date_lists(dictionaries: Dictionaries, word: str) -> list[str]:
    """Those of them that are of places and of dates (He et al. 2015, table 2)."""
    names = dictionaries.words.get(word.lower(), ())
    return [f"lx={name}" for name in names if name in _PLACES_AND_DATES]


def dictionary_phrases(
    tokenized: TokenizedDocument, dictionaries: Dictionaries
) -> Iterator[TokenAttributes]:
    """The dictionaries that hold the longest phrase of several words here, begun or inside."""
    sets = [NOTHING] * len(tokenized)
    free = 0
    for at in dictionaries.known.begun(tokenized.lowers):
        if at >= free:
            free, names = _longest(tokenized.lowers, at, tokenized.line_ends[at], dictionaries)
            if names:
                sets[at] = tuple("LB=" + name for name in names)
                sets[at + 1 : free] = [tuple("LI=" + name for name in names)] * (free - at - 1)
    yield AttributeSets(sets)


def heads(tokenized: TokenizedDocument, dictionaries: Dictionaries) -> Iterator[TokenAttributes]:
    """The kinds of the word that a compound ends in (`Tiefbauingenieur`), if it has no kind.

    Only where a language has compounds: elsewhere, what a word ends in says little of it.
    """
    if dictionaries.heads:
        yield AttributeSets([_head(word, dictionaries) for word in tokenized.lowers])


@lru_cache(maxsize=50_000)
def _head(word: str, dictionaries: Dictionaries) -> Attributes:
    if len(word) < _SHORTEST_COMPOUND or word in dictionaries.words:
        return NOTHING
    for start in range(_SHORTEST_MODIFIER, len(word) - _SHORTEST_HEAD + 1):
        if word[start:] in dictionaries.heads:
            names = [each for each in dictionaries.words[word[start:]] if each not in _PROPER]
            if names:
                return tuple("hd=" + name for name in names)
    return NOTHING


def triggers(tokenized: TokenizedDocument, dictionaries: Dictionaries) -> Iterator[TokenAttributes]:
    """The nearest word of a telling kind to the left and right on the line, and how far it is."""
    kinds = _telling_words(dictionaries)
    telling = [(at, kinds[word]) for at, word in enumerate(tokenized.lowers) if word in kinds]
    left, right = ([NOTHING] * len(tokenized) for _ in "<>")
    ends = [*(at for at, _ in telling[1:]), len(tokenized)]
    for (at, kind), next_one in zip(telling, ends, strict=False):
        last = min(next_one, tokenized.line_ends[at] - 1, at + _FARTHEST)
        left[at + 1 : last + 1] = _pointing("<", kind)[: last - at]
    before = -1
    for at, kind in telling:
        first = max(before, tokenized.line_starts[at], at - _FARTHEST)
        right[first:at] = _pointing(">", kind)[: at - first][::-1]
        before = at
    yield from (AttributeSets(left), AttributeSets(right))


def classes(tokenized: TokenizedDocument, dictionaries: Dictionaries) -> Iterator[TokenAttributes]:
    """N-grams of kinds of words, or shapes where a word is of no kind."""
    row = padded([_class(word, dictionaries) for word in tokenized.words])
    spaced = [kind + " " for kind in row]
    pairs = joined(spaced, row[1:])
    triples = joined(spaced, pairs[1:])
    fives = joined(spaced, joined(spaced[1:], triples[2:]))
    yield NgramAttributes(pairs, {"c1=": 1, "c2=": 2})
    yield NgramAttributes(triples, {"c3=": 1, "c4=": 0, "c5=": 2})
    yield NgramAttributes(fives, {"c6=": 0})


def other_places(
    tokenized: TokenizedDocument, dictionaries: Dictionaries
) -> Iterator[TokenAttributes]:
    """Kinds of the words before and after the same word elsewhere in the document."""
    places: defaultdict[str, list[int]] = defaultdict(list)
    for at, word in enumerate(tokenized.words):
        if word[0].isupper() and len(word) > 1:
            places[tokenized.lowers[at]].append(at)
    token_attributes: list[tuple[int, Attributes]] = []
    for found in places.values():
        near = {at: _around(tokenized, at, dictionaries) for at in found[:_MANY_PLACES]}
        for at in near if len(near) > 1 else ():
            others = {name for other, names in near.items() if other != at for name in names}
            token_attributes.append((at, tuple(sorted(others))))
    yield scattered(len(tokenized), token_attributes)


def _around(tokenized: TokenizedDocument, at: int, dictionaries: Dictionaries) -> list[str]:
    names: list[str] = []
    for side, step in (("<", -1), (">", 1)):
        place = at + step
        if 0 <= place < len(tokenized) and tokenized.words[place] == ".":
            place += step
        if 0 <= place < len(tokenized):
            kind = _telling(dictionaries.words.get(tokenized.lowers[place], ()))
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
    token_attributes = ((word, _telling(names)) for word, names in dictionaries.words.items())
    return {word: kind for word, kind in token_attributes if kind}


@lru_cache(maxsize=1000)
def _telling(names: tuple[str, ...]) -> str:
    return "+".join(name for name in names if name not in UNTELLING)


@lru_cache(maxsize=1000)
def _pointing(side: str, kind: str) -> list[Attributes]:
    """The attributes of tokens that stand 1, 2, 3 and so on tokens away from such a word."""
    near = ("1", "2", "3", *["8"] * 4, *["far"] * 4)
    return [(f"T{side}{kind}", f"T{side}{kind}|{distance}") for distance in near]


def _longest(
    words: list[str], at: int, last: int, dictionaries: Dictionaries
) -> tuple[int, Attributes]:
    for end, phrase in dictionaries.known.at(words, at, last):
        if names := dictionaries.phrases.get(phrase):
            return end, names
    return at + 1, NOTHING


def patterns(tokenized: TokenizedDocument, known: list[Pattern]) -> Iterator[TokenAttributes]:
    """The type that each pattern finds the token as, its place in that, and what is next to it."""
    yield scattered(len(tokenized), _found(tokenized, known))


def _found(tokenized: TokenizedDocument, known: list[Pattern]) -> Iterator[tuple[int, Attributes]]:
    places_of = places_in(tokenized.text)
    for pattern in known:
        name = pattern.label
        for start, end in places_of(pattern):
            first, last = tokenized.between(start, end)
            for at in range(first, last):
                place = "B" if at == first else "E" if at == last - 1 else "I"
                yield at, (f"r={name}{place}",)
            if first > 0:
                yield first - 1, ("r>" + name,)
            if last < len(tokenized):
                yield last, ("r<" + name,)
