"""What a process of an engine does with a part: the job for each of its patients, one by one."""

# pyright: reportUnknownMemberType=false

from collections.abc import Iterable, Mapping, Sequence
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
    TableRows,
    added_up,
    counted_patient,
    job_of,
    rows_by_patient,
)
from tandem.tables.parts import read_part
from tandem.tables.run_folder import PartDone, RunFolder
from tandem.tables.table_names import LEFT_OUT, NOTES, ROWS, TAGS
from tandem.tag_rows import Row

_NUMBERS = {
    **dict.fromkeys(("start", "end", "times_tagged", "tp", "fp", "fn", "records"), pa.int64()),
    **dict.fromkeys(("tags", "patients", "is_whole", "suggestions"), pa.int64()),
    **dict.fromkeys(("confidence", "certainty"), pa.float64()),
    "hipaa_only": pa.bool_(),
}
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
        patients = _patients(run, number, (NOTES, TAGS)).values()
        for rows in patients:
            if not rows[NOTES] or _reason_against(largest, rows[NOTES]):
                continue
            try:
                counts.append(counted_patient(PatientRows.read(rows)))
            except TandemError:
                continue  # it is told where the patient is done
        run.write_counts(CorpusCounts.added(counts), number)
        return sum(len(rows[NOTES]) for rows in patients)


def work_part(folder: str, secret: str, number: int) -> PartDone:
    """Do the job for the patients of a part and write what it makes.

    `secret` is that of the run. Raises TandemError.
    """
    with _turn:
        opened = _opened(folder, secret)
        run = RunFolder(Path(folder))
        patients = _patients(run, number, opened.request["inputs"])
        made = _Made(opened)
        astray = 0
        for patient_id, rows in patients.items():
            if rows[NOTES]:
                made.add(patient_id, rows)
            else:
                astray += sum(map(len, rows.values()))
        counted = made.write(run, number)
        records = sum(len(rows[NOTES]) for rows in patients.values())
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


def _patients(run: RunFolder, number: int, tables: Iterable[str]) -> dict[str, TableRows]:
    """The rows of each table by patient, each as the table has them.

    A return of the carriage becomes a blank or a line end, so that all offsets stay what they are.
    """
    rows = {name: read_part(run.table(name), number).to_pylist() for name in tables}
    for note in rows[NOTES]:
        if isinstance(note["text"], str):
            note["text"] = note["text"].replace("\r\n", " \n").replace("\r", "\n")
    return rows_by_patient(rows)


class _Made:
    """The tables that a job makes of a part."""

    def __init__(self, opened: _Opened) -> None:
        self._opened = opened
        self._largest = int(opened.request["largest_patient"])
        self._keys: list[str] = (
            opened.request["partitions"] if opened.request["job"] in KEEP_PARTITIONS else []
        )
        names = (*opened.job.columns, LEFT_OUT)
        self._rows: dict[str, list[Row]] = {each: [] for each in names}

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
                    self._rows[name] += self._with_keys(each, rows[NOTES]) if name == ROWS else each
                return
        self._rows[LEFT_OUT] += ((patient_id, each["record"], reason) for each in rows[NOTES])

    def write(self, run: RunFolder, number: int) -> dict[str, int]:
        """Write the tables and return how many rows each has. Raises StorageError."""
        for name, rows in self._rows.items():
            if self._opened.job.adds_up and name != LEFT_OUT:
                self._rows[name] = added_up(rows)
            columns = [*self._opened.job.columns.get(name, LEFT_OUT_COLUMNS)]
            columns += self._keys if name == ROWS else []
            sink = pa.BufferOutputStream()
            pq.write_table(_table(self._rows[name], columns), sink, compression="zstd")
            write_atomic(run.part(number, name), sink.getvalue().to_pybytes())
        return {name: len(rows) for name, rows in self._rows.items()}

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


def _table(rows: list[Row], columns: list[str]) -> pa.Table:
    """The rows as a table with the same types whatever they hold."""
    kinds = pa.schema([(each, _NUMBERS.get(each, pa.string())) for each in columns])
    cells = zip(*rows, strict=True) if rows else [()] * len(columns)
    arrays = [pa.array(each, kind) for each, kind in zip(cells, kinds.types, strict=True)]
    return pa.Table.from_arrays(arrays, schema=kinds)
