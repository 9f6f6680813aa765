"""The edits of a rescue file, as they are to be made on tags that may have changed meanwhile.

A tag that is there already is not made twice, one whose id was given to another gets a new one, and
one that is there no more, or is another by now, is not removed.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from shared.model import MergedView
from shared.project.edits import Edit, PlacedTag, edit_from_entry
from shared.project.patient_layer import PatientLayer

TagKey = tuple[str, str]
"""Record and id of a tag."""


class RescuedEntry(NamedTuple):
    """A line of a rescue file, the edit that it comes to, None where it is none, and new ids.

    The `ids` are those that tags of this line, and of those before it, have now.
    """

    line: dict[str, Any]
    edit: Edit | None
    ids: dict[TagKey, str]


def rescued_entries(
    layer: PatientLayer, view: MergedView, lines: Iterable[dict[str, Any]]
) -> Iterator[RescuedEntry]:
    """Yield each line with what it comes to after those before it were carried out.

    Raises KeyError, TypeError or ValueError where a line makes no sense, before it yields any.
    """
    read = [(line, edit_from_entry(view, line) if "added" in line else None) for line in lines]
    known: dict[TagKey, PlacedTag] = {}
    for line, edit in read:
        now = None if edit is None else _as_it_is_now(layer, edit, known)
        yield RescuedEntry(line, now, {key: each.tag_id for key, each in known.items()})


def _as_it_is_now(layer: PatientLayer, edit: Edit, known: dict[TagKey, PlacedTag]) -> Edit:
    wanted = (known.get(each.key, each) for each in edit.removed)
    removed = tuple(each for each in wanted if _is_there(layer, each))
    leaving = {each.key for each in removed}
    added: list[PlacedTag] = []
    for each in edit.added:
        there = _found(layer, each, leaving)
        if there is None:
            there = _with_free_id(layer, each, known.get(each.key), leaving)
            added.append(there)
        known[each.key] = there
    return Edit(edit.what, removed, tuple(added))


def _is_there(layer: PatientLayer, placed: PlacedTag) -> bool:
    found = layer.find(*placed.key)
    return found is not None and found.tag.mark == placed.tag.mark


def _found(layer: PatientLayer, placed: PlacedTag, leaving: set[TagKey]) -> PlacedTag | None:
    """The tag that says the same at the same place, and stays."""
    there = (each for each in layer.tags.on(placed.start, placed.end) if each.key not in leaving)
    return next((each for each in there if each.phi_type == placed.phi_type), None)


def _with_free_id(
    layer: PatientLayer, placed: PlacedTag, before: PlacedTag | None, leaving: set[TagKey]
) -> PlacedTag:
    """The tag with the id of the one that it replaces, else its own, else a new one."""
    if before is not None and before.key in leaving:
        return replace(placed, tag_id=before.tag_id, tag=replace(placed.tag, id=before.tag_id))
    if placed.key in leaving or layer.find(*placed.key) is None:
        return placed
    return layer.new_tag(placed.span, placed.tag)
