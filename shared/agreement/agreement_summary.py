"""A comparison brought down to what its counts need, from which those of a part are made too.

Most tags are settled: both sides have them, and no other tag touches them. Of those it is enough
to know how many there are. What is left, mostly a tag or two, has to be looked at again whenever
only some types count.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import NamedTuple

from shared.agreement.comparison import Comparison
from shared.agreement.token_labels import TokenPairs, only_types, token_labels
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
    def of(cls, comparison: Comparison, starts: Sequence[int]) -> "AgreementSummary":
        """Return what a comparison comes down to; `starts` are the `token_starts` of its text."""
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

    def only(self, keep: Callable[[PhiType], bool]) -> "AgreementSummary":
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
