import argparse
import errno
import importlib
import io
import os
import signal
import subprocess
import sys
from modulefinder import ModuleFinder
from pathlib import Path
from types import SimpleNamespace

import pytest

from shared.commands import display
from shared.commands import main as main_module
from shared.commands.main import COMMANDS, main
from shared.errors import FileError


@pytest.fixture
def running(monkeypatch):
    """Let the command `status` do something else."""

    def replace(run):
        module = SimpleNamespace(add_arguments=lambda parser: None, run=run)
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
        (
            ImportError(
                "libGL.so.1: cannot open shared object file: No such file or directory",
                name="PySide6.QtGui",
                path="/opt/PySide6/QtGui.abi3.so",
            ),
            2,
            "tandem: a library of the system could not be loaded (libGL.so.1: cannot open shared "
            "object file: No such file or directory); install the package that has it, as the "
            "manual's page for IT lists them\n",
        ),
        (KeyboardInterrupt(), 130, ""),
    ],
)
def test_what_goes_wrong_is_one_line_and_a_status(running, capsys, error, status, said):
    running(raising(error))
    assert main(["status"]) == status
    assert capsys.readouterr().err == said


@pytest.mark.parametrize(
    "error",
    [ZeroDivisionError(), ImportError("cannot import name", path="/opt/x.py"), ImportError("no")],
)
def test_a_fault_of_ours_is_not_hidden(running, error):
    running(raising(error))
    with pytest.raises(type(error)):
        main(["status"])


@pytest.mark.parametrize(
    ("words", "said"),
    [
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


def test_without_words_and_screen_the_help_is_shown_and_nothing_was_done(capsys, monkeypatch):
    monkeypatch.setattr(display, "has_display", lambda: False)
    assert main([]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("usage: tandem")
    assert "\n    annotate" in said.err


@pytest.mark.parametrize("word", ["--help", "--version"])
def test_help_and_version_are_no_failure(capsys, word):
    assert main([word]) == 0
    assert capsys.readouterr().out


def test_help_tells_every_command(capsys):
    main(["--help"])
    text = capsys.readouterr().out
    assert {"new", "status", "convert"} <= set(COMMANDS)
    assert all(f"\n    {name}" in text for name in COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_arguments_and_something_to_run(name):
    module = importlib.import_module(f"shared.commands.{name.replace('-', '_')}")
    parser = argparse.ArgumentParser()
    module.add_arguments(parser)
    assert parser.description
    assert callable(module.run)


def test_a_frozen_build_finds_every_command_among_the_imports_of_the_program():
    source = Path(main_module.__file__).read_text("utf-8")
    found = ModuleFinder().scan_opcodes(compile(source, "main.py", "exec"))
    imported = [what for how, what in found if how == "absolute_import"]
    names = next(names for names, module in imported if module == "shared.commands")
    assert sorted(names) == sorted(name.replace("-", "_") for name in COMMANDS)


@pytest.mark.parametrize("words", [["--help"], ["--version"], ["nothing"]])
def test_the_command_line_answers_without_importing_what_commands_need(words):
    script = (
        "import sys; from shared.commands.main import main; main(sys.argv[1:]); "
        "print([name for name in sys.modules if name.split('.')[0] in "
        "('annotator', 'adjudicator', 'PySide6', 'lxml', 'numpy', 'pandas', 'sklearn')])"
    )
    run = subprocess.run(
        [sys.executable, "-c", script, *words],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(main_module.__file__).parents[2],
    )
    assert run.stdout.splitlines()[-1] == "[]"


def test_json_for_an_output_that_is_closed_is_one_sentence():
    script = (
        "import sys; sys.stdout = None; from types import SimpleNamespace as S\n"
        "import importlib; from shared.commands import main, output\n"
        "command = S(add_arguments=lambda _: None, run=lambda _: output.write_json({}, '-'))\n"
        "importlib.import_module = lambda _: command\n"
        "raise SystemExit(main.main(['status']))"
    )
    run = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(main_module.__file__).parents[2],
    )
    said = "tandem: there is no standard output to write to; name a file instead of -\n"
    assert (run.returncode, run.stderr) == (2, said)


@pytest.mark.skipif(os.name == "nt", reason="needs signals")
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGINT"])
def test_a_command_that_is_told_to_end_leaves_nothing_half_written(tmp_path, name):
    script = (
        "import sys, time; from pathlib import Path; from types import SimpleNamespace as S\n"
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "signal.signal(signal.SIGHUP, signal.SIG_DFL)\n"  # which nohup and & had changed
        "from shared.commands import main\n"
        "from shared.project.folders import new_folder_atomically\n"
        "def run(_):\n"
        "    with new_folder_atomically(Path(sys.argv[1]), 'test') as aside:\n"
        "        (aside / '110-01.txt').write_text('a record')\n"
        "        print('begun', flush=True)\n"
        "        time.sleep(60)\n"
        "main.module_of = lambda _: S(add_arguments=lambda _: None, run=run)\n"
        "raise SystemExit(main.main(['status']))"
    )
    words = [sys.executable, "-c", script, str(tmp_path / "out")]
    root = Path(main_module.__file__).parents[2]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True, cwd=root) as process:
        assert process.stdout.readline() == "begun\n"
        assert list(tmp_path.glob(".out.unfinished/*"))
        number = getattr(signal, name)
        process.send_signal(number)
        assert process.wait(30) == 128 + number
    assert [each.name for each in tmp_path.iterdir() if each.suffix != ".lock"] == []


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
