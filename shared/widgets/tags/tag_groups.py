"""The tags of a patient by their text: which are alike, and where the same text has no tag."""

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import NamedTuple

from shared.consistency.untagged_index import Untagged
from shared.text.flat_text import flattened, text_key
from shared.widgets.tags.tag_model import TagRow


class GroupPlace(NamedTuple):
    """One place of a group; `key` is that of its tag, None where there is no tag."""

    start: int
    end: int
    key: Hashable


@dataclass(frozen=True, slots=True)
class TagGroup:
    """The places of one text that are tagged as one type, and those that have no tag."""

    number: int
    """That of its text and type, and no other's."""
    phrase: str
    """How its first place reads."""
    type_label: str
    colour: str
    places: Sequence[GroupPlace]
    tagged: int

    @property
    def untagged(self) -> int:
        return len(self.places) - self.tagged

    @property
    def share(self) -> str:
        return f"{self.tagged} of {len(self.places)}"

    @property
    def label(self) -> str:
        return f"{self.phrase} – {self.type_label} – tagged {self.share}"

    @property
    def order(self) -> tuple[str, str, str]:
        """By this groups stand in order: their text, first without regard to case, and type."""
        return self.phrase.lower(), self.phrase, self.type_label


class TagGroups:
    """Groups of tags; a change costs what its texts have. Untagged places go with the largest."""

    def __init__(self) -> None:
        self._rows: defaultdict[str, dict[Hashable, TagRow]] = defaultdict(dict)
        self._untagged: defaultdict[str, set[Untagged]] = defaultdict(set)
        self._groups: dict[str, list[TagGroup]] = {}
        self._phrases: dict[Hashable, str] = {}
        self._numbers: dict[tuple[str, str], int] = {}

    @property
    def groups(self) -> list[TagGroup]:
        """The groups in order of their texts."""
        found = [group for groups in self._groups.values() for group in groups]
        return sorted(found, key=attrgetter("order"))

    @property
    def keys(self) -> Collection[Hashable]:
        """The keys of all tags."""
        return self._phrases.keys()

    def change(self, removed: Iterable[Hashable], added: Iterable[TagRow]) -> None:
        """Take the tags of some keys out and put others in; one with a known key replaces it."""
        new = {row.key: row for row in added}
        touched: set[str] = set()
        for key in [*removed, *new]:
            phrase = self._phrases.pop(key, None)
            if phrase is not None:
                del self._rows[phrase][key]
                touched.add(phrase)
        for key, row in new.items():
            phrase = self._phrases[key] = text_key(row.text)
            self._rows[phrase][key] = row
            touched.add(phrase)
        self._renew(touched)

    def change_untagged(self, removed: Iterable[Untagged], added: Iterable[Untagged]) -> None:
        """Take untagged places out and put others in."""
        touched: set[str] = set()
        for place in removed:
            self._untagged[place.phrase].discard(place)
            touched.add(place.phrase)
        for place in added:
            self._untagged[place.phrase].add(place)
            touched.add(place.phrase)
        self._renew(touched)

    def find(self, key: Hashable) -> tuple[int, GroupPlace] | None:
        """The number of the group that has the tag with this key, and its place in it."""
        phrase = self._phrases.get(key)
        if phrase is None:
            return None
        row = self._rows[phrase][key]
        return self._numbers[phrase, row.type_label], GroupPlace(row.start, row.end, key)

    def _renew(self, phrases: Iterable[str]) -> None:
        for phrase in phrases:
            by_type: dict[int, list[TagRow]] = defaultdict(list)
            for row in self._rows[phrase].values():
                name = phrase, row.type_label
                by_type[self._numbers.setdefault(name, len(self._numbers) + 1)].append(row)
            largest = max(by_type, key=lambda number: (len(by_type[number]), -number), default=0)
            self._groups[phrase] = [
                _group(number, rows, self._untagged[phrase] if number == largest else ())
                for number, rows in by_type.items()
            ]


def _group(number: int, rows: Sequence[TagRow], untagged: Iterable[Untagged]) -> TagGroup:
    places = [GroupPlace(row.start, row.end, row.key) for row in rows]
    places += [GroupPlace(each.start, each.end, None) for each in untagged]
    places.sort(key=lambda place: place[:2])
    first = rows[0]
    return TagGroup(
        number, flattened(first.text), first.type_label, first.category_colour, places, len(rows)
    )
