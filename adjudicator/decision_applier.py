"""What decisions do to the gold standard, those too that opening a patient makes by itself.

A decision replaces what an earlier one about the same disagreement made, and nothing that another
decision wants, so the order of deciding makes no difference to the gold standard. It also ends
decisions about what the annotators had marked there before, and takes away what those made.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from adjudicator.decisions import (
    Decision,
    DecisionChange,
    DecisionChoice,
    DecisionMode,
    chosen_marks,
)
from adjudicator.disagreements import Disagreement, DisagreementKey
from adjudicator.gold_layer import GoldLayer
from shared.metrics.alignment import DifferenceKind, TagMark, unique
from shared.model import MergedView, Origin
from shared.project.edits import Edit, PlacedTag
from shared.text.span_index import SpanIndex


@dataclass(frozen=True, slots=True)
class DecisionRequest:
    """What a decision is to be; the marks are in offsets of the record."""

    disagreement: Disagreement
    choice: DecisionChoice
    marks: tuple[TagMark, ...]
    mode: DecisionMode = DecisionMode.INDIVIDUAL


@dataclass(frozen=True, slots=True)
class _Outdated:
    """The place of a decision whose annotators have marked something else since."""

    start: int
    end: int
    key: DisagreementKey


class DecisionApplier:
    """Turns what is wanted into one edit of the gold layer with its decisions.

    `current` is what the annotators' tags are about now; every other decision is outdated.
    """

    def __init__(
        self, view: MergedView, gold: GoldLayer, current: Collection[DisagreementKey]
    ) -> None:
        self._view = view
        self._gold = gold
        self._outdated = SpanIndex(self._find_outdated(current))

    def outdated_at(self, disagreement: Disagreement) -> list[Decision]:
        """The outdated decisions that still stand where the disagreement is."""
        if not len(self._outdated):
            return []
        places = self._outdated.query(disagreement.start, disagreement.end)
        found = (self._gold.book.find(place.key) for place in places)
        return [decision for decision in found if decision]

    def apply(self, what: str, requests: Sequence[DecisionRequest], **start: list[str]) -> Edit:
        """Carry out decisions as one step; `start` goes to the gold layer as it is."""
        made: dict[tuple[str, TagMark], PlacedTag] = {}
        added: list[PlacedTag] = []
        step: dict[DisagreementKey, DecisionChange] = {}
        for request in requests:
            placed = [self._made(request.disagreement, mark, made, added) for mark in request.marks]
            step |= self._changes(request, tuple(each.tag_id for each in placed))
        kept = {each.key: each for each in made.values()}
        removed = self._removable([request.disagreement for request in requests], kept)
        edit = Edit(what, removed, tuple(added))
        return self._gold.decide(edit, tuple(step.values()), **start)

    def apply_initial(
        self,
        records: Sequence[str],
        found: Iterable[Disagreement],
        filed: Collection[str],
        *,
        review_agreements: bool,
    ) -> None:
        """Decide what opening a patient decides by itself, as one step, if there is any.

        In `records` that begin now, what was `filed` before is kept; else what all say is taken
        over, unless `review_agreements`.
        """
        fresh = [each for each in records if each not in self._gold.book.started]
        kept = [each for each in fresh if each in filed]
        spared = {*kept, *self._gold.book.kept}
        requests: list[DecisionRequest] = []
        for each in found:
            if self._gold.book.find(each.key) is not None:
                continue
            if each.record_id not in spared:
                requests += [] if review_agreements else self._agreed(each)
            elif each.record_id in fresh:
                requests += self._kept(each)
        if requests or fresh:
            self.apply("take over what is agreed", requests, started=fresh, kept=kept)

    def _agreed(self, disagreement: Disagreement) -> Iterator[DecisionRequest]:
        """What all say, unless it was decided otherwise before somebody changed their mind."""
        if disagreement.kind is not DifferenceKind.AGREEMENT:
            return
        marks = chosen_marks(disagreement, DecisionChoice.AGREED)
        contested = any(
            not each.choice.is_automatic and each.marks != marks
            for each in self.outdated_at(disagreement)
        )
        if not contested:
            yield DecisionRequest(disagreement, DecisionChoice.AGREED, marks)

    def _kept(self, disagreement: Disagreement) -> Iterator[DecisionRequest]:
        """What the gold standard has there, if anything."""
        around = self._gold.tags.query(disagreement.start, disagreement.end)
        there: dict[TagMark, None] = {
            each.tag.mark: None
            for each in around
            if any(each.tag.span.overlaps(tag.span) for tag in disagreement.tags)
        }
        if there:
            yield DecisionRequest(disagreement, DecisionChoice.KEPT, tuple(there))

    def _made(
        self,
        disagreement: Disagreement,
        mark: TagMark,
        made: dict[tuple[str, TagMark], PlacedTag],
        added: list[PlacedTag],
    ) -> PlacedTag:
        """The tag of the gold standard for a mark: the one that is there, else a new one."""
        record_id = disagreement.record_id
        key = record_id, mark
        if key not in made:
            there = self._gold.at(record_id, mark)
            if there is None:
                span, phi_type = mark
                origins = (tag.origin for tag in disagreement.tags if tag.mark == mark)
                origin = next(origins, Origin.ADJUDICATION)
                place = self._view.merged_span(record_id, span)
                there = self._gold.tag_of(place, phi_type, origin)
                added.append(there)
            made[key] = there
        return made[key]

    def _changes(
        self, request: DecisionRequest, ids: tuple[str, ...]
    ) -> dict[DisagreementKey, DecisionChange]:
        """The decision itself, and the end of those that it replaces."""
        disagreement = request.disagreement
        key = disagreement.key
        ended = {
            each.key: DecisionChange(each.key, each, None)
            for each in self.outdated_at(disagreement)
        }
        after = Decision(key, disagreement.kind, request.choice, request.marks, ids, request.mode)
        return ended | {key: DecisionChange(key, self._gold.book.find(key), after)}

    def _removable(
        self, decided: Sequence[Disagreement], kept: Collection[tuple[str, str]]
    ) -> tuple[PlacedTag, ...]:
        """What earlier decisions made there, and what stands for a side, unless others want it."""
        ended = {each.key for each in decided}
        tags: dict[tuple[str, str], PlacedTag] = {}
        for disagreement in decided:
            ended.update(each.key for each in self.outdated_at(disagreement))
            tags.update((each.key, each) for each in self._replaceable(disagreement))
        return tuple(
            tag
            for key, tag in tags.items()
            if key not in kept and ended.issuperset(self._gold.book.owners(key))
        )

    def _replaceable(self, disagreement: Disagreement) -> Iterator[PlacedTag]:
        earlier = [*self.outdated_at(disagreement)]
        if own := self._gold.book.find(disagreement.key):
            earlier.append(own)
        for decision in earlier:
            found = (self._gold.find(decision.key.record_id, each) for each in decision.ids)
            yield from (each for each in found if each)
        for mark in unique(mark for side in disagreement.key.sides for mark in side):
            if there := self._gold.at(disagreement.record_id, mark):
                yield there

    def _find_outdated(self, current: Collection[DisagreementKey]) -> Iterator[_Outdated]:
        for decision in self._gold.book:
            if decision.key not in current:
                span = self._view.merged_span(decision.key.record_id, decision.key.span)
                yield _Outdated(span.start, span.end, decision.key)


def in_words(requests: Sequence[DecisionRequest]) -> str:
    """The decision in words that name no annotator, who may be unknown to the adjudicator."""
    types = dict.fromkeys(phi_type.name for _, phi_type in requests[0].marks)
    what = f"decide as {', '.join(types)}" if types else "decide on no tag"
    if len({tuple(phi_type for _, phi_type in request.marks) for request in requests}) > 1:
        what = "decide as before"
    return what if len(requests) == 1 else f"{what}, {len(requests)} times"
