"""Audits of a gold standard: which records were drawn to be read in full, and what was found.

`audit/audits.jsonl` of the project is only ever added to, so that nobody draws until it suits:

{"op": "draw", "draw": "9f…", "by": "carol", "at": …, "tags": "hidden", "seed": null,
 "records": ["110-02", …], "archive": {"110-01": "5e…", …}}
{"op": "read", "draw": "9f…", "by": "carol", "at": …, "record": "110-02", "before": "5e…",
 "left": [[12, 19, "NAME", "DOCTOR"]], "none": 0, "known": 8, "seen": 7}
{"op": "edited", "draw": "9f…", "record": "110-02", "after": "77…"}    what was left is in gold now

A record's hash is that of its tags in the gold standard; no text is kept. `left` is PHI that the
gold standard did not cover, `none` counts what the reader marked and then said is none, `known` the
tags of the gold standard and `seen` those that a reader who saw none of them marked too.
"""

import json
import secrets
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any

from shared.errors import FileFormatError, RequestError
from shared.metrics.alignment import TagMark
from shared.model import Document, Layer
from shared.outside import MALFORMED
from shared.project.files import digest_of
from shared.project.gold_remarks import marks_from_entry, marks_to_entry
from shared.project.journal import append_to_journal, read_journal
from shared.project.project import Project
from shared.project.settings import GOLD
from shared.risk.bounds import SampleBound, sample_bound
from shared.risk.readers import is_covered

HIDDEN, SHOWN = "hidden", "shown"
Watch = Callable[[Collection[str]], Iterable[str]]


