"""The surrogates of a project as they would be released, and what stands against that."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from adjudicator.release.source import Source, Watch, no_progress
from shared.consistency.findings import Finding
from shared.surrogates.drawing import KeyedRandom, name_of
from shared.surrogates.leak_check import FILE_NAME, Leak
from shared.surrogates.redraw import replace_without_collisions
from shared.surrogates.replacement import SurrogatePatient
from shared.surrogates.surrogate_kinds import ManualSurrogate


@dataclass(frozen=True, slots=True)
class PatientDraft:
    """One patient with surrogates, and what stands against a release."""

    new: SurrogatePatient
    findings: tuple[Finding, ...]
    leaks: tuple[Leak, ...]


@dataclass(frozen=True, slots=True)
class Draft:
    """All patients of a source with surrogates, by id; what was drawn hangs on the secret."""

    source: Source
    secret: bytes
    choices: tuple[ManualSurrogate, ...]
    patients: Mapping[str, PatientDraft]

    @classmethod
    def make(
        cls,
        source: Source,
        secret: bytes,
        choices: Sequence[ManualSurrogate] = (),
        watch: Watch = no_progress,
    ) -> "Draft":
        """Replace every PHI of all patients."""
        patients = {
            patient_id: _drafted(source, secret, choices, patient_id)
            for patient_id in watch("Replacing", list(source.patients))
        }
        return cls(source, secret, tuple(choices), patients)

    @property
    def surrogates(self) -> tuple[SurrogatePatient, ...]:
        return tuple(each.new for each in self.patients.values())

    @property
    def findings(self) -> tuple[Finding, ...]:
        return tuple(finding for each in self.patients.values() for finding in each.findings)

    @property
    def record_count(self) -> int:
        return sum(len(each.documents) for each in self.surrogates)

    def leaks(self, *, new_ids: bool = False) -> tuple[Leak, ...]:
        """The leaks; with new names for the records, what the old names tell is none."""
        every = (leak for each in self.patients.values() for leak in each.leaks)
        return tuple(each for each in every if not (new_ids and each.what == FILE_NAME))

    def with_choices(
        self, choices: Sequence[ManualSurrogate], patient_ids: Iterable[str]
    ) -> "Draft":
        """Return the draft with other choices, which are about these patients."""
        again = {each: _drafted(self.source, self.secret, choices, each) for each in patient_ids}
        return replace(self, choices=tuple(choices), patients={**self.patients, **again})


def _drafted(
    source: Source, secret: bytes, choices: Sequence[ManualSurrogate], patient_id: str
) -> PatientDraft:
    patient, gold = source.patients[patient_id]
    settings = replace(source.settings, choices=tuple(choices), draft=name_of(secret))
    stream = partial(_stream, secret, patient_id)
    new, leaks = replace_without_collisions(patient, gold, settings, source.rules, stream)
    return PatientDraft(new, tuple(source.gate.findings(patient, gold)), leaks)


def _stream(secret: bytes, patient_id: str, draw: int) -> KeyedRandom:
    return KeyedRandom(secret, f"{patient_id} {draw}")
