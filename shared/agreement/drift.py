"""Whether agreement falls as the work goes on: later stretches of it beside the first.

Patients are put in the order in which they were finished and cut into windows of equal numbers.
Each window's F1 is compared with that of the first by a permutation test over patients, as records
of one patient resemble each other; what is asked of each is the stricter, the more windows there
are (Bonferroni), so that a project in which nothing changes is told of a fall in fewer than 5 of
100 cases. What is too little for two windows is not judged.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from operator import itemgetter

import numpy as np

from shared.agreement.study import AnnotatorPair
from shared.metrics.counts import CountTable, Floats, MatchCounts, ratios_of, table_of

FEWEST = 8
"""Patients of a window."""
MOST_WINDOWS = 8
_ALARM = 0.02
"""For all windows together."""
_SHUFFLES = 4000
_BATCH = 500


@dataclass(frozen=True, slots=True)
class Window:
    """The patients from `begin` to before `end`, in the order given, and their micro F1.

    `p` is how likely an F1 so much lower than the first window's is by chance, None of the first;
    `has_fallen` where that is less than is asked of it.
    """

    begin: int
    end: int
    f1: float
    p: float | None = None
    has_fallen: bool = False


def windows(table: CountTable, *, seed: int = 1) -> list[Window]:
    """Return the windows of patients whose counts are the rows of `table`, in their order.

    The last patients, too few for a window, are in none. Nothing where there are not two windows.
    """
    size = max(FEWEST, -(-len(table) // MOST_WINDOWS))
    number = len(table) // size
    if number < 2:
        return []
    chance = np.random.default_rng(seed)
    cut = [table[at * size : (at + 1) * size] for at in range(number)]
    found = [Window(0, size, _f1(cut[0].sum(axis=0)))]
    for at, counts in enumerate(cut[1:], start=1):
        p = _p_of_fall(cut[0], counts, chance)
        fallen = p < _ALARM / (number - 1)
        found.append(Window(at * size, (at + 1) * size, _f1(counts.sum(axis=0)), p, fallen))
    return found


@dataclass(frozen=True, slots=True)
class DatedWindow:
    """A window of so many patients that two sides finished between two days."""

    first_day: date
    last_day: date
    patients: int
    window: Window

    @property
    def judged(self) -> str:
        """How it stands beside the first, in words; "" of the first itself."""
        if self.window.p is None:
            return ""
        return "lower" if self.window.has_fallen else "no lower"


def over_time(sides: AnnotatorPair, rows: Iterable[MatchCounts]) -> list[DatedWindow]:
    """Return the windows of two sides, of the counts of each comparison.

    Patients of whom it is not known when they were finished are left out.
    """
    of_patient: dict[str, MatchCounts] = {}
    for patient, counted in zip(sides.patients, rows, strict=True):
        of_patient[patient] = of_patient.get(patient, MatchCounts()) + counted
    days = sides.done_on
    return dated_windows(
        (days[patient], patient, counted)
        for patient, counted in of_patient.items()
        if patient in days
    )


def dated_windows(finished: Iterable[tuple[date, str, MatchCounts]]) -> list[DatedWindow]:
    """Return the windows of patients by the days on which two sides had finished them."""
    order = sorted(finished, key=itemgetter(0, 1))
    table = table_of(counted for _, _, counted in order)
    return [
        DatedWindow(order[each.begin][0], order[each.end - 1][0], each.end - each.begin, each)
        for each in windows(table)
    ]


def _p_of_fall(first: CountTable, later: CountTable, chance: np.random.Generator) -> float:
    """Return the share of shuffles in which the later ones fall as far; the one seen counts too."""
    every = np.concatenate([first, later])
    observed = _f1(first.sum(axis=0)) - _f1(later.sum(axis=0))
    reached = 1
    for _ in range(_SHUFFLES // _BATCH):
        order = chance.random((_BATCH, len(every))).argsort(axis=1)
        is_first = (order < len(first)).astype(np.float64)
        falls = _f1s(is_first @ every) - _f1s((1 - is_first) @ every)
        reached += int((falls >= observed - 1e-12).sum())
    return reached / (_SHUFFLES + 1)


def _f1(counts: CountTable) -> float:
    return float(ratios_of(counts)[2])


def _f1s(counts: Floats) -> Floats:
    return ratios_of(counts)[:, 2]
