"""What stands in the way of a release, one line each, with the place to go to."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum

from adjudicator.release.draft import Draft, PatientDraft
from shared.model import Patient, Span
from shared.surrogates.leak_check import Leak, surrogates_at


class ObstacleKind(StrEnum):
    """What an obstacle is about."""

    PATIENT = "patient"
    FINDING = "finding"
    LEAK = "leak"


@dataclass(frozen=True, slots=True)
class Obstacle:
    """One of them; `what` holds no text of the record, `text` is what stands there.

    `span` is a place of the gold standard, None where there is none; then only the patient, or the
    record, is known. A leak `in_surrogate` lies in a replacement; its span is the tag's.
    """

    kind: ObstacleKind
    what: str
    patient_id: str
    record_id: str = ""
    span: Span | None = None
    type_name: str = ""
    in_surrogate: bool = False
    text: str = field(default="", repr=False)

    @property
    def can_be_cleared(self) -> bool:
        """Whether a person may say of the place that it is no PHI."""
        return self.kind is not ObstacleKind.PATIENT and bool(self.span) and not self.in_surrogate


def obstacles_of(draft: Draft) -> list[Obstacle]:
    """Return all of them: patients first, then what is in the records."""
    found = [
        Obstacle(ObstacleKind.PATIENT, str(problem), patient_id)
        for patient_id, problem in draft.source.problems.items()
    ]
    for patient_id, each in draft.patients.items():
        inside = [*_findings(patient_id, each)]
        inside += (_leak(patient_id, each, leak) for leak in each.leaks)
        patient = draft.source.patients[patient_id][0]
        found += (_with_text(obstacle, patient) for obstacle in inside)
    return found


def _with_text(obstacle: Obstacle, patient: Patient) -> Obstacle:
    if obstacle.span is None:
        return obstacle
    return replace(obstacle, text=obstacle.span.text_in(patient.document(obstacle.record_id).text))


def _findings(patient_id: str, draft: PatientDraft) -> Iterator[Obstacle]:
    for each in draft.findings:
        yield Obstacle(
            ObstacleKind.FINDING,
            f"not tagged: {each.why}" if each.why else "not tagged although its text is elsewhere",
            patient_id,
            each.record_id,
            each.span,
            each.phi_type.name,
        )


def _leak(patient_id: str, draft: PatientDraft, leak: Leak) -> Obstacle:
    within = surrogates_at(draft.new, leak) if leak.in_surrogate else []
    return Obstacle(
        ObstacleKind.LEAK,
        leak.what + (", in a surrogate" if leak.in_surrogate else ""),
        patient_id,
        leak.record_id,
        within[0].tag.span if within else leak.old,
        leak.phi_type.name,
        leak.in_surrogate,
    )
