"""What was decided before about the like, and how often.

A decision of this project about the same words, else about the same form of difference, is a
precedent. It is shown, and never applied by itself.
"""

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from adjudicator.decisions import (
    Decision,
    DecisionChoice,
    DecisionMode,
    DecisionRequest,
    choice_of,
    joined,
)
from adjudicator.disagreements import Disagreement, DisagreementKey
from adjudicator.similarity import DisagreementPattern, MatchLevel, Statement, patterns
from shared.metrics.alignment import DifferenceKind, TagMark
from shared.model import MergedView

CLEAR = 0.95
"""At least this share of the decisions has to say the same, for a precedent to be ticked."""
_FEWEST = 2
"""So many decisions make a precedent clear where only the form is the same."""


@dataclass(frozen=True, slots=True)
class PriorOutcome:
    """What a decision came to, in words that hold elsewhere too.

    `choice` is FIRST where it follows the side that says `statement`, else BOTH, NEITHER or EDITED.
    `own` are edited marks, counted from the start of the disagreement, and the text they are for.
    """

    choice: DecisionChoice
    statement: Statement = ()
    own: tuple[TagMark, ...] = ()
    text: str = ""


PriorDecision = tuple[tuple[Hashable, PriorOutcome], ...]
"""One decision as a precedent: the key of each form that it has, and what it came to there."""


@dataclass(frozen=True, slots=True)
class Precedent:
    """An earlier decision, as it would be taken here; `marks` are in offsets of the record.

    `count` decisions about the like came to this, `others` to something else.
    """

    level: MatchLevel
    choice: DecisionChoice
    marks: tuple[TagMark, ...]
    count: int
    others: int = 0

    @property
    def has_majority(self) -> bool:
        """Whether more decisions came to this than to all else."""
        return self.count > self.others

    @property
    def is_clear(self) -> bool:
        """True where it may be ticked in a list: (nearly) all decisions say the same."""
        enough = self.level.is_of_words or self.count >= _FEWEST
        return enough and self.count / (self.count + self.others) >= CLEAR


class PrecedentBook:
    """The decisions of a project by what they are like.

    Each patient's are kept apart, so that those of an open patient can follow what is decided.
    """

    def __init__(self) -> None:
        self._prior_decisions: dict[str, dict[DisagreementKey, PriorDecision]] = {}
        self._counts: dict[Hashable, Counter[PriorOutcome]] = {}

    def __len__(self) -> int:
        return sum(len(of_patient) for of_patient in self._prior_decisions.values())

    def replace(
        self, patient_id: str, prior_decisions: Mapping[DisagreementKey, PriorDecision]
    ) -> None:
        """Take over what was decided about a patient, in place of what was known of it."""
        for key in list(self._prior_decisions.get(patient_id, ())):
            self.set(patient_id, key, ())
        for key, each in prior_decisions.items():
            self.set(patient_id, key, each)

    def set(self, patient_id: str, about: DisagreementKey, prior_decision: PriorDecision) -> None:
        """Take note of one decision; an empty one forgets it."""
        known = self._prior_decisions.setdefault(patient_id, {})
        for key, outcome in known.pop(about, ()):
            self._counts[key][outcome] -= 1
        if prior_decision:
            known[about] = prior_decision
        for key, outcome in prior_decision:
            self._counts.setdefault(key, Counter())[outcome] += 1

    def find(self, text: str, about: DisagreementKey, kind: DifferenceKind) -> Precedent | None:
        """Return what was decided about the like; of several levels the closest counts.

        From the form alone, nobody is told that something is no PHI.
        """
        for form in patterns(text, about, kind):
            counts = +self._counts.get(form.key, Counter[PriorOutcome]())
            if counts:
                return _precedent(form, counts, text, about)
        return None


def prior_decision(
    text: str, about: DisagreementKey, kind: DifferenceKind, marks: tuple[TagMark, ...]
) -> PriorDecision:
    """Return the decision for these marks as a precedent; `text` is that of the record."""
    choice = choice_of(about.sides, marks)
    return tuple(
        (each.key, _outcome(each, choice, text, about, marks))
        for each in patterns(text, about, kind)
    )


def _outcome(
    form: DisagreementPattern,
    choice: DecisionChoice,
    text: str,
    about: DisagreementKey,
    marks: Iterable[TagMark],
) -> PriorOutcome:
    if choice.side is not None:
        return PriorOutcome(DecisionChoice.FIRST, form.statements[choice.side])
    within = all(about.span.contains(span) for span, _ in marks)
    if choice is not DecisionChoice.EDITED or not form.level.is_of_words or not within:
        return PriorOutcome(choice)
    start = about.span.start
    own = tuple((span.shifted(-start), phi_type) for span, phi_type in marks)
    return PriorOutcome(choice, own=own, text=about.span.text_in(text))


