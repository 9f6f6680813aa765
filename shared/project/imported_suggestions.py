"""What other programs suggest in a project: `suggestions/NAME.jsonl`, a line for each record.

{"format": 1, "name": "gpt", "at": "2026-11-23T09:12:00+00:00"}
{"record": "110-02", "sha256": "9b…", "suggestions": [[12, 18, "NAME", "DOCTOR", 0.93]]}

Start, end, category, type and confidence, in code points; no text. A line is heeded while the
record is the one that it was made for. The file is written whole or not at all.
"""

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

from shared.errors import (
    FileFormatError,
    ModelError,
    NewerVersionError,
    RequestError,
    storage_errors,
)
from shared.model import PhiType, Span
from shared.outside import parse_json_object
from shared.project.files import FileSignature, read_file, signature_of
from shared.project.project import Project
from shared.project.project_log import write_logged

FOLDER = "suggestions"
FORMAT = 1
_SUFFIX = ".jsonl"
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,59}")


@dataclass(frozen=True, slots=True)
class ImportedSuggestion:
    """What another program takes for PHI in a record, and how sure it is (0 to 1)."""

    span: Span
    phi_type: PhiType
    confidence: float


ByRecord = Mapping[str, Sequence[ImportedSuggestion]]


def path_of(project: Project, name: str) -> Path:
    """Where the suggestions of a name lie. Raises RequestError where it can be none."""
    if not _NAME.fullmatch(name):
        raise RequestError(
            f"{name!r} cannot name suggestions; use letters, digits, _, - and ., at most 60"
        )
    return project.root / FOLDER / f"{name}{_SUFFIX}"


def write_imported(project: Project, name: str, found: ByRecord) -> bool:
    """Put suggestions in the place of those of the same name; True where there were any.

    Raises RequestError, StorageError.
    """
    path = path_of(project, name)
    digests = project.record_digests()
    at = datetime.now(UTC).isoformat(timespec="seconds")
    lines: list[dict[str, Any]] = [{"format": FORMAT, "name": name, "at": at}]
    lines += (
        {"record": record_id, "sha256": digests[record_id], "suggestions": [*map(_row, some)]}
        for record_id, some in found.items()
        if some
    )
    before = read_file(path)
    write_logged(project.root, path, _joined(lines))
    return before is not None


def remove_imported(project: Project, name: str) -> None:
    """Raises RequestError where there are none of that name, StorageError."""
    path = path_of(project, name)
    if name not in imported_names(project):
        there = ", ".join(imported_names(project)) or "none"
        raise RequestError(f"there are no suggestions of the name {name}; there are: {there}")
    with storage_errors(path):
        write_logged(project.root, path, None)


def imported_names(project: Project) -> list[str]:
    """The names under which suggestions were imported. Raises StorageError."""
    folder = project.root / FOLDER
    with storage_errors(folder):
        there = sorted(folder.glob(f"*{_SUFFIX}")) if folder.is_dir() else []
    return [each.stem for each in there if _NAME.fullmatch(each.stem)]


def imported_files(project: Project, patient_ids: Collection[str]) -> dict[str, bytes]:
    """The files of suggestions by their names in the project, with these patients' records only.

    Raises FileError.
    """
    wanted = {one for each in patient_ids for one in project.record_ids(each)}
    found: dict[str, bytes] = {}
    for name in imported_names(project):
        path = path_of(project, name)
        head, *lines = _lines(path)
        kept = [each for each in lines if each.get("record") in wanted]
        found[f"{FOLDER}/{path.name}"] = _joined([head, *kept])
    return found


class ImportedSuggestions:
    """The imported suggestions of a project, each file read again when it is another."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._digests = project.record_digests()
        self._read: dict[Path, tuple[FileSignature | None, ByRecord]] = {}

    def of(self, record_ids: Sequence[str]) -> dict[str, ByRecord]:
        """Return by name what is suggested in records, without names that suggest nothing there.

        Raises FileError where a file cannot be read.
        """
        found: dict[str, ByRecord] = {}
        for name in imported_names(self._project):
            there = self._of_file(path_of(self._project, name))
            some = {each: there[each] for each in record_ids if each in there}
            if some:
                found[name] = some
        return found

    def _of_file(self, path: Path) -> ByRecord:
        signature = signature_of(path)
        if path not in self._read or self._read[path][0] != signature:
            self._read[path] = signature, dict(self._records(path))
        return self._read[path][1]

    def _records(self, path: Path) -> Iterator[tuple[str, Sequence[ImportedSuggestion]]]:
        for line in _lines(path)[1:]:
            record_id = str(line.get("record"))
            if line.get("sha256") == self._digests.get(record_id, ""):
                yield record_id, tuple(_suggestion(each, path) for each in line["suggestions"])


def _row(each: ImportedSuggestion) -> list[object]:
    phi_type = each.phi_type
    sure = round(each.confidence, 4)
    return [each.span.start, each.span.end, phi_type.category, phi_type.name, sure]


def _suggestion(row: object, path: Path) -> ImportedSuggestion:
    try:
        start, end, category, name, sure = cast("list[Any]", row)
        span = Span(int(start), int(end))
        return ImportedSuggestion(span, PhiType(str(category), str(name)), float(sure))
    except (TypeError, ValueError, ModelError):
        raise _broken(path) from None


def _lines(path: Path) -> list[dict[str, Any]]:
    """The lines of a file, the head first. Raises FileFormatError, StorageError."""
    try:
        head, *lines = map(parse_json_object, (read_file(path) or b"").splitlines())
    except ValueError:
        raise _broken(path) from None
    version = head.get("format")
    if not isinstance(version, int) or not all(
        isinstance(each.get("suggestions"), list) for each in lines
    ):
        raise _broken(path)
    if version > FORMAT:
        raise NewerVersionError(path, version, FORMAT)
    return [head, *lines]


def _broken(path: Path) -> FileFormatError:
    return FileFormatError(path, "holds no suggestions that can be read; import them again")


def _joined(lines: Sequence[Mapping[str, Any]]) -> bytes:
    return "".join(f"{json.dumps(each)}\n" for each in lines).encode()
