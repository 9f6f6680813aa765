"""What is done with the records of one patient: rows in, rows out, and nothing kept.

A job is made anew in every process from plain values. It knows of other patients only what the
counts of the corpus tell, so that the same patient comes out the same in whatever part.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Protocol

from adjudicator.checked_tags import CheckedTags
from adjudicator.corpus_counts import CorpusCounts, CorpusSummary
from adjudicator.release.doubt import DoubtRule, DoubtSettings
from adjudicator.release.source import CorpusFacts, SurrogateOptions
from adjudicator.release.unattended import WholeCorpus, make_unattended
from shared.agreement.comparison import Comparison
from shared.agreement.measures import MeasureKey, count_matches, measure_keys
from shared.formats.base import Record
from shared.formats.corpus import Corpus
from shared.formats.schema_auto import schema_with
from shared.metrics.counts import MatchCounts
from shared.model import Document, Layer, Patient, Schema
from shared.model.i2b2_2014 import I2B2_2014
from shared.recognition.recognizer import Recognizer
from shared.recognition.registry import RecognizerSpec, open_recognizer
from shared.risk.readers import ReaderCounts, read_patient
from shared.surrogates.surrogate_kinds import ReleaseMode
from tandem.tables.risk_rows import BESIDE_CELLS, CELL_COLUMNS, rows_of_counts
from tandem.tables.table_names import (
    LEFT_OUT,
    NOTES,
    READ,
    RECOGNIZER,
    REFERENCE,
    ROWS,
    SECOND,
    TAGS,
    TableRows,
)
from tandem.tag_rows import (
    FINDING_COLUMNS,
    RECORD_COLUMNS,
    TAG_COLUMNS,
    Row,
    documents_of_rows,
    finding_rows,
    record_rows,
    records_of_rows,
    tag_rows,
)

Made = Mapping[str, Iterable[Row]]
"""The rows of tables that a job makes, by name."""

READ_COLUMNS = ["patient", "record", "digest"]
LEFT_OUT_COLUMNS = ["patient", "record", "reason"]
COUNT_COLUMNS = ["measure", "granularity", "hipaa_only", "tp", "fp", "fn", "records"]
_LISTS = ("names", "locales", "without")
_PATHS = ("kinds", "not_phi", "key")
"""Of the options of surrogates, those that are files."""
_HIPAA = frozenset(each.phi_type for each in I2B2_2014.types() if each.hipaa)


class PatientRows(NamedTuple):
    """The records of a patient, and what the other tables have of them."""

    documents: list[Document]
    rows: TableRows

    @classmethod
    def by_patient(cls, rows: TableRows) -> Iterator["PatientRows"]:
        """Yield each patient with notes, in the order of their ids. Raises RequestError."""
        for each in rows_by_patient(rows).values():
            if each[NOTES]:
                yield cls.read(each)

    @classmethod
    def read(cls, rows: TableRows) -> "PatientRows":
        """Read the rows of NOTES. Raises RequestError where one is not right."""
        notes = ((each["patient"], each["record"], each["text"]) for each in rows[NOTES])
        return cls(documents_of_rows(notes), rows)

    def tagged(self, table: str) -> list[Record]:
        """The records with the tags of a table. Raises RequestError where one does not fit."""
        return records_of_rows(self.documents, self.rows[table])


def rows_by_patient(rows: TableRows) -> dict[str, TableRows]:
    """The rows of each table by patient, in the order of their ids; within one, as they came."""
    found: dict[str, dict[str, list[Mapping[Any, Any]]]] = {}
    for name, some in rows.items():
        for row in some:
            found.setdefault(row["patient"], {each: [] for each in rows})[name].append(row)
    return {each: found[each] for each in sorted(found)}


def added_up(rows: Iterable[Row]) -> list[Row]:
    """The rows with those that differ in the last cell only as one, of their sum."""
    found = Counter[Row]()
    for *key, number in rows:
        found[tuple(key)] += number
    return [(*key, number) for key, number in found.items()]


class TableJob(Protocol):
    """One job; `columns` are those of the tables that it makes."""

    columns: ClassVar[Mapping[str, list[str]]]
    counts_corpus: ClassVar[bool]
    """Whether it needs the counts of the whole corpus."""
    adds_up: ClassVar[bool]
    """Whether rows that are the same but for the last cell, a number, become one of their sum."""

    def __call__(self, patient: PatientRows) -> Made:
        """Do it for one patient. Raises TandemError where its rows are not right."""
        ...


def digest_of_text(text: str) -> str:
    """What tells whether tags are of this text: half a SHA-256."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


