"""What is delivered fits together: version, changelog, entry point, icons, guidelines."""

import ast
import importlib.metadata
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from setuptools import find_namespace_packages

from icons import icon_bytes, icon_names
from shared.commands.main import COMMANDS

ROOT = Path(__file__).parent.parent
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = SETTINGS["project"]
CODE = [
    path
    for name in ("annotator", "adjudicator", "shared", "tandem")
    for path in (ROOT / name).rglob("*.py")
]


def test_the_changelog_begins_with_the_version():
    heads = re.findall(r"^## \[(.+?)\]", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert heads[0] == PROJECT["version"]


def test_the_installed_version_is_that_of_the_source():
    assert importlib.metadata.version(PROJECT["name"]) == PROJECT["version"]


def test_the_command_starts_where_the_entry_point_says():
    (entry,) = importlib.metadata.entry_points(group="console_scripts", name="tandem")
    assert callable(entry.load())


def test_the_command_starts_though_pythonpath_has_another_folder_shared(tmp_path):
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared" / "__init__.py").touch()
    name, call = PROJECT["scripts"]["tandem"].split(":")
    begin = f"import sys; sys.path.append({str(ROOT)!r}); from {name} import {call}"
    command = [sys.executable, "-c", f"{begin}; sys.exit({call}())", "--help"]
    subprocess.run(
        command, env=os.environ | {"PYTHONPATH": str(tmp_path)}, cwd=tmp_path, check=True
    )


def test_every_dependency_is_locked():
    locked = re.findall(r"^([\w-]+)==", (ROOT / "constraints.txt").read_text(), re.MULTILINE)
    wanted = [re.match(r"[\w-]+", each)[0] for each in PROJECT["dependencies"]]
    assert {normal(each) for each in wanted} <= {normal(each) for each in locked}


def imported_in(path: Path) -> set[str]:
    """The top-level names of what a file imports, by a statement or by `import_module`."""
    text = path.read_text(encoding="utf-8")
    statements = re.findall(r"^\s*(?:import|from) (\w+)", text, re.MULTILINE)
    return {*statements, *re.findall(r"import_module\(f?\"(\w+)", text)}


BEHIND_PANDAS = {"jinja2", "tabulate"}
"""What pandas imports to write LaTeX and Markdown."""


def test_every_folder_of_modules_is_installed():
    there = {
        ".".join(path.parent.relative_to(ROOT).parts) for path in CODE if path.name == "__init__.py"
    }
    installed = SETTINGS["tool"]["setuptools"]["packages"]["find"]["include"]
    found = find_namespace_packages(str(ROOT), include=installed)
    assert there <= set(found)


def test_the_dependencies_are_what_is_imported():
    named = {name for path in CODE for name in imported_in(path)}
    brought_by = importlib.metadata.packages_distributions()
    used = {normal(each) for name in named for each in brought_by.get(name, ())}
    wanted = {normal(re.match(r"[\w-]+", each)[0]) for each in PROJECT["dependencies"]}
    assert used - {"tandem-phi", "shiboken6", *optional()} == wanted - BEHIND_PANDAS


def optional() -> set[str]:
    """What comes with an extra, and what a cluster has."""
    extras = PROJECT["optional-dependencies"].values()
    named = {normal(re.match(r"[\w-]+", each)[0]) for extra in extras for each in extra}
    return named | {"pyspark"}


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def icons_named_in(path: Path) -> set[str]:
    """The texts given as `icon=...`, or to a function whose name begins with `icon`."""
    named: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            called = getattr(node.func, "id", getattr(node.func, "attr", ""))
            given = [each.value for each in node.keywords if each.arg == "icon"]
            given += node.args[:1] if called.startswith("icon") else []
            named |= {each.value for each in given if isinstance(each, ast.Constant)}
    return named - {""}


def test_every_icon_named_in_the_code_exists():
    named = {name for path in CODE for name in icons_named_in(path)}
    assert named - set(icon_names()) == set()


@pytest.mark.parametrize("name", icon_names())
def test_an_icon_is_a_picture_of_24_by_24(name):
    source = icon_bytes(name).decode("ascii")
    assert source.startswith('<svg xmlns="http://www.w3.org/2000/svg"')
    assert 'viewBox="0 0 24 24"' in source


def test_an_icon_that_is_not_there():
    with pytest.raises(KeyError):
        icon_bytes("../pyproject")


def test_the_readme_names_every_command_and_no_other():
    table = re.findall(r"^\| `tandem .*", (ROOT / "README.md").read_text(), re.MULTILINE)
    named = [name for row in table for name in re.findall(r"`tandem ([\w-]+)", row)]
    there = {path.stem.replace("_", "-") for path in (ROOT / "shared" / "commands").glob("*.py")}
    assert list(dict.fromkeys(named)) == [name for name in COMMANDS if name in there]
