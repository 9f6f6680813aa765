"""Whatever the screen has shown is there again after the program was killed."""

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from annotator.session import AnnotationSession
from shared.formats.base import Record
from shared.model import Document
from shared.model.i2b2_2014 import I2B2_2014
from shared.project.project import Project

PROGRAM = Path(__file__).with_name("tag_until_killed.py")
ROOT = Path(__file__).parents[2]


def words(seed, count):
    draw = random.Random(seed)
    return " ".join("".join(draw.choices("abcdefgh", k=6)) for _ in range(count))


@pytest.fixture
def project(tmp_path):
    records = [Record(Document(f"1-0{at}", "1", words(at, 2000))) for at in (1, 2)]
    return Project.create(tmp_path / "p", "p", I2B2_2014, records, ["ana", "ben"], 1)


def run_and_kill(project, after):
    """Kill the window after it has shown `after` tags; returns those it had shown by then."""
    environment = os.environ | {"QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        [sys.executable, PROGRAM, project.root, "ana", "1"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
        text=True,
    ) as process:
        lines = []
        for line in process.stdout:
            lines.append(line.split())
            if len(lines) > after:
                process.kill()
        errors = process.stderr.read()
    assert lines[:1] == [["ready"]], errors
    return {(record, int(start), int(end)) for record, start, end in lines[1:]}


def kept(project):
    with AnnotationSession(project, "ana", "1") as session:
        return {(each.record_id, each.tag.start, each.tag.end) for each in session.tags}


@pytest.mark.end_to_end
@pytest.mark.parametrize(
    "kills", [5, pytest.param(50, marks=[pytest.mark.slow, pytest.mark.timeout(900)])]
)
def test_every_tag_that_was_shown_is_there_again(project, kills):
    draw, shown = random.Random(kills), set()
    for _ in range(kills):
        shown |= run_and_kill(project, draw.randrange(0, 60))
    assert shown
    assert shown <= kept(project)
