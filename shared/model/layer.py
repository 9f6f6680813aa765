"""All tags that one annotator gave one document."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import count
from operator import attrgetter

from shared.errors import ModelError
from shared.model.tag import Tag

TAG_ORDER = attrgetter("span.start", "span.end", "phi_type", "id")
"""What `Tag.sort_key` gives, for sorting very many tags."""
_LONGEST_NUMBER = 18
"""Digits: what has more is a name like any other, which no number given here will ever be."""


@dataclass(frozen=True, slots=True)
class Layer:
    """The tags of one annotator on one document, in order of offset, every id once.

    Build it with `Layer.of`, which sorts, and gives an id to every tag that has none. `unknown`
    holds, as XML, the elements of a file that Tandem does not know.
    """

    record_id: str
    annotator: str
    tags: tuple[Tag, ...] = ()
    unknown: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        record_id: str,
        annotator: str,
        tags: Iterable[Tag],
        unknown: Iterable[str] = (),
    ) -> "Layer":
        """Return the layer of these tags.

        Raises ModelError where two tags have one id.
        """
        ordered = sorted(tags, key=TAG_ORDER)
        ids = [tag.id for tag in ordered if tag.id]
        if len(set(ids)) < len(ids):
            twice = next(tag_id for tag_id in ids if ids.count(tag_id) > 1)
            raise ModelError(f"record {record_id}: two tags with the id {twice}")
        return cls(record_id, annotator, tuple(_with_ids(ordered, ids)), tuple(unknown))

    def changed(self, removed: Iterable[str] = (), added: Iterable[Tag] = ()) -> "Layer":
        """Return the layer without the tags of the ids `removed`, and with `added`."""
        gone = set(removed)
        kept = [tag for tag in self.tags if tag.id not in gone]
        return Layer.of(self.record_id, self.annotator, [*kept, *added], self.unknown)

    def next_number(self) -> int:
        """The first n for which neither `P<n>` nor any later one names a tag."""
        return _next_number(tag.id for tag in self.tags)


def number_of(tag_id: str) -> int:
    """The n of an id `P<n>`, -1 of any other."""
    digits = tag_id[1:]
    is_number = tag_id[:1] == "P" and digits.isdecimal() and len(digits) <= _LONGEST_NUMBER
    return int(digits) if is_number else -1


def _next_number(ids: Iterable[str]) -> int:
    return max(map(number_of, ids), default=-1) + 1


def _with_ids(tags: list[Tag], ids: list[str]) -> Iterable[Tag]:
    if len(ids) == len(tags):
        return tags
    numbers = count(_next_number(ids))
    return [tag if tag.id else replace(tag, id=f"P{next(numbers)}") for tag in tags]
