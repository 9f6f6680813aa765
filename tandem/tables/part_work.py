"""What a process of an engine does with a part: the job for each of its patients, one by one."""

# pyright: reportUnknownMemberType=false

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from adjudicator.corpus_counts import CorpusCounts
from shared.errors import FileError, TandemError
from shared.project.files import write_atomic
from tandem.tables.jobs import (
    JOBS,
    KEEP_PARTITIONS,
    LEFT_OUT,
    LEFT_OUT_COLUMNS,
    ROWS,
    TableJob,
    counted_patient,
    job_of,
)
from tandem.tables.parts import ROW, read_part
from tandem.tables.run_folder import PartDone, RunFolder
from tandem.tables.table_input import NOTES, TAGS
from tandem.tag_frames import TAG_COLUMNS

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
    """Count what the patients of a part add to what is known of the corpus. Raises TandemError."""
    with _turn:
        run = RunFolder(Path(folder))
        tags = _by_patient(read_part(run.table(TAGS), number))
        counts: list[CorpusCounts] = []
        for patient_id, records in _by_patient(read_part(run.table(NOTES), number)).items():
            try:
                counts.append(counted_patient(records, tags.get(patient_id, _NO_TAGS)))
            except TandemError:
                continue  # it is told where the patient is done
        run.write_counts(CorpusCounts.added(counts), number)
        return number


def work_part(folder: str, secret: str, number: int) -> PartDone:
    """Do the job for the patients of a part and write what it makes.

    `secret` is that of the run. Raises TandemError.
    """
    with _turn:
        opened = _opened(folder, secret)
        run = RunFolder(Path(folder))
        inputs = {
            name: _by_patient(read_part(run.table(name), number))
            for name in opened.request["inputs"]
        }
        notes = inputs.pop(NOTES)
        made = _Made(opened)
        for patient_id, records in notes.items():
            own = {name: each.get(patient_id, _NO_TAGS) for name, each in inputs.items()}
            made.add(patient_id, records, own)
        rows = made.write(run, number)
        astray = sum(
            len(rows)
            for each in inputs.values()
            for patient_id, rows in each.items()
            if patient_id not in notes
        )
        done = PartDone(number, sum(map(len, notes.values())), rows[LEFT_OUT], astray, rows)
        run.write_done(done)
        return done


@lru_cache(maxsize=1)
def _opened(folder: str, secret: str) -> _Opened:
    """What is kept from part to part; another run in the same folder has another secret."""
    run = RunFolder(Path(folder))
    request = run.request()
    if request is None or request["secret"] != secret:
        raise FileError(folder, "is of another run by now; run it again")
    counts = run.counts() if JOBS[request["job"]].counts_corpus else CorpusCounts()
    return _Opened(
        request, job_of(request["job"], request["options"], counts, bytes.fromhex(secret))
    )


_NO_TAGS = pd.DataFrame({each: [] for each in TAG_COLUMNS})


def _by_patient(frame: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """The rows by patient, in the order of their ids; `read_part` has them in that of the table.

    A return of the carriage becomes a blank or a line end, so that all offsets stay what they are.
    """
    if frame.empty:
        return {}
    if "digest" not in frame and "start" not in frame:
        texts = frame["text"].str.replace("\r\n", " \n").str.replace("\r", "\n")
        frame = frame.assign(text=texts)
    return {
        str(patient_id): rows.reset_index(drop=True).drop(columns=ROW)
        for patient_id, rows in frame.groupby("patient", sort=True)
    }


class _Made:
    """The tables that a job makes of a part."""

    def __init__(self, opened: _Opened) -> None:
        self._opened = opened
        self._partitions: list[str] = opened.request["partitions"]
        self._kept = self._partitions if opened.request["job"] in KEEP_PARTITIONS else []
        names = (*opened.job.columns, LEFT_OUT)
        self._frames: dict[str, list[pd.DataFrame]] = {each: [] for each in names}

    def add(
        self, patient_id: str, records: pd.DataFrame, others: Mapping[str, pd.DataFrame]
    ) -> None:
        """Do the job for a patient; where it cannot be done, all records are left out."""
        reason = self._reason_against(patient_id, records)
        if not reason:
            try:
                made = self._opened.job(records.drop(columns=self._partitions), others)
            except TandemError as problem:
                reason = str(problem)
            except Exception as error:  # noqa: BLE001  one patient must not end a whole archive
                reason = f"the program failed ({type(error).__name__}); tell those who made it"
            else:
                for name, frame in made.items():
                    with_keys = self._with_partitions(frame, records) if name == ROWS else frame
                    self._frames[name].append(with_keys)
                return
        rows = ((patient_id, each, reason) for each in records["record"])
        self._frames[LEFT_OUT].append(pd.DataFrame(rows, columns=LEFT_OUT_COLUMNS))

    def write(self, run: RunFolder, number: int) -> dict[str, int]:
        """Write the tables and return how many rows each has. Raises StorageError."""
        rows: dict[str, int] = {}
        for name, frames in self._frames.items():
            columns = [*self._opened.job.columns.get(name, LEFT_OUT_COLUMNS)]
            columns += self._kept if name == ROWS else []
            table = _table(frames, columns)
            rows[name] = table.num_rows
            sink = pa.BufferOutputStream()
            pq.write_table(table, sink, compression="zstd")
            write_atomic(run.part(number, name), sink.getvalue().to_pybytes())
        return rows

    def _with_partitions(self, frame: pd.DataFrame, records: pd.DataFrame) -> pd.DataFrame:
        if not self._kept:
            return frame
        keys = records.set_index("record")[self._kept].astype(str)
        return frame.join(keys, on="record")

    def _reason_against(self, patient_id: str, records: pd.DataFrame) -> str:
        """Why the records of a patient cannot be read at all; "" where they can."""
        if not patient_id:
            return "has no patient"
        if records["text"].isna().any() or not all(records["record"]):
            return "a record of the patient has no name or no text"
        largest = int(self._opened.request["largest_patient"])
        size = sum(map(len, records["text"]))
        if size > largest:
            return (
                f"the patient has {size / 1e6:.1f} million characters, more than "
                f"--largest-patient lets be ({largest / 1e6:.1f})"
            )
        return ""


def _table(frames: list[pd.DataFrame], columns: list[str]) -> pa.Table:
    """The rows of all frames, with the same types whatever they hold."""
    kinds = pa.schema([(each, _NUMBERS.get(each, pa.string())) for each in columns])
    filled = [each for each in frames if not each.empty]
    if not filled:
        return kinds.empty_table()
    whole = pd.concat(filled, ignore_index=True)[columns]
    return pa.Table.from_pandas(whole, schema=kinds, preserve_index=False)
