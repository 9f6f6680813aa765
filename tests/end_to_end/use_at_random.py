"""Run as a program: a window that is used at random for some minutes; ends with 1 where it breaks.

    python -m tests.end_to_end.use_at_random adjudication --seed 7 --minutes 5

After so many steps, and at each end of the window, what must be so is checked. `--folder` goes on
with a project that an earlier run, ended or killed, has left. A seed draws the same input; what
comes of it may differ, since files and findings are made beside the window. With `--steps-to` every
step is written to a file, the last line is what a window died of.
"""

import argparse
import faulthandler
import logging
import os
import sys
import tempfile
import time
import traceback
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from types import TracebackType

from PySide6.QtCore import QEvent, QtMsgType, qInstallMessageHandler
from PySide6.QtWidgets import QApplication

from adjudicator.ui.main_window import AdjudicationWindow
from adjudicator.worklist import OpenOptions
from annotator.session import AnnotationSession
from annotator.ui.main_window import AnnotationWindow
from shared.errors import TandemError
from shared.formats.base import Record
from shared.model import Document, Layer, Span, Tag
from shared.model.i2b2_2014 import I2B2_2014
from shared.project.assignments import State
from shared.project.project import Project
from shared.synthetic import FabricatedPatient, annotate, fabricate
from shared.synthetic.annotators import USUAL_ERROR_RATES
from shared.widgets.window.application import create_application
from shared.widgets.window.patient_window import PatientWindow
from tests.end_to_end import window_checks as checks
from tests.end_to_end.random_input import RandomInput

FAULTS = replace(USUAL_ERROR_RATES, usually_missed=0.12, edges=0.2)
"""More than people make, so that there is enough to decide."""
NASTY = (
    "王小明来自北京。\n王小明先生于2071年3月4日入院，由李大为医生诊治。王小明次日出院。\n" * 6,
    "المريض أحمد علي من بغداد.\nقال د. علي حسن إن أحمد علي جاء في 3/4/2071.\n" * 6,
    "Seen by 😀 Dr. Zoë Mül-\nler on 2071-03-04. e\u0301 Zoë Müller, Müllers\t\x0cEnd.\n" * 6,
    "",
    "one line that goes on and on with Dr. Lee in it " * 60,
)
_STRANGE = "This plugin does not support "
_EVERY = 150
"""So many steps from check to check."""


def make_project(root: Path, seed: int, kind: str) -> Project:
    """A project of fabricated patients and one in other scripts.

    The others have tagged it, and where it is to be adjudicated, so has the first annotator.
    """
    made = list(fabricate(3, seed))
    nasty = [Document(f"900-0{at}", "900", text) for at, text in enumerate(NASTY, start=1)]
    documents = [each for one in made for each in one.patient.documents] + nasty
    records = [Record(each) for each in documents]
    names = ["ana", "ben", "cem"] if seed % 3 == 0 else ["ana", "ben"]
    project = Project.create(
        root, "Random", I2B2_2014, records, names, seed, per_patient=len(names)
    )
    for name in names[0 if kind == "adjudication" else 1 :]:
        for patient_id in project.patient_ids:
            layers = _layers(project, patient_id, name, made, seed)
            for document in project.patient(patient_id).documents:
                project.write_layer(name, document, layers[document.record_id], None)
    return project


def _layers(
    project: Project, patient_id: str, name: str, made: Iterable[FabricatedPatient], seed: int
) -> dict[str, Layer]:
    for each in made:
        if each.patient.id == patient_id:
            return annotate(each, name, seed, FAULTS)
    draw = Random(f"{seed} {name}")
    return {
        each.record_id: Layer.of(each.record_id, name, _any_tags(each.text, draw))
        for each in project.patient(patient_id).documents
    }


def _any_tags(text: str, draw: Random) -> Iterator[Tag]:
    types = [each.phi_type for each in I2B2_2014.types()]
    for _ in range(12 if text else 0):
        start = draw.randrange(len(text) - 1)
        end = min(len(text), start + draw.randrange(1, 12))
        if text[start:end].strip():
            yield Tag(Span(start, end), draw.choice(types))


