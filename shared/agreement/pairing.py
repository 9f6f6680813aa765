"""Two layers of one document side by side: which tags belong together, and how they differ."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from shared.errors import ModelError
from shared.model import Layer, Span, Tag


class PairingKind(StrEnum):
    """How the two sides of a pairing differ."""

    AGREEMENT = "agreement"
    TYPE = "type"
    EXTENT = "extent"
    TYPE_AND_EXTENT = "type and extent"
    SPLIT_OR_MERGE = "split or merge"
    ONLY_FIRST = "only first"
    ONLY_SECOND = "only second"


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


def pair_layers(first: Layer, second: Layer) -> tuple[Pairing, ...]:
    """Pair the tags of two layers of one document, in order of offset; every tag is in one pairing.

    Tags with the same span and type agree and are taken out first. Of the rest, tags that overlap
    across the layers belong together, directly or through others: one against one differ in type,
    extent or both, more than that is a split or merge. A tag that overlaps none is one-sided.

        first     [John Smith]PATIENT       [May 9]DATE     [Mercy]HOSPITAL
        second    [John]PATIENT [Smith]PATIENT    [May]DATE
                  split or merge              extent          only first

    Raises ModelError where the layers are of two records.
    """
    if first.record_id != second.record_id:
        raise ModelError(f"layers of two records: {first.record_id} and {second.record_id}")
    return pair_tags(first.tags, second.tags)


def pair_tags(first: Iterable[Tag], second: Iterable[Tag]) -> tuple[Pairing, ...]:
    """Pair the tags of two layers of one document, as `pair_layers` does."""
    sides = _by_mark(first), _by_mark(second)
    agreed = sides[0].keys() & sides[1].keys()
    pairings = [
        Pairing(tuple(sides[0][mark]), tuple(sides[1][mark]), PairingKind.AGREEMENT)
        for mark in agreed
    ]
    rest = [
        (tags[0].start, side, tags)
        for side, marks in enumerate(sides)
        for mark, tags in marks.items()
        if mark not in agreed
    ]
    rest.sort(key=lambda node: (node[0], node[1], node[2][0].sort_key()))
    pairings.extend(_pairing(group) for group in _groups(rest))
    return tuple(sorted(pairings, key=_order))


_Node = tuple[int, int, list[Tag]]
"""Start, side (0 or 1), and the tags of one span and type."""


def _by_mark(tags: Iterable[Tag]) -> dict[object, list[Tag]]:
    marks: dict[object, list[Tag]] = {}
    for tag in tags:
        marks.setdefault(tag.mark, []).append(tag)
    return marks


def _groups(nodes: list[_Node]) -> Iterator[list[_Node]]:
    """Yield the nodes that overlap across the sides, directly or through others, together."""
    parents = list(range(len(nodes)))
    open_nodes: tuple[list[int], list[int]] = ([], [])
    for number, (start, side, _) in enumerate(nodes):
        others = [each for each in open_nodes[1 - side] if nodes[each][2][0].end > start]
        open_nodes[1 - side][:] = others
        for each in others:
            parents[_root(parents, each)] = _root(parents, number)
        open_nodes[side].append(number)
    groups: dict[int, list[_Node]] = {}
    for number, node in enumerate(nodes):
        groups.setdefault(_root(parents, number), []).append(node)
    yield from groups.values()


def _root(parents: list[int], number: int) -> int:
    while parents[number] != number:
        parents[number] = parents[parents[number]]
        number = parents[number]
    return number


def _pairing(group: list[_Node]) -> Pairing:
    sides = [[tags for _, side, tags in group if side == wanted] for wanted in (0, 1)]
    first, second = (tuple(tag for tags in side for tag in tags) for side in sides)
    return Pairing(first, second, _kind(*sides))


def _kind(first: list[list[Tag]], second: list[list[Tag]]) -> PairingKind:
    if not second:
        return PairingKind.ONLY_FIRST
    if not first:
        return PairingKind.ONLY_SECOND
    if len(first) > 1 or len(second) > 1:
        return PairingKind.SPLIT_OR_MERGE
    one, other = first[0][0], second[0][0]
    if one.span == other.span:
        return PairingKind.TYPE
    return PairingKind.EXTENT if one.phi_type == other.phi_type else PairingKind.TYPE_AND_EXTENT


def _order(pairing: Pairing) -> tuple[Span, tuple[int, int, object, str]]:
    return pairing.span, pairing.tags[0].sort_key()
