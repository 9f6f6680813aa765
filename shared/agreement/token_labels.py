"""White-space tokens by what touches them on the two sides of a comparison."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

from shared.agreement.comparison import Comparison
from shared.agreement.measures import Granularity, touched_tokens
from shared.metrics.counts import MatchCounts
from shared.model import PhiType, Tag

TokenLabel = tuple[PhiType, ...]
"""The types of the tags that touch a token, in order; none where no tag does."""

TokenPairs = Mapping[tuple[TokenLabel, TokenLabel], int]
"""How many tokens have these two labels, one of each side."""

_NONE: TokenLabel = ()


def token_labels(
    comparison: Comparison, starts: Sequence[int]
) -> Counter[tuple[TokenLabel, TokenLabel]]:
    """Count the tokens of a document, that begin at `starts`, by their two labels."""
    text = comparison.document.text
    ours = _labels(comparison.candidate, text, starts)
    theirs = _labels(comparison.reference, text, starts)
    touched = ours.keys() | theirs.keys()
    pairs = Counter([(ours.get(at, _NONE), theirs.get(at, _NONE)) for at in touched])
    if len(starts) > len(touched):
        pairs[_NONE, _NONE] = len(starts) - len(touched)
    return pairs


def only_types(
    pairs: TokenPairs, keep: Callable[[PhiType], bool]
) -> Counter[tuple[TokenLabel, TokenLabel]]:
    """Return the pairs of labels when only the types to keep count."""
    found: Counter[tuple[TokenLabel, TokenLabel]] = Counter()
    for (one, other), number in pairs.items():
        ours = tuple(filter(keep, one))
        theirs = ours if one == other else tuple(filter(keep, other))
        found[ours, theirs] += number
    return found


def token_counts(pairs: TokenPairs) -> dict[Granularity, MatchCounts]:
    """Return what `Measure.TOKEN` counts: by type, and for PHI or not."""
    tp = fp = fn = both = ours = theirs = 0
    for (one, other), number in pairs.items():
        same = len(one) if one == other else len({*one} & {*other})
        tp += number * same
        fp += number * (len(one) - same)
        fn += number * (len(other) - same)
        both += number if one and other else 0
        ours += number if one and not other else 0
        theirs += number if other and not one else 0
    return {
        Granularity.TYPE: MatchCounts(tp, fp, fn),
        Granularity.BINARY: MatchCounts(both, ours, theirs),
    }


def _labels(tags: Iterable[Tag], text: str, starts: Sequence[int]) -> dict[int, TokenLabel]:
    labels: dict[int, TokenLabel] = {}
    for tag in tags:
        alone = (tag.phi_type,)
        for at in touched_tokens(starts, text, tag.span):
            before = labels.setdefault(at, alone)
            if before is not alone and tag.phi_type not in before:
                labels[at] = tuple(sorted((*before, tag.phi_type)))
    return labels
