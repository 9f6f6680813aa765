"""One annotator at work on one patient; knows nothing of windows.

It opens this annotator's layers and no others. Offsets are those of the merged view.
"""

from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from functools import partial
from typing import Any

from annotator.rejections import PlacedSuggestion, Rejections
from annotator.suggestions import SuggestionReview
from annotator.tagged_texts import DecidedSuggestions
from shared.errors import RequestError, TandemError
from shared.model import Document, Layer, PhiType, Span
from shared.project.assignments import State
from shared.project.edits import Edit
from shared.project.patient_layer import PatientLayer, Snapshot
from shared.project.patient_session import PatientSession
from shared.project.project import Project
from shared.project.stored_layers import set_aside, settled_layers
from shared.project.training_rounds import unfinished_round


class AnnotationSession(PatientSession):
    """A patient open for one annotator.

    Raises RequestError where the patient is not in the annotator's hands, and what its base does.
    """

    def __init__(self, project: Project, annotator: str, patient_id: str) -> None:
        self.annotator = annotator
        self.state = _state(project, annotator, patient_id)
        self._was_done = False
        super().__init__(project, patient_id, annotator, annotator)
        decided = DecidedSuggestions(
            self.view, self.layer.tags, self._rejections, project.schema, self.read_language
        )
        self.review = SuggestionReview(self.view, self.layer.tags, self._rejections, decided)
        if self.state is State.TO_DO:
            self._set_state(State.BEGUN)

    def tag(self, span: Span, phi_type: PhiType) -> Edit:
        """Tag a stretch; what agrees with a suggestion that is shown accepts it."""
        suggestion = self.review.find(span, phi_type)
        return self.accept([suggestion]) if suggestion else super().tag(span, phi_type)

    def reject(self, suggestion: PlacedSuggestion, *, alike: bool = False) -> Edit:
        """Hide a suggestion for good, or all on the same text; can be undone, changes no tag."""
        made = self.review.reject(suggestion, alike=alike, step=self.layer.steps)
        self.layer.note(made.entry("reject"))
        return Edit("reject all alike" if alike else "reject suggestion")

    def undo(self) -> Edit | None:
        if rejection := self.review.undo(self.layer.steps):
            self.layer.note(rejection.entry("unreject"))
            return Edit("reject suggestion")
        return super().undo()

    def redo(self) -> Edit | None:
        if rejection := self.review.redo(self.layer.steps):
            self.layer.note(rejection.entry("reject"))
            return Edit("reject suggestion")
        return super().redo()

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
        self.layer.note({"op": str(State.DONE), "digests": dict(self._digests)})

    def save(self) -> None:
        if self._was_done:
            self._set_state(State.BEGUN)
        super().save()

    def _read_files(self) -> None:
        self._stored = {
            document.record_id: self.project.layer_as_found(self.annotator, document)
            for document in self.view.patient.documents
        }
        self._digests = {record_id: each.digest for record_id, each in self._stored.items()}

    def _open_layer(self, entries: list[dict[str, Any]]) -> PatientLayer:
        settled = settled_layers(
            self.view,
            self._stored,
            entries,
            partial(self.project.layer_path, self.annotator),
            takes_changes_over=self._journal_is_cut,
        )
        self.notices += settled.notices
        self._rejections = Rejections(self.view, entries)
        stored = {record_id: each.layer for record_id, each in settled.stored.items()}
        layer = PatientLayer(self.view, self.annotator, stored, entries, self.journal)
        for record_id in settled.rebuilt:
            self._rebuild(self.view.patient.document(record_id), layer)
        if settled.rebuilt:
            digests = {each: self._digests[each] for each in settled.rebuilt}
            layer.note({"op": "rebuilt", "digests": digests})
        self._believed = settled.taken_over
        return layer

    @property
    def _file_digests(self) -> Mapping[str, str | None]:
        return self._digests

    @property
    def _taken_over(self) -> Collection[str]:
        return self._believed

    def _rebuild(self, document: Document, layer: PatientLayer) -> None:
        """Let the file be what the journal says; what somebody made of it is kept beside it."""
        digest = self._digests[document.record_id]
        if digest is not None:
            set_aside(self.project.layer_path(self.annotator, document.record_id), digest)
            self._digests[document.record_id] = None
        self._write_layer(document, layer.layer(document.record_id))

    def saved(self, snapshot: Snapshot) -> None:
        written = {each.record_id: self._digests[each.record_id] for each in snapshot.documents}
        self.layer.saved(snapshot, digests=written)

    def _take_up(self, lines: list[dict[str, Any]]) -> Iterator[bool]:
        """Make edits again, and reject again what was rejected and not taken back."""
        rejected = self._rejections.read_again(lines)
        for line, each, is_edit in zip(lines, rejected, super()._take_up(lines), strict=True):
            is_new = each is not None and each not in self._rejections
            if each is not None and is_new:
                self.reject(each, alike=bool(line["alike"]))
            yield is_edit or is_new

    def _write_layer(self, document: Document, layer: Layer) -> None:
        digest = self._digests.get(document.record_id)
        self._digests[document.record_id] = self.project.write_layer(
            self.annotator, document, layer, digest
        )

    def _after_edit(self, operation: str, edit: Edit) -> None:
        """A change to a patient that was done makes it begun again, for the adjudicator to see.

        The change is made and kept whatever comes of that; saving tries again.
        """
        if operation == "edit":
            self.review.forget_undone()
        self.review.edited(edit, taken_back=operation == "undo")
        if edit and self.state is not State.BEGUN:
            self._was_done = True
            with suppress(TandemError):
                self._set_state(State.BEGUN)

    def _set_state(self, state: State) -> None:
        self.project.list_state(self.patient_id, self.annotator, state)
        self.state = state
        self._was_done = False


def _state(project: Project, annotator: str, patient_id: str) -> State:
    states = [
        each.state for each in project.assigned_to(annotator) if each.patient_id == patient_id
    ]
    if not states:
        raise RequestError(f"patient {patient_id} is not assigned to {annotator}")
    journal_of = partial(project.journal_path, annotator)
    training = unfinished_round(project.plan.training_of(annotator), journal_of)
    if training is not None and patient_id not in training and states == [State.TO_DO]:
        raise RequestError(
            f"patient {patient_id} comes after the training round; its patients are "
            f"{', '.join(training)}"
        )
    return states[0]
