"""Where commands get a passphrase: from a file or the terminal, never from the command line."""

import argparse
import sys
from pathlib import Path

from shared.errors import FileFormatError, RequestError, storage_errors


def add_passphrase_file(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--passphrase-file", type=Path, metavar="FILE", help="otherwise the passphrase is asked for"
    )


def passphrase_of(path: Path | None, what: str, *, is_new: bool) -> str:
    """The first line of the file, or what is typed, twice where it is new.

    Raises RequestError where there is no terminal to ask on or the two differ, FileError.
    """
    if path is not None:
        return _first_line(path)
    import getpass

    if not sys.stdin.isatty():
        raise RequestError("no terminal to ask for the passphrase; give --passphrase-file")
    first = getpass.getpass(f"passphrase of {what}: ")
    if is_new and getpass.getpass("again: ") != first:
        raise RequestError("the two passphrases differ; try again")
    return first


def _first_line(path: Path) -> str:
    try:
        with storage_errors(path):
            lines = path.read_text("utf-8").splitlines()
    except UnicodeDecodeError:
        raise FileFormatError(path, "is not text in UTF-8; write the passphrase again") from None
    return lines[0] if lines else ""
