"""The review as a table, what a person wrote in it, and keeping that for the next run.

Table and choices hold PHI: they stay in the project folder.
"""

import csv
import io
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, cast

from shared.errors import FileFormatError
from shared.model import Span
from shared.outside import MALFORMED, parse_json
from shared.surrogates.mentions import SurrogatePatient
from shared.surrogates.surrogate_kinds import ManualSurrogate
from shared.text.harmless import as_cell

HEADER = (
    "look at it because", "group", "type", "before", "original", "after", "surrogate", "edit",
    "all alike", "patient", "record", "start", "end",
)  # fmt: skip
_CONTEXT = 30


def review_table(patients: Iterable[SurrogatePatient]) -> bytes:
    """Return all replacements as CSV, by patient, those first that a person should look at.

    A person writes another surrogate under "edit", and something under "all alike" where it is
    meant for every tag of the patient with the same text and type.
    """
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(HEADER)
    for patient in patients:
        writer.writerows(
            (
                *("; ".join(each.reasons), each.group, each.tag.phi_type.name),
                *map(_cell, (each.before[-_CONTEXT:], each.original, each.after[:_CONTEXT])),
                *(_cell(each.surrogate), "", ""),
                *(patient.patient.id, each.record_id, each.tag.start, each.tag.end),
            )
            for each in patient.review
        )
    return file.getvalue().encode("utf-8", "surrogatepass")


def choices_in_table(data: bytes, path: Path) -> tuple[ManualSurrogate, ...]:
    """Return what a person wrote in a review table. Raises FileFormatError."""
    try:
        text = data.decode("utf-8-sig", "surrogatepass")
        rows = list(csv.DictReader(io.StringIO(text, newline=""), strict=True))
        return tuple(
            ManualSurrogate(
                row["record"], Span(int(row["start"]), int(row["end"])), row["edit"],
                same_text=bool(row["all alike"].strip()),
            )
            for row in rows
            if row["edit"].strip()
        )  # fmt: skip
    except (csv.Error, *MALFORMED):
        raise FileFormatError(
            path, "is no longer a review table; remove it and run tandem surrogate --review again"
        ) from None


def choices_to_json(choices: Iterable[ManualSurrogate]) -> bytes:
    rows = [
        {
            "record": each.record_id,
            "start": each.span.start,
            "end": each.span.end,
            "surrogate": each.surrogate,
            "alike": each.same_text,
            "approved": each.approved,
            "draft": each.draft,
        }
        for each in choices
    ]
    return (json.dumps(rows, indent=1) + "\n").encode()


def choices_from_json(data: bytes, path: Path) -> tuple[ManualSurrogate, ...]:
    """Return the choices in a file's content. Raises FileFormatError."""
    try:
        rows = cast("list[dict[str, Any]]", parse_json(data))
        return tuple(
            ManualSurrogate(
                str(row["record"]), Span(int(row["start"]), int(row["end"])),
                str(row["surrogate"]), same_text=bool(row["alike"]),
                approved=bool(row.get("approved")), draft=str(row.get("draft", "")),
            )
            for row in rows
        )  # fmt: skip
    except MALFORMED:
        raise FileFormatError(path, "is not a list of choices; restore or remove it") from None


def merged(
    earlier: Iterable[ManualSurrogate], later: Iterable[ManualSurrogate]
) -> tuple[ManualSurrogate, ...]:
    """Return all choices; where both are about one place, the later one."""
    by_place = {(each.record_id, each.span): each for each in (*earlier, *later)}
    return tuple(by_place.values())


def _cell(text: str) -> str:
    return as_cell(" ".join(text.split()))
