"""All comparisons of a project: who is put beside whom, on which records, and the agreement."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache

from shared.agreement.comparison import Comparison
from shared.agreement.folder_comparison import SkippedRecord
from shared.agreement.match_sums import MatchSums
from shared.agreement.measures import count_matches
from shared.agreement.score_tables import Measured, measured_of_times
from shared.metrics.counts import MatchCounts, Ratios, Scores
from shared.model import PhiType

GOLD = "gold"


@dataclass(frozen=True, slots=True)
class AnnotatorPair:
    """`first` as candidate beside `second` as reference, over the records that both finished.

    `done_on` has for each patient the day on which the later of the two made the last edit, where
    it is known; `offered`, which suggestions they were shown ("on", "on / off"), where known.
    """

    first: str
    second: str
    comparisons: tuple[Comparison, ...]
    done_on: Mapping[str, date] = field(default_factory=dict[str, date])
    offered: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def has_gold(self) -> bool:
        return self.second == GOLD

    @property
    def patients(self) -> list[str]:
        """The patient of each comparison."""
        return [each.document.patient_id for each in self.comparisons]

    @property
    def patient_count(self) -> int:
        return len(set(self.patients))


@dataclass(frozen=True, slots=True)
class AdjudicationOutcome:
    """What was decided about one disagreement.

    `types` are all that somebody gave ("NAME:DOCTOR, NAME:PATIENT"). `annotator` is whose tags were
    taken, "" where `choice` is something else: "both", "neither" or "edited". `way` is how it was
    decided ("looked at", "as before" ...).
    """

    patient_id: str
    kind: str
    types: str
    annotator: str
    choice: str
    way: str


@dataclass(frozen=True, slots=True)
class MissedEstimate:
    """How many tags of a type, or "all", no annotator found: estimated, at least, at most.

    `found` is how many somebody found, or the adjudicator added; `high` may be infinite.
    """

    phi_type: str
    found: int
    missed: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class WholePatientShare:
    """Of how many `patients` an annotator found every identifier of a kind, and its interval."""

    annotator: str
    identifiers: str
    whole: int
    patients: int
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class ReleasedTags:
    """The tags of one type in a release: how many, and of how many the text is another.

    `letters` are those of all of them as they were, `letters_after` as they were released.
    """

    phi_type: PhiType
    tags: int
    changed: int
    letters: int
    letters_after: int


@dataclass(frozen=True, slots=True)
class ReleasedCorpus:
    """What a release in some `mode` made of the corpus; `tokens` are those that white space parts.

    Without `records` it cannot be told: it was made from another gold standard, or is broken.
    """

    mode: str = ""
    patients: int = 0
    records: int = 0
    tokens: int = 0
    tokens_after: int = 0
    tags: tuple[ReleasedTags, ...] = ()


@dataclass(frozen=True, slots=True)
class Study:
    """What a report is made of; `sides` are none where nobody finished anything yet.

    `adjudication_seconds` says how long the adjudicator worked on each adjudicated patient;
    `missed` and `whole` what the annotators may have left, where two read what is adjudicated;
    `released` what the latest release changed, None where there is none.
    """

    title: str
    sides: tuple[AnnotatorPair, ...]
    hipaa: frozenset[PhiType]
    left_out: tuple[SkippedRecord, ...] = ()
    outcomes: tuple[AdjudicationOutcome, ...] = ()
    adjudication_seconds: Mapping[str, float] = field(default_factory=dict[str, float])
    missed: tuple[MissedEstimate, ...] = ()
    whole: tuple[WholePatientShare, ...] = ()
    released: ReleasedCorpus | None = None

    @property
    def between(self) -> tuple[AnnotatorPair, ...]:
        """The pairs of annotators."""
        return tuple(each for each in self.sides if not each.has_gold)

    @property
    def with_gold(self) -> tuple[AnnotatorPair, ...]:
        """The annotators beside the gold standard."""
        return tuple(each for each in self.sides if each.has_gold)


@dataclass(frozen=True, slots=True, eq=False)
class PatientPair:
    """A patient as two sides have finished it, `done_on` and `offered` as in `AnnotatorPair`."""

    first: str
    second: str
    comparisons: tuple[Comparison, ...]
    done_on: date | None = None
    offered: str | None = None

    @property
    def patient_id(self) -> str:
        return self.comparisons[0].document.patient_id

    @property
    def has_gold(self) -> bool:
        return self.second == GOLD


def pairs_of_patients(sides: AnnotatorPair) -> Iterator[PatientPair]:
    """Yield the patients of two sides, in the order of their first records."""
    found: dict[str, list[Comparison]] = {}
    for each in sides.comparisons:
        found.setdefault(each.document.patient_id, []).append(each)
    for patient_id, comparisons in found.items():
        days, offered = sides.done_on.get(patient_id), sides.offered.get(patient_id)
        yield PatientPair(sides.first, sides.second, tuple(comparisons), days, offered)


class ContentDigest:
    """What tells whether the same is compared: names, records, texts, spans and types.

    The digests (SHA-256) of the comparisons are added up as numbers, so that it hangs neither on
    their order nor on the parts in which they come.
    """

    def __init__(self) -> None:
        self.number = 0

    def add(self, first: str, second: str, comparison: Comparison) -> None:
        found = hashlib.sha256(f"{first}\0{second}\0".encode())
        found.update(_content(comparison, _digest_of(comparison.document.text)))
        self.number += int.from_bytes(found.digest(), "big")

    def add_up(self, other: "ContentDigest") -> None:
        self.number += other.number

    def __str__(self) -> str:
        return f"{self.number % 2**256:064x}"


@lru_cache(maxsize=8)  # of a record it is asked for every two sides
def _digest_of(text: str) -> str:
    return hashlib.sha256(_bytes(text)).hexdigest()


def _content(comparison: Comparison, text_digest: str) -> bytes:
    lines = [comparison.record_id, text_digest]
    for tags in (comparison.candidate, comparison.reference):
        marks = sorted((tag.span.start, tag.span.end, tag.phi_type) for tag in tags)
        lines.append(repr([(start, end, str(kind)) for start, end, kind in marks]))
    return _bytes("\0".join(lines))


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


@dataclass(frozen=True, slots=True)
class Agreement:
    """Two annotators, or an annotator and `gold`, over the records that both finished.

    `first` is the candidate and `second` the reference. `by_label` holds the strict counts of each
    category and each type, by their names (`NAME`, `NAME:PATIENT`).
    """

    first: str
    second: str
    records: int
    measured: Measured
    by_label: dict[str, MatchCounts]


@dataclass(frozen=True, slots=True)
class AverageAgreement:
    """The mean of several agreements: of ratios, not of counts, as in table 2.

    `measured` has micro and macro of each measure for all types and those of HIPAA, `by_label` the
    micro ratios; each over those agreements in which such tags occur, as in table 10.
    """

    measured: dict[str, dict[str, tuple[Ratios, Ratios]]]
    by_label: dict[str, Ratios]


class PairSums:
    """The sums of each two sides of a study, by their names, patient by patient."""

    def __init__(self, hipaa: frozenset[PhiType]) -> None:
        """`hipaa` are the types that count as HIPAA's."""
        self._hipaa = hipaa
        self.by_names: dict[tuple[str, str], MatchSums] = {}

    def add(self, pairs: Sequence[PatientPair]) -> None:
        """Add a patient, with all pairs of sides that finished it."""
        for pair in pairs:
            sums = self.by_names.setdefault((pair.first, pair.second), MatchSums())
            for each in pair.comparisons:
                sums.add(count_matches(each, self._hipaa.__contains__))

    def add_up(self, other: "PairSums") -> None:
        """Add the sums of other patients."""
        for names, sums in other.by_names.items():
            self.by_names.setdefault(names, MatchSums()).add_up(sums)

    def agreements(self) -> tuple[list[Agreement], list[Agreement]]:
        """Return the agreements between annotators, and those with the gold standard, by names."""
        between, with_gold = (
            [
                agreement_of(*names, self.by_names[names])
                for names in sorted(self.by_names)
                if (names[1] == GOLD) is gold
            ]
            for gold in (False, True)
        )
        return between, with_gold


