import argparse
import errno
import importlib
import io
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from shared.commands import main as main_module
from shared.commands.main import COMMANDS, main
from shared.errors import FileError


@pytest.fixture
def running(monkeypatch):
    """Let the command `status` do something else."""

    def replace(run):
        def add_parser(subparsers):
            subparsers.add_parser("status").set_defaults(run=run)

        module = SimpleNamespace(add_parser=add_parser)
        monkeypatch.setattr(importlib, "import_module", lambda _: module)

    return replace


def raising(error):
    def run(_):
        raise error

    return run


def test_the_status_of_a_command_is_the_exit_status(running):
    running(lambda _: 1)
    assert main(["status"]) == 1


@pytest.mark.parametrize(
    ("error", "status", "said"),
    [
        (FileError("a.xml", "is empty"), 2, "tandem: a.xml: is empty\n"),
        (
            PermissionError(errno.EACCES, "Permission denied", "a.xml"),
            2,
            "tandem: a.xml: permission denied; ask its owner for access\n",
        ),
        (
            OSError(errno.ENOSPC, "No space left on device"),
            2,
            "tandem: the system: no space left on device; free some space, then try again\n",
        ),
        (KeyboardInterrupt(), 130, ""),
    ],
)
def test_what_goes_wrong_is_one_line_and_a_status(running, capsys, error, status, said):
    running(raising(error))
    assert main(["status"]) == status
    assert capsys.readouterr().err == said


def test_a_fault_of_ours_is_not_hidden(running):
    running(raising(ZeroDivisionError()))
    with pytest.raises(ZeroDivisionError):
        main(["status"])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "the following arguments are required: COMMAND"),
        (["nothing"], "invalid choice: 'nothing'"),
        (["status"], "the following arguments are required: PROJECT (see tandem status --help)"),
        (["status", "p", "--what"], "unrecognized arguments: --what"),
    ],
)
def test_a_wrong_request_is_one_line(capsys, words, said):
    assert main(words) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1


@pytest.mark.parametrize("word", ["--help", "--version"])
def test_help_and_version_are_no_failure(capsys, word):
    assert main([word]) == 0
    assert capsys.readouterr().out


def test_help_tells_every_command(capsys):
    main(["--help"])
    text = capsys.readouterr().out
    there = [name for name in COMMANDS if importlib.util.find_spec(f"shared.commands.{name}")]
    assert {"new", "status", "convert"} <= set(there)
    assert all(f"\n    {name}" in text for name in there)


def test_only_the_command_that_is_asked_for_is_imported():
    assert list(main_module._needed(["new", "P"])) == ["new"]


def test_every_command_adds_itself_under_its_name():
    subparsers = argparse.ArgumentParser().add_subparsers()
    for name in main_module._needed(["--help"]):
        importlib.import_module(f"shared.commands.{name}").add_parser(subparsers)
        assert subparsers.choices[name].get_default("run") is not None


def run_help(stdout, **environment):
    script = "from shared.commands.main import main; raise SystemExit(main(['--help']))"
    return subprocess.run(
        [sys.executable, "-c", script],
        stdout=stdout,
        stderr=subprocess.PIPE,
        check=False,
        cwd=Path(main_module.__file__).parents[2],
        env={**os.environ, **environment},
    )


def test_a_reader_that_has_read_enough_is_no_failure():
    read, write = os.pipe()
    os.close(read)
    run = run_help(write)
    os.close(write)
    assert (run.returncode, run.stderr) == (0, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_an_output_that_is_full_is_one_line_and_no_success():
    with Path("/dev/full").open("wb") as full:
        run = run_help(full)
    said = b"tandem: the output: no space left on device; free some space, then try again\n"
    assert (run.returncode, run.stderr) == (2, said)


def test_a_terminal_that_lacks_a_character_shows_a_question_mark(running, monkeypatch):
    screen = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdout", screen)
    running(lambda _: len(print("Frau M\u00fcller \ud83d") or ""))
    assert main(["status"]) == 0
    screen.flush()
    assert screen.buffer.getvalue() == b"Frau M?ller ?\n"
