"""How commands speak: tables for people, JSON for programs, a bar while it takes long."""

import argparse
import contextlib
import json
import sys
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from shared.errors import FileError, RequestError, storage_errors
from shared.text.blocks import Block, Table

Item = TypeVar("Item")

JSON_VERSION = 1
"""What every report says of its form: it is raised where a key goes or means something else."""

_DEVICES = tuple(map(Path, ("/dev", "/proc")))
_MEMORY = Path("/dev/shm")  # noqa: S108 - nothing is made there that nobody has named
"""A folder among the devices that holds files like any other."""


def add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--json", metavar="FILE", help="write the report as JSON to FILE, or - for standard output"
    )


def report(
    data: Mapping[str, object], arguments: argparse.Namespace, show: Callable[[], object]
) -> None:
    """Write what a command has to report where `--json` says, or else show it to people."""
    if arguments.json is None:
        show()
    else:
        write_json(data, arguments.json)


def say(sentence: str, arguments: argparse.Namespace) -> None:
    """Print a sentence, on standard error where JSON is all that may go to standard output."""
    print(sentence, file=sys.stderr if arguments.json == "-" else sys.stdout)


def write_json(data: Mapping[str, object], target: str) -> None:
    """Write a report as JSON to the file `target`, or to standard output where it is "-".

    Characters beyond ASCII are escaped, so that every text of a record can be written. Raises
    StorageError.
    """
    write_text(json.dumps({"version": JSON_VERSION, **data}, indent=2) + "\n", target)


def write_text(text: str, target: str | Path) -> None:
    """Write a file, wholly or not at all, for its owner only; "-" is standard output.

    What is no file, such as a device or a pipe, is written to as it is. Halves of surrogate pairs,
    which no file in UTF-8 can hold, become question marks. Raises StorageError, RequestError where
    there is no standard output.
    """
    if target == "-":
        if not sys.stdout:  # None where it is closed, as by >&-
            raise RequestError("there is no standard output to write to; name a file instead of -")
        sys.stdout.write(text)
        return
    data = text.encode("utf-8", "replace")
    with storage_errors(target):
        path = Path(target)
        if _is_file_to_be(path):
            from shared.project.files import write_output

            write_output(path.resolve(), data)  # where a link leads to, if it is one
        else:
            path.write_bytes(data)


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


def print_blocks(blocks: Iterable[Block]) -> None:
    """Print blocks with an empty line between them."""
    for number, block in enumerate(blocks):
        if number:
            print()
        if isinstance(block, Table):
            print_table(block.rows, block.headers)
        else:
            print("\n".join(block))


def print_problems(problems: Iterable[FileError]) -> None:
    """Print what is wrong with files, one line each, to standard error."""
    for problem in problems:
        print(f"tandem: {' '.join(str(problem).split())}", file=sys.stderr)


def progress(items: Collection[Item], what: str) -> Iterator[Item]:
    """Yield the items; on a terminal a bar shows how far it is once half a second has passed."""
    return progress_of(items, what, len(items))


def progress_of(items: Iterable[Item], what: str, total: int) -> Iterator[Item]:
    """As `progress`, of items that come one after the other, so many of them."""
    if not sys.stderr.isatty():
        return iter(items)
    from tqdm import tqdm

    return iter(tqdm(items, desc=what, total=total, delay=0.5, leave=False, file=sys.stderr))


@contextlib.contextmanager
def reading_bar(what: str) -> Generator[Callable[[int, int], None]]:
    """Give a function that hears how many are done of how many, and shows it as `progress` does."""
    with bar_of_stages() as show:
        yield lambda done, total: show(what, done, total)


@contextlib.contextmanager
def bar_of_stages() -> Generator[Callable[[str, int, int], None]]:
    """As `reading_bar`, of work in stages: what is done is told too, and begins anew with each."""
    if not sys.stderr.isatty():
        yield lambda _what, _done, _total: None
        return
    from tqdm import tqdm

    with tqdm(total=0, delay=0.5, leave=False, file=sys.stderr) as bar:

        def show(what: str, done: int, total: int) -> None:
            if bar.desc != what:
                bar.reset()
                bar.desc = what
            bar.total = total
            bar.update(done - bar.n)

        yield show


def _is_number(cell: str) -> bool:
    return cell in {"", "-"} or cell.replace(".", "", 1).replace("-", "", 1).rstrip("%").isdecimal()


def _is_file_to_be(path: Path) -> bool:
    """Whether a file may be put in its place; what a device leads to is open already."""
    there = path.absolute()
    is_device = any(map(there.is_relative_to, _DEVICES)) and not there.is_relative_to(_MEMORY)
    is_free = path.resolve().parent.is_dir() and not path.exists()
    return not is_device and (path.is_file() or is_free)
