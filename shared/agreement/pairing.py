"""Two layers of one document side by side: which tags belong together, and how they differ."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from shared.agreement.grouping import Group, Kind, group_tags
from shared.model import Span, Tag


class PairingKind(StrEnum):
    """How the two sides of a pairing differ."""

    AGREEMENT = "agreement"
    TYPE = "type"
    EXTENT = "extent"
    TYPE_AND_EXTENT = "type and extent"
    SPLIT_OR_MERGE = "split or merge"
    ONLY_FIRST = "only first"
    ONLY_SECOND = "only second"


_KINDS = {kind: PairingKind(kind.value) for kind in Kind if kind is not Kind.ONE_SIDED}
"""What a group of two layers is as a pairing."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """The tags of two layers that are about the same stretch of text, in order of offset.

    Tags of one layer with the same span and type say one thing twice and stay together.
    """

    first: tuple[Tag, ...]
    second: tuple[Tag, ...]
    kind: PairingKind

    @property
    def is_disagreement(self) -> bool:
        return self.kind is not PairingKind.AGREEMENT

    @property
    def tags(self) -> tuple[Tag, ...]:
        return self.first + self.second

    @property
    def span(self) -> Span:
        """From the start of the first tag to the end of the last."""
        return Span(min(tag.start for tag in self.tags), max(tag.end for tag in self.tags))


def pair_tags(first: Iterable[Tag], second: Iterable[Tag]) -> tuple[Pairing, ...]:
    """Pair the tags of two layers of one document, in order of offset; every tag is in one pairing.

    Tags with the same span and type agree and are taken out first. Of the rest, tags that overlap
    across the layers belong together, directly or through others: one against one differ in type,
    extent or both, more than that is a split or merge. A tag that overlaps none is one-sided.

        first     [John Smith]PATIENT       [May 9]DATE     [Mercy]HOSPITAL
        second    [John]PATIENT [Smith]PATIENT    [May]DATE
                  split or merge              extent          only first
    """
    return tuple(sorted(map(_pairing, group_tags([first, second])), key=_order))


def _pairing(group: Group) -> Pairing:
    first, second = group.sides
    return Pairing(first, second, _kind(group))


def _kind(group: Group) -> PairingKind:
    if group.kind is not Kind.ONE_SIDED:
        return _KINDS[group.kind]
    return PairingKind.ONLY_FIRST if group.sides[0] else PairingKind.ONLY_SECOND


def _order(pairing: Pairing) -> tuple[Span, tuple[int, int, object, str]]:
    return pairing.span, pairing.tags[0].sort_key()
