"""What the annotation window knows of suggestions: which still wait for the annotator's word.

A suggestion waits unless a tag lies over it or it was rejected, and is shown where it is sure
enough. Offsets are those of the merged view.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain, starmap
from math import inf

from annotator.by_confidence import ByConfidence
from annotator.rejections import PlacedSuggestion, Rejection, Rejections, words_of
from shared.model import MergedView, PhiType, Span
from shared.project.edits import Edit, PlacedTag
from shared.text.span_index import SpanIndex

USUAL_THRESHOLD = 0.5

Words = tuple[str, PhiType]
"""A text for comparing, and a type: what makes suggestions alike."""
Stretch = tuple[int, int]
"""`[start, end)` of the merged view."""
Exchange = tuple[tuple[PlacedSuggestion, ...], tuple[PlacedSuggestion, ...]]
"""Suggestions that go, and such that come, in order."""


class Walk(StrEnum):
    """In which order one goes from suggestion to suggestion."""

    BY_PLACE = "first to last"
    LEAST_SURE = "least sure first"


@dataclass(frozen=True, slots=True)
class Change:
    """Suggestions that are no more shown, and such that are now."""

    removed: tuple[PlacedSuggestion, ...] = ()
    added: tuple[PlacedSuggestion, ...] = ()


_FEW = 20
"""What more changed tags than this mean for the suggestions waits until somebody wants to know."""


class SuggestionReview:
    """The suggestions of one patient; `changed` is told whenever others are to be shown.

    `tags` are the patient's, which change before `edited` is called. Where an edit was of many
    tags, whoever shows the suggestions calls `follow` until all is seen to; whatever else is asked
    sees to the rest at once.
    """

    def __init__(
        self, view: MergedView, tags: SpanIndex[PlacedTag], rejections: Rejections
    ) -> None:
        self._view = view
        self._tags = tags
        self._rejections = rejections
        self._all: SpanIndex[PlacedSuggestion] = SpanIndex()
        self._by_words: dict[Words, set[PlacedSuggestion]] = {}
        self._waiting: set[PlacedSuggestion] = set()
        self._ranked = ByConfidence()
        """What waits, by how sure it is."""
        self._rejected: set[PlacedSuggestion] = set()
        self._threshold = USUAL_THRESHOLD
        self._unsettled: list[PlacedSuggestion] = []
        """What is perhaps to be shown or hidden since the threshold has moved."""
        self._shown: SpanIndex[PlacedSuggestion] = SpanIndex()
        self._edited: list[Stretch] = []
        """Where tags have changed, in order, with nothing of it seen to."""
        self.changed: Callable[[Change], None] = _nothing

    @property
    def shown(self) -> SpanIndex[PlacedSuggestion]:
        """What waits and is sure enough, by place."""
        self._catch_up()
        return self._shown

    @property
    def threshold(self) -> float:
        return self._threshold

    @threshold.setter
    def threshold(self, threshold: float) -> None:
        self.move_threshold(threshold)
        self.settle(len(self._unsettled))

    def move_threshold(self, threshold: float) -> None:
        """Ask for another threshold; `settle` then shows and hides what it asks for."""
        self._catch_up()
        self._unsettled += self._ranked.between(*sorted((self._threshold, threshold)))
        self._threshold = threshold

    def settle(self, most: int) -> bool:
        """Show or hide so many of what the threshold asks for; True once all is as it says."""
        portion, self._unsettled = self._unsettled[:most], self._unsettled[most:]
        sure = {each for each in portion if each in self._waiting and self._is_sure(each)}
        gone = {each for each in portion if each in self._shown and each not in sure}
        self._show(gone, [each for each in sure if each not in self._shown])
        return not self._unsettled

    @property
    def waiting(self) -> int:
        """How many wait, whatever their confidence."""
        self._catch_up()
        return len(self._waiting)

    @property
    def rejected(self) -> int:
        """How many of what is suggested were rejected."""
        self._catch_up()
        return len(self._rejected)

    def fill(self, suggestions: Iterable[PlacedSuggestion]) -> None:
        """Let these be the suggestions, and no others."""
        self.exchange(*self.difference(suggestions))

    def difference(self, suggestions: Iterable[PlacedSuggestion]) -> Exchange:
        """What has to go and to come for these to be the suggestions; may run on a thread."""
        before, now = set(self._all), set(suggestions)
        return by_place(before - now), by_place(now - before)

    def exchange(
        self, removed: Iterable[PlacedSuggestion], added: Iterable[PlacedSuggestion]
    ) -> None:
        """Take suggestions out and put others in."""
        gone, new = tuple(removed), tuple(added)
        self._all.change(gone, new)
        self._all.settle()  # for `difference` on its thread
        for each in gone:
            self._by_words[self._words(each)].discard(each)
        for each in new:
            self._by_words.setdefault(self._words(each), set()).add(each)
        self._look_again({*gone, *new})

    def edited(self, edit: Edit, *, taken_back: bool = False) -> None:
        """Take note of a change of the tags, or of one that was undone: its reverse."""
        self._rejections.edited(edit, taken_back=taken_back)
        self._edited += [(each.start, each.end) for each in chain(edit.removed, edit.added)]
        if len(self._edited) <= _FEW:
            self._catch_up()

    @property
    def is_behind(self) -> bool:
        """Whether tags have changed of which is not known yet what they mean."""
        return bool(self._edited)

    def follow(self, most: int, near: Span | None = None) -> bool:
        """See to so many changed tags, or to what is over a stretch; True while more wait."""
        if near is None:
            places, self._edited = self._edited[:most], self._edited[most:]
        else:
            over = self._all.query(near.start, near.end)
            start = min([near.start, *(each.start for each in over)])
            end = max([near.end, *(each.end for each in over)])
            places = [each for each in self._edited if each[0] < end and start < each[1]]
            self._edited = [each for each in self._edited if each[0] >= end or start >= each[1]]
        touched = dict.fromkeys(chain.from_iterable(starmap(self._all.query, places)))
        self._look_again(set(touched))
        return bool(self._edited)

    def look_again(self) -> None:
        """Take note that many tags may have changed."""
        self._edited = []
        self._look_again(set(self._all))

    def at(self, offset: int) -> PlacedSuggestion | None:
        """The suggestion shown at an offset, else the one that ends there."""
        touching = self._shown_within(max(0, offset - 1), offset + 1)
        around = [each for each in touching if each.start <= offset < each.end]
        ending = [each for each in touching if each.end == offset]
        return min(around or ending, key=lambda each: each.end - each.start, default=None)

    def find(self, span: Span, phi_type: PhiType | None = None) -> PlacedSuggestion | None:
        """The suggestion shown on exactly this span, of this type where one is given."""
        found = self._shown_within(span.start, span.end)
        return next(
            (each for each in found if each.span == span and phi_type in (None, each.phi_type)),
            None,
        )

    def alike(self, suggestion: PlacedSuggestion) -> list[PlacedSuggestion]:
        """What waits on the same text as the same type, however sure, in order."""
        self._catch_up()
        return list(by_place(self._by_words[self._words(suggestion)] & self._waiting))

    def above(self, confidence: float) -> list[PlacedSuggestion]:
        """What waits with at least this confidence, in order."""
        self._catch_up()
        return list(by_place(self._ranked.between(confidence, inf)))

    def count_above(self, confidence: float) -> int:
        """How many wait with at least this confidence."""
        self._catch_up()
        return self._ranked.count_from(confidence)

    def following(
        self, walk: Walk, offset: int, current: PlacedSuggestion | None = None
    ) -> PlacedSuggestion | None:
        """Where a walk goes on: after `current`, else after `offset`; from the end to the start."""
        if walk is Walk.BY_PLACE:
            start = current.start if current else offset - 1
            return self.shown.next_after(start) or self.shown.next_after(-1)
        self._catch_up()
        return self._ranked.following(current, self._threshold)

    def preceding(
        self, walk: Walk, offset: int, current: PlacedSuggestion | None = None
    ) -> PlacedSuggestion | None:
        """Where a walk goes back to."""
        if walk is Walk.BY_PLACE:
            start = current.start if current else offset
            last = len(self._view.text) + 1
            return self.shown.last_before(start) or self.shown.last_before(last)
        self._catch_up()
        return self._ranked.preceding(current, self._threshold)

    def reject(self, suggestion: PlacedSuggestion, *, alike: bool, step: int) -> Rejection:
        """Hide a suggestion, or all alike, for good; returns what the journal is to keep."""
        made = self._rejections.make(suggestion, alike=alike, step=step)
        self._stepped(made)
        return made

    def undo(self, step: int) -> Rejection | None:
        """Take a rejection back, if that is what was done last."""
        return self._stepped(self._rejections.undo(step))

    def redo(self, step: int) -> Rejection | None:
        return self._stepped(self._rejections.redo(step))

    def forget_undone(self) -> None:
        """A new edit was made: rejections that were taken back before stay so."""
        self._rejections.forget_undone()

    def _shown_within(self, start: int, end: int) -> list[PlacedSuggestion]:
        if self._edited:
            self.follow(0, Span(start, end))
        return self._shown.query(start, end)

    def _catch_up(self) -> None:
        if self._edited:
            self.follow(len(self._edited))

    def _stepped(self, rejection: Rejection | None) -> Rejection | None:
        if rejection is not None:
            span = self._view.merged_span(rejection.record_id, rejection.span)
            words = words_of(self._view, span), rejection.phi_type
            self._look_again(set(self._by_words.get(words, ())))
        return rejection

    def _look_again(self, touched: set[PlacedSuggestion]) -> None:
        rejected = {each for each in touched if each in self._all and each in self._rejections}
        self._rejected -= touched - rejected
        self._rejected |= rejected
        gone, come = list[PlacedSuggestion](), list[PlacedSuggestion]()
        for each in touched:
            waits = each in self._all and each not in rejected and not self._is_tagged(each)
            if waits != (each in self._waiting):
                (come if waits else gone).append(each)
        self._exchange_waiting(gone, come)

    def _exchange_waiting(
        self, gone: Sequence[PlacedSuggestion], come: Sequence[PlacedSuggestion]
    ) -> None:
        """Some wait no more, and others now do; none of them did so before."""
        self._waiting.difference_update(gone)
        self._waiting.update(come)
        self._ranked.change(gone, come)
        hidden = [each for each in gone if each in self._shown]
        self._show(hidden, [each for each in come if self._is_sure(each)])

    def _show(self, gone: Collection[PlacedSuggestion], new: Collection[PlacedSuggestion]) -> None:
        """Show some no more, which are shown, and others, which are not."""
        if gone or new:
            self._shown.change(gone, new)
            self.changed(Change(tuple(gone), tuple(new)))

    def _is_sure(self, suggestion: PlacedSuggestion) -> bool:
        return suggestion.confidence >= self._threshold

    def _is_tagged(self, suggestion: PlacedSuggestion) -> bool:
        return bool(self._tags.query(suggestion.start, suggestion.end))

    def _words(self, suggestion: PlacedSuggestion) -> Words:
        return words_of(self._view, suggestion.span), suggestion.phi_type


def by_place(suggestions: Iterable[PlacedSuggestion]) -> tuple[PlacedSuggestion, ...]:
    return tuple(sorted(suggestions, key=lambda each: (each.start, each.end)))


def _nothing(_change: Change) -> None:
    """Nobody wants to know yet."""
