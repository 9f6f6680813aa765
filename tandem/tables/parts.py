"""Tables cut into parts: all rows of a patient in one, whatever the order in which they come."""

# pyright: reportUnknownMemberType=false

import hashlib
import os
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, groupby, pairwise
from pathlib import Path
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from shared.errors import storage_errors
from shared.project.files import make_folder, open_new, write_all
from tandem.tables.table_names import TableRows

_HELD = 4 << 20
"""So many bytes are held before they are written."""
ROW = "row of the table"
"""The column with the number of a row, by which rows stay in their order."""


def scatter(pieces: Iterable[pa.Table], folder: Path, count: int) -> int:
    """Write the rows of a table into `count` files of a new folder by patient, and return how many.

    Rows without a patient are in one part. Raises StorageError.
    """
    make_folder(folder)
    held: list[pa.Table] = []
    size = rows = 0
    for piece in pieces:
        numbers = pa.array(np.arange(rows + 1, rows + piece.num_rows + 1))
        held.append(_with_names(piece).append_column(ROW, numbers))
        rows += piece.num_rows
        size += piece.nbytes
        if size > _HELD:
            _append(held, count, folder)
            size = 0
    _append(held, count, folder)
    return rows


def part_of(patient_id: str, count: int) -> int:
    """In which of so many parts a patient is."""
    digest = hashlib.blake2b(patient_id.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest) % count


def read_part(folder: Path, number: int) -> pa.Table:
    """The rows of a part by patient, those of one as they came; no column where it has none."""
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
    whole = pa.concat_tables(tables, promote_options="permissive").combine_chunks()
    return whole.sort_by([("patient", "ascending"), (ROW, "ascending")]).drop_columns([ROW])


def patients_of(tables: Mapping[str, pa.Table]) -> Iterator[tuple[str, TableRows]]:
    """Yield each patient with the rows of these parts; only those of one are there at a time."""
    places = {name: _places(each) for name, each in tables.items()}
    for patient_id in sorted(set(chain.from_iterable(places.values()))):
        nowhere = slice(0)
        found = {name: places[name].get(patient_id, nowhere) for name in tables}
        yield patient_id, {name: tables[name][at].to_pylist() for name, at in found.items()}


def _places(table: pa.Table) -> dict[str, slice]:
    """Where the rows of each patient are, in a table that is sorted by them."""
    places: dict[str, slice] = {}
    at = 0
    ids: list[Any] = table["patient"].to_pylist() if table.num_rows else []
    for patient_id, some in groupby(ids):
        begun, at = at, at + sum(1 for _ in some)
        places[patient_id] = slice(begun, at)
    return places


def give_memory_back() -> None:
    """Give the system the memory that is no longer used.

    Arrow's own pool would keep it, more the longer a table is, so it uses that of the system.
    """
    pa.set_memory_pool(pa.system_memory_pool())
    pa.default_memory_pool().release_unused()


def _append(held: list[pa.Table], count: int, folder: Path) -> None:
    """Append the rows of these pieces to the files of their parts, and hold them no more."""
    if not held:
        return
    whole = pa.concat_tables(held, promote_options="permissive").combine_chunks()
    held.clear()
    places = _parts_of(whole, count)
    order = np.argsort(places, kind="stable")
    whole, places = whole.take(order), places[order]
    edges = [0, *(np.flatnonzero(np.diff(places)) + 1).tolist(), len(places)]
    for begun, end in pairwise(edges):
        if end > begun:
            _append_to(_path(folder, int(places[begun])), whole[begun:end])
    del whole
    give_memory_back()


def _append_to(path: Path, table: pa.Table) -> None:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as stream:
        stream.write_table(table)
    with storage_errors(path):
        descriptor = open_new(path, os.O_APPEND)
        try:
            write_all(descriptor, sink.getvalue().to_pybytes())
        finally:
            os.close(descriptor)


def _with_names(table: pa.Table) -> pa.Table:
    """The table with names as texts, which are "" where there is none."""
    for name in ("patient", "record"):
        texts: Any = pc.fill_null(cast("Any", table[name].cast(pa.string())), "")
        table = table.set_column(table.column_names.index(name), name, texts)
    return table


def _parts_of(table: pa.Table, count: int) -> npt.NDArray[np.int64]:
    ids: Any = table["patient"].combine_chunks()
    coded = ids.dictionary_encode()
    parts = np.array([part_of(each, count) for each in coded.dictionary.to_pylist()], np.int64)
    return parts[coded.indices.to_numpy()]


def _path(folder: Path, number: int) -> Path:
    return folder / f"{number:06}.arrow"
