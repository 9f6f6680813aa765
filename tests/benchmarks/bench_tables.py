"""How fast an archive is worked on, by job and engine, and how much memory that takes.

Run it as a program: `python -m tests.benchmarks.bench_tables [--records N ...] [--engine E ...]
[--job J ...] [--model M] [--cores C] [--archive DIR]`. The notes are fabricated and lie in Parquet,
in DIR if one is named, where they stay for the next time. Each job is the command itself in a
process of its own. CPU is that of all its processes together; peak memory, looked at five times a
second, the sum of their proportional shares, then that of the process that was started and of the
largest of the others (Linux only). The last line says whether all engines wrote the same bytes.
"""

import argparse
import hashlib
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from shared.synthetic import fabricate
from tests.process_tree import running_in_session

_SEED = 11
_JOBS = ("suggest", "check", "surrogate", "score", "risk")
_READERS, _MISSED = ("ana", "ben"), 0.1
"""Who has read the notes, and the share of tags that each missed."""
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
    own: float
    other: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, nargs="+", default=[1304])
    parser.add_argument("--engine", nargs="+", default=["processes", "dask"])
    parser.add_argument("--job", nargs="+", default=_JOBS)
    parser.add_argument("--model", default="rules")
    parser.add_argument("--part-size", default="2")
    parser.add_argument("--cores", default="2")
    parser.add_argument("--archive", type=Path, help="folder where the notes stay")
    arguments = parser.parse_args()
    print(
        f"{'job':10} {'engine':10} {'records':>8} {'wall s':>8} {'CPU s':>8} {'peak MB':>8} "
        f"{'own':>6} {'other':>6} rec/s"
    )
    for records in arguments.records:
        with tempfile.TemporaryDirectory(prefix="tandem-bench-") as made:
            _measure((arguments.archive or Path(made)) / str(records), Path(made), arguments)


def _measure(folder: Path, made: Path, arguments: argparse.Namespace) -> None:
    if not (folder / "key").exists():
        folder.mkdir(parents=True)
        _archive(folder, int(folder.name))
        (folder / "key").write_bytes(bytes(range(40)))
    count = pq.read_metadata(folder / "notes.parquet").num_rows
    seen: dict[str, set[str]] = {}
    for engine in arguments.engine:
        out = made / engine.partition("=")[0]
        out.mkdir()
        for job in _ordered(arguments.job):
            command = _command(job, folder, out, arguments.model)
            cost = _cost([*command, "--engine", engine, "--part-size", arguments.part_size,
                           "--cores", arguments.cores])  # fmt: skip
            print(
                f"{job:10} {engine:10} {count:8} {cost.wall:8.1f} {cost.cpu:8.1f} "
                f"{cost.peak:8.0f} {cost.own:6.0f} {cost.other:6.0f} {count / cost.wall:5.0f}",
                flush=True,
            )
        for each in sorted(out.glob("*.parquet")):
            seen.setdefault(each.name, set()).add(hashlib.sha256(each.read_bytes()).hexdigest())
    same = all(len(each) == 1 for each in seen.values())
    print(
        f"{len(seen)} files of {len(arguments.engine)} engines: {'the same' if same else 'DIFFER'}"
    )


def _archive(folder: Path, records: int) -> None:
    """Write so many notes, about, with the tags that they should have, and those of readers."""
    columns = (
        ("patient", "record", "text"),
        ("patient", "record", "start", "end", "category", "type"),
    )
    schemas = (
        pa.schema([(each, pa.string()) for each in columns[0]]),
        pa.schema([(each, pa.int64() if each in {"start", "end"} else pa.string())
                   for each in columns[1]]),
    )  # fmt: skip
    rng = Random(_SEED)
    with ExitStack() as opened:
        notes, gold, *readers = (
            opened.enter_context(pq.ParquetWriter(folder / f"{name}.parquet", schemas[at > 0]))
            for at, name in enumerate(("notes", "gold", *_READERS))
        )
        for rows, tags in _batches(max(1, round(records / _PER_PATIENT))):
            notes.write_table(pa.Table.from_pylist(rows, schemas[0]))
            gold.write_table(pa.Table.from_pylist(tags, schemas[1]))
            for each in readers:
                found = [tag for tag in tags if rng.random() > _MISSED]
                each.write_table(pa.Table.from_pylist(found, schemas[1]))


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
        "risk": [notes, "--gold", str(folder / "gold.parquet"), "--recognizer", tags, "--judged",
                 *(f"--tags={folder / each}.parquet" for each in _READERS)],
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
    peak = own = other = 0.0
    while run.poll() is None:
        below = running_in_session(run.pid)
        used |= {each: cpu for each in below if (cpu := _cpu(each))}
        shares = {each: _share(each) for each in below}
        peak = max(peak, sum(shares.values()))
        own = max(own, shares.pop(run.pid, 0.0))
        other = max((other, *shares.values()))
        time.sleep(0.2)
    if run.returncode not in (0, 1):
        raise SystemExit(f"tandem {' '.join(command)} ended with {run.returncode}")
    return Cost(time.monotonic() - begun, sum(used.values()), peak, own, other)


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
