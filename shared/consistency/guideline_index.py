"""What the guidelines say against tags, kept up to date while somebody tags."""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable
from typing import Generic, Protocol, TypeVar

from shared.consistency.guideline_rules import first_of_its_own, two_types
from shared.consistency.rule_notes import GuidelineNote
from shared.language.languages import Language
from shared.model import MergedView, PhiType, Schema, Span, Tag
from shared.text.flat_text import flattened


class NotedTag(Protocol):
    """A tag with the record it is in and a key that stays its own when it changes."""

    @property
    def key(self) -> Hashable: ...
    @property
    def record_id(self) -> str: ...
    @property
    def tag(self) -> Tag: ...
    @property
    def span(self) -> Span: ...


Noted = TypeVar("Noted", bound=NotedTag)


class GuidelineIndex(Generic[Noted]):
    """The first note on each tag of a patient that has one, by the tag's key.

    Taking note of a change is quick; `look` then finds out what it means, as many tags at a time
    as its caller has time for. Until then each tag has the note that it had.
    """

    def __init__(
        self,
        view: MergedView,
        schema: Schema,
        tags: Iterable[Noted] = (),
        language: Language | None = None,
    ) -> None:
        self._view = view
        self._schema = schema
        self._language = language
        self._texts = {each.record_id: each.text for each in view.patient.documents}
        self._types: dict[str, Counter[PhiType]] = defaultdict(Counter)
        self._alike: dict[str, dict[Hashable, Noted]] = defaultdict(dict)
        self._own: dict[Hashable, GuidelineNote | None] = {}
        """Of the tags that were looked at, the note for which no other tag matters."""
        self._notes: dict[Hashable, tuple[Noted, GuidelineNote]] = {}
        self._waiting: dict[Hashable, str] = {}
        """The tags to look at, each with its text."""
        self.change((), tags)

    def __len__(self) -> int:
        return len(self._notes)

    @property
    def waiting(self) -> int:
        """How many tags are to be looked at."""
        return len(self._waiting)

    def note(self, key: Hashable) -> GuidelineNote | None:
        found = self._notes.get(key)
        return found[1] if found else None

    def noted(self) -> list[Noted]:
        """The tags that have a note, in no order."""
        return [noted for noted, _ in self._notes.values()]

    def change(self, removed: Iterable[Noted], added: Iterable[Noted]) -> None:
        """Take note of tags that went and came; one with the same key is the same, changed."""
        touched: dict[str, bool] = {}
        """The texts, and which of them were tagged as several types."""
        before = {each.key: self._take_out(each, touched) for each in removed}
        for each in added:
            self._put_in(each, touched)
            if (note := before.get(each.key)) is not None:
                self._notes[each.key] = each, note
        for phrase, differed in touched.items():
            if differed or len(self._types[phrase]) > 1:
                self._waiting.update(dict.fromkeys(self._alike[phrase], phrase))

    def look(self, most: int | None = None) -> list[Noted]:
        """Look at so many of the tags that wait, all by default; returns whose note changed."""
        count = len(self._waiting) if most is None else min(most, len(self._waiting))
        looked_at = (self._look(*self._waiting.popitem()) for _ in range(count))
        return [each for each in looked_at if each is not None]

    def _take_out(self, noted: Noted, touched: dict[str, bool]) -> GuidelineNote | None:
        """Forget a tag; returns the note on it."""
        key, phrase = noted.key, self._phrase(noted)
        types = self._types[phrase]
        touched.setdefault(phrase, len(types) > 1)
        types[noted.tag.phi_type] -= 1
        if not types[noted.tag.phi_type]:
            del types[noted.tag.phi_type]
        self._alike[phrase].pop(key, None)
        self._own.pop(key, None)
        self._waiting.pop(key, None)
        note = self.note(key)
        self._notes.pop(key, None)
        return note

    def _put_in(self, noted: Noted, touched: dict[str, bool]) -> None:
        key, phrase = noted.key, self._phrase(noted)
        types = self._types[phrase]
        touched.setdefault(phrase, len(types) > 1)
        types[noted.tag.phi_type] += 1
        self._alike[phrase][key] = noted
        self._waiting[key] = phrase

    def _look(self, key: Hashable, phrase: str) -> Noted | None:
        """Find the note on a tag; returns the tag where it is another than before."""
        noted = self._alike[phrase][key]
        found, before = self._find(noted, phrase), self.note(key)
        if found is None:
            self._notes.pop(key, None)
        else:
            self._notes[key] = noted, found
        return noted if found != before else None

    def _find(self, noted: Noted, phrase: str) -> GuidelineNote | None:
        text, key = self._texts[noted.record_id], noted.key
        if key not in self._own:
            self._own[key] = first_of_its_own(text, noted.tag, self._schema, self._language)
        types = self._types[phrase]
        return self._own[key] or two_types(text, noted.tag, self._schema, types, self._language)

    def _phrase(self, noted: Noted) -> str:
        return flattened(noted.span.text_in(self._view.text))
