"""One patient being adjudicated: what there is to decide, and what was decided.

Values and the gold layer only; files, locks and assignments are the session's.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice

from adjudicator.decision_applier import DecisionApplier, in_words
from adjudicator.decisions import (
    Decision,
    DecisionChoice,
    DecisionMode,
    DecisionRequest,
    choice_of,
    chosen_marks,
)
from adjudicator.disagreements import Disagreement, find_disagreements, tagged_texts
from adjudicator.gold_layer import GoldLayer
from adjudicator.precedents import Precedent, PrecedentBook, PrecedentMatcher, PrecedentProposal
from adjudicator.similarity import SimilarDisagreements
from shared.errors import RequestError
from shared.metrics.alignment import DifferenceKind, TagMark
from shared.model import Layer, MergedView, Schema, Span
from shared.project.edits import Edit
from shared.project.gold_remarks import Remark
from shared.text.span_index import SpanIndex


@dataclass(frozen=True, slots=True)
class Progress:
    """How many of a patient's disagreements are decided."""

    decided: int
    total: int

    @property
    def left(self) -> int:
        return self.total - self.decided

    def __str__(self) -> str:
        return f"{self.decided} of {self.total}"


class DisagreementQueue:
    """The disagreements of a patient in order of deciding, over the gold layer they lead to.

    `layers` holds the layers of the annotators for each record that can be compared, `filed` the
    records whose gold standard was on disk before this opening. What all annotators say is taken
    over at once, unless `review_agreements`; in a record that had a gold standard before there was
    any decision, that one is kept, and what it lacks is to be decided. `precedents` are those of
    the project; what is decided here joins them.
    """

    def __init__(  # noqa: PLR0913  what it is made of, most of it by name
        self,
        view: MergedView,
        layers: Sequence[Sequence[Layer]],
        gold: GoldLayer,
        *,
        schema: Schema,
        filed: Collection[str] = (),
        review_agreements: bool = False,
        precedents: PrecedentBook | None = None,
    ) -> None:
        self._view = view
        self._review = review_agreements
        self.gold = gold
        found = find_disagreements(view, layers, schema)
        self._applier = DecisionApplier(view, gold, {each.key for each in found})
        records = [of_record[0].record_id for of_record in layers]
        self._applier.apply_initial(records, found, filed, review_agreements=review_agreements)
        self._all = tuple(each for each in found if self._is_to_decide(each))
        self._queued = {each.key: each for each in self._all}
        self._by_place = SpanIndex(self._all)
        self._similar = SimilarDisagreements(view, self._all)
        self._numbers = {each: number for number, each in enumerate(self._all)}
        self._open = {each for each in self._all if self._is_undecided(each)}
        book = PrecedentBook() if precedents is None else precedents
        self._precedents = PrecedentMatcher(view, self._all, book, gold.book)
        gold.changed = self.after_edit

    def __len__(self) -> int:
        return len(self._all)

    def __iter__(self) -> Iterator[Disagreement]:
        """Everything to decide, decided or not, in order of deciding."""
        return iter(self._all)

    def __getitem__(self, number: int) -> Disagreement:
        return self._all[number]

    @property
    def progress(self) -> Progress:
        return Progress(len(self._all) - len(self._open), len(self._all))

    def is_open(self, disagreement: Disagreement) -> bool:
        return disagreement in self._open

    def has_open_at(self, span: Span) -> bool:
        """True where a disagreement that is open lies in a stretch of the merged view."""
        return any(self.is_open(each) for each in self._by_place.query(span.start, span.end))

    def has_no_tag_at(self, span: Span) -> bool:
        """True where a disagreement in a stretch was decided so that nothing is tagged."""
        there = self._by_place.query(span.start, span.end)
        return any((found := self.decision(each)) and not found.marks for each in there)

    def decision(self, disagreement: Disagreement) -> Decision | None:
        """What was decided; None while it is open."""
        decision = None if self.is_open(disagreement) else self.gold.book.find(disagreement.key)
        return decision and self.gold.as_it_stands(decision)

    def remark_on(self, disagreement: Disagreement) -> Remark | None:
        return self.gold.book.remarks.get(disagreement.key)

    def remark(self, disagreement: Disagreement, reason: str, *, discuss: bool) -> None:
        """Keep a reason, and whether it is to be discussed, in place of what was remarked before.

        A remark decides nothing, and undo passes it over.
        """
        self.gold.remark(disagreement.key, Remark(reason.strip(), discuss))

    def reasons(self) -> list[str]:
        """The reasons given for this patient so far, the newest first."""
        remarks = sorted(self.gold.book.remarks.values(), key=lambda each: each.at, reverse=True)
        return list(dict.fromkeys(each.reason for each in remarks if each.reason))

    def is_changed(self, disagreement: Disagreement) -> bool:
        """True where it is open although something was decided there before it changed."""
        if not self.is_open(disagreement):
            return False
        before = self.gold.book.find(disagreement.key)
        return bool(before and not before.choice.is_automatic) or bool(
            self._applier.outdated_at(disagreement)
        )

    def at(self, start: int, end: int) -> list[Disagreement]:
        """The disagreements over a stretch; where that is empty, at the caret there.

        A disagreement is where an annotator has a tag, and where what it was decided as has one.
        The closest comes first: over just this stretch, else the shortest. Of those that a caret
        only touches there is none where it is in others.
        """
        span = Span(max(0, start - 1), end + 1) if start == end else Span(start, end)
        places = [(each.span, each) for each in self._by_place.query(span.start, span.end)]
        for tag in self.gold.tags.query(span.start, span.end):
            owners = map(self._queued.get, self.gold.book.owners(tag.key))
            places += [(tag.span, each) for each in owners if each is not None]
        if start == end:
            places = [each for each in places if each[0].start <= start <= each[0].end]
            places = [each for each in places if start < each[0].end] or places
        places.sort(key=lambda each: (each[0] != span, each[0].end - each[0].start))
        return list(dict.fromkeys(each for _, each in places))

    def next_open(self, after: Disagreement | None = None) -> Disagreement | None:
        """The first open one after another in the queue, looking around from its end."""
        start = self._numbers[after] + 1 if after in self._numbers else 0
        around = chain(islice(self._all, start, None), islice(self._all, start))
        return next((each for each in around if each in self._open), None)

    def number(self, disagreement: Disagreement) -> int:
        """Its place in the queue, counted from 0."""
        return self._numbers[disagreement]

    def same_text(self, disagreement: Disagreement) -> list[Disagreement]:
        """The others of this patient that one decision can settle along with it.

        They say the same of the same words, and are open, or were decided the same way as it was.
        """
        outcome = self._outcome(disagreement)
        return [
            each
            for each in self._similar.others(disagreement)
            if each in self._open or (outcome is not None and self._outcome(each) == outcome)
        ]

    def decide(self, disagreement: Disagreement, choice: DecisionChoice) -> Edit:
        """Take what one side, both or neither says. Raises RequestError as `chosen_marks` does."""
        return self.decide_all(
            [DecisionRequest(disagreement, choice, chosen_marks(disagreement, choice))]
        )

    def decide_with(self, disagreement: Disagreement, marks: Iterable[TagMark]) -> Edit:
        """Decide with marks of the adjudicator's own, in offsets of the record."""
        own = tuple(sorted(dict.fromkeys(marks)))
        return self.decide_all([DecisionRequest(disagreement, DecisionChoice.EDITED, own)])

    def decide_all(self, requests: Sequence[DecisionRequest]) -> Edit:
        """Decide as is wanted, all in one step."""
        return self._applier.apply(in_words(requests), requests)

    def alike(self, disagreement: Disagreement, choice: DecisionChoice) -> list[DecisionRequest]:
        """What a choice comes to for a disagreement and, after it, for the same text elsewhere.

        Raises RequestError as `chosen_marks` does.
        """
        requests = [DecisionRequest(disagreement, choice, chosen_marks(disagreement, choice))]
        for other in self.same_text(disagreement):
            same = self._similar.same_choice(choice, disagreement, other)
            marks = chosen_marks(other, same)
            requests.append(DecisionRequest(other, same, marks, DecisionMode.SAME_TEXT))
        return requests

    def alike_as_decided(self, disagreement: Disagreement) -> list[DecisionRequest]:
        """What was decided about a disagreement, and what it comes to for the same text elsewhere.

        Raises RequestError where nothing was decided.
        """
        decision = self.decision(disagreement)
        if decision is None:
            raise RequestError("decide this one first, then the similar ones")
        requests = [DecisionRequest(disagreement, decision.choice, decision.marks, decision.mode)]
        for other in self.same_text(disagreement):
            marks = self._similar.same_marks(decision.marks, disagreement, other)
            if marks is not None:
                choice = choice_of(other.key.sides, marks)
                requests.append(DecisionRequest(other, choice, marks, DecisionMode.SAME_TEXT))
        return requests

    def precedent(self, disagreement: Disagreement) -> Precedent | None:
        """What was decided in this project about the like of one that is open."""
        return self._precedents.precedent(disagreement) if self.is_open(disagreement) else None

    def proposals(self) -> list[PrecedentProposal]:
        """Everything open that has a clear precedent, the least certain first."""
        return self._precedents.proposals(filter(self.is_open, self._all))

    def similar_by_pattern(self, disagreement: Disagreement) -> list[PrecedentProposal]:
        """What is open and differs in the same form, each with what was decided about this one."""
        decision = self.decision(disagreement)
        return self._precedents.like(disagreement, decision, self._open) if decision else []

    def reopen(self, disagreement: Disagreement) -> Edit:
        before = self.decision(disagreement)
        if before is None:
            raise RequestError("this is not decided yet")
        return self._applier.reopen(before)

    def mark(self, record_id: str, mark: TagMark) -> Edit | None:
        """Settle the disagreements that a mark overlaps by that mark; None where there are none.

        Only those that are open, or decided so that the gold standard has nothing for them.
        """
        span = self._view.merged_span(record_id, mark[0])
        crossed = [
            each
            for each in self._by_place.query(span.start, span.end)
            if not ((decision := self.decision(each)) and decision.marks)
            and any(tag.span.overlaps(mark[0]) for tag in each.tags)
        ]
        requests: list[DecisionRequest] = []
        for each in crossed:
            there = (tag.tag.mark for tag in self.gold.made_by_none(each.span))
            beside = (known for known in there if not known[0].overlaps(mark[0]))
            marks = tuple(sorted({mark, *beside}))
            requests.append(DecisionRequest(each, choice_of(each.key.sides, marks), marks))
        return self.decide_all(requests) if requests else None

    def after_edit(self, _operation: str, _edit: Edit) -> None:
        """Take note of an edit, undo or redo of the gold layer."""
        for change in self.gold.last_step:
            self._precedents.after_edit(change.key, change.after)
            disagreement = self._queued.get(change.key)
            if disagreement is not None:
                undecided = self._is_undecided(disagreement)
                (self._open.add if undecided else self._open.discard)(disagreement)

    def changed(self) -> list[Disagreement]:
        """The disagreements whose decisions the last edit, undo or redo changed."""
        keys = [change.key for change in self.gold.last_step]
        return [self._queued[key] for key in keys if key in self._queued]

    def _is_to_decide(self, disagreement: Disagreement) -> bool:
        is_agreed = disagreement.kind is DifferenceKind.AGREEMENT and not self._review
        decision = self.gold.book.find(disagreement.key) if is_agreed else None
        return decision is None or not self.gold.holds(decision)

    def _is_undecided(self, disagreement: Disagreement) -> bool:
        decision = self.gold.book.find(disagreement.key)
        if decision is None or not self.gold.holds(decision):
            return True
        return self._review and decision.choice is DecisionChoice.AGREED

    def _outcome(self, disagreement: Disagreement) -> object:
        decision = self.decision(disagreement)
        return decision and tagged_texts(decision.marks, self._view.text, disagreement.shift)
