"""Random input to both windows: nothing breaks, and journal, files, figures and decisions agree."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from adjudicator.session import AdjudicationSession
from adjudicator.worklist import OpenOptions
from annotator.session import AnnotationSession
from shared.project.project import Project
from shared.project.settings import GOLD
from tests.end_to_end.window_checks import of_gold, replayed, tags_of

pytestmark = pytest.mark.end_to_end

ROOT = Path(__file__).parents[2]
KINDS = ("annotation", "adjudication")
SLOW = [pytest.mark.slow, pytest.mark.timeout(1500)]


def start(kind: str, folder: Path, seed: int, minutes: float) -> subprocess.Popen[str]:
    """The program beside this one: where Qt itself breaks, it takes no test with it."""
    name = ["-m", "tests.end_to_end.use_at_random", kind]
    options = ["--seed", str(seed), "--minutes", str(minutes), "--folder", str(folder)]
    environment = os.environ | {"QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(
        [sys.executable, *name, *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=environment,
        text=True,
        start_new_session=True,
    )


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("seed", "minutes"),
    [(1, 0.15), *(pytest.param(seed, 5, marks=SLOW) for seed in (2, 3, 4))],
)
def test_nothing_breaks_and_everything_agrees(tmp_path, kind, seed, minutes):
    process = start(kind, tmp_path, seed, minutes)
    said, _ = process.communicate()
    assert process.returncode == 0, said
    if kind == "annotation":
        assert_can_be_undone(Project.open(tmp_path / "project"))


@pytest.mark.slow
@pytest.mark.timeout(1500)
@pytest.mark.parametrize("kind", KINDS)
def test_a_killed_window_leaves_journal_files_and_decisions_in_agreement(tmp_path, kind):
    draw = random.Random(kind)
    for seed in range(6):
        process = start(kind, tmp_path, seed, 5)
        time.sleep(draw.uniform(5, 40))
        os.killpg(process.pid, signal.SIGKILL)
        said, _ = process.communicate()
        assert process.returncode == -signal.SIGKILL, said
        assert_agrees(Project.open(tmp_path / "project"), kind)


def assert_can_be_undone(project: Project) -> None:
    for patient_id in project.patient_ids:
        with AnnotationSession(project, "ana", patient_id) as session:
            while session.undo() is not None:
                pass
            assert not session.tags


def assert_agrees(project: Project, kind: str) -> None:
    owner = GOLD if kind == "adjudication" else "ana"
    for patient_id in project.patient_ids:
        if not project.journal_path(owner, patient_id).exists():
            continue
        journal = replayed(project, patient_id, owner, from_files=False)
        assert replayed(project, patient_id, owner, from_files=True) == journal
        with open_session(project, kind, patient_id) as session:
            assert tags_of(session.layer) == journal
            session.save()
        assert replayed(project, patient_id, owner, from_files=True) == journal
    assert not list(of_gold(project))


def open_session(project: Project, kind: str, patient_id: str):
    if kind == "annotation":
        return AnnotationSession(project, "ana", patient_id)
    return AdjudicationSession(project, patient_id, "carol", OpenOptions(force=True))
