"""Who marks which patient, and how far they are: `assignments.csv`."""

import csv
import io
import random
from collections import Counter, deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import combinations
from pathlib import Path

from shared.errors import FileFormatError, RequestError

MOST_ANNOTATORS = 8
"""Of one patient: so many can be adjudicated."""
HEADER = ["patient", "annotator", "state"]


class State(StrEnum):
    """How far an annotator is with a patient."""

    TO_DO = "to do"
    BEGUN = "begun"
    DONE = "done"


_STATES = {str(each): each for each in State}


@dataclass(frozen=True, slots=True)
class Assignment:
    """One patient in the hands of one annotator."""

    patient_id: str
    annotator: str
    state: State = State.TO_DO


@dataclass(frozen=True, slots=True)
class AssignmentDraw:
    """How patients are handed out: each to `per_patient` annotators, `all_on` of them to all.

    The same seed draws the same.
    """

    seed: int
    per_patient: int = 2
    all_on: int = 0

    def check(self, patients: int, annotators: int) -> None:
        """Raises RequestError where it cannot be drawn for so many."""
        if not 2 <= self.per_patient <= min(annotators, MOST_ANNOTATORS):
            raise RequestError(
                f"{self.per_patient} annotators per patient cannot be drawn; there are "
                f"{annotators}, and a patient needs 2 to {MOST_ANNOTATORS}"
            )
        if not 0 <= self.all_on <= patients:
            raise RequestError(f"{self.all_on} patients cannot go to all; there are {patients}")
        if self.all_on and annotators > MOST_ANNOTATORS:
            raise RequestError(
                f"no patient can go to all {annotators} annotators; {MOST_ANNOTATORS} is the most"
            )


def assign(
    patient_ids: Sequence[str], annotators: Sequence[str], draw: AssignmentDraw
) -> tuple[Assignment, ...]:
    """Give every patient to annotators drawn at random.

    The numbers of patients of two annotators differ by one at most, and with two per patient so do
    those of two pairs of annotators. Needs what `AssignmentDraw.check` lets pass.
    """
    chance = random.Random(draw.seed)
    to_all = set(chance.sample(range(len(patient_ids)), draw.all_on)) if draw.all_on else set[int]()
    people = list(annotators)
    chance.shuffle(people)
    count = len(patient_ids) - len(to_all)
    if draw.per_patient == 2:
        groups = iter(_pairs(people, count, chance))
    else:
        groups = _groups(people, count, draw.per_patient, chance)
    place = {name: number for number, name in enumerate(annotators)}
    return tuple(
        Assignment(patient_id, annotator)
        for number, patient_id in enumerate(patient_ids)
        for annotator in sorted(people if number in to_all else next(groups), key=place.__getitem__)
    )


def reassigned(
    before: Sequence[Assignment],
    give: Collection[tuple[str, str]],
    take_back: Collection[tuple[str, str]],
    annotators: Sequence[str],
) -> tuple[Assignment, ...]:
    """Return who has which patient once pairs of patient and annotator were given or taken back.

    What stays keeps its place. Raises RequestError where a patient is given twice, taken back from
    somebody who does not have it or has begun, or would be left to too few or too many.
    """
    states = {(each.patient_id, each.annotator): each.state for each in before}
    for pair in take_back:
        _refuse_taking(pair, states.pop(pair, None))
    for patient_id, name in give:
        if (patient_id, name) in states:
            raise RequestError(f"{name} has patient {patient_id} already")
        states[patient_id, name] = State.TO_DO
    sizes = Counter(patient_id for patient_id, _ in states)
    for patient_id, _ in (*give, *take_back):
        if not 2 <= sizes[patient_id] <= MOST_ANNOTATORS:
            raise RequestError(
                f"patient {patient_id} would have {sizes[patient_id]} annotators; a patient needs "
                f"2 to {MOST_ANNOTATORS}"
            )
    given: dict[str, list[str]] = {}
    for patient_id, name in give:
        given.setdefault(patient_id, []).append(name)
    return tuple(_with_given(before, states, given, annotators))


