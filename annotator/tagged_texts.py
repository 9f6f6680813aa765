"""What a patient's tags and rejections say of the same texts elsewhere in the records.

Once `Greta Teasdale` is tagged as the patient, what is suggested on that name or a part of it is
the patient, too, and the name is suggested wherever else it stands. A text that is tagged as two
types decides nothing, nor does one that may be something else, as a common word may.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from annotator.rejections import PlacedSuggestion, Rejections, words_of
from shared.language.ambiguity import ambiguity_reason
from shared.language.languages import Language
from shared.language.occurrences import edge_kind
from shared.model import Matching, MergedView, PhiType, Schema, Span
from shared.model.phi_traits import EntityKind, PersonRole
from shared.project.edits import Edit, PlacedTag
from shared.recognition.postprocessing.name_roles import role_beside
from shared.text.scripts import is_han
from shared.text.span_index import SpanIndex, Spanned
from shared.text.spelling import lowered_in_place

YOUR_TAGS = "your tags"
"""Who suggests what the tags decide."""
_WHOLE, _PART = 0.95, 0.85
"""How sure it is that a text stands for what it was tagged as, and one word of a person's name."""
_LIKELY = 0.5
"""What is less sure than this hides nothing that the tags suggest in it."""
_WHOLE_NAME = 3
"""So many Chinese characters are given name and family name."""
_TURNED_DOWN = 0.7
"""So much is left of the confidence in a text for every place where it was rejected as that."""
_SEARCHED = 20_000_000
"""So many characters are looked through at once for texts that stand elsewhere."""
_WORD = re.compile(r"[^\W\d_]+")
_SHORTEST_WORD = 3
_BLANKS = re.compile(r"\s+")

Exchange = tuple[tuple[PlacedSuggestion, ...], tuple[PlacedSuggestion, ...]]
"""Suggestions that go, and such that come, in order."""


@dataclass(frozen=True, slots=True)
class TextPlace:
    """Where a text stands that is tagged somewhere."""

    start: int
    end: int
    text: str

    def rank(self) -> tuple[int, int, str]:
        """Of two that overlap the longer goes first."""
        return self.end - self.start, -self.start, self.text


