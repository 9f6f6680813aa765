"""The console script `tandem`: finds the command that is asked for and shows what went wrong."""

# the modules that are imported by name alone are named for frozen builds
# pyright: reportUnusedImport=false

import argparse
import contextlib
import io
import os
import signal
import sys
import threading
from collections.abc import Generator, Sequence
from typing import TYPE_CHECKING, NoReturn

from shared.commands.command_list import COMMANDS, module_of
from shared.errors import RequestError, StorageError, TandemError
from shared.operating_system import forbid_core_dumps
from shared.version import installed_version

if TYPE_CHECKING:  # never run, and still where a frozen build finds what to take along
    from shared.commands import (  # noqa: F401
        adjudicate,
        agreement,
        annotate,
        assign,
        audit,
        check,
        collect,
        completion,
        convert,
        demo,
        evaluate,
        hand_in,
        hand_out,
        import_suggestions,
        new,
        open,  # noqa: A004  named as the command
        reproduce,
        risk,
        score,
        status,
        suggest,
        surrogate,
        train,
        verify,
    )

_DESCRIPTION = (
    "Two annotators mark protected health information in longitudinal records; a third person "
    "adjudicates their differences into a gold standard."
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit status.

    0: done; 1: done, and something was found; 2: the request or the input is wrong, said in one
    line on standard error.
    """
    words = list(sys.argv[1:] if argv is None else argv)
    _allow_every_character()
    forbid_core_dumps()
    try:
        with _ended_in_order():
            status = _run(words)
        print(end="", flush=True)  # at the end nobody could handle what it raises
    except TandemError as error:
        return _print_error(str(error))
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # the reader, such as `head`, has read enough
        _let_output_go()
        return 0
    except ImportError as error:
        if not error.path or error.path.endswith(".py"):  # a fault of ours
            raise
        return _print_error(
            f"a library of the system could not be loaded ({str(error)[:160]}); install the "
            "package that has it, as the manual's page for IT lists them"
        )
    except OSError as error:
        where = error.filename or ("the output" if _is_output_stuck() else "the system")
        return _print_error(str(StorageError.from_os(where, error)))
    return status


@contextlib.contextmanager
def _ended_in_order() -> Generator[None]:
    """Let a process that is told to end remove what it has half written; told twice, it dies.

    A window takes this back: while it waits nothing would hear of it.
    """
    ends = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    usual = [each for each in ends if signal.getsignal(each) is signal.SIG_DFL]
    if threading.current_thread() is not threading.main_thread():
        usual = []
    ours = os.getpid()

    def leave(signum: int, _frame: object) -> None:
        signal.signal(signum, signal.SIG_DFL)
        if os.getpid() != ours:  # a helper has nothing of its own to remove
            os.kill(os.getpid(), signum)
        raise SystemExit(128 + signum)

    for each in usual:
        signal.signal(each, leave)
    try:
        yield
    finally:
        for each in usual:
            signal.signal(each, signal.SIG_DFL)


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
    if not words:
        return _begin()
    try:
        arguments = _parser(words).parse_args(words)
        return int(arguments.run(arguments))
    except SystemExit as leaving:  # --help and --version leave this way
        return int(leaving.code or 0)


def _begin() -> int:
    """Open the start window where nothing is asked for; without a screen show the help instead."""
    from shared.commands.display import has_display

    if has_display():
        return _run(["annotate"])
    _parser([]).print_help(sys.stderr)
    return 2


class _Parser(argparse.ArgumentParser):
    """Raises what is wrong with a request, so that it is shown as every other error."""

    def error(self, message: str) -> NoReturn:
        raise RequestError(f"{message} (see {self.prog} --help)")


def _parser(words: Sequence[str]) -> argparse.ArgumentParser:
    parser = _Parser(prog="tandem", description=_DESCRIPTION)
    version = installed_version() if "--version" in words else ""  # to look it up costs time
    parser.add_argument("--version", action="version", version=version)
    subparsers = parser.add_subparsers(metavar="COMMAND", required=True)
    asked = next((word for word in words if not word.startswith("-")), "")
    for name, about in COMMANDS.items():
        command = subparsers.add_parser(name, help=about)
        if name == asked:  # the others are named in the help, and not imported
            module = module_of(name)
            module.add_arguments(command)
            command.set_defaults(run=module.run)
    return parser


def _print_error(sentence: str) -> int:
    print(f"tandem: {' '.join(sentence.split())}", file=sys.stderr)
    return 2
