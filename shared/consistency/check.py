"""The consistency check of one patient: all kinds of finding, from the finders of this package."""

from collections.abc import Collection, Iterable, Iterator

from shared.consistency.candidates import Candidate, best
from shared.consistency.findings import ALL_KINDS, LIKELY, TAG_KINDS, Finding, Kind, Place
from shared.consistency.repeats import RepeatFinder
from shared.consistency.tagged import PatientRecords, Record
from shared.model import Document, Layer


def check_patient(
    documents: Iterable[Document],
    layers: Iterable[Layer],
    kinds: Collection[Kind] = ALL_KINDS,
    *,
    certainty: float = LIKELY,
) -> tuple[Finding, ...]:
    """Return the findings of these kinds and at least this certainty, in the order of the records.

    A place is found where it stands as whole words, or glued to its neighbour where it is long;
    blanks match any blanks, line ends included. A place that any tag touches counts as tagged. Of
    untagged places that overlap, one is reported: a likely before an unlikely, a longer before a
    shorter one. Layers of records that are not among the documents are ignored.
    """
    patient = PatientRecords(documents, layers)
    repeats = RepeatFinder(patient.texts.values(), kinds)
    return tuple(
        finding
        for record in patient.records
        for finding in _findings(record, repeats)
        if finding.certainty >= certainty
    )


def _findings(record: Record, repeats: RepeatFinder) -> Iterator[Finding]:
    for each in best(repeats.candidates(record)):
        yield Finding(
            record.document.patient_id,
            Place(record.record_id, each.span),
            each.span.text_in(record.text),
            each.phi_type,
            each.source.tagged_at if each.source else (),
            each.kind,
            each.why,
            each.certainty,
        )