class TaggedTexts:
    """As what each text is tagged, and each word of a name."""

    def __init__(self, view: MergedView, schema: Schema, language: Callable[[], Language]) -> None:
        self._view = view
        self._schema = schema
        self._language = language
        self._types: defaultdict[str, Counter[PhiType]] = defaultdict(Counter)
        self._word_types: defaultdict[str, Counter[PhiType]] = defaultdict(Counter)
        self._only_types: dict[str, PhiType | None] = {}
        self._only_word_types: dict[str, PhiType | None] = {}
        """The one type of each text, and of each word of names."""
        self._known: dict[tuple[str, PhiType], tuple[str, Sequence[str]]] = {}
        """What was found of a text that is tagged as a type: most are tagged again and again."""
        self._written: dict[str, str] = {}
        self._places: dict[str, list[Span]] = {}
        self._lowered = ""

    def change(self, removed: Iterable[PlacedTag], added: Iterable[PlacedTag]) -> set[str]:
        """Take note of tags; returns the texts and words of which they now say something else."""
        changed = [(-1, tag, *self._keys(tag)) for tag in removed]
        changed += [(1, tag, *self._keys(tag)) for tag in added]
        touched = {key for _, _, text, words in changed for key in (text, *words) if key}
        for number, tag, text, words in changed:
            for counts, keys in ((self._types, [text]), (self._word_types, words)):
                for key in filter(None, keys):
                    counts[key][tag.phi_type] += number
        return {key for key in touched if self._tells_anew(key)}

    def _tells_anew(self, key: str) -> bool:
        """Take note of the one type of a text and a word; True where that is another."""
        before = self.type_of(key), self.type_of_word(key)
        now = _only(self._types.get(key)), _only(self._word_types.get(key))
        self._only_types[key], self._only_word_types[key] = now
        return before != now

    def type_of(self, text: str) -> PhiType | None:
        """The one type that a text is tagged as."""
        return self._only_types.get(text)

    def type_of_word(self, word: str) -> PhiType | None:
        """The one type of the names that have this word."""
        return self._only_word_types.get(word)

    def decided(self, place: Span, phi_type: PhiType) -> tuple[PhiType, float] | None:
        """What a place is that is suggested as a type, and how surely; None where nothing says."""
        if not self._types and not self._word_types:
            return None
        text = words_of(self._view, place)
        known = self.type_of(text)
        words = name_words(text)
        if known is None and words and self._kind(phi_type) is EntityKind.PERSON:
            types = {self.type_of_word(word) for word in words}
            known = types.pop() if len(types) == 1 else None
        if known is None:
            return None
        tells_all = len(words) > 1 or (len(text) >= _WHOLE_NAME and is_han(text))
        is_one_word = self._kind(known) is EntityKind.PERSON and not tells_all
        is_whole = self.type_of(text) is not None and not is_one_word
        if not is_whole and self._is_called_otherwise(place, known):
            return None
        return known, _WHOLE if is_whole else _PART

    def places(self, text: str) -> Iterator[Span]:
        """Yield where else a text stands that is tagged as one type."""
        if self.type_of(text) is not None:
            if text not in self._places:
                self._places[text] = list(self._found(self._written[text]))
            yield from self._places[text]

    def _found(self, written: str) -> Iterator[Span]:
        whole = self._view.text
        self._lowered = self._lowered or lowered_in_place(whole)
        for start, end in _stretches(lowered_in_place(written).split(), self._lowered):
            edges = {edge_kind(whole, start), edge_kind(whole, end)}
            is_small = whole[start:end].isalpha() and whole[start:end].islower()
            if edges == {"whole"} and not is_small and end <= self._view.section_at(start).end:
                yield Span(start, end)

    def _keys(self, tag: PlacedTag) -> tuple[str, Sequence[str]]:
        """The text of a tag and the words of a name; nothing where they decide nothing."""
        written = self._view.text[tag.start : tag.end]
        known = self._known.get((written, tag.phi_type))
        if known is None:
            known = self._known[written, tag.phi_type] = self._keys_of(written, tag)
        return known

    def _keys_of(self, written: str, tag: PlacedTag) -> tuple[str, Sequence[str]]:
        traits = self._schema.traits_of(tag.phi_type)
        text = words_of(self._view, tag.span)
        words = name_words(text) if traits.kind is EntityKind.PERSON else ()
        is_sure = traits.matching is not Matching.NEVER and any(map(str.isalnum, text))
        if not is_sure or ambiguity_reason(written, traits, self._language()):
            text = ""
        self._written.setdefault(text, written)
        return text, words

    def _is_called_otherwise(self, place: Span, known: PhiType) -> bool:
        """Whether a title or the like says that one of staff stands here, or none of them."""
        if self._kind(known) is not EntityKind.PERSON:
            return False
        cue = role_beside(self._view.text, place, self._language())
        role = self._schema.traits_of(known).role
        return cue is not None and (cue is PersonRole.STAFF) != (role is PersonRole.STAFF)

    def _kind(self, phi_type: PhiType) -> EntityKind:
        return self._schema.traits_of(phi_type).kind


