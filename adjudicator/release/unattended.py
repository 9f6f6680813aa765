"""A release made of tagged records without a project and without a person."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from adjudicator.release.doubt import Doubt, DoubtRule, DoubtSettings, SettledPatient, settle
from adjudicator.release.draft import Draft
from adjudicator.release.folder import Place, read_places
from adjudicator.release.held_back import HeldBack
from adjudicator.release.masking import without_tags
from adjudicator.release.source import (
    CorpusFacts,
    Read,
    Source,
    SurrogateOptions,
    Watch,
    no_progress,
)
from adjudicator.release.writing import ReleaseOptions, facts_of, refuse_blocked, write_files
from adjudicator.risk_statements import untold
from shared.errors import FileError, FileFormatError, RequestError, TandemError
from shared.formats.base import Record, record_id_of
from shared.formats.corpus import Corpus
from shared.formats.schema_auto import schema_with
from shared.language.detection import AUTO
from shared.model import Layer, Patient, Schema
from shared.processes import done_in_copies
from shared.surrogates.drawing import new_secret, secret_of_seed
from shared.surrogates.unattended_card import UnattendedFacts

_FEW, _CHUNK = 16, 4
"""So few patients are not worth the start of further processes; so many are taken at a time."""
_NOT_READ = (
    "This cannot be told: the tags of these records were made by a program, and no person has "
    "looked for what it did not find."
)


@dataclass(frozen=True, slots=True)
class Failure:
    """A record, or a file, of which nothing is released, and why; without any of its text."""

    name: str
    reason: str


@dataclass(slots=True)
class UnattendedRelease:
    """What became of tagged records: the draft of what goes out, and what does not."""

    settings: DoubtSettings
    draft: Draft
    settled: Mapping[str, SettledPatient]
    failures: list[Failure]
    kept: int = 0
    """How many places stay in the clear because somebody has reviewed them."""
    kept_elsewhere: int = field(default=0)
    """How many places of the list are in no record here."""

    @property
    def doubts(self) -> list[Doubt]:
        return [doubt for each in self.settled.values() for doubt in each.doubts]

    @property
    def held(self) -> dict[tuple[str, str], tuple[str, ...]]:
        """Why records are held back, by patient and record."""
        return {
            (patient_id, record_id): reasons
            for patient_id, each in self.settled.items()
            for record_id, reasons in each.held.items()
        }

    @property
    def facts(self) -> UnattendedFacts:
        """What the data card counts."""
        released = {each.record_id for one in self.draft.surrogates for each in one.documents}
        masks = [place for each in self.settled.values() for place in each.masks]
        layers = [
            layer
            for each in self.settled.values()
            for record_id, layer in each.read[1].items()
            if record_id in released
        ]
        held = {patient_id for patient_id, _ in self.held}
        return UnattendedFacts(
            str(self.settings.rule),
            self.settings.confidence,
            self.settings.least_certainty,
            masked=sum(record_id in released for record_id, _ in masks),
            held_records=len(self.held),
            held_patients=len(held - {each.patient.id for each in self.draft.surrogates}),
            not_read=len(self.failures),
            kept=self.kept,
            untagged_records=sum(not each.tags for each in layers),
            without_confidence=sum(
                tag.confidence is None for each in layers for tag in each.tags
            ) - sum(record_id in released for record_id, _ in masks),
        )  # fmt: skip

    def write(self, title: str, options: ReleaseOptions, watch: Watch = no_progress) -> None:
        """Write the release. Raises RequestError where something stands against it, FileError."""
        refuse_blocked(self.draft, options)
        facts = replace(
            facts_of(self.draft, title, options),
            unattended=self.facts,
            residual_risk=tuple(untold(_NOT_READ)),
        )
        write_files(self.draft, facts, options, watch)


class WholeCorpus(NamedTuple):
    """What the parts of a corpus have in common: what is drawn hangs on the `secret`."""

    facts: CorpusFacts
    secret: bytes


def schema_of_records(records: Iterable[Record]) -> Schema:
    """The built-in schema where it has all types of the tags, else one of these types."""
    layers = (layer for each in records for layer in each.layers)
    return schema_with(tag.phi_type for each in layers for tag in each.tags)


def make_unattended(  # noqa: PLR0913  how a release is made
    corpus: Corpus,
    schema: Schema,
    options: SurrogateOptions,
    settings: DoubtSettings,
    *,
    whole: WholeCorpus | None = None,
    cores: int = 1,
    watch: Watch = no_progress,
) -> UnattendedRelease:
    """Replace all PHI of tagged records and settle every doubt by the rule.

    Where the records are a part of a larger corpus, `whole` is what the parts have in common. What
    cannot be read is among the failures. Raises RequestError, FileError where something is wrong
    with more than single records.
    """
    secret = whole.secret if whole else _secret(options)
    failures = [_failure(each) for each in corpus.problems]
    patients = _patients(corpus.records, schema, failures)
    _refuse_without_confidence(patients, settings.confidence)
    kept, elsewhere = _kept(options.not_phi, patients) if options.not_phi else (set[Place](), 0)
    if settings.rule is DoubtRule.KEEP_LIST:
        patients = {
            patient_id: (patient, without_tags(gold, kept))
            for patient_id, (patient, gold) in patients.items()
        }
    source = _source(patients, schema, options, settings, whole.facts if whole else None)
    settling = _settling(source, secret, settings, cores)
    watched = (next(settling) for _ in watch("Replacing", list(source.patients)))
    settled = dict(_settled(source, watched, failures))
    draft = _draft(source, secret, settled)
    return UnattendedRelease(settings, draft, settled, failures, len(kept), elsewhere)


def _secret(options: SurrogateOptions) -> bytes:
    return new_secret() if options.seed is None else secret_of_seed(options.seed)


def _source(
    patients: Mapping[str, Read],
    schema: Schema,
    options: SurrogateOptions,
    settings: DoubtSettings,
    facts: CorpusFacts | None,
) -> Source:
    facts = facts or CorpusFacts.of_patients(patients.values(), schema, AUTO, labels_too=False)
    source = Source.of(patients, schema, AUTO, options, facts=facts)
    return replace(source, certainty=settings.least_certainty)


def _settled(
    source: Source, settling: Iterable[tuple[str, SettledPatient | str]], failures: list[Failure]
) -> Iterator[tuple[str, SettledPatient]]:
    """Yield those patients that could be settled; why others could not is a failure."""
    for patient_id, found in settling:
        if isinstance(found, SettledPatient):
            yield patient_id, found
        else:
            documents = source.patients[patient_id][0].documents
            failures.extend(Failure(each.record_id, found) for each in documents)


def _settling(
    source: Source, secret: bytes, settings: DoubtSettings, cores: int
) -> Iterator[tuple[str, SettledPatient | str]]:
    """Settle every patient, in copies of this process where there are many; yield as it goes."""
    patient_ids = list(source.patients)
    work = partial(_settle_some, source, secret, settings)
    cores = cores if len(patient_ids) > _FEW else 1
    some = [patient_ids[at : at + _CHUNK] for at in range(0, len(patient_ids), _CHUNK)]
    for settled in done_in_copies(work, some, cores):
        yield from settled


def _settle_some(
    source: Source, secret: bytes, settings: DoubtSettings, patient_ids: Sequence[str]
) -> list[tuple[str, SettledPatient | str]]:
    return [(each, _settle(source, secret, settings, each)) for each in patient_ids]


def _settle(
    source: Source, secret: bytes, settings: DoubtSettings, patient_id: str
) -> SettledPatient | str:
    try:
        return settle(source, secret, patient_id, settings)
    except TandemError as problem:
        return str(problem)


def _draft(source: Source, secret: bytes, settled: Mapping[str, SettledPatient]) -> Draft:
    """All that was settled as one draft, from which nothing held back goes out."""
    held = tuple(
        HeldBack(patient_id, record_id, "", "", "; ".join(reasons))
        for patient_id, each in settled.items()
        for record_id, reasons in each.held.items()
    )
    read = {patient_id: each.read for patient_id, each in settled.items()}
    whole = replace(source, patients=read, held_back=held)
    return Draft(whole, secret, (), {name: each.draft for name, each in settled.items()})


def _patients(
    records: Sequence[Record], schema: Schema, failures: list[Failure]
) -> dict[str, Read]:
    """The records that can be released, by patient; what is wrong with others is a failure."""
    fitting: list[tuple[Record, Layer]] = []
    for each in records:
        try:
            fitting.append((each, _layer(each, schema)))
        except RequestError as problem:
            failures.append(Failure(each.document.record_id, str(problem)))
    found: dict[str, Read] = {}
    for patient_id, own in groupby(fitting, key=lambda each: each[0].document.patient_id):
        of_patient = list(own)
        documents = tuple(record.document for record, _ in of_patient)
        layers = {layer.record_id: layer for _, layer in of_patient}
        found[patient_id] = Patient(patient_id, documents), layers
    return found


def _layer(record: Record, schema: Schema) -> Layer:
    """The tags of a record. Raises RequestError where nobody could say what they are."""
    if not record.layers:
        raise RequestError("has no tags at all, not even an empty list of them; tag it first")
    unknown = sorted({str(tag.phi_type) for tag in record.layer.tags if tag.phi_type not in schema})
    if unknown:
        raise RequestError(f"has tags of types that the schema lacks: {', '.join(unknown)}")
    length = len(record.document.text)
    if any(tag.end > length for tag in record.layer.tags):
        raise RequestError("has a tag beyond the end of its text")
    return Layer.of(record.document.record_id, "", record.layer.tags)


def _refuse_without_confidence(patients: Mapping[str, Read], confidence: float) -> None:
    tags = [tag for _, gold in patients.values() for layer in gold.values() for tag in layer.tags]
    if confidence and tags and all(tag.confidence is None for tag in tags):
        raise RequestError(
            "--confidence: no tag says how sure its recognizer was; run tandem suggest without "
            "--bare, or leave the option out"
        )


def _kept(path: Path, patients: Mapping[str, Read]) -> tuple[set[Place], int]:
    """The places of a list in these records, and how many are in none of them.

    Raises FileFormatError where one lies outside its record: the list is of other texts then.
    """
    documents = [each for patient, _ in patients.values() for each in patient.documents]
    lengths = {each.record_id: len(each.text) for each in documents}
    places = read_places(path)
    here = {each for each in places if each[0] in lengths}
    for record_id, span in here:
        if span.end > lengths[record_id]:
            raise FileFormatError(
                path, f"has a place beyond the end of record {record_id}; make it anew"
            )
    return here, len(places) - len(here)


def _failure(problem: FileError) -> Failure:
    return Failure(record_id_of(problem.path) or str(problem.path), problem.problem)
