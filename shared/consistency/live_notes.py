"""What the guidelines say against tags, kept up to date while somebody tags."""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable
from typing import Protocol, TypeVar

from shared.consistency.flat_text import flattened
from shared.consistency.guidelines import Note, check_tag
from shared.model import MergedView, PhiType, Span, Tag


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


class LiveNotes:
    """The first note on each tag of a patient that has one, by the tag's key."""

    def __init__(self, view: MergedView, tags: Iterable[NotedTag] = ()) -> None:
        self._view = view
        self._texts = {each.record_id: each.text for each in view.patient.documents}
        self._types: dict[str, Counter[PhiType]] = defaultdict(Counter)
        self._alike: dict[str, dict[Hashable, NotedTag]] = defaultdict(dict)
        self._notes: dict[Hashable, Note] = {}
        self.change((), tags)

    def __len__(self) -> int:
        return len(self._notes)

    def note(self, key: Hashable) -> Note | None:
        return self._notes.get(key)

    def change(self, removed: Iterable[Noted], added: Iterable[Noted]) -> list[NotedTag]:
        """Take note of tags that went and came; returns the tags whose note is another now."""
        touched: set[str] = set()
        before: dict[Hashable, Note | None] = {}
        for each in removed:
            phrase = self._phrase(each)
            self._types[phrase][each.tag.phi_type] -= 1
            self._alike[phrase].pop(each.key, None)
            before[each.key] = self._notes.pop(each.key, None)
            touched.add(phrase)
        for each in added:
            phrase = self._phrase(each)
            self._types[phrase][each.tag.phi_type] += 1
            self._alike[phrase][each.key] = each
            touched.add(phrase)
        was = {
            key: note
            for phrase in touched
            for key in self._alike[phrase]
            if (note := self._notes.get(key))
        }
        return [
            each
            for phrase in touched
            for each in self._alike[phrase].values()
            if self._look(each, phrase) != before.get(each.key, was.get(each.key))
        ]

    def _look(self, noted: NotedTag, phrase: str) -> Note | None:
        """Check a tag and return the note on it by now."""
        types = +self._types[phrase]
        found = check_tag(self._texts[noted.record_id], noted.tag, types)
        if found:
            self._notes[noted.key] = found[0]
        else:
            self._notes.pop(noted.key, None)
        return found[0] if found else None

    def _phrase(self, noted: NotedTag) -> str:
        return flattened(noted.span.text_in(self._view.text)).strip()