class DecidedSuggestions:
    """What recognizers suggest, as the tags and rejections of the patient would have it.

    `tags` are the patient's, which change before `edited` is called.
    """

    def __init__(
        self,
        view: MergedView,
        tags: SpanIndex[PlacedTag],
        rejections: Rejections,
        schema: Schema,
        language: Callable[[], Language],
    ) -> None:
        self._view = view
        self._tags = tags
        self._rejections = rejections
        self._language = language
        self._texts = TaggedTexts(view, schema, language)
        self._is_filled = False
        self._recognized: SpanIndex[PlacedSuggestion] = SpanIndex()
        self._by_key: defaultdict[str, set[PlacedSuggestion]] = defaultdict(set)
        self._becomes: dict[PlacedSuggestion, PlacedSuggestion | None] = {}
        self._places: dict[str, tuple[TextPlace, ...]] = {}
        self._place_index: SpanIndex[TextPlace] = SpanIndex()
        """Where texts stand that are tagged as one type."""
        self._own: dict[str, tuple[PlacedSuggestion, ...]] = {}
        """By text, what the tags alone suggest."""
        self._own_index: SpanIndex[PlacedSuggestion] = SpanIndex()
        self._times: Counter[PlacedSuggestion] = Counter()
        """How often the same is suggested in the end."""

    def prepare(self) -> None:
        """Read in which language the records are, which takes a while; may run on a thread."""
        self._language()

    @property
    def recognized(self) -> set[PlacedSuggestion]:
        """What recognizers suggest, as they did."""
        return set(self._becomes)

    def exchange(
        self, removed: Iterable[PlacedSuggestion], added: Iterable[PlacedSuggestion]
    ) -> Exchange:
        """Recognizers suggest some no more, and others now."""
        gone, new = [each for each in removed if each in self._becomes], tuple(added)
        before = [self._becomes.pop(each) for each in gone]
        self._recognized.change(gone, new)
        for each in gone:
            for key in self._keys(each):
                self._by_key[key].discard(each)
        for each in new:
            for key in self._keys(each):
                self._by_key[key].add(each)
            self._becomes[each] = None
        keys: set[str] = set()
        if not self._is_filled:
            self._is_filled = True
            keys = self._texts.change((), self._tags)
        return self._updated(keys, before, new, [*gone, *new])

    def edited(self, edit: Edit) -> Exchange:
        """Tags have changed."""
        if not self._is_filled:
            return (), ()
        bare = [one for each in edit.removed for one in self._recognized_at(each)]
        return self._updated(self._texts.change(edit.removed, edit.added), new_ones=bare)

    def rejected(self, place: Span) -> Exchange:
        """What stands at a place was rejected, or is no more."""
        return self._updated({words_of(self._view, place)})

    def _updated(
        self,
        keys: set[str],
        before: Sequence[PlacedSuggestion | None] = (),
        new_ones: Sequence[PlacedSuggestion] = (),
        changed: Sequence[Spanned] = (),
    ) -> Exchange:
        """Decide anew about texts and words, new suggestions, and what lies where others changed.

        `before` is what those were in the end that are no more. What lies under a tag waits for
        no decision before the tag is gone.
        """
        moved = self._place(keys)
        texts = {one.text for each in (*moved, *changed) for one in self._places_at(each)} | keys
        own_before = [one for text in texts for one in self._own.pop(text, ())]
        self._own_index.change(own_before)
        own_after = [one for text in sorted(texts) for one in self._suggested_by_tags(text)]
        self._own_index.change(added=own_after)
        near = {one for each in (*own_before, *own_after) for one in self._recognized_at(each)}
        again = near.union(new_ones, *(self._by_key.get(key, ()) for key in keys))
        old: list[PlacedSuggestion | None] = [*before, *own_before]
        new: list[PlacedSuggestion | None] = [*own_after]
        for each in again:
            if self._tags.query(each.start, each.end):
                continue
            old.append(self._becomes[each])
            self._becomes[each] = self._decided(each)
            new.append(self._becomes[each])
        return self._difference(old, new)

    def _place(self, texts: Iterable[str]) -> list[TextPlace]:
        """Look where texts stand now; returns where any of them does or did."""
        most = _SEARCHED // (len(self._view.text) + 1)
        moved: list[TextPlace] = []
        for number, text in enumerate(sorted(texts)):
            before = self._places.pop(text, ())
            found = self._texts.places(text) if number <= most else ()
            after = tuple(TextPlace(each.start, each.end, text) for each in found)
            if after:
                self._places[text] = after
            if before or after:
                self._place_index.change(before, after)
                moved += {*before, *after}
        return moved

    def _places_at(self, place: Spanned) -> list[TextPlace]:
        return self._place_index.query(place.start, place.end)

    def _recognized_at(self, place: Spanned) -> list[PlacedSuggestion]:
        return self._recognized.query(place.start, place.end)

    def _difference(
        self, old: Iterable[PlacedSuggestion | None], new: Iterable[PlacedSuggestion | None]
    ) -> Exchange:
        lost, won = Counter(filter(None, old)), Counter(filter(None, new))
        changed = {each: self._times[each] for each in (*lost, *won)}
        self._times.update(won)
        self._times.subtract(lost)
        gone = [each for each, times in changed.items() if times and not self._times[each]]
        come = [each for each, times in changed.items() if not times and self._times[each]]
        for each in changed:
            if not self._times[each]:
                del self._times[each]
        return tuple(gone), tuple(come)

    def _suggested_by_tags(self, text: str) -> tuple[PlacedSuggestion, ...]:
        """Return, and keep, what the tags suggest where recognizers see nothing likely as long."""
        phi_type = self._texts.type_of(text)
        if phi_type is None or text not in self._places:
            return ()
        found = (self._by_tags(each, phi_type) for each in self._places[text])
        self._own[text] = tuple(each for each in found if each)
        return self._own[text]

    def _by_tags(self, place: TextPlace, phi_type: PhiType) -> PlacedSuggestion | None:
        span = Span(place.start, place.end)
        is_known = any(
            one.span == span or (one.span.contains(span) and one.confidence >= _LIKELY)
            for one in self._recognized_at(place)
        )
        if is_known or max(self._places_at(place), key=TextPlace.rank) != place:
            return None
        known = self._texts.decided(span, phi_type)
        if known is None:
            return None
        record_id = self._view.section_at(place.start).record_id
        sure = self._less_sure(place.text, *known)
        return PlacedSuggestion(place.start, place.end, record_id, phi_type, sure, YOUR_TAGS)

    def _decided(self, one: PlacedSuggestion) -> PlacedSuggestion | None:
        """Return what becomes of a suggestion; nothing where the tags suggest something longer."""
        if self._own_index.query(one.start, one.end):
            return None
        known = self._texts.decided(one.span, one.phi_type)
        if known is None and not self._rejections:
            return one
        phi_type, sure = known or (one.phi_type, one.confidence)
        is_same = phi_type == one.phi_type
        sure = max(sure, one.confidence) if is_same else sure
        sure = self._less_sure(words_of(self._view, one.span), phi_type, sure)
        if is_same and sure == one.confidence:
            return one
        by, source = (one.recognizer, one.source) if is_same else (YOUR_TAGS, "")
        return replace(one, phi_type=phi_type, confidence=sure, recognizer=by, source=source)

    def _less_sure(self, text: str, phi_type: PhiType, confidence: float) -> float:
        return confidence * _TURNED_DOWN ** self._rejections.count((text, phi_type))

    def _keys(self, one: PlacedSuggestion) -> set[str]:
        text = words_of(self._view, one.span)
        return {text, *name_words(text)}


def _stretches(words: Sequence[str], text: str) -> Iterator[tuple[int, int]]:
    """Yield where words stand one after the other; faster than an expression for many texts."""
    first, *rest = words
    start = text.find(first)
    while start >= 0:
        end = start + len(first)
        for word in rest:
            blanks = _BLANKS.match(text, end)
            if blanks is None or not text.startswith(word, blanks.end()):
                break
            end = blanks.end() + len(word)
        else:
            yield start, end
        start = text.find(first, start + 1)


@lru_cache(maxsize=100_000)
def name_words(text: str) -> tuple[str, ...]:
    """The words of a name that tell it, in lower case."""
    return tuple(word for word in _WORD.findall(text.casefold()) if len(word) >= _SHORTEST_WORD)


def _only(types: Counter[PhiType] | None) -> PhiType | None:
    found = [each for each, times in types.items() if times > 0] if types else []
    return found[0] if len(found) == 1 else None
