"""What somebody who looks for PHI that was left in a release would find, and how surely.

Three attackers, none of whom knows the gold standard. What they suspect comes as a ranked list.

WITH_TAGS has the release as it is. A recognizer is trained on the released tags of one half of the
patients and reads the other half, and the other way round, so that it never reads what it was
trained on. What it takes for PHI where no tag is, is suspected.

TEXT_ALONE is the attack as published (Carrell and others, 2019, doi 10.1093/jamia/ocz114, of whose
310 leaks it exposed 211). The attacker has the text without tags and marks by hand all that looks
like PHI in half of it, surrogates and leaks alike, trains a recognizer on that, and lets it read
the other half. What looks like PHI and is not recognized is suspected: what made the release, taken
to be a recognizer of the same kind, will have missed it too. Here the marking by hand is without
fault, which is more than an attacker can do, and both halves are attacked in turn.

COUNTING has the text alone and trains nothing (Osborne and others, 2025,
doi 10.3390/electronics14193945). Where the names of a patient's records stand again and again, as
consistent surrogates do, a name that stands once is suspected.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from random import Random

from shared.model import Document, PhiType, Schema, Span, SuggestedTag, Tag

SUSPECTED = 0.5
"""From this confidence on a recognizer takes something for PHI; what is below ends the list."""
TOPS = (10, 20, 50)
_MIN_LETTERS = 2


class Attacker(StrEnum):
    """Who looks for what was left; the docstring of this module defines each."""

    WITH_TAGS = "with tags"
    TEXT_ALONE = "text alone"
    COUNTING = "counting names"


HIDDEN_FROM = (Attacker.TEXT_ALONE, Attacker.COUNTING)
"""Those from whom a release without its tags can hide what was left."""


Marked = tuple[Document, Sequence[Tag]]
Learner = Callable[[Sequence[Marked], Sequence[Document]], Sequence[Sequence[SuggestedTag]]]
"""Trains a recognizer on the first and returns what it marks in each of the others."""


@dataclass(frozen=True, slots=True)
class AttackedRecord:
    """A record as released, and `left`, the planted misses that still stand in it untagged."""

    document: Document
    tags: tuple[Tag, ...]
    left: tuple[Tag, ...] = ()

    @property
    def looks_like_phi(self) -> tuple[Tag, ...]:
        """What a person would mark who has the text alone."""
        return tuple(sorted((*self.tags, *self.left), key=Tag.sort_key))


@dataclass(frozen=True, slots=True)
class Suspicion:
    """A place of a release that may have been left; `score` ranks it, from 0 to 1."""

    record_id: str
    span: Span
    phi_type: PhiType
    score: float


def suspicions(
    attacker: Attacker, records: Sequence[AttackedRecord], learner: Learner, schema: Schema
) -> list[Suspicion]:
    """Return what an attacker suspects, the likeliest first.

    Of fewer than two patients a recognizer suspects nothing: it would read what it learnt from.
    """
    if attacker is Attacker.COUNTING:
        found = list(_standing_once(records, schema))
    else:
        find = _untagged if attacker is Attacker.WITH_TAGS else _unrecognized
        halves = _both_ways(records)
        found = [each for one, other in halves for each in find(one, other, learner)]
    return sorted(found, key=lambda each: (-each.score, each.record_id, each.span.start))


def _both_ways(
    records: Sequence[AttackedRecord],
) -> list[tuple[list[AttackedRecord], list[AttackedRecord]]]:
    """Half of the patients and the other half, and the other way round."""
    patients = sorted({each.document.patient_id for each in records})
    Random(len(patients)).shuffle(patients)
    half = set(patients[: len(patients) // 2])
    one = [each for each in records if each.document.patient_id in half]
    other = [each for each in records if each.document.patient_id not in half]
    return [(one, other), (other, one)] if one and other else []


def _untagged(
    train: Sequence[AttackedRecord], read: Sequence[AttackedRecord], learner: Learner
) -> Iterable[Suspicion]:
    marks = learner(
        [(each.document, each.tags) for each in train], [each.document for each in read]
    )
    for record, own in zip(read, marks, strict=True):
        for mark in own:
            if not any(mark.span.overlaps(tag.span) for tag in record.tags):
                yield Suspicion(
                    record.document.record_id, mark.span, mark.phi_type, mark.confidence
                )


def _unrecognized(
    train: Sequence[AttackedRecord], read: Sequence[AttackedRecord], learner: Learner
) -> Iterable[Suspicion]:
    marks = learner(
        [(each.document, each.looks_like_phi) for each in train], [each.document for each in read]
    )
    for record, own in zip(read, marks, strict=True):
        for tag in record.looks_like_phi:
            best = max((m.confidence for m in own if m.span.overlaps(tag.span)), default=0.0)
            if best < SUSPECTED:
                yield Suspicion(record.document.record_id, tag.span, tag.phi_type, 1 - best)


def _standing_once(records: Iterable[AttackedRecord], schema: Schema) -> Iterable[Suspicion]:
    """Names that stand once in a patient's records; the surer, the more the others are repeated."""
    by_patient: defaultdict[tuple[str, PhiType], list[tuple[str, Span, frozenset[str]]]]
    by_patient = defaultdict(list)
    for record in records:
        document = record.document
        for tag in record.looks_like_phi:
            if schema.traits_of(tag.phi_type).is_name:
                words = _words(tag.span.text_in(document.text))
                name = document.record_id, tag.span, words
                by_patient[document.patient_id, tag.phi_type].append(name)
    for (_, phi_type), names in by_patient.items():
        standing = Counter(word for _, _, words in names for word in words)
        once = [all(standing[word] == 1 for word in words) for _, _, words in names]
        repeated = once.count(False)
        for (record_id, span, _), is_once in zip(names, once, strict=True):
            if is_once and repeated:
                yield Suspicion(record_id, span, phi_type, repeated / len(names))


