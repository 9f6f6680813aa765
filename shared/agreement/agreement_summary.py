"""A comparison brought down to what its counts need, from which those of a part are made too.

Most tags are settled: both sides have them, and no other tag touches them. Of those it is enough
to know how many there are. What is left, mostly a tag or two, has to be looked at again whenever
only some types count.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from operator import itemgetter
from typing import NamedTuple

from shared.agreement.comparison import Comparison
from shared.agreement.measures import (
    STRICT,
    Granularity,
    Keep,
    Label,
    Matcher,
    Measure,
    MeasureKey,
    TokenPairs,
    count_tokens,
    label_name,
    measure_keys,
    only_types,
    token_labels,
    total,
)
from shared.metrics.counts import MatchCounts
from shared.model import Origin, PhiType, Tag
from shared.text.overlaps import clusters_of_overlaps


@dataclass(frozen=True, slots=True)
class AgreementSummary:
    """`settled` counts tags by type and the candidate's origin; `rest` has all other tags.

    No tag of the rest touches a settled one. `tokens` are the white-space tokens by their labels.
    """

    settled: Mapping[tuple[PhiType, Origin], int]
    rest: Comparison
    tokens: TokenPairs

    @classmethod
    def of(cls, comparison: Comparison, starts: Sequence[int] | None = None) -> "AgreementSummary":
        """Sum up a comparison; `starts` are the `token_starts` of its text, if known."""
        settled: list[Tag] = []
        rest: tuple[list[Tag], list[Tag]] = [], []
        for cluster in _clusters(comparison):
            if _is_settled(cluster):
                settled.append(cluster[0].tag)
            else:
                for each in cluster:
                    rest[each.side].append(each.tag)
        return cls(
            Counter((tag.phi_type, tag.origin) for tag in settled),
            Comparison(comparison.document, tuple(rest[0]), tuple(rest[1])),
            token_labels(comparison, starts),
        )

    @property
    def types(self) -> set[PhiType]:
        """The types that occur."""
        tags = (*self.rest.candidate, *self.rest.reference)
        return {kind for kind, _ in self.settled}.union(tag.phi_type for tag in tags)

    @property
    def numbers(self) -> Mapping[PhiType, int]:
        """How many settled tags each type has."""
        found: Counter[PhiType] = Counter()
        for (kind, _), number in self.settled.items():
            found[kind] += number
        return found

    def only(self, keep: Keep) -> "AgreementSummary":
        """Return what is left when only the types to keep count."""
        settled = {key: number for key, number in self.settled.items() if keep(key[0])}
        rest = self.rest.only(keep) if self.rest.has_tags else self.rest
        return AgreementSummary(settled, rest, only_types(self.tokens, keep))


class _SidedTag(NamedTuple):
    """A tag of the candidate, side 0, or of the reference, side 1."""

    start: int
    side: int
    end: int
    tag: Tag


def _clusters(comparison: Comparison) -> Iterator[list[_SidedTag]]:
    tags = [
        _SidedTag(tag.span.start, side, tag.span.end, tag)
        for side, of_side in enumerate((comparison.candidate, comparison.reference))
        for tag in of_side
    ]
    return clusters_of_overlaps(sorted(tags, key=itemgetter(0, 1)))


def _is_settled(cluster: Sequence[_SidedTag]) -> bool:
    if len(cluster) != 2:
        return False
    one, other = cluster
    same_place = one.side != other.side and one.tag.span == other.tag.span
    return same_place and one.tag.phi_type == other.tag.phi_type


def count_matches(
    summary: AgreementSummary, is_hipaa: Keep = lambda _: True, *, by_label: bool = False
) -> dict[MeasureKey, MatchCounts]:
    """Count what `measure_keys` measures, `by_label` also every category and type, strictly."""
    matcher, types = Matcher(summary.rest), summary.types
    kept = set(filter(is_hipaa, types))
    every = _by_measure(summary, matcher, len(types))
    hipaa = every
    if kept != types:
        part = summary.only(kept.__contains__)
        hipaa = _by_measure(part, Matcher(part.rest), len(kept))
    counts = {
        key: (hipaa if key.hipaa_only else every)[key.measure, key.granularity]
        for key in measure_keys()
    }
    return counts | _strict_by_label(summary.numbers, matcher) if by_label else counts


def _by_measure(
    summary: AgreementSummary, matcher: Matcher, types: int
) -> dict[tuple[Measure, Granularity], MatchCounts]:
    settled = MatchCounts(sum(summary.settled.values()))
    found: dict[tuple[Measure, Granularity], MatchCounts] = {}
    for measure, granularity, hipaa_only, _ in measure_keys():
        if hipaa_only:
            continue
        counts = settled
        if measure.of_tokens:
            counts = total(count_tokens(summary.tokens, granularity))
        elif types == 1 and granularity is Granularity.BINARY:
            counts = found[measure, Granularity.TYPE]  # the same
        elif summary.rest.has_tags:
            counts = settled + total(matcher.count(measure, granularity))
        found[measure, granularity] = counts
    return found


def _strict_by_label(
    numbers: Mapping[PhiType, int], matcher: Matcher
) -> dict[MeasureKey, MatchCounts]:
    found: dict[MeasureKey, MatchCounts] = {}
    for granularity in (Granularity.CATEGORY, Granularity.TYPE):
        for label, counts in matcher.count(STRICT, granularity).items():
            found[_strict_key(label)] = counts
    for kind, number in numbers.items():
        for key in (_strict_key(kind.category), _strict_key(kind)):
            found[key] = found.get(key, MatchCounts()) + MatchCounts(number)
    return found


@cache
def _strict_key(label: Label) -> MeasureKey:
    is_type = isinstance(label, PhiType)
    granularity = Granularity.TYPE if is_type else Granularity.CATEGORY
    return MeasureKey(STRICT, granularity, label=label_name(label))
