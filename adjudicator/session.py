"""What one can do about a patient that is open for adjudication; knows nothing of windows."""

from collections.abc import Iterable

from adjudicator.decisions import Decision, DecisionChoice, DecisionMode, Remark
from adjudicator.disagreement_queue import DisagreementQueue
from adjudicator.disagreements import Disagreement
from adjudicator.open_patient import OpenPatient
from adjudicator.precedents import Precedent, PrecedentBook, PrecedentProposal
from adjudicator.worklist import OpenOptions
from shared.errors import RequestError
from shared.model import Origin, PhiType, Span
from shared.project.edits import Edit, Making, PlacedTag, Steps, at_once
from shared.project.project import Project
from shared.project.tagging import Mend, Place, Tagger


class AdjudicationSession(OpenPatient):
    """A patient open to be decided; spans are those of the merged view."""

    def __init__(
        self,
        project: Project,
        patient_id: str,
        who: str,
        options: OpenOptions | None = None,
        precedents: PrecedentBook | None = None,
    ) -> None:
        super().__init__(project, patient_id, who, options, precedents)
        self._tagger = Tagger(self.view, self._gold, project.schema, Origin.ADJUDICATION)

    @property
    def queue(self) -> DisagreementQueue:
        return self._adjudication

    def is_open(self, disagreement: Disagreement) -> bool:
        return self._adjudication.is_open(disagreement)

    def is_changed(self, disagreement: Disagreement) -> bool:
        return self._adjudication.is_changed(disagreement)

    def decision(self, disagreement: Disagreement) -> Decision | None:
        return self._adjudication.decision(disagreement)

    def note(self, disagreement: Disagreement) -> Remark | None:
        """What was remarked on it, decided or not."""
        return self._adjudication.remark_on(disagreement)

    def remark(self, disagreement: Disagreement, reason: str, *, discuss: bool) -> None:
        """Keep a reason, and whether it is to be discussed, in place of what was remarked before.

        A remark decides nothing, and undo passes it over.
        """
        self._adjudication.remark(disagreement, reason, discuss=discuss)

    def reasons(self) -> list[str]:
        """The reasons given for this patient so far, the newest first."""
        notes = sorted(self._gold.book.remarks.values(), key=lambda each: each.at, reverse=True)
        return list(dict.fromkeys(each.reason for each in notes if each.reason))

    def gold_tags(self, decision: Decision) -> list[PlacedTag]:
        """The tags of the gold standard that a decision made."""
        record_id = decision.key.record_id
        found = (self.find(record_id, each) for each in decision.ids)
        return [each for each in found if each]

    def next_open(self, after: Disagreement | None = None) -> Disagreement | None:
        return self._adjudication.next_open(after)

    def number(self, disagreement: Disagreement) -> int:
        """Its place in the queue, counted from 0."""
        return self._adjudication.number(disagreement)

    def alike_disagreements(self, disagreement: Disagreement) -> list[Disagreement]:
        return self._adjudication.same_text(disagreement)

    def precedent(self, disagreement: Disagreement) -> Precedent | None:
        """What was decided in this project about the like of one that is open."""
        return self._adjudication.precedent(disagreement)

    def proposals(self) -> list[PrecedentProposal]:
        """Everything open that has a clear precedent, the least certain first."""
        return self._adjudication.proposals()

    def similar_by_pattern(self, disagreement: Disagreement) -> list[PrecedentProposal]:
        """What is open and differs in the same form, each with what was decided about this one."""
        return self._adjudication.similar_by_pattern(disagreement)

    def changed_disagreements(self) -> list[Disagreement]:
        """The disagreements that the last change decided or opened again."""
        return self._adjudication.changed_disagreements()

    def decide(
        self, disagreement: Disagreement, choice: DecisionChoice, *, alike: bool = False
    ) -> Edit:
        return self._changed(self._adjudication.decide(disagreement, choice, same_text=alike))

    def edit(
        self,
        disagreement: Disagreement,
        marks: Iterable[tuple[Span, PhiType]],
        *,
        alike: bool = False,
    ) -> Edit:
        """Decide by tags of the adjudicator's own. Raises CrossesRecordsError, UnknownTypeError."""
        own = [self._in_record(disagreement.record_id, *mark) for mark in marks]
        return self._changed(self._adjudication.decide_with(disagreement, own, same_text=alike))

    def take(
        self, proposals: Iterable[PrecedentProposal], way: DecisionMode = DecisionMode.REVIEWED
    ) -> Edit:
        """Decide as was decided before, all in one step."""
        return self._changed(self._adjudication.apply_precedents(proposals, way))

    def reopen(self, disagreement: Disagreement) -> Edit:
        return self._changed(self._adjudication.reopen(disagreement))

    def tag(self, span: Span, phi_type: PhiType) -> Edit:
        """Tag what both missed; where the span overlaps an open disagreement, decide that by it."""
        self.project.schema.find(phi_type)
        record_id, place = self.view.record_span(span)
        settled = self._adjudication.mark(record_id, (place, phi_type))
        return self._changed(settled or self._by_hand(self._tagger.tag(span, phi_type)))

    def tag_all(self, spans: Iterable[Span], phi_type: PhiType) -> Edit:
        return at_once(self.tagging_all(spans, phi_type))

    def tagging_all(self, spans: Iterable[Span], phi_type: PhiType) -> Making:
        """Do what `tag_all` does, in portions; nothing is done before the last."""
        edit = yield from self._tagger.tagging_all(spans, phi_type)
        return self._changed(self._by_hand(edit))

    def retyping(self, tags: Iterable[PlacedTag], phi_type: PhiType) -> Making:
        """Do what `retype` does, in portions."""
        return self._changed(self._by_hand((yield from self._tagger.retyping(tags, phi_type))))

    def removing(self, tags: Iterable[PlacedTag]) -> Making:
        """Do what `remove` does, in portions."""
        return self._changed(self._by_hand((yield from self._tagger.removing(tags))))

    def retype(self, tags: Iterable[PlacedTag], phi_type: PhiType) -> Edit:
        return at_once(self.retyping(tags, phi_type))

    def remove(self, tags: Iterable[PlacedTag]) -> Edit:
        return at_once(self.removing(tags))

    def resize(self, placed: PlacedTag, span: Span) -> Edit:
        return self._changed(self._by_hand(self._tagger.resize(placed, span)))

    def replace(self, placed: PlacedTag, marks: Iterable[tuple[Span, PhiType]]) -> Edit:
        return self._changed(self._by_hand(self._tagger.replace(placed, marks)))

    def mend(self, mends: Iterable[Mend]) -> Edit:
        return self._changed(self._by_hand(self._tagger.mend(mends)))

    def has_open_at(self, span: Span) -> bool:
        """True where something is still to be decided."""
        return self._adjudication.has_open_at(span)

    def comment(self, placed: PlacedTag, text: str) -> Edit:
        return self._changed(self._by_hand(self._tagger.comment(placed, text)))

    def undo(self) -> Edit | None:
        return at_once(self.undoing())

    def undoing(self) -> Steps[Edit | None]:
        """Do what `undo` does, in portions; nothing is done before the last."""
        edit = yield from self._gold.undoing()
        return self._changed(edit if edit is None else self._by_hand(edit))

    def redo(self) -> Edit | None:
        return at_once(self.redoing())

    def redoing(self) -> Steps[Edit | None]:
        """Do what `redo` does, in portions."""
        edit = yield from self._gold.redoing()
        return self._changed(edit if edit is None else self._by_hand(edit))

    def alike(self, placed: PlacedTag) -> list[PlacedTag]:
        return self._tagger.alike(placed)

    def places(
        self, span: Span, phi_type: PhiType, *, ignore_case: bool = False, variants: bool = False
    ) -> list[Place]:
        return self._tagger.places(span, phi_type, ignore_case=ignore_case, variants=variants)

    def _in_record(self, record_id: str, span: Span, phi_type: PhiType) -> tuple[Span, PhiType]:
        self.project.schema.find(phi_type)
        found, place = self.view.record_span(span)
        if found != record_id:
            raise RequestError("an edited tag belongs into the record of the disagreement")
        return place, phi_type

    def _by_hand(self, edit: Edit) -> Edit:
        return self._adjudication.after_edit(edit)
