"""`tandem surrogate`: replaces PHI, checks for leaks, writes the release."""

import argparse
import sys
from pathlib import Path

from adjudicator.release.draft import BlockerKind
from adjudicator.release.folder import ReleaseFolder
from adjudicator.release.writing import ReleaseOptions, StoredMap, check_options, write_release
from shared.commands.output import add_json, counted, print_table, write_json
from shared.commands.records import add_language
from shared.commands.surrogate_report import ReleaseRun, prepare_release
from shared.errors import FileFormatError, RequestError, storage_errors
from shared.project.files import read_file
from shared.project.project import Project
from shared.surrogates.key_map import decrypted_map

_DESCRIPTION = """
Replaces every PHI of the gold standard by a realistic surrogate, the same person, place and date
the same in all records of a patient, and writes the records split as they came, as text and as
i2b2 XML with the surrogates tagged. Three things hold a release up (status 1, and a list): what
the consistency check finds, surrogates that a person should look at, and anything authentic that
is left in a new record. Set each right, or dismiss it with a reason: with tandem check --dismiss,
in the release window, or in the table that --review writes into the project, under "edit", for
surrogates. What you decided is kept for later runs.
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
    group.add_argument(
        "--accept-unreviewed", action="store_true",
        help="for scripts: release although findings and surrogates were not looked at; the data "
        "card says how many, and the status is 1; leaks still hold the release up",
    )  # fmt: skip
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
    released = options is not None and _may_be_released(prepared, options)
    _print_report(prepared, arguments, released=released)
    if options is None:
        return _write_review(prepared)
    if prepared.blockers and not released:
        print("nothing was released", file=sys.stderr)
        return 1
    write_release(project, prepared.draft, options)
    print(f"{options.out}: {prepared.draft.record_count} records released")
    if prepared.blockers:
        print(f"NOT REVIEWED: {len(prepared.blockers)}, see the data card", file=sys.stderr)
    return int(bool(prepared.blockers))


def _may_be_released(prepared: ReleaseRun, options: ReleaseOptions) -> bool:
    kinds = {each.kind for each in prepared.blockers}
    return not kinds or (options.accept_unreviewed and BlockerKind.LEAK not in kinds)


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
        arguments.accept_unreviewed,
    )


def _write_review(prepared: ReleaseRun) -> int:
    """Write the table of replacements into the project and keep the secret they hang on."""
    folder = ReleaseFolder(prepared.project)
    folder.keep_secret(prepared.draft.secret)
    path = folder.write_table(prepared.draft.surrogates)
    print(f'{path}: write other surrogates under "edit", then run again')
    return int(bool(prepared.blockers))


def _percent(value: str) -> int:
    number = int(value)
    if not 0 <= number <= 90:
        raise argparse.ArgumentTypeError("give 0 to 90 per cent")
    return number


def _print_report(prepared: ReleaseRun, arguments: argparse.Namespace, *, released: bool) -> None:
    if arguments.json is not None:
        write_json(prepared.as_json(released=released), arguments.json)
    for note in prepared.notes:
        print(f"tandem: {note}", file=sys.stderr)
    if arguments.json is not None:
        return
    print_table(prepared.rows_by_type(), ["type", "kind", "replaced", "to look at"])
    for kind, thing, where in (
        (BlockerKind.FINDING, "finding", "of the check, see tandem check"),
        (BlockerKind.REVIEW, "replacement", "for a person to look at, see --review"),
        (BlockerKind.LEAK, "leak", "at these places of the gold standard"),
    ):
        rows = prepared.rows(kind)
        if rows:
            print(f"{counted(len(rows), thing)} {where}:")
            print_table(rows, ["patient", "record", "start", "end", "type", "what"])


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
