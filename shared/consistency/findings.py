"""What the consistency check reports."""

from dataclasses import dataclass, field
from enum import StrEnum

from shared.model import PhiType, Span

TagMark = tuple[Span, PhiType]


class FindingKind(StrEnum):
    """The kinds of finding; of untagged places the surer kinds first."""

    REPEAT = "repeat"
    POSSESSIVE = "possessive"
    LINE_END = "line-end"
    OTHER_CASE = "other-case"
    OTHER_FORMAT = "other-format"
    NAME_ORDER = "name-order"
    NAME_PART = "name-part"
    INITIALS = "initials"
    NEAR_SPELLING = "near-spelling"
    LOOKALIKE = "lookalike"
    ACROSS_PATIENTS = "across-patients"
    TYPES = "types"
    EXTENTS = "extents"
    OVERLAP = "overlap"
    BOUNDARY = "boundary"
    GUIDELINE = "guideline"


EXACT_KINDS = frozenset({FindingKind.REPEAT, FindingKind.POSSESSIVE, FindingKind.LINE_END})
"""Untagged places where the very text stands, blanks and line ends counting as one."""

TAG_KINDS = frozenset(
    {
        *(FindingKind.TYPES, FindingKind.EXTENTS, FindingKind.OVERLAP, FindingKind.BOUNDARY),
        FindingKind.GUIDELINE,
    }
)
"""Findings about a tag; all others are about a place that no tag touches."""

ALL_KINDS = frozenset(FindingKind)

LIKELY = 0.5
"""Findings of at least this certainty are shown without being asked for the others."""


def times_in_words(times: int) -> str:
    """How often: "once", "2 times"."""
    return "once" if times == 1 else f"{times} times"


@dataclass(frozen=True, order=True, slots=True)
class FindingLocation:
    """A stretch of one record of the patient."""

    record_id: str
    span: Span


@dataclass(frozen=True, slots=True)
class TypeChoice:
    """One of the types that a text may be of, with the places that are tagged so."""

    phi_type: PhiType
    places: tuple[FindingLocation, ...]


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that does not fit the other tags of the patient.

    For most kinds that is a place that no tag touches; for `TAG_KINDS` it is a tag. `text` is what
    stands there, line ends included. `phi_type` is what it should probably be tagged as: the type
    that its text has most often elsewhere, of equally frequent ones the one that comes first; None
    where the schema has none that fits, or where nothing speaks for one rather than another: then
    `choices` are the types to choose from, the most frequent first. `tagged_at` are the places that
    say so, in the order of the records; empty for look-alikes. `why` is a sentence without any text
    of the record, `certainty` from 0 to 1. `fix` are the tags that would set it right, in place of
    the one that the finding is about, if any; None where only a person can tell, as where a tag
    would be against the guidelines.
    """

    patient_id: str
    place: FindingLocation
    text: str
    phi_type: PhiType | None
    tagged_at: tuple[FindingLocation, ...]
    kind: FindingKind = FindingKind.REPEAT
    why: str = field(default="", compare=False)
    certainty: float = field(default=1.0, compare=False)
    fix: tuple[TagMark, ...] | None = field(default=None, compare=False)
    choices: tuple[TypeChoice, ...] = field(default=(), compare=False)

    @property
    def record_id(self) -> str:
        return self.place.record_id

    @property
    def type_name(self) -> str:
        return self.phi_type.name if self.phi_type else ""

    @property
    def span(self) -> Span:
        return self.place.span