def _with_given(
    before: Sequence[Assignment],
    states: Mapping[tuple[str, str], State],
    given: dict[str, list[str]],
    annotators: Sequence[str],
) -> Iterator[Assignment]:
    """Yield what is left of `before` in its order, and what is given where its patient stands."""
    ranks = {name: at for at, name in enumerate(annotators)}
    for names in given.values():
        names.sort(key=ranks.__getitem__, reverse=True)
    last = {each.patient_id: at for at, each in enumerate(before)}
    for at, each in enumerate(before):
        names, rank = given.get(each.patient_id, []), ranks.get(each.annotator, len(ranks))
        while names and (ranks[names[-1]] < rank):
            yield Assignment(each.patient_id, names.pop())
        if (each.patient_id, each.annotator) in states:
            yield each
        while names and at == last[each.patient_id]:
            yield Assignment(each.patient_id, names.pop())
    for patient_id, names in given.items():
        yield from (Assignment(patient_id, name) for name in reversed(names))


def _refuse_taking(pair: tuple[str, str], state: State | None) -> None:
    patient_id, name = pair
    if state is None:
        raise RequestError(f"patient {patient_id} is not assigned to {name}")
    if state is not State.TO_DO:
        raise RequestError(f"{name} has begun patient {patient_id}; what is begun stays")


def to_csv(assignments: Iterable[Assignment]) -> bytes:
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(HEADER)
    writer.writerows(map(astuple, assignments))
    return file.getvalue().encode()


@lru_cache(maxsize=2)
def from_csv(data: bytes, path: Path) -> tuple[Assignment, ...]:
    """Return the assignments in a file's content, which a window asks for over and over.

    Raises FileFormatError.
    """
    try:
        header, *rows = csv.reader(io.StringIO(data.decode("utf-8-sig"), newline=""), strict=True)
        if header != HEADER:
            raise FileFormatError(path, f"needs the columns {', '.join(HEADER)}; restore it")
        rows = [row for row in rows if row]
        return tuple(Assignment(patient, who, _STATES[state]) for patient, who, state in rows)
    except (KeyError, ValueError, csv.Error):
        raise FileFormatError(
            path, "is not a list of patient, annotator and state (to do, begun, done); restore it"
        ) from None


def _pairs(people: list[str], count: int, chance: random.Random) -> list[tuple[str, str]]:
    every_pair = list(combinations(people, 2))
    rounds, left = divmod(count, len(every_pair))
    pairs = every_pair * rounds + _even_pairs(people, left)
    chance.shuffle(pairs)
    return pairs


def _groups(
    people: list[str], count: int, size: int, chance: random.Random
) -> Iterator[Sequence[str]]:
    """Draw groups of those with fewest patients, who have met each other least."""
    loads, met = Counter[str](), Counter[frozenset[str]]()
    for _ in range(count):
        left = chance.sample(people, len(people))
        group: list[str] = []
        for _ in range(size):
            known = [sum(met[frozenset((each, one))] for one in group) for each in left]
            best = min(range(len(left)), key=lambda at: (loads[left[at]], known[at]))
            group.append(left.pop(best))
        loads.update(group)
        met.update(map(frozenset, combinations(group, 2)))
        yield group


def _even_pairs(people: list[str], count: int) -> list[tuple[str, str]]:
    """Draw `count` different pairs in which all people are equally often, give or take one.

    Havel and Hakimi's construction: serve the one with most places left with the next ones.
    """
    share, more = divmod(2 * count, len(people))
    places = {name: share + (number < more) for number, name in enumerate(people)}
    pairs: list[tuple[str, str]] = []
    waiting = deque(sorted(people, key=places.__getitem__, reverse=True))
    while waiting:
        first = waiting.popleft()
        for second in list(waiting)[: places[first]]:
            pairs.append((first, second))
            places[second] -= 1
        waiting = deque(sorted(waiting, key=places.__getitem__, reverse=True))
    return pairs
