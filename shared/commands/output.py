"""How commands speak: tables for people, JSON for programs, a bar while it takes long."""

import argparse
import json
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from shared.errors import FileError, RequestError, storage_errors

Item = TypeVar("Item")


def write_json(data: object, target: str) -> None:
    """Write `data` as JSON to the file `target`, or to standard output where it is "-".

    Characters beyond ASCII are escaped, so that every text of a record can be written. Raises
    StorageError.
    """
    write_text(json.dumps(data, indent=2) + "\n", target)


def write_text(text: str, target: str | Path) -> None:
    """Write to a file, readable by its owner only, or to standard output where `target` is "-".

    Halves of surrogate pairs, which no file in UTF-8 can hold, become question marks. Raises
    StorageError, RequestError where there is no standard output.
    """
    if target == "-":
        if not sys.stdout:  # None where it is closed, as by >&-
            raise RequestError("there is no standard output to write to; name a file instead of -")
        sys.stdout.write(text)
        return
    with storage_errors(target), open(target, "wb", opener=_for_the_owner) as file:
        file.write(text.encode("utf-8", "replace"))


def counted(number: int, thing: str) -> str:
    """Return "1 record", "2 records"."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", metavar="FILE", help="write JSON to FILE, or - for the terminal")


def print_table(rows: Iterable[Sequence[object]], headers: Sequence[str]) -> None:
    """Print rows in aligned columns; a column of numbers is aligned to the right."""
    cells = [[str(cell) for cell in row] for row in rows]
    columns = list(zip(headers, *cells, strict=True))
    widths = [max(map(len, column)) for column in columns]
    right = [bool(cells) and all(map(_is_number, column[1:])) for column in columns]
    for line in (headers, ["-" * width for width in widths], *cells):
        aligned = (
            cell.rjust(width) if to_right else cell.ljust(width)
            for cell, width, to_right in zip(line, widths, right, strict=True)
        )
        print("  ".join(aligned).rstrip())


def print_problems(problems: Iterable[FileError]) -> None:
    """Print what is wrong with files, one line each, to standard error."""
    for problem in problems:
        print(f"tandem: {' '.join(str(problem).split())}", file=sys.stderr)


def progress(items: Iterable[Item], what: str) -> Iterator[Item]:
    """Yield the items; on a terminal a bar shows how far it is once half a second has passed."""
    if not sys.stderr.isatty():
        return iter(items)
    from tqdm import tqdm

    return iter(tqdm(items, desc=what, delay=0.5, leave=False, file=sys.stderr))


def _is_number(cell: str) -> bool:
    return cell in {"", "-"} or cell.replace(".", "", 1).replace("-", "", 1).rstrip("%").isdecimal()


def _for_the_owner(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
