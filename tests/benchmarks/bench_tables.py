"""How fast an archive is worked on, by job and engine, and how much memory that takes.

Run it as a program: `python -m tests.benchmarks.bench_tables [--records N ...] [--engine E ...]
[--job J ...] [--model M]`. The notes are fabricated and lie in Parquet. Each job is the command
itself in a process of its own. CPU is that of all its processes together, peak memory the sum of
their proportional shares (Linux only), looked at five times a second. The last line says whether
all engines wrote the same bytes.
"""

import argparse
import hashlib
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from shared.synthetic import fabricate
from tests.process_tree import running_in_session

_SEED = 11
_AT_ONCE = 200
"""Patients of a row group."""
_PER_PATIENT = 4.3
_PROGRAM = "import sys; from shared.commands.main import main; sys.exit(main(sys.argv[1:]))"
_TICKS = os.sysconf("SC_CLK_TCK")


class Cost(NamedTuple):
    """Of one command: seconds on the clock and of processors, megabytes."""

    wall: float
    cpu: float
    peak: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, nargs="+", default=[1304])
    parser.add_argument("--engine", nargs="+", default=["processes", "dask"])
    parser.add_argument("--job", nargs="+", default=["suggest", "check", "surrogate", "score"])
    parser.add_argument("--model", default="rules")
    parser.add_argument("--part-size", default="8")
    arguments = parser.parse_args()
    print(
        f"{'job':10} {'engine':10} {'records':>8} {'wall s':>8} {'CPU s':>8} {'peak MB':>8} rec/s"
    )
    for records in arguments.records:
        with tempfile.TemporaryDirectory(prefix="tandem-bench-") as folder:
            _measure(Path(folder), records, arguments)


def _measure(folder: Path, records: int, arguments: argparse.Namespace) -> None:
    count = _archive(folder, records)
    (folder / "key").write_bytes(bytes(range(40)))
    seen: dict[str, set[str]] = {}
    for engine in arguments.engine:
        out = folder / engine.partition("=")[0]
        out.mkdir()
        for job in _ordered(arguments.job):
            command = _command(job, folder, out, arguments.model)
            cost = _cost([*command, "--engine", engine, "--part-size", arguments.part_size])
            print(
                f"{job:10} {engine:10} {count:8} {cost.wall:8.1f} {cost.cpu:8.1f} "
                f"{cost.peak:8.0f} {count / cost.wall:5.0f}",
                flush=True,
            )
        for each in sorted(out.glob("*.parquet")):
            seen.setdefault(each.name, set()).add(hashlib.sha256(each.read_bytes()).hexdigest())
    same = all(len(each) == 1 for each in seen.values())
    print(
        f"{len(seen)} files of {len(arguments.engine)} engines: {'the same' if same else 'DIFFER'}"
    )


def _archive(folder: Path, records: int) -> int:
    """Write so many notes, about, with the tags that they should have."""
    columns = (
        ("patient", "record", "text"),
        ("patient", "record", "start", "end", "category", "type"),
    )
    schemas = (
        pa.schema([(each, pa.string()) for each in columns[0]]),
        pa.schema([(each, pa.int64() if each in {"start", "end"} else pa.string())
                   for each in columns[1]]),
    )  # fmt: skip
    count = 0
    with (
        pq.ParquetWriter(folder / "notes.parquet", schemas[0]) as notes,
        pq.ParquetWriter(folder / "gold.parquet", schemas[1]) as gold,
    ):
        for rows, tags in _batches(max(1, round(records / _PER_PATIENT))):
            count += len(rows)
            notes.write_table(pa.Table.from_pylist(rows, schemas[0]))
            gold.write_table(pa.Table.from_pylist(tags, schemas[1]))
    return count


def _batches(patients: int) -> Iterator[tuple[list[dict[str, object]], list[dict[str, object]]]]:
    rows: list[dict[str, object]] = []
    tags: list[dict[str, object]] = []
    for number, each in enumerate(fabricate(patients, _SEED), 1):
        for one in each.patient.documents:
            named = {"patient": one.patient_id, "record": one.record_id}
            rows.append({**named, "text": one.text})
            for tag in each.gold[one.record_id].tags:
                place = {"start": tag.start, "end": tag.end}
                what = {"category": tag.phi_type.category, "type": tag.phi_type.name}
                tags.append({**named, **place, **what})
        if not number % _AT_ONCE or number == patients:
            yield rows, tags
            rows, tags = [], []


def _ordered(jobs: Sequence[str]) -> list[str]:
    """The tags that the others read come first."""
    return sorted({"suggest", *jobs}, key=lambda each: (each != "suggest", each))


def _command(job: str, folder: Path, out: Path, model: str) -> list[str]:
    notes, tags = str(folder / "notes.parquet"), str(out / "suggest.parquet")
    others = {
        "suggest": [notes, "--model", model],
        "check": [notes, "--tags", tags],
        "surrogate": [notes, "--tags", tags, "--doubtful", "mask", "--mode", "keyed", "--key",
                      str(folder / "key")],
        "score": [tags, str(folder / "gold.parquet"), "--notes", notes],
    }  # fmt: skip
    return [job, *others[job], "--out", str(out / f"{job}.parquet")]


def _cost(command: list[str]) -> Cost:
    begun = time.monotonic()
    run = subprocess.Popen(
        [sys.executable, "-c", _PROGRAM, *command], start_new_session=True,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    used: dict[int, float] = {}
    peak = 0.0
    while run.poll() is None:
        below = running_in_session(run.pid)
        used |= {each: cpu for each in below if (cpu := _cpu(each))}
        peak = max(peak, sum(map(_share, below)))
        time.sleep(0.2)
    if run.returncode not in (0, 1):
        raise SystemExit(f"tandem {' '.join(command)} ended with {run.returncode}")
    return Cost(time.monotonic() - begun, sum(used.values()), peak)


def _cpu(pid: int) -> float:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / _TICKS


def _share(pid: int) -> float:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0.0
    return next((int(each.split()[1]) / 1024 for each in lines if each.startswith("Pss:")), 0.0)


if __name__ == "__main__":
    main()
