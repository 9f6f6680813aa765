"""The list of a project's records, with what identifies their text: `records/manifest.csv`."""

import csv
import io
import re
from collections.abc import Iterable
from dataclasses import astuple, dataclass
from pathlib import Path, PurePath

from shared.errors import FileFormatError

_PLAIN = re.compile(r"[\w-]+")
HEADER = ["record", "patient", "sha256", "characters", "encoding", "notes"]


@dataclass(frozen=True, slots=True)
class ManifestRow:
    """One record: its text's digest and length, the encoding it came in, what was done to it."""

    record_id: str
    patient_id: str
    sha256: str
    characters: int
    encoding: str = "UTF-8"
    notes: str = ""


def to_csv(rows: Iterable[ManifestRow]) -> bytes:
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(HEADER)
    writer.writerows(map(astuple, rows))
    return file.getvalue().encode()


def from_csv(data: bytes, path: Path) -> tuple[ManifestRow, ...]:
    """Return the rows in a file's content. Raises FileFormatError."""
    try:
        header, *lines = csv.reader(io.StringIO(data.decode("utf-8-sig"), newline=""), strict=True)
        rows = tuple(
            ManifestRow(record, patient, sha256, int(characters), encoding, notes)
            for record, patient, sha256, characters, encoding, notes in lines
        )
    except (ValueError, csv.Error):
        header, rows = [], ()
    if header != HEADER:
        raise FileFormatError(path, f"is not a list of {', '.join(HEADER)}; restore it")
    _check(rows, path)
    return rows


def by_patient(rows: Iterable[ManifestRow]) -> dict[str, list[ManifestRow]]:
    """The rows of each patient, in order."""
    found: dict[str, list[ManifestRow]] = {}
    for row in rows:
        found.setdefault(row.patient_id, []).append(row)
    return found


def is_file_name(name: str) -> bool:
    """True where `name` names one thing in a folder and cannot lead out of it."""
    if _PLAIN.fullmatch(name):  # as nearly all are, told without a path
        return True
    return name not in {"", ".", ".."} and PurePath(name).name == name and "\0" not in name


def _check(rows: tuple[ManifestRow, ...], path: Path) -> None:
    seen: set[str] = set()
    for number, row in enumerate(rows, start=2):
        if not is_file_name(row.record_id) or not is_file_name(row.patient_id):
            raise FileFormatError(path, f"line {number} names no file of the project; restore it")
        if row.record_id in seen:
            raise FileFormatError(path, f"line {number} names a record again; restore it")
        seen.add(row.record_id)
