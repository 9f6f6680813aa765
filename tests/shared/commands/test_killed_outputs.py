"""What is asked for outside of a project is whole or not there, and a killed run's copy goes."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from shared.commands import main as main_module
from shared.commands.main import main
from shared.project.files import write_output
from tests.adjudicator.projects import make_project
from tests.adjudicator.release.sessions import SOURCES, make

pytestmark = pytest.mark.skipif(os.name == "nt", reason="needs signals")

TEXTS = ["[Kai Yamamoto|PATIENT] came. Later Yamamoto left, and Yamamoto rang.\n"]
KILLED = """
import os, signal, sys
def die(*arguments, **more):
    path = arguments[0] if {call!r} == "replace" else os.readlink(f"/proc/self/fd/{{arguments[0]}}")
    if os.path.abspath(path).startswith({folder!r}) and not str(path).endswith(".lock"):
        os.kill(os.getpid(), signal.SIGKILL)
    return real(*arguments, **more)
real, os.{call} = os.{call}, die
from shared.commands.main import main
raise SystemExit(main(sys.argv[1:]))
"""


@pytest.fixture
def words(tmp_path):
    """The words of a command that writes into the folder `out`, and the project that it is of."""
    project = make_project(tmp_path, TEXTS, TEXTS)
    secret, out = tmp_path / "secret", tmp_path / "out"
    secret.write_text("a long passphrase of some words\n")
    out.mkdir()
    return project, {
        "check": ["--layer", "ana", "--with-text", "--json", "a.json"],
        "check table": ["--layer", "ana", "--with-text", "--csv", "a.csv"],
        "check page": ["--layer", "ana", "--with-text", "--html", "a.html"],
        "hand-out": ["--annotator", "ana", "--passphrase-file", str(secret), "--out", "a.tandem"],
        "convert": ["a.jsonl", "--to", "jsonl"],
    }


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
@pytest.mark.parametrize("call", ["write", "replace"])
@pytest.mark.parametrize("name", ["check", "check table", "check page", "hand-out", "convert"])
def test_the_next_run_removes_what_a_killed_one_left(words, tmp_path, name, call, monkeypatch):
    project, options = words
    out = tmp_path / "out"
    source = project.root / "layers" / "ana" if name == "convert" else project.root
    command = [name.split()[0], str(source), *options[name]]
    monkeypatch.chdir(out)
    script = KILLED.format(call=call, folder=str(out))
    root = str(Path(main_module.__file__).parents[2])
    environment = os.environ | {"PYTHONPATH": root}
    killed = subprocess.run([sys.executable, "-c", script, *command], env=environment, check=False)
    assert killed.returncode == -signal.SIGKILL
    assert list(out.iterdir())  # hidden
    assert not any(each.name.startswith("a.") for each in out.iterdir())
    assert all(each.stat().st_mode & 0o077 == 0 for each in out.iterdir())
    assert main(command) in (0, 1)
    assert [each.name[:2] for each in out.iterdir() if each.suffix != ".lock"] == ["a."]


MOVED = """
import os, signal, sys
def dying(real):
    def die(source, target):
        if os.path.basename(os.path.dirname(target)) in ("out", ".report.unfinished"):
            os.kill(os.getpid(), signal.SIGKILL)
        return real(source, target)
    return die
os.replace, os.rename = dying(os.replace), dying(os.rename)
from shared.commands.main import main
raise SystemExit(main(sys.argv[1:]))
"""


@pytest.mark.parametrize("words", [
    ["agreement", "--resamples", "2", "--out", "report"],
    ["adjudicate", "--export-log", "a.jsonl"],
    ["adjudicate", "--export-discuss", "a.md"],
    ["surrogate", "--accept-unreviewed", "--cores", "1", "--out", "release"],
], ids=lambda words: " ".join(words[:2]))  # fmt: skip
def test_the_log_knows_of_an_output_before_it_is_there(tmp_path, words, monkeypatch):
    project = (
        make(tmp_path, SOURCES) if words[0] == "surrogate" else make_project(tmp_path, TEXTS, TEXTS)
    )
    out = tmp_path / "out"
    out.mkdir()
    monkeypatch.chdir(out)
    environment = os.environ | {"PYTHONPATH": str(Path(main_module.__file__).parents[2])}
    command = [sys.executable, "-c", MOVED, words[0], str(project.root), *words[1:]]
    killed = subprocess.run(command, env=environment, check=False)
    assert killed.returncode == -signal.SIGKILL
    assert not (out / words[-1]).exists() or not any((out / words[-1]).iterdir())
    log = (project.root / "log" / "gold.jsonl").read_text("utf-8").splitlines()
    assert words[-1] in json.loads(log[-1])["file"]


def test_copies_of_other_files_are_left_alone(tmp_path):
    others = [".b.csv.0a1b2c3d.tmp", ".a.csv.tmp", "a.csv.0a1b2c3d.tmp", ".a.csv.0a1b2c3.tmp"]
    for each in (*others, ".a.csv.0a1b2c3d.tmp"):
        (tmp_path / each).write_bytes(b"x")
    write_output(tmp_path / "a.csv", b"new")
    assert sorted(each.name for each in tmp_path.iterdir()) == sorted([*others, "a.csv"])
