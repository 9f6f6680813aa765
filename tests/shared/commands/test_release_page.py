"""Every command of manual/release.md is one that Tandem takes, with the options that it names."""

import re
import shlex
from pathlib import Path

import pytest

from shared.commands.command_list import module_of
from shared.commands.main import main

PAGE = (Path(__file__).parents[3] / "manual" / "release.md").read_text("utf-8")
NAMED = re.findall(r"`([^`]+)`", PAGE)
COMMANDS = sorted({each for each in NAMED if re.match(r"tandem \w+ [A-Z]", each)})


def test_there_are_commands_of_every_kind():
    assert {each.split()[1] for each in COMMANDS} == {"check", "risk", "audit", "surrogate"}


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_is_taken(command: str, monkeypatch: pytest.MonkeyPatch):
    words = shlex.split(command)[1:]
    monkeypatch.setattr(module_of(words[0]), "run", lambda _: 0)
    assert main(words) == 0


def test_an_option_that_stands_alone_is_there(capsys: pytest.CaptureFixture[str]):
    assert main(["surrogate", "--help"]) == 0
    told = capsys.readouterr().out
    alone = {each.split()[0] for each in NAMED if each.startswith("--")}
    assert {"--let-in", "--held-back", "--accept-unreviewed"} <= alone
    assert all(f"{each} " in told or f"{each}\n" in told for each in alone)