@dataclass(frozen=True)
class SuggestJob:
    """Recognizers read the records; which records those were stands beside the tags."""

    spec: RecognizerSpec
    threshold: float
    columns: ClassVar[Mapping[str, list[str]]] = {ROWS: TAG_COLUMNS, READ: READ_COLUMNS}
    counts_corpus: ClassVar[bool] = False
    adds_up: ClassVar[bool] = False

    def __call__(self, patient: PatientRows) -> Made:
        documents = patient.documents
        found = self._recognizer.suggest(documents)
        kept = (
            (document, [each.tag() for each in some if each.confidence >= self.threshold])
            for document, some in zip(documents, found, strict=True)
        )
        read = ((each.patient_id, each.record_id, digest_of_text(each.text)) for each in documents)
        return {ROWS: tag_rows(kept), READ: read}

    @cached_property
    def _recognizer(self) -> Recognizer:
        return open_recognizer(self.spec)


@dataclass(frozen=True)
class CheckJob:
    """What does not fit together in the tags of a patient."""

    corpus: CorpusSummary
    certainty: float
    columns: ClassVar[Mapping[str, list[str]]] = {ROWS: FINDING_COLUMNS}
    counts_corpus: ClassVar[bool] = True
    adds_up: ClassVar[bool] = False

    def __call__(self, patient: PatientRows) -> Made:
        checked = CheckedTags.of_records(patient.tagged(TAGS), self.corpus.schema)
        findings = checked.findings(certainty=self.certainty, common=self.corpus.common)
        return {ROWS: finding_rows(findings)}


@dataclass(frozen=True)
class SurrogateJob:
    """Surrogates in place of PHI; what a person would have to look at is left out or masked."""

    corpus: CorpusSummary
    options: SurrogateOptions
    doubts: DoubtSettings
    secret: bytes
    columns: ClassVar[Mapping[str, list[str]]] = {ROWS: RECORD_COLUMNS, TAGS: TAG_COLUMNS}
    counts_corpus: ClassVar[bool] = True
    adds_up: ClassVar[bool] = False

    def __call__(self, patient: PatientRows) -> Made:
        tagged = patient.tagged(TAGS)
        made = make_unattended(
            Corpus(tuple(tagged)), self._schema, self.options, self.doubts, whole=self._whole
        )
        unread = _unread(tagged, patient.rows.get(READ))
        left_out = [
            *((patient_id, record_id, "; ".join(reasons))
              for (patient_id, record_id), reasons in made.held.items() if record_id not in unread),
            *((tagged[0].document.patient_id, each.name, each.reason) for each in made.failures),
            *((tagged[0].document.patient_id, each, reason) for each, reason in unread.items()),
        ]  # fmt: skip
        out = [
            (document, one.layers[document.record_id].tags)
            for one in made.draft.surrogates
            for document in one.documents
            if document.record_id not in unread
        ]
        return {
            ROWS: record_rows(document for document, _ in out),
            TAGS: tag_rows(out),
            LEFT_OUT: left_out,
        }

    @cached_property
    def _schema(self) -> Schema:
        return self.corpus.schema

    @cached_property
    def _whole(self) -> WholeCorpus:
        return WholeCorpus(CorpusFacts.of_summary(self.corpus, self._schema), self.secret)


@dataclass(frozen=True)
class ScoreJob:
    """How often which counts come about, which adds up: a row stands for so many `records`."""

    columns: ClassVar[Mapping[str, list[str]]] = {ROWS: COUNT_COLUMNS}
    counts_corpus: ClassVar[bool] = False
    adds_up: ClassVar[bool] = True

    def __call__(self, patient: PatientRows) -> Made:
        candidate, reference = patient.tagged(TAGS), patient.tagged(REFERENCE)
        seen = Counter[tuple[Any, ...]]()
        for ours, theirs in zip(candidate, reference, strict=True):
            compared = Comparison(ours.document, ours.tags, theirs.tags)
            for key, counts in count_matches(compared, _HIPAA.__contains__).items():
                if not key.label:
                    seen[(key.measure.name, str(key.granularity), key.hipaa_only, counts)] += 1
        return {
            ROWS: (
                (*key, counts.tp, counts.fp, counts.fn, times)
                for (*key, counts), times in seen.items()
            )
        }


