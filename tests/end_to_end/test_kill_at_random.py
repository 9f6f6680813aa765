"""A few kills of each kind; `python -m tests.end_to_end.kill_at_random` makes as many as wanted."""

import os
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

pytestmark = [
    pytest.mark.end_to_end,
    pytest.mark.skipif(not hasattr(os, "fork"), reason="what is killed is a copy of a process"),
]


SLOW = [pytest.mark.slow, pytest.mark.timeout(900)]


@pytest.mark.parametrize(
    ("what", "kills"),
    [
        ("annotation", 2),
        pytest.param("adjudication", 20, marks=SLOW),
        pytest.param("surrogate", 20, marks=SLOW),
    ],
)
def test_nothing_is_lost(what, kills):
    words = ["--what", what, "--kills", str(kills), "--seed", "1"]
    done = subprocess.run(
        [sys.executable, "-m", "tests.end_to_end.kill_at_random", *words],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{what}: {kills} kills" in done.stdout


def test_a_run_that_is_refused_after_a_kill_is_told(tmp_path, monkeypatch):
    pytest.importorskip("PySide6")
    from tests.end_to_end import kill_at_random
    from tests.end_to_end.killed_commands import Undisturbed
    from tests.end_to_end.killed_process import Ended

    refused = Ended(2, [], 0.1, 1, "tandem: new.map already exists\n", 0)
    monkeypatch.setattr(kill_at_random, "run", lambda *_: refused)
    kills = kill_at_random.Kills("surrogate-keyed", tmp_path, Random(1))
    whole = Undisturbed(0, {"keyed": b"folder"}, frozenset())
    wrong = list(kill_at_random.wrong_done_again(kills, tmp_path, whole))
    assert "keyed is not there" in wrong
    assert any("run again, it ends with 2" in each for each in wrong)
