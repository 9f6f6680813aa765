"""What `tandem surrogate` can do about what is held back: hold back, let in, list."""

import argparse
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from shared.commands.output import print_table, report
from shared.errors import RequestError

if TYPE_CHECKING:
    from adjudicator.release.held_back import HeldBack
    from shared.project.project import Project

_HEADS = ("patient", "record", "who", "when", "reason")


def add_hold_back(add_what: Callable[..., object], add: Callable[..., object]) -> None:
    """Add the options: with `add_what` those of which a command does but one."""
    add_what(
        "--hold-back", action="append", metavar="ID",
        help="leave this patient or record out of every release; needs --reason; may be given "
        "several times",
    )  # fmt: skip
    add_what(
        "--let-in", action="append", metavar="ID",
        help="hold it back no more; may be given several times",
    )  # fmt: skip
    add_what("--held-back", action="store_true", help="list what is held back, and why")
    add("--reason", default="", metavar="TEXT", help="why they are held back")


def asks_about_held_back(arguments: argparse.Namespace) -> bool:
    return bool(arguments.hold_back or arguments.let_in or arguments.held_back)


def run_hold_back(arguments: argparse.Namespace) -> int:
    """Do what is asked for, all of it or nothing. Raises RequestError, FileError."""
    from adjudicator.release.held_back import HeldBack, keep_held_back, key_of
    from shared.project.project import Project

    project = Project.open(arguments.project)
    if arguments.hold_back:
        held = [HeldBack.now(key_of(project, each), arguments.reason)
                for each in arguments.hold_back]  # fmt: skip
        keep_held_back(project.root, held)
    elif arguments.let_in:
        _let_in(project, arguments.let_in)
    _list(project, arguments)
    return 0


def _let_in(project: "Project", names: list[str]) -> None:
    from adjudicator.release.held_back import in_words, keep_held_back, key_of, read_held_back

    held = {each.key for each in read_held_back(project.root)}
    keys = [key_of(project, each) for each in names]
    for key in keys:
        if key not in held:
            raise RequestError(f"{in_words(key)} is not held back; see --held-back")
    keep_held_back(project.root, [], keys)


def _list(project: "Project", arguments: argparse.Namespace) -> None:
    from adjudicator.release.held_back import read_held_back

    held = read_held_back(project.root)
    data = {"held_back": [each.as_entry() for each in held]}
    report(data, arguments, lambda: _print(held))


def _print(held: "Iterable[HeldBack]") -> None:
    rows = [
        (each.patient_id, each.record_id or "all", each.who, each.when, each.reason)
        for each in held
    ]
    if rows:
        print_table(rows, _HEADS)
    else:
        print("nothing is held back")
