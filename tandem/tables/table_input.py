"""A table of records, or of what is said of them, read in pieces; a file or a folder of them."""

# pyright: reportUnknownMemberType=false

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, cast

import pyarrow as pa
import pyarrow.csv as pc
import pyarrow.dataset as ds
import pyarrow.parquet as pq

from shared.errors import FileFormatError, RequestError, StorageError
from shared.formats.base import ReadOptions
from shared.formats.record_fields import field_names
from tandem.tables.table_names import NOTES, READ, RECOGNIZER, REFERENCE, SECOND, TAGS
from tandem.tag_rows import Row

_NEEDED = ("patient", "record", "start", "end", "type")
_OTHERS = ("id", "category", "confidence", "comment")
_ENDS = {".parquet": "parquet", ".csv": "csv"}
_ROWS = 4096
"""So many rows are read at a time."""
_NOT_READ = (pa.ArrowException, OSError)


class TableInput(NamedTuple):
    """A table: where it lies, and which of its columns is what.

    `columns` leads from our names (`patient`, `record` ...) to those of the table; `partitions` are
    the columns that the names of its folders give.
    """

    path: Path
    dataset: ds.FileSystemDataset
    columns: Mapping[str, str]
    partitions: tuple[str, ...] = ()

    @property
    def bytes(self) -> int:
        """About how large it is, unpacked."""
        return sum(map(_size, self.files))

    @property
    def files(self) -> list[Path]:
        return sorted(map(Path, self.dataset.files))

    @property
    def rows(self) -> int:
        """How many rows it has. Raises FileFormatError where it cannot be read."""
        try:
            return self.dataset.count_rows()
        except _NOT_READ:
            raise FileFormatError(self.path, "could not be read; export it again") from None

    def pieces(self) -> Iterator[pa.Table]:
        """Yield its rows, some at a time, with our names, then the partitions by theirs.

        Raises FileFormatError where it cannot be read.
        """
        theirs = [*self.columns.values(), *self.partitions]
        ours = [*self.columns, *self.partitions]
        try:
            for each in self.dataset.to_batches(
                columns=theirs, batch_size=_ROWS, use_threads=False, batch_readahead=1,
                fragment_readahead=1,
            ):  # fmt: skip
                yield pa.Table.from_batches([each]).rename_columns(ours)
        except _NOT_READ:
            raise FileFormatError(self.path, "could not be read; export it again") from None


def tables_of(paths: Mapping[str, Path], options: ReadOptions) -> dict[str, TableInput]:
    """The tables at these paths, by name. Raises FileError, RequestError for a wrong option."""
    found = {NOTES: _notes(paths[NOTES], options)}
    for name in paths.keys() & {TAGS, REFERENCE, SECOND, RECOGNIZER}:
        found[name] = _rows(paths[name], _NEEDED, _OTHERS)
    if READ in paths:
        found[READ] = _rows(paths[READ], ("patient", "record", "digest"), ())
    return found


def _notes(path: Path, options: ReadOptions) -> TableInput:
    dataset = _opened(path)
    names = field_names(dataset.schema.names, options)
    for each in ("patient", "record", "text"):
        if each not in names:
            raise FileFormatError(path, f"has no column of {each}s; say --option {each}=COLUMN")
    columns = {each: names[each] for each in ("patient", "record", "text")}
    partitions = [each for each in _partitions(path, dataset) if each not in columns.values()]
    return TableInput(path, dataset, columns, tuple(partitions))


def _rows(path: Path, needed: tuple[str, ...], others: tuple[str, ...]) -> TableInput:
    dataset = _opened(path)
    missing = [each for each in needed if each not in dataset.schema.names]
    if missing:
        raise FileFormatError(path, f"has no column {missing[0]}")
    there = [each for each in others if each in dataset.schema.names]
    return TableInput(path, dataset, {each: each for each in (*needed, *there)})


def rows_of(path: Path, columns: Sequence[str]) -> Iterator[Row]:
    """Yield the rows of a table with these columns. Raises FileError."""
    table = TableInput(path, _opened(path), {each: each for each in columns})
    for piece in table.pieces():
        yield from zip(*(each.to_pylist() for each in piece.columns), strict=True)


def _opened(path: Path) -> ds.FileSystemDataset:
    if not path.exists():
        raise StorageError(path, "does not exist; give a table of Parquet or CSV, or a folder")
    kind = _kind(path)
    try:
        form: ds.FileFormat = _PARQUET
        if kind == "csv":
            first = _dataset(path, _csv({})).files[0]
            with pc.open_csv(first, parse_options=_CELLS) as head:
                form = _csv(dict.fromkeys(head.schema.names, pa.string()))
        return _dataset(path, form)
    except _NOT_READ:
        raise FileFormatError(path, f"is no {kind.upper()}; export it again") from None


def _kind(path: Path) -> str:
    """Raises RequestError where a file, or those of a folder, are none of these."""
    ends = {path.suffix.lower()}
    if path.is_dir():
        ends = {each.suffix.lower() for each in path.rglob("*") if each.is_file()} & _ENDS.keys()
    if len(ends) != 1 or not ends <= _ENDS.keys():
        raise RequestError(f"{path} is no table of Parquet or CSV, nor a folder of one of them")
    return _ENDS[ends.pop()]


_PARQUET = ds.ParquetFileFormat(
    # read ahead, the whole file would be in memory by the end
    default_fragment_scan_options=ds.ParquetFragmentScanOptions(
        pre_buffer=False, use_buffered_stream=True
    )
)
_CELLS = pc.ParseOptions(newlines_in_values=True)


def _dataset(path: Path, form: ds.FileFormat) -> ds.FileSystemDataset:
    return ds.dataset(path, format=form, partitioning="hive")


def _csv(texts: dict[str, pa.DataType]) -> ds.CsvFileFormat:
    """CSV whose cells are texts, empty ones too."""
    convert = pc.ConvertOptions(column_types=texts, strings_can_be_null=False)
    return ds.CsvFileFormat(parse_options=_CELLS, convert_options=convert)


def _partitions(path: Path, dataset: ds.FileSystemDataset) -> list[str]:
    """The columns that stand in the names of folders, and in no file."""
    if path.is_file():
        return []
    fragments = cast("Iterator[ds.Fragment]", dataset.get_fragments())
    first = next(iter(fragments), None)
    return [] if first is None else list(ds.get_partition_keys(first.partition_expression))


def _size(path: Path) -> int:
    if path.suffix.lower() != ".parquet":
        return path.stat().st_size
    metadata = pq.read_metadata(path)
    return sum(metadata.row_group(each).total_byte_size for each in range(metadata.num_row_groups))
