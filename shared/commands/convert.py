"""`tandem convert`: from one file format into another."""

import argparse
from pathlib import Path

from shared.commands.output import counted, print_problems, progress
from shared.errors import RequestError


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:  # pyright: ignore[reportPrivateUsage]
    from shared.formats.registry import FORMATS

    names = ", ".join(f"{each.name} ({each.title})" for each in FORMATS.values())
    parser = subparsers.add_parser(
        "convert",
        help="between file formats",
        description=f"Write the records of one folder into another in another format: {names}.",
    )
    parser.add_argument("source", type=Path, metavar="IN", help="a folder of records")
    parser.add_argument("target", type=Path, metavar="OUT", help="a folder, new or empty")
    parser.add_argument("--from", dest="from_", required=True, metavar="F", choices=FORMATS)
    parser.add_argument("--to", required=True, metavar="F", choices=FORMATS)
    parser.add_argument(
        "--skip-broken", action="store_true", help="leave out records that cannot be read"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    from shared.formats.base import WriteOptions
    from shared.formats.corpus import read_corpus
    from shared.formats.registry import FORMATS
    from shared.project.atomic_file import write_new
    from shared.project.whole_folder import check_target, whole_folder

    check_target(arguments.target)
    corpus = read_corpus(arguments.source, formats=[FORMATS[arguments.from_]])
    print_problems((*corpus.unread, *corpus.problems))
    if corpus.problems and not arguments.skip_broken:
        raise RequestError(
            f"nothing was converted, {len(corpus.problems)} of the files could not be read; "
            "mend them or use --skip-broken"
        )
    files = FORMATS[arguments.to].write(corpus.records, WriteOptions())
    with whole_folder(arguments.target, "tandem convert") as aside:
        for each in progress(files, "writing"):
            write_new(aside / each.name, each.data)
    tags = sum(len(record.tags) for record in corpus.records)
    lost = " (text alone holds no tags)" if arguments.to == "text" and tags else ""
    records = counted(len(corpus.records), "record")
    print(f"{arguments.target}: {records}, {counted(tags, 'tag')}{lost}")
    return 0
