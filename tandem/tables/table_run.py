"""A job over tables, part by part, which goes on where it was when it is started again.

While it runs, a hidden folder lies beside what it writes: what was asked for, the tables cut into
parts, what is done of them. It holds the text of records, and is gone when all is done.
"""

# pyright: reportUnknownMemberType=false

import json
import os
import shutil
import time
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow.parquet as pq

from shared.errors import FileError, storage_errors
from shared.outside import parse_json_object
from shared.project.folders import lock_beside, unfinished
from shared.surrogates.drawing import new_secret
from shared.version import installed_version
from tandem.tables.engines import Engine, opened_engine
from tandem.tables.jobs import JOBS, KEEP_PARTITIONS
from tandem.tables.part_work import count_part, sum_up, work_part
from tandem.tables.parts import give_memory_back, scatter
from tandem.tables.run_folder import PartDone, RunFolder
from tandem.tables.table_input import TableInput
from tandem.tables.table_names import LEFT_OUT, NOTES, ROWS

PART_BYTES = 2 << 20
LARGEST_PATIENT = 20 << 20
_FEW_PARTS, _SMALL_PART = 32, 1 << 20
"""Into so many parts at least a table is cut, if each has so many bytes."""

Watch = Callable[[str, int, int], None]
"""Hears what is done, for how many records it is, and of how many."""


