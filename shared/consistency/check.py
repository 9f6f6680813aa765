"""The consistency check of one patient: all kinds of finding, from the finders of this package."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator

from shared.consistency.candidates import Candidate, best
from shared.consistency.findings import ALL_KINDS, LIKELY, Finding, Kind, Place
from shared.consistency.formats import SameDayFinder, SameNumberFinder
from shared.consistency.lookalikes import lookalikes
from shared.consistency.near import NearFinder, small_words
from shared.consistency.repeats import REPEAT_KINDS, RepeatFinder
from shared.consistency.tag_faults import tag_findings
from shared.consistency.tagged import PatientRecords, Record
from shared.model import Document, Layer
from shared.text.variants import day_order


def check_patient(
    documents: Iterable[Document],
    layers: Iterable[Layer],
    kinds: Collection[Kind] = ALL_KINDS,
    *,
    certainty: float = LIKELY,
    common: frozenset[str] | None = None,
) -> tuple[Finding, ...]:
    """Return the findings of these kinds and at least this certainty, in the order of the records.

    A place is found where it stands as whole words, or glued to its neighbour where it is long;
    blanks match any blanks, line ends included. A place that any tag touches counts as tagged. Of
    untagged places that overlap, one is reported: a likely before an unlikely, a longer before a
    shorter one. `common` are the small-letter words of the whole corpus (`near.small_words`), which
    are no misspelt names; without it those of this patient. Layers of records that are not among
    the documents are ignored.
    """
    patient = PatientRecords(documents, layers)
    untagged = _untagged(patient, frozenset(kinds), common)
    faults = tag_findings(patient, frozenset(kinds))
    order = {record.record_id: number for number, record in enumerate(patient.records)}
    return tuple(
        sorted(
            (each for each in (*untagged, *faults) if each.certainty >= certainty),
            key=lambda each: (order[each.record_id], each.span, each.kind),
        )
    )


def _untagged(
    patient: PatientRecords, kinds: frozenset[Kind], common: frozenset[str] | None
) -> Iterator[Finding]:
    found: dict[str, list[Candidate]] = defaultdict(list)
    for record, candidate in _candidates(patient, kinds, common):
        found[record.record_id].append(candidate)
    for record in patient.records:
        for each in best(found[record.record_id]):
            yield _finding(record, each)


def _candidates(
    patient: PatientRecords, kinds: frozenset[Kind], common: frozenset[str] | None
) -> Iterator[tuple[Record, Candidate]]:
    texts, records = patient.texts.values(), patient.records
    if kinds & REPEAT_KINDS:
        repeats = RepeatFinder(texts, kinds)
        yield from ((record, each) for record in records for each in repeats.candidates(record))
    if Kind.NEAR_SPELLING in kinds:
        if common is None:
            common = small_words(record.text for record in records)
        yield from NearFinder(texts, common).candidates(records)
    if Kind.OTHER_FORMAT in kinds:
        yield from _other_formats(patient)
    if Kind.LOOKALIKE in kinds:
        yield from ((record, each) for record in records for each in lookalikes(record))


def _other_formats(patient: PatientRecords) -> Iterator[tuple[Record, Candidate]]:
    texts, records = patient.texts.values(), patient.records
    order = day_order(each for record in records for each in record.dates)
    days, numbers = SameDayFinder(texts, order), SameNumberFinder(texts)
    for record in records:
        yield from ((record, each) for each in days.candidates(record, record.dates))
        yield from ((record, each) for each in numbers.candidates(record))


def _finding(record: Record, found: Candidate) -> Finding:
    return Finding(
        record.document.patient_id,
        Place(record.record_id, found.span),
        found.span.text_in(record.text),
        found.phi_type,
        found.source.tagged_at if found.source else (),
        found.kind,
        found.why,
        found.certainty,
        ((found.span, found.phi_type),),
    )