@dataclass(frozen=True)
class RiskJob:
    """What two readers, and perhaps a recognizer, covered of the gold standard: counts add up."""

    columns: ClassVar[Mapping[str, list[str]]] = {ROWS: CELL_COLUMNS, **BESIDE_CELLS}
    counts_corpus: ClassVar[bool] = False
    adds_up: ClassVar[bool] = True

    def __call__(self, patient: PatientRows) -> Made:
        gold, *read = (
            patient.tagged(each)
            for each in (REFERENCE, TAGS, SECOND, RECOGNIZER)
            if each in patient.rows
        )
        covered = read_patient(
            gold[0].document.patient_id,
            [each.document for each in gold],
            _layers(gold),
            {name: _layers(each) for name, each in zip(READERS, read, strict=False)},
        )
        schema = schema_with(tag.phi_type for each in gold for tag in each.tags)
        counts = ReaderCounts.of(covered, schema)
        if RECOGNIZER in patient.rows:
            outside = (
                tag.phi_type
                for known, own in zip(gold, read[-1], strict=True)
                for tag in own.tags
                if not any(tag.span.overlaps(each.span) for each in known.tags)
            )
            counts = replace(counts, outside=Counter(outside))
        cells, beside = rows_of_counts(counts)
        return {ROWS: cells, **beside}


READERS = ("first", "second", "recognizer")


def _layers(records: list[Record]) -> dict[str, Layer]:
    return {each.document.record_id: each.layer for each in records}


JOBS: Mapping[str, type[TableJob]] = {
    "suggest": SuggestJob,
    "check": CheckJob,
    "surrogate": SurrogateJob,
    "score": ScoreJob,
    "risk": RiskJob,
}


KEEP_PARTITIONS = ("suggest", "check")
"""The jobs whose rows keep what the names of folders tell; in a release a year there is PHI."""


def job_of(name: str, options: Mapping[str, Any], corpus: CorpusSummary, secret: bytes) -> TableJob:
    """Make a job of the plain values that say what it is. Raises TandemError."""
    if name == "suggest":
        names, locales, without = (tuple(options[each]) for each in _LISTS)
        spec = RecognizerSpec(names, None, locales, options["recall"], without)
        return SuggestJob(spec, options["threshold"])
    if name == "check":
        return CheckJob(corpus, options["certainty"])
    if name == "score":
        return ScoreJob()
    if name == "risk":
        return RiskJob()
    kinds, not_phi, key = (Path(options[each]) if options[each] else None for each in _PATHS)
    how = SurrogateOptions(
        options["language"], kinds, options["keep_weekdays"], not_phi, None,
        ReleaseMode(options["mode"]), key, options["resample"],
    )  # fmt: skip
    doubts = DoubtSettings(
        DoubtRule(options["doubtful"]), options["confidence"], options["certainty"]
    )
    return SurrogateJob(corpus, how, doubts, secret)


def times_of(rows: Iterable[Row]) -> dict[MeasureKey, Counter[MatchCounts]]:
    """How many records have which counts by each measure, of the rows that ScoreJob makes."""
    found: dict[MeasureKey, Counter[MatchCounts]] = {}
    keys = {(each.measure.name, str(each.granularity), each.hipaa_only): each
            for each in measure_keys()}  # fmt: skip
    for name, granularity, hipaa_only, tp, fp, fn, records in rows:
        seen = found.setdefault(keys[name, granularity, hipaa_only], Counter())
        seen[MatchCounts(tp, fp, fn)] += records
    return found


def counted_patient(rows: PatientRows) -> CorpusCounts:
    """What one patient adds to the counts of the corpus. Raises TandemError."""
    tagged = rows.tagged(TAGS)
    patient = Patient(tagged[0].document.patient_id, tuple(each.document for each in tagged))
    layers = {each.document.record_id: each.layer for each in tagged}
    return CorpusCounts.of_patient(
        patient, layers, schema_with(tag.phi_type for each in tagged for tag in each.tags)
    )


def _unread(tagged: list[Record], read: Sequence[Mapping[str, Any]] | None) -> dict[str, str]:
    """The records of which nobody can tell that a recognizer has read them, and why.

    Without a table of those that were read, they are all that have no tag.
    """
    if read is None:
        return {
            each.document.record_id: "has no tag, and no table says that it was read"
            for each in tagged
            if not each.tags
        }
    digests = {each["record"]: each["digest"] for each in read}
    return {
        each.document.record_id: "its tags are of another text, or it was not read"
        for each in tagged
        if digests.get(each.document.record_id) != digest_of_text(each.document.text)
    }
