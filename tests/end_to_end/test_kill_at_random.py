"""A few kills of each kind; `python -m tests.end_to_end.kill_at_random` makes as many as wanted."""

import os
import subprocess
import sys
from pathlib import Path

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