@dataclass(frozen=True, slots=True)
class AuditDraw:
    """Records drawn at random from an archive, in the order in which they came.

    `archive` are all adjudicated records of that time, each with the hash of its gold standard.
    """

    draw_id: str
    by: str
    at: str
    tags: str
    seed: int | None
    record_ids: tuple[str, ...]
    archive: Mapping[str, str] = field(repr=False)

    def as_entry(self) -> dict[str, object]:
        return {
            "op": "draw", "draw": self.draw_id, "by": self.by, "at": self.at, "tags": self.tags,
            "seed": self.seed, "records": list(self.record_ids), "archive": dict(self.archive),
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class AuditReading:
    """A record that somebody read to its end; `left` is what the gold standard did not cover."""

    record_id: str
    by: str
    at: str
    before: str
    left: tuple[TagMark, ...] = ()
    none: int = 0
    known: int = 0
    seen: int = 0

    def as_entry(self, draw_id: str) -> dict[str, object]:
        return {
            "op": "read", "draw": draw_id, "by": self.by, "at": self.at, "record": self.record_id,
            "before": self.before, "left": marks_to_entry(self.left), "none": self.none,
            "known": self.known, "seen": self.seen,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Audit:
    """A draw with what was read of it so far; of a record read twice every reading counts."""

    draw: AuditDraw
    readings: tuple[AuditReading, ...]
    expected: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    """The hashes of what was read, as the audit left its gold standard."""

    @property
    def read(self) -> frozenset[str]:
        return frozenset(each.record_id for each in self.readings)

    @property
    def unread(self) -> list[str]:
        return [each for each in self.draw.record_ids if each not in self.read]

    @property
    def with_phi(self) -> frozenset[str]:
        """The records that had PHI left when they were read."""
        return frozenset(each.record_id for each in self.readings if each.left)

    @property
    def found(self) -> int:
        """How much PHI was left in them."""
        return len({(each.record_id, *mark) for each in self.readings for mark in each.left})

    @property
    def bound(self) -> SampleBound:
        """The bound on records with PHI left; what was not read counts as such a record."""
        bad = len(self.with_phi) + len(self.unread)
        return sample_bound(bad, len(self.draw.record_ids), len(self.draw.archive))


@dataclass(frozen=True, slots=True)
class AuditStanding:
    """An audit beside the gold standard as it is now, by record ids.

    `mended` changed between the draw and the reading, `changed` after that or, of what was not
    read, since the draw; `new` could not be drawn; `pending` lacks what was found in it.
    """

    audit: Audit
    mended: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    new: tuple[str, ...] = ()
    pending: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GoldRecord:
    """A record of the gold standard as it is now."""

    patient_id: str
    document: Document = field(repr=False)
    layer: Layer = field(repr=False)

    @property
    def digest(self) -> str:
        return gold_digest(self.layer)

    def covers(self, mark: TagMark) -> bool:
        return is_covered(mark[0], self.document, (each.span for each in self.layer.tags))


def gold_digest(layer: Layer) -> str:
    """A hash of the tags of a record: which places are which types, whatever their ids."""
    marks = sorted(marks_to_entry(each.mark for each in layer.tags))
    return digest_of(json.dumps(marks).encode())[:16]


def adjudicated_records(project: Project, watch: Watch = iter) -> dict[str, GoldRecord]:
    """All records of the patients that are adjudicated, by id. Raises FileError."""
    found: dict[str, GoldRecord] = {}
    for patient_id in watch(project.patient_ids):
        if project.is_adjudicated(patient_id):
            for each in project.patient(patient_id).documents:
                layer = project.read_layer(GOLD, each).layer
                found[each.record_id] = GoldRecord(patient_id, each, layer)
    return found


class AuditBook:
    """The audits of a project. All methods may raise FileError."""

    def __init__(self, project: Project) -> None:
        self._path = audit_folder(project) / "audits.jsonl"

    def audits(self) -> list[Audit]:
        """All of them in the order in which they were drawn."""
        audits: dict[str, Audit] = {}
        for number, line in enumerate(read_journal(self._path), start=1):
            try:
                if line["op"] == "draw":
                    draw = _draw_from_entry(line)
                    audits.setdefault(draw.draw_id, Audit(draw, ()))
                else:
                    audits[line["draw"]] = _with_line(audits[line["draw"]], line)
            except MALFORMED:
                raise FileFormatError(
                    self._path, f"line {number} is not as Tandem writes audits; restore the file"
                ) from None
        return list(audits.values())

    def latest(self) -> Audit | None:
        audits = self.audits()
        return audits[-1] if audits else None

    def draw(
        self, archive: Mapping[str, GoldRecord], size: int, by: str, tags: str, seed: int | None
    ) -> AuditDraw:
        """Draw records at random and keep which. Raises RequestError where there are too few."""
        if not 1 <= size <= len(archive):
            raise RequestError(
                f"{size} of {len(archive)} adjudicated records cannot be drawn; give 1 to "
                f"{len(archive)}"
                if archive
                else "no record is adjudicated yet; there is nothing to audit"
            )
        chance = Random(seed) if seed is not None else secrets.SystemRandom()
        drawn = chance.sample(sorted(archive), size)
        known = {record_id: each.digest for record_id, each in archive.items()}
        new = AuditDraw(secrets.token_hex(8), by, _now(), tags, seed, tuple(drawn), known)
        self._append(new.as_entry())
        return new

    def keep(self, draw: AuditDraw, reading: AuditReading) -> None:
        self._append(reading.as_entry(draw.draw_id))

    def keep_edited(self, draw: AuditDraw, record: GoldRecord) -> None:
        """Keep what the gold standard of a record is once what was left is in it."""
        entry = {"op": "edited", "draw": draw.draw_id, "record": record.document.record_id}
        self._append(entry | {"after": record.digest})

    def _append(self, entry: Mapping[str, object]) -> None:
        append_to_journal(self._path, [entry], "tandem audit")


def audit_folder(project: Project) -> Path:
    return project.root / "audit"


def new_reading(
    record: GoldRecord, by: str, marked: Collection[TagMark], none: Collection[TagMark], tags: str
) -> AuditReading:
    """What reading a record to its end came to: what was marked, and of that what is no PHI."""
    spans = [span for span, _ in marked] if tags == HIDDEN else []
    known = record.layer.tags
    return AuditReading(
        record.document.record_id,
        by,
        _now(),
        record.digest,
        tuple(each for each in marked if each not in none and not record.covers(each)),
        len(none),
        len(known),
        sum(is_covered(each.span, record.document, spans) for each in known),
    )


def standing(audit: Audit, now: Mapping[str, GoldRecord]) -> AuditStanding:
    """How an audit stands to the gold standard as it is now."""
    drawn = audit.draw.archive
    digests = {record_id: each.digest for record_id, each in now.items()}
    expected = {**drawn, **audit.expected}
    left = [(now[each.record_id], mark)
            for each in audit.readings if each.record_id in now for mark in each.left]  # fmt: skip
    return AuditStanding(
        audit,
        _names(each.record_id for each in audit.readings if each.before != drawn[each.record_id]),
        _names(each for each, digest in expected.items() if digests.get(each) != digest),
        _names(each for each in now if each not in drawn),
        _names(each.document.record_id for each, mark in left if not each.covers(mark)),
    )


def _names(record_ids: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(set(record_ids)))


def _with_line(audit: Audit, line: Mapping[str, Any]) -> Audit:
    """An audit with what a line of its file says of one of its records."""
    record_id = str(line["record"])
    if record_id not in audit.draw.record_ids:
        raise ValueError("a record that was not drawn")
    if line["op"] == "edited":
        return replace(audit, expected={**audit.expected, record_id: str(line["after"])})
    if line["op"] != "read":
        raise ValueError("no line of an audit")
    new = _reading_from_entry(line)
    expected = {**audit.expected, record_id: new.before}
    return replace(audit, readings=(*audit.readings, new), expected=expected)


def _draw_from_entry(line: Mapping[str, Any]) -> AuditDraw:
    archive = {str(key): str(value) for key, value in line["archive"].items()}
    records = tuple(map(str, line["records"]))
    if line["tags"] not in (HIDDEN, SHOWN) or not records or not set(records) <= set(archive):
        raise ValueError("no draw")
    seed = line["seed"]
    return AuditDraw(
        str(line["draw"]), str(line["by"]), str(line["at"]), str(line["tags"]),
        None if seed is None else int(seed), records, archive,
    )  # fmt: skip


def _reading_from_entry(line: Mapping[str, Any]) -> AuditReading:
    return AuditReading(
        str(line["record"]), str(line["by"]), str(line["at"]), str(line["before"]),
        marks_from_entry(line["left"]), int(line["none"]), int(line["known"]), int(line["seen"]),
    )  # fmt: skip


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
