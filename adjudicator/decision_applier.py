"""What decisions do to the gold standard, those too that opening a patient makes by itself.

A decision replaces what an earlier one about the same disagreement made, and nothing that another
decision wants, so the order of deciding makes no difference to the gold standard. It also ends
decisions about what the annotators had marked there before, and takes away what those made.
"""

from collections.abc import Collection, Iterable, Sequence

from adjudicator.decisions import Decision, DecisionChange, DecisionChoice, DecisionRequest
from adjudicator.disagreements import Disagreement, DisagreementKey
from adjudicator.gold_layer import GoldLayer
from shared.metrics.alignment import DifferenceKind, TagMark, unique
from shared.model import MergedView, Origin, Span
from shared.project.edits import Edit, PlacedTag


class DecisionApplier:
    """Turns what is wanted into one edit of the gold layer with its decisions.

    `current` is what the annotators' tags are about now; every other decision is outdated.
    """

    def __init__(
        self, view: MergedView, gold: GoldLayer, current: Collection[DisagreementKey]
    ) -> None:
        self._view = view
        self._gold = gold
        self._outdated: dict[str, list[tuple[Span, DisagreementKey]]] = {}
        """By record, in order of place."""
        outdated = [(each.key.span, each.key) for each in gold.book if each.key not in current]
        for span, key in sorted(outdated, key=lambda each: (each[0].start, each[0].end)):
            self._outdated.setdefault(key.record_id, []).append((span, key))

    def outdated_at(self, disagreement: Disagreement) -> list[Decision]:
        """The outdated decisions that still stand where the disagreement is."""
        known = self._outdated.get(disagreement.record_id)
        if not known:
            return []
        here = disagreement.key.span
        found = (self._gold.book.find(key) for span, key in known if span.overlaps(here))
        return [decision for decision in found if decision]

    def apply(self, what: str, requests: Sequence[DecisionRequest], **start: list[str]) -> Edit:
        """Carry out decisions as one step; `start` goes to the gold layer as it is.

        What earlier decisions and hands made there goes, and what stands for a side, unless others
        want it.
        """
        made: dict[tuple[str, TagMark], PlacedTag] = {}
        step: dict[DisagreementKey, DecisionChange] = {}
        replaceable: dict[tuple[str, str], PlacedTag] = {}
        for request in requests:
            disagreement, key = request.disagreement, request.disagreement.key
            ids = tuple(self._made(disagreement, mark, made).tag_id for mark in request.marks)
            after = Decision(
                key, disagreement.kind, request.choice, request.marks, ids, request.mode
            )
            ended, before = self.outdated_at(disagreement), self._gold.book.find(key)
            step |= {each.key: DecisionChange(each.key, each, None) for each in ended}
            step[key] = DecisionChange(key, before, after)
            for decision in (*ended, *([before] if before else [])):
                replaceable.update((each.key, each) for each in self._gold.tags_of(decision))
            for mark in unique(mark for side in key.sides for mark in side):
                if there := self._gold.at(key.record_id, mark):
                    replaceable[there.key] = there
            if not request.choice.is_automatic:
                by_hand = self._gold.made_by_none(disagreement.span)
                replaceable.update((each.key, each) for each in by_hand)
        kept = {each.key for each in made.values()}
        removed = tuple(
            tag
            for key, tag in replaceable.items()
            if key not in kept and step.keys() >= set(self._gold.book.owners(key))
        )
        added = tuple(each for each in made.values() if self._gold.find(*each.key) is None)
        return self._gold.decide(Edit(what, removed, added), tuple(step.values()), **start)

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
            if each.record_id in spared:
                request = self._kept(each) if each.record_id in fresh else None
            else:
                request = None if review_agreements else self._agreed(each)
            requests += [request] if request else []
        if requests or fresh:
            self.apply("take over what is agreed", requests, started=fresh, kept=kept)

    def reopen(self, decision: Decision) -> Edit:
        """Take a decision back, and out of the gold standard what it alone made."""
        removed = tuple(
            each
            for each in self._gold.tags_of(decision)
            if self._gold.book.owners(each.key) == [decision.key]
        )
        step = (DecisionChange(decision.key, decision, None),)
        return self._gold.decide(Edit("reopen", removed=removed), step)

    def _agreed(self, disagreement: Disagreement) -> DecisionRequest | None:
        """What all say, unless it was decided otherwise before somebody changed their mind."""
        marks = disagreement.key.sides[0]
        contested = disagreement.kind is not DifferenceKind.AGREEMENT or any(
            not each.choice.is_automatic and each.marks != marks
            for each in self.outdated_at(disagreement)
        )
        return None if contested else DecisionRequest(disagreement, DecisionChoice.AGREED, marks)

    def _kept(self, disagreement: Disagreement) -> DecisionRequest | None:
        """What the gold standard has there, if anything."""
        around = self._gold.tags.query(disagreement.start, disagreement.end)
        there = unique(
            each.tag.mark
            for each in around
            if any(each.tag.span.overlaps(tag.span) for tag in disagreement.tags)
        )
        return DecisionRequest(disagreement, DecisionChoice.KEPT, tuple(there)) if there else None

    def _made(
        self,
        disagreement: Disagreement,
        mark: TagMark,
        made: dict[tuple[str, TagMark], PlacedTag],
    ) -> PlacedTag:
        """The tag of the gold standard for a mark: the one that is there, else a new one."""
        record_id = disagreement.record_id
        there = made.get((record_id, mark)) or self._gold.at(record_id, mark)
        if there is None:
            span, phi_type = mark
            origins = (tag.origin for tag in disagreement.tags if tag.mark == mark)
            place = self._view.merged_span(record_id, span)
            there = self._gold.tag_of(place, phi_type, next(origins, Origin.ADJUDICATION))
        made[record_id, mark] = there
        return there


def in_words(requests: Sequence[DecisionRequest]) -> str:
    """The decision in words that name no annotator, who may be unknown to the adjudicator."""
    types = dict.fromkeys(phi_type.name for _, phi_type in requests[0].marks)
    what = f"decide as {', '.join(types)}" if types else "decide on no tag"
    if len({tuple(phi_type for _, phi_type in request.marks) for request in requests}) > 1:
        what = "decide as before"
    return what if len(requests) == 1 else f"{what}, {len(requests)} times"
