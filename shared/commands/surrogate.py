"""`tandem surrogate`: replaces PHI, checks for leaks, writes the release."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from shared.commands.hold_back import add_hold_back, asks_about_held_back, run_hold_back
from shared.commands.output import add_json, print_table, say, write_json
from shared.commands.recognizer_options import add_cores
from shared.commands.records import add_language
from shared.commands.release_map import map_passphrase, open_map
from shared.commands.surrogate_report import ReleaseRun, prepare_release
from shared.commands.tables import add_tables, refuse_options
from shared.commands.unattended import (
    add_unattended,
    is_unattended,
    run_in_tables,
    run_unattended,
)
from shared.errors import RequestError
from shared.surrogates.surrogate_kinds import ReleaseMode
from shared.text.blocks import counted

if TYPE_CHECKING:
    from adjudicator.release.writing import ReleaseOptions

_LARGEST_PATIENT = 1
"""Beyond so many megabytes each costs more than the one before, minutes and then hours."""
_DESCRIPTION = """
Replaces every PHI of the gold standard by a realistic surrogate, the same person, place and date
the same in all records of a patient, and writes the records split as they came, as text and as
i2b2 XML with the surrogates tagged. Three things hold a release up (status 1, and a list): what
the consistency check finds, surrogates that a person should look at, and anything authentic that
is left in a new record. Set each right, or dismiss it with a reason: with tandem check --dismiss,
in the release window, or in the table that --review writes into the project, under "edit", for
surrogates; or hold the patient or record back, which then stays out of the release. What you
decided is kept for later runs. WHERE may also be tagged records, as tandem suggest writes them:
--doubtful then says by which rule that is settled without a person. It ends with status 0 where
all went out, 1 where something was held back, 2 where something could not be read.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = _DESCRIPTION
    parser.add_argument(
        "project", type=Path, metavar="WHERE", help="an adjudicated project, or tagged records"
    )
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--out", type=Path, metavar="DIR", help="where the release is written")
    what.add_argument("--review", action="store_true", help="write the table of replacements")
    what.add_argument(
        "--open-map", type=Path, metavar="FILE", help="decrypt a map and print it as JSON"
    )
    add_hold_back(what.add_argument, parser.add_argument)
    _add_release_options(parser)
    _add_surrogate_options(parser)
    add_unattended(parser.add_argument_group("tagged records without a project").add_argument)
    _add_tables(parser)
    add_cores(parser)
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
        "--restore", type=Path, nargs=2, metavar=("RELEASE", "DIR"),
        help="with --open-map: write the records of a keyed release as they were before it",
    )  # fmt: skip
    group.add_argument(
        "--passphrase-file", type=Path, metavar="FILE", help="otherwise the passphrase is asked for"
    )


def _add_surrogate_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("the surrogates")
    add_language(parser, None, "the project's")
    group.add_argument(
        "--mode", type=ReleaseMode, choices=list(ReleaseMode), default=ReleaseMode.SURROGATE,
        help="surrogate: realistic surrogates, as is usual; tags: placeholders such as [DATE-3]; "
        "keyed: placeholders with pseudonyms, which the map leads back to the originals; "
        "safe-harbor: years, three digits of ZIP codes and ages below 90 stay, placeholders for "
        "the rest (45 CFR 164.514(b)(2))",
    )  # fmt: skip
    group.add_argument(
        "--names", type=_resampling, default=0.0, metavar="consistent|resample[=P]",
        help="resample: with the probability P (default .5) a mention of a person has a name of "
        "its own, so that one that was missed does not stand out",
    )  # fmt: skip
    group.add_argument(
        "--key", type=Path, metavar="FILE|env:NAME",
        help="for keyed: a secret of 32 bytes or more, in a file or an environment "
        "variable, by which the same text has the same pseudonym in all patients and releases "
        "(default: one for each patient that nobody keeps)",
    )  # fmt: skip
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


def _add_tables(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--tags", type=Path, metavar="TABLE", help="WHERE is a table of records, and here its tags"
    )
    parser.add_argument(
        "--read", type=Path, metavar="TABLE",
        help="of a table: which records a recognizer has read (default: what tandem suggest wrote "
        "beside the tags); others are left out",
    )  # fmt: skip
    add_tables(parser, largest_patient=_LARGEST_PATIENT)


