"""How long `tandem check` takes as a whole process, beside the plainest script.

Run it as a program: `python tests/benchmarks/bench_check.py [--scale 1304,13040] [--runs N]`.
The corpora are fabricated, with every tenth tag that repeats another taken out. The first table
looks for exact repeats alone, as `find_repeats.py` does with `str.find` for each tagged text of a
patient: 1,304 records of 296 patients, and the same records as of 13 patients, about 100 each. The
second table looks for all kinds, on one core and on all, in corpora of more and more records. Each
figure is the best of several runs; `cpu` is what all processes of a run took, in seconds, `memory`
the most that one of them held, in MB.
"""

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from shared.formats.i2b2_xml import format_record
from shared.processes import available_cores
from shared.synthetic import fabricate, remove_repeats

ROOT = Path(__file__).parents[2]
TANDEM = "import sys; from tandem_start import main; sys.exit(main())"
SCRIPT = ROOT / "tests" / "benchmarks" / "find_repeats.py"
EXACT = "repeat,possessive,line-end"
RECORDS, PATIENTS, TOGETHER = 1304, 296, 23
"""So many fabricated patients are one patient with about 100 records."""


class Run(NamedTuple):
    """What one process took: seconds by the clock and of processors, and MB."""

    wall: float
    cpu: float
    memory: float


def main() -> None:
    parser = argparse.ArgumentParser(description="The check as a whole process.")
    parser.add_argument("--scale", default="1304,13040", help="numbers of records, with commas")
    parser.add_argument("--runs", type=int, default=5)
    arguments = parser.parse_args()
    with TemporaryDirectory(prefix="tandem-bench-") as room:
        show_exact(Path(room), arguments.runs)
        show_start(arguments.runs)
        for records in map(int, arguments.scale.split(",")):
            show_all_kinds(Path(room), records, 1 if records > RECORDS else arguments.runs)


def show_exact(room: Path, runs: int) -> None:
    print("exact repeats       script: wall   cpu      check: wall   cpu      cpu, of the script's")
    for name, together in (("4 a patient", 1), ("100 a patient", TOGETHER)):
        folder = corpus(room / str(together), RECORDS, together)
        script = best([sys.executable, str(SCRIPT), str(folder)], runs)
        check = best(tandem("check", str(folder), "--kinds", EXACT), runs)
        print(
            f"{name:<20}{script.wall:12.2f}{script.cpu:6.2f}{check.wall:17.2f}{check.cpu:6.2f}"
            f"{check.cpu / script.cpu:14.2f}"
        )


def show_start(runs: int) -> None:
    for words in (("--help",), ("check", "--help")):
        run = best(tandem(*words), runs)
        print(f"tandem {' '.join(words):<20}{run.wall:8.2f}{run.cpu:6.2f}")


def show_all_kinds(room: Path, records: int, runs: int) -> None:
    folder, cores = corpus(room / f"of-{records}", records, 1), available_cores()
    for kinds in ((), ("--kinds", EXACT)):
        one = best(tandem("check", str(folder), "--cores", "1", *kinds), runs)
        every = best(tandem("check", str(folder), "--cores", str(cores), *kinds), runs)
        print(
            f"{records} records, {'exact' if kinds else 'all'} kinds: one core {one.wall:.1f} s, "
            f"cpu {one.cpu:.1f}, {one.memory:.0f} MB; {cores} cores {every.wall:.1f} s, "
            f"cpu {every.cpu:.1f}, efficiency {one.wall / every.wall / cores:.2f}"
        )


def corpus(folder: Path, records: int, together: int) -> Path:
    """Write fabricated records, so many patients as one."""
    folder.mkdir()
    whole = list(fabricate(records * PATIENTS // RECORDS, 1, records=records))
    holed, _ = remove_repeats(whole, records, 1)
    for number, each in enumerate(holed):
        for document in each.patient.documents:
            patient = each.patient.id if together == 1 else number // together
            name = f"{patient}-{document.record_id.replace('-', '')}"
            data = format_record(document.text, each.gold[document.record_id])
            (folder / f"{name}.xml").write_bytes(data)
    return folder


def tandem(*words: str) -> list[str]:
    return [sys.executable, "-c", TANDEM, *words]


def best(command: Sequence[str], runs: int) -> Run:
    done = [run(command) for _ in range(runs + 1)][1:]  # the first fills caches
    return Run(*(min(values) for values in zip(*done, strict=True)))


def run(command: Sequence[str]) -> Run:
    begun = time.perf_counter()
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1):
        raise SystemExit(f"{command} ended with {process.returncode}")
    wall = time.perf_counter() - begun
    return Run(wall, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


if __name__ == "__main__":
    main()
