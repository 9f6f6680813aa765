"""Records from outside, read as whatever they are: a file, or a folder with folders in it."""

import os
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from shared.errors import FileError, FileFormatError, StorageError
from shared.formats.base import Feature, FileFormat, ReadOptions, Record, record_id_of
from shared.formats.patient_grouping import (
    PatientGroup,
    PatientPattern,
    patient_groups,
    usual_pattern,
)
from shared.formats.record_names import record_order, same_file_name
from shared.formats.registry import (
    FORMATS,
    belongs_to_format,
    detect_format,
    form_of,
    mistaken_form_of,
)
from shared.text.blocks import counted

_SINGLE_NOTE = (
    "hardly any name before the last - comes twice, so every record is a patient of its own; "
    "give --patient-pattern '(.*)-' to group them anyway"
)
_CONTROL = frozenset({"Cc", "Cs"})
_EVERY = tuple(FORMATS.values())

_Sources = list[tuple[FileFormat, tuple[Path, ...]]]
"""Files that are read together, with the format that reads them."""


class UnreadError(FileError):
    """Files that lie there and were not read; `form` is the name of the format that would."""

    def __init__(self, path: Path, problem: str, form: str) -> None:
        super().__init__(path, problem)
        self.form = form


@dataclass(frozen=True, slots=True)
class Corpus:
    """The records that could be read, by patient and number, and what is wrong with the others.

    `notes` says how the records were grouped where that is not plain from their names, `unread`
    which files of other forms lie there.
    """

    records: tuple[Record, ...] = ()
    problems: tuple[FileError, ...] = ()
    notes: tuple[str, ...] = ()
    unread: tuple[UnreadError, ...] = ()

    @property
    def patients(self) -> list[PatientGroup]:
        """The patients, each with the names of their records."""
        documents = (each.document for each in self.records)
        return patient_groups((each.patient_id, each.record_id) for each in documents)


@dataclass(frozen=True, slots=True)
class RecordsRead:
    """Records of which nobody knows yet which are of one patient."""

    records: tuple[Record, ...] = ()
    problems: tuple[FileError, ...] = ()
    unread: tuple[UnreadError, ...] = ()

    @property
    def names(self) -> list[str]:
        """The names of the records of which no file tells the patient."""
        return [each.document.record_id for each in self.records if not each.document.patient_id]

    def grouped(self, patient_pattern: str | None = None) -> Corpus:
        """Return the records by patient and number.

        Where no file tells it, the patient of a record is the part of its name before the last `-`,
        or what `patient_pattern` captures. Where next to no patient would have a second record,
        every record is a patient of its own. Raises RequestError where the pattern is no regular
        expression.
        """
        usual = "" if patient_pattern else usual_pattern(self.names)
        pattern = PatientPattern(patient_pattern or usual)
        problems = list(self.problems)
        records = sorted(_with_patients(self.records, pattern, problems), key=record_order)
        notes = (_SINGLE_NOTE,) if usual else ()
        return Corpus(tuple(records), tuple(problems), notes, self.unread)


def read_corpus(
    path: Path,
    patient_pattern: str | None = None,
    *,
    formats: Sequence[FileFormat] = _EVERY,
    options: ReadOptions | None = None,
    step: Callable[[int, int], object] = lambda _done, _total: None,
) -> Corpus:
    """Read every record of the file, or below the folder, and tell which are of one patient.

    As `read_ungrouped` and `RecordsRead.grouped`, and raises what they do.
    """
    PatientPattern(patient_pattern)  # before anything is read
    read = read_ungrouped(path, formats=formats, options=options, step=step)
    return read.grouped(patient_pattern)


def read_ungrouped(
    path: Path,
    *,
    formats: Sequence[FileFormat] = _EVERY,
    options: ReadOptions | None = None,
    step: Callable[[int, int], object] = lambda _done, _total: None,
) -> RecordsRead:
    """Read every record of the file, or below the folder, that is in one of the formats.

    Hidden files and what is no file, such as a pipe, are passed over. `step` hears before each file
    how many are done, of how many, 0 of 0 while they are looked for; what it raises ends the
    reading. Raises StorageError where the folder cannot be read, FileFormatError where it holds no
    record at all.
    """
    problems: list[FileError] = []
    sources, unread = _sources(path, formats, problems, step)
    if not sources and not problems:
        raise FileFormatError(path, _nothing_to_read(path, unread, formats))
    records = _unique(read_sources(sources, options or ReadOptions(), problems, step), problems)
    fitting = tuple(with_fitting_names(records, problems))
    read = {same_file_name(each.document.record_id) for each in fitting}
    return RecordsRead(fitting, tuple(problems), tuple(said_unread(path, unread, read)))


def _sources(
    path: Path,
    formats: Iterable[FileFormat],
    problems: list[FileError],
    step: Callable[[int, int], object],
) -> tuple[_Sources, list[Path]]:
    """Return what each format will read, in order of the files, and the files left over."""
    left: list[Path] = []
    for each in [path] if path.is_file() else record_paths(path, problems):
        step(0, 0)
        left.append(each)
    order = {each: place for place, each in enumerate(left)}
    found: _Sources = []
    for each in formats:
        found += ((each, paths) for paths in each.sources(left))
        taken = {path for _, paths in found for path in paths}
        left = [path for path in left if path not in taken]
    return sorted(found, key=lambda each: order[each[1][0]]), left


def read_sources(
    sources: _Sources,
    options: ReadOptions,
    problems: list[FileError],
    step: Callable[[int, int], object] = lambda _done, _total: None,
) -> Iterator[Record]:
    """Yield the records of files, each with the format that reads them, and note what is wrong."""
    for number, (form, paths) in enumerate(sources):
        step(number, len(sources))
        try:
            for each in form.read(paths, options):
                if isinstance(each, Record):
                    yield each
                else:
                    problems.append(each)
        except FileError as problem:
            problems.append(_recognized(problem))


