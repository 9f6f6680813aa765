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


_PEOPLE = frozenset({SurrogateKind.PERSON, SurrogateKind.USERNAME, SurrogateKind.RELATIVE})
_PLACES = frozenset(
    {
        SurrogateKind.HOSPITAL,
        SurrogateKind.ORGANIZATION,
        SurrogateKind.DEPARTMENT,
        SurrogateKind.ROOM,
        SurrogateKind.STREET,
        SurrogateKind.CITY,
        SurrogateKind.STATE,
        SurrogateKind.COUNTRY,
        SurrogateKind.ZIP,
        SurrogateKind.TERRITORY,
        SurrogateKind.PLACE,
    }
)
_DATES = frozenset({SurrogateKind.DATE, SurrogateKind.AGE})
_GENERIC = ("person ", "place ", "user ", "date ")


@dataclass(frozen=True, slots=True)
class ReleaseRow:
    """One replacement of a patient, with the section it is listed under."""

    patient_id: str
    replacement: Replacement
    section: ReviewSection

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
    rows = (ReleaseRow(patient.patient.id, each, section_of(each)) for each in patient.replacements)
    sections = {section: number for number, section in enumerate(ReviewSection)}

    def place(row: ReleaseRow) -> tuple[int, str, int, int]:
        tag = row.replacement.tag
        return sections[row.section], row.group.casefold(), order[row.key[0]], tag.start

    return tuple(sorted(rows, key=place))


def section_of(replacement: Replacement) -> ReviewSection:
    if replacement.reasons:
        return ReviewSection.LOOK
    if replacement.kind in _PEOPLE:
        return ReviewSection.PEOPLE
    if replacement.kind in _PLACES:
        return ReviewSection.PLACES
    return ReviewSection.DATES if replacement.kind in _DATES else ReviewSection.OTHERS


def narrowed(rows: Iterable[ReleaseRow], words: str = "", type_name: str = "") -> list[ReleaseRow]:
    """Return the rows that hold the words, in any case, and are of the type."""
    folded = words.strip().casefold()
    return [
        row
        for row in rows
        if (not type_name or row.replacement.tag.phi_type.name == type_name)
        and (not folded or row.holds(folded))
    ]
