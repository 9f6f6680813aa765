"""`tandem surrogate`: replaces PHI, checks for leaks, writes the release."""

import argparse
import contextlib
import sys
from collections.abc import Generator, Sequence
from pathlib import Path

from shared.commands.output import print_table, write_json
from shared.commands.surrogate_run import Run, prepare
from shared.errors import RequestError
from shared.surrogates.release import MARKER

_DESCRIPTION = """
Replaces every PHI of the gold standard by a realistic surrogate, the same person, place and date
the same in all records of a patient, and writes the records split as they came, as text and as
i2b2 XML with the surrogates tagged. Nothing is written as released (status 1, and a list) unless
the consistency check finds nothing, every tag has a surrogate, and nothing authentic stands in any
new record. With --review a table of all replacements is written into the project first: write
another surrogate in its column "edit" and run again. What you wrote is kept for later runs.
"""


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:  # pyright: ignore[reportPrivateUsage]
    parser = subparsers.add_parser(
        "surrogate",
        help="replace PHI by surrogates, check for leaks, write the release",
        description=_DESCRIPTION,
    )
    parser.add_argument("project", type=Path, metavar="PROJECT", help="an adjudicated project")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--out", type=Path, metavar="DIR", help="where the release is written")
    what.add_argument("--review", action="store_true", help="write the table of replacements")
    what.add_argument(
        "--open-map", type=Path, metavar="FILE", help="decrypt a map and print it as JSON"
    )
    _add_release_options(parser)
    _add_surrogate_options(parser)
    parser.add_argument("--json", metavar="FILE", help="write JSON to FILE, or - for the terminal")
    parser.set_defaults(run=run)


def _add_release_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("the release")
    group.add_argument(
        "--unmark", default="", metavar="TYPES", help="replaced but not tagged: ROOM,DEPARTMENT"
    )
    group.add_argument(
        "--test", type=_percent, default=0, metavar="PERCENT",
        help="split by patient, with about so many per cent of the records in the test part",
    )  # fmt: skip
    group.add_argument("--new-ids", action="store_true", help="give patients and records new names")
    group.add_argument("--version", default="1", metavar="TEXT", help="for the data card")
    group.add_argument("--replace", action="store_true", help="replace an earlier release")
    group.add_argument(
        "--keep-map", type=Path, metavar="FILE",
        help="write the map from authentic to surrogate, encrypted: it is a key to the patients",
    )  # fmt: skip
    group.add_argument(
        "--passphrase-file", type=Path, metavar="FILE", help="otherwise the passphrase is asked for"
    )


def _add_surrogate_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("the surrogates")
    group.add_argument(
        "--language", choices=("en", "es"), help="of the records (default: as they look)"
    )
    group.add_argument(
        "--kinds", type=Path, metavar="FILE",
        help="TOML with a table [surrogates] that maps types to kinds of surrogate",
    )  # fmt: skip
    group.add_argument("--keep-weekdays", action="store_true", help="move dates by whole weeks")
    group.add_argument(
        "--not-phi", type=Path, metavar="FILE",
        help="CSV with record, start and end of places that a person looked at and that are no "
        "PHI; what tandem check --dismiss was told holds too",
    )  # fmt: skip
    group.add_argument(
        "--seed", type=int, metavar="N", help="for tests only: the surrogates can be undone"
    )


def run(arguments: argparse.Namespace) -> int:
    """Release, or write the review, or open a map; 1 where something stands against a release."""
    if arguments.open_map is not None:
        return _open_map(arguments)
    out: Path | None = arguments.out
    if out is not None:
        _check_out(out, replace=arguments.replace)
    prepared = prepare(arguments)
    _say(prepared, arguments)
    if out is None:
        path = prepared.write_review()
        print(f'{path}: write other surrogates under "edit", then run again')
        return int(prepared.blocked)
    if prepared.blocked:
        print("nothing was released", file=sys.stderr)
        return 1
    passphrase = _passphrase(arguments) if arguments.keep_map else ""
    with _earlier_aside(out):
        prepared.release(out, arguments.keep_map, passphrase)
    print(f"{out}: {prepared.record_count} records released")
    return 0


def _percent(value: str) -> int:
    number = int(value)
    if not 0 <= number <= 90:
        raise argparse.ArgumentTypeError("give 0 to 90 per cent")
    return number


def _check_out(out: Path, *, replace: bool) -> None:
    """Refuse a folder that holds anything but an earlier release that is to be replaced.

    An earlier release that a killed run left aside comes back first.
    """
    aside = _aside(out)
    if aside.is_dir() and not out.exists():
        aside.rename(out)
    if not out.exists() or (out.is_dir() and not any(out.iterdir())):
        return
    if not (out / MARKER).is_file():
        raise RequestError(f"{out} is there already and is no release; give a new folder")
    if not replace:
        raise RequestError(f"{out} holds an earlier release; give a new folder, or --replace")


def _aside(out: Path) -> Path:
    return out.with_name(f".{out.name}.earlier")


@contextlib.contextmanager
def _earlier_aside(out: Path) -> Generator[None]:
    """Move an earlier release aside; it comes back where writing the new one fails."""
    import shutil

    earlier = _aside(out)
    if not (out / MARKER).is_file():
        yield
        return
    if earlier.exists():
        shutil.rmtree(earlier)
    out.rename(earlier)
    try:
        yield
    except BaseException:
        if not out.exists():
            earlier.rename(out)
        raise
    shutil.rmtree(earlier)


def _say(prepared: Run, arguments: argparse.Namespace) -> None:
    if arguments.json is not None:
        write_json(prepared.as_json(), arguments.json)
    for note in prepared.notes:
        print(f"tandem: {note}", file=sys.stderr)
    if arguments.json is not None:
        return
    print_table(prepared.rows_by_type(), ["type", "kind", "replaced", "to look at"])
    if prepared.findings:
        print(f"{len(prepared.findings)} places are not tagged although their text is elsewhere:")
        print_table(prepared.finding_rows(), ["patient", "record", "start", "end", "type"])
    if prepared.leaks:
        print(f"{len(prepared.leaks)} leaks, at these places of the gold standard:")
        print_table(prepared.leak_rows(), ["patient", "record", "start", "end", "type", "what"])


def _passphrase(arguments: argparse.Namespace) -> str:
    if arguments.passphrase_file is not None:
        lines: Sequence[str] = arguments.passphrase_file.read_text("utf-8").splitlines()
        return lines[0] if lines else ""
    import getpass

    if not sys.stdin.isatty():
        raise RequestError("no terminal to ask for the passphrase; give --passphrase-file")
    first = getpass.getpass("passphrase of the map: ")
    if arguments.keep_map is not None and getpass.getpass("once more: ") != first:
        raise RequestError("the two passphrases differ; try again")
    return first


def _open_map(arguments: argparse.Namespace) -> int:
    from shared.surrogates.key_map import decrypted_map

    rows = decrypted_map(
        arguments.open_map.read_bytes(), arguments.open_map, _passphrase(arguments)
    )
    write_json(rows, arguments.json or "-")
    return 0
