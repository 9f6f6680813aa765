"""How commands about a project grow with it: processor time and memory of whole processes.

Run it as a program: `python -m tests.benchmarks.bench_growth [--records N ...] [--only NAME ...]
[--folder DIR] [--cores N]`. 296 patients are fabricated once, and two annotators and the gold
standard of each; a larger corpus is the same files under other names, so that its records are as
long and as tagged as the others. `new` makes a project with the layers of both and the gold
standard, `score` measures one folder against the other, `agreement` prints the figures and
`report` writes all of it with 1,000 bootstrap samples. `CPU` is user and system time of the command
with all processes that it began, `wall` that of the clock, `peak` the resident memory of its
largest process; the exponent is how CPU grows from the size before, 1 being in proportion. With
several `--cores` the last column is what is gained of them: one over so many times the wall.
`--folder` keeps the corpora there and takes them again the next time.
"""

import argparse
import math
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from shared.commands.output import print_table
from shared.formats.i2b2_xml import format_record
from shared.model import Layer
from shared.synthetic import fabricate
from shared.synthetic.annotators import annotate

PATIENTS, RECORDS = 296, 1304
SIDES = ("ana", "ben", "gold")
_SIZES = (1_304, 13_040, 130_400)
_TANDEM = "import sys; from shared.commands.main import main; sys.exit(main())"
_HEADERS = ("command", "records", "cores", "CPU (s)", "µs/record", "exponent", "peak (MB)",
            "wall (s)", "efficiency")  # fmt: skip
_WITH_CORES = ("score", "agreement", "report")


@dataclass(frozen=True, slots=True)
class Taken:
    """What a process took, with all that it began: seconds, and bytes of the largest of them."""

    cpu: float
    wall: float
    peak: int


def main() -> None:
    parser = argparse.ArgumentParser(description="How commands grow with a project.")
    parser.add_argument("--records", type=int, nargs="+", default=_SIZES)
    parser.add_argument("--only", nargs="+", help="these commands")
    parser.add_argument("--cores", type=int, nargs="+", default=[1])
    parser.add_argument("--folder", type=Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        root: Path = arguments.folder or Path(name)
        rows: dict[str, list[list[str]]] = {}
        known: dict[tuple[str, int], tuple[int, Taken]] = {}
        for records in arguments.records:
            corpus = root / str(records)
            if not corpus.exists():
                write_corpus(corpus, records)
            for command, words in commands(corpus):
                is_made = (corpus / "project").exists()
                is_wanted = not arguments.only or command in arguments.only
                if is_made if command == "new" else not is_wanted:
                    continue
                alone: float | None = None
                for cores in arguments.cores if command in _WITH_CORES else [1]:
                    more = ["--cores", str(cores)] if command in _WITH_CORES else []
                    taken = measured([*words, *more])
                    before = known.get((command, cores))
                    known[command, cores] = records, taken
                    alone = taken.wall if cores == 1 else alone
                    row = row_of(records, cores, taken, before, alone)
                    rows.setdefault(command, []).append([command, *row])
                    print(*rows[command][-1], sep="\t", flush=True)
        print_table([row for some in rows.values() for row in some], _HEADERS)


def commands(corpus: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield each command by its name in the table, with its arguments."""
    project, report = str(corpus / "project"), str(corpus / "report")
    sides = {name: str(corpus / name) for name in SIDES}
    layers = [word for name in SIDES[:2] for word in ("--layer", f"{name}={sides[name]}")]
    yield (
        "new",
        ["new", project, "--records", sides["ana"], *layers, "--gold", sides["gold"],
         "--annotators", "ana,ben"],
    )  # fmt: skip
    yield "status", ["status", project]
    yield "score", ["score", sides["ana"], sides["ben"]]
    yield "agreement", ["agreement", project]
    yield "report", ["agreement", project, "--out", report]


def row_of(
    records: int, cores: int, taken: Taken, before: tuple[int, Taken] | None, alone: float | None
) -> list[str]:
    exponent = ""
    if before is not None:
        smaller, other = before
        exponent = f"{math.log(taken.cpu / other.cpu) / math.log(records / smaller):.2f}"
    is_shared = cores > 1 and alone is not None
    return [
        *(f"{records:,}", str(cores), f"{taken.cpu:.1f}", f"{taken.cpu / records * 1e6:.0f}"),
        *(exponent, f"{taken.peak / 1e6:.0f}", f"{taken.wall:.1f}"),
        f"{alone / (cores * taken.wall):.2f}" if is_shared and alone else "",
    ]


def measured(words: Sequence[str]) -> Taken:
    """Run a command, which must end well, and return what it took."""
    begun = time.perf_counter()
    child = subprocess.Popen([sys.executable, "-c", _TANDEM, *words], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise SystemExit(f"tandem {' '.join(words)} ended with {child.returncode}")
    wall = time.perf_counter() - begun
    return Taken(usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss * 1024)


def write_corpus(corpus: Path, records: int) -> None:
    """Write a folder for each side: the fabricated files, then these again under other names."""
    made: list[tuple[str, dict[str, bytes]]] = []
    for one in fabricate(PATIENTS, 1, records=min(records, RECORDS)):
        layers = [annotate(one, side, 1) for side in SIDES[:2]]
        for document in one.patient.documents:
            name = document.record_id
            of_sides: list[Layer] = [*(each[name] for each in layers), one.gold[name]]
            data = (format_record(document.text, each, bare=True) for each in of_sides)
            made.append((name, dict(zip(SIDES, data, strict=True))))
    for side in SIDES:
        (corpus / side).mkdir(parents=True)
        for number in range(records):
            copy, at = divmod(number, len(made))
            name, files = made[at]
            first = corpus / side / f"{name}.xml"
            if copy == 0:
                first.write_bytes(files[side])
            else:
                (corpus / side / f"{copy:03}{name}.xml").hardlink_to(first)


if __name__ == "__main__":
    main()
