"""Findings of one patient that the gold standard of the project's other patients leads to."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass

from adjudicator.decision_book import read_decisions
from adjudicator.disagreements import DisagreementKey
from adjudicator.precedents import PrecedentBook, PriorDecision, prior_decision
from shared.consistency.across_patients import OtherPatientFinder, shared_texts
from shared.consistency.findings import LIKELY, Finding
from shared.consistency.patient_records import PatientRecords, TaggedText
from shared.errors import FileError
from shared.project.files import FileSignature, signature_of
from shared.project.project import Project
from shared.project.settings import GOLD

Step = Callable[[int, int], None]
"""Is called with how many patients were looked at, and of how many; may raise to end it."""


class OtherPatientFindings:
    """Doctors, hospitals and places of the project's gold standard, read again where it changed.

    A patient that cannot be read gives none; opening it says why. It touches files only, so it may
    be used on another thread, by one at a time.
    """

    def __init__(self, project: Project) -> None:
        self._project = project
        self._known: dict[str, tuple[list[FileSignature], list[TaggedText]]] = {}
        """By patient: the files of its gold standard as they were read, and what they tell."""
        self._finder: tuple[str, OtherPatientFinder] | None = None

    def findings(self, patient: PatientRecords, step: Step) -> list[Finding]:
        """Return what the others say about this patient, as far as it is likely."""
        own = patient.patient_id
        changed = self._read_changed(own, step)
        if self._finder is None or changed or self._finder[0] != own:
            others = (texts for each, (_, texts) in self._known.items() if each != own)
            self._finder = own, OtherPatientFinder(others)
        return [each for each in self._finder[1].findings(patient) if each.certainty >= LIKELY]

    def _read_changed(self, but: str, step: Step) -> bool:
        """Read the patients whose files are others by now; True where there were any."""
        ids = [each for each in self._project.patient_ids if each != but]
        changed = False
        for number, patient_id in enumerate(ids):
            paths = (
                self._project.layer_path(GOLD, each)
                for each in self._project.record_ids(patient_id)
            )
            stamps = [stamp for path in paths if (stamp := signature_of(path))]
            if patient_id not in self._known or self._known[patient_id][0] != stamps:
                step(number, len(ids))
                self._known[patient_id] = stamps, self._read(patient_id) if stamps else []
                changed = True
        return changed

    def _read(self, patient_id: str) -> list[TaggedText]:
        try:
            documents = self._project.patient(patient_id).documents
            layers = [self._project.read_layer(GOLD, each).layer for each in documents]
        except FileError:
            return []
        return shared_texts(
            PatientRecords(documents, layers, self._project.schema, self._project.language)
        )


@dataclass(frozen=True, slots=True)
class PatientDecisions:
    """What was decided about one patient when its journal was read."""

    patient_id: str
    stamp: FileSignature
    prior_decisions: dict[DisagreementKey, PriorDecision]


class ProjectPrecedents:
    """The book of a project, brought up to date from journals that changed.

    Reading may run on another thread, since it only reads files: `read` what `changed`, then
    `take` it over where the book is used. A patient that cannot be read has no precedents; opening
    it says why.
    """

    def __init__(self, project: Project) -> None:
        self.book = PrecedentBook()
        self._project = project
        self._stamps: dict[str, FileSignature] = {}

    def changed(self) -> list[str]:
        """The patients whose journals are not those that were read last."""
        known = self._stamps
        stamps = ((each, self._stamp(each)) for each in self._project.patient_ids)
        return [each for each, stamp in stamps if stamp and stamp != known.get(each)]

    def read(self, patient_ids: Iterable[str]) -> Iterator[PatientDecisions]:
        """Read what was decided about these patients; changes nothing."""
        for patient_id in patient_ids:
            stamp = self._stamp(patient_id)
            with suppress(FileError):
                if stamp is not None:
                    found = prior_decisions_of(self._project, patient_id)
                    yield PatientDecisions(patient_id, stamp, found)

    def take(self, found: Iterable[PatientDecisions], but: str = "") -> None:
        """Take over what was read; not of `but`, the patient that is open and known better."""
        for each in found:
            if each.patient_id != but:
                self._stamps[each.patient_id] = each.stamp
                self.book.replace(each.patient_id, each.prior_decisions)

    def _stamp(self, patient_id: str) -> FileSignature | None:
        return signature_of(self._project.journal_path(GOLD, patient_id))


def prior_decisions_of(project: Project, patient_id: str) -> dict[DisagreementKey, PriorDecision]:
    """Return the decisions that stand about a patient, as precedents. Raises FileError."""
    asked = [each for each in read_decisions(project, patient_id) if not each.choice.is_automatic]
    if not asked:
        return {}
    texts = {each.record_id: each.text for each in project.patient(patient_id).documents}
    return {
        each.key: prior_decision(texts[each.key.record_id], each.key, each.kind, each.marks)
        for each in asked
    }
