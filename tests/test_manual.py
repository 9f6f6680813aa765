"""The manual and the program say the same: keys, commands, links, pictures."""

import argparse
import re
import shlex
from pathlib import Path

import pytest

from shared.commands.command_list import COMMANDS, module_of
from shared.errors import TandemError

ROOT = Path(__file__).parent.parent
PAGES = sorted((ROOT / "manual").glob("*.md"))
LINKED = [*PAGES, *sorted((ROOT / "guidelines").glob("*.md")), ROOT / "README.md"]
COMPLETE = {*("project_lead.md", "nlp_engineer.md", "annotator.md", "adjudicator.md", "release.md")}
"""Pages whose commands can be typed as they stand."""
BUILT = {"keys.md", "commands.md"}
"""Pages that the program tells (manual/making/program_pages.py)."""

LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s#]+)?(?:#([^)\s]+))?\)")


def prose(path: Path) -> str:
    """A page without its blocks of code."""
    return re.sub(r"^```.*?^```", "", path.read_text(encoding="utf-8"), flags=re.M | re.S)


def anchors(path: Path) -> set[str]:
    heads = re.findall(r"^#+ (.*)", prose(path), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", each.lower()).strip().replace(" ", "-") for each in heads}


@pytest.mark.parametrize("page", LINKED, ids=lambda path: path.name)
def test_every_link_and_picture_is_there(page):
    for target, anchor in LINK.findall(prose(page)):
        if target.startswith(("http:", "https:")) or Path(target).name in BUILT:
            continue
        there = page.parent / target if target else page
        assert there.exists(), f"{page.name} leads to {target}"
        if anchor and there.suffix == ".md":
            assert anchor in anchors(there), f"{page.name} leads to {target}#{anchor}"


def test_every_picture_is_shown_somewhere():
    shown = {Path(each).name for page in LINKED for each, _ in LINK.findall(prose(page))}
    assert {each.name for each in (ROOT / "manual" / "pictures").iterdir()} <= shown


def test_the_contents_have_a_place_for_every_page():
    contents = (ROOT / "manual" / "index.md").read_text(encoding="utf-8")
    listed = {line.strip() for line in contents.splitlines()}
    assert "OTHERS" in listed  # where the build puts pages that are not named
    for page in (ROOT / "guidelines").glob("*.md"):
        assert f"../guidelines/{page.stem}" in listed
    there = {each.stem for each in PAGES} | {Path(each).stem for each in BUILT}
    named = {
        each
        for block in re.findall(r"^```{toctree}.*?^```", contents, re.M | re.S)
        for each in re.findall(r"^\w+$", block, re.MULTILINE)
    } - {"OTHERS"}
    assert named <= there


# ---------------------------------------------------------------- commands


class RefusedError(Exception):
    pass


class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise RefusedError(message)


def command_lines(path: Path) -> list[str]:
    """What a page has somebody type: lines of code, and code within a line that has options."""
    text = path.read_text(encoding="utf-8")
    lines = re.findall(r"^    (tandem [\w-]+ .*)$", text, re.MULTILINE)
    lines += re.findall(r"`(tandem [\w-]+ [^`\n]*)`", text)
    return [each for each in lines if not {"|", "…"} & set(each)]


@pytest.mark.parametrize("page", [*PAGES, ROOT / "README.md"], ids=lambda path: path.name)
def test_every_command_that_a_page_gives_is_one(page):
    for line in command_lines(page):
        name, *words = shlex.split(line.removeprefix("tandem "))
        if name == "COMMAND":
            continue
        assert name in COMMANDS, line
        parser = Parser(exit_on_error=False)
        module_of(name).add_arguments(parser)
        known = {option for action in parser._actions for option in action.option_strings}
        assert {each.partition("=")[0] for each in words if each.startswith("--")} <= known, line
        if page.name in COMPLETE:
            try:
                parser.parse_args(words)
            except (RefusedError, TandemError, SystemExit) as error:
                pytest.fail(f"{line}: {error}")


def test_the_pages_for_people_name_every_command():
    text = "".join(page.read_text(encoding="utf-8") for page in [*PAGES, ROOT / "README.md"])
    assert {each for each in COMMANDS if f"tandem {each}" not in text} == set()


# ---------------------------------------------------------------- keys

KEY = re.compile(
    r"\b(?:Ctrl|Alt|Shift)\+(?:(?:Ctrl|Alt|Shift)\+)?(?:Enter|Delete|F\d+|[A-Z0-9,]\b)|\bF\d+\b"
)
RELEASE_WINDOW = {"F2", "Shift+F2", "Shift+H", "F5", "Ctrl+F"}
"""Keys of the release window, which has no table of actions; its own tests press them."""


def test_every_key_that_a_page_names_is_one_and_every_action_stands_in_the_manual():
    pytest.importorskip("PySide6")
    from manual.making.program_pages import WINDOWS, keys_page

    specs = [spec for each in WINDOWS.values() for spec in each]
    keys = {key.replace("Return", "Enter") for spec in specs for key in spec.shortcuts}
    bound = {re.sub(r"\bDel$", "Delete", each) for each in keys}
    for page in PAGES:
        assert set(KEY.findall(prose(page))) <= bound | RELEASE_WINDOW, page.name
    rows = keys_page()
    assert all(f"| {spec.plain_text.removesuffix('…')} |" in rows for spec in specs if spec.menu)
    tables = [
        path
        for folder in ("annotator", "adjudicator", "shared")
        for path in (ROOT / folder).rglob("*.py")
        if re.search(r"^def action_table\(", path.read_text(encoding="utf-8"), re.MULTILINE)
    ]
    assert len(tables) == len(WINDOWS)


def test_every_option_stands_in_the_manual():
    pytest.importorskip("PySide6")
    from manual.making.program_pages import commands_page

    page = commands_page()
    for name in COMMANDS:
        part = page.partition(f"\n## tandem {name}\n")[2].partition("\n## ")[0]
        parser = argparse.ArgumentParser()
        module_of(name).add_arguments(parser)
        options = {option for action in parser._actions for option in action.option_strings}
        assert {each for each in options if each not in part} == set(), name
