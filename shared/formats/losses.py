"""What a format could not carry: what was written is read again and compared, tag by tag."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from shared.formats.base import Feature, FileFormat, Loss, Record
from shared.formats.tag_pieces import PIECE_OF
from shared.model import Layer, Origin, Tag

_RECORDS, _TYPES = "records", "types"
_KEYS: tuple[Callable[[Tag], Hashable], ...] = (
    lambda tag: (tag, tag.id),
    lambda tag: tag,  # whatever its id
    lambda tag: (tag.mark, tag.id),
    lambda tag: tag.mark,
)
"""By what a tag is taken to be what is left of another, the surest first."""


@dataclass(frozen=True, slots=True)
class LossReport:
    """Everything that was dropped or changed on the way from one format into another."""

    losses: tuple[Loss, ...]

    def rows(self) -> list[tuple[str, str, int, int]]:
        """What, dropped or changed, how often, in how many records; the most frequent first."""
        count = Counter((str(each.what), _done(each)) for each in self.losses)
        records = Counter({(str(each.what), _done(each), each.record_id) for each in self.losses})
        return [
            (what, done, times, sum((what, done) == key[:2] for key in records))
            for (what, done), times in count.most_common()
        ]

    def as_json(self) -> list[dict[str, Any]]:
        """One entry for each tag, or for each record where it is of no tag."""
        return [
            {"record": each.record_id, "tag": each.tag_id, "what": str(each.what),
             "done": _done(each)}
            for each in self.losses
        ]  # fmt: skip


def find_losses(
    records: Iterable[Record], written: Iterable[Record], target: FileFormat
) -> LossReport:
    """Compare records with what `target`, in which they were written, gives back of them.

    What the readers of the first had to leave is in the report as well.
    """
    back = {each.document.record_id: each for each in written}
    found: list[Loss] = []
    for each in records:
        there = back.get(each.document.record_id)
        lost = [Loss(each.document.record_id, "", _RECORDS)]
        found += (*each.lost, *(_of_record(each, there, target) if there else lost))
    return LossReport(tuple(found))


def _done(loss: Loss) -> str:
    return "dropped" if loss.is_dropped else "changed"


def _of_record(record: Record, there: Record, target: FileFormat) -> Iterator[Loss]:
    record_id = record.document.record_id
    if record.document.text != there.document.text:
        yield Loss(record_id, "", Feature.CHARACTERS, is_dropped=False)
    for what, before, after in (
        (Feature.DATES, record.date, there.date),
        (Feature.KINDS, record.kind, there.kind),
    ):
        if before != after:
            yield Loss(record_id, "", what, is_dropped=not after)
    by_name = {each.annotator: each for each in there.layers}
    for layer in record.layers:
        found = there.layer if len(record.layers) == 1 else by_name.get(layer.annotator)
        if found is None:
            yield from (Loss(record_id, tag.id, Feature.LAYERS) for tag in layer.tags)
        else:
            if layer.annotator and layer.annotator != found.annotator:
                yield Loss(record_id, "", Feature.LAYERS, is_dropped=False)
            yield from _of_layer(layer, found, record.document.text, target)


def _of_layer(layer: Layer, there: Layer, text: str, target: FileFormat) -> Iterator[Loss]:
    for tag, found in _pairs(layer.tags, there.tags):
        if found is None:
            yield Loss(layer.record_id, tag.id, _why_dropped(tag, layer, text, target))
        else:
            yield from _of_tag(layer.record_id, tag, found)
    gone = Counter(layer.unknown) - Counter(there.unknown)
    yield from (Loss(layer.record_id, "", Feature.ELEMENTS) for _ in gone.elements())


def _pairs(tags: Iterable[Tag], there: Iterable[Tag]) -> Iterator[tuple[Tag, Tag | None]]:
    """Pair each tag with what is left of it: the same, of the same place, or one that overlaps."""
    tags, left = list(tags), list(there)
    for key in _KEYS:
        by_key: dict[Hashable, list[Tag]] = {}
        for each in left:
            by_key.setdefault(key(each), []).append(each)
        unpaired: list[Tag] = []
        for tag in tags:
            same = by_key.get(key(tag))
            if same:
                yield tag, same.pop(0)
            else:
                unpaired.append(tag)
        tags, left = unpaired, [each for some in by_key.values() for each in some]
    for tag in tags:
        found = next((each for each in left if each.span.overlaps(tag.span)), None)
        if found is not None:
            left.remove(found)
        yield tag, found


def _why_dropped(tag: Tag, layer: Layer, text: str, target: FileFormat) -> Feature:
    """The feature that the format would have needed; tags as such where none explains it."""
    others = (each for each in layer.tags if each.id != tag.id)
    if Feature.TAGS not in target.features:
        return Feature.TAGS
    if Feature.OVERLAPS not in target.features and any(tag.span.overlaps(o.span) for o in others):
        return Feature.OVERLAPS
    said = tag.span.text_in(text)
    is_blank = Feature.BLANK_EDGES not in target.features and said != said.strip()
    return Feature.BLANK_EDGES if is_blank else Feature.TAGS


def _of_tag(record_id: str, tag: Tag, found: Tag) -> Iterator[Loss]:
    for what, before, after, nothing in (
        (Feature.BLANK_EDGES, tag.span, found.span, None),
        (_TYPES, tag.phi_type, found.phi_type, None),
        (Feature.IDS, tag.id, found.id, ""),
        (Feature.COMMENTS, tag.comment, found.comment, ""),
        (Feature.ORIGIN, tag.origin, found.origin, Origin.IMPORT),
        (Feature.CONFIDENCE, tag.confidence, found.confidence, None),
    ):
        if before != after:
            yield Loss(record_id, tag.id, what, is_dropped=after == nothing)
    there = dict(found.attributes)
    for name, value in tag.attributes:
        if there.get(name) != value:
            what = Feature.PIECES if name == PIECE_OF else Feature.ATTRIBUTES
            yield Loss(record_id, tag.id, what, is_dropped=name not in there)
