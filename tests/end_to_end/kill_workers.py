"""Kills workers and drivers of jobs over tables, and compares what comes out with a quiet run.

    python -m tests.end_to_end.kill_workers --engine dask --workers 10 --drivers 3 --seed 1

Kills so many workers of each job while it runs, and so many drivers, which are then started again
with the same command until they end by themselves. Ends with 1 where a file is another one than
that of an undisturbed run, or where a process or a hidden folder is left.
"""

import argparse
import hashlib
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import NamedTuple

from tests.process_tree import running_in_session
from tests.tandem.tables.conftest import archive_of

_PROGRAM = "import sys; from shared.commands.main import main; sys.exit(main(sys.argv[1:]))"
_TAGS = ("--tags", "tags.parquet")
JOBS = {
    "suggest": ("suggest", "notes.parquet", "--model", "rules"),
    "check": ("check", "notes.parquet", *_TAGS),
    "surrogate": ("surrogate", "notes.parquet", *_TAGS, "--doubtful", "mask", "--mode", "keyed",
                  "--key", "key"),
    "score": ("score", "tags.parquet", "gold.parquet", "--notes", "notes.parquet"),
    "risk": ("risk", "notes.parquet", "--tags", "tags.parquet", "--tags", "gold.parquet",
             "--gold", "gold.parquet"),
}  # fmt: skip
_PATIENCE = 300
_MOST_OF_A_RUN = 2
"""A job is given up where three workers end before a part is done."""


class Kills(NamedTuple):
    """What is done to one run: after how many seconds of work whom is ended."""

    workers: tuple[float, ...] = ()
    driver: float | None = None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--engine", nargs="+", default=["processes", "dask"])
    parser.add_argument("--job", nargs="+", default=list(JOBS))
    parser.add_argument("--workers", type=int, default=10)
    parser.add_argument("--drivers", type=int, default=3)
    parser.add_argument("--patients", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    draw, wrong = Random(arguments.seed), 0
    with tempfile.TemporaryDirectory(prefix="tandem-kill-") as made:
        folder = Path(made)
        _prepare(folder, arguments.patients, arguments.seed)
        for engine in arguments.engine:
            for job in arguments.job:
                wrong += _kill_job(folder, engine, job, arguments, draw)
    return int(bool(wrong))


def _prepare(folder: Path, patients: int, seed: int) -> None:
    archive_of(folder, patients, seed)
    (folder / "key").write_bytes(bytes(range(40)))
    command = (*JOBS["suggest"], "--out", "tags.parquet")
    subprocess.run([sys.executable, "-c", _PROGRAM, *command], cwd=folder, env=_environment(),
                   check=True, capture_output=True)  # fmt: skip


def _kill_job(
    folder: Path, engine: str, job: str, arguments: argparse.Namespace, draw: Random
) -> int:
    begun = time.monotonic()
    quiet, _ = _run(folder, engine, job, "quiet", Kills())
    seconds = time.monotonic() - begun
    workers = drivers = wrong = runs = 0
    while workers < arguments.workers or drivers < arguments.drivers:
        runs += 1
        moment = draw.uniform(0, 0.9 * seconds)
        if workers < arguments.workers:
            most = min(_MOST_OF_A_RUN, arguments.workers - workers)
            asked = Kills(tuple(sorted(draw.uniform(0, 0.9 * seconds) for _ in range(most))))
        else:
            asked = Kills(driver=moment)
        found, killed = _run(folder, engine, job, f"run-{runs}", asked)
        workers += killed if asked.workers else 0
        drivers += killed if asked.driver is not None else 0
        if found != quiet:
            wrong += 1
            print(f"{job} on {engine}: {asked}: {sorted(found)} differ from the quiet run")
        if runs > 4 * (arguments.workers + arguments.drivers):
            break
    print(
        f"{job} on {engine}: {workers} workers and {drivers} drivers killed in {runs} runs, "
        f"{wrong} wrong",
        flush=True,
    )
    return wrong


def _run(
    folder: Path, engine: str, job: str, name: str, kills: Kills
) -> tuple[dict[str, str], int]:
    """Run a job, again until it ends by itself; what it wrote, and how many were killed."""
    out = folder / engine / job / name
    out.mkdir(parents=True)
    command = (*JOBS[job], "--out", str(out / f"{job}.parquet"), "--part-size", "0.02",
               "--engine", engine, "--cores", "2")  # fmt: skip
    left, killed = kills, 0
    for _ in range(9):
        run = subprocess.Popen([sys.executable, "-c", _PROGRAM, *command], cwd=folder,
                               env=_environment(), start_new_session=True,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # fmt: skip
        killed += _kill(run, left)
        left = Kills()
        status = run.wait(_PATIENCE)
        _wait_for_children(run.pid)
        if status in (0, 1):
            break
    return _digests(out), killed


def _kill(run: subprocess.Popen[bytes], kills: Kills) -> int:
    begun, killed = time.monotonic(), 0
    for moment in (*kills.workers, *([] if kills.driver is None else [kills.driver])):
        while time.monotonic() - begun < moment and run.poll() is None:
            time.sleep(0.01)
        if run.poll() is not None:
            break
        if kills.driver is not None:
            run.kill()
            killed += 1
        elif workers := sorted(_workers(run.pid)):
            os.kill(workers[round(moment * 1000) % len(workers)], signal.SIGKILL)
            killed += 1
    return killed


def _workers(driver: int) -> Iterator[int]:
    """The processes that work for a driver, but not Python's own helper, which counts resources."""
    for each in running_in_session(driver) - {driver}:
        try:
            said = Path(f"/proc/{each}/cmdline").read_bytes()
        except OSError:
            continue
        if b"resource_tracker" not in said:
            yield each


def _wait_for_children(driver: int) -> None:
    """Raises RuntimeError where a process of a driver goes on without it."""
    until = time.monotonic() + 30
    while running_in_session(driver):
        if time.monotonic() > until:
            raise RuntimeError("processes are left of a driver that has ended")
        time.sleep(0.05)


def _digests(folder: Path) -> dict[str, str]:
    return {
        each.name: hashlib.sha256(each.read_bytes()).hexdigest() if each.is_file() else "left"
        for each in sorted(folder.iterdir())
        if not each.name.endswith(".lock")
    }


def _environment() -> dict[str, str]:
    return os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}


if __name__ == "__main__":
    sys.exit(main())
