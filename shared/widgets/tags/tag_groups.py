"""The tags of a patient by their text: which are alike, and where the same text has no tag."""

from bisect import bisect_left, insort
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from operator import attrgetter

from shared.consistency.patient_records import normalized
from shared.consistency.untagged_index import Untagged
from shared.widgets.tags.tag_model import TagRow


@dataclass(frozen=True, slots=True)
class GroupPlace:
    """One place of a group; `key` is that of its tag, None where there is no tag."""

    start: int
    end: int
    key: Hashable


_by_place = attrgetter("start", "end")
by_text = attrgetter("order")


@dataclass(slots=True, eq=False)
class TagGroup:
    """The places of one text that are tagged as one type, and those that have no tag."""

    number: int
    """Its own, never that of another."""
    phrase: str
    type_label: str
    colour: str
    places: list[GroupPlace] = field(default_factory=list[GroupPlace])
    untagged: int = 0
    order: tuple[str, str, str] = ("", "", "")
    """By this groups stand in order: their text, first without regard to case, and type."""

    @property
    def tagged(self) -> int:
        return len(self.places) - self.untagged

    @property
    def share(self) -> str:
        return f"{self.tagged} of {len(self.places)}"

    @property
    def label(self) -> str:
        return f"{self.phrase} – {self.type_label} – tagged {self.share}"


class TagGroups:
    """Groups of tags, each change at its own cost. Untagged places go with the largest group.

    A change returns the groups that it touched: those without a tag left are no more among
    `groups`, those that are new already are.
    """

    def __init__(self, rows: Iterable[TagRow] = (), untagged: Iterable[Untagged] = ()) -> None:
        self._by_name: dict[tuple[str, str], TagGroup] = {}
        self._in_order: list[TagGroup] = []
        self._by_phrase: dict[str, list[TagGroup]] = {}
        self._by_key: dict[Hashable, tuple[TagGroup, GroupPlace]] = {}
        self._untagged: dict[str, dict[Untagged, None]] = {}
        self._largest: dict[str, TagGroup] = {}
        """The group of each text that has its untagged places."""
        self._made = 0
        self.change((), rows)
        self.change_untagged((), untagged)

    @property
    def groups(self) -> Sequence[TagGroup]:
        """The groups in order of their texts."""
        return self._in_order

    @property
    def tagged(self) -> int:
        """How many tags there are."""
        return len(self._by_key)

    @property
    def untagged(self) -> list[Untagged]:
        """All untagged places."""
        return [place for places in self._untagged.values() for place in places]

    def change(self, removed: Iterable[Hashable], added: Iterable[TagRow]) -> set[TagGroup]:
        """Take the tags of some keys out and put others in; one with a known key replaces it."""
        touched: set[TagGroup] = set()
        for key in removed:
            touched.update(self._take_out(key))
        for row in added:
            touched.update(self._take_out(row.key))
            touched.add(self._put_in(row))
        phrases = {group.phrase for group in touched}
        for phrase in phrases:
            touched.update(self._share_out(phrase))
        return touched

    def change_untagged(
        self, removed: Iterable[Untagged], added: Iterable[Untagged]
    ) -> set[TagGroup]:
        """Take untagged places out and put others in."""
        touched: set[TagGroup] = set()
        for place in removed:
            there = self._untagged.get(place.phrase, {})
            if place in there:
                del there[place]
                touched.update(self._change_bare(place, -1))
        for place in added:
            there = self._untagged.setdefault(place.phrase, {})
            if place not in there:
                there[place] = None
                touched.update(self._change_bare(place, 1))
        return touched

    def find(self, key: Hashable) -> tuple[TagGroup, GroupPlace] | None:
        """The group of the tag with this key, and its place in it."""
        return self._by_key.get(key)

    def _take_out(self, key: Hashable) -> Iterable[TagGroup]:
        found = self._by_key.pop(key, None)
        if found is None:
            return ()
        group, place = found
        del group.places[self._number(group, place)]
        if not group.tagged:
            del self._by_name[group.phrase, group.type_label]
            del self._in_order[bisect_left(self._in_order, group.order, key=by_text)]
            self._by_phrase[group.phrase].remove(group)
        return (group,)

    def _put_in(self, row: TagRow) -> TagGroup:
        phrase = normalized(row.text)
        group = self._by_name.get((phrase, row.type_label))
        if group is None:
            self._made += 1
            order = (phrase.lower(), phrase, row.type_label)
            group = TagGroup(self._made, phrase, row.type_label, row.category_colour, order=order)
            self._by_name[phrase, row.type_label] = group
            insort(self._in_order, group, key=by_text)
            self._by_phrase.setdefault(phrase, []).append(group)
        place = GroupPlace(row.start, row.end, row.key)
        insort(group.places, place, key=_by_place)
        self._by_key[row.key] = group, place
        return group

    def _number(self, group: TagGroup, place: GroupPlace) -> int:
        at = bisect_left(group.places, _by_place(place), key=_by_place)
        while group.places[at].key != place.key:
            at += 1
        return at

    def _change_bare(self, untagged: Untagged, by: int) -> Iterable[TagGroup]:
        """Take an untagged place out of its group (-1), or put one in (1)."""
        group = self._largest.get(untagged.phrase)
        if group is None:
            return ()
        place = GroupPlace(untagged.start, untagged.end, None)
        if by > 0:
            insort(group.places, place, key=_by_place)
        else:
            del group.places[self._number(group, place)]
        group.untagged += by
        return (group,)

    def _share_out(self, phrase: str) -> Iterable[TagGroup]:
        """Give the untagged places of a text to its largest group; returns what changed."""
        groups, before = self._by_phrase.get(phrase, []), self._largest.get(phrase)
        largest = max(groups, key=lambda group: (group.tagged, -group.number), default=None)
        if largest is before:
            return ()
        if before is not None:
            before.places = [each for each in before.places if each.key is not None]
            before.untagged = 0
        if largest is None:
            del self._largest[phrase]
        else:
            self._largest[phrase] = largest
            there = self._untagged.get(phrase, {})
            bare = [GroupPlace(each.start, each.end, None) for each in there]
            largest.places = sorted([*largest.places, *bare], key=_by_place)
            largest.untagged = len(bare)
        return [each for each in (before, largest) if each is not None]
