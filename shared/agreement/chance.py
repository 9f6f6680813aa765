"""Agreement beyond chance, over the white-space tokens of documents.

What carries no tag is a label too, so that nearly all tokens agree and nearly all agreement is to
be expected: read these beside F1, never instead of it.
"""

from collections import Counter
from collections.abc import Hashable, Mapping
from typing import TypeVar

from shared.agreement.comparison import Comparison
from shared.agreement.measures import TypedThings, starts_of_tokens, typed_tokens
from shared.model import PhiType

Label = TypeVar("Label", bound=Hashable)

TokenLabel = tuple[PhiType, ...]
"""The types of the tags that touch a token, in order; none where no tag does."""

TokenPairs = Mapping[tuple[TokenLabel, TokenLabel], int]
"""How many tokens have these two labels, one of each side."""


def token_labels(comparison: Comparison) -> Counter[tuple[TokenLabel, TokenLabel]]:
    """Count the tokens of a document by their two labels."""
    ours, theirs = map(_labels, typed_tokens(comparison))
    touched = ours.keys() | theirs.keys()
    pairs = Counter([(ours.get(at, ()), theirs.get(at, ())) for at in touched])
    untouched = len(starts_of_tokens(comparison.document.text)) - len(touched)
    return pairs + Counter({((), ()): untouched})


def _labels(tokens: TypedThings) -> dict[int, TokenLabel]:
    labels: dict[int, TokenLabel] = {}
    for kind, places in sorted(tokens.items()):
        for at, _ in places:
            labels[at] = (*labels.get(at, ()), kind)
    return labels


def binary(pairs: TokenPairs) -> Counter[tuple[bool, bool]]:
    """Return the pairs with one label for whatever is tagged, and one for what is not."""
    found: Counter[tuple[bool, bool]] = Counter()
    for (one, other), number in pairs.items():
        found[bool(one), bool(other)] += number
    return found


def cohen_kappa(pairs: Mapping[tuple[Label, Label], int]) -> float:
    """Return kappa of Cohen (1960): agreement beyond that of two who label at random.

    `pairs` says how many tokens have these two labels, one of each side. 1 where both give one and
    the same label throughout, and where there is no token.
    """
    whole = sum(pairs.values())
    ours, theirs = _margins(pairs)
    agreed = sum(number for (one, other), number in pairs.items() if one == other)
    expected = sum(ours[label] * theirs[label] for label in ours)
    if expected == whole * whole:
        return 1.0
    return (agreed * whole - expected) / (whole * whole - expected)


def krippendorff_alpha(pairs: Mapping[tuple[Label, Label], int]) -> float:
    """Return alpha of Krippendorff (2004) for nominal labels.

    Pairs of several annotators may be counted together, each token once for every pair of labels
    it was given where no token has more than two. 1 where there is but one label.
    """
    whole = 2 * sum(pairs.values())
    ours, theirs = _margins(pairs)
    margins = ours + theirs
    disagreed = 2 * sum(number for (one, other), number in pairs.items() if one != other)
    expected = whole * whole - sum(number * number for number in margins.values())
    if not expected:
        return 1.0
    return 1 - (whole - 1) * disagreed / expected


def _margins(pairs: Mapping[tuple[Label, Label], int]) -> tuple[Counter[Label], Counter[Label]]:
    ours: Counter[Label] = Counter()
    theirs: Counter[Label] = Counter()
    for (one, other), number in pairs.items():
        ours[one] += number
        theirs[other] += number
    return ours, theirs
