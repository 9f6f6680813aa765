"""The layers of one record side by side: which tags are about one thing, and how the sides differ.

What `shared.agreement.pairing` does for two layers, for any number of them.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

from shared.errors import ModelError
from shared.model import Layer, PhiType, Span, Tag

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
    """Tags about one stretch of text; `marks` are what each side says by them."""

    kind: Kind
    sides: Sides
    marks: tuple[tuple[TagMark, ...], ...]


@dataclass(frozen=True, slots=True)
class _Node:
    """The tags of one side with one span and type."""

    side: int
    tags: tuple[Tag, ...]

    @property
    def start(self) -> int:
        return self.tags[0].start

    @property
    def end(self) -> int:
        return self.tags[0].end


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
    rest: list[_Node] = []
    for mark, sides in _by_mark(layers).items():
        if all(sides):
            tags = tuple(tuple(side) for side in sides)
            yield Group(Kind.AGREEMENT, tags, ((mark,),) * len(sides))
        else:
            rest.extend(_Node(number, tuple(side)) for number, side in enumerate(sides) if side)
    for nodes in _together(sorted(rest, key=_place), len(layers)):
        yield _group(nodes, len(layers))


def kind_of(sides: Sequence[Sequence[TagMark]]) -> Kind:
    """Say how sides differ that are about one thing."""
    said = once(tuple(side) for side in sides if side)
    if len(said) == 1:
        return Kind.AGREEMENT if all(sides) else Kind.ONE_SIDED
    if any(len(marks) > 1 for marks in said):
        return Kind.SPLIT_OR_MERGE
    spans, types = zip(*(marks[0] for marks in said), strict=True)
    if len(set(spans)) == 1:
        return Kind.TYPE
    return Kind.EXTENT if len(set(types)) == 1 else Kind.TYPE_AND_EXTENT


def once(some: Iterable[Item]) -> list[Item]:
    """Each of a few things once, in order; comparing them takes less than hashing them."""
    found: list[Item] = []
    for each in some:
        if each not in found:
            found.append(each)
    return found


def _by_mark(layers: Sequence[Layer]) -> dict[TagMark, list[list[Tag]]]:
    """The tags of each layer by what they say; marks are hashed once, since that is what costs."""
    marks: dict[TagMark, list[list[Tag]]] = {}
    for number, layer in enumerate(layers):
        for tag in layer.tags:
            mark = tag.mark
            sides = marks.get(mark)
            if sides is None:
                sides = marks[mark] = [[] for _ in layers]
            sides[number].append(tag)
    return marks


def _marks(tags: Iterable[Tag]) -> tuple[TagMark, ...]:
    """What tags say, twice the same once."""
    return tuple(once(tag.mark for tag in tags))


def _place(node: _Node) -> tuple[int, int, object]:
    return node.start, node.side, node.tags[0].sort_key()


def _group(nodes: Iterable[_Node], number: int) -> Group:
    sides: list[list[Tag]] = [[] for _ in range(number)]
    for node in nodes:
        sides[node.side].extend(node.tags)
    marks = tuple(map(_marks, sides))
    return Group(kind_of(marks), tuple(map(tuple, sides)), marks)


def _together(nodes: Sequence[_Node], number: int) -> Iterator[list[_Node]]:
    """Yield the nodes that overlap across the sides, directly or through others, together."""
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
