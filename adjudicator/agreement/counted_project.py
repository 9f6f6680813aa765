"""The agreement of a project by counts alone: layers are read, counted and forgotten."""

import copy
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import partial
from typing import Protocol, Self, TypeVar

from adjudicator.agreement.project_study import ProjectStudy, StudyNotes
from shared.agreement.study import PatientPair
from shared.processes import done_in_copies

_FEW = 32
"""So few patients are not worth the start of further processes."""
_LARGEST, _PARTS = 64, 8
"""Patients of a part; about so many parts for each process, for all to end together."""

Watch = Callable[[Collection[str]], Iterable[str]]


class AddedCounts(Protocol):
    """What the patients of a project are counted in."""

    def add(self, pairs: Sequence[PatientPair]) -> None: ...
    def add_up(self, other: Self) -> None: ...


Found = TypeVar("Found", bound=AddedCounts)


def count_project(
    reading: ProjectStudy,
    patient_ids: Sequence[str],
    begin: Callable[[], Found],
    *,
    cores: int = 1,
    watch: Watch = iter,
) -> Found:
    """Add all that is compared of these patients to what `begin` makes, in so many processes.

    What is told beside it is among the notes of `reading`. `watch` may look on.
    """
    if cores < 2 or len(patient_ids) <= _FEW:
        counts = begin()
        for pairs in reading.patients(watch(patient_ids)):
            counts.add(pairs)
        return counts
    size = max(1, min(_LARGEST, len(patient_ids) // (cores * _PARTS)))
    parts = [patient_ids[at : at + size] for at in range(0, len(patient_ids), size)]
    counts, watched = begin(), iter(watch(patient_ids))
    made = done_in_copies(partial(_counted, reading, begin), parts, cores)
    for part, (found, notes) in zip(parts, made, strict=True):
        counts.add_up(found)
        reading.notes.add_up(notes)
        for _ in zip(part, watched, strict=False):
            pass
    return counts


def _counted(
    reading: ProjectStudy, begin: Callable[[], Found], patient_ids: Sequence[str]
) -> tuple[Found, StudyNotes]:
    part = copy.copy(reading)
    part.notes = StudyNotes()
    counts = begin()
    for pairs in part.patients(patient_ids):
        counts.add(pairs)
    return counts, part.notes
