"""What the annotation window knows of suggestions: which still wait for the annotator's word.

A suggestion waits unless a tag lies over it or it was rejected, and is shown where it is sure
enough. Offsets are those of the merged view.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from itertools import chain, repeat, starmap
from math import inf
from typing import Any

from annotator.rejections import (
    Likeness,
    PlacedSuggestion,
    Rejection,
    Rejections,
    folded,
    likeness,
)
from annotator.tagged_texts import DecidedSuggestions, Exchange
from shared.model import MergedView, PhiType, Span
from shared.project.edits import Edit, PlacedTag
from shared.text.span_index import SpanIndex

USUAL_THRESHOLD = 0.5
DOUBTFUL = 0.9
"""What is less sure is never accepted together with others on the screen."""
_MANY = 500
"""More suggestions than this are taken out at once, not one by one."""
_DIGITS, _LETTERS = re.compile(r"\d"), re.compile(r"[^\W\d_]+")


class SuggestionOrder(StrEnum):
    """In which order one goes from suggestion to suggestion."""

    BY_PLACE = "first to last"
    LEAST_SURE = "least sure first"


@dataclass(frozen=True, slots=True)
class SuggestionChange:
    """Suggestions that are no more shown, and such that are now."""

    removed: tuple[PlacedSuggestion, ...] = ()
    added: tuple[PlacedSuggestion, ...] = ()


class SuggestionReview:
    """The suggestions of one patient; `changed` is told whenever others are to be shown.

    `tags` are the patient's, which change before `edited` is called.
    """

    def __init__(
        self,
        view: MergedView,
        tags: SpanIndex[PlacedTag],
        rejections: Rejections,
        decided: DecidedSuggestions,
    ) -> None:
        self._view = view
        self._tags = tags
        self._rejections = rejections
        self._decided = decided
        self._all: SpanIndex[PlacedSuggestion] = SpanIndex()
        self._alike: dict[Likeness, set[PlacedSuggestion]] = {}
        self._waiting: set[PlacedSuggestion] = set()
        self._ranked = ByConfidence()
        """What waits, by how sure it is."""
        self._rejected: set[PlacedSuggestion] = set()
        self._threshold = USUAL_THRESHOLD
        self._undecided: list[PlacedSuggestion] = []
        """What is perhaps to be shown or hidden since the threshold has moved."""
        self.shown: SpanIndex[PlacedSuggestion] = SpanIndex()
        """What waits and is sure enough, by place."""
        self.changed: Callable[[SuggestionChange], None] = _nothing

    @property
    def threshold(self) -> float:
        return self._threshold

    @threshold.setter
    def threshold(self, threshold: float) -> None:
        self.move_threshold(threshold)
        self.apply_threshold(len(self._undecided))

    def move_threshold(self, threshold: float) -> None:
        """Ask for another threshold; `apply_threshold` then shows and hides what it asks for."""
        self._undecided += self._ranked.between(*sorted((self._threshold, threshold)))
        self._threshold = threshold

    def apply_threshold(self, most: int) -> bool:
        """Show or hide so many of what the threshold asks for; True once all is as it says."""
        portion, self._undecided = self._undecided[:most], self._undecided[most:]
        sure = {each for each in portion if each in self._waiting and self._is_sure(each)}
        gone = {each for each in portion if each in self.shown and each not in sure}
        self._show(gone, [each for each in sure if each not in self.shown])
        return not self._undecided

    @property
    def waiting(self) -> int:
        """How many wait, whatever their confidence."""
        return len(self._waiting)

    @property
    def rejected(self) -> int:
        """How many of what is suggested were rejected, and are not tagged since."""
        return len(self._rejected)

    def fill(self, suggestions: Iterable[PlacedSuggestion]) -> None:
        """Let these be the suggestions, and no others."""
        self.exchange(*self.difference(suggestions))

    def difference(self, suggestions: Iterable[PlacedSuggestion]) -> Exchange:
        """What has to go and to come for these to be the suggestions; may run on a thread."""
        self._decided.prepare()
        before, now = self._decided.recognized, set(suggestions)
        return by_place(before - now), by_place(now - before)

    def exchange(
        self, removed: Iterable[PlacedSuggestion], added: Iterable[PlacedSuggestion]
    ) -> None:
        """Take what recognizers suggest out and put other things in."""
        self._exchange(self._decided.exchange(removed, added))

    def edited(self, edit: Edit, *, taken_back: bool = False) -> None:
        """Take note of a change of the tags, or of one that was undone: its reverse."""
        self._rejections.edited(edit, taken_back=taken_back)
        self._exchange(self._decided.edited(edit))
        places = [(each.start, each.end) for each in chain(edit.removed, edit.added)]
        self._look_again(set(chain.from_iterable(starmap(self._all.query, places))))

    def at(self, offset: int) -> PlacedSuggestion | None:
        """The suggestion shown at an offset, else the one that ends there."""
        touching = self.shown.query(max(0, offset - 1), offset + 1)
        around = [each for each in touching if each.start <= offset < each.end]
        ending = [each for each in touching if each.end == offset]
        return min(around or ending, key=lambda each: each.end - each.start, default=None)

    def shown_within(self, stretch: Span) -> list[PlacedSuggestion]:
        """The suggestions shown that lie in a stretch as a whole, in order."""
        found = self.shown.query(stretch.start, stretch.end)
        return [each for each in found if stretch.contains(each.span)]

    def find(self, span: Span, phi_type: PhiType | None = None) -> PlacedSuggestion | None:
        """The suggestion shown on exactly this span, of this type where one is given."""
        found = self.shown.query(span.start, span.end)
        return next(
            (each for each in found if each.span == span and phi_type in (None, each.phi_type)),
            None,
        )

    def alike(self, suggestion: PlacedSuggestion) -> list[PlacedSuggestion]:
        """What waits on the same text as the same type, however sure, in order."""
        return list(by_place(self._alike[self._likeness(suggestion)] & self._waiting))

    def above(self, confidence: float) -> list[PlacedSuggestion]:
        """What waits with at least this confidence, in order."""
        return list(by_place(self._ranked.between(confidence, inf)))

    def least_alike_first(
        self, suggestions: Iterable[PlacedSuggestion]
    ) -> tuple[PlacedSuggestion, ...]:
        """Order what is to be accepted at once for looking through it.

        First comes what is least like anything that is tagged: of a type not tagged yet, or of a
        form that no tag of its type has; last what is tagged as the same elsewhere.
        """
        whole, items = self._view.text, tuple(suggestions)
        tagged: defaultdict[PhiType, set[str]] = defaultdict(set)
        for each in self._tags:
            tagged[each.tag.phi_type].add(whole[each.start : each.end])
        known = {
            phi_type: {form for forms in _forms(texts) for form in forms}
            for phi_type, texts in tagged.items()
        }
        forms = _forms(whole[each.start : each.end] for each in items)
        ranked = [
            (sum(form in known.get(each.phi_type, ()) for form in its), each)
            for each, its in zip(items, forms, strict=True)
        ]
        ranked.sort(key=lambda pair: (pair[0], pair[1].confidence, pair[1].start))
        return tuple(each for _, each in ranked)

    def count_above(self, confidence: float) -> int:
        """How many wait with at least this confidence."""
        return self._ranked.count_from(confidence)

    def following(
        self, walk: SuggestionOrder, offset: int, current: PlacedSuggestion | None = None
    ) -> PlacedSuggestion | None:
        """Where a walk goes on: after `current`, else after `offset`; from the end to the start."""
        if walk is SuggestionOrder.BY_PLACE:
            start = current.start if current else offset - 1
            return self.shown.next_after(start) or self.shown.next_after(-1)
        return self._ranked.following(current, self._threshold)

    def preceding(
        self, walk: SuggestionOrder, offset: int, current: PlacedSuggestion | None = None
    ) -> PlacedSuggestion | None:
        """Where a walk goes back to."""
        if walk is SuggestionOrder.BY_PLACE:
            start = current.start if current else offset
            last = len(self._view.text) + 1
            return self.shown.last_before(start) or self.shown.last_before(last)
        return self._ranked.preceding(current, self._threshold)

    def reject(self, suggestion: PlacedSuggestion, *, alike: bool, step: int) -> Rejection:
        """Hide a suggestion, or all alike, for good; returns what the journal is to keep."""
        made = self._rejections.make(suggestion, alike=alike, step=step)
        self._stepped(made)
        return made

    def leave_without_tag(self, places: Iterable[Span]) -> None:
        """Hide what is or will be suggested at exactly these places, and at no others."""
        before, now = self._rejections.without_tag, frozenset(places)
        self._rejections.without_tag = now
        changed = before ^ now
        self._look_again({one for each in changed for one in self._all.on(each.start, each.end)})

    def undo(self, step: int) -> Rejection | None:
        """Take a rejection back, if that is what was done last."""
        return self._stepped(self._rejections.undo(step))

    def redo(self, step: int) -> Rejection | None:
        return self._stepped(self._rejections.redo(step))

    def forget_undone(self) -> None:
        """A new edit was made: rejections that were taken back before stay so."""
        self._rejections.forget_undone()

    def _stepped(self, rejection: Rejection | None) -> Rejection | None:
        if rejection is not None:
            span = self._view.merged_span(rejection.record_id, rejection.span)
            self._exchange(self._decided.rejected(span))
            alike = self._alike.get(likeness(self._view, span, rejection.phi_type), ())
            self._look_again(set(alike))
        return rejection

    def _exchange(self, changed: Exchange) -> None:
        gone, new = changed
        self._all.change(gone, new)
        for each in gone:
            self._alike[self._likeness(each)].discard(each)
        for each in new:
            self._alike.setdefault(self._likeness(each), set()).add(each)
        self._look_again({*gone, *new})

    def _look_again(self, touched: set[PlacedSuggestion]) -> None:
        bare = {each for each in touched if each in self._all and not self._is_tagged(each)}
        rejected = {each for each in bare if each in self._rejections}
        waits = bare - rejected
        self._rejected = (self._rejected - touched) | rejected
        gone = [each for each in touched if each in self._waiting and each not in waits]
        self._exchange_waiting(gone, [each for each in waits if each not in self._waiting])

    def _exchange_waiting(
        self, gone: Sequence[PlacedSuggestion], come: Sequence[PlacedSuggestion]
    ) -> None:
        """Some wait no more, and others now do; none of them did so before."""
        self._waiting.difference_update(gone)
        self._waiting.update(come)
        self._ranked.change(gone, come)
        hidden = [each for each in gone if each in self.shown]
        self._show(hidden, [each for each in come if self._is_sure(each)])

    def _show(self, gone: Collection[PlacedSuggestion], new: Collection[PlacedSuggestion]) -> None:
        """Show some no more, which are shown, and others, which are not."""
        if gone or new:
            self.shown.change(gone, new)
            self.changed(SuggestionChange(tuple(gone), tuple(new)))

    def _is_sure(self, suggestion: PlacedSuggestion) -> bool:
        return suggestion.confidence >= self._threshold

    def _is_tagged(self, suggestion: PlacedSuggestion) -> bool:
        return bool(self._tags.query(suggestion.start, suggestion.end))

    def _likeness(self, suggestion: PlacedSuggestion) -> Likeness:
        return likeness(self._view, suggestion.span, suggestion.phi_type)


class ByConfidence:
    """Suggestions from the least to the most sure, of those as sure the first in the text first."""

    def __init__(self) -> None:
        from sortedcontainers import SortedKeyList  # pyright: ignore[reportMissingTypeStubs]

        self._ordered: Any = partial(SortedKeyList, key=_rank)
        self._ranked: Any = self._ordered()

    def __len__(self) -> int:
        return len(self._ranked)

    def __iter__(self) -> Iterator[PlacedSuggestion]:
        return iter(self._ranked)

    def change(
        self, removed: Iterable[PlacedSuggestion], added: Iterable[PlacedSuggestion]
    ) -> None:
        """Take out suggestions that are there, and put in such as are not."""
        gone = set(removed)
        if len(gone) > _MANY:
            self._ranked = self._ordered(each for each in self._ranked if each not in gone)
        else:
            for each in gone:
                self._ranked.remove(each)
        self._ranked.update(added)

    def count_from(self, confidence: float) -> int:
        """How many are at least so sure."""
        return len(self._ranked) - self._first(confidence)

    def between(self, low: float, high: float) -> list[PlacedSuggestion]:
        """Those that are at least as sure as `low` and less so than `high`."""
        return self._ranked[self._first(low) : self._first(high)]

    def following(self, current: PlacedSuggestion | None, low: float) -> PlacedSuggestion | None:
        """The next that is at least as sure as `low`; after the last, or without any, the first."""
        first = self._first(low)
        at = self._ranked.bisect_key_right(_rank(current)) if current else first
        there = self._ranked[max(at, first) :][:1] or self._ranked[first:][:1]
        return there[0] if there else None

    def preceding(self, current: PlacedSuggestion | None, low: float) -> PlacedSuggestion | None:
        """The one before, as `following` goes on."""
        first = self._first(low)
        at = self._ranked.bisect_key_left(_rank(current)) if current else first
        there = self._ranked[first:at][-1:] or self._ranked[first:][-1:]
        return there[0] if there else None

    def _first(self, confidence: float) -> int:
        return self._ranked.bisect_key_left((confidence, -1))


def _rank(suggestion: PlacedSuggestion) -> tuple[float, int]:
    """What comes first of two: the less sure one, of those as sure the one that stands first."""
    return suggestion.confidence, suggestion.start


def _forms(texts: Iterable[str]) -> Iterator[tuple[str, str, str]]:
    """Each text in ever more general forms: itself, its outline, nothing."""
    plain = [folded(each) for each in texts]
    # the outlines of all at once, which is much faster; a folded text is one line
    outlines = _LETTERS.sub("a", _DIGITS.sub("9", "\n".join(plain))).split("\n")
    return zip(plain, outlines, repeat(""))


def by_place(suggestions: Iterable[PlacedSuggestion]) -> tuple[PlacedSuggestion, ...]:
    return tuple(sorted(suggestions, key=lambda each: (each.start, each.end)))


def _nothing(_change: SuggestionChange) -> None:
    """Nobody wants to know yet."""
