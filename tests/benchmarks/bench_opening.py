"""How long it takes until the windows on a large project are there, with a patient on the screen.

Run it as a program: `python -m tests.benchmarks.bench_opening [--patients N] [--runs N]`. Each
window is opened in a process of its own, without a screen; a third of the patients are done by both
annotators, with tags of a first and a second opinion. Figures are the best of several runs, in
seconds: `CPU` what the process took of all cores and `wall` by the clock, from the command to the
first patient on the screen, `imports` how much of the former went by before the project was opened.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from shared.commands.output import print_table
from shared.formats.base import Record
from shared.model import Document, Layer, Span, Tag
from shared.model.i2b2_2014 import I2B2_2014
from shared.project.project import Project
from tests.benchmarks.bench_status import ANNOTATORS, DATE, DATE_AT, SENTENCE, SENTENCES, records

_WINDOWS = ("annotation", "adjudication")


def main() -> None:
    parser = argparse.ArgumentParser(description="How long windows take to open.")
    parser.add_argument("--patients", type=int, default=5000)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--open", choices=_WINDOWS, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.open:
        open_window(arguments.open, arguments.folder)
        return
    with tempfile.TemporaryDirectory() as name:
        root: Path = arguments.folder or Path(name) / "project"
        if not root.exists():
            make_project(root, arguments.patients)
        rows: list[list[str]] = []
        for window in _WINDOWS:
            command = [sys.executable, "-m", __spec__.name, "--open", window, "--folder", str(root)]
            figures = min(timed(command) for _ in range(arguments.runs))
            rows.append([window, f"{arguments.patients:,}", *(f"{each:.2f}" for each in figures)])
        print_table(rows, ["window", "patients", "CPU", "wall", "imports"])


def make_project(root: Path, patients: int) -> None:
    done = records(range(patients // 3))
    layers = {
        name: [tagged(each.document, longer=at) for each in done]
        for at, name in enumerate(ANNOTATORS)
    }
    Project.create(root, "Bench", I2B2_2014, records(range(patients)), ANNOTATORS, 1, layers=layers)


def tagged(document: Document, *, longer: int) -> Record:
    """A record with a date in each sentence, of which one may be marked too late."""
    starts = [number * len(SENTENCE) + DATE_AT for number in range(SENTENCES)]
    tags = [Tag(Span(at + (longer if at == starts[-1] else 0), at + 9), DATE) for at in starts]
    return Record(document, (Layer.of(document.record_id, "", tags),))


def timed(command: list[str]) -> tuple[float, float, float]:
    """CPU and wall until the window is there, and CPU before the project was opened."""
    begun = time.perf_counter()
    environment = os.environ | {"QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    wall_ended, imports, cpu = map(float, done.stdout.split())
    return cpu, wall_ended - begun, imports


def open_window(window: str, root: Path) -> None:
    """Open a window and print when, by the clock, and what was taken before and until then."""
    from PySide6.QtWidgets import QApplication

    from adjudicator import app as adjudicator
    from annotator import app as annotator
    from shared.widgets.settings.user_folders import all_kept_in
    from shared.widgets.window.application import create_application

    with tempfile.TemporaryDirectory() as kept, all_kept_in(Path(kept)):
        create_application([])
        imports = time.process_time()
        project = Project.open(root)
        is_annotation = window == "annotation"
        shown = (
            annotator.open_window(project, ANNOTATORS[0])
            if is_annotation
            else adjudicator.open_window(project)
        )
        QApplication.processEvents()
        print(time.perf_counter(), imports, time.process_time(), flush=True)
        shown.close()


if __name__ == "__main__":
    main()
