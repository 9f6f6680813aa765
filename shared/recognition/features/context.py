"""What stands around a token, near and far: n-grams, and the same token elsewhere."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain

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

_SEVERAL, _MANY = 2, 20


def ngrams(sheet: Sheet) -> Iterator[Told]:
    """Pairs and the middle triple of words within two tokens (Liu et al. 2015)."""
    yield Grams(sheet.pairs, {"n1=": 1, "n2=": 2, "n3=": 0, "n4=": 3})
    yield Grams(sheet.triples, {"n5=": 1})


def outer_ngrams(sheet: Sheet) -> Iterator[Told]:
    """The triples to the left and right, and the pair around the token."""
    yield Grams(sheet.triples, {"n6=": 0, "n7=": 2})
    words = padded(sheet.lowers)
    around = [f"{left}_{right}" for left, right in zip(words[1:], words[3:], strict=False)]
    yield Grams(around, {"n8=": 0})


def shape_ngrams(sheet: Sheet) -> Iterator[Told]:
    """N-grams of shapes, numbers with their length."""
    kinds = padded(list(map(_kind, sheet.words)))
    pairs = joined(kinds, kinds[1:])
    triples = joined(pairs, kinds[2:])
    yield Grams(pairs, {"h1=": 1, "h2=": 2})
    yield Grams(triples, {"h3=": 1})
    yield Grams(joined(triples, pairs[3:]), {"h4=": 0})


def elsewhere(sheet: Sheet) -> Iterator[Told]:
    """Where the same token stands elsewhere in the document: its field label, the word before."""
    lowers, line_starts = sheet.lowers, sheet.line_starts
    telling = {word for word in set(sheet.words) if _is_telling(word)}
    found = [at for at, word in enumerate(sheet.words) if word in telling]
    times = Counter(lowers[at] for at in found)
    firsts = (first for first, _ in sheet.lines)
    labels = dict(zip(firsts, sheet.field_labels, strict=True))
    places: defaultdict[str, list[tuple[int, Attributes]]] = defaultdict(list)
    for at in found:
        if times[lowers[at]] >= _SEVERAL:
            first = line_starts[at]
            before = lowers[at - 1] if at > first else "^"
            places[lowers[at]].append((at, ("DK=" + labels[first], "DP=" + before)))
    told = chain.from_iterable(_to_each_other(found[:_MANY]) for found in places.values())
    yield scattered(len(sheet), told)


def lowered(sheet: Sheet) -> Iterator[Told]:
    """Whether a capitalized word stands in the document in lower case too, as no name does."""
    small = {word for word in sheet.words if word.islower()}
    cases = {
        word: ("low" if word.lower() in small else "cap",)
        for word in set(sheet.words)
        if word[0].isupper() and len(word) > 1
    }
    yield Facts([cases.get(word, NOTHING) for word in sheet.words])


@lru_cache(maxsize=50_000)
def _kind(word: str) -> str:
    return "0" * min(len(word), 9) if word[0].isdigit() else short_shape(shape(word))


def _is_telling(word: str) -> bool:
    return (word[0].isupper() and len(word) > 2) or (word[0].isdigit() and len(word) > 3)


def _to_each_other(places: Sequence[tuple[int, Attributes]]) -> Iterator[tuple[int, Attributes]]:
    """Yield for each place, in order, what is said at the others."""
    times = Counter(chain.from_iterable(names for _, names in places))
    order = sorted(times)
    for at, own in places:
        yield at, tuple(name for name in order if times[name] > (name in own))
