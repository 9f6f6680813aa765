"""A record of an audit, open to be read in full: what its reader marks, and what becomes of it.

What is marked lies in `audit/<draw>` of the project, journalled as all tags are, until the record
has been read; what the gold standard does not cover goes into that then.
"""

from collections.abc import Collection, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Self

from adjudicator.audit_book import (
    SHOWN,
    AuditBook,
    AuditDraw,
    AuditReading,
    GoldRecord,
    audit_folder,
    new_reading,
)
from adjudicator.session import AdjudicationSession
from adjudicator.worklist import OpenOptions
from shared.errors import RequestError
from shared.metrics.alignment import TagMark
from shared.model import Document, Layer
from shared.project.edits import Edit, PlacedTag
from shared.project.patient_layer import PatientLayer, Snapshot
from shared.project.patient_session import PatientSession
from shared.project.project import Project
from shared.project.settings import GOLD

AUDITOR = "audit"
"""The owner of what is marked in an audit."""


class DrawnRecords(Project):
    """A project as an audit sees it: each record of a draw stands for a patient of its own."""

    whole: Project
    draw: AuditDraw

    @classmethod
    def of(cls, project: Project, draw: AuditDraw) -> Self:
        """The records of a draw. Raises what opening a project does."""
        records = cls.open(project.root)
        records.whole = project
        records.narrow(draw)
        return records

    @property
    def book(self) -> AuditBook:
        return AuditBook(self.whole)

    def narrow(self, draw: AuditDraw) -> None:
        """Have these records and no others."""
        every = {row.record_id: row for rows in self._rows.values() for row in rows}
        self._rows = {each: [every[each]] for each in draw.record_ids if each in every}
        self.draw = draw

    def _own_folder(self, kind: str, annotator: str) -> Path:
        return audit_folder(self) / self.draw.draw_id / kind / annotator


class AuditSession(PatientSession):
    """A drawn record that `who` reads; Raises RequestError where it is adjudicated no more."""

    project: DrawnRecords

    def __init__(self, records: DrawnRecords, record_id: str, who: str) -> None:
        self._who = who
        document = records.patient(record_id).documents[0]
        self._document = document
        if not records.whole.is_adjudicated(document.patient_id):
            raise RequestError(
                f"patient {document.patient_id} is not adjudicated any more; finish it first"
            )
        super().__init__(records, record_id, AUDITOR, who)

    @property
    def gold_patient(self) -> str:
        """The patient whose gold standard has the record."""
        return self._document.patient_id

    def uncovered(self) -> list[PlacedTag]:
        """What is marked and not covered by the gold standard, which is read anew."""
        record = self._gold_record()
        return [each for each in self.tags if not record.covers(each.tag.mark)]

    def finish(self, none: Collection[TagMark] = ()) -> None:
        """Keep that the record was read to its end; what was left goes into the gold standard.

        `none` is what is marked and no PHI after all. Raises RequestError where some of the text
        was never on the screen, LockedError where the patient is open elsewhere, FileError.
        """
        if self.reading.unread_records():
            raise RequestError(
                f"record {self.patient_id} has text that has not been on the screen; it counts "
                "when it was read to its end"
            )
        self.save()
        project, draw = self.project.whole, self.project.draw
        marked = [each.tag.mark for each in self.tags]
        with ExitStack() as stack:
            gold: AdjudicationSession | None = None
            if new_reading(self._gold_record(), self._who, marked, none, draw.tags).left:
                options = OpenOptions(force=True)
                session = AdjudicationSession(project, self.gold_patient, self._who, options)
                gold = stack.enter_context(session)
            reading = new_reading(self._gold_record(), self._who, marked, none, draw.tags)
            self.project.book.keep(draw, reading)
            if gold is not None:
                self._complete(gold, reading)

    def _complete(self, gold: AdjudicationSession, reading: AuditReading) -> None:
        """Tag what was left, and let the patient be as done as it was."""
        was_done = gold.is_done
        for span, phi_type in reading.left:
            gold.tag(gold.view.merged_span(reading.record_id, span), phi_type)
        gold.save()
        self.project.book.keep_edited(self.project.draw, self._gold_record())
        if was_done:
            gold.finish()

    def _gold_record(self) -> GoldRecord:
        layer = self.project.whole.read_layer(GOLD, self._document).layer
        return GoldRecord(self.gold_patient, self._document, layer)

    def _read_files(self) -> None:
        stored = self.project.layer_as_found(AUDITOR, self._document)
        self._digest, self._stored = stored.digest, stored.layer
        if stored.digest is None and self.project.draw.tags == SHOWN:
            tags = self._gold_record().layer.tags
            self._stored = Layer.of(self._document.record_id, AUDITOR, tags)
            self._write_layer(self._document, self._stored)

    def _open_layer(self, entries: list[dict[str, Any]]) -> PatientLayer:
        layers = {self._document.record_id: self._stored}
        return PatientLayer(self.view, AUDITOR, layers, entries, self.journal)

    @property
    def _file_digests(self) -> Mapping[str, str | None]:
        return {self._document.record_id: self._digest}

    def saved(self, snapshot: Snapshot) -> None:
        self.layer.saved(snapshot, digests=dict(self._file_digests))

    def _write_layer(self, document: Document, layer: Layer) -> None:
        self._digest = self.project.write_layer(AUDITOR, document, layer, self._digest)

    def _after_edit(self, operation: str, edit: Edit) -> None:
        """What was said of a record stays; what is marked later counts when it is said again."""