def _recognized(problem: FileError) -> FileError:
    """The same problem, or what the file is instead where that is known."""
    form = mistaken_form_of(problem.path) if type(problem) is FileFormatError else ""
    return (
        FileFormatError(
            problem.path,
            f"is {form}" if ";" in form else f"is {form}, which Tandem does not read",
        )
        if form
        else problem
    )


def _unique(records: Iterable[Record], problems: list[FileError]) -> list[Record]:
    """Return the records that have a name of their own, on every file system."""
    by_name: dict[str, list[Record]] = {}
    for record in records:
        by_name.setdefault(same_file_name(record.document.record_id), []).append(record)
    read = {each.source.path for some in by_name.values() for each in some}
    broken = {
        same_file_name(record_id_of(each.path)): each.path
        for each in problems
        if each.path not in read
    }
    for name, (first, *others) in by_name.items():
        for other in by_name[name] if name in broken else others:
            of = broken.get(name, first.source)
            form = detect_format(other.source.path)
            either = f", or read this form alone with --from {form.name}" if form else ""
            problem = f"is a second record with the name of {of}; rename or remove one of them"
            if other.source.path.suffix != first.source.path.suffix:
                problem += either
            problems.append(FileFormatError(str(other.source), problem))
    return [
        first for name, (first, *others) in by_name.items() if not others and name not in broken
    ]


def with_fitting_names(records: Iterable[Record], problems: list[FileError]) -> Iterator[Record]:
    """Yield the records whose names a list and a folder can hold; others are problems."""
    for record in records:
        try:
            _refuse_name(record)
        except FileError as problem:
            problems.append(problem)
        else:
            yield record


def _with_patients(
    records: Iterable[Record], pattern: PatientPattern, problems: list[FileError]
) -> Iterator[Record]:
    """Yield the records with the patient that each is about."""
    records = list(records)
    nameless = [each.document.record_id for each in records if not each.document.patient_id]
    told = iter(pattern.patients_of(nameless))
    for record in records:
        document = record.document
        patient_id = document.patient_id or next(told)
        if patient_id:
            yield replace(record, document=replace(document, patient_id=patient_id))
        else:
            problem = "has a name that tells no patient; rename it or give a pattern"
            problems.append(FileFormatError(record.source.path, problem))


def _refuse_name(record: Record) -> None:
    """Raise FileFormatError where no list or no folder could hold the record's name."""
    record_id = record.document.record_id
    if any(unicodedata.category(char) in _CONTROL for char in record_id):
        problem = "has a name with control or undecodable characters; rename it"
        raise FileFormatError(record.source.path, problem)
    if Path(record_id).name != record_id:  # it stands in the file, and may lead anywhere
        raise FileFormatError(
            str(record.source), "has a name with a slash in it; rename the record"
        )


def said_unread(path: Path, unread: Iterable[Path], read: set[str]) -> Iterator[UnreadError]:
    """Yield a sentence for each form of the files that were not read.

    A text of a record that was read from another file of its name is not what is missed.
    """
    missed: list[Path] = []
    texts: list[Path] = []
    for each in unread:
        form = detect_format(each)
        is_text = form is not None and form.features == frozenset({Feature.CHARACTERS})
        is_read = is_text and same_file_name(record_id_of(each)) in read
        (texts if is_read else missed).append(each)
    for files, is_missed in ((missed, True), (texts, False)):
        for said, form, is_one in _described(files):
            problem = f"holds {said}, which {'was' if is_one else 'were'} not read"
            yield UnreadError(path, problem, form if is_missed else "")


def _nothing_to_read(path: Path, unread: Iterable[Path], formats: Iterable[FileFormat]) -> str:
    suffixes = " or ".join(sorted({each.suffixes[0] for each in formats}))
    if path.is_file():
        return f"is in no form that is read here; give a file that ends in {suffixes}"
    left = [*_described(unread)]
    but = ", ".join(said for said, _, _ in left)
    needed = frozenset({Feature.TAGS}).intersection(*(each.features for each in formats))
    fitting = [form for _, form, _ in left if form and needed <= FORMATS[form].features]
    names = " or ".join(dict.fromkeys(f"--from {form}" for form in fitting))
    instead = f"{names}, or a folder" if names else "a folder"
    return f"holds no records{but and f', but {but}'}; give {instead} with {suffixes} files"


def _described(unread: Iterable[Path]) -> Iterator[tuple[str, str, bool]]:
    """Yield `2 files of brat (.ann)` and the like, which format reads them, if they are but one."""
    by_form: dict[str, list[Path]] = {}
    for each in unread:
        if not belongs_to_format(each):
            by_form.setdefault(form_of(each) or "an unknown form", []).append(each)
    for form, files in by_form.items():
        suffixes = ", ".join(sorted({each.suffix.lower() or each.name for each in files}))
        count = counted(len(files), "file")
        known = detect_format(files[0])
        yield f"{count} of {form} ({suffixes})", known.name if known else "", len(files) == 1


def record_paths(folder: Path, problems: list[FileError]) -> Iterator[Path]:
    """Yield the files below a folder. Raises StorageError where the folder cannot be read."""

    def refuse(error: OSError) -> None:
        problem = StorageError.from_os(error.filename or folder, error)
        if problem.path == folder:
            raise problem from error
        problems.append(problem)

    for root, folders, names in os.walk(folder, onerror=refuse):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for path in (Path(root, name) for name in sorted(names) if not name.startswith(".")):
            if path.is_file() or not path.exists():  # a pipe or a device would never end
                yield path
