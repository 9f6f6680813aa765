"""What the precedents say about the disagreements of one patient."""

from collections.abc import Collection, Hashable, Iterable
from dataclasses import dataclass
from functools import cached_property

from adjudicator.decisions import Decision
from adjudicator.disagreements import Disagreement, DisagreementKey
from adjudicator.forms import Likeness, forms
from adjudicator.precedents import Precedent, PrecedentBook, Ruling, ruling
from shared.model import MergedView


@dataclass(frozen=True, slots=True)
class Proposal:
    """A disagreement, and what would be decided about it as it was decided before."""

    disagreement: Disagreement
    precedent: Precedent

    def order(self) -> tuple[bool, int, str, tuple[int, bool, int, int]]:
        """The least certain first, the like together."""
        precedent = self.precedent
        kind = self.disagreement.kind.value
        return precedent.likeness.is_of_words, precedent.count, kind, self.disagreement.order()


class Proposer:
    """Finds precedents for one patient, and makes precedents of what is decided there.

    What is in the book is looked up when asked for: opening a patient is not the moment to wait.
    """

    def __init__(
        self, view: MergedView, queue: Collection[Disagreement], book: PrecedentBook
    ) -> None:
        self._patient_id = view.patient.id
        self._texts = {each.record_id: each.text for each in view.patient.documents}
        self._queue = queue
        self._book = book
        self._waiting: dict[DisagreementKey, Decision | None] = {}

    def start(self, decisions: Iterable[Decision]) -> None:
        """Take what was decided about this patient from its journal, not from what others read."""
        self._book.replace(self._patient_id, {})
        self._waiting = {each.key: each for each in decisions}

    def note(self, about: DisagreementKey, decision: Decision | None) -> None:
        """Take note of a decision, or that there is none any more."""
        self._waiting[about] = decision
        self._catch_up()

    def precedent(self, disagreement: Disagreement) -> Precedent | None:
        self._catch_up()
        return self._book.find(self._text(disagreement), disagreement.key, disagreement.kind)

    def proposals(self, among: Iterable[Disagreement]) -> list[Proposal]:
        """Return the disagreements with a clear precedent, the least certain first."""
        found = ((each, self.precedent(each)) for each in among)
        clear = (Proposal(each, there) for each, there in found if there and there.is_clear)
        return sorted(clear, key=Proposal.order)

    def like(self, decided: Decision, among: Iterable[Disagreement]) -> list[Proposal]:
        """Return those of the same form of difference, each with what the decision says there.

        None where it says that this is no PHI: that goes by the words, not by the form.
        """
        said = PrecedentBook()
        said.set(self._patient_id, decided.key, self._ruling(decided))
        found = ((each, said.find(self._text(each), each.key, each.kind)) for each in among)
        return [Proposal(each, precedent) for each, precedent in found if precedent]

    def same_form(self, disagreement: Disagreement) -> list[Disagreement]:
        """All of the same form of difference, without the disagreement itself."""
        group = self._forms.get(self._form(disagreement), [])
        return [each for each in group if each is not disagreement]

    def _catch_up(self) -> None:
        waiting, self._waiting = self._waiting, {}
        for about, decision in waiting.items():
            asked = decision is not None and not decision.choice.is_automatic
            said = self._ruling(decision) if decision and asked else ()
            self._book.set(self._patient_id, about, said)

    def _ruling(self, decision: Decision) -> Ruling:
        text = self._texts[decision.key.record_id]
        return ruling(text, decision.key, decision.kind, decision.marks)

    @cached_property
    def _forms(self) -> dict[Hashable, list[Disagreement]]:
        groups: dict[Hashable, list[Disagreement]] = {}
        for each in self._queue:
            groups.setdefault(self._form(each), []).append(each)
        return groups

    def _form(self, disagreement: Disagreement) -> Hashable:
        found = forms(self._text(disagreement), disagreement.key, disagreement.kind)
        return next(each.key for each in found if each.likeness is Likeness.FORM)

    def _text(self, disagreement: Disagreement) -> str:
        return self._texts[disagreement.record_id]
