"""Work that nobody has begun, shared out evenly: who gives and who gets which patients."""

import random
from collections import deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from shared.errors import RequestError

Pair = tuple[str, str]
"""A patient and an annotator."""


@dataclass(frozen=True, slots=True)
class OpenWork:
    """What is to be shared out.

    `having` says who has each patient, whatever they have done of it, `free` which pairs of patient
    and annotator may change hands, `missing` how many annotators a patient is to get beyond those.
    """

    having: Mapping[str, Collection[str]]
    free: Collection[Pair]
    missing: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Moves:
    """The pairs that are given and taken back, in the order of the patients."""

    give: tuple[Pair, ...]
    take_back: tuple[Pair, ...]


def even_shares(work: OpenWork, people: Sequence[str], seed: int) -> Moves:
    """Share out among `people` what is free or missing; what others of it have goes to them, too.

    Every patient keeps as many annotators as it has, and gets those it misses. The numbers of free
    patients of two people differ by one at most, or by as little as can be where a patient would
    have to go to somebody twice. The same seed draws the same. Raises RequestError where a patient
    wants more annotators than there are.
    """
    shares = _Shares(work, people, random.Random(seed))
    shares.fill()
    shares.even_out()
    after, before = shares.pairs(), set(work.free)
    order = {patient_id: at for at, patient_id in enumerate(work.having)}
    ranks = {name: at for at, name in enumerate(people)}

    def place(pair: Pair) -> tuple[int, int, str]:
        return order[pair[0]], ranks.get(pair[1], len(ranks)), pair[1]

    return Moves(tuple(sorted(after - before, key=place)), tuple(sorted(before - after, key=place)))


class _Shares:
    """Who has which free patients while they are shared out."""

    def __init__(self, work: OpenWork, people: Sequence[str], chance: random.Random) -> None:
        self._chance = chance
        self._people = chance.sample(people, len(people))
        self._having = {each: set(names) for each, names in work.having.items()}
        self._missing = dict(work.missing)
        self._free: dict[str, list[str]] = {name: [] for name in people}
        for patient_id, name in sorted(work.free):
            if name in self._free:
                self._free[name].append(patient_id)
            else:
                self._having[patient_id].discard(name)
                self._missing[patient_id] = self._missing.get(patient_id, 0) + 1
        for each in self._free.values():
            chance.shuffle(each)

    def pairs(self) -> set[Pair]:
        return {(each, name) for name, patients in self._free.items() for each in patients}

    def fill(self) -> None:
        """Give every patient whom it misses: those with least to do who do not have it."""
        waiting = [each for each in self._having if self._missing.get(each)]
        self._chance.shuffle(waiting)
        for patient_id in waiting:
            wanted, having = self._missing[patient_id], self._having[patient_id]
            able = [name for name in self._people if name not in having]
            if len(able) < wanted:
                raise RequestError(
                    f"patient {patient_id} needs {len(having) + wanted} annotators; there are not "
                    "so many who could have it, so add one"
                )
            self._chance.shuffle(able)
            for name in sorted(able, key=self._load)[:wanted]:
                having.add(name)
                self._free[name].append(patient_id)

    def even_out(self) -> None:
        """Hand patients on until no way of doing so makes the shares more even."""
        while path := next(self._paths(), None):
            for giver, taker, patient_id in path:
                self._free[giver].remove(patient_id)
                self._free[taker].append(patient_id)
                self._having[patient_id].remove(giver)
                self._having[patient_id].add(taker)

    def _load(self, name: str) -> int:
        return len(self._free[name])

    def _paths(self) -> Iterator[list[tuple[str, str, str]]]:
        """Yield ways from who has more to who has less by two, over others where need be.

        While there is none the shares are as even as can be: they are a flow of convex costs, and
        such a way is what its residual graph would have to have.
        """
        for giver in sorted(self._people, key=self._load, reverse=True):
            came: dict[str, tuple[str, str, str]] = {}
            queue = deque([giver])
            while queue:
                here = queue.popleft()
                for there in self._people:
                    if there == giver or there in came:
                        continue
                    patient_id = self._movable(here, there)
                    if patient_id is None:
                        continue
                    came[there] = here, there, patient_id
                    if self._load(there) + 2 <= self._load(giver):
                        yield _way(came, giver, there)
                        return
                    queue.append(there)

    def _movable(self, giver: str, taker: str) -> str | None:
        return next((each for each in self._free[giver] if taker not in self._having[each]), None)


def _way(
    came: Mapping[str, tuple[str, str, str]], giver: str, end: str
) -> list[tuple[str, str, str]]:
    path = [came[end]]
    while path[-1][0] != giver:
        path.append(came[path[-1][0]])
    return path
