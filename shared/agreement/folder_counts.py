"""Two folders of records side by side, by counts alone: files are read, counted and forgotten."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from shared.agreement.comparison import Comparison
from shared.agreement.folder_comparison import (
    TEXTS_DIFFER,
    FolderComparison,
    SkippedRecord,
    compare_folders,
    nothing_to_compare,
    on_one_side,
    refuse_texts_alone,
)
from shared.agreement.match_sums import MatchSums
from shared.agreement.measures import count_matches
from shared.errors import FileError, RequestError
from shared.formats.base import FileFormat, ReadOptions, Record, record_id_of
from shared.formats.corpus import said_unread
from shared.formats.record_names import same_file_name
from shared.formats.registry import FORMATS
from shared.formats.single_files import SingleFiles, read_single, single_files
from shared.model import PhiType
from shared.processes import done_in_copies

_PART = 100
"""Records that are read at a time."""
_FEW = 200
"""So few records are not worth the start of further processes."""

_NEXT = "//"
"""Between the files of two records, as no path below a folder has it."""

_Pair = tuple[str, str]
"""The names of a record's two files; "" where a side has none."""


@dataclass(slots=True)
class FolderCounts:
    """The sums over the records of both sides, those left out, and what is wrong with files."""

    sums: MatchSums = field(default_factory=MatchSums)
    left_out: list[SkippedRecord] = field(default_factory=list[SkippedRecord])
    problems: tuple[FileError, ...] = ()
    unread: tuple[FileError, ...] = ()

    @classmethod
    def of(cls, found: FolderComparison, hipaa: frozenset[PhiType]) -> "FolderCounts":
        """Count what was compared."""
        counts = cls(MatchSums(), [*found.left_out], found.problems, found.unread)
        for each in found.comparisons:
            counts.sums.add(count_matches(each, hipaa.__contains__))
        return counts


def count_folders(
    candidate: Path,
    reference: Path,
    formats: Sequence[FileFormat],
    options: ReadOptions,
    hipaa: frozenset[PhiType],
    *,
    cores: int = 1,
) -> FolderCounts:
    """Count what `compare_folders` compares, in so many processes, and raise what it does.

    Where each file is one record of its own name, no more than a few are in memory at a time.
    """
    every = formats or [*FORMATS.values()]
    sides = [
        single_files(each, every) if each.is_dir() else None for each in (candidate, reference)
    ]
    ours, theirs = sides
    if ours is None or theirs is None:
        return FolderCounts.of(compare_folders(candidate, reference, formats, options), hipaa)
    work = _Work(candidate, reference, tuple(every), options, hipaa).count
    parts = list(_parts(_pairs(ours, theirs)))
    whole = _CountedPart()
    for part in done_in_copies(work, parts, cores if len(parts) * _PART > _FEW else 1):
        whole.add_up(part)
    for side, of_side in zip(whole.sides, (candidate, reference), strict=True):
        refuse_texts_alone(of_side, has_any=side.has_records, has_tags=side.has_tags)
    whole.left_out.sort(key=lambda each: each.record_id)
    problems = tuple(each for side in whole.sides for each in side.problems)
    if not whole.sums.records and not problems:
        raise RequestError(nothing_to_compare(candidate, reference, whole.left_out))
    unread = tuple(
        each
        for files, side in zip((ours, theirs), whole.sides, strict=True)
        for each in _unread(files, side.problems)
    )
    return FolderCounts(whole.sums, whole.left_out, problems, unread)


@dataclass(slots=True)
class _Side:
    """What was seen of the files of one side."""

    has_records: bool = False
    has_tags: bool = False
    problems: list[FileError] = field(default_factory=list[FileError])


@dataclass(slots=True)
class _CountedPart:
    sums: MatchSums = field(default_factory=MatchSums)
    left_out: list[SkippedRecord] = field(default_factory=list[SkippedRecord])
    sides: tuple[_Side, _Side] = field(default_factory=lambda: (_Side(), _Side()))

    def add_up(self, other: "_CountedPart") -> None:
        self.sums.add_up(other.sums)
        self.left_out += other.left_out
        for mine, theirs in zip(self.sides, other.sides, strict=True):
            mine.has_records |= theirs.has_records
            mine.has_tags |= theirs.has_tags
            mine.problems += theirs.problems


@dataclass(frozen=True)
class _Work:
    """How parts are counted."""

    candidate: Path
    reference: Path
    formats: tuple[FileFormat, ...]
    options: ReadOptions
    hipaa: frozenset[PhiType]

    def count(self, names: str) -> _CountedPart:
        """Read and count the records of a part, whose names stand in one line."""
        part = _CountedPart()
        for each in names.split(_NEXT):
            ours, theirs = each.split("\0")
            one = self._read(self.candidate, ours, part.sides[0])
            other = self._read(self.reference, theirs, part.sides[1])
            self._compare(one, other, part)
        return part

    def _compare(self, one: Record | None, other: Record | None, part: _CountedPart) -> None:
        if one is None or other is None:
            part.left_out += on_one_side(one, other)
        elif one.document.text != other.document.text:
            part.left_out.append(SkippedRecord(one.document.record_id, TEXTS_DIFFER))
        else:
            compared = Comparison(one.document, one.tags, other.tags)
            part.sums.add(count_matches(compared, self.hipaa.__contains__))

    def _read(self, folder: Path, name: str, side: _Side) -> Record | None:
        if not name:
            return None
        found = read_single(folder / name, self.formats, self.options, side.problems)
        side.has_records |= found is not None
        side.has_tags |= found is not None and bool(found.layers)
        return found


def _pairs(ours: SingleFiles, theirs: SingleFiles) -> Iterator[_Pair]:
    """Yield the files of each record that is on either side, in the order of their names."""
    none: tuple[str | None, str] = None, ""
    mine, other = iter(ours), iter(theirs)
    one, two = next(mine, none), next(other, none)
    while one[0] is not None or two[0] is not None:
        is_first = two[0] is None or (one[0] is not None and one[0] <= two[0])
        is_second = one[0] is None or (two[0] is not None and two[0] <= one[0])
        yield one[1] if is_first else "", two[1] if is_second else ""
        one = next(mine, none) if is_first else one
        two = next(other, none) if is_second else two


def _parts(pairs: Iterable[_Pair]) -> Iterator[str]:
    some: list[str] = []
    for pair in pairs:
        some.append("\0".join(pair))
        if len(some) == _PART:
            yield _NEXT.join(some)
            some.clear()
    if some:
        yield _NEXT.join(some)


def _unread(files: SingleFiles, problems: Iterable[FileError]) -> Iterator[FileError]:
    if files.unread:
        broken = {record_id_of(each.path) for each in problems}
        read = {same_file_name(each) for each, _ in files if each not in broken}
        yield from said_unread(files.folder, files.unread, read)
