"""Taking up the work that a rescue file holds."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from shared.model import MergedView
from shared.project.edits import Edit, PlacedTag, edit_from_entry
from shared.project.patient_layer import PatientLayer


def take_up(layer: PatientLayer, view: MergedView, entries: Iterable[dict[str, Any]]) -> int:
    """Make the edits of a rescue file anew, each an undo step; returns how many there were.

    A tag whose id was given to another meanwhile gets a new one. Raises KeyError, TypeError or
    ValueError where an entry makes no sense, before anything is changed.
    """
    edits = [edit_from_entry(view, each) for each in entries if "added" in each]
    new_keys: dict[tuple[str, str], PlacedTag] = {}
    for edit in edits:
        removed = tuple(new_keys.get(each.key, each) for each in edit.removed)
        leaving = {each.key for each in edit.removed}
        added = tuple(_placed(layer, each, new_keys, leaving) for each in edit.added)
        layer.apply(Edit(edit.what, removed, added))
    return len(edits)


def _placed(
    layer: PatientLayer,
    placed: PlacedTag,
    new_keys: dict[tuple[str, str], PlacedTag],
    leaving: set[tuple[str, str]],
) -> PlacedTag:
    known = new_keys.get(placed.key)
    if known is None and (placed.key in leaving or layer.find(*placed.key) is None):
        return placed
    fresh = layer.new_tag(placed.span, placed.tag)
    if known is not None and placed.key in leaving:
        fresh = replace(placed, tag_id=known.tag_id, tag=replace(placed.tag, id=known.tag_id))
    new_keys[placed.key] = fresh
    return fresh
