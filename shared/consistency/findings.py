"""What the consistency check reports."""

from dataclasses import dataclass

from shared.model import PhiType, Span


@dataclass(frozen=True, order=True, slots=True)
class Place:
    """A stretch of one record of the patient."""

    record_id: str
    span: Span


@dataclass(frozen=True, slots=True)
class Finding:
    """A place that no tag touches although its text is tagged elsewhere in the patient's records.

    `text` is what stands there, line ends included. `phi_type` is the type it is tagged with most
    often elsewhere (of types equally frequent the one that comes first in the records);
    `tagged_at` are all places where it is tagged, in the order of the records.
    """

    patient_id: str
    place: Place
    text: str
    phi_type: PhiType
    tagged_at: tuple[Place, ...]

    @property
    def record_id(self) -> str:
        return self.place.record_id

    @property
    def span(self) -> Span:
        return self.place.span
