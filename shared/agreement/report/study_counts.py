"""All that is counted for a report, patient by patient; no record is kept."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from shared.agreement.report.chance_figures import JointTokens, Names
from shared.agreement.report.comparison_counts import ComparisonCounts, Counting
from shared.agreement.report.corpus_extent import CorpusExtent
from shared.agreement.report.figures import CountedRecord, Figures
from shared.agreement.report.options import ReportOptions
from shared.agreement.report.record_details import (
    EXAMPLES,
    add_examples,
    disagreement_rows,
    document_row,
    official_counts,
)
from shared.agreement.resamples import drawn_by
from shared.agreement.study import ContentDigest, PairSums, PatientPair, Study, pairs_of_patients
from shared.model import PhiType


class StudyCounts:
    """What the patients of a study come to: figures of each two sides, and of all together.

    Counts of parts add up to those of the whole, exactly, whichever patient is in which part.
    """

    def __init__(self, options: ReportOptions, hipaa: frozenset[PhiType]) -> None:
        """`hipaa` are the types that count as HIPAA's."""
        self._options, self._hipaa = options, hipaa
        self._draw = drawn_by(options.seed, options.resamples)
        self.sides: dict[Names, Figures] = {}
        self.joint = JointTokens(self._draw)
        self.corpus = CorpusExtent()
        self.digest = ContentDigest()

    def __getstate__(self) -> dict[str, Any]:
        return vars(self) | {"_draw": None}  # what is added up is drawn

    @property
    def figures(self) -> list[Figures]:
        """Those of annotators first, then those with the gold standard, by their names."""
        return sorted(
            self.sides.values(), key=lambda each: (each.has_gold, each.first, each.second)
        )

    @property
    def sums(self) -> PairSums:
        """The sums of each two sides alone."""
        found = PairSums(self._hipaa)
        found.by_names = {names: each.matches for names, each in self.sides.items()}
        return found

    def add_study(self, study: Study, count: Counting) -> None:
        """Add all patients of a study."""
        patients: dict[str, list[PatientPair]] = {}
        for sides in study.sides:
            for pair in pairs_of_patients(sides):
                self._add_pair(pair, _counted(pair, count))
                patients.setdefault(pair.patient_id, []).append(pair)
            if sides.comparisons:
                self.sides[sides.first, sides.second].is_offered_known = bool(sides.offered)
        for patient_id, pairs in patients.items():
            self._add_joint(patient_id, {pair: _counted(pair, count) for pair in pairs})

    def add(self, pairs: Sequence[PatientPair]) -> None:
        """Add a patient, with all pairs of sides that finished it."""
        count = partial(ComparisonCounts.of, is_hipaa=self._hipaa.__contains__)
        counted = {pair: _counted(pair, count) for pair in pairs}
        for pair, records in counted.items():
            self._add_pair(pair, records)
            self.sides[pair.first, pair.second].is_offered_known |= pair.offered is not None
        if pairs:
            self._add_joint(pairs[0].patient_id, counted)

    def add_up(self, other: "StudyCounts") -> None:
        """Add the counts of other patients, which come after these."""
        for names, figures in other.sides.items():
            if names in self.sides:
                self.sides[names].add_up(figures, EXAMPLES)
            else:
                self.sides[names] = figures
        self.joint.add_up(other.joint)
        self.corpus.add_up(other.corpus)
        self.digest.add_up(other.digest)

    def _add_pair(self, pair: PatientPair, records: Sequence[CountedRecord]) -> None:
        names = pair.first, pair.second
        if names not in self.sides:
            self.sides[names] = Figures(*names, self._draw)
        figures = self.sides[names]
        figures.add(pair.patient_id, records, pair.done_on, pair.offered)
        with_text, details = self._options.with_text, figures.details
        for each in records:
            self.digest.add(*names, each.comparison)
            details.documents.append(document_row(each))
            details.disagreements += disagreement_rows(each, with_text=with_text)
            if with_text:
                add_examples(each.comparison, details.examples)
            if self._options.with_official:
                figures.add_official(official_counts(each.comparison))

    def _add_joint(
        self, patient_id: str, counted: Mapping[PatientPair, Sequence[CountedRecord]]
    ) -> None:
        between = {
            (pair.first, pair.second): records
            for pair, records in counted.items()
            if not pair.has_gold
        }
        if between:
            self.joint.add(patient_id, between)
        gold = {
            each.record_id: each for pair in counted if pair.has_gold for each in pair.comparisons
        }
        self.corpus.add(gold.values())


def _counted(pair: PatientPair, count: Counting) -> list[CountedRecord]:
    return [CountedRecord(each, count(each)) for each in pair.comparisons]
