"""Who marks which patient, and how far they are: `assignments.csv`."""

import csv
import io
import random
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass
from enum import StrEnum
from itertools import combinations
from pathlib import Path

from shared.errors import FileFormatError

HEADER = ["patient", "annotator", "state"]


class State(StrEnum):
    """How far an annotator is with a patient."""

    TO_DO = "to do"
    BEGUN = "begun"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class Assignment:
    """One patient in the hands of one annotator."""

    patient_id: str
    annotator: str
    state: State = State.TO_DO


def assign(
    patient_ids: Sequence[str], annotators: Sequence[str], seed: int
) -> tuple[Assignment, ...]:
    """Give every patient to two annotators, drawn at random; the same seed draws the same.

    The numbers of patients of two annotators differ by one at most, and so do those of two pairs
    of annotators. Needs two annotators or more.
    """
    chance = random.Random(seed)
    people = list(annotators)
    chance.shuffle(people)
    every_pair = list(combinations(people, 2))
    rounds, left = divmod(len(patient_ids), len(every_pair))
    pairs = every_pair * rounds + _even_pairs(people, left)
    chance.shuffle(pairs)
    place = {name: number for number, name in enumerate(annotators)}
    return tuple(
        Assignment(patient_id, annotator)
        for patient_id, pair in zip(patient_ids, pairs, strict=True)
        for annotator in sorted(pair, key=place.__getitem__)
    )


def to_csv(assignments: Iterable[Assignment]) -> bytes:
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(HEADER)
    writer.writerows(map(astuple, assignments))
    return file.getvalue().encode()


def from_csv(data: bytes, path: Path) -> tuple[Assignment, ...]:
    """Return the assignments in a file's content. Raises FileFormatError."""
    try:
        header, *rows = csv.reader(io.StringIO(data.decode("utf-8-sig"), newline=""), strict=True)
        if header != HEADER:
            raise FileFormatError(path, f"needs the columns {', '.join(HEADER)}; restore it")
        rows = [row for row in rows if row]
        return tuple(Assignment(patient, who, State(state)) for patient, who, state in rows)
    except (ValueError, csv.Error):
        raise FileFormatError(
            path, "is not a list of patient, annotator and state (to do, begun, done); restore it"
        ) from None


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
