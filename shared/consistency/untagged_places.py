"""Untagged places of tagged text while somebody tags: which are likely, doubtful, dismissed.

A place is likely where the check would report it without being asked for the rest.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, islice

from shared.consistency.context_cues import NEUTRAL, context_certainty
from shared.consistency.dismissals import UNTAGGED, DismissalKey, dismissal_key_at
from shared.consistency.findings import LIKELY, FindingKind, FindingLocation
from shared.consistency.repeats import DOUBTFUL, exact_kind
from shared.consistency.untagged_index import TaggedPlace, Untagged, UntaggedChange, UntaggedIndex
from shared.language.ambiguity import SHORT, ambiguity_reason
from shared.language.languages import Language
from shared.model import EntityKind, MergedView, PhiType, Schema, Span
from shared.text.flat_text import spelling, text_key
from shared.text.scripts import length_in_letters
from shared.text.span_index import SpanIndex

_PORTION = 40


class UntaggedPlaces:
    """The untagged places of one patient, each in `likely`, `doubtful` or `dismissed`, in order.

    `reasons` are the dismissals of the layer; those that are about a tag are ignored.
    """

    def __init__(
        self,
        view: MergedView,
        tags: Iterable[TaggedPlace],
        schema: Schema,
        language: Language,
        reasons: Mapping[DismissalKey, str],
    ) -> None:
        self._view = view
        self._documents = {each.record_id: each for each in view.patient.documents}
        self._schema = schema
        self._language = language
        self._index = UntaggedIndex(view, tags)
        self._doubted: defaultdict[str, dict[str, frozenset[EntityKind]]] = defaultdict(dict)
        """By how it is spelt, what a text is tagged as that may be something else where it is spelt
        so; nothing where it is sure."""
        self._reasons: dict[tuple[FindingLocation, str], str] = {}
        self._every_reason: dict[tuple[FindingLocation, str], str] = {}
        """What is about a tag too."""
        self._dismissed_at: set[FindingLocation] = set()
        self.likely: SpanIndex[Untagged] = SpanIndex()
        self.doubtful: SpanIndex[Untagged] = SpanIndex()
        self.dismissed: SpanIndex[Untagged] = SpanIndex()
        self._take(reasons)
        sorted_out: dict[int, list[Untagged]] = {id(each): [] for each in self._all}
        for place in self._index.places:
            sorted_out[id(self._fitting(place))].append(place)
        for each in self._all:
            each.replace(sorted_out[id(each)])

    @property
    def _all(self) -> tuple[SpanIndex[Untagged], ...]:
        return self.likely, self.doubtful, self.dismissed

    def phi_type(self, place: Untagged) -> PhiType | None:
        """The type that the text of a place is tagged with most often."""
        return self._index.phi_type(place)

    def types(self, place: Untagged) -> list[PhiType]:
        """The type of a place, or several that its text is tagged with equally often."""
        phi_type = self.phi_type(place)
        return self._index.tied_types(place) or ([phi_type] if phi_type else [])

    @property
    def partly_tagged(self) -> int:
        """How many occurrences of tagged texts are tagged in part; to be asked for seldom."""
        return self._index.partly_tagged()

    def near(self, offset: int) -> Untagged | None:
        """The place at an offset, else the one that ends there."""
        found = self._index.places.query(max(0, offset - 1), offset + 1)
        return next(iter(sorted(found, key=lambda each: each.end <= offset)), None)

    def on(self, span: Span) -> Untagged | None:
        """The place of exactly this span."""
        return next(iter(self._index.places.on(span.start, span.end)), None)

    def group(self, place: Untagged) -> SpanIndex[Untagged] | None:
        """Those that a place is among: likely, doubtful or dismissed; None where it is tagged."""
        return next((each for each in self._all if place in each), None)

    def alike(self, place: Untagged) -> list[Untagged]:
        """The places of the same text, but for others that were dismissed, in order."""
        others = [each for each in self._index.alike(place.phrase) if each not in self.dismissed]
        return sorted({*others, place}, key=lambda each: each.start)

    def doubt(self, place: Untagged) -> str:
        """Why a place may be something else, "" where it is likely all the same."""
        if place not in self.doubtful:
            return ""
        ambiguity = self._ambiguity(place.phrase, self._spelling(place))
        return ambiguity or "so short that it may mean something else"

    def reason(self, place: Untagged) -> str | None:
        """Why a place was dismissed, "" without a reason; None where it was not."""
        location = self._location(place)
        if location not in self._dismissed_at:
            return None
        return self._reasons.get((location, self.key(place).around))

    def dismissal(self, span: Span) -> str | None:
        """Why any finding of exactly this span was dismissed; None where none was."""
        location = FindingLocation(*self._view.record_span(span))
        if location not in {place for place, _ in self._every_reason}:
            return None
        document = self._documents[location.record_id]
        around = dismissal_key_at(location, FindingKind.REPEAT, document).around
        return self._every_reason.get((location, around))

    def key(self, place: Untagged) -> DismissalKey:
        """What the dismissal of a place is known by."""
        location = self._location(place)
        document = self._documents[location.record_id]
        return dismissal_key_at(location, self._kind(place), document)

    def dismiss(self, reasons: Mapping[DismissalKey, str]) -> UntaggedChange:
        """Let these be the dismissals; returns what likely places went and came."""
        before = self._dismissed_at
        self._take(reasons)
        return self._sort_again(
            place
            for location in before | self._dismissed_at
            for place in self._index.places.on(*self._merged(location))
        )

    def changing(
        self, removed: Iterable[TaggedPlace], added: Iterable[TaggedPlace]
    ) -> Iterator[UntaggedChange]:
        """Take note of tags that went and came, a portion each time the next change is asked for.

        Each is what likely places went and came.
        """
        gone, new = tuple(removed), tuple(added)
        text = self._view.text
        phrases = {text_key(text[each.start : each.end]) for each in (*gone, *new)}
        spelt = {phrase: self._index.spellings(phrase) for phrase in phrases}
        for change in self._index.changing(gone, new):
            yield self._follow(change)
        again = chain.from_iterable(
            self._index.alike(phrase)
            for phrase in phrases
            if self._is_doubted_anew(phrase) or spelt[phrase] != self._index.spellings(phrase)
        )
        while portion := list(islice(again, _PORTION)):
            yield self._sort_again(portion)

    def _follow(self, change: UntaggedChange) -> UntaggedChange:
        gone = tuple(each for each in change.removed if each in self.likely)
        for index in self._all:
            index.change([each for each in change.removed if each in index])
        for each in change.added:
            self._fitting(each).change(added=[each])
        return UntaggedChange(gone, tuple(each for each in change.added if each in self.likely))

    def _sort_again(self, places: Iterable[Untagged]) -> UntaggedChange:
        gone, new = list[Untagged](), list[Untagged]()
        for each in places:
            was, now = self.group(each), self._fitting(each)
            if was is not None and was is not now:
                was.change([each])
                now.change(added=[each])
                gone += [each] if was is self.likely else []
                new += [each] if now is self.likely else []
        return UntaggedChange(tuple(gone), tuple(new))

    def _fitting(self, place: Untagged) -> SpanIndex[Untagged]:
        """Where a place belongs."""
        if self.reason(place) is not None:
            return self.dismissed
        return self.likely if self._certainty(place) >= LIKELY else self.doubtful

    def _certainty(self, place: Untagged) -> float:
        written = self._spelling(place)
        known = self._doubted[place.phrase]
        if (doubted := known.get(written)) is None:
            doubted = known[written] = self._kinds_doubted(place.phrase, written)
        location = self._location(place)
        text = self._documents[location.record_id].text
        here = max(
            (context_certainty(text, location.span, each, self._language) for each in doubted),
            default=1.0,
        )
        if written in self._index.spellings(place.phrase):
            return here
        is_faint = length_in_letters(written) <= SHORT or (doubted and here <= NEUTRAL)
        return min(here, DOUBTFUL) if is_faint else here

    def _kinds_doubted(self, phrase: str, written: str) -> frozenset[EntityKind]:
        if self._ambiguity(phrase, written) is None:
            return frozenset()
        types = self._index.types_of(phrase)
        return frozenset(self._schema.traits_of(each).kind for each in types)

    def _is_doubted_anew(self, phrase: str) -> bool:
        """True where other types of a text make its places more or less likely."""
        before = self._doubted.pop(phrase, {})
        return any(kinds != self._kinds_doubted(phrase, each) for each, kinds in before.items())

    def _ambiguity(self, phrase: str, written: str) -> str | None:
        types = self._index.types_of(phrase)
        if not types:
            return None
        commonest = min(types, key=lambda each: (-types[each], each))
        return ambiguity_reason(written, self._schema.traits_of(commonest), self._language)

    def _spelling(self, place: Untagged) -> str:
        return spelling(self._view.text[place.start : place.end])

    def _kind(self, place: Untagged) -> FindingKind:
        """What the check calls a place."""
        written, there = self._spelling(place), self._index.spellings(place.phrase)
        if written in there:
            location = self._location(place)
            return exact_kind(self._documents[location.record_id].text, location.span)
        is_other_case = any(written.lower() == each.lower() for each in there)
        return FindingKind.OTHER_CASE if is_other_case else FindingKind.NEAR_SPELLING

    def _take(self, reasons: Mapping[DismissalKey, str]) -> None:
        here = [each for each in reasons.items() if each[0].place.record_id in self._documents]
        self._every_reason = {(key.place, key.around): reason for key, reason in here}
        self._reasons = {
            (key.place, key.around): reason for key, reason in here if key.asks == UNTAGGED
        }
        self._dismissed_at = {place for place, _ in self._reasons}

    def _location(self, place: Untagged) -> FindingLocation:
        return FindingLocation(*self._view.record_span(Span(place.start, place.end)))

    def _merged(self, location: FindingLocation) -> tuple[int, int]:
        span = self._view.merged_span(location.record_id, location.span)
        return span.start, span.end
