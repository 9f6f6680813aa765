"""Records and tags as data frames, there and back, and what a check finds in them."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import pandas as pd

from adjudicator.checked_tags import CheckedTags
from shared.consistency.findings import LIKELY, Finding
from shared.errors import RequestError
from shared.formats.base import Record
from shared.model import Document, Tag
from tandem.tag_rows import (
    FINDING_COLUMNS,
    RECORD_COLUMNS,
    TAG_COLUMNS,
    documents_of_rows,
    finding_rows,
    record_rows,
    records_of_rows,
    tag_rows,
)


def frame_of(rows: Iterable[Sequence[Any]], columns: Sequence[str]) -> pd.DataFrame:
    """The rows as a frame with these columns; without a row too, offsets are whole numbers."""
    frame = pd.DataFrame(list(rows), columns=list(columns))
    whole = {"start": "int64", "end": "int64", "times_tagged": "int64", "confidence": "float64"}
    return frame.astype({name: kind for name, kind in whole.items() if name in frame.columns})


def records_frame(documents: Iterable[Document]) -> pd.DataFrame:
    """One row for each document, with RECORD_COLUMNS."""
    return frame_of(record_rows(documents), RECORD_COLUMNS)


def tags_frame(tagged: Iterable[tuple[Document, Iterable[Tag]]]) -> pd.DataFrame:
    """One row for each tag, with TAG_COLUMNS; `confidence` is NaN where there is none."""
    return frame_of(tag_rows(tagged), TAG_COLUMNS)


def findings_frame(findings: Iterable[Finding]) -> pd.DataFrame:
    """One row for each finding, with FINDING_COLUMNS; type and category are "" where none fits."""
    return frame_of(finding_rows(findings), FINDING_COLUMNS)


def documents_of(records: pd.DataFrame) -> list[Document]:
    """The documents of a frame with the columns `record`, `text` and, if it is known, `patient`.

    Without it, the patient is the part of the record's name before the last `-`. Raises
    RequestError where a column is missing, a record is there twice or a cell is no text.
    """
    _need(records, "record", "text")
    patients = records["patient"] if "patient" in records else [""] * len(records)
    return documents_of_rows(zip(patients, records["record"], records["text"], strict=True))


def records_of(records: pd.DataFrame, tags: pd.DataFrame) -> list[Record]:
    """Records with their tags, of two frames.

    `tags` needs `record`, `start`, `end` and `type`, and may have `category`, `id`, `confidence`
    and `comment`. A type without a category is one of a built-in schema where one only has it, or
    written as `NAME:PATIENT`, else a category of its own. Raises RequestError where a tag does not
    fit.
    """
    _need(tags, "record", "start", "end", "type")
    return records_of_rows(documents_of(records), tags.to_dict("records"))


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


def _need(frame: pd.DataFrame, *columns: str) -> None:
    missing = [each for each in columns if each not in frame]
    if missing:
        raise RequestError(
            f"the frame has no column {' or '.join(missing)}; it has {', '.join(_names(frame))}"
        )


def _names(frame: pd.DataFrame) -> Iterator[str]:
    return (str(each) for each in frame.columns)
