"""`tandem convert`: from one file format into another."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from shared.commands.output import add_json, print_table, progress, write_json
from shared.commands.records import (
    add_reading,
    notes_of,
    print_notes,
    read_records,
    reading_of,
    refuse_broken,
    unread_as_json,
)
from shared.formats.format_list import LISTED
from shared.text.blocks import counted

if TYPE_CHECKING:
    from shared.formats.corpus import Corpus
    from shared.formats.losses import LossReport


def add_arguments(parser: argparse.ArgumentParser) -> None:
    names = ", ".join(f"{name} ({each.title})" for name, each in LISTED.items())
    parser.description = (
        f"Write the records of one folder into another in another format: {names}. "
        "What was written is read again, and what the format could not carry is listed."
    )
    parser.add_argument("source", type=Path, metavar="IN", help="records, or - for standard input")
    parser.add_argument("target", type=Path, metavar="OUT", help="a folder, new or empty")
    parser.add_argument("--to", required=True, metavar="F", choices=LISTED)
    add_reading(parser)
    parser.add_argument(
        "--skip-broken", action="store_true", help="leave out records that cannot be read"
    )
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    from shared.formats.base import WriteOptions
    from shared.formats.registry import FORMATS
    from shared.project.folders import check_target
    from shared.project.written_corpus import write_corpus

    check_target(arguments.target)
    reading = reading_of(arguments, arguments.to)
    corpus = read_records(arguments.source, reading=reading)
    if not arguments.skip_broken:
        refuse_broken(corpus, "nothing was converted")
    report = write_corpus(
        corpus.records,
        arguments.target,
        FORMATS[arguments.to],
        WriteOptions(values=reading.options.values),
        lambda records: progress(records, "writing"),
    )
    if arguments.json != "-":
        _print(arguments, corpus, report)
    if arguments.json is not None:
        write_json(_as_json(corpus, report), arguments.json)
    return 0


def _print(arguments: argparse.Namespace, corpus: "Corpus", report: "LossReport") -> None:
    tags = _count_tags(corpus)
    records = counted(len(corpus.records), "record")
    lost = " (text alone holds no tags)" if arguments.to == "text" and tags else ""
    print(f"{arguments.target}: {records}, {counted(tags, 'tag')}{lost}")
    print_notes(corpus.records)
    if report.losses:
        print_table(report.rows(), ("not carried", "done", "times", "records"))


def _as_json(corpus: "Corpus", report: "LossReport") -> dict[str, object]:
    return {
        "records": len(corpus.records),
        "tags": _count_tags(corpus),
        "notes": notes_of(corpus.records),
        **unread_as_json(corpus),
        "losses": report.as_json(),
    }


def _count_tags(corpus: "Corpus") -> int:
    return sum(len(layer.tags) for record in corpus.records for layer in record.layers)
