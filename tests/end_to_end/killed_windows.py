"""Both windows, used by a script that tells after each key what was shown by then.

The same script does the same each time, so that what a killed window has kept can be held against
what an undisturbed one has shown: all that was shown, and at most the step that was under way.
"""

import json
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from adjudicator.session import AdjudicationSession
from adjudicator.ui.main_window import AdjudicationWindow
from adjudicator.worklist import OpenOptions
from annotator.session import AnnotationSession
from annotator.ui.main_window import AnnotationWindow
from shared.errors import LockedError, TandemError
from shared.formats import i2b2_xml
from shared.project.assignments import State as WorkState
from shared.project.lock import acquire_lock
from shared.project.patient_session import PatientSession
from shared.project.project import Project
from shared.project.settings import GOLD
from shared.project.verifying import verify
from shared.widgets.window.application import create_application
from shared.widgets.window.patient_window import PatientWindow
from tests.end_to_end.killed_process import Tell

CONTROL, NONE = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.NoModifier
TAGGING = (Qt.Key.Key_D, Qt.Key.Key_P, Qt.Key.Key_O)
DECIDING = (Qt.Key.Key_1, Qt.Key.Key_2, Qt.Key.Key_3, Qt.Key.Key_0)
REFUSED = 75
"""The exit status of a window that says why it does not open the patient."""
_SAVED = ("All saved", "Saved ")
_TRAINING = 60.0
"""Seconds within which a window has begun all that it does beside itself."""
State = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Shown:
    """What was shown after a step; `saved` where the window said that the files have it."""

    phase: str
    saved: bool
    state: State

    @classmethod
    def told(cls, line: str) -> "Shown":
        return cls(**json.loads(line))


@dataclass(frozen=True, slots=True)
class WindowScript:
    """Which window is used, on whose layers of which patient, by so many steps of a seed."""

    kind: str
    patient_id: str
    steps: int
    seed: int

    @property
    def owner(self) -> str:
        return "ana" if self.kind == "annotation" else GOLD

    def use(self, tell: Tell) -> int:
        """Use the window of the project in this folder, mark the patient as done, and close it."""
        return _in_window(
            self, lambda window: _User(window, Random(self.seed), tell).use(self.steps)
        )

    def open(self, project: Project) -> PatientSession:
        """Open again what was left."""
        if self.kind == "annotation":
            return AnnotationSession(project, self.owner, self.patient_id)
        return AdjudicationSession(project, self.patient_id, "carol", OpenOptions(force=True))


class _User:
    """Presses the keys of a script."""

    def __init__(self, window: PatientWindow, draw: Random, tell: Tell) -> None:
        self.window, self.draw, self.tell = window, draw, tell
        self.session = window.session
        self.text = window.view.merged_view.text

    def use(self, steps: int) -> None:
        self.tell_state("opened")
        for _ in range(steps):
            self._step()
        self._finish()

    def _step(self) -> None:
        at = self.draw.randrange(20)
        {0: self._save, 1: self._wait, 2: self._undo, 3: self._redo, 4: self._remove}.get(
            at, self._edit
        )()
        self.tell_state("editing")

    def tell_state(self, phase: str) -> None:
        QApplication.processEvents()
        self.window.view.repaint()
        said = self.window._parts.saved.text()
        saved = said.startswith(_SAVED) and not self.session.unsaved
        self.tell(json.dumps({"phase": phase, "saved": saved, "state": state_of(self.session)}))

    def _finish(self) -> None:
        """Mark the patient as done, decided or not."""
        if isinstance(self.session, AdjudicationSession):
            while (left := self.session.queue.next_open()) is not None:
                self.window.disagreements.show(left)
                self._press(Qt.Key.Key_0)
                self.tell_state("deciding the rest")
        self.tell(json.dumps({"phase": "finishing", "saved": False, "state": {}}))
        try:
            self.session.finish()
        except TandemError:  # the window says why, and its user tries again
            self.session.finish()
        self.tell_state("finished")

    def _edit(self) -> None:
        if isinstance(self.session, AdjudicationSession) and self.draw.random() < 0.7:
            self._press(self.draw.choice(DECIDING))
            return
        words = [
            at
            for at in range(1, len(self.text))
            if self.text[at].isalpha() and not self.text[at - 1].isalnum()
        ]
        self.window.view.set_caret(self.draw.choice(words))
        self._press(self.draw.choice(TAGGING))

    def _remove(self) -> None:
        tags = sorted(self.session.tags, key=lambda each: each.start)
        if tags:
            self.window.view.set_caret(self.draw.choice(tags).start)
            self._press(Qt.Key.Key_Delete)

    def _undo(self) -> None:
        self._press(Qt.Key.Key_Z, CONTROL)

    def _redo(self) -> None:
        self._press(Qt.Key.Key_Y, CONTROL)

    def _save(self) -> None:
        self.window.save_now()

    def _wait(self) -> None:
        QTest.qWait(30)  # what is done beside the window comes in between

    def _press(self, key: Qt.Key, modifiers: Qt.KeyboardModifier = NONE) -> None:
        QTest.keyClick(self.window.view, key, modifiers)


