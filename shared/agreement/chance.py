"""Agreement beyond chance, over the white-space tokens of documents.

What carries no tag is a label too, so that nearly all tokens agree and nearly all agreement is to
be expected: read these beside F1, never instead of it.
"""

from collections import Counter
from collections.abc import Iterable, Mapping

from shared.agreement.comparison import Comparison
from shared.agreement.measures import touched_tokens
from shared.model import Tag
from shared.text.tokens import token_starts

NOTHING = "O"
"""The label of a token that no tag touches."""

LabelPairs = Mapping[tuple[str, str], int]
"""How many tokens have these two labels, one of each side."""


def token_labels(
    comparisons: Iterable[Comparison], *, binary: bool = False
) -> Counter[tuple[str, str]]:
    """Count the tokens by their labels on the two sides.

    The label of a token is the type of the tag that touches it, or all of them joined by `+`; with
    `binary` only whether one does.
    """
    pairs: Counter[tuple[str, str]] = Counter()
    for comparison in comparisons:
        text = comparison.document.text
        starts = token_starts(text)
        ours, theirs = (
            _labels(tags, text, starts, binary=binary)
            for tags in (comparison.candidate, comparison.reference)
        )
        touched = ours.keys() | theirs.keys()
        pairs.update((ours.get(at, NOTHING), theirs.get(at, NOTHING)) for at in touched)
        pairs[NOTHING, NOTHING] += len(starts) - len(touched)
    return +pairs


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


def _labels(tags: Iterable[Tag], text: str, starts: list[int], *, binary: bool) -> dict[int, str]:
    kinds: dict[int, set[str]] = {}
    for tag in tags:
        for at in touched_tokens(starts, text, tag.span):
            kinds.setdefault(at, set()).add("PHI" if binary else str(tag.phi_type))
    return {at: "+".join(sorted(each)) for at, each in kinds.items()}


def _margins(pairs: LabelPairs) -> tuple[Counter[str], Counter[str]]:
    ours: Counter[str] = Counter()
    theirs: Counter[str] = Counter()
    for (one, other), number in pairs.items():
        ours[one] += number
        theirs[other] += number
    return ours, theirs