def agreement_of(first: str, second: str, sums: MatchSums) -> Agreement:
    """Return the agreement of the first with the second by the sums over their records.

    A category compares span and category alone, so that a DOCTOR marked as PATIENT is a match of
    NAME, as in table 10 of Stubbs and Uzuner (2015), where NAME is above each of its types.
    """
    by_label = {key.label: sums.counts(key) for key in sums.labelled}
    return Agreement(first, second, sums.records, measured_of_times(sums.times), by_label)


def average(agreements: Sequence[Agreement]) -> AverageAgreement:
    """Return the mean over agreements of one annotator each with the gold standard."""
    scores: dict[str, dict[str, list[Scores]]] = {}
    for agreement in agreements:
        for name, by_types in agreement.measured.items():
            for types, found in by_types.items():
                scores.setdefault(name, {}).setdefault(types, []).append(found)
    measured = {
        name: {types: _mean(found) for types, found in by_types.items()}
        for name, by_types in scores.items()
    }
    labels = sorted({label for each in agreements for label in each.by_label})
    return AverageAgreement(
        measured,
        {
            label: Ratios.mean(
                each.by_label[label].ratios for each in agreements if label in each.by_label
            )
            for label in labels
        },
    )


def _mean(scores: Sequence[Scores]) -> tuple[Ratios, Ratios]:
    return (
        Ratios.mean(each.micro.ratios for each in scores),
        Ratios.mean(each.macro for each in scores),
    )