def run(arguments: argparse.Namespace) -> int:
    """Release, or write the review, or open a map; 1 where something stands against a release."""
    from adjudicator.release.writing import check_options, write_release
    from shared.project.project import Project

    _refuse_contradictions(arguments)
    if arguments.open_map is not None:
        return open_map(arguments)
    if asks_about_held_back(arguments):
        return run_hold_back(arguments)
    if arguments.tags is not None or is_unattended(arguments):
        return _run_unattended(arguments)
    project = Project.open(arguments.project)
    options = _options(arguments) if arguments.out is not None else None
    if options is not None:
        check_options(project.schema, options, arguments.mode, project.root)
    prepared = prepare_release(project, arguments)
    released = options is not None and _may_be_released(prepared, options)
    _print_report(prepared, arguments, released=released)
    if options is None:
        return _write_review(prepared, arguments)
    if prepared.blockers and not released:
        print("nothing was released", file=sys.stderr)
        return 1
    write_release(project, prepared.draft, options)
    say(f"{options.out}: {counted(prepared.draft.record_count, 'record')} released", arguments)
    if prepared.blockers:
        print(f"NOT REVIEWED: {len(prepared.blockers)}, see the data card", file=sys.stderr)
    return int(bool(prepared.blockers))


def _run_unattended(arguments: argparse.Namespace) -> int:
    if arguments.tags is not None:
        return run_in_tables(arguments)
    return run_unattended(arguments, _options(arguments))


def _refuse_contradictions(arguments: argparse.Namespace) -> None:
    if arguments.restore is not None and arguments.open_map is None:
        raise RequestError("only a map leads back: give --open-map FILE with --restore")
    if arguments.names and arguments.mode is not ReleaseMode.SURROGATE:
        raise RequestError("--names is for surrogates; leave it out with other modes")
    if arguments.key is not None and arguments.mode is not ReleaseMode.KEYED:
        raise RequestError("--key makes keyed pseudonyms; give --mode keyed with it")
    if arguments.tags is None:
        refuse_options(arguments, "read", "engine", given="--tags")


def _may_be_released(prepared: ReleaseRun, options: "ReleaseOptions") -> bool:
    from adjudicator.release.draft import BlockerKind

    kinds = {each.kind for each in prepared.blockers}
    return not kinds or (options.accept_unreviewed and BlockerKind.LEAK not in kinds)


def _options(arguments: argparse.Namespace) -> "ReleaseOptions":
    from adjudicator.release.writing import ReleaseOptions, StoredMap

    unmark = frozenset(name.strip() for name in arguments.unmark.split(",") if name.strip())
    kept_map = (
        StoredMap(arguments.keep_map, map_passphrase(arguments)) if arguments.keep_map else None
    )
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


def _write_review(prepared: ReleaseRun, arguments: argparse.Namespace) -> int:
    """Write the table of replacements into the project and keep the secret they hang on."""
    from adjudicator.release.folder import ReleaseFolder

    folder = ReleaseFolder(prepared.project, prepared.draft.source.settings.mode)
    folder.keep_secret(prepared.draft.secret)
    path = folder.write_table(prepared.draft.surrogates)
    say(f'{path}: write other surrogates under "edit", then run again', arguments)
    return int(bool(prepared.blockers))


def _resampling(value: str) -> float:
    """The probability with which names are drawn anew, 0 where they are consistent."""
    from shared.surrogates.surrogate_kinds import RESAMPLED

    how, _, said = value.partition("=")
    probability = {"consistent": 0.0, "resample": RESAMPLED}.get(how)
    if probability is None or (said and how == "consistent"):
        raise argparse.ArgumentTypeError("give consistent, resample or resample=P")
    probability = float(said or probability)
    if said and not 0 < probability <= 1:
        raise argparse.ArgumentTypeError("P is more than 0 and at most 1")
    return probability


def _percent(value: str) -> int:
    number = int(value)
    if not 0 <= number <= 90:
        raise argparse.ArgumentTypeError("give 0 to 90 per cent")
    return number


def _print_report(prepared: ReleaseRun, arguments: argparse.Namespace, *, released: bool) -> None:
    from adjudicator.release.draft import BlockerKind

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
