"""Agreement beyond chance, over the white-space tokens of documents.

What carries no tag is a label too, so that nearly all tokens agree and nearly all agreement is to
be expected: read these beside F1, never instead of it.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from shared.agreement.comparison import Comparison
from shared.agreement.measures import ANY_PHI, touched_tokens
from shared.model import Tag
from shared.text.tokens import token_starts

NOTHING = "O"
"""The label of a token that no tag touches."""

LabelPairs = Mapping[tuple[str, str], int]
"""How many tokens have these two labels, one of each side."""


def token_labels(comparisons: Iterable[Comparison]) -> Counter[tuple[str, str]]:
    """Count the tokens by their labels on the two sides.

    The label of a token is the type of the tag that touches it, or all of them joined by `+`.
    """
    pairs: Counter[tuple[str, str]] = Counter()
    for comparison in comparisons:
        pairs.update(labels_of(comparison, token_starts(comparison.document.text)))
    return pairs


def labels_of(comparison: Comparison, starts: Sequence[int]) -> Counter[tuple[str, str]]:
    """Count the tokens of one comparison, that begin at `starts`."""
    text = comparison.document.text
    ours = _labels(comparison.candidate, text, starts)
    theirs = _labels(comparison.reference, text, starts)
    touched = ours.keys() | theirs.keys()
    pairs = Counter((ours.get(at, NOTHING), theirs.get(at, NOTHING)) for at in touched)
    pairs[NOTHING, NOTHING] += len(starts) - len(touched)
    return +pairs


def binary(pairs: LabelPairs) -> Counter[tuple[str, str]]:
    """Return the pairs with one label for whatever is tagged."""
    found: Counter[tuple[str, str]] = Counter()
    for labels, number in pairs.items():
        one, other = (label if label == NOTHING else ANY_PHI for label in labels)
        found[one, other] += number
    return found


def cohen_kappa(pairs: LabelPairs) -> float:
    """Return kappa of Cohen (1960): agreement beyond that of two who label at random.

    1 where both give one and the same label throughout, and where there is no token.
    """
    whole = sum(pairs.values())
    ours, theirs = _margins(pairs)
    agreed = sum(number for (one, other), number in pairs.items() if one == other)
    expected = sum(ours[label] * theirs[label] for label in ours)
    if expected == whole * whole:
        return 1.0
    return (agreed * whole - expected) / (whole * whole - expected)


def krippendorff_alpha(pairs: LabelPairs) -> float:
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


def _labels(tags: Iterable[Tag], text: str, starts: Sequence[int]) -> dict[int, str]:
    labels: dict[int, str] = {}
    for tag in tags:
        kind = str(tag.phi_type)
        for at in touched_tokens(starts, text, tag.span):
            before = labels.get(at)
            labels[at] = kind if before is None else "+".join(sorted({*before.split("+"), kind}))
    return labels


def _margins(pairs: LabelPairs) -> tuple[Counter[str], Counter[str]]:
    ours: Counter[str] = Counter()
    theirs: Counter[str] = Counter()
    for (one, other), number in pairs.items():
        ours[one] += number
        theirs[other] += number
    return ours, theirs
