"""The console script `tandem`: finds the command that is asked for and shows what went wrong."""

import argparse
import importlib
import importlib.metadata
import importlib.util
import io
import os
import sys
from collections.abc import Iterable, Sequence
from typing import NoReturn

from shared.errors import RequestError, StorageError, TandemError

COMMANDS = (
    "demo",
    "new",
    "annotate",
    "adjudicate",
    "status",
    "check",
    "agreement",
    "score",
    "train",
    "suggest",
    "evaluate",
    "surrogate",
    "convert",
)
"""The modules of this package that are commands, in the order of the help."""

_DESCRIPTION = (
    "Two annotators mark protected health information in longitudinal records, a third person "
    "adjudicates their differences into a gold standard."
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit status.

    0: done; 1: done, and something was found; 2: the request or the input is wrong, said in one
    line on standard error.
    """
    words = list(sys.argv[1:] if argv is None else argv)
    _allow_every_character()
    try:
        status = _run(words)
        sys.stdout.flush()  # here and not at the end, where nobody could handle what it raises
    except TandemError as error:
        return _say(str(error))
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # the reader, such as `head`, has read enough
        _let_output_go()
        return 0
    except OSError as error:
        where = error.filename or ("the output" if _is_output_stuck() else "the system")
        return _say(str(StorageError.from_os(where, error)))
    return status


def _allow_every_character() -> None:
    """Let a terminal that lacks a character show `?` for it; a message may hold any name."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _is_output_stuck() -> bool:
    """Whether standard output takes nothing more; what waits for it is then let go."""
    try:
        sys.stdout.flush()
    except OSError:
        _let_output_go()
        return True
    return False


def _let_output_go() -> None:
    """Write the rest nowhere, so that the end of the program does not stumble over it."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _run(words: Sequence[str]) -> int:
    try:
        arguments = _parser(words).parse_args(words)
        return int(arguments.run(arguments))
    except SystemExit as leaving:  # --help and --version leave this way
        return int(leaving.code or 0)


class _Parser(argparse.ArgumentParser):
    """Raises what is wrong with a request, so that it is shown as every other error."""

    def error(self, message: str) -> NoReturn:
        raise RequestError(f"{message} (see {self.prog} --help)")


def _parser(words: Sequence[str]) -> argparse.ArgumentParser:
    parser = _Parser(prog="tandem", description=_DESCRIPTION)
    parser.add_argument("--version", action="version", version=_version(words))
    subparsers = parser.add_subparsers(metavar="COMMAND", required=True)
    for name in _needed(words):
        importlib.import_module(f"shared.commands.{name}").add_parser(subparsers)
    return parser


def _needed(words: Sequence[str]) -> Iterable[str]:
    """Only the command that is asked for is imported; for help and errors, all are."""
    asked = next((word for word in words if not word.startswith("-")), "")
    names = (asked,) if asked in COMMANDS else COMMANDS
    return (name for name in names if importlib.util.find_spec(f"shared.commands.{name}"))


def _version(words: Sequence[str]) -> str:
    """The installed version, looked up only when it is asked for: that costs a start of ours."""
    if "--version" not in words:
        return ""
    try:
        return importlib.metadata.version("tandem-phi")
    except importlib.metadata.PackageNotFoundError:
        return "not installed"


def _say(sentence: str) -> int:
    print(f"tandem: {' '.join(sentence.split())}", file=sys.stderr)
    return 2
