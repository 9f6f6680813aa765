"""A folder of records from outside: text and XML, in folders within folders."""

import os
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from shared.errors import FileError, FileFormatError, RequestError, StorageError
from shared.formats import i2b2_xml, text_file
from shared.model import Document, Tag

ENDINGS = (".txt", ".xml")
_NUMBER = re.compile(r"(\d+)")
_I2B2_NAME = re.compile(r"\d+-\d+")
_WHOLE_NAME = re.compile(".*")
_RARE = 10
"""Patients with a second record are rare where they are not one in so many."""
_SINGLE_NOTE = (
    "hardly any name before the last - comes twice, so every record is a patient of its own; "
    "give --patient-pattern '(.*)-' to group them all the same"
)
_CONTROL = frozenset({"Cc", "Cs"})


@dataclass(frozen=True, slots=True)
class FolderRecord:
    """A record, the tags and unknown elements its file holds, and where it came from.

    `notes` says what was done to the text on the way in (encoding, line ends).
    """

    document: Document
    tags: tuple[Tag, ...] = ()
    unknown: tuple[str, ...] = ()
    path: Path = Path()
    encoding: str = "UTF-8"
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RecordFolder:
    """The records that could be read, by patient and number, and what is wrong with the others.

    `notes` says how the records were grouped where that is not plain from their names.
    """

    records: tuple[FolderRecord, ...]
    problems: tuple[FileError, ...] = ()
    notes: tuple[str, ...] = ()


def read_folder(
    folder: Path,
    patient_pattern: str | None = None,
    *,
    endings: tuple[str, ...] = ENDINGS,
    step: Callable[[int, int], object] | None = None,
) -> RecordFolder:
    """Read every record below `folder`.

    Hidden files, those with other endings, and what is no file, such as a pipe, are passed over.
    The patient of a record is the part of its name before the last `-`, or what `patient_pattern`
    captures. Where next to no patient would have a second record, the number behind the `-` counts
    something else, and every record is a patient of its own. `step` hears before each file how many
    are done, of how many, 0 of 0 while they are looked for; what it raises ends the reading. Raises
    StorageError where the folder cannot be read, FileFormatError where it holds no record at all,
    RequestError where the pattern is no regular expression.
    """
    problems: list[FileError] = []
    step = step or _no_step
    paths: list[Path] = []
    for path in _record_paths(folder, problems):
        step(0, 0)
        if path.name.lower().endswith(endings):
            paths.append(path)
    if not paths and not problems:
        raise FileFormatError(folder, "holds no records; give a folder with .txt or .xml files")
    records: list[FolderRecord] = []
    paths = _once_each(paths, problems)
    pattern, notes = _compiled(patient_pattern), ()
    if pattern is None and _are_single(record_id_of(path) for path in paths):
        pattern, notes = _WHOLE_NAME, (_SINGLE_NOTE,)
    for number, path in enumerate(paths):
        step(number, len(paths))
        try:
            records.append(_read(path, pattern))
        except FileError as problem:
            problems.append(problem)
    records.sort(key=_order)
    return RecordFolder(tuple(records), tuple(problems), notes)


def natural_key(name: str) -> tuple[tuple[bool, int, str], ...]:
    """A sort key by which `110-2` stands before `110-10`."""
    pieces = (piece for piece in _NUMBER.split(name) if piece)
    return tuple(
        (False, int(piece), piece) if piece.isdecimal() else (True, 0, piece) for piece in pieces
    )


def record_id_of(path: Path) -> str:
    """The record's name: the file name without its ending, or endings (`110-02.txt.xml`)."""
    name = path.name
    while name.lower().endswith(ENDINGS):
        name = name[:-4]
    return name


def _no_step(done: int, total: int) -> None:
    """Tell nobody."""


def _compiled(pattern: str | None) -> re.Pattern[str] | None:
    try:
        return re.compile(pattern) if pattern else None
    except re.error as error:
        raise RequestError(f"the patient pattern is no regular expression: {error}") from None


def _are_single(names: Iterable[str]) -> bool:
    """True where the numbers behind the last `-` are no numbers of a patient's records.

    In a corpus of longitudinal records most patients have several; names as of the i2b2 corpora
    (`110-02`) always mean that.
    """
    groups = Counter(name.rpartition("-")[0] for name in names if not _I2B2_NAME.fullmatch(name))
    several = sum(count > 1 for count in groups.values())
    return 0 < several * _RARE <= len(groups)


def _order(record: FolderRecord) -> tuple[object, ...]:
    return natural_key(record.document.patient_id), natural_key(record.document.record_id)


def _record_paths(folder: Path, problems: list[FileError]) -> Iterator[Path]:
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError as error:
        raise StorageError.from_os(folder, error) from error
    for entry in entries:
        path = folder / entry.name
        if entry.name.startswith("."):
            continue
        if entry.is_dir(follow_symlinks=False):
            yield from _paths_within(path, problems)
        elif entry.is_file() or not path.exists():  # a pipe or a device would never end
            yield path


def _paths_within(folder: Path, problems: list[FileError]) -> Iterator[Path]:
    try:
        yield from _record_paths(folder, problems)
    except StorageError as problem:
        problems.append(problem)


def _once_each(paths: Iterable[Path], problems: list[FileError]) -> list[Path]:
    """Return the paths whose record has a name of its own, on every file system."""
    by_name: dict[str, list[Path]] = {}
    for path in paths:
        name = unicodedata.normalize("NFC", record_id_of(path)).casefold()
        by_name.setdefault(name, []).append(path)
    for first, *others in by_name.values():
        for other in others:
            problem = f"is a second record with the name of {first}; rename or remove one of them"
            problems.append(FileFormatError(other, problem))
    return [first for first, *others in by_name.values() if not others]


def _read(path: Path, pattern: re.Pattern[str] | None) -> FolderRecord:
    record_id = record_id_of(path)
    patient_id = _patient_id(path, record_id, pattern)
    if path.name.lower().endswith(".xml"):
        xml = i2b2_xml.read_record(path)
        document = Document(record_id, patient_id, xml.text)
        return FolderRecord(document, xml.tags, xml.unknown, path, "XML", xml.notes)
    try:
        text = text_file.decode(path.read_bytes())
    except OSError as error:
        raise StorageError.from_os(path, error) from error
    document = Document(record_id, patient_id, text.text)
    return FolderRecord(document, (), (), path, text.encoding, text.notes)


def _patient_id(path: Path, record_id: str, pattern: re.Pattern[str] | None) -> str:
    if any(unicodedata.category(char) in _CONTROL for char in record_id):
        raise FileFormatError(path, "has a name with control or undecodable characters; rename it")
    if pattern is None:
        patient_id = record_id.rpartition("-")[0] or record_id
    else:
        found = pattern.search(record_id)
        patient_id = (found[1] if pattern.groups else found[0]) or "" if found else ""
    if not patient_id.strip(". "):
        raise FileFormatError(path, "has a name that tells no patient; rename it or give a pattern")
    return patient_id
