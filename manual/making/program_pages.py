"""The pages of the manual that the program tells: every key, every command with its options."""

import argparse
import os
from collections.abc import Iterable, Iterator

from adjudicator.ui.actions import action_table as adjudication_actions
from adjudicator.ui.audit.actions import action_table as audit_actions
from annotator.ui.actions import action_table as annotation_actions
from shared.commands.command_list import COMMANDS, module_of
from shared.model.i2b2_2014 import I2B2_2014
from shared.widgets.actions.actions import ActionSpec
from shared.widgets.tags.selected_tags import SELECTED_ACTIONS

WINDOWS = {
    "The annotation window": (*annotation_actions(I2B2_2014), *SELECTED_ACTIONS),
    "The adjudication window": (*adjudication_actions(I2B2_2014), *SELECTED_ACTIONS),
    "The window of an audit": (*audit_actions(I2B2_2014), *SELECTED_ACTIONS),
}
_COLUMNS = 96
_ABOUT_KEYS = """# Every key

`?` shows the same in the window, with the keys as you have changed them; Ctrl+K finds an action \
by a few letters of its name. View > Preferences gives an action another key. Keys of types are \
those of the i2b2 2014 types; a project with types of its own has its own.

Letters, digits and Enter act while the text has the focus (F6), so that you can type them \
anywhere else."""
_ABOUT_COMMANDS = """# Every command

What `tandem COMMAND --help` prints. Exit status 0: done; 1: done, and something was found; 2: the \
request or the input is wrong, and one line says what, where, and what to do; 130: interrupted. \
What `--json` writes is in [Reports as JSON](json.md)."""


def keys_page() -> str:
    parts = [_ABOUT_KEYS]
    for window, specs in WINDOWS.items():
        parts.append(f"## {window}")
        shown = [each for each in specs if each.menu]
        for menu in dict.fromkeys(each.menu for each in shown):
            parts.append(f"### {menu.replace('&', '')}")
            parts.append("\n".join(_rows(each for each in shown if each.menu == menu)))
    return "\n\n".join(parts) + "\n"


def commands_page() -> str:
    os.environ["COLUMNS"] = str(_COLUMNS)
    parts = [_ABOUT_COMMANDS]
    for name in COMMANDS:
        parser = argparse.ArgumentParser(prog=f"tandem {name}")
        module_of(name).add_arguments(parser)
        parts.append(f"## tandem {name}\n\n```text\n{parser.format_help().strip()}\n```")
    return "\n\n".join(parts) + "\n"


def _rows(specs: Iterable[ActionSpec]) -> Iterator[str]:
    yield from ("| action | key | what it does |", "|---|---|---|")
    for spec in specs:
        keys = ", ".join(dict.fromkeys(map(_key, spec.shortcuts)))
        yield f"| {_cell(spec.plain_text.removesuffix('…'))} | {keys} | {_cell(spec.tip)} |"


def _key(key: str) -> str:
    return f"`{key.replace('Return', 'Enter')}`"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
