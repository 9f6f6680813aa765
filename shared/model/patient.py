"""A patient's records, and all of them as one scroll."""

from bisect import bisect_right
from dataclasses import dataclass, field

from shared.errors import CrossesRecordsError
from shared.model.document import Document
from shared.model.span import Span

SEPARATOR = "\n"


@dataclass(frozen=True, slots=True)
class Patient:
    """An id and the documents of the records about that person, in order."""

    id: str
    documents: tuple[Document, ...]

    def document(self, record_id: str) -> Document:
        return next(each for each in self.documents if each.record_id == record_id)


@dataclass(frozen=True, slots=True)
class Section:
    """Where one record lies in the merged view: `[start, end)`, start == end if it is empty."""

    record_id: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class MergedView:
    """All records of a patient as one text, with the way to each record and back.

    record 110-01   record 110-02        The records are joined by one line feed, which belongs
    h i             y o u                to neither: it is the end of the one before, and no span
    0 1           2 3 4 5                may hold it.
    """

    patient: Patient
    text: str = field(init=False, repr=False)
    sections: tuple[Section, ...] = field(init=False)
    _starts: tuple[int, ...] = field(init=False, repr=False)
    _by_record: dict[str, Section] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        sections: list[Section] = []
        start = 0
        for document in self.patient.documents:
            end = start + len(document.text)
            sections.append(Section(document.record_id, start, end))
            start = end + len(SEPARATOR)
        text = SEPARATOR.join(document.text for document in self.patient.documents)
        object.__setattr__(self, "text", text)
        object.__setattr__(self, "sections", tuple(sections))
        object.__setattr__(self, "_starts", tuple(section.start for section in sections))
        object.__setattr__(self, "_by_record", {each.record_id: each for each in sections})

    def section(self, record_id: str) -> Section:
        return self._by_record[record_id]

    def section_at(self, offset: int) -> Section:
        """The record at a merged offset; a separator counts to the record before it."""
        return self.sections[max(0, bisect_right(self._starts, offset) - 1)]

    def to_record(self, offset: int) -> tuple[str, int]:
        """The record and the offset in it; the offset of a separator is that record's end."""
        section = self.section_at(offset)
        return section.record_id, offset - section.start

    def to_merged(self, record_id: str, offset: int) -> int:
        return self._by_record[record_id].start + offset

    def record_span(self, span: Span) -> tuple[str, Span]:
        """The record that holds a merged span, and the span in it.

        Raises CrossesRecordsError where no single record holds it.
        """
        section = self.section_at(span.start)
        if span.end > section.end:
            raise CrossesRecordsError(span.start, span.end)
        return section.record_id, span.shifted(-section.start)

    def merged_span(self, record_id: str, span: Span) -> Span:
        return span.shifted(self._by_record[record_id].start)
