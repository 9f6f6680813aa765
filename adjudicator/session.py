"""What one can do about a patient that is open for adjudication; knows nothing of windows."""

from collections.abc import Iterable

from adjudicator.decisions import Decision, DecisionChoice, DecisionMode, Remark
from adjudicator.disagreement_queue import DisagreementQueue
from adjudicator.disagreements import Disagreement
from adjudicator.open_patient import OpenPatient
from adjudicator.precedents import Precedent, PrecedentProposal
from shared.errors import RequestError
from shared.model import PhiType, Span
from shared.project.edits import Edit, PlacedTag


class AdjudicationSession(OpenPatient):
    """A patient open to be decided; spans are those of the merged view."""

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
        return self._adjudication.decide(disagreement, choice, same_text=alike)

    def edit(
        self,
        disagreement: Disagreement,
        marks: Iterable[tuple[Span, PhiType]],
        *,
        alike: bool = False,
    ) -> Edit:
        """Decide by tags of the adjudicator's own. Raises CrossesRecordsError, UnknownTypeError."""
        own = [self._in_record(disagreement.record_id, *mark) for mark in marks]
        return self._adjudication.decide_with(disagreement, own, same_text=alike)

    def take(
        self, proposals: Iterable[PrecedentProposal], way: DecisionMode = DecisionMode.REVIEWED
    ) -> Edit:
        """Decide as was decided before, all in one step."""
        return self._adjudication.apply_precedents(proposals, way)

    def reopen(self, disagreement: Disagreement) -> Edit:
        return self._adjudication.reopen(disagreement)

    def tag(self, span: Span, phi_type: PhiType) -> Edit:
        """Tag what both missed; where the span overlaps an open disagreement, decide that by it."""
        self.project.schema.find(phi_type)
        record_id, place = self.view.record_span(span)
        decided = self._adjudication.mark(record_id, (place, phi_type))
        return decided or super().tag(span, phi_type)

    def has_open_at(self, span: Span) -> bool:
        """True where something is still to be decided."""
        return self._adjudication.has_open_at(span)

    def _in_record(self, record_id: str, span: Span, phi_type: PhiType) -> tuple[Span, PhiType]:
        self.project.schema.find(phi_type)
        found, place = self.view.record_span(span)
        if found != record_id:
            raise RequestError("an edited tag belongs into the record of the disagreement")
        return place, phi_type
