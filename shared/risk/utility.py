"""What a release is worth to who works with it: recognizers trained on it, days between dates."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from enum import IntEnum
from math import comb
from random import Random
from typing import Any, NamedTuple

from shared.metrics.counts import MatchCounts, added
from shared.model import PhiType, Span, SuggestedTag, Tag
from shared.risk.attack import Learner, Marked
from shared.text.spelling import match_key

SURE = 0.5
"""What a recognizer marks with less confidence is not counted."""
_DRAWS = 1000
_WORD = re.compile(r"[^\W_]{2,}")


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

    New is a word or number that no tag of the type has in the records learnt from: a recognizer
    knows by heart what recurs. What has fewer than two letters and digits on end does not count.
    `found` are the new ones that were found.
    """

    tags: int = 0
    new: int = 0
    found: int = 0

    def __add__(self, other: "NewWords") -> "NewWords":
        return NewWords(self.tags + other.tags, self.new + other.new, self.found + other.found)


class Familiarity(IntEnum):
    """Whether a word stood in a tag of the records learnt from."""

    NEW = 0
    OF_OTHER_TYPE = 1
    OF_TYPE = 2


class ReadTag(NamedTuple):
    """What kind of tag was read: how familiar its least and most familiar word are, if it has any.

    Two that are equal in all but `is_released` are as hard to find, but for what they look like.
    """

    is_released: bool
    phi_type: PhiType
    familiarity: tuple[Familiarity, Familiarity] | None

    @property
    def is_new(self) -> bool:
        return self.familiarity is not None and self.familiarity[0] < Familiarity.OF_TYPE


ReadTags = Mapping[ReadTag, tuple[int, int]]
"""How many of a kind were read, and how many of them were found."""


@dataclass(frozen=True, slots=True)
class PatientCounts:
    """The strict counts of a patient who was held out, by what was learnt and what was read.

    `plain` is learnt and read authentic; `learnt` was learnt from the release and reads authentic
    records; `read` was learnt from authentic records and reads the release. `tags` are those that
    `plain` and `read` had to find.
    """

    plain: MatchCounts
    learnt: MatchCounts
    read: MatchCounts
    tags: ReadTags


@dataclass(frozen=True, slots=True)
class LostF1:
    """F1 that is lost, and an interval of 95 % for other patients of the same kind."""

    plain: float
    lost: float
    low: float
    high: float
    unmatched: float = 0.0
    """The share of tags for which there was nothing to compare with, and which lose nothing."""


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
    known = _LearntWords(each.authentic for each in train)
    found: dict[str, list[PatientCounts]] = {}
    for at, twin in enumerate(held_out):
        read = by_authentic[len(held_out) + at]
        counts = PatientCounts(
            _strict(by_authentic[at], twin.authentic),
            _strict(by_release[at], twin.authentic),
            _strict(read, twin.released),
            known.told_apart(by_authentic[at], twin.authentic, is_released=False)
            | known.told_apart(read, twin.released, is_released=True),
        )
        found.setdefault(twin.patient_id, []).append(counts)
    return {patient_id: _added(each) for patient_id, each in found.items()}


def losses(
    runs: Iterable[Mapping[str, PatientCounts]], randomness: Random
) -> tuple[LostF1, LostF1] | None:
    """F1 lost by learning from the release, and by measuring on it; None of no patient.

    The counts of all runs are added by patient; the interval is that of a bootstrap over patients.
    """
    patients = _patients(runs)
    if not patients:
        return None
    drawn = [randomness.choices(range(len(patients)), k=len(patients)) for _ in range(_DRAWS)]
    return (
        _loss([(each.plain, each.learnt) for each in patients], drawn),
        _loss([(each.plain, each.read) for each in patients], drawn),
    )


def _patients(runs: Iterable[Mapping[str, PatientCounts]]) -> list[PatientCounts]:
    """The counts of each patient in all runs."""
    by_patient: dict[str, list[PatientCounts]] = {}
    for run in runs:
        for patient_id, counts in run.items():
            by_patient.setdefault(patient_id, []).append(counts)
    return [_added(each) for each in by_patient.values()]


def new_words(runs: Iterable[Mapping[Any, PatientCounts]]) -> tuple[NewWords, NewWords]:
    """What was new to who learnt from authentic records: in such records, and in the release."""
    every = _summed(counts.tags for run in runs for counts in run.values())
    told = {side: NewWords() for side in (False, True)}
    for kind, (count, found) in every.items():
        if kind.familiarity is not None:
            new, new_found = (count, found) if kind.is_new else (0, 0)
            told[kind.is_released] += NewWords(count, new, new_found)
    return told[False], told[True]


