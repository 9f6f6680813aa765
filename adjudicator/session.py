"""A patient that is open to be adjudicated: the annotators' layers, the gold standard, the queue.

A record whose layers cannot be compared is left out and said in `notices`; the rest of the patient
is there to decide. Knows nothing of windows.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from adjudicator.decision_book import DecisionBook
from adjudicator.decisions import DecisionStep
from adjudicator.disagreement_queue import DisagreementQueue
from adjudicator.disagreements import DisagreementKey
from adjudicator.gold_layer import GoldLayer
from adjudicator.patient_files import PatientFiles
from adjudicator.precedents import PrecedentBook
from adjudicator.worklist import (
    OpenOptions,
    annotator_order,
    annotators_by_patient,
    refuse_unfinished,
)
from shared.errors import RequestError
from shared.model import Document, Layer, Origin, PhiType, Span
from shared.project.assignments import State
from shared.project.edits import Edit
from shared.project.gold_remarks import Remark, remark_from_line
from shared.project.gold_state import GoldState, gold_status
from shared.project.journal import read_journal
from shared.project.patient_layer import Snapshot
from shared.project.patient_session import PatientSession
from shared.project.project import Project
from shared.project.rescued_edits import rescued_entries
from shared.project.settings import GOLD


class AdjudicationSession(PatientSession):
    """A patient open for the adjudicator `who`, until `close`; spans are those of the merged view.

    Raises RequestError where the annotators have not finished, and what its base does.
    """

    def __init__(
        self,
        project: Project,
        patient_id: str,
        who: str,
        options: OpenOptions | None = None,
        precedents: PrecedentBook | None = None,
    ) -> None:
        self._options = options or OpenOptions()
        self._who = who
        self._precedents = precedents
        self.annotators = annotators_by_patient(project).get(patient_id, ())
        self.order = annotator_order(
            project, patient_id, len(self.annotators), blind=self._options.blind
        )
        """The annotators as they are shown, by their numbers in `annotators`."""
        if not self._options.force:
            refuse_unfinished(project, patient_id)
        super().__init__(project, patient_id, GOLD, who, Origin.ADJUDICATION)

    @property
    def is_done(self) -> bool:
        """Whether the patient was marked as done and nothing was changed since."""
        return self.state is GoldState.DONE

    @property
    def left_out(self) -> tuple[str, ...]:
        """The records whose files could not be read, so that nothing is asked about them."""
        return tuple(self._files.left_out)

    @property
    def unfinished(self) -> tuple[str, ...]:
        """The annotators who have not said that they are done with the patient."""
        there = (each for each in self.project.assignments() if each.patient_id == self.patient_id)
        return tuple(each.annotator for each in there if each.state is not State.DONE)

    @property
    def is_annotated(self) -> bool:
        """Whether an annotator has begun with the patient."""
        there = (each for each in self.project.assignments() if each.patient_id == self.patient_id)
        return any(each.state is not State.TO_DO for each in there)

    def tag(self, span: Span, phi_type: PhiType) -> Edit:
        """Tag what both missed; where the span overlaps an open disagreement, decide that by it."""
        self.project.schema.find(phi_type)
        record_id, place = self.view.record_span(span)
        decided = self.queue.mark(record_id, (place, phi_type))
        return decided or super().tag(span, phi_type)

    def finish(self) -> None:
        """Write the gold standard of every record, and mark the patient as done.

        Raises RequestError while something is open, or a record is left out.
        """
        left = self.queue.progress.left
        if left:
            are = "disagreement is" if left == 1 else "disagreements are"
            raise RequestError(f"patient {self.patient_id}: {left} {are} still open")
        if self._files.left_out:
            records = ", ".join(self._files.left_out)
            raise RequestError(
                f"patient {self.patient_id}: record {records} was left out; repair its files first"
            )
        self.save()
        self._files.write_missing(self._gold)
        if not (self.is_done and self._said_done):
            self._gold.note({"op": "done", "digests": dict(self._files.digests)})
            self.state, self._said_done = GoldState.DONE, True

    def skip(self, reason: str) -> None:
        """Leave the patient out for now; what was decided stays."""
        if self.is_done:
            self._begin_again()  # which a Tandem that knows no skipping understands
        self._gold.note({"op": "skip", "reason": reason.strip()})
        self.state = GoldState.SKIPPED

    def reopen(self) -> None:
        """Let a patient that was done or skipped be one to do again; the gold standard stays.

        Raises RequestError where it is neither.
        """
        if self.state not in (GoldState.DONE, GoldState.SKIPPED):
            raise RequestError(f"patient {self.patient_id} is neither done nor skipped")
        self._begin_again()

    def saved(self, snapshot: Snapshot) -> None:
        digests = self._files.digests
        written = {each.record_id: digests[each.record_id] for each in snapshot.documents}
        self._gold.saved(snapshot, digests=written)

    def _read_files(self) -> None:
        self._files = PatientFiles(
            self.project, self.view.patient, self.annotators, hide_names=self._options.blind
        )
        self.notices = self._files.notices

    def _open_layer(self, entries: list[dict[str, Any]]) -> GoldLayer:
        files = self._files
        filed = [each for each, digest in files.digests.items() if digest]
        files.settle(self.view, entries)
        self._gold = GoldLayer(self.view, files.gold, entries, self.journal, self._who)
        path = self.project.journal_path(GOLD, self.patient_id)
        self._gold.book.check(path, self.project.schema, files.digests)
        is_filed = len(filed) == len(files.digests)
        self.state = gold_status(entries, files.digests, filed=is_filed).state
        """How far the patient is, as windows and commands say it."""
        self._said_done = False
        """Whether that was since this opening, which shows what annotators edited before."""
        if files.rebuilt:
            digests = {each: files.digests[each] for each in files.rebuilt}
            self._gold.note({"op": "rebuilt", "digests": digests})
        self.queue = DisagreementQueue(
            self.view,
            files.layers,
            self._gold,
            schema=self.project.schema,
            filed=filed,
            review_agreements=self._options.review_agreements,
            precedents=self._precedents,
        )
        """What there is to decide; it is decided there."""
        if self.state is GoldState.TO_DO:
            self.state = GoldState.BEGUN  # by opening it, as the journal says now
        return self._gold

    @property
    def _file_digests(self) -> Mapping[str, str | None]:
        return self._files.digests

    @property
    def _taken_over(self) -> Sequence[str]:
        return self._files.taken_over

    def _take_up(self, lines: list[dict[str, Any]]) -> Iterator[bool]:
        """Make edits with their decisions, and remarks; opening has taken over what is agreed."""
        steps = self._rescued_steps(lines)
        rescued = rescued_entries(self.layer, self.view, lines)
        for (line, edit, ids), step in zip(rescued, steps, strict=True):
            if line["op"] == "note":
                yield self._remark_again(line)
            elif edit is None or "started" in line:
                yield False
            else:
                yield self._gold.decide_again(edit, step, ids)

    def _remark_again(self, line: dict[str, Any]) -> bool:
        record_id, sides, remark = remark_from_line(line)
        key = DisagreementKey(record_id, sides)
        before = self._gold.book.remarks.get(key) or Remark()
        if (before.reason, before.discuss) == (remark.reason, remark.discuss):
            return False
        self._gold.remark(key, remark)
        return True

    def _rescued_steps(self, lines: Sequence[dict[str, Any]]) -> list[DecisionStep]:
        """What each line decides: an undo says so only together with the journal before it."""
        first = min((int(line["number"]) for line in lines if "number" in line), default=0)
        journal = read_journal(self.project.journal_path(GOLD, self.patient_id))
        before = (line for line in journal if int(line.get("number", first)) < first)
        book = DecisionBook(before)
        return [book.read(line) for line in lines]

    def _write_layer(self, document: Document, layer: Layer) -> None:
        self._files.write(document, layer)

    def _after_edit(self, operation: str, edit: Edit) -> None:
        """A change to a patient that was done or skipped means that it is so no more."""
        self.queue.after_edit(operation, edit)
        self._begin_again()

    def _begin_again(self) -> None:
        if self.is_done:
            self._gold.note({"op": "begun", "digests": {}})
        if self.state is GoldState.SKIPPED:
            self._gold.note({"op": "resume"})
        self.state = GoldState.BEGUN
