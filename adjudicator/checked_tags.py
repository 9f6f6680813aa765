"""The tags of a project or of records from outside, as the consistency check wants them."""

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from shared.consistency.check import check_patient
from shared.consistency.dismissals import (
    DismissalKey,
    dismissals_path,
    read_dismissals,
    without_dismissed,
)
from shared.consistency.findings import ALL_KINDS, LIKELY, Finding, FindingKind
from shared.consistency.patient_records import PatientRecords
from shared.errors import FileError
from shared.formats.base import Record
from shared.formats.schema_auto import schema_with
from shared.language.detection import AUTO
from shared.model import Document, Layer, Schema
from shared.processes import done_in_copies
from shared.project.file_names import GOLD

if TYPE_CHECKING:
    from shared.project.project import Project

Watch = Callable[[Collection[Any]], Iterable[Any]]

_PatientTags = tuple[list[Document], list[Layer]]

_FEW, _CHUNK = 200, 4
"""So few records are not worth the start of further processes; so many patients are taken at a
time."""


@dataclass(slots=True)
class CheckedTags:
    """Documents and layers by patient.

    `problems` says what could not be read, `left_out` counts the patients whose tags are not there
    yet, `dismissed` has what people dismissed.
    """

    schema: Schema
    language: str = AUTO
    problems: list[FileError] = field(default_factory=list[FileError])
    patients: dict[str, _PatientTags] = field(default_factory=dict[str, _PatientTags])
    left_out: int = 0
    dismissed: frozenset[DismissalKey] = frozenset()

    @classmethod
    def of_records(cls, records: Collection[Record], schema: Schema | None = None) -> "CheckedTags":
        """The tags of records; the schema is i2b2 2014 where none is given and it has all types."""
        types = (tag.phi_type for record in records for tag in record.tags)
        checked = cls(schema or schema_with(types))
        for record in records:
            documents, layers = checked.patients.setdefault(record.document.patient_id, ([], []))
            documents.append(record.document)
            layers.append(record.layer)
        return checked

    @classmethod
    def of_project(cls, project: "Project", annotator: str) -> "CheckedTags":
        """The tags of an annotator who has begun the patient, or of the gold standard.

        Raises RequestError where there is no such annotator, FileError for what is not about one
        patient only.
        """
        from shared.project.verified_journals import entries_unaltered

        checked = cls(project.schema, project.language)
        for patient_id in project.patient_ids:
            try:
                if not _is_tagged(project, annotator, patient_id):
                    checked.left_out += 1
                    continue
                documents = list(project.patient(patient_id).documents)
                layers = [project.read_layer(annotator, each).layer for each in documents]
            except FileError as problem:
                checked.problems.append(problem)
            else:
                checked.patients[patient_id] = documents, layers
        path = dismissals_path(project.root, annotator)
        entries = entries_unaltered(project.root, path)
        checked.dismissed = frozenset(each.key for each in read_dismissals(entries, annotator))
        return checked

    @property
    def documents(self) -> dict[str, Document]:
        return {each.record_id: each for some, _ in self.patients.values() for each in some}

    def findings(
        self,
        kinds: frozenset[FindingKind] = ALL_KINDS,
        certainty: float = LIKELY,
        *,
        across_patients: bool = False,
        common: frozenset[str] | None = None,
        cores: int = 1,
        watch: Watch = iter,
    ) -> list[Finding]:
        """Everything that does not fit together, what was dismissed too; `watch` may look on.

        `common` are words in small letters of a larger corpus, by default those of these records.
        Of untagged places it is not told what would set them right.
        """
        if common is None and FindingKind.NEAR_SPELLING in kinds:
            from shared.consistency.misspellings import small_words

            common = small_words(each.text for each in self.documents.values())
        work = partial(self._checked, kinds, certainty, common)
        each = self._each_checked(work, cores)
        found = [finding for _ in watch(self.patients) for finding in next(each)]
        if across_patients:
            from shared.consistency.across_patients import check_across, joined

            across = check_across([self._records(each) for each in self.patients.values()])
            found = list(joined(found, (one for one in across if one.certainty >= certainty)))
        return found

    def open_findings(self, findings: Iterable[Finding]) -> list[Finding]:
        """Those that nobody has dismissed."""
        return list(without_dismissed(findings, self.documents.values(), self.dismissed))

    def _each_checked(
        self, work: Callable[[str], tuple[Finding, ...]], cores: int
    ) -> Iterator[tuple[Finding, ...]]:
        """The findings of one patient after the other; of many in copies of this process."""
        first, *others = self.patients
        yield work(first)  # what is read and made for it, all copies have
        some = [others[at : at + _CHUNK] for at in range(0, len(others), _CHUNK)]
        cores = cores if len(self.documents) > _FEW else 1
        for found in done_in_copies(lambda part: [work(each) for each in part], some, cores):
            yield from found

    def _checked(
        self,
        kinds: frozenset[FindingKind],
        certainty: float,
        common: frozenset[str] | None,
        patient_id: str,
    ) -> tuple[Finding, ...]:
        records = self._records(self.patients[patient_id])
        return check_patient(records, kinds, certainty=certainty, common=common, with_fixes=False)

    def _records(self, tags: _PatientTags) -> PatientRecords:
        return PatientRecords(*tags, self.schema, self.language)


def _is_tagged(project: "Project", annotator: str, patient_id: str) -> bool:
    """Whether there is something to check: a gold standard, or what an annotator has begun.

    Raises FileError, and RequestError where there is no such annotator.
    """
    from shared.project.assignments import State

    if annotator == GOLD:
        return project.is_adjudicated(patient_id)
    record_ids = project.record_ids(patient_id)
    return any(project.has_layer(annotator, each) for each in record_ids) or any(
        (each.patient_id, each.annotator) == (patient_id, annotator)
        for each in project.assignments()
        if each.state is not State.TO_DO
    )