def loss_of_alike(runs: Iterable[Mapping[str, PatientCounts]], randomness: Random) -> LostF1 | None:
    """F1 lost by measuring on the release, but for what is lost by words that are new there.

    `plain` is what the recognizer would reach on authentic records of which as many tags of each
    type were as familiar to it as they are in the release. What has nothing alike in the authentic
    records (`unmatched` of all) is left to be found as often as it is in the release, so that it
    loses nothing. None of no patient; the interval is as in `losses`.
    """
    import numpy as np

    patients = _patients(runs)
    if not patients:
        return None
    kinds = dict.fromkeys(
        kind._replace(is_released=False) for each in patients for kind in each.tags
    )
    rows = [
        [
            (*each.tags.get(kind, (0, 0)), *each.tags.get(kind._replace(is_released=True), (0, 0)))
            for kind in kinds
        ]
        for each in patients
    ]
    counts = np.array(rows, dtype=np.float64).reshape(len(patients), len(kinds), 4)
    wrong = np.array([(each.plain.fp, each.read.fp) for each in patients], dtype=np.float64)

    def f1(chosen: Sequence[int]) -> tuple[float, float]:
        totals: Any = counts[list(chosen)].sum(axis=0).transpose()
        was, hit, now, found = totals
        false, false_now = wrong[list(chosen)].sum(axis=0)
        alike = hit / np.maximum(was, 1) * now + found * (was == 0)
        every = float(now.sum())
        return (
            _f1(float(alike.sum()), float(false), every),
            _f1(float(found.sum()), float(false_now), every),
        )

    drawn = [randomness.choices(range(len(patients)), k=len(patients)) for _ in range(_DRAWS)]
    sample = sorted(one - other for one, other in map(f1, drawn))
    plain, read = f1(range(len(patients)))
    cut = len(sample) // 40
    totals: Any = counts.sum(axis=0).transpose()
    was, _, now, _ = totals
    unmatched = float((now * (was == 0)).sum()) / max(1.0, float(now.sum()))
    return LostF1(plain, plain - read, sample[cut], sample[-1 - cut], unmatched)


def _f1(found: float, false: float, every: float) -> float:
    whole = found + false + every
    return 2 * found / whole if whole else 1.0


def _loss(pairs: Sequence[tuple[MatchCounts, MatchCounts]], drawn: Iterable[list[int]]) -> LostF1:
    def lost(chosen: Iterable[int]) -> float:
        rows = [pairs[at] for at in chosen]
        return added(plain for plain, _ in rows).f1 - added(other for _, other in rows).f1

    sample = sorted(map(lost, drawn))
    cut = len(sample) // 40
    plain = added(each for each, _ in pairs).f1
    return LostF1(plain, lost(range(len(pairs))), sample[cut], sample[-1 - cut])


class _LearntWords:
    """The words of the tags that a recognizer learnt from."""

    def __init__(self, learnt: Iterable[Marked]) -> None:
        words = [
            (tag.phi_type, word)
            for document, tags in learnt
            for tag in tags
            for word in _words(tag, document.text)
        ]
        self._of_type, self._of_any = frozenset(words), frozenset(word for _, word in words)

    def told_apart(
        self, marks: Iterable[SuggestedTag], marked: Marked, *, is_released: bool
    ) -> dict[ReadTag, tuple[int, int]]:
        """The tags of a record by kind, with how many of them these marks found."""
        sure, told = _sure(marks), dict[ReadTag, tuple[int, int]]()
        for tag in {(each.span, each.phi_type): each for each in marked[1]}.values():
            words = _words(tag, marked[0].text)
            familiar = [self._familiarity(tag.phi_type, word) for word in words]
            extremes = (min(familiar), max(familiar)) if familiar else None
            kind = ReadTag(is_released, tag.phi_type, extremes)
            count, found = told.get(kind, (0, 0))
            told[kind] = count + 1, found + ((tag.span, tag.phi_type) in sure)
        return told

    def _familiarity(self, phi_type: PhiType, word: str) -> Familiarity:
        if (phi_type, word) in self._of_type:
            return Familiarity.OF_TYPE
        return Familiarity.OF_OTHER_TYPE if word in self._of_any else Familiarity.NEW


def _words(tag: Tag, text: str) -> frozenset[str]:
    return frozenset(map(match_key, _WORD.findall(tag.span.text_in(text))))


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
        _summed(each.tags for each in counts),
    )


def _summed(tags: Iterable[ReadTags]) -> ReadTags:
    every: dict[ReadTag, tuple[int, int]] = {}
    for kind, (count, found) in (item for each in tags for item in each.items()):
        before = every.get(kind, (0, 0))
        every[kind] = before[0] + count, before[1] + found
    return every


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
