"""What a process of an engine does with a part: the job for each of its patients, one by one."""

# pyright: reportUnknownMemberType=false

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from adjudicator.corpus_counts import CorpusCounts, CorpusSummary
from shared.errors import FileError, TandemError
from shared.project.files import write_atomic
from tandem.tables.jobs import (
    JOBS,
    KEEP_PARTITIONS,
    LEFT_OUT_COLUMNS,
    PatientRows,
    TableJob,
    added_up,
    counted_patient,
    job_of,
)
from tandem.tables.parts import give_memory_back, patients_of, read_part
from tandem.tables.run_folder import PartDone, RunFolder
from tandem.tables.table_names import LEFT_OUT, NOTES, ROWS, TAGS, TableRows
from tandem.tag_rows import Row

_NUMBERS = {
    **dict.fromkeys(("start", "end", "times_tagged", "tp", "fp", "fn", "records"), pa.int64()),
    **dict.fromkeys(("tags", "patients", "is_whole", "suggestions"), pa.int64()),
    **dict.fromkeys(("confidence", "certainty"), pa.float64()),
    "hipaa_only": pa.bool_(),
}
_LOOSE = 2048
"""So many rows are held as objects before they are packed."""
_LOOSE_COUNTS = 64
"""So many patients are counted before their counts are added up."""
_turn = Lock()
"""One part at a time in a process, since an engine may have several threads in one."""


@dataclass
class _Opened:
    """What a process keeps while it works on parts of one run."""

    request: Mapping[str, Any]
    job: TableJob


def count_part(folder: str, number: int) -> int:
    """Count what the patients of a part add to what is known of the corpus; how many records.

    Raises TandemError.
    """
    with _turn:
        run = RunFolder(Path(folder))
        largest = int((run.request() or {}).get("largest_patient", 0))
        counts: list[CorpusCounts] = []
        records = 0
        for _, rows in _patients(run, number, (NOTES, TAGS)):
            records += len(rows[NOTES])
            if not rows[NOTES] or _reason_against(largest, rows[NOTES]):
                continue
            try:
                counts.append(counted_patient(PatientRows.read(rows)))
            except TandemError:
                continue  # it is told where the patient is done
            if len(counts) > _LOOSE_COUNTS:
                counts = [CorpusCounts.added(counts)]
        run.write_counts(CorpusCounts.added(counts), number)
        return records


def sum_up(folder: str, parts: int) -> int:
    """Keep what the counts of so many parts come to, and return how many they are.

    A process of the engine does it, as what it holds meanwhile grows with the names of the corpus.
    Raises TandemError.
    """
    with _turn:
        run = RunFolder(Path(folder))
        run.write_summary(CorpusSummary.of_lines(run.added_counts(parts)))
        return parts


def work_part(folder: str, secret: str, number: int) -> PartDone:
    """Do the job for the patients of a part and write what it makes.

    `secret` is that of the run. Raises TandemError.
    """
    with _turn:
        opened = _opened(folder, secret)
        run = RunFolder(Path(folder))
        made = _Made(opened)
        records = astray = 0
        for patient_id, rows in _patients(run, number, opened.request["inputs"]):
            records += len(rows[NOTES])
            if rows[NOTES]:
                made.add(patient_id, rows)
            else:
                astray += sum(map(len, rows.values()))
        counted = made.write(run, number)
        done = PartDone(number, records, counted[LEFT_OUT], astray, counted)
        run.write_done(done)
        return done


@lru_cache(maxsize=1)
def _opened(folder: str, secret: str) -> _Opened:
    """What is kept from part to part; another run in the same folder has another secret."""
    run = RunFolder(Path(folder))
    request = run.request()
    if request is None or request["secret"] != secret:
        raise FileError(folder, "is of another run by now; run it again")
    corpus = run.summary() if JOBS[request["job"]].counts_corpus else CorpusSummary()
    if corpus is None:
        raise FileError(
            folder, "lacks the counts of the corpus; remove the folder and run it again"
        )
    return _Opened(
        request, job_of(request["job"], request["options"], corpus, bytes.fromhex(secret))
    )


def _patients(
    run: RunFolder, number: int, tables: Iterable[str]
) -> Iterator[tuple[str, TableRows]]:
    """Yield the patients of a part with the rows of each table.

    A return of the carriage becomes a blank or a line end, so that all offsets stay what they are.
    """
    give_memory_back()  # of the part before it; a process of Dask or Spark would keep it
    for patient_id, rows in patients_of(
        {each: read_part(run.table(each), number) for each in tables}
    ):
        yield patient_id, {**rows, NOTES: [_with_line_ends(each) for each in rows[NOTES]]}


