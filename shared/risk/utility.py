"""What a release is worth to who works with it: recognizers trained on it, days between dates."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import date, timedelta
from math import comb
from random import Random
from typing import Any

from shared.metrics.counts import MatchCounts, added
from shared.model import PhiType, Span, SuggestedTag, Tag
from shared.risk.attack import Learner, Marked
from shared.text.spelling import match_key

SURE = 0.5
"""What a recognizer marks with less confidence is not counted."""
_DRAWS = 1000
_WORD = re.compile(r"[^\W\d_]{3,}")


@dataclass(frozen=True, slots=True)
class Twin:
    """A record as it was, with its gold standard, and the same record as released."""

    authentic: Marked
    released: Marked

    @property
    def patient_id(self) -> str:
        return self.authentic[0].patient_id


@dataclass(frozen=True, slots=True)
class NewWords:
    """Tags with words that were read, and those with a word that was new to who read them.

    New is a word that no tag of the type has in the records learnt from, and what is no word of
    three letters or more does not count: a recognizer knows by heart what recurs. `found` are the
    new ones that were found.
    """

    tags: int = 0
    new: int = 0
    found: int = 0

    def __add__(self, other: "NewWords") -> "NewWords":
        return NewWords(self.tags + other.tags, self.new + other.new, self.found + other.found)


@dataclass(frozen=True, slots=True)
class PatientCounts:
    """The strict counts of a patient who was held out, by what was learnt and what was read.

    `plain` is learnt and read authentic; `learnt` was learnt from the release and reads authentic
    records; `read` was learnt from authentic records and reads the release. What was new is that of
    `plain` and of `read`.
    """

    plain: MatchCounts
    learnt: MatchCounts
    read: MatchCounts
    new_plain: NewWords = NewWords()
    new_read: NewWords = NewWords()


@dataclass(frozen=True, slots=True)
class LostF1:
    """F1 that is lost, and an interval of 95 % for other patients of the same kind."""

    plain: float
    lost: float
    low: float
    high: float


def held_out_counts(
    twins: Sequence[Twin], learner: Learner, seed: int, watch: Callable[[], object] = lambda: None
) -> dict[str, PatientCounts]:
    """Train on one half of the patients, as they were and as released, and read the other half.

    The halves hang on the seed. `watch` is called after each training. Empty where there are fewer
    than two patients.
    """
    patients = sorted({each.patient_id for each in twins})
    Random(seed).shuffle(patients)
    half = set(patients[: len(patients) // 2])
    train = [each for each in twins if each.patient_id in half]
    held_out = [each for each in twins if each.patient_id not in half]
    if not train or not held_out:
        return {}
    authentic = [each.authentic[0] for each in held_out]
    released = [each.released[0] for each in held_out]
    by_authentic = learner([each.authentic for each in train], [*authentic, *released])
    watch()
    by_release = learner([each.released for each in train], authentic)
    watch()
    known = {word for each in train for word in _all_words(each.authentic)}
    found: dict[str, list[PatientCounts]] = {}
    for at, twin in enumerate(held_out):
        read = by_authentic[len(held_out) + at]
        counts = PatientCounts(
            _strict(by_authentic[at], twin.authentic),
            _strict(by_release[at], twin.authentic),
            _strict(read, twin.released),
            _new_words(by_authentic[at], twin.authentic, known),
            _new_words(read, twin.released, known),
        )
        found.setdefault(twin.patient_id, []).append(counts)
    return {patient_id: _added(each) for patient_id, each in found.items()}


def losses(
    runs: Iterable[Mapping[str, PatientCounts]], randomness: Random
) -> tuple[LostF1, LostF1] | None:
    """F1 lost by learning from the release, and by measuring on it; None of no patient.

    The counts of all runs are added by patient; the interval is that of a bootstrap over patients.
    """
    by_patient: dict[str, list[PatientCounts]] = {}
    for run in runs:
        for patient_id, counts in run.items():
            by_patient.setdefault(patient_id, []).append(counts)
    patients = [_added(each) for each in by_patient.values()]
    if not patients:
        return None
    drawn = [randomness.choices(range(len(patients)), k=len(patients)) for _ in range(_DRAWS)]
    return (
        _loss([(each.plain, each.learnt) for each in patients], drawn),
        _loss([(each.plain, each.read) for each in patients], drawn),
    )


def new_words(runs: Iterable[Mapping[Any, PatientCounts]]) -> tuple[NewWords, NewWords]:
    """What was new to who learnt from authentic records: in such records, and in the release."""
    every = [counts for run in runs for counts in run.values()]
    none = NewWords()
    return (
        sum((each.new_plain for each in every), none),
        sum((each.new_read for each in every), none),
    )


def _loss(pairs: Sequence[tuple[MatchCounts, MatchCounts]], drawn: Iterable[list[int]]) -> LostF1:
    def lost(chosen: Iterable[int]) -> float:
        rows = [pairs[at] for at in chosen]
        return added(plain for plain, _ in rows).f1 - added(other for _, other in rows).f1

    sample = sorted(map(lost, drawn))
    cut = len(sample) // 40
    plain = added(each for each, _ in pairs).f1
    return LostF1(plain, lost(range(len(pairs))), sample[cut], sample[-1 - cut])


def _new_words(
    marks: Iterable[SuggestedTag], marked: Marked, known: Set[tuple[PhiType, str]]
) -> NewWords:
    found = _sure(marks)
    having = {(each.span, each.phi_type): _words(each, marked[0].text) for each in marked[1]}
    having = {key: words for key, words in having.items() if words}
    new = {key for key, words in having.items() if not words <= known}
    return NewWords(len(having), len(new), len(new & found))


def _all_words(marked: Marked) -> Iterable[tuple[PhiType, str]]:
    return (word for tag in marked[1] for word in _words(tag, marked[0].text))


def _words(tag: Tag, text: str) -> frozenset[tuple[PhiType, str]]:
    words = _WORD.findall(tag.span.text_in(text))
    return frozenset((tag.phi_type, match_key(word)) for word in words)


def _sure(marks: Iterable[SuggestedTag]) -> set[tuple[Span, PhiType]]:
    return {(each.span, each.phi_type) for each in marks if each.confidence >= SURE}


def _strict(marks: Iterable[SuggestedTag], marked: Marked) -> MatchCounts:
    found = _sure(marks)
    right = {(each.span, each.phi_type) for each in marked[1]}
    return MatchCounts(len(found & right), len(found - right), len(right - found))


def _added(counts: Sequence[PatientCounts]) -> PatientCounts:
    return PatientCounts(
        added(each.plain for each in counts),
        added(each.learnt for each in counts),
        added(each.read for each in counts),
        *new_words([dict(enumerate(counts))]),
    )


@dataclass(frozen=True, slots=True)
class MovedDate:
    """A date with day, month and year, as it was, and as released: None where it names no day."""

    was: date
    now: date | None


@dataclass(frozen=True, slots=True)
class KeptIntervals:
    """The pairs of full dates of one patient, and of how many the days between are the same.

    `too_old` are pairs that differ because one of the dates lay more than 90 years before the
    patient's latest and was moved nearer; `gone` those of which the release names no day any more.
    """

    pairs: int = 0
    kept: int = 0
    too_old: int = 0
    gone: int = 0

    def __add__(self, other: "KeptIntervals") -> "KeptIntervals":
        return KeptIntervals(
            self.pairs + other.pairs,
            self.kept + other.kept,
            self.too_old + other.too_old,
            self.gone + other.gone,
        )

    @property
    def otherwise(self) -> int:
        """The pairs that differ for no known reason."""
        return self.pairs - self.kept - self.too_old - self.gone


def kept_intervals(dates: Iterable[MovedDate]) -> KeptIntervals:
    """Compare the days between all dates of one patient."""
    every = list(dates)
    latest = max((each.was for each in every), default=date.min)
    there = [(each.now - each.was, _is_too_old(each.was, latest)) for each in every if each.now]
    shifts = Counter(shift for shift, _ in there)
    usual = max(shifts, key=shifts.__getitem__, default=None)
    nearer = Counter(shift for shift, is_old in there if is_old and shift != usual)
    pairs, told = comb(len(every), 2), comb(len(there), 2)
    kept = _alike(shifts)
    others = shifts - nearer
    return KeptIntervals(
        pairs, kept, told - comb(others.total(), 2) - kept + _alike(others), pairs - told
    )


def _alike(shifts: Counter[timedelta]) -> int:
    """The pairs of dates that were moved by the same number of days."""
    return sum(comb(count, 2) for count in shifts.values())


def _is_too_old(day: date, latest: date) -> bool:
    return latest - day > timedelta(days=90 * 365)