def state_of(session: PatientSession) -> State:
    """The tags of a session, and the decisions where it has any."""
    tags = sorted(_tag(each.record_id, each.tag) for each in session.tags)
    decisions: list[Any] = []
    if isinstance(session, AdjudicationSession):
        decided = ((each, session.queue.decision(each)) for each in session.queue)
        decisions = [[str(each.key), str(by.choice)] for each, by in decided if by is not None]
    return json.loads(json.dumps({"tags": tags, "decisions": sorted(decisions)}))


def _tag(record_id: str, tag: Any) -> list[object]:
    return [record_id, tag.span.start, tag.span.end, tag.phi_type.name]


def filed(script: WindowScript, project: Project) -> Iterator[tuple[str, list[list[object]]]]:
    """The tags that the file of each record has, whatever the journal says."""
    for record_id in project.record_ids(script.patient_id):
        path = project.layer_path(script.owner, record_id)
        tags = i2b2_xml.read_record(path).tags if path.exists() else ()
        yield record_id, sorted(_tag(record_id, each) for each in tags)


def _of_record(state: State, record_id: str) -> list[list[object]]:
    return [each for each in state["tags"] if each[0] == record_id]


def wrong_after_kill(
    script: WindowScript, root: Path, course: Sequence[Shown], told: Sequence[Shown]
) -> Iterator[str]:
    """What is lost of what a killed window had shown, once it is open again."""
    yield from (f"after the kill: {each}" for each in verify(root).discrepancies)
    states = [each.state for each in course if each.state]
    shown = [each.state for each in told if each.state]
    if shown != states[: len(shown)]:
        yield "the script did something else this time"
        return
    project = Project.open(root)
    with script.open(project) as session:
        yield from (f"said at the opening: {each}" for each in session.notices)
        kept = state_of(session)
        if kept not in states[max(0, len(shown) - 1) : len(shown) + 1]:
            yield f"of {len(shown)} steps shown, another state is kept"
        if any(each.phase == "finished" for each in told) and not _is_done(session):
            yield "the patient was shown as done and is not"
        session.save()
    for record_id, tags in filed(script, project):
        if tags != _of_record(kept, record_id):
            yield f"once saved, the file of {record_id} has something else"
    yield from (f"after the opening: {each}" for each in verify(root).discrepancies)


def _is_done(session: PatientSession) -> bool:
    if isinstance(session, AdjudicationSession):
        return session.is_done
    return isinstance(session, AnnotationSession) and session.state is WorkState.DONE


def unsaved_though_said(
    script: WindowScript, root: Path, course: Sequence[Shown], told: Sequence[Shown]
) -> Iterator[str]:
    """Whether the files had, right after the kill, what the window had said they have."""
    saved = [number for number, each in enumerate(told) if each.saved]
    if saved:
        possible = [each.state for each in course[saved[-1] : len(told) + 1] if each.state]
        for record_id, tags in filed(script, Project.open(root)):
            if tags not in [_of_record(each, record_id) for each in possible]:
                yield f"the window said that all is saved, and the file of {record_id} has it not"


def left_behind(root: Path) -> Iterator[str]:
    """What killed processes have left in a folder of a project."""
    for each in root.rglob("*"):
        is_hidden = each.name.startswith(".") or each.suffix in {".lock", ".tmp"}
        if is_hidden and not _is_nobodys(each):
            yield f"{each.relative_to(root)} is left behind"


def _is_nobodys(lock: Path) -> bool:
    """Whether a lock is taken over by whoever needs it next; it is gone then."""
    if lock.suffix != ".lock":
        return False
    with suppress(LockedError):
        acquire_lock(lock, "whoever comes next").release()
    return not lock.exists()


def reopen(script: WindowScript) -> int:
    """Open the window again, until what was left of its helpers is gone, and close it."""
    root = Path("project").absolute()
    of_training = root.glob("models/.*") if script.kind == "annotation" else ()
    left = {each: _content(each) for each in (*of_training, *root.parent.glob("tmp/*"))}

    def wait(_window: PatientWindow) -> None:
        until = time.monotonic() + _TRAINING
        while any(_content(each) == was for each, was in left.items()) and time.monotonic() < until:
            QTest.qWait(20)

    return _in_window(script, wait)


def _content(path: Path) -> bytes | None:
    """What tells a file from its successor; None where there is none, nothing of a folder."""
    try:
        return path.read_bytes() if path.is_file() else b"" if path.exists() else None
    except FileNotFoundError:
        return None


def _in_window(script: WindowScript, do: Callable[[PatientWindow], None]) -> int:
    """Open the window as the program does, do it there, close the window; the exit status."""
    application = create_application([])
    project = Project.open(Path("project").absolute())
    window: PatientWindow
    if script.kind == "annotation":
        window = AnnotationWindow(project, script.owner)
    else:
        window = AdjudicationWindow(project, "carol", OpenOptions(force=True))
    window.show()
    window.open_patient(script.patient_id)
    if window.session is None:
        return REFUSED
    done: list[bool] = []

    def use() -> None:
        try:
            do(window)
            done.append(True)
        finally:
            window.close()
            application.quit()

    QTimer.singleShot(0, use)
    status = application.exec()
    return status if done else 70
