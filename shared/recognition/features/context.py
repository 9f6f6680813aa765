"""What stands around a token, near and far: n-grams, and the same token elsewhere."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain

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

_SEVERAL, _MANY = 2, 20


def ngrams(tokenized: TokenizedDocument) -> Iterator[TokenAttributes]:
    """Pairs and the middle triple of words within two tokens (Liu et al. 2015)."""
    yield NgramAttributes(tokenized.pairs, {"n1=": 1, "n2=": 2, "n3=": 0, "n4=": 3})
    yield NgramAttributes(tokenized.triples, {"n5=": 1})


def outer_ngrams(tokenized: TokenizedDocument) -> Iterator[TokenAttributes]:
    """The triples to the left and right, and the pair around the token."""
    yield NgramAttributes(tokenized.triples, {"n6=": 0, "n7=": 2})
    words = padded(tokenized.lowers)
    around = [f"{left}_{right}" for left, right in zip(words[1:], words[3:], strict=False)]
    yield NgramAttributes(around, {"n8=": 0})


def shape_ngrams(tokenized: TokenizedDocument) -> Iterator[TokenAttributes]:
    """N-grams of shapes, numbers with their length."""
    kinds = padded(list(map(_kind, tokenized.words)))
    pairs = joined(kinds, kinds[1:])
    triples = joined(pairs, kinds[2:])
    yield NgramAttributes(pairs, {"h1=": 1, "h2=": 2})
    yield NgramAttributes(triples, {"h3=": 1})
    yield NgramAttributes(joined(triples, pairs[3:]), {"h4=": 0})


def elsewhere(tokenized: TokenizedDocument) -> Iterator[TokenAttributes]:
    """Where the same token stands elsewhere in the document: its field label, the word before."""
    lowers, line_starts = tokenized.lowers, tokenized.line_starts
    telling = {word for word in set(tokenized.words) if _is_telling(word)}
    found = [at for at, word in enumerate(tokenized.words) if word in telling]
    times = Counter(lowers[at] for at in found)
    firsts = (first for first, _ in tokenized.lines)
    labels = dict(zip(firsts, tokenized.field_labels, strict=True))
    places: defaultdict[str, list[tuple[int, Attributes]]] = defaultdict(list)
    for at in found:
        if times[lowers[at]] >= _SEVERAL:
            first = line_starts[at]
            before = lowers[at - 1] if at > first else "^"
            places[lowers[at]].append((at, ("DK=" + labels[first], "DP=" + before)))
    token_attributes = chain.from_iterable(
        _to_each_other(found[:_MANY]) for found in places.values()
    )
    yield scattered(len(tokenized), token_attributes)


def lowered(tokenized: TokenizedDocument) -> Iterator[TokenAttributes]:
    """Whether a capitalized word stands in the document in lower case too, as no name does."""
    small = {word for word in tokenized.words if word.islower()}
    cases = {
        word: ("low" if word.lower() in small else "cap",)
        for word in set(tokenized.words)
        if word[0].isupper() and len(word) > 1
    }
    yield AttributeSets([cases.get(word, NOTHING) for word in tokenized.words])


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
