"""`tandem import-suggestions`: predictions of another program become suggestions."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from shared.commands.output import add_json, print_problems, report
from shared.commands.recognizer_options import share_between
from shared.commands.records import RecordReading, add_reading, reading_of
from shared.errors import FileError, RequestError
from shared.text.blocks import counted

if TYPE_CHECKING:
    from shared.project.suggestion_import import ListedPrediction, SuggestionImport

USUALLY_SURE = 0.5


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Let what another program predicted be suggested to the annotators, under a name: tags in "
        "any format that holds some, or JSON lines with quotes (manual/suggestions.md). What does "
        "not fit its offsets is put where its own text stands if that can be told, else listed "
        "with its record and the reason; nothing is moved otherwise. What was imported under the "
        "name before is replaced. Status 1 where something was listed."
    )
    parser.add_argument("project", type=Path, metavar="PROJECT")
    parser.add_argument("file", type=Path, nargs="?", metavar="FILE", help="a file or a folder")
    parser.add_argument("--name", required=True, help="of the program, as annotators see it")
    parser.add_argument("--remove", action="store_true", help="let these suggestions be no more")
    add_reading(parser)
    parser.add_argument(
        "--confidence",
        type=share_between,
        default=USUALLY_SURE,
        metavar="P",
        help=f"of what the file gives none, from 0 to 1 (default {USUALLY_SURE})",
    )
    parser.add_argument(
        "--type",
        action="append",
        default=[],
        type=_meaning,
        metavar="LABEL=TYPE",
        help="what a label means that is no type of the schema; may be there several times",
    )
    parser.add_argument("--skip-broken", action="store_true", help="leave out what is broken")
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    from shared.project.imported_suggestions import path_of, remove_imported, write_imported
    from shared.project.project import Project
    from shared.project.suggestion_import import SuggestionImport, refuse_layers, types_meant

    project = Project.open(arguments.project)
    path_of(project, arguments.name)  # says so where it can be no name
    if arguments.remove:
        if arguments.file:
            raise RequestError("--remove takes no file; leave one of them out")
        remove_imported(project, arguments.name)
        said = f"the suggestions of {arguments.name} are gone"
        report({"name": arguments.name, "removed": True}, arguments, lambda: print(said))
        return 0
    if not arguments.file:
        raise RequestError("a FILE is needed, or --remove")
    refuse_layers(arguments.file)
    made = SuggestionImport(project, arguments.confidence, types_meant(project, arguments.type))
    problems = _read(arguments.file, made, reading_of(arguments))
    print_problems(problems)
    if problems and not arguments.skip_broken:
        raise RequestError(
            f"nothing was imported, {counted(len(problems), 'thing')} could not be read; correct "
            "them or use --skip-broken"
        )
    found = made.found
    if not found:
        _print_left_out(made, sys.stderr)
        raise RequestError(f"nothing was imported: {arguments.file} has nothing that fits")
    is_again = write_imported(project, arguments.name, found)
    data = _as_json(arguments.name, made)
    report(data, arguments, lambda: _print(arguments.name, made, is_again=is_again))
    return 1 if made.listed or made.unknown_types or problems else 0


def _read(path: Path, made: "SuggestionImport", reading: RecordReading) -> Sequence[FileError]:
    """Take what a file or folder holds; returns what is wrong with it. Raises TandemError."""
    from shared.formats.base import ReadOptions
    from shared.formats.corpus import read_ungrouped
    from shared.formats.quoted_spans import has_quotes, read_quotes
    from shared.formats.registry import TAGGED

    problems: list[FileError] = []
    if has_quotes(path):
        for each in read_quotes(path, reading.options.encoding):
            if isinstance(each, FileError):
                problems.append(each)
            else:
                made.take_quote(each)
        return problems
    values = {"predictions": "yes", **reading.options.values}
    options = ReadOptions(values, reading.options.encoding, by_quote=True)
    read = read_ungrouped(path, formats=reading.formats or TAGGED, options=options)
    for record in read.records:
        made.take_record(record)
    return [*read.problems, *(each for each in read.unread if each.form)]


def _print(name: str, made: "SuggestionImport", *, is_again: bool) -> None:
    suggestions = sum(map(len, made.found.values()))
    again = ", in the place of those before" if is_again else ""
    records = counted(len(made.found), "record")
    print(f"{name}: {counted(suggestions, 'suggestion')} in {records}{again}")
    if made.taken > suggestions:
        print(f"{made.taken - suggestions} were there twice")
    if made.moved:
        print(f"{len(made.moved)} did not fit their offsets and are where their own text stands")
    _print_left_out(made)


def _print_left_out(made: "SuggestionImport", out: TextIO | None = None) -> None:
    from shared.formats.xml_offsets import shown_id

    for label, count in sorted(made.unknown_types.items()):
        said = shown_id(label)
        print(
            f"type {said}: not in the schema, {count} left out; --type {said}=TYPE maps it",
            file=out,
        )
    for each in made.listed:
        tag = f"tag {shown_id(each.tag_id)}: " if each.tag_id else ""
        print(f"{shown_id(each.record_id)}: {tag}{each.reason}", file=out)


def _as_json(name: str, made: "SuggestionImport") -> dict[str, Any]:
    return {
        "name": name,
        "removed": False,
        "suggestions": {record_id: len(some) for record_id, some in made.found.items()},
        "moved": _rows(made.moved),
        "left_out": _rows(made.listed),
        "unknown_types": dict(sorted(made.unknown_types.items())),
    }


def _rows(listed: "Sequence[ListedPrediction]") -> list[dict[str, str]]:
    return [{"record": each.record_id, "tag": each.tag_id, "what": each.reason} for each in listed]


def _meaning(said: str) -> tuple[str, str]:
    label, _, name = said.rpartition("=")
    if not label or not name:
        raise argparse.ArgumentTypeError("needs a label and a type, such as PERSON=PATIENT")
    return label, name
