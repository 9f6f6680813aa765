"""Agreement beyond chance, over the white-space tokens of documents.

What carries no tag is a label too, so that nearly all tokens agree and nearly all agreement is to
be expected: read these beside F1, never instead of it.
"""

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence

import numpy as np

from shared.agreement.comparison import Comparison
from shared.agreement.measures import TypedThings, typed_tokens
from shared.metrics.counts import Floats
from shared.model import PhiType
from shared.text.tokens import token_count

LabelPair = tuple[Hashable, Hashable]

TokenLabel = tuple[PhiType, ...]
"""The types of the tags that touch a token, in order; none where no tag does."""

TokenPairs = Mapping[tuple[TokenLabel, TokenLabel], int]
"""How many tokens have these two labels, one of each side."""


def token_labels(
    comparison: Comparison, tokens: tuple[TypedThings, TypedThings] | None = None
) -> Counter[tuple[TokenLabel, TokenLabel]]:
    """Count the tokens of a document by their two labels; `tokens` are its `typed_tokens`."""
    ours, theirs = map(_labels, tokens or typed_tokens(comparison))
    touched = ours.keys() | theirs.keys()
    pairs = Counter([(ours.get(at, ()), theirs.get(at, ())) for at in touched])
    untouched = token_count(comparison.document.text) - len(touched)
    return pairs + Counter({((), ()): untouched})


def _labels(tokens: TypedThings) -> dict[int, TokenLabel]:
    labels: dict[int, TokenLabel] = {}
    for kind, places in sorted(tokens.items()):
        for at, _ in places:
            labels[at] = (*labels.get(at, ()), kind)
    return labels


def binary(pairs: Sequence[tuple[TokenLabel, TokenLabel]]) -> list[LabelPair]:
    """Return the pairs with one label for whatever is tagged, and one for what is not."""
    return [(bool(one), bool(other)) for one, other in pairs]


def cohen_kappa(pairs: Sequence[LabelPair], numbers: Floats) -> Floats:
    """Return kappa of Cohen (1960): agreement beyond that of two who label at random.

    `numbers`, of the shape (..., pairs), says how many tokens have these two labels, one of each
    side; the result has one axis less. 1 where both give one and the same label throughout, and
    where there is no token.
    """
    whole, same = numbers.sum(axis=-1), _same(pairs)
    ours, theirs = _margins(pairs, numbers)
    agreed = numbers[..., same].sum(axis=-1)
    expected = (ours * theirs).sum(axis=-1)
    return _over(agreed * whole - expected, whole * whole - expected, whole)


def krippendorff_alpha(pairs: Sequence[LabelPair], numbers: Floats) -> Floats:
    """Return alpha of Krippendorff (2004) for nominal labels, one annotator missing or not.

    `numbers` is as above. A token that m annotators have read counts in every pair of them, and
    each time 1 / (m - 1). 1 where there is but one label.
    """
    whole, same = 2 * numbers.sum(axis=-1), _same(pairs)
    ours, theirs = _margins(pairs, numbers)
    disagreed = 2 * numbers[..., ~same].sum(axis=-1)
    expected = whole * whole - ((ours + theirs) ** 2).sum(axis=-1)
    return _over(expected - (whole - 1) * disagreed, expected, whole)


def _over(part: Floats, rest: Floats, whole: Floats) -> Floats:
    """Divide, or return 1 where nothing is left to divide by but what rounding leaves."""
    nothing = rest <= 1e-12 * whole * whole
    return np.where(nothing, 1.0, part / np.where(nothing, 1.0, rest))


def _same(pairs: Sequence[LabelPair]) -> "np.ndarray[tuple[int], np.dtype[np.bool_]]":
    return np.array([one == other for one, other in pairs], np.bool_)


def _margins(pairs: Sequence[LabelPair], numbers: Floats) -> tuple[Floats, Floats]:
    """Return how often each label is given on the two sides, of the shape (..., labels)."""
    labels = {
        label: at for at, label in enumerate(dict.fromkeys(each for pair in pairs for each in pair))
    }
    sides = np.zeros((2, len(pairs), len(labels)))
    for row, pair in enumerate(pairs):
        for side, label in zip(sides, pair, strict=True):
            side[row, labels[label]] = 1.0
    return numbers @ sides[0], numbers @ sides[1]
