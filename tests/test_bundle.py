"""What a frozen program takes along: what is imported by name is found by nothing else."""

import re
import tomllib
from importlib.util import find_spec
from pathlib import Path

from bundle.hidden_imports import hidden_imports
from shared.commands.command_list import COMMANDS

ROOT = Path(__file__).parent.parent


def test_a_frozen_program_has_every_command():
    wanted = {f"shared.commands.{name.replace('-', '_')}" for name in COMMANDS}
    assert wanted <= set(hidden_imports())


def test_a_frozen_program_has_what_is_imported_by_name():
    text = "".join(
        path.read_text(encoding="utf-8")
        for room in ("annotator", "adjudicator", "shared")
        for path in (ROOT / room).rglob("*.py")
    )
    wanted = set(re.findall(r'(?:import_module|preload)\("([\w.]+)"', text))
    assert len(wanted) > 5
    told = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wanted -= set(told["tool"]["tandem"]["never-frozen"])
    wanted |= {"stdnum.luhn", "faker.providers.lorem.la", "faker.providers.person.en_US"}
    assert wanted <= set(hidden_imports())


def test_every_hidden_import_is_a_module_and_none_belongs_to_tests():
    modules = hidden_imports()
    own = [each for each in modules if each.startswith(("shared", "annotator", "adjudicator"))]
    assert all(find_spec(each) for each in own)
    assert [each for each in modules if ".tests" in each or ".making" in each] == []
