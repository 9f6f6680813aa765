"""Tables cut into parts: all rows of a patient in one, whatever the order in which they come."""

# pyright: reportUnknownMemberType=false

import hashlib
import os
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from shared.errors import storage_errors
from shared.project.files import make_folder, open_new, write_all

_HELD = 16 << 20
"""So many bytes are held before they are written."""
ROW = "row of the table"
"""The column with the number of a row, by which rows stay in their order."""


def scatter(pieces: Iterable[pa.Table], folder: Path, count: int) -> int:
    """Write the rows of a table into `count` files of a new folder by patient, and return how many.

    Rows without a patient are in one part. Raises StorageError.
    """
    make_folder(folder)
    held: dict[int, list[pa.Table]] = {}
    size, rows = 0, 0
    for piece in pieces:
        whole = _with_names(piece).append_column(
            ROW, pa.array(np.arange(rows + 1, rows + piece.num_rows + 1))
        )
        rows += piece.num_rows
        places = _parts_of([str(each) for each in whole["patient"].to_pylist()], count)
        order = np.argsort(places, kind="stable")
        edges = np.flatnonzero(np.diff(places[order])) + 1
        for some in np.split(order, edges):
            if len(some):
                taken = whole.take(some)
                held.setdefault(int(places[some[0]]), []).append(taken)
                size += taken.nbytes
        if size > _HELD:
            _append(held, folder)
            held, size = {}, 0
    _append(held, folder)
    return rows


def part_of(patient_id: str, count: int) -> int:
    """In which of so many parts a patient is."""
    digest = hashlib.blake2b(patient_id.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest) % count


def read_part(folder: Path, number: int) -> pa.Table:
    """The rows of a part in the order in which they came; without a column where it has none."""
    path = _path(folder, number)
    tables: list[pa.Table] = []
    with storage_errors(path):
        if not path.exists():
            return pa.table({})
        with path.open("rb") as file:
            end = path.stat().st_size
            while file.tell() < end:
                with pa.ipc.open_stream(file) as stream:
                    tables.append(stream.read_all())
    whole = pa.concat_tables(tables, promote_options="permissive")
    return whole.sort_by(ROW).drop_columns([ROW])


def _append(held: dict[int, list[pa.Table]], folder: Path) -> None:
    for number, tables in held.items():
        sink = pa.BufferOutputStream()
        table = pa.concat_tables(tables, promote_options="permissive").combine_chunks()
        with pa.ipc.new_stream(sink, table.schema) as stream:
            stream.write_table(table)
        path = _path(folder, number)
        with storage_errors(path):
            descriptor = open_new(path, os.O_APPEND)
            try:
                write_all(descriptor, sink.getvalue().to_pybytes())
            finally:
                os.close(descriptor)


def _with_names(table: pa.Table) -> pa.Table:
    """The table with names as texts, which are "" where there is none."""
    for name in ("patient", "record"):
        cells = table[name].cast(pa.string()).to_pylist()
        texts = pa.array([each or "" for each in cells], pa.string())
        table = table.set_column(table.column_names.index(name), name, texts)
    return table


def _parts_of(patient_ids: Sequence[str], count: int) -> npt.NDArray[np.int64]:
    known = {each: part_of(each, count) for each in set(patient_ids)}
    return np.array([known[each] for each in patient_ids], dtype=np.int64)


def _path(folder: Path, number: int) -> Path:
    return folder / f"{number:06}.arrow"