@dataclass(frozen=True)
class TableRequest:
    """What is to be done: a job with its options, tables by name, of which one is NOTES.

    `files` are what the options name: models, a key. `part_bytes` is about the size of a part,
    `largest_patient` from how many bytes on a patient is left out.
    """

    job: str
    options: Mapping[str, Any]
    inputs: Mapping[str, TableInput]
    out: Path
    files: tuple[Path, ...] = ()
    part_bytes: int = PART_BYTES
    largest_patient: int = LARGEST_PATIENT

    @property
    def parts(self) -> int:
        """Into how many parts the tables are cut: small ones too, for all cores to have some."""
        size = self.inputs[NOTES].bytes
        few = min(_FEW_PARTS, size // _SMALL_PART)
        return max(1, few, -(-size // self.part_bytes))

    def target(self, table: str) -> Path:
        """Where a table of the job is written."""
        if table == ROWS:
            return self.out
        return self.out.with_name(f"{self.out.stem}.{table}{self.out.suffix}")

    def as_json(self) -> dict[str, Any]:
        """What tells whether an earlier run was of the same."""
        asked = sorted(each for path in self.files for each in _files_below(path))
        return {
            "tandem": installed_version(),
            "job": self.job,
            "options": dict(self.options),
            "inputs": {name: _signatures(each.files) for name, each in self.inputs.items()},
            "columns": {name: dict(each.columns) for name, each in self.inputs.items()},
            "partitions": list(self.inputs[NOTES].partitions),
            "files": _signatures(asked),
            "part_bytes": self.part_bytes,
            "largest_patient": self.largest_patient,
        }


class TableReport(NamedTuple):
    """What became of the records: how many were there, how many are left out, and rows by table."""

    records: int
    left_out: int
    rows: Mapping[str, int]
    astray: int
    seconds: float


def run_table_job(
    request: TableRequest, engine: str, *, cores: int | None = None, watch: Watch
) -> TableReport:
    """Do a job over tables and write what it makes, all of it or nothing yet.

    Started again with the same request it goes on where it was. Raises RequestError, FileError,
    EngineError; whatever is wrong with single patients is in the table of what is left out.
    """
    begun = time.monotonic()
    give_memory_back()
    out = request.out.absolute()
    run = RunFolder(unfinished(out))
    with lock_beside(out, "tandem"):
        run.remove_finished()
        if run.put_together() is None:
            _refuse_existing(request)
            with opened_engine(engine, request.parts, cores) as map_parts:
                done = _work(request, run, map_parts, watch)
            _put_together(request, run, done)  # once the memory of workers is free
        else:
            _refuse_another(request, run)
        found = run.put_together() or {}
        _place(request, run)
        run.finish()
    return TableReport(**found, seconds=time.monotonic() - begun)


def _work(request: TableRequest, run: RunFolder, map_parts: Engine, watch: Watch) -> list[PartDone]:
    """Do what is not done yet of all parts, and return what became of each."""
    known = _begin(request, run)
    total, count = request.inputs[NOTES].rows, int(known["parts"])
    if JOBS[request.job].counts_corpus and run.summary() is None:
        todo = [each for each in range(count) if not run.has_counts(each)]
        counted = 0
        for each in map_parts(partial(count_part, str(run.root)), todo):
            counted += each
            watch("counting words", counted, total)
        list(map_parts(partial(sum_up, str(run.root)), [count]))
    done = {each: found for each in range(count) if (found := run.done(each))}
    work = partial(work_part, str(run.root), known["secret"])
    watch(request.job, _records(done.values()), total)
    for each in map_parts(work, [each for each in range(count) if each not in done]):
        done[each.number] = each
        watch(request.job, _records(done.values()), total)
    return [done[each] for each in range(count)]


# ---------------------------------------------------------------- beginning


def _refuse_existing(request: TableRequest) -> None:
    for table in _tables(request):
        if os.path.lexists(request.target(table)):
            raise FileError(request.target(table), "already exists; give a new name")


def _refuse_another(request: TableRequest, run: RunFolder) -> dict[str, Any] | None:
    """Raise FileError where the folder is of another run; return what is known of this one."""
    asked = parse_json_object(json.dumps(request.as_json()))  # as it was read again
    known = run.request()
    if known is not None and any(known.get(key) != each for key, each in asked.items()):
        raise FileError(
            run.root,
            "is of an unfinished run with other tables or options; run that one again, or "
            "remove the folder",
        )
    return known


def _begin(request: TableRequest, run: RunFolder) -> dict[str, Any]:
    """Cut the tables into parts, unless that was done, and return what is known of the run."""
    if (known := _refuse_another(request, run)) is not None:
        return known
    with storage_errors(run.root):
        if run.root.exists():
            shutil.rmtree(run.root)
        run.root.mkdir(mode=0o700)
    count = request.parts
    for name, each in request.inputs.items():
        scatter(each.pieces(), run.table(name), count)
    made = {**request.as_json(), "parts": count, "secret": new_secret().hex()}
    run.write_request(made)
    return made


def _files_below(path: Path) -> Iterable[Path]:
    return (each for each in path.rglob("*") if each.is_file()) if path.is_dir() else (path,)


def _signatures(paths: Iterable[Path]) -> list[list[object]]:
    found: list[list[object]] = []
    for each in paths:
        with storage_errors(each):
            state = each.stat()
        found.append([str(each.absolute()), state.st_size, state.st_mtime_ns])
    return found


# ---------------------------------------------------------------- ending


def _records(done: Iterable[PartDone]) -> int:
    return sum(each.records for each in done)


def _found(done: Collection[PartDone]) -> dict[str, Any]:
    """What a report tells of the parts."""
    rows: dict[str, int] = {}
    for each in done:
        for name, number in each.rows.items():
            rows[name] = rows.get(name, 0) + number
    return {
        "records": _records(done),
        "left_out": rows.get(LEFT_OUT, 0),
        "rows": rows,
        "astray": sum(each.astray for each in done),
    }


def _tables(request: TableRequest) -> tuple[str, ...]:
    return (*JOBS[request.job].columns, LEFT_OUT)


def _place(request: TableRequest, run: RunFolder) -> None:
    """Put the tables where they belong, what is asked for last."""
    for name in reversed(_tables(request)):
        source, target = run.ready / name, request.target(name)
        if source.exists():
            with storage_errors(target):
                source.replace(target)


def _put_together(request: TableRequest, run: RunFolder, done: Collection[PartDone]) -> None:
    """Make whole tables of those of the parts, in the run's folder."""
    with storage_errors(run.root):
        shutil.rmtree(run.ready, ignore_errors=True)
        run.ready.mkdir(mode=0o700)
        for name in _tables(request):
            parts = [run.part(each.number, name) for each in done]
            _make_whole(request, name, parts, run.ready / name)
    run.write_put_together(_found(done))


def _make_whole(request: TableRequest, name: str, parts: list[Path], target: Path) -> None:
    if request.out.suffix == ".parquet":
        _into_file(parts, target)
    else:
        is_kept = name == ROWS and request.job in KEEP_PARTITIONS
        _into_folder(parts, target, request.inputs[NOTES].partitions if is_kept else ())


def _into_file(paths: list[Path], target: Path) -> None:
    descriptor = os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        with pq.ParquetWriter(file, pq.read_schema(paths[0]), compression="zstd") as writer:
            for each in paths:
                writer.write_table(pq.read_table(each))
        file.flush()
        os.fsync(file.fileno())


def _into_folder(paths: list[Path], target: Path, keys: tuple[str, ...]) -> None:
    """A file for each part that has rows; one without any is there if it is the first."""
    target.mkdir(mode=0o700)
    for place, path in enumerate(paths):
        table = pq.read_table(path)
        if keys:
            pq.write_to_dataset(
                table, target, partition_cols=[*keys], compression="zstd",
                basename_template=f"part-{place:06}-{{i}}.parquet",
            )  # fmt: skip
        elif table.num_rows or not place:
            shutil.copyfile(path, target / f"part-{place:06}.parquet")
            (target / f"part-{place:06}.parquet").chmod(0o600)
