"""One annotator at work on one patient; knows nothing of windows.

It opens this annotator's layers and no others. Offsets are those of the merged view.
"""

from collections.abc import Iterable
from contextlib import ExitStack, suppress
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from annotator.rejections import PlacedSuggestion, Rejections
from annotator.suggestions import SuggestionReview
from shared.errors import FileFormatError, RequestError, TandemError
from shared.model import Layer, MergedView, PhiType, Span
from shared.project.activity import Reading
from shared.project.assignments import State
from shared.project.edits import Edit, Making, PlacedTag, Steps, at_once
from shared.project.journal import read_journal
from shared.project.lock import Lock
from shared.project.patient_layer import PatientLayer, Snapshot
from shared.project.project import Project
from shared.project.rescued import take_up
from shared.project.safe_journal import SafeJournal, read_rescue
from shared.project.tagging import Mend, Place, Tagger
from shared.text.span_index import SpanIndex

Change = TypeVar("Change", Edit, Edit | None)


class AnnotationSession:
    """A patient open for one annotator: the lock is held until `close`.

    Raises RequestError where the patient is not in the annotator's hands, LockedError where
    somebody else has it open, FileError where one of its files is broken; other patients are not
    touched by that.
    """

    def __init__(self, project: Project, annotator: str, patient_id: str) -> None:
        self.project = project
        self.annotator = annotator
        self.patient_id = patient_id
        self.state = _state(project, annotator, patient_id)
        self._was_done = False
        with ExitStack() as stack:
            lock = stack.enter_context(project.lock_patient(annotator, patient_id, annotator))
            self.view = MergedView(project.patient(patient_id))
            layers = self._read_layers()
            self.layer = self._open_layer(layers, stack, lock)
            self._held = stack.pop_all()
        self.tagger = Tagger(self.view, self.layer, project.schema)
        self.review = SuggestionReview(self.view, self.layer.tags, self._rejections)
        if self.state is State.TO_DO:
            self._set_state(State.BEGUN)

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
    def tags(self) -> SpanIndex[PlacedTag]:
        return self.layer.tags

    @property
    def unsaved(self) -> bool:
        return self.layer.unsaved

    def tag(self, span: Span, phi_type: PhiType) -> Edit:
        """Tag a stretch; what agrees with a suggestion that is shown accepts it."""
        suggestion = self.review.find(span, phi_type)
        if suggestion is not None:
            return self.accept([suggestion])
        return self._begun(self.tagger.tag(span, phi_type))

    def tag_all(self, spans: Iterable[Span], phi_type: PhiType) -> Edit:
        return at_once(self.tagging_all(spans, phi_type))

    def tagging_all(self, spans: Iterable[Span], phi_type: PhiType) -> Making:
        """Do what `tag_all` does, in portions; nothing is done before the last."""
        return self._begun((yield from self.tagger.tagging_all(spans, phi_type)))

    def retyping(self, tags: Iterable[PlacedTag], phi_type: PhiType) -> Making:
        """Do what `retype` does, in portions."""
        return self._begun((yield from self.tagger.retyping(tags, phi_type)))

    def removing(self, tags: Iterable[PlacedTag]) -> Making:
        """Do what `remove` does, in portions."""
        return self._begun((yield from self.tagger.removing(tags)))

    def retype(self, tags: Iterable[PlacedTag], phi_type: PhiType) -> Edit:
        return at_once(self.retyping(tags, phi_type))

    def remove(self, tags: Iterable[PlacedTag]) -> Edit:
        return at_once(self.removing(tags))

    def resize(self, placed: PlacedTag, span: Span) -> Edit:
        return self._begun(self.tagger.resize(placed, span))

    def replace(self, placed: PlacedTag, marks: Iterable[tuple[Span, PhiType]]) -> Edit:
        return self._begun(self.tagger.replace(placed, marks))

    def mend(self, mends: Iterable[Mend]) -> Edit:
        return self._begun(self.tagger.mend(mends))

    def comment(self, placed: PlacedTag, text: str) -> Edit:
        return self._begun(self.tagger.comment(placed, text))

    def accept(self, suggestions: Iterable[PlacedSuggestion]) -> Edit:
        return at_once(self.accepting(suggestions))

    def accepting(self, suggestions: Iterable[PlacedSuggestion]) -> Making:
        """Do what `accept` does, in portions; nothing is done before the last."""
        edit = yield from self.tagger.accepting(each.suggested for each in suggestions)
        return self._begun(edit)

    def reject(self, suggestion: PlacedSuggestion, *, alike: bool = False) -> Edit:
        """Hide a suggestion for good, or all on the same text; can be undone, changes no tag."""
        made = self.review.reject(suggestion, alike=alike, step=self.layer.steps)
        self._note(made.entry("reject"))
        return Edit("reject all alike" if alike else "reject suggestion")

    def undo(self) -> Edit | None:
        return at_once(self.undoing())

    def undoing(self) -> Steps[Edit | None]:
        """Do what `undo` does, in portions; nothing is done before the last."""
        if rejection := self.review.undo(self.layer.steps):
            self._note(rejection.entry("unreject"))
            return Edit("reject suggestion")
        return self._stepped((yield from self.layer.undoing()), taken_back=True)

    def redo(self) -> Edit | None:
        return at_once(self.redoing())

    def redoing(self) -> Steps[Edit | None]:
        """Do what `redo` does, in portions."""
        if rejection := self.review.redo(self.layer.steps):
            self._note(rejection.entry("reject"))
            return Edit("reject suggestion")
        return self._stepped((yield from self.layer.redoing()))

    def alike(self, placed: PlacedTag) -> list[PlacedTag]:
        return self.tagger.alike(placed)

    def find(self, record_id: str, tag_id: str) -> PlacedTag | None:
        return self.layer.find(record_id, tag_id)

    def places(
        self, span: Span, phi_type: PhiType, *, ignore_case: bool = False, variants: bool = False
    ) -> list[Place]:
        return self.tagger.places(span, phi_type, ignore_case=ignore_case, variants=variants)

    def take_up(self, path: Path) -> int:
        """Make the edits of a rescue file; returns how many there were.

        Raises FileError where it is none for this annotator and patient.
        """
        entries = read_rescue(path, self.annotator, self.patient_id)
        try:
            return take_up(self.layer, self.view, entries)
        except (KeyError, TypeError, ValueError) as error:
            raise FileFormatError(path, "holds an entry that Tandem cannot read") from error

    def see(self, visible: Span) -> None:
        """Take note of what is on the screen; only what was not before goes into the journal."""
        for entry in self._reading.see(visible):
            self._note(entry)

    def note_work(self) -> None:
        """Note that somebody is at it, for the time that the patient takes."""
        self._note({"op": "active"})

    def unseen(self) -> list[str]:
        """The records that were never on the screen as a whole."""
        return self._reading.unseen()

    def first_unseen(self) -> int | None:
        """Where the first text begins that was never on the screen; None where all was."""
        unseen = self.unseen()
        return self._reading.first_gap(unseen[0]) if unseen else None

    def finish(self) -> None:
        """Save, and mark the patient as done.

        Records without a tag get a file too: nothing marked is a statement, no file is none.
        """
        self.save()
        untouched = [
            document
            for document in self.view.patient.documents
            if self._digests[document.record_id] is None
        ]
        self.write(Snapshot(0, untouched, lambda each: self.layer.layer(each.record_id)))
        self._set_state(State.DONE)

    def save(self) -> None:
        """Write the XML of every record that changed since the last save."""
        if self._was_done:
            self._set_state(State.BEGUN)
        snapshot = self.snapshot()
        if snapshot.documents:
            self.write(snapshot)
            self.saved(snapshot)

    def snapshot(self) -> Snapshot:
        return self.layer.snapshot()

    def saved(self, snapshot: Snapshot) -> None:
        self.layer.saved(snapshot)

    def write(self, snapshot: Snapshot) -> None:
        """Write the files of a snapshot; may run on another thread, one at a time.

        Raises LockedError where somebody else has taken the patient over, FileError.
        """
        self.journal.check_lock()
        for document, layer in snapshot.layers:
            digest = self._digests.get(document.record_id)
            self._digests[document.record_id] = self.project.write_layer(
                self.annotator, document, layer, digest
            )

    def close(self) -> None:
        """Save and let go of the patient."""
        try:
            self.save()
        finally:
            self._held.close()

    def _read_layers(self) -> dict[str, Layer]:
        stored = {
            document.record_id: self.project.read_layer(self.annotator, document)
            for document in self.view.patient.documents
        }
        self._digests = {record_id: each.digest for record_id, each in stored.items()}
        return {record_id: each.layer for record_id, each in stored.items()}

    def _open_layer(self, layers: dict[str, Layer], stack: ExitStack, lock: Lock) -> PatientLayer:
        path = self.project.journal_path(self.annotator, self.patient_id)
        entries: list[dict[str, Any]] = read_journal(path)
        safe = SafeJournal(path, lock, self.annotator, self.patient_id)
        self.journal = stack.enter_context(safe)
        try:
            self._reading = Reading(self.view, entries)
            self._rejections = Rejections(self.view, entries)
            return PatientLayer(self.view, self.annotator, layers, entries, self.journal)
        except (KeyError, TypeError, ValueError) as error:
            raise FileFormatError(
                path, "holds an entry that Tandem cannot read; move the file aside to go on without"
            ) from error

    def _note(self, entry: dict[str, Any]) -> None:
        at = datetime.now(UTC).isoformat(timespec="milliseconds")
        self.journal.append({"at": at, "by": self.annotator, **entry})

    def _begun(self, change: Change) -> Change:
        self.review.forget_undone()
        return self._stepped(change)

    def _stepped(self, change: Change, *, taken_back: bool = False) -> Change:
        """A change to a patient that was done makes it begun again, for the adjudicator to see.

        The change is made and kept whatever comes of that; saving tries again.
        """
        if change is not None:
            self.review.edited(change, taken_back=taken_back)
        if change and self.state is not State.BEGUN:
            self._was_done = True
            with suppress(TandemError):
                self._set_state(State.BEGUN)
        return change

    def _set_state(self, state: State) -> None:
        self.project.set_state(self.patient_id, self.annotator, state)
        self.state = state
        self._was_done = False


def _state(project: Project, annotator: str, patient_id: str) -> State:
    for each in project.assignments():
        if (each.annotator, each.patient_id) == (annotator, patient_id):
            return each.state
    raise RequestError(f"patient {patient_id} is not in the hands of {annotator}")
