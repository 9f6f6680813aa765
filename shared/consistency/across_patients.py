"""Doctors, hospitals and places that are tagged in one patient's records and not in another's."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from shared.consistency.candidates import UntaggedCandidate, best_candidates
from shared.consistency.context_cues import is_titled
from shared.consistency.findings import EXACT_KINDS, Finding, FindingKind
from shared.consistency.patient_records import CheckedRecord, PatientRecords, TaggedText
from shared.consistency.repeats import RepeatFinder
from shared.language.ambiguity import ambiguity_reason
from shared.model import EntityKind, Span
from shared.text.scripts import length_in_letters

_LEAST = 5
_NAME_IN_FULL = re.compile(r"[^\W\d_]{2,}\W.*[^\W\d_]{2,}", re.DOTALL)


@dataclass(slots=True)
class SharedNames:
    """A text, and in how many patients' records it is tagged."""

    text: TaggedText
    patients: int = 0


class OtherPatientFinder:
    """Looks for texts that some patients have as a tag in the records of another.

    Texts that are likely to be something else too are left out. Surest are texts of several words,
    and texts that several patients have. `patients` gives the `shared_texts` of each, `counted`
    what is known of others.
    """

    def __init__(
        self, patients: Iterable[Iterable[TaggedText]], counted: Iterable[SharedNames] = ()
    ) -> None:
        self._shared = {each.text.text: each for each in counted}
        for texts in patients:
            for each in texts:
                self._add(each)
        self._finder = RepeatFinder((each.text for each in self._shared.values()), EXACT_KINDS)

    def findings(self, patient: PatientRecords) -> Iterator[Finding]:
        """Yield the untagged places of texts that only other patients have as a tag."""
        for record in patient.records:
            found = (
                _candidate(record, each, self._shared)
                for each in self._finder.candidates(record)
                if each.source and each.source.text not in patient.texts
            )
            for each in best_candidates(found):
                fix = ((each.span, each.phi_type),) if each.phi_type else None
                yield each.finding(record, fix)

    def _add(self, tagged: TaggedText) -> None:
        fresh = SharedNames(TaggedText(tagged.text, tagged.schema, tagged.language))
        entry = self._shared.setdefault(tagged.text, fresh)
        entry.patients += 1
        entry.text.tags += tagged.tags


def check_across(patients: Sequence[PatientRecords]) -> Iterator[Finding]:
    """Yield the untagged places, patient by patient, of texts that only others have as a tag."""
    finder = OtherPatientFinder(shared_texts(each) for each in patients)
    for each in patients:
        yield from finder.findings(each)


def shared_texts(patient: PatientRecords) -> list[TaggedText]:
    """The tagged texts that other patients may have too: doctors, hospitals, shared places."""
    return [each for each in patient.texts.values() if _is_shared(each)]


def full_names(patient: PatientRecords) -> list[TaggedText]:
    """Of these texts the names in full, of people and hospitals: too long to stand by chance."""
    return [
        each
        for each in shared_texts(patient)
        if each.traits.kind in (EntityKind.PERSON, EntityKind.HOSPITAL)
        and _NAME_IN_FULL.search(each.text)
    ]


def joined(findings: Iterable[Finding], across: Iterable[Finding]) -> tuple[Finding, ...]:
    """All findings, without those across patients at a place that has one already.

    What looks like PHI and is tagged in other patients is told as the latter, which says more.
    """
    found, others = list(findings), list(across)
    told = _by_record(each for each in found if each.kind is not FindingKind.LOOKALIKE)
    others = [each for each in others if not _is_beside(each, told)]
    there = _by_record(others)
    kept = [
        each
        for each in found
        if each.kind is not FindingKind.LOOKALIKE or not _is_beside(each, there)
    ]
    return (*kept, *others)


def _by_record(findings: Iterable[Finding]) -> dict[str, list[Span]]:
    spans: dict[str, list[Span]] = defaultdict(list)
    for each in findings:
        spans[each.record_id].append(each.span)
    return spans


def _is_beside(finding: Finding, spans: dict[str, list[Span]]) -> bool:
    return any(finding.span.overlaps(each) for each in spans.get(finding.record_id, ()))


def _is_shared(tagged: TaggedText) -> bool:
    if not tagged.traits.recurs_across_patients or length_in_letters(tagged.text) < _LEAST:
        return False
    return ambiguity_reason(tagged.text, tagged.traits, tagged.language) is None


def _candidate(
    record: CheckedRecord, found: UntaggedCandidate, shared: dict[str, SharedNames]
) -> UntaggedCandidate:
    assert found.source is not None  # noqa: S101  a repeat has a source
    entry = shared[found.source.text]
    times = entry.patients
    sure = " " in found.source.text or is_titled(record.text, found.span, record.language)
    certainty = 0.85 if sure else 0.6 if times > 1 else 0.4
    others = "another patient" if times == 1 else f"{times} other patients"
    why = f"this text is tagged as {found.source.phi_type.name} in the records of {others}"
    return UntaggedCandidate(
        found.span, FindingKind.ACROSS_PATIENTS, found.phi_type, certainty, why, found.source
    )
