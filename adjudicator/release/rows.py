"""The replacements of a draft as one reads them: what needs a person first, then by group."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from shared.surrogates.mentions import Replacement, SurrogatePatient
from shared.surrogates.surrogate_kinds import SurrogateKind

PlaceKey = tuple[str, int, int]
"""Record, start and end of a tag of the gold standard."""


class ReviewSection(StrEnum):
    """What a replacement is listed under, in this order."""

    LOOK = "To review"
    PEOPLE = "People"
    PLACES = "Places"
    DATES = "Dates"
    OTHERS = "Other"

    @property
    def number(self) -> int:
        return list(ReviewSection).index(self)


_SECTIONS = {
    SurrogateKind.PERSON: ReviewSection.PEOPLE,
    SurrogateKind.USERNAME: ReviewSection.PEOPLE,
    SurrogateKind.RELATIVE: ReviewSection.PEOPLE,
    SurrogateKind.HOSPITAL: ReviewSection.PLACES,
    SurrogateKind.ORGANIZATION: ReviewSection.PLACES,
    SurrogateKind.DEPARTMENT: ReviewSection.PLACES,
    SurrogateKind.ROOM: ReviewSection.PLACES,
    SurrogateKind.STREET: ReviewSection.PLACES,
    SurrogateKind.CITY: ReviewSection.PLACES,
    SurrogateKind.STATE: ReviewSection.PLACES,
    SurrogateKind.COUNTRY: ReviewSection.PLACES,
    SurrogateKind.ZIP: ReviewSection.PLACES,
    SurrogateKind.TERRITORY: ReviewSection.PLACES,
    SurrogateKind.PLACE: ReviewSection.PLACES,
    SurrogateKind.DATE: ReviewSection.DATES,
    SurrogateKind.AGE: ReviewSection.DATES,
}
_GENERIC = ("person ", "place ", "user ", "date ")


@dataclass(frozen=True, slots=True)
class ReleaseRow:
    """One replacement of a patient."""

    patient_id: str
    replacement: Replacement

    @property
    def section(self) -> ReviewSection:
        if self.replacement.reasons:
            return ReviewSection.LOOK
        return _SECTIONS.get(self.replacement.kind, ReviewSection.OTHERS)

    @property
    def key(self) -> PlaceKey:
        tag = self.replacement.tag
        return self.replacement.record_id, tag.start, tag.end

    @property
    def group(self) -> str:
        """Who, where or when: the same for all that mean the same."""
        group = self.replacement.group
        start = next((each for each in _GENERIC if group.startswith(each)), "")
        return group[len(start) :]

    @property
    def why(self) -> str:
        """Why a person should look at it, or that one wrote it."""
        if self.replacement.reasons:
            return "; ".join(self.replacement.reasons)
        return "chosen" if self.replacement.chosen else ""

    def holds(self, words: str) -> bool:
        """Whether the words, folded, stand in what was, what is, or what is said of it."""
        each = self.replacement
        cells = (each.original, each.surrogate, each.tag.phi_type.name, each.record_id, self.why)
        return any(words in cell.casefold() for cell in cells)


def rows_of(patient: SurrogatePatient) -> tuple[ReleaseRow, ...]:
    """Return all replacements of a patient, by section, then group, then place."""
    order = {each.record_id: number for number, each in enumerate(patient.documents)}
    rows = (ReleaseRow(patient.patient.id, each) for each in patient.replacements)

    def place(row: ReleaseRow) -> tuple[int, str, int, int]:
        record_id, start, _ = row.key
        return row.section.number, row.group.casefold(), order[record_id], start

    return tuple(sorted(rows, key=place))


def narrowed(rows: Iterable[ReleaseRow], words: str = "", type_name: str = "") -> list[ReleaseRow]:
    """Return the rows that hold the words, in any case, and are of the type."""
    folded = words.strip().casefold()
    return [
        row
        for row in rows
        if (not type_name or row.replacement.tag.phi_type.name == type_name)
        and (not folded or row.holds(folded))
    ]
