"""Records and tags as data frames, there and back, and what a check finds in them."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import pandas as pd

from adjudicator.checked_tags import CheckedTags
from shared.consistency.findings import LIKELY, Finding
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
_BUILT_IN: dict[str, set[PhiType]] = {}
for _type in (*(each.phi_type for each in I2B2_2014.types()), *MEDDOCAN_TRAITS):
    _BUILT_IN.setdefault(_type.name, set()).add(_type)


def frame_of(rows: Iterable[Sequence[Any]], columns: Sequence[str]) -> pd.DataFrame:
    """The rows as a frame with these columns; without a row too, offsets are whole numbers."""
    frame = pd.DataFrame(list(rows), columns=list(columns))
    whole = {"start": "int64", "end": "int64", "times_tagged": "int64", "confidence": "float64"}
    return frame.astype({name: kind for name, kind in whole.items() if name in frame.columns})


def records_frame(documents: Iterable[Document]) -> pd.DataFrame:
    """One row for each document, with RECORD_COLUMNS."""
    return frame_of(
        ((each.patient_id, each.record_id, each.text) for each in documents), RECORD_COLUMNS
    )


def tags_frame(tagged: Iterable[tuple[Document, Iterable[Tag]]]) -> pd.DataFrame:
    """One row for each tag, with TAG_COLUMNS; `confidence` is NaN where there is none."""
    return frame_of(
        (
            (
                *(document.patient_id, document.record_id, tag.id, tag.start, tag.end),
                *(*tag.phi_type, tag.span.text_in(document.text)),
                *(str(tag.origin), tag.confidence, tag.comment),
            )
            for document, tags in tagged
            for tag in tags
        ),
        TAG_COLUMNS,
    )


def findings_frame(findings: Iterable[Finding]) -> pd.DataFrame:
    """One row for each finding, with FINDING_COLUMNS; type and category are "" where none fits."""
    return frame_of(
        (
            (
                *(each.patient_id, each.record_id, each.span.start, each.span.end),
                *(each.phi_type or ("", "")),
                *(each.text, str(each.kind), each.certainty, each.why, len(each.tagged_at)),
            )
            for each in findings
        ),
        FINDING_COLUMNS,
    )


def documents_of(records: pd.DataFrame) -> list[Document]:
    """The documents of a frame with the columns `record`, `text` and, if it is known, `patient`.

    Without it, the patient is the part of the record's name before the last `-`. Raises
    RequestError where a column is missing, a record is there twice or a cell is no text.
    """
    _need(records, "record", "text")
    patients = records["patient"] if "patient" in records else [""] * len(records)
    cells = list(zip(records["record"], patients, records["text"], strict=True))
    seen: set[str] = set()
    for record_id, patient_id, text in cells:
        if not all(isinstance(each, str) for each in (record_id, patient_id, text)):
            raise RequestError(f"record {record_id}: its name, patient and text must be strings")
        if record_id in seen:
            raise RequestError(f"the record {record_id} is there twice; give each once")
        if "\r" in text:
            raise RequestError(
                f"record {record_id}: its text has carriage returns; put line feeds in their "
                "place, and count offsets in that text"
            )
        seen.add(record_id)
    read = RecordsRead(tuple(Record(Document(*each)) for each in cells)).grouped()
    if read.problems:
        raise RequestError(str(read.problems[0]))
    return [each.document for each in read.records]


def records_of(records: pd.DataFrame, tags: pd.DataFrame) -> list[Record]:
    """Records with their tags, of two frames.

    `tags` needs `record`, `start`, `end` and `type`, and may have `category`, `id`, `confidence`
    and `comment`. A type without a category is one of a built-in schema where one only has it, or
    written as `NAME:PATIENT`, else a category of its own. Raises RequestError where a tag does not
    fit.
    """
    _need(tags, "record", "start", "end", "type")
    documents = {each.record_id: each for each in documents_of(records)}
    by_record: dict[str, list[Tag]] = {each: [] for each in documents}
    for row in tags.to_dict("records"):
        record_id = row["record"]
        if record_id not in documents:
            raise RequestError(f"a tag is about record {record_id}, which is not there")
        by_record[record_id].append(_tag(row, documents[record_id]))
    return [
        Record(document, (Layer.of(record_id, "", by_record[record_id]),))
        for record_id, document in documents.items()
    ]


def check_frame(
    records: pd.DataFrame,
    tags: pd.DataFrame,
    *,
    certainty: float = LIKELY,
    across_patients: bool = False,
) -> pd.DataFrame:
    """What does not fit together in tags, as `tandem check` finds it, with FINDING_COLUMNS.

    `certainty` (0 to 1) is the least that is shown. Raises RequestError where a frame is not one of
    records, or of their tags.
    """
    checked = CheckedTags.of_records(records_of(records, tags))
    return findings_frame(checked.findings(certainty=certainty, across_patients=across_patients))


def _tag(row: dict[Any, Any], document: Document) -> Tag:
    try:
        start, end = (_whole(row[each]) for each in ("start", "end"))
    except (TypeError, ValueError):
        raise RequestError(
            f"record {document.record_id}: a tag's start and end must be whole numbers"
        ) from None
    if not 0 <= start < end <= len(document.text):
        raise RequestError(
            f"record {document.record_id}: a tag from {start} to {end} lies outside its "
            f"{len(document.text)} characters"
        )
    confidence = row.get("confidence")
    return Tag(
        Span(start, end),
        _phi_type(_text(row.get("category")), _text(row["type"]), document.record_id),
        _text(row.get("id")),
        _text(row.get("comment")),
        Origin.IMPORT,
        None if confidence is None or pd.isna(confidence) else float(confidence),
    )


def _whole(cell: Any) -> int:  # noqa: ANN401  whatever a frame holds
    number = int(cell)
    if number != cell:
        raise ValueError
    return number


def _text(cell: Any) -> str:  # noqa: ANN401  whatever a frame holds
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


def _need(frame: pd.DataFrame, *columns: str) -> None:
    missing = [each for each in columns if each not in frame]
    if missing:
        raise RequestError(
            f"the frame has no column {' or '.join(missing)}; it has {', '.join(_names(frame))}"
        )


def _names(frame: pd.DataFrame) -> Iterator[str]:
    return (str(each) for each in frame.columns)
