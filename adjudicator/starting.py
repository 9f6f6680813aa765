"""What opening a patient decides by itself: what all say, and the gold standard that was there."""

from collections.abc import Collection, Iterable, Iterator, Sequence

from adjudicator.decisions import Choice, chosen_marks
from adjudicator.disagreements import Disagreement
from adjudicator.gold_layer import GoldLayer
from adjudicator.settling import Settler, Want
from shared.metrics.alignment import DifferenceKind, TagMark


class Start:
    """Takes over what is agreed, unless `review_agreements`, and keeps what was `filed` before."""

    def __init__(
        self,
        gold: GoldLayer,
        settler: Settler,
        filed: Collection[str],
        *,
        review_agreements: bool,
    ) -> None:
        self._gold = gold
        self._settler = settler
        self._filed = filed
        self._review = review_agreements

    def settle(self, records: Sequence[str], found: Iterable[Disagreement]) -> None:
        """Settle what asks nobody in these records, as one step, if there is any."""
        fresh = [each for each in records if each not in self._gold.book.started]
        kept = [each for each in fresh if each in self._filed]
        wants = list(self._wants(found, fresh, {*kept, *self._gold.book.kept}))
        if wants or fresh:
            self._settler.settle("take over what is agreed", wants, started=fresh, kept=kept)

    def _wants(
        self, found: Iterable[Disagreement], fresh: Collection[str], kept: Collection[str]
    ) -> Iterator[Want]:
        for each in found:
            if self._gold.book.find(each.key) is not None:
                continue
            if each.record_id not in kept:
                yield from self._agreed(each)
            elif each.record_id in fresh:
                yield from self._kept(each)

    def _agreed(self, disagreement: Disagreement) -> Iterator[Want]:
        """What all say, unless it was decided otherwise before somebody changed their mind."""
        if disagreement.kind is not DifferenceKind.AGREEMENT or self._review:
            return
        marks = chosen_marks(disagreement, Choice.AGREED)
        contested = any(
            not each.choice.is_automatic and each.marks != marks
            for each in self._settler.outdated_at(disagreement)
        )
        if not contested:
            yield Want(disagreement, Choice.AGREED, marks)

    def _kept(self, disagreement: Disagreement) -> Iterator[Want]:
        """What the gold standard has there, if anything."""
        around = self._gold.tags.query(disagreement.start, disagreement.end)
        there: dict[TagMark, None] = {
            each.tag.mark: None
            for each in around
            if any(each.tag.span.overlaps(tag.span) for tag in disagreement.tags)
        }
        if there:
            yield Want(disagreement, Choice.KEPT, tuple(there))
