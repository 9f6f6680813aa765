"""One patient being adjudicated: what there is to decide, and what was decided.

Values and the gold layer only; files, locks and assignments are the session's.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice

from adjudicator.alike import AlikeIndex
from adjudicator.decisions import (
    Choice,
    Decision,
    DecisionChange,
    Note,
    Way,
    choice_of,
    chosen_marks,
)
from adjudicator.disagreements import Disagreement, find_disagreements, pattern
from adjudicator.gold_layer import GoldLayer
from adjudicator.precedents import Precedent, PrecedentBook
from adjudicator.proposals import Proposal, Proposer
from adjudicator.settling import Settler, Want, in_words
from adjudicator.starting import Start
from shared.errors import RequestError
from shared.metrics.alignment import DifferenceKind, TagMark
from shared.model import Layer, MergedView, Span
from shared.project.edits import Edit
from shared.text.span_index import SpanIndex


@dataclass(frozen=True, slots=True)
class Progress:
    """How many of a patient's disagreements are decided."""

    decided: int
    total: int

    def __str__(self) -> str:
        return f"{self.decided} of {self.total}"


class Adjudication:
    """The disagreements of a patient in order of deciding, over the gold layer they lead to.

    `layers` holds the layers of the annotators for each record that can be compared, `filed` the
    records whose gold standard was on disk before this opening. What all annotators say is taken
    over at once, unless `review_agreements`; in a record that had a gold standard before there was
    any decision, that one is kept, and what it lacks is to be decided. `precedents` are those of
    the project; what is decided here joins them.
    """

    def __init__(
        self,
        view: MergedView,
        layers: Sequence[Sequence[Layer]],
        gold: GoldLayer,
        *,
        filed: Collection[str] = (),
        review_agreements: bool = False,
        precedents: PrecedentBook | None = None,
    ) -> None:
        self._view = view
        self._review = review_agreements
        self.gold = gold
        found = find_disagreements(view, layers)
        self._settler = Settler(view, gold, {each.key for each in found})
        records = [of_record[0].record_id for of_record in layers]
        start = Start(gold, self._settler, filed, review_agreements=review_agreements)
        start.settle(records, found)
        self.queue: tuple[Disagreement, ...] = tuple(self._to_decide(found))
        """Everything to decide, decided or not, in order of deciding."""
        self._queued = {each.key: each for each in self.queue}
        self._by_place = SpanIndex(self.queue)
        self._alike = AlikeIndex(view, self.queue)
        self._numbers = {each: number for number, each in enumerate(self.queue)}
        self._open = {each for each in self.queue if self._is_undecided(each)}
        self._proposer = Proposer(
            view, self.queue, PrecedentBook() if precedents is None else precedents
        )
        self._proposer.start(gold.book)

    @property
    def progress(self) -> Progress:
        return Progress(len(self.queue) - len(self._open), len(self.queue))

    def is_open(self, disagreement: Disagreement) -> bool:
        return disagreement in self._open

    def waits_at(self, span: Span) -> bool:
        """True where a disagreement that is open lies in a stretch of the merged view."""
        return any(self.is_open(each) for each in self._by_place.query(span.start, span.end))

    def decision(self, disagreement: Disagreement) -> Decision | None:
        """What was decided; None while it is open."""
        return None if self.is_open(disagreement) else self.gold.book.find(disagreement.key)

    def note(self, disagreement: Disagreement) -> Note | None:
        """What was remarked on it, decided or not."""
        return self.gold.book.notes.get(disagreement.key)

    def remark(self, disagreement: Disagreement, reason: str, *, discuss: bool) -> None:
        """Keep a reason, and whether it is to be discussed, in place of what was remarked before.

        A remark decides nothing, and undo passes it over.
        """
        self.gold.remark(disagreement.key, Note(reason.strip(), discuss))

    def is_changed(self, disagreement: Disagreement) -> bool:
        """True where it is open although something was decided there before it changed."""
        if not self.is_open(disagreement):
            return False
        before = self.gold.book.find(disagreement.key)
        return bool(before and not before.choice.is_automatic) or bool(
            self._settler.outdated_at(disagreement)
        )

    def next_open(self, after: Disagreement | None = None) -> Disagreement | None:
        """The first open one after another in the queue, looking around from its end."""
        if not self._open:
            return None
        start = self._numbers[after] + 1 if after in self._numbers else 0
        around = chain(islice(self.queue, start, None), islice(self.queue, start))
        return next(each for each in around if each in self._open)

    def number(self, disagreement: Disagreement) -> int:
        """Its place in the queue, counted from 0."""
        return self._numbers[disagreement]

    def alike(self, disagreement: Disagreement) -> list[Disagreement]:
        """The others of this patient that one decision can settle along with it.

        They say the same of the same words, and are open, or were decided the same way as it was.
        """
        others, opened = self._alike.others(disagreement), self._open
        outcome = self._outcome(disagreement)
        if outcome is None:
            return [each for each in others if each in opened]
        return [each for each in others if each in opened or self._outcome(each) == outcome]

    def decide(self, disagreement: Disagreement, choice: Choice, *, alike: bool = False) -> Edit:
        """Take what one side, both or neither says; with `alike`, for all that are alike too.

        Raises RequestError where both are wanted and overlap.
        """
        wants = [Want(disagreement, choice, chosen_marks(disagreement, choice))]
        for other in self.alike(disagreement) if alike else ():
            same = self._alike.same_choice(choice, disagreement, other)
            wants.append(Want(other, same, chosen_marks(other, same), Way.ALIKE))
        return self._settle(wants)

    def edit(
        self, disagreement: Disagreement, marks: Iterable[TagMark], *, alike: bool = False
    ) -> Edit:
        """Decide with marks of the adjudicator's own, in offsets of the record."""
        own = tuple(sorted(dict.fromkeys(marks)))
        wants = [Want(disagreement, Choice.EDITED, own)]
        for other in self.alike(disagreement) if alike else ():
            moved = self._alike.same_marks(own, disagreement, other)
            wants += [Want(other, Choice.EDITED, moved, Way.ALIKE)] if moved else []
        return self._settle(wants)

    def precedent(self, disagreement: Disagreement) -> Precedent | None:
        """What was decided in this project about the like of one that is open."""
        return self._proposer.precedent(disagreement) if self.is_open(disagreement) else None

    def proposals(self) -> list[Proposal]:
        """Everything open that has a clear precedent, the least certain first."""
        return self._proposer.proposals(each for each in self.queue if self.is_open(each))

    def alike_by_form(self, disagreement: Disagreement) -> list[Proposal]:
        """What is open and differs in the same form, each with what was decided about this one."""
        decision = self.decision(disagreement)
        if decision is None:
            return []
        same = self._proposer.same_form(disagreement)
        return self._proposer.like(decision, (each for each in same if self.is_open(each)))

    def take(self, proposals: Iterable[Proposal], way: Way = Way.REVIEWED) -> Edit:
        """Decide as was decided before, all in one step."""
        wants = [
            Want(each.disagreement, each.precedent.choice, each.precedent.marks, way)
            for each in proposals
        ]
        return self._settle(wants)

    def reopen(self, disagreement: Disagreement) -> Edit:
        """Take a decision back, and out of the gold standard what it made."""
        before = self.decision(disagreement)
        if before is None:
            raise RequestError("this is not decided yet")
        tags = (self.gold.find(disagreement.record_id, each) for each in before.ids)
        removed = tuple(
            each for each in tags if each and self.gold.book.owners(each.key) == [before.key]
        )
        step = (DecisionChange(disagreement.key, before, None),)
        return self.noted(self.gold.decide(Edit("reopen", removed=removed), step))

    def mark(self, record_id: str, mark: TagMark) -> Edit | None:
        """Settle the disagreements that a mark overlaps by that mark; None where there are none.

        Only those that are open, or decided so that the gold standard has nothing for them.
        """
        span = self._view.merged_span(record_id, mark[0])
        crossed = [
            each
            for each in self._by_place.query(span.start, span.end)
            if self._is_empty(each) and any(tag.span.overlaps(mark[0]) for tag in each.tags)
        ]
        if not crossed:
            return None
        wants = [Want(each, choice_of(each.key.sides, (mark,)), (mark,)) for each in crossed]
        return self._settle(wants)

    def noted(self, edit: Edit) -> Edit:
        """Take note of an edit, undo or redo that was made on the gold layer directly."""
        for change in self.gold.last_step:
            self._proposer.note(change.key, change.after)
            disagreement = self._queued.get(change.key)
            if disagreement is not None:
                if self._is_undecided(disagreement):
                    self._open.add(disagreement)
                else:
                    self._open.discard(disagreement)
        return edit

    def touched(self) -> list[Disagreement]:
        """The disagreements whose decisions the last edit, undo or redo changed."""
        keys = [change.key for change in self.gold.last_step]
        return [self._queued[key] for key in keys if key in self._queued]

    def _to_decide(self, found: Iterable[Disagreement]) -> Iterator[Disagreement]:
        for each in found:
            is_agreed = each.kind is DifferenceKind.AGREEMENT and not self._review
            decision = self.gold.book.find(each.key) if is_agreed else None
            if decision is None or not self.gold.holds(decision):
                yield each

    def _is_undecided(self, disagreement: Disagreement) -> bool:
        decision = self.gold.book.find(disagreement.key)
        if decision is None or not self.gold.holds(decision):
            return True
        return self._review and decision.choice is Choice.AGREED

    def _is_empty(self, disagreement: Disagreement) -> bool:
        decision = self.decision(disagreement)
        return decision is None or not decision.marks

    def _settle(self, wants: Sequence[Want]) -> Edit:
        return self.noted(self._settler.settle(in_words(wants), wants))

    def _outcome(self, disagreement: Disagreement) -> object:
        decision = self.decision(disagreement)
        return decision and pattern(decision.marks, self._view.text, disagreement.shift)
