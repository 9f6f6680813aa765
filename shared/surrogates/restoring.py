"""The originals put back into released records, by the map of their release."""

import hashlib
from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Any

from shared.errors import RequestError

MapRow = Mapping[str, Any]
"""A row of a map: a record, the name it was released under, a place of it and what stood there."""


def digest_of(text: str) -> str:
    """What a text is known by, so that another is not taken for it."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def restored(texts: Mapping[str, str], rows: Iterable[MapRow]) -> dict[str, str]:
    """Return the texts of released records, by their own names, with the originals in place.

    `texts` are those of the release by the names in it; one without PHI has no row and stays.
    Raises RequestError where a record is missing, or does not come out as it was.
    """
    found = dict(texts)
    ordered = sorted(rows, key=lambda row: (row["released_as"], row["start"]))
    for name, own in groupby(ordered, key=lambda row: row["released_as"]):
        if name not in found:
            raise RequestError(f"record {name} of the map is not in the release")
        several = list(own)
        text = _restored(found.pop(name), several)
        if text is None or digest_of(text) != several[0].get("source"):
            raise RequestError(
                f"record {name} is not as it was released with this map, or the map was kept for "
                "surrogates, which lead back to the words but not to every letter"
            )
        found[several[0]["record"]] = text
    return found


def _restored(text: str, rows: Iterable[MapRow]) -> str | None:
    """The text with its originals, None where something else stands than the map says."""
    pieces: list[str] = []
    at = moved = 0
    for row in rows:
        start = row["start"] + moved
        end = start + len(row["surrogate"])
        if start < at or text[start:end] != row["surrogate"]:
            return None
        pieces += (text[at:start], row["original"])
        at, moved = end, moved + len(row["surrogate"]) - len(row["original"])
    return "".join((*pieces, text[at:]))
