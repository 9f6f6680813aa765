"""How long `tandem status` takes on a project with many patients, of whom some were worked on.

Run it as a program: `python -m tests.benchmarks.bench_status [--patients N] [--worked-on N]`. Two
annotators have finished every patient that was worked on, one by one in sessions, and the
adjudicator has opened half of these, so that layers, journals and logs are what windows leave.
`--folder` makes the project there once and takes it again the next time; a folder in memory spares
the disk. "wall" is the best of several runs of the command in a process of its own, "CPU" what it
and its helpers took of all cores in that run; the last row is Python alone, which begins and ends.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

from adjudicator.session import AdjudicationSession
from annotator.session import AnnotationSession
from shared.commands.output import print_table
from shared.formats.base import Record
from shared.model import Document, PhiType, Span
from shared.model.i2b2_2014 import I2B2_2014
from shared.project.new_patients import NewPatients, add_patients
from shared.project.project import Project
from shared.project.work_sharing import Staffing, planned_moves, reassign

RECORDS, SENTENCES = 2, 8
SENTENCE = "Seen by Dr. Okafor on 4/17/2068. Mr. Petty feels well. "
DATE, DATE_AT = PhiType("DATE", "DATE"), 22
ANNOTATORS = ("ana", "ben")
_RUNS = 5
_TANDEM = "import sys; from shared.commands.main import main; sys.exit(main())"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--patients", type=int, default=5000)
    parser.add_argument("--worked-on", type=int, default=1000)
    parser.add_argument("--runs", type=int, default=_RUNS)
    parser.add_argument("--folder", type=Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        root: Path = arguments.folder or Path(name) / "project"
        if not root.exists():
            make_project(root, arguments.patients, arguments.worked_on)
        command = [sys.executable, "-c", _TANDEM, "status", str(root)]
        rows = [
            ["tandem status", *figures(command, arguments.runs)],
            ["tandem status --time", *figures([*command, "--time"], arguments.runs)],
            ["python", *figures([sys.executable, "-c", ""], arguments.runs)],
        ]
        print_table(rows, ["what", "wall (s)", "CPU (s)"])


def make_project(root: Path, patients: int, worked_on: int) -> None:
    """Make a project as its windows leave it, to which those that nobody begins come at the end."""
    project = Project.create(root, "Bench", I2B2_2014, records(range(worked_on)), ANNOTATORS, 1)
    for at, patient_id in enumerate(project.patient_ids):
        for each in ANNOTATORS:
            annotate(project, each, patient_id)
        if at < worked_on // 2:
            AdjudicationSession(project, patient_id, "carol").close()
    new = NewPatients.of(project, records(range(worked_on, patients)))
    moves = planned_moves(project, Staffing(), 1, new.patient_ids)
    add_patients(project, new)
    reassign(project, moves.give, moves.take_back)


def records(numbers: Iterable[int]) -> list[Record]:
    """The records of patients with these numbers."""
    return [
        Record(Document(f"{1000 + at}-{number:02}", str(1000 + at), SENTENCE * SENTENCES))
        for at in numbers
        for number in range(1, RECORDS + 1)
    ]


def annotate(project: Project, annotator: str, patient_id: str) -> None:
    """Tag four dates, of which the second annotator marks the last too long."""
    with AnnotationSession(project, annotator, patient_id) as session:
        for number in range(4):
            start = number * len(SENTENCE) + DATE_AT
            longer = number == 3 and annotator == ANNOTATORS[1]
            session.tag(Span(start + longer, start + 9), DATE)
        session.finish()


def figures(command: Sequence[str], runs: int) -> list[str]:
    """The wall time of the best run, and what it took of all cores."""
    return [f"{each:.2f}" for each in min(timed(command) for _ in range(runs))]


def timed(command: Sequence[str]) -> tuple[float, float]:
    """Seconds until a command has ended well, and of processor time with all it started."""
    before, begun = os.times(), time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    taken, after = time.perf_counter() - begun, os.times()
    spent = after.children_user - before.children_user
    return taken, spent + after.children_system - before.children_system


if __name__ == "__main__":
    main()
