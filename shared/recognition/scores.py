"""Strict scores of suggestions: start, end and type must be those of the gold standard."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from shared.recognition.crf.reading import Place

ALL = "all"


@dataclass(slots=True)
class Tally:
    """What was found and right, found and wrong, and missed."""

    right: int = 0
    wrong: int = 0
    missed: int = 0

    @property
    def precision(self) -> float:
        return _share(self.right, self.right + self.wrong)

    @property
    def recall(self) -> float:
        return _share(self.right, self.right + self.missed)

    @property
    def f1(self) -> float:
        return _share(2 * self.right, 2 * self.right + self.wrong + self.missed)

    def row(self) -> dict[str, float]:
        return {
            "precision": round(self.precision, 4),
            "recall": round(self.recall, 4),
            "f1": round(self.f1, 4),
            "count": self.right + self.missed,
        }


def tallies(pairs: Iterable[tuple[set[Place], set[Place]]]) -> dict[str, Tally]:
    """Count suggested against gold places, record by record; per type, and `ALL` together."""
    counts: defaultdict[str, Tally] = defaultdict(Tally)
    counts[ALL] = Tally()
    for suggested, gold in pairs:
        for place in suggested & gold:
            _count(counts, place, "right")
        for place in suggested - gold:
            _count(counts, place, "wrong")
        for place in gold - suggested:
            _count(counts, place, "missed")
    return dict(counts)


def _count(counts: defaultdict[str, Tally], place: Place, what: str) -> None:
    for name in (ALL, place.phi_type):
        tally = counts[name]
        setattr(tally, what, getattr(tally, what) + 1)


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0