class Watch(logging.Handler):
    """Collects what must not come up: errors, warnings of the log and of Qt."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.seen: list[str] = []
        self.secrets: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.seen.append(f"log: {record.name}: {record.getMessage()}")

    def note_qt(self, kind: QtMsgType, _context: object, message: str) -> None:
        if kind != QtMsgType.QtDebugMsg and not message.startswith(_STRANGE):
            frames = traceback.extract_stack(limit=8)[:-1]
            where = " < ".join(f"{each.name}:{each.lineno}" for each in reversed(frames))
            self.seen.append(f"Qt: {message} at {where}")

    def note_error(
        self, kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        sys.__excepthook__(kind, error, trace)
        self.seen.append(f"error: {kind.__name__}")

    def begin(self) -> None:
        logging.getLogger().addHandler(self)
        qInstallMessageHandler(self.note_qt)
        sys.excepthook = self.note_error


class Use:
    """Uses the window of a project until the time is over, and says what was wrong."""

    def __init__(self, kind: str, project: Project, folder: Path, seed: int, log: Path | None):
        self.kind, self.project, self.folder = kind, project, folder
        self.draw, self.watch = Random(f"{kind} {seed}"), Watch()
        self.steps, self.memory = 0, list[int]()
        self._log = log.open("w") if log else None
        self._secrets = sorted(_secrets(project))

    def run(self, seconds: float) -> list[str]:
        """Open windows one after the other; each says what was wrong when it was left."""
        create_application([])
        self.watch.begin()
        self._finish_others()
        until, wrong = time.monotonic() + seconds, list[str]()
        while not wrong and time.monotonic() < until:
            wrong = self._use_one(until)
        return wrong

    def _use_one(self, until: float) -> list[str]:
        window = self._open()
        user = RandomInput(window, self.draw)
        wrong = list[str]()
        while window.isVisible() and not wrong and time.monotonic() < until:
            self._step(user)
            wrong = [*self.watch.seen]
            if not wrong and self.steps % _EVERY == 0:
                self._settle()
                if window.isVisible():
                    wrong = list(self._check(window))
                    self._interfere()
        if not wrong:
            _leave(window)
            wrong = [*self.watch.seen, *self._afterwards()]
        if wrong:
            wrong += [f"step {self.steps}, before: {each}" for each in user.recent]
        window.deleteLater()
        return wrong

    def _step(self, user: RandomInput) -> None:
        self.steps += 1
        try:
            user.step()
        finally:
            if self._log and user.recent:
                print(self.steps, user.recent[-1], file=self._log, flush=True)
        _run()

    def _settle(self) -> None:
        until = time.monotonic() + 0.2
        while time.monotonic() < until:
            _run()
            time.sleep(0.005)

    def _check(self, window: PatientWindow) -> Iterator[str]:
        self.memory.append(checks.memory())
        yield from checks.while_open(window, self.project)
        yield from checks.titles(self._secrets)
        if self.steps % (4 * _EVERY) == 0:
            yield from checks.once_saved(window, self.project, self.folder)
            yield from checks.while_open(window, self.project)

    def _afterwards(self) -> Iterator[str]:
        yield from checks.of_gold(self.project) if self.kind == "adjudication" else ()
        home = [self.folder / "home" / each for each in ("config", "state")]
        yield from checks.outside(self.project, home, self._secrets)

    def _open(self) -> PatientWindow:
        window: PatientWindow
        if self.kind == "annotation":
            window = AnnotationWindow(self.project, "ana", learns=self.draw.random() < 0.5)
        else:
            options = OpenOptions(self.draw.random() < 0.2, blind=self.draw.random() < 0.3)
            window = AdjudicationWindow(self.project, "carol", options)
        window.show()
        window.open_patient(None)
        if window.session is None:
            window.open_patient(self.draw.choice(self.project.patient_ids))
        return window

    def _finish_others(self) -> None:
        """Have everything to adjudicate."""
        if self.kind == "adjudication":
            for each in self.project.assignments():
                self.project.set_state(each.patient_id, each.annotator, State.DONE)

    def _interfere(self) -> None:
        """Now and then an annotator goes on with a patient that was done."""
        if self.kind != "adjudication" or self.draw.random() < 0.9:
            return
        patient_id = self.draw.choice(self.project.patient_ids)
        try:
            with AnnotationSession(self.project, "ana", patient_id) as session:
                tags = list(session.tags)
                if tags:
                    session.remove([self.draw.choice(tags)])
                if self.draw.random() < 0.7:
                    session.finish()
        except TandemError as error:
            self.watch.seen.append(f"an annotator: {error}")


def _leave(window: PatientWindow) -> None:
    for each in QApplication.topLevelWidgets():
        if each is not window and each.isVisible():
            each.close()
    if window.isVisible() and not window.close():
        window.close()
    _run()


def _run() -> None:
    """What the loop of an application does, which also deletes."""
    QApplication.processEvents()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def _secrets(project: Project) -> set[str]:
    """PHI that stands in no other file but by way of a fault."""
    found: set[str] = set()
    for patient_id in project.patient_ids:
        for document in project.patient(patient_id).documents:
            for name in project.annotators:
                tags = project.read_layer(name, document).layer.tags
                found |= {each.span.text_in(document.text) for each in tags}
    return {each for each in found if len(each) >= 8 and not each.isdigit()}


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=("annotation", "adjudication"))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--folder", type=Path, help="where the project is made, or is already")
    parser.add_argument("--steps-to", type=Path, help="a file for every step")
    arguments = parser.parse_args(argv)
    faulthandler.enable()
    folder = arguments.folder or Path(tempfile.mkdtemp(prefix="random-use-"))
    root = folder / "project"
    for name in ("CONFIG", "DATA", "STATE", "CACHE"):
        os.environ[f"XDG_{name}_HOME"] = str(folder / "home" / name.lower())
    project = (
        Project.open(root) if root.exists() else make_project(root, arguments.seed, arguments.kind)
    )
    use = Use(arguments.kind, project, folder, arguments.seed, arguments.steps_to)
    wrong = use.run(60 * arguments.minutes)
    sizes = " ".join(map(str, use.memory[:: max(1, len(use.memory) // 12)]))
    print(f"{arguments.kind}, seed {arguments.seed}: {use.steps} steps, {folder}, MB: {sizes}")
    print("\n".join(wrong))
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
