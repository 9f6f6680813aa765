"""The layers of one record put side by side: which tags are about one thing, how they differ."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, TypeVar

from shared.errors import ModelError
from shared.model import Layer, PhiType, Span, Tag
from shared.text.overlaps import clusters_of_overlaps

TagMark = tuple[Span, PhiType]
"""Where and as what: all that is compared of a tag."""

Item = TypeVar("Item")

AlignedTags = tuple[tuple[Tag, ...], ...]
"""The tags of each annotator about one thing, in order of offset."""


class DifferenceKind(StrEnum):
    """How the sides of a cluster differ."""

    AGREEMENT = "agreement"
    ONE_SIDED = "one-sided"
    """Somebody has no tag there, and all others say the same."""
    TYPE = "type"
    EXTENT = "extent"
    TYPE_AND_EXTENT = "type and extent"
    SPLIT_OR_MERGE = "split or merge"


@dataclass(frozen=True, slots=True)
class TagCluster:
    """Tags about one stretch of text; `marks` are what each side says by them, twice the same once.

    Tags of one side with the same span and type say one thing twice and stay together.
    """

    kind: DifferenceKind
    sides: AlignedTags
    marks: tuple[tuple[TagMark, ...], ...]

    @property
    def span(self) -> Span:
        """From the start of the first tag to the end of the last."""
        tags = [tag for side in self.sides for tag in side]
        return Span(min(tag.start for tag in tags), max(tag.end for tag in tags))


class _MarkNode(NamedTuple):
    """The tags of one side with one span and type, in the order in which they are gone through."""

    start: int
    side: int
    end: int
    phi_type: PhiType
    tag_id: str
    tags: tuple[Tag, ...]


def align_layers(layers: Sequence[Layer]) -> Iterator[TagCluster]:
    """Yield the clusters of two or more layers of one record; every tag is in one of them.

    A span that all give the same type is an agreement. Of the rest, tags that overlap across the
    sides belong together, directly or through others.

        first     [John Smith]PATIENT       [May 9]DATE     [Mercy]HOSPITAL
        second    [John]PATIENT [Smith]PATIENT    [May]DATE
        third     [John Smith]PATIENT             [May]DATE     [Mercy]HOSPITAL
                  split or merge              extent          one-sided

    Raises ModelError where the layers are of several records.
    """
    if len({each.record_id for each in layers}) > 1:
        raise ModelError(f"layers of two records: {layers[0].record_id} and {layers[-1].record_id}")
    return align_tags([layer.tags for layer in layers])


def align_tags(sides: Sequence[Iterable[Tag]]) -> Iterator[TagCluster]:
    """Yield the clusters of the tags of two or more sides, as `align_layers` does."""
    rest: list[_MarkNode] = []
    for tags in _by_mark(sides):
        if all(tags):
            yield TagCluster(DifferenceKind.AGREEMENT, tags, ((tags[0][0].mark,),) * len(tags))
        else:
            rest += [_node(number, side) for number, side in enumerate(tags) if side]
    for cluster in clusters_of_overlaps(sorted(rest)):
        for nodes in _joined(cluster, len(sides)):
            yield _tag_cluster(nodes, len(sides))


def kind_of(sides: Sequence[Sequence[TagMark]]) -> DifferenceKind:
    """Say how sides differ that are about one thing."""
    said = unique(tuple(side) for side in sides if side)
    if len(said) == 1:
        return DifferenceKind.AGREEMENT if all(sides) else DifferenceKind.ONE_SIDED
    if any(len(marks) > 1 for marks in said):
        return DifferenceKind.SPLIT_OR_MERGE
    spans, types = zip(*(marks[0] for marks in said), strict=True)
    if len(unique(spans)) == 1:
        return DifferenceKind.TYPE
    return DifferenceKind.EXTENT if len(unique(types)) == 1 else DifferenceKind.TYPE_AND_EXTENT


def unique(some: Iterable[Item]) -> list[Item]:
    """Each of a few things once, in order; comparing them takes less than hashing them."""
    found: list[Item] = []
    for each in some:
        if each not in found:
            found.append(each)
    return found


def _by_mark(sides: Sequence[Iterable[Tag]]) -> Iterator[AlignedTags]:
    """Yield the tags of one span and type, side by side."""
    found: dict[tuple[int, int, PhiType], list[tuple[Tag, ...]]] = {}
    none: list[tuple[Tag, ...]] = [()] * len(sides)
    for number, tags in enumerate(sides):
        for tag in tags:
            span = tag.span
            at = found.setdefault((span.start, span.end, tag.phi_type), none)
            if at is none:
                at = found[span.start, span.end, tag.phi_type] = list(none)
            at[number] += (tag,)
    return map(tuple, found.values())


def _node(side: int, tags: tuple[Tag, ...]) -> _MarkNode:
    first = tags[0]
    return _MarkNode(first.span.start, side, first.span.end, first.phi_type, first.id, tags)


def _tag_cluster(nodes: Sequence[_MarkNode], number: int) -> TagCluster:
    sides: list[tuple[Tag, ...]] = [()] * number
    marks: list[tuple[TagMark, ...]] = [()] * number
    for node in nodes:
        sides[node.side] += node.tags
        marks[node.side] += (node.tags[0].mark,)
    return TagCluster(kind_of(marks), tuple(sides), tuple(marks))


def _joined(nodes: Sequence[_MarkNode], number: int) -> Iterator[Sequence[_MarkNode]]:
    """Yield what belongs together of nodes that lie without a gap, since sides join only others."""
    if len(nodes) <= 1:
        yield from [nodes] * len(nodes)
        return
    parents = list(range(len(nodes)))
    reaching: list[list[int]] = [[] for _ in range(number)]
    for at, node in enumerate(nodes):
        for side, before in enumerate(reaching):
            if side != node.side:
                before[:] = [each for each in before if nodes[each].end > node.start]
                for each in before:
                    parents[_root(parents, each)] = _root(parents, at)
        reaching[node.side].append(at)
    groups: dict[int, list[_MarkNode]] = {}
    for at, node in enumerate(nodes):
        groups.setdefault(_root(parents, at), []).append(node)
    yield from groups.values()


def _root(parents: list[int], number: int) -> int:
    while parents[number] != number:
        parents[number] = parents[parents[number]]
        number = parents[number]
    return number
