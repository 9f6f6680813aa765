"""Records, tags and findings as rows of plain values, there and back, for frames and tables."""

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from shared.consistency.findings import Finding
from shared.errors import RequestError
from shared.formats.base import Record
from shared.formats.corpus import RecordsRead
from shared.model import Document, Layer, Origin, PhiType, Span, Tag
from shared.model.i2b2_2014 import I2B2_2014
from shared.model.meddocan import MEDDOCAN_TRAITS

RECORD_COLUMNS = ["patient", "record", "text"]
TAG_COLUMNS = [
    *("patient", "record", "id", "start", "end", "category", "type"),
    *("text", "origin", "confidence", "comment"),
]
FINDING_COLUMNS = [
    *("patient", "record", "start", "end", "category", "type", "text"),
    *("kind", "certainty", "why", "times_tagged"),
]
Row = tuple[Any, ...]
_BUILT_IN: dict[str, set[PhiType]] = {}
for _type in (*(each.phi_type for each in I2B2_2014.types()), *MEDDOCAN_TRAITS):
    _BUILT_IN.setdefault(_type.name, set()).add(_type)


def record_rows(documents: Iterable[Document]) -> Iterator[Row]:
    """Yield one row for each document, with RECORD_COLUMNS."""
    return ((each.patient_id, each.record_id, each.text) for each in documents)


def tag_rows(tagged: Iterable[tuple[Document, Iterable[Tag]]]) -> Iterator[Row]:
    """Yield one row for each tag, with TAG_COLUMNS; `confidence` is None where there is none."""
    return (
        (
            *(document.patient_id, document.record_id, tag.id, tag.start, tag.end),
            *(*tag.phi_type, tag.span.text_in(document.text)),
            *(str(tag.origin), tag.confidence, tag.comment),
        )
        for document, tags in tagged
        for tag in tags
    )


def finding_rows(findings: Iterable[Finding]) -> Iterator[Row]:
    """Yield one row for each finding, with FINDING_COLUMNS; its type is "" where none fits."""
    return (
        (
            *(each.patient_id, each.record_id, each.span.start, each.span.end),
            *(each.phi_type or ("", "")),
            *(each.text, str(each.kind), each.certainty, each.why, len(each.tagged_at)),
        )
        for each in findings
    )


def documents_of_rows(rows: Iterable[Row]) -> list[Document]:
    """The documents of rows of RECORD_COLUMNS; a patient may be "".

    Then it is the part of the record's name before the last `-`. Raises RequestError where a record
    is there twice or a cell is no text.
    """
    records: dict[str, Record] = {}
    for patient_id, record_id, text in rows:
        if not all(isinstance(each, str) for each in (record_id, patient_id, text)):
            raise RequestError(f"record {record_id}: its name, patient and text must be strings")
        if record_id in records:
            raise RequestError(f"the record {record_id} is there twice; give each once")
        if "\r" in text:
            raise RequestError(
                f"record {record_id}: its text has carriage returns; put line feeds in their "
                "place, and count offsets in that text"
            )
        records[record_id] = Record(Document(record_id, patient_id, text))
    read = RecordsRead(tuple(records.values())).grouped()
    if read.problems:
        raise RequestError(str(read.problems[0]))
    return [each.document for each in read.records]


def records_of_rows(
    documents: Iterable[Document], tags: Iterable[Mapping[Any, Any]]
) -> list[Record]:
    """The documents with the tags of rows that lead from names of columns to cells.

    `record`, `start`, `end` and `type` have to be among them; `category`, `id`, `confidence` and
    `comment` may be. A type without a category is one of a built-in schema where one only has it,
    or written as `NAME:PATIENT`, else a category of its own. Raises RequestError where a tag does
    not fit.
    """
    by_id = {each.record_id: each for each in documents}
    by_record: dict[str, list[Tag]] = {each: [] for each in by_id}
    for row in tags:
        record_id = row["record"]
        if record_id not in by_id:
            raise RequestError(f"a tag is about record {record_id}, which is not there")
        by_record[record_id].append(_tag(row, by_id[record_id]))
    return [
        Record(document, (Layer.of(record_id, "", by_record[record_id]),))
        for record_id, document in by_id.items()
    ]


def _tag(row: Mapping[Any, Any], document: Document) -> Tag:
    try:
        start, end = _whole(row["start"]), _whole(row["end"])
    except (TypeError, ValueError):
        raise RequestError(
            f"record {document.record_id}: a tag's start and end must be whole numbers"
        ) from None
    if not 0 <= start < end <= len(document.text):
        raise RequestError(
            f"record {document.record_id}: a tag from {start} to {end} lies outside its "
            f"{len(document.text)} characters"
        )
    return Tag(
        Span(start, end),
        _phi_type(_text(row.get("category")), _text(row["type"]), document.record_id),
        _text(row.get("id")),
        _text(row.get("comment")),
        Origin.IMPORT,
        _confidence(row.get("confidence"), document.record_id),
    )


def _confidence(cell: Any, record_id: str) -> float | None:  # noqa: ANN401  whatever a row holds
    try:
        number = float(cell)
    except TypeError:  # None, or what pandas has in its place
        return None
    except ValueError:
        raise RequestError(f"record {record_id}: a tag's confidence must be a number") from None
    return None if math.isnan(number) else number


def _whole(cell: Any) -> int:  # noqa: ANN401  whatever a row holds
    number = int(cell)
    if number != cell:
        raise ValueError
    return number


def _text(cell: Any) -> str:  # noqa: ANN401  whatever a row holds
    return cell if isinstance(cell, str) else ""


def _phi_type(category: str, name: str, record_id: str) -> PhiType:
    if not name:
        raise RequestError(f"record {record_id}: a tag has no type")
    if category:
        return PhiType(category, name)
    first, colon, second = name.partition(":")
    if colon and first and second:
        return PhiType(first, second)
    known = _BUILT_IN.get(name, set())
    return next(iter(known)) if len(known) == 1 else PhiType(name, name)
