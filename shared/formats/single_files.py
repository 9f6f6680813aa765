"""The files of a folder of which each is one record, by their names alone.

Of a large folder hardly more is kept than the letters of these names, so that its records can be
read a few at a time.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from shared.errors import FileError
from shared.formats.base import FileFormat, ReadOptions, Record, record_id_of
from shared.formats.corpus import read_sources, record_paths, with_fitting_names
from shared.formats.patient_grouping import PatientPattern
from shared.formats.record_names import same_file_name
from shared.formats.registry import detect_format

_END = "\0"
"""Between names, as no name has it."""


@dataclass(slots=True)
class SingleFiles:
    """The files of a folder by the names of their records, in order, and those of other forms."""

    folder: Path
    names: str = ""
    unread: list[Path] = field(default_factory=list[Path])

    def __iter__(self) -> Iterator[tuple[str, str]]:
        """Yield the name of each record, and of its file below the folder."""
        at = 0
        while at < len(self.names):
            end = self.names.index(_END, at)
            name = self.names[at:end]
            yield record_id_of(Path(name)), name
            at = end + 1


def single_files(folder: Path, formats: Sequence[FileFormat]) -> SingleFiles | None:
    """Return the files of a folder, None where they cannot be told apart by their names alone.

    That is so where one may hold several records, several are one, two have one name, a name tells
    no patient, or a folder below cannot be read.
    """
    problems: list[FileError] = []
    found = SingleFiles(folder)
    names: list[str] = []
    for path in record_paths(folder, problems):
        form = form_by_name(path, formats)
        if form is not None and form.is_single:
            names.append(str(path.relative_to(folder)))
        elif form is not None or detect_format(path) is not None:
            return None
        else:
            found.unread.append(path)
    if problems or not names or not _are_plain(names):
        return None
    names.sort(key=_record_id)
    found.names = "".join(f"{each}{_END}" for each in names)
    return found


def form_by_name(path: Path, formats: Sequence[FileFormat]) -> FileFormat | None:
    """The first format that the end of a file's name fits."""
    name = path.name.lower()
    return next((each for each in formats if name.endswith(each.suffixes)), None)


def read_single(
    path: Path, formats: Sequence[FileFormat], options: ReadOptions, problems: list[FileError]
) -> Record | None:
    """Read the record of one of the files; None where that is a problem."""
    form = form_by_name(path, formats)
    assert form is not None  # noqa: S101  it is one of them
    read = read_sources([(form, (path,))], options, problems)
    return next(with_fitting_names(read, problems), None)


def _record_id(name: str) -> str:
    return record_id_of(Path(name))


def _are_plain(names: Sequence[str]) -> bool:
    """Whether no two have the name of one record, and each tells its patient."""
    of_patient, seen = PatientPattern("").patient_of, np.empty(len(names), np.int64)
    for at, name in enumerate(names):
        record_id = _record_id(name)
        if not of_patient(record_id):
            return False
        seen[at] = hash(same_file_name(record_id))
    return len(np.unique(seen)) == len(names)