def _with_line_ends(note: Mapping[str, Any]) -> Mapping[str, Any]:
    text = note["text"]
    if not isinstance(text, str) or "\r" not in text:
        return note
    return {**note, "text": text.replace("\r\n", " \n").replace("\r", "\n")}


class _Made:
    """The tables that a job makes of a part."""

    def __init__(self, opened: _Opened) -> None:
        self._opened = opened
        self._largest = int(opened.request["largest_patient"])
        self._keys: list[str] = (
            opened.request["partitions"] if opened.request["job"] in KEEP_PARTITIONS else []
        )
        self._tables = {
            name: _Table(
                [*columns, *(self._keys if name == ROWS else [])], adds_up=opened.job.adds_up
            )
            for name, columns in opened.job.columns.items()
        }
        self._tables[LEFT_OUT] = _Table(LEFT_OUT_COLUMNS, adds_up=False)

    def add(self, patient_id: str, rows: TableRows) -> None:
        """Do the job for a patient; where it cannot be done, all records are left out."""
        reason = _reason_against(self._largest, rows[NOTES])
        if not reason:
            try:
                made = self._opened.job(PatientRows.read(rows))
                listed = {name: list(each) for name, each in made.items()}
            except TandemError as problem:
                reason = str(problem)
            except Exception as error:  # noqa: BLE001  one patient must not end a whole archive
                reason = f"the program failed ({type(error).__name__}); tell those who made it"
            else:
                for name, each in listed.items():
                    more = self._with_keys(each, rows[NOTES]) if name == ROWS else each
                    self._tables[name].add(more)
                return
        self._tables[LEFT_OUT].add([(patient_id, each["record"], reason) for each in rows[NOTES]])

    def write(self, run: RunFolder, number: int) -> dict[str, int]:
        """Write the tables and return how many rows each has. Raises StorageError."""
        counted: dict[str, int] = {}
        for name, made in self._tables.items():
            table = made.whole()
            sink = pa.BufferOutputStream()
            pq.write_table(table, sink, compression="zstd")
            write_atomic(run.part(number, name), sink.getvalue().to_pybytes())
            counted[name] = table.num_rows
        return counted

    def _with_keys(self, rows: list[Row], notes: Sequence[Mapping[str, Any]]) -> list[Row]:
        """The rows with what the names of folders told of their records."""
        if not self._keys:
            return rows
        keys = {
            note["record"]: [None if note[key] is None else str(note[key]) for key in self._keys]
            for note in notes
        }
        return [(*row, *keys[row[1]]) for row in rows]


def _reason_against(largest: int, notes: Sequence[Mapping[str, Any]]) -> str:
    """Why the records of a patient cannot be read at all; "" where they can."""
    if not notes[0]["patient"]:
        return "has no patient"
    if not all(each["record"] and isinstance(each["text"], str) for each in notes):
        return "a record of the patient has no name or no text"
    size = sum(len(each["text"]) for each in notes)
    if size > largest:
        return (
            f"the patient has {size / 1e6:.1f} million characters, more than "
            f"--largest-patient lets be ({largest / 1e6:.1f})"
        )
    return ""


class _Table:
    """A table to which rows are added; columns have the same types whatever they hold.

    Rows that add up become one of their sum.
    """

    def __init__(self, columns: list[str], *, adds_up: bool) -> None:
        self._schema = pa.schema([(each, _NUMBERS.get(each, pa.string())) for each in columns])
        self._adds_up = adds_up
        self._most = _LOOSE
        self._rows: list[Row] = []
        self._packed: list[pa.Table] = []

    def add(self, rows: list[Row]) -> None:
        self._rows += rows
        if len(self._rows) <= self._most:
            return
        if self._adds_up:
            self._rows = added_up(self._rows)
            self._most = 2 * len(self._rows) + _LOOSE  # not to add up all for each patient
        else:
            self._pack()

    def whole(self) -> pa.Table:
        if self._adds_up:
            self._rows = added_up(self._rows)
        self._pack()
        return pa.concat_tables(self._packed).combine_chunks()

    def _pack(self) -> None:
        """Keep the rows as Arrow does, in a tenth of the room."""
        cells = zip(*self._rows, strict=True) if self._rows else [()] * len(self._schema)
        arrays = [
            pa.array(each, kind) for each, kind in zip(cells, self._schema.types, strict=True)
        ]
        self._packed.append(pa.Table.from_arrays(arrays, schema=self._schema))
        self._rows = []
