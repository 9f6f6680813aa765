"""Findings of one patient that the gold standard of the project's other patients leads to."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from shared.consistency.across_patients import OtherPatientFinder, shared_texts
from shared.consistency.findings import LIKELY, Finding
from shared.consistency.patient_records import PatientRecords, TaggedText
from shared.errors import FileError
from shared.model import Document, Layer
from shared.project.project import Project
from shared.project.settings import GOLD
from shared.project.stamp import Stamp, stamp_of

Step = Callable[[int, int], None]
"""Is called with how many patients were looked at, and of how many; may raise to end it."""
_Stamps = tuple[Stamp, ...]
"""Those of every file of a patient's gold standard."""


@dataclass(frozen=True, slots=True)
class _Known:
    """What other patients may have too of one patient, as it was read."""

    stamps: _Stamps
    texts: list[TaggedText]


class OtherPatients:
    """Doctors, hospitals and places of the project's gold standard, read again where it changed.

    A patient that cannot be read gives none; opening it says why. It touches files only, so it may
    be used on another thread, by one at a time.
    """

    def __init__(self, project: Project) -> None:
        self._project = project
        self._known: dict[str, _Known] = {}
        self._finder: tuple[str, OtherPatientFinder] | None = None

    def findings(
        self, patient_id: str, documents: Iterable[Document], layers: Iterable[Layer], step: Step
    ) -> list[Finding]:
        """Return what the others say about this patient, as far as it is likely."""
        patient = PatientRecords(documents, layers)
        found = self._finder_for(patient_id, step).findings(patient)
        return [each for each in found if each.certainty >= LIKELY]

    def _finder_for(self, patient_id: str, step: Step) -> OtherPatientFinder:
        changed = self._read_changed(patient_id, step)
        if self._finder is None or changed or self._finder[0] != patient_id:
            others = ((each, known.texts) for each, known in self._known.items())
            finder = OtherPatientFinder(other for other in others if other[0] != patient_id)
            self._finder = patient_id, finder
        return self._finder[1]

    def _read_changed(self, but: str, step: Step) -> bool:
        """Read the patients whose files are others by now; True where there were any."""
        ids = [each for each in self._project.patient_ids if each != but]
        changed = False
        for number, patient_id in enumerate(ids):
            stamps = self._stamps(patient_id)
            known = self._known.get(patient_id)
            if known is None or known.stamps != stamps:
                step(number, len(ids))
                self._known[patient_id] = _Known(stamps, self._read(patient_id) if stamps else [])
                changed = True
        return changed

    def _read(self, patient_id: str) -> list[TaggedText]:
        try:
            documents = self._project.patient(patient_id).documents
            layers = [self._project.read_layer(GOLD, each).layer for each in documents]
        except FileError:
            return []
        return shared_texts(PatientRecords(documents, layers))

    def _stamps(self, patient_id: str) -> _Stamps:
        record_ids = self._project.record_ids(patient_id)
        found = (stamp_of(self._project.layer_path(GOLD, each)) for each in record_ids)
        return tuple(each for each in found if each)
