"""`tandem surrogate`: replaces PHI, checks for leaks, writes the release."""

import argparse
import sys
from pathlib import Path

from adjudicator.release.folder import ReleaseFolder
from adjudicator.release.writing import ReleaseOptions, StoredMap, check_options, write_release
from shared.commands.output import add_json, print_table, write_json
from shared.commands.records import add_language
from shared.commands.surrogate_report import ReleaseRun, prepare_release
from shared.errors import FileFormatError, RequestError, storage_errors
from shared.project.files import read_file
from shared.project.project import Project
from shared.surrogates.key_map import decrypted_map

_DESCRIPTION = """
Replaces every PHI of the gold standard by a realistic surrogate, the same person, place and date
the same in all records of a patient, and writes the records split as they came, as text and as
i2b2 XML with the surrogates tagged. Nothing is written as released (status 1, and a list) unless
the consistency check finds nothing, every tag has a surrogate, and nothing authentic stands in any
new record. With --review a table of all replacements is written into the project first: write
another surrogate in its column "edit" and run again. What you wrote is kept for later runs.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = _DESCRIPTION
    parser.add_argument("project", type=Path, metavar="PROJECT", help="an adjudicated project")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--out", type=Path, metavar="DIR", help="where the release is written")
    what.add_argument("--review", action="store_true", help="write the table of replacements")
    what.add_argument(
        "--open-map", type=Path, metavar="FILE", help="decrypt a map and print it as JSON"
    )
    _add_release_options(parser)
    _add_surrogate_options(parser)
    add_json(parser)


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
        help="write an encrypted map from originals to surrogates: it is a key to the patients",
    )  # fmt: skip
    group.add_argument(
        "--passphrase-file", type=Path, metavar="FILE", help="otherwise the passphrase is asked for"
    )


def _add_surrogate_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("the surrogates")
    add_language(parser, None, "the project's")
    group.add_argument(
        "--kinds", type=Path, metavar="FILE",
        help="TOML with a table [surrogates] that maps types to kinds of surrogate",
    )  # fmt: skip
    group.add_argument("--keep-weekdays", action="store_true", help="move dates by whole weeks")
    group.add_argument(
        "--not-phi", type=Path, metavar="FILE",
        help="CSV with record, start and end of places that a person has confirmed as not PHI; "
        "what tandem check --dismiss was told counts too",
    )  # fmt: skip
    group.add_argument(
        "--seed", type=int, metavar="N", help="for tests only: the surrogates can be undone"
    )


def run(arguments: argparse.Namespace) -> int:
    """Release, or write the review, or open a map; 1 where something stands against a release."""
    if arguments.open_map is not None:
        return _open_map(arguments)
    project = Project.open(arguments.project)
    options = _options(arguments) if arguments.out is not None else None
    if options is not None:
        check_options(project, options)
    prepared = prepare_release(project, arguments)
    _print_report(prepared, arguments)
    if options is None:
        return _write_review(prepared)
    if prepared.blocked:
        print("nothing was released", file=sys.stderr)
        return 1
    write_release(project, prepared.draft, options)
    print(f"{options.out}: {prepared.draft.record_count} records released")
    return 0


def _options(arguments: argparse.Namespace) -> ReleaseOptions:
    unmark = frozenset(name.strip() for name in arguments.unmark.split(",") if name.strip())
    kept_map = StoredMap(arguments.keep_map, _passphrase(arguments)) if arguments.keep_map else None
    return ReleaseOptions(
        arguments.out,
        unmark,
        arguments.test,
        arguments.new_ids,
        arguments.version,
        arguments.replace,
        kept_map,
        arguments.seed,
    )


def _write_review(prepared: ReleaseRun) -> int:
    """Write the table of replacements into the project and keep the secret they hang on."""
    folder = ReleaseFolder(prepared.project)
    folder.keep_secret(prepared.draft.secret)
    path = folder.write_table(prepared.draft.surrogates)
    print(f'{path}: write other surrogates under "edit", then run again')
    return int(prepared.blocked)


def _percent(value: str) -> int:
    number = int(value)
    if not 0 <= number <= 90:
        raise argparse.ArgumentTypeError("give 0 to 90 per cent")
    return number


def _print_report(prepared: ReleaseRun, arguments: argparse.Namespace) -> None:
    if arguments.json is not None:
        write_json(prepared.as_json(released=arguments.out is not None), arguments.json)
    for note in prepared.notes:
        print(f"tandem: {note}", file=sys.stderr)
    if arguments.json is not None:
        return
    print_table(prepared.rows_by_type(), ["type", "kind", "replaced", "to look at"])
    findings, leaks = prepared.finding_rows(), prepared.leak_rows()
    if findings:
        print(f"{len(findings)} places are not tagged although their text is tagged elsewhere:")
        print_table(findings, ["patient", "record", "start", "end", "type"])
    if leaks:
        print(f"{len(leaks)} leaks, at these places of the gold standard:")
        print_table(leaks, ["patient", "record", "start", "end", "type", "what"])


def _passphrase(arguments: argparse.Namespace) -> str:
    if arguments.passphrase_file is not None:
        return _first_line(arguments.passphrase_file)
    import getpass

    if not sys.stdin.isatty():
        raise RequestError("no terminal to ask for the passphrase; give --passphrase-file")
    first = getpass.getpass("passphrase of the map: ")
    if arguments.keep_map is not None and getpass.getpass("again: ") != first:
        raise RequestError("the two passphrases differ; try again")
    return first


def _first_line(path: Path) -> str:
    try:
        with storage_errors(path):
            lines = path.read_text("utf-8").splitlines()
    except UnicodeDecodeError:
        raise FileFormatError(path, "is not text in UTF-8; write the passphrase again") from None
    return lines[0] if lines else ""


def _open_map(arguments: argparse.Namespace) -> int:
    path: Path = arguments.open_map
    data = read_file(path)
    if data is None:
        raise FileFormatError(path, "does not exist; check the name")
    rows = decrypted_map(data, path, _passphrase(arguments))
    write_json(rows, arguments.json or "-")
    return 0