def _precedent(
    form: DisagreementPattern, counts: Counter[PriorOutcome], text: str, about: DisagreementKey
) -> Precedent | None:
    outcome, count = counts.most_common(1)[0]
    if outcome.choice is DecisionChoice.NEITHER and not form.level.is_of_words:
        return None
    taken = _taken(form, outcome, text, about)
    return taken and Precedent(form.level, *taken, count, counts.total() - count)


def _taken(
    form: DisagreementPattern, outcome: PriorOutcome, text: str, about: DisagreementKey
) -> tuple[DecisionChoice, tuple[TagMark, ...]] | None:
    """What an outcome comes to here; None where that cannot be said."""
    match outcome.choice:
        case DecisionChoice.FIRST:
            saying = [
                side
                for side, statement in zip(about.sides, form.statements, strict=True)
                if statement == outcome.statement
            ]
            marks = saying[0] if len(set(saying)) == 1 else None
        case DecisionChoice.EDITED:
            same = bool(outcome.own) and outcome.text == about.span.text_in(text)
            start = about.span.start
            moved = tuple((span.shifted(start), phi_type) for span, phi_type in outcome.own)
            marks = moved if same else None
        case _:
            marks = joined(about.sides) if outcome.choice is DecisionChoice.BOTH else ()
    return None if marks is None else (choice_of(about.sides, marks), marks)


@dataclass(frozen=True, slots=True)
class PrecedentProposal:
    """A disagreement, and what would be decided about it as it was decided before."""

    disagreement: Disagreement
    precedent: Precedent

    def request(self, mode: DecisionMode = DecisionMode.REVIEWED) -> DecisionRequest:
        """The decision that would be taken."""
        precedent = self.precedent
        return DecisionRequest(self.disagreement, precedent.choice, precedent.marks, mode)

    def order(self) -> tuple[bool, int, str, tuple[int, bool, int, int]]:
        """The least certain first, the like together."""
        precedent = self.precedent
        kind = self.disagreement.kind.value
        return precedent.level.is_of_words, precedent.count, kind, self.disagreement.order()


class PrecedentMatcher:
    """Finds precedents for one patient, and makes precedents of what is decided there.

    What is in the book is looked up when asked for: opening a patient is not the moment to wait.
    """

    def __init__(
        self,
        view: MergedView,
        queue: Collection[Disagreement],
        book: PrecedentBook,
        decisions: Iterable[Decision],
    ) -> None:
        """Take what was decided about this patient from its journal, not from what others read."""
        self._patient_id = view.patient.id
        self._texts = {each.record_id: each.text for each in view.patient.documents}
        self._queue = queue
        self._book = book
        book.replace(self._patient_id, {})
        self._waiting: dict[DisagreementKey, Decision | None] = {
            each.key: each for each in decisions
        }

    def after_edit(self, about: DisagreementKey, decision: Decision | None) -> None:
        self._waiting[about] = decision
        self._catch_up()

    def precedent(self, disagreement: Disagreement) -> Precedent | None:
        self._catch_up()
        return self._book.find(self._text(disagreement), disagreement.key, disagreement.kind)

    def proposals(self, among: Iterable[Disagreement]) -> list[PrecedentProposal]:
        """Return the disagreements with a clear precedent, the least certain first."""
        found = ((each, self.precedent(each)) for each in among)
        clear = (
            PrecedentProposal(each, there) for each, there in found if there and there.is_clear
        )
        return sorted(clear, key=PrecedentProposal.order)

    def like(
        self, disagreement: Disagreement, decided: Decision, among: Collection[Disagreement]
    ) -> list[PrecedentProposal]:
        """Return the others of the same form of difference, with what the decision says there.

        None where it says that this is no PHI: that goes by the words, not by the form.
        """
        said = PrecedentBook()
        said.set(self._patient_id, decided.key, self._prior_decision(decided))
        group = self._patterns.get(self._pattern(disagreement), [])
        others = (each for each in group if each is not disagreement and each in among)
        found = ((each, said.find(self._text(each), each.key, each.kind)) for each in others)
        return [PrecedentProposal(each, precedent) for each, precedent in found if precedent]

    def _catch_up(self) -> None:
        waiting, self._waiting = self._waiting, {}
        for about, decision in waiting.items():
            asked = decision is not None and not decision.choice.is_automatic
            said = self._prior_decision(decision) if decision and asked else ()
            self._book.set(self._patient_id, about, said)

    def _prior_decision(self, decision: Decision) -> PriorDecision:
        text = self._texts[decision.key.record_id]
        return prior_decision(text, decision.key, decision.kind, decision.marks)

    @cached_property
    def _patterns(self) -> dict[Hashable, list[Disagreement]]:
        groups: dict[Hashable, list[Disagreement]] = {}
        for each in self._queue:
            groups.setdefault(self._pattern(each), []).append(each)
        return groups

    def _pattern(self, disagreement: Disagreement) -> Hashable:
        found = patterns(self._text(disagreement), disagreement.key, disagreement.kind)
        return next(each.key for each in found if each.level is MatchLevel.FORM)

    def _text(self, disagreement: Disagreement) -> str:
        return self._texts[disagreement.record_id]
