"""Two folders of records side by side, record by record."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from shared.agreement.comparison import Comparison
from shared.errors import FileError, RequestError, StorageError
from shared.formats.base import FileFormat, ReadOptions, Record
from shared.formats.corpus import Corpus, read_corpus
from shared.formats.registry import FORMATS, TAGGED

TEXTS_DIFFER = "the texts of the two sides differ"


@dataclass(frozen=True, slots=True)
class SkippedRecord:
    """A record that enters no number, and why."""

    record_id: str
    reason: str


def by_reason(left_out: Iterable[SkippedRecord]) -> dict[str, list[str]]:
    """Return the ids of the records left out, by reason."""
    found: dict[str, list[str]] = {}
    for each in left_out:
        found.setdefault(each.reason, []).append(each.record_id)
    return found


@dataclass(frozen=True, slots=True)
class FolderComparison:
    """The records of both sides, those left out, and what is wrong with files of either side.

    `unread` says which files of other forms lie there.
    """

    comparisons: tuple[Comparison, ...]
    left_out: tuple[SkippedRecord, ...]
    problems: tuple[FileError, ...]
    unread: tuple[FileError, ...]


def compare_folders(
    candidate: Path,
    reference: Path,
    formats: Sequence[FileFormat] = (),
    options: ReadOptions | None = None,
) -> FolderComparison:
    """Pair the records of two folders by their ids, or those of two files whatever their names.

    Both are read in the `formats`, in any where none is named. A record is compared where both
    sides have it with the same text. Raises FileError where a
    folder, or a file given by itself, cannot be read, and RequestError where no record is left.
    """
    sides = _side(candidate, formats, options), _side(reference, formats, options)
    ours, theirs = ({each.document.record_id: each for each in side.records} for side in sides)
    if candidate.is_file() and reference.is_file() and len(ours) == len(theirs) == 1:
        theirs = dict(zip(ours, theirs.values(), strict=True))
    comparisons, left_out = _paired(ours, theirs)
    problems, unread = sides[0].problems + sides[1].problems, sides[0].unread + sides[1].unread
    if not comparisons and not problems:
        raise RequestError(nothing_to_compare(candidate, reference, left_out))
    return FolderComparison(tuple(comparisons), tuple(left_out), problems, unread)


def _side(path: Path, formats: Sequence[FileFormat], options: ReadOptions | None) -> Corpus:
    if not path.exists():
        raise StorageError(path, "does not exist; give a folder of records or one such file")
    every = formats or (TAGGED if path.is_file() else [*FORMATS.values()])
    found = read_corpus(path, formats=every, options=options)
    has_tags = any(each.layers for each in found.records)
    refuse_texts_alone(path, has_any=bool(found.records), has_tags=has_tags)
    if path.is_file() and found.problems:
        raise found.problems[0]
    return found


def refuse_texts_alone(path: Path, *, has_any: bool, has_tags: bool) -> None:
    """Raise FileError where there are records and none has a layer."""
    if has_any and not has_tags:
        raise FileError(path, "holds text alone and no tags; give records in a form with tags")


def on_one_side(one: Record | None, other: Record | None) -> list[SkippedRecord]:
    """Return the record that the candidate or the reference has alone."""
    sides = ("candidate", one), ("reference", other)
    return [
        SkippedRecord(each.document.record_id, f"it is in the {side} only")
        for side, each in sides
        if each is not None
    ]


def _paired(
    ours: dict[str, Record], theirs: dict[str, Record]
) -> tuple[list[Comparison], list[SkippedRecord]]:
    comparisons: list[Comparison] = []
    left_out = [
        skipped
        for record_id in ours.keys() ^ theirs.keys()
        for skipped in on_one_side(ours.get(record_id), theirs.get(record_id))
    ]
    for record_id in ours.keys() & theirs.keys():
        one, other = ours[record_id], theirs[record_id]
        if one.document.text == other.document.text:
            comparisons.append(Comparison(one.document, one.tags, other.tags))
        else:
            left_out.append(SkippedRecord(record_id, TEXTS_DIFFER))
    comparisons.sort(key=lambda each: each.record_id)
    left_out.sort(key=lambda each: each.record_id)
    return comparisons, left_out


def nothing_to_compare(candidate: Path, reference: Path, left_out: list[SkippedRecord]) -> str:
    """Say why no record is left."""
    if any("differ" in each.reason for each in left_out):
        reason = "have different texts"
    else:
        reason = "have no record in common; records are paired by their file names"
    return f"{candidate} and {reference} {reason}"
