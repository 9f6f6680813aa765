"""What is open of a patient that is adjudicated: layers, gold standard, journal and lock.

A record whose layers cannot be compared is left out and said in `notices`; the rest of the patient
is there to decide.
"""

from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from adjudicator.disagreement_queue import DisagreementQueue, Progress
from adjudicator.gold_layer import GoldLayer
from adjudicator.patient_files import PatientFiles
from adjudicator.precedents import PrecedentBook
from adjudicator.worklist import (
    OpenOptions,
    annotator_order,
    annotators_of,
    refuse_unfinished,
    was_done,
)
from shared.errors import FileFormatError, RequestError
from shared.model import Layer, MergedView, Span
from shared.project.edits import Edit, PlacedTag
from shared.project.journal import read_journal
from shared.project.lock import Lock
from shared.project.patient_layer import Snapshot
from shared.project.project import Project
from shared.project.rescued import take_up
from shared.project.safe_journal import SafeJournal, read_rescue
from shared.project.settings import GOLD
from shared.text.span_index import SpanIndex

Change = TypeVar("Change", Edit, Edit | None)


class OpenPatient:
    """The files of a patient open for the adjudicator `who`, from the lock to `close`.

    Raises RequestError where the annotators have not finished, LockedError where somebody else
    has the gold standard open, FileError where a text or the journal is broken.
    """

    def __init__(
        self,
        project: Project,
        patient_id: str,
        who: str,
        options: OpenOptions | None = None,
        precedents: PrecedentBook | None = None,
    ) -> None:
        asked = options or OpenOptions()
        self.project = project
        self.patient_id = patient_id
        self.annotators = annotators_of(project, patient_id)
        self.order = annotator_order(project, patient_id, len(self.annotators), blind=asked.blind)
        """The annotators as they are shown, by their numbers in `annotators`."""
        if not asked.force:
            refuse_unfinished(project, patient_id)
        with ExitStack() as stack:
            lock = stack.enter_context(project.lock_patient(GOLD, patient_id, who))
            self.view = MergedView(project.patient(patient_id))
            self._files = PatientFiles(
                project, self.view.patient, self.annotators, hide_names=asked.blind
            )
            self._open(stack, lock, who, asked, precedents)
            self._held = stack.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def progress(self) -> Progress:
        return self._adjudication.progress

    @property
    def tags(self) -> SpanIndex[PlacedTag]:
        """The gold standard as it stands."""
        return self._gold.tags

    @property
    def unsaved(self) -> bool:
        """True while the files lack what the journal has."""
        return self._gold.unsaved

    @property
    def layers(self) -> tuple[Layer, ...]:
        """The layers of all annotators on the records that are compared."""
        return tuple(layer for of_record in self._files.layers for layer in of_record)

    @property
    def notices(self) -> tuple[str, ...]:
        """One sentence for each thing that the adjudicator should know about the files."""
        return tuple(self._files.notices)

    @property
    def is_done(self) -> bool:
        """True where the patient was marked as done and nothing was changed since."""
        return self._done

    def find(self, record_id: str, tag_id: str) -> PlacedTag | None:
        """The tag of the gold standard with this id."""
        return self._gold.find(record_id, tag_id)

    def see(self, visible: Span) -> None:
        """Take note of what is on the screen; only what was not before goes into the journal."""
        self._gold.see(visible)

    def note_work(self) -> None:
        """Note that somebody is at it, for the time that the patient takes."""
        self._gold.note_work()

    def share_read(self) -> float:
        """How much of the text has been on the screen, from 0 to 1."""
        return self._gold.reading.share()

    def unseen(self) -> list[str]:
        """The records that were never on the screen as a whole."""
        return self._gold.reading.unseen()

    def first_unseen(self) -> int | None:
        """Where the first text begins that was never on the screen; None where all was."""
        unseen = self.unseen()
        return self._gold.reading.first_gap(unseen[0]) if unseen else None

    def finish(self) -> None:
        """Write the gold standard of every record, and mark the patient as done.

        Raises RequestError while something is open, or a record is left out.
        """
        left = self.progress.total - self.progress.decided
        if left:
            are = "disagreement is" if left == 1 else "disagreements are"
            raise RequestError(f"patient {self.patient_id}: {left} {are} still open")
        if self._files.left_out:
            records = ", ".join(self._files.left_out)
            raise RequestError(
                f"patient {self.patient_id}: record {records} was left out; mend its files first"
            )
        self.save()
        self._files.write_missing(self._gold)
        if not self._done:
            self._gold.note("done", self._files.digests)
            self._done = True

    def save(self) -> None:
        """Write the XML of every record whose gold standard changed since the last save."""
        snapshot = self.snapshot()
        if snapshot.layers:
            self.write(snapshot)
            self.saved(snapshot)

    def take_up(self, path: Path) -> int:
        """Make the edits of a rescue file; returns how many there were. Raises FileError."""
        entries = read_rescue(path, GOLD, self.patient_id)
        try:
            return take_up(self._gold, self.view, entries)
        except (KeyError, TypeError, ValueError) as error:
            raise FileFormatError(path, "holds an entry that Tandem cannot read") from error

    def snapshot(self) -> Snapshot:
        return self._gold.snapshot()

    def write(self, snapshot: Snapshot) -> None:
        """Write the files of a snapshot; may run on another thread, one at a time.

        Raises LockedError where somebody else has taken the patient over, FileError.
        """
        self.journal.check_lock()
        for document, layer in snapshot.layers:
            self._files.write(document, layer)

    def saved(self, snapshot: Snapshot) -> None:
        self._gold.saved_as(snapshot, self._files.digests)

    def close(self) -> None:
        """Save and let go of the patient."""
        try:
            self.save()
        finally:
            self._held.close()

    def _open(
        self,
        stack: ExitStack,
        lock: Lock,
        who: str,
        options: OpenOptions,
        precedents: PrecedentBook | None,
    ) -> None:
        files = self._files
        path = self.project.journal_path(GOLD, self.patient_id)
        lines: list[dict[str, Any]] = read_journal(path)
        self.journal = stack.enter_context(SafeJournal(path, lock, GOLD, self.patient_id))
        filed = [each for each, digest in files.digests.items() if digest]
        try:
            files.rebuild(self.view, lines)
            self._gold = GoldLayer(self.view, files.gold, lines, self.journal, who)
            self._done = was_done(lines)
            unsaved = [document.record_id for document, _ in self.snapshot().layers]
            files.notice_changes(lines, unsaved)
            if files.rebuilt:
                self._gold.note("rebuilt", {each: files.digests[each] for each in files.rebuilt})
            self._adjudication = DisagreementQueue(
                self.view,
                files.layers,
                self._gold,
                filed=filed,
                review_agreements=options.review_agreements,
                precedents=precedents,
            )
        except (KeyError, TypeError, ValueError) as error:
            raise FileFormatError(
                path, "holds an entry that Tandem cannot read; move the file aside to go on without"
            ) from error

    def _changed(self, change: Change) -> Change:
        """A change to a patient that was done means that it is done no more."""
        if change is not None and self._done:
            self._gold.note("begun", {})
            self._done = False
        return change
