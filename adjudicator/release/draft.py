"""The surrogates of a project as they would be released, and what stands against that."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from adjudicator.release.source import Source, Watch, no_progress
from shared.consistency.findings import Finding
from shared.model import Patient, Span
from shared.surrogates.drawing import KeyedRandom, name_of
from shared.surrogates.leak_check import FILE_NAME, Leak, surrogates_at
from shared.surrogates.mentions import SurrogatePatient
from shared.surrogates.replacement import replace_without_collisions
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
        patient_ids = watch("Replacing", list(source.patients))
        return cls(source, secret, (), {}).with_choices(choices, patient_ids)

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

    def stream(draw: int) -> KeyedRandom:
        return KeyedRandom(secret, f"{patient_id} {draw}")

    new, leaks = replace_without_collisions(patient, gold, settings, source.rules, stream)
    return PatientDraft(new, source.findings(patient_id), leaks)


@dataclass(frozen=True, slots=True)
class ReleaseBlocker:
    """What stands in the way; `what` holds no text of the record, `text` is what stands there.

    `span` is a place of the gold standard, None where there is none; then only the patient, or the
    record, is known. A leak `in_surrogate` lies in a replacement; its span is the tag's.
    """

    what: str
    patient_id: str
    record_id: str = ""
    span: Span | None = None
    type_name: str = ""
    in_surrogate: bool = False
    text: str = field(default="", repr=False)

    @property
    def can_be_confirmed(self) -> bool:
        """Whether a person may say of the place that it is no PHI."""
        return bool(self.span) and not self.in_surrogate


def blockers_of(draft: Draft) -> list[ReleaseBlocker]:
    """Return all of them: patients first, then what is in the records."""
    found = [
        ReleaseBlocker(str(problem), patient_id)
        for patient_id, problem in draft.source.problems.items()
    ]
    for patient_id, each in draft.patients.items():
        patient = draft.source.patients[patient_id][0]
        found += [_finding(patient, finding) for finding in each.findings]
        found += [_leak(patient, each.new, leak) for leak in each.leaks]
    return found


def _finding(patient: Patient, finding: Finding) -> ReleaseBlocker:
    why = f": {finding.why}" if finding.why else ", although its text is tagged elsewhere"
    return ReleaseBlocker(
        f"not tagged{why}",
        patient.id,
        finding.record_id,
        finding.span,
        finding.type_name,
        text=finding.span.text_in(patient.document(finding.record_id).text),
    )


def _leak(patient: Patient, new: SurrogatePatient, leak: Leak) -> ReleaseBlocker:
    within = surrogates_at(new, leak) if leak.in_surrogate else []
    span = within[0].tag.span if within else leak.old
    return ReleaseBlocker(
        leak.what + (", in a surrogate" if leak.in_surrogate else ""),
        patient.id,
        leak.record_id,
        span,
        leak.phi_type.name,
        leak.in_surrogate,
        span.text_in(patient.document(leak.record_id).text) if span else "",
    )
