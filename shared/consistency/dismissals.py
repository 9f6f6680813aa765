"""Findings that somebody has dismissed: which, why, and how to know them again.

A dismissed finding stays away as long as the record reads the same around it. What is kept of the
text is a digest.
"""

import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from shared.consistency.findings import TAG_KINDS, Finding, FindingKind, FindingLocation
from shared.model import Document, Span

DISMISSED = "dismissed"
"""The folder of a project that holds them: a file for each layer, one entry per line."""
LEAK = "leak"
"""In place of a kind: what is left in a record is no PHI."""
UNTAGGED = "untagged"
"""What all kinds ask that are about no tag: whether the place needs one."""
_AROUND = 40
_TAKEN_BACK = "taken back"
"""In place of the kind, where a dismissal is taken back."""


@dataclass(frozen=True, slots=True)
class DismissalKey:
    """What a finding is known by: where, what it asks, and the digest of the text around it.

    It asks UNTAGGED, however it was found: who says that there is no tag means every list. What is
    about a tag asks its own kind, and what holds a release up LEAK. `kind` is the FindingKind by
    which it was shown, or LEAK.
    """

    place: FindingLocation
    asks: str
    around: str
    kind: str = field(compare=False)


@dataclass(frozen=True, slots=True)
class Dismissal:
    """A dismissed finding of one layer (gold, or an annotator's): who, when (ISO 8601) and why."""

    key: DismissalKey
    layer: str
    who: str
    when: str
    reason: str

    @classmethod
    def now(cls, key: DismissalKey, layer: str, who: str, reason: str) -> "Dismissal":
        return cls(key, layer, who, datetime.now(UTC).isoformat(timespec="seconds"), reason)

    def as_entry(self) -> dict[str, Any]:
        """The entry for the file of dismissals."""
        return {
            "record": self.key.place.record_id,
            "start": self.key.place.span.start,
            "end": self.key.place.span.end,
            "kind": str(self.key.kind),
            "around": self.key.around,
            "layer": self.layer,
            "who": self.who,
            "when": self.when,
            "reason": self.reason,
        }

    def as_taken_back(self) -> dict[str, Any]:
        """The entry that says that it is dismissed no more; an older Tandem passes it over."""
        entry = self.as_entry()
        return {_TAKEN_BACK: entry.pop("kind"), **entry}


def dismissals_path(root: Path, layer: str) -> Path:
    """The file of the dismissals of a layer; nobody but who works on the layer writes it."""
    return root / DISMISSED / f"{layer}.jsonl"


def dismissal_key(finding: Finding, document: Document) -> DismissalKey:
    """Return what a finding in this document is known by."""
    return dismissal_key_at(finding.place, finding.kind, document)


def dismissal_key_at(place: FindingLocation, kind: str, document: Document) -> DismissalKey:
    """Return what a finding of a kind at a place of this document is known by."""
    span = place.span
    around = document.text[max(0, span.start - _AROUND) : span.end + _AROUND]
    digest = hashlib.sha256(around.encode("utf-8", "surrogatepass")).hexdigest()
    return DismissalKey(place, _asked(kind), digest, kind)


def _asked(kind: str) -> str:
    """Raises ValueError for what is no kind."""
    return kind if kind == LEAK or FindingKind(kind) in TAG_KINDS else UNTAGGED


def read_dismissals(entries: Iterable[Mapping[str, Any]], layer: str) -> Iterator[Dismissal]:
    """Yield the dismissals of a layer from the entries of the file, less those taken back.

    What is none is skipped.
    """
    found: dict[DismissalKey, Dismissal] = {}
    for entry in entries:
        try:
            each = _dismissal(entry, str(entry.get(_TAKEN_BACK) or entry["kind"]))
        except (KeyError, TypeError, ValueError):
            continue
        if each.layer == layer:
            found.pop(each.key, None)
            if _TAKEN_BACK not in entry:
                found[each.key] = each
    yield from found.values()


def _dismissal(entry: Mapping[str, Any], kind: str) -> Dismissal:
    span = Span(int(entry["start"]), int(entry["end"]))
    place = FindingLocation(str(entry["record"]), span)
    return Dismissal(
        DismissalKey(place, _asked(kind), str(entry["around"]), kind),
        str(entry["layer"]),
        str(entry.get("who", "")),
        str(entry.get("when", "")),
        str(entry.get("reason", "")),
    )


def without_dismissed(
    findings: Iterable[Finding],
    documents: Iterable[Document],
    dismissed: Collection[DismissalKey],
) -> tuple[Finding, ...]:
    """Return the findings that nobody has dismissed."""
    if not dismissed:
        return tuple(findings)
    by_id = {each.record_id: each for each in documents}
    return tuple(
        each for each in findings if dismissal_key(each, by_id[each.record_id]) not in dismissed
    )


def places_without_tag(
    documents: Iterable[Document], dismissed: Iterable[DismissalKey]
) -> Iterator[FindingLocation]:
    """Yield where somebody said that there is no tag, and the text around is what it was."""
    by_id = {each.record_id: each for each in documents}
    for key in dismissed:
        document = by_id.get(key.place.record_id) if key.asks == UNTAGGED else None
        if document and dismissal_key_at(key.place, key.kind, document) == key:
            yield key.place
