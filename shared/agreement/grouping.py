"""The layers of one record side by side: which tags are about one thing, and how they differ."""

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

Sides = tuple[tuple[Tag, ...], ...]
"""The tags of each annotator about one thing, in order of offset."""


class Kind(StrEnum):
    """How the sides of a group differ."""

    AGREEMENT = "agreement"
    ONE_SIDED = "one-sided"
    """Somebody has no tag there, and all others say the same."""
    TYPE = "type"
    EXTENT = "extent"
    TYPE_AND_EXTENT = "type and extent"
    SPLIT_OR_MERGE = "split or merge"


@dataclass(frozen=True, slots=True)
class Group:
    """Tags about one stretch of text; `marks` are what each side says by them, twice the same once.

    Tags of one side with the same span and type say one thing twice and stay together.
    """

    kind: Kind
    sides: Sides
    marks: tuple[tuple[TagMark, ...], ...]


class _Node(NamedTuple):
    """The tags of one side with one span and type, in the order in which they are gone through."""

    start: int
    side: int
    end: int
    phi_type: PhiType
    tag_id: str
    tags: tuple[Tag, ...]


def group_layers(layers: Sequence[Layer]) -> Iterator[Group]:
    """Yield the groups of two or more layers of one record; every tag is in one of them.

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
    return group_tags([layer.tags for layer in layers])


def group_tags(sides: Sequence[Iterable[Tag]]) -> Iterator[Group]:
    """Yield the groups of the tags of two or more sides, as `group_layers` does."""
    rest: list[_Node] = []
    for tags in _by_mark(sides):
        if all(tags):
            yield Group(Kind.AGREEMENT, tags, ((tags[0][0].mark,),) * len(tags))
        else:
            rest += [_node(number, side) for number, side in enumerate(tags) if side]
    for cluster in clusters_of_overlaps(sorted(rest)):
        for nodes in _joined(cluster, len(sides)):
            yield _group(nodes, len(sides))


def kind_of(sides: Sequence[Sequence[TagMark]]) -> Kind:
    """Say how sides differ that are about one thing."""
    said = once(tuple(side) for side in sides if side)
    if len(said) == 1:
        return Kind.AGREEMENT if all(sides) else Kind.ONE_SIDED
    if any(len(marks) > 1 for marks in said):
        return Kind.SPLIT_OR_MERGE
    spans, types = zip(*(marks[0] for marks in said), strict=True)
    if len(once(spans)) == 1:
        return Kind.TYPE
    return Kind.EXTENT if len(once(types)) == 1 else Kind.TYPE_AND_EXTENT


def once(some: Iterable[Item]) -> list[Item]:
    """Each of a few things once, in order; comparing them takes less than hashing them."""
    found: list[Item] = []
    for each in some:
        if each not in found:
            found.append(each)
    return found


def _by_mark(sides: Sequence[Iterable[Tag]]) -> Iterator[Sides]:
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


def _node(side: int, tags: tuple[Tag, ...]) -> _Node:
    first = tags[0]
    return _Node(first.span.start, side, first.span.end, first.phi_type, first.id, tags)


def _group(nodes: Sequence[_Node], number: int) -> Group:
    sides: list[tuple[Tag, ...]] = [()] * number
    marks: list[tuple[TagMark, ...]] = [()] * number
    for node in nodes:
        sides[node.side] += node.tags
        marks[node.side] += (node.tags[0].mark,)
    return Group(kind_of(marks), tuple(sides), tuple(marks))


def _joined(nodes: Sequence[_Node], number: int) -> Iterator[Sequence[_Node]]:
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
    groups: dict[int, list[_Node]] = {}
    for at, node in enumerate(nodes):
        groups.setdefault(_root(parents, at), []).append(node)
    yield from groups.values()


def _root(parents: list[int], number: int) -> int:
    while parents[number] != number:
        parents[number] = parents[parents[number]]
        number = parents[number]
    return number
