"""What `tandem completion` prints, tried in the shells that are installed."""

import shutil
import subprocess

import pytest

from shared.commands.command_list import COMMANDS
from shared.commands.main import main
from shared.formats.registry import FORMATS

TRY_IN_BASH = """
source {script}
complete -p tandem > /dev/null
COMP_WORDS=({words} "{last}"); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); _tandem
printf '%s\\n' "${{COMPREPLY[@]}}"
"""
TRIED = [
    ("tandem", "", [*COMMANDS, "--help", "--version"]),
    ("tandem", "co", ["collect", "convert", "completion"]),
    ("tandem convert in out --to", "", [*FORMATS]),
    ("tandem convert in out", "--fr", ["--from"]),
    ("tandem surrogate p --mode", "k", ["keyed"]),
    ("tandem completion", "", ["bash", "zsh", "fish"]),
]


@pytest.fixture
def script(tmp_path, capsys):
    def write(shell):
        assert main(["completion", shell]) == 0
        path = tmp_path / f"tandem.{shell}"
        path.write_text(capsys.readouterr().out)
        return path

    return write


def said_by(*words):
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout.split("\n")


@pytest.mark.skipif(not shutil.which("bash"), reason="needs bash")
@pytest.mark.parametrize(("words", "last", "expected"), TRIED)
def test_bash_completes(script, words, last, expected):
    tried = TRY_IN_BASH.format(script=script("bash"), words=words, last=last)
    assert sorted(said_by("bash", "--norc", "-c", tried)) == sorted([*expected, ""])


@pytest.mark.skipif(not shutil.which("fish"), reason="needs fish")
@pytest.mark.parametrize(("words", "last", "expected"), TRIED[1:])
def test_fish_completes(script, words, last, expected):
    said = said_by("fish", "-c", f"source {script('fish')}; complete -C'{words} {last}'")
    assert {line.split("\t")[0] for line in said} - {""} == set(expected)


@pytest.mark.skipif(not shutil.which("zsh"), reason="needs zsh")
def test_zsh_takes_the_script_for_that_of_tandem(script):
    loaded = f"autoload -U compinit; compinit -u -D; source {script('zsh')}; echo $_comps[tandem]"
    assert said_by("zsh", "-fc", loaded) == ["_tandem", ""]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_command_and_a_quoted_apostrophe_are_there(script, shell):
    text = script(shell).read_text()
    assert all(name in text for name in COMMANDS)
    if shell == "zsh":
        assert r"write an annotator'\''s patients" in text
    if shell == "fish":
        assert r"write an annotator\'s patients" in text


def test_there_is_no_other_shell(capsys):
    assert main(["completion", "csh"]) == 2
    assert "invalid choice: 'csh'" in capsys.readouterr().err
