"""Records written in a format, all of them or nothing, and read again to see what is missing."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import overload

from shared.errors import FileError
from shared.formats.base import FileFormat, OutputFile, ReadOptions, Record, WriteOptions
from shared.formats.corpus import read_corpus
from shared.formats.losses import LossReport, find_losses
from shared.project.files import is_there, write_new, write_output
from shared.project.folders import folder_beside, new_folder_atomically

Watch = Callable[[Sequence[Record]], Iterable[Record]]


class _WatchedRecords(Sequence[Record]):
    """Records of which somebody sees how far one is with them, as often as they are gone through.

    How many files they make, a format knows only when it has made them.
    """

    def __init__(self, records: Sequence[Record], watch: Watch) -> None:
        self._records = records
        self._watch = watch

    def __iter__(self) -> Iterator[Record]:
        return iter(self._watch(self._records))

    def __len__(self) -> int:
        return len(self._records)

    @overload
    def __getitem__(self, index: int) -> Record: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Record]: ...
    def __getitem__(self, index: int | slice) -> Record | Sequence[Record]:
        return self._records[index]


def write_corpus(
    records: Sequence[Record],
    out: Path,
    target: FileFormat,
    options: WriteOptions,
    watch: Watch = iter,
) -> LossReport:
    """Write records into a new or empty folder, or into one new file, and say what is lost.

    It is a file where `out` has a suffix of the format and one file can hold all of it. `watch` may
    look on. Raises RequestError, FileError, ModelError, SchemaError.
    """
    if out.name.lower().endswith(target.suffixes) and not out.is_dir():
        files = list(target.write(records, options))
        if len(files) == 1:
            return _write_file(records, out, files[0], target, options)
    with new_folder_atomically(out, "tandem") as aside:
        for each in target.write(_WatchedRecords(records, watch), options):
            write_new(aside / each.name, each.data)
        return _losses(records, aside, target, options)


def _write_file(
    records: Sequence[Record],
    out: Path,
    file: OutputFile,
    target: FileFormat,
    options: WriteOptions,
) -> LossReport:
    if is_there(out):
        raise FileError(out, "already exists; give a new file")
    with folder_beside(out.resolve(), "tandem") as aside:
        write_new(aside / file.name, file.data)  # which may tell the record
        losses = _losses(records, aside, target, options)
        write_output(out, file.data, expected_digest=None)
    return losses


def _losses(
    records: Sequence[Record], folder: Path, target: FileFormat, options: WriteOptions
) -> LossReport:
    known = ReadOptions(_as_written(records, target, options))
    there = read_corpus(folder, formats=[target], options=known).records if records else ()
    return find_losses(records, there, target)


def _as_written(
    records: Sequence[Record], target: FileFormat, options: WriteOptions
) -> dict[str, str]:
    """The options that say how the records were written, where they are the same for all."""
    said = {
        name: {
            options.value(name, each, "")
            for each in records
            if any(one.tags for one in each.layers)
        }
        for name in target.written
    }
    return {name: min(some) for name, some in said.items() if len(some) == 1 and min(some)}