def _words(name: str) -> frozenset[str]:
    """The words of a name, without initials, in small letters; the whole where there is none."""
    cut = "".join(char if char.isalnum() else " " for char in name.casefold()).split()
    return frozenset(word for word in cut if len(word) >= _MIN_LETTERS) or frozenset([name])


def drawn_misses(
    places: Mapping[str, Sequence[Tag]], rate: float, randomness: Random
) -> dict[str, tuple[Tag, ...]]:
    """Draw the tags of one patient that somebody missed, by record id, each with the same chance.

    `places` are the tags by record id, of which those can be drawn.
    """
    return {
        record_id: tuple(tag for tag in tags if randomness.random() < rate)
        for record_id, tags in places.items()
    }


@dataclass(frozen=True, slots=True)
class PlantedMiss:
    """A miss that was planted: whether the release would have been held up, and who suspected it.

    `held_up` says that what is looked for before every release tells of that place.
    """

    phi_type: PhiType
    held_up: bool
    suspected_by: frozenset[Attacker]

    @property
    def is_hidden(self) -> bool:
        """Whether nobody who has the text alone suspects it."""
        return self.suspected_by.isdisjoint(HIDDEN_FROM)


@dataclass(frozen=True, slots=True)
class SuspicionCounts:
    """How many places were suspected with SUSPECTED or more, and how many of them were planted.

    `tops` have, by how many of the first suspicions there are, how many of these were planted.
    What is suspected and was not planted counts as wrong, though it may be PHI.
    """

    suspected: int = 0
    right: int = 0
    tops: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class AttackFigures:
    """What the attackers found of all misses that were planted in some copies of a release."""

    misses: tuple[PlantedMiss, ...]
    counts: Mapping[Attacker, tuple[SuspicionCounts, ...]]

    def exposed(self, attacker: Attacker) -> int:
        return sum(attacker in each.suspected_by for each in self.misses)

    @property
    def unnoticed(self) -> "AttackFigures":
        """The same of those misses alone for which no release would have been held up."""
        return replace(self, misses=tuple(each for each in self.misses if not each.held_up))

    @property
    def hidden(self) -> int:
        return sum(each.is_hidden for each in self.misses)

    @property
    def held_up(self) -> int:
        return sum(each.held_up for each in self.misses)

    def precision(self, attacker: Attacker) -> float | None:
        """The share of suspected places that were planted; None where nothing was suspected."""
        suspected = sum(each.suspected for each in self.counts[attacker])
        right = sum(each.right for each in self.counts[attacker])
        return right / suspected if suspected else None

    def top(self, attacker: Attacker, first: int) -> float | None:
        """The share of planted misses among the first so many suspicions."""
        rows = [row for each in self.counts[attacker] for row in each.tops if row[0] == first]
        return sum(right for _, right in rows) / (first * len(rows)) if rows else None


def attacked(
    records: Sequence[AttackedRecord],
    held_up: Collection[tuple[str, Span]],
    learner: Learner,
    schema: Schema,
) -> AttackFigures:
    """Let every attacker look for what was left in a copy of a release.

    `held_up` are those planted misses for which the release would have waited.
    """
    lists = {each: suspicions(each, records, learner, schema) for each in Attacker}
    left = [(each.document.record_id, tag) for each in records for tag in each.left]
    misses = tuple(
        PlantedMiss(
            tag.phi_type,
            (record_id, tag.span) in held_up,
            frozenset(
                name
                for name, found in lists.items()
                if any(_is_at(one, record_id, tag.span) for one in found if one.score >= SUSPECTED)
            ),
        )
        for record_id, tag in left
    )
    counts = {name: (_counts(found, left),) for name, found in lists.items()}
    return AttackFigures(misses, counts)


def together(runs: Sequence[AttackFigures]) -> AttackFigures:
    """The figures of several copies as one."""
    return AttackFigures(
        tuple(miss for each in runs for miss in each.misses),
        {name: tuple(one for each in runs for one in each.counts[name]) for name in Attacker},
    )


def _counts(found: Sequence[Suspicion], left: Sequence[tuple[str, Tag]]) -> SuspicionCounts:
    right = [any(_is_at(each, record_id, tag.span) for record_id, tag in left) for each in found]
    sure = [
        is_right for each, is_right in zip(found, right, strict=True) if each.score >= SUSPECTED
    ]
    tops = tuple((first, sum(right[:first])) for first in TOPS if first <= len(found))
    return SuspicionCounts(len(sure), sum(sure), tops)


def _is_at(suspicion: Suspicion, record_id: str, span: Span) -> bool:
    return suspicion.record_id == record_id and suspicion.span.overlaps(span)
