"""`tandem suggest`: a recognizer runs over a folder of records."""

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from shared.commands.output import add_json, progress_of, report, write_json
from shared.commands.recognizer_options import add_options, recognizer_spec, threshold_of
from shared.commands.records import add_reading, read_records, reading_of, unread_as_json
from shared.commands.tables import add_tables, refuse_options, run_tables
from shared.errors import RequestError
from shared.text.blocks import counted

if TYPE_CHECKING:
    from shared.formats.base import OutputFile, Record
    from shared.formats.corpus import Corpus
    from shared.recognition.parallel import Suggested
    from shared.recognition.registry import RecognizerSpec

_STANDARD_OUTPUT = Path("-")
_DESCRIPTION = """
Runs recognizers over the records of IN, whose tags are not looked at, and writes XML
records of the same names into OUT. Each tag carries its confidence. With --recall, whatever may
be PHI is covered, for masking rather than for labelling. Where OUT ends with .parquet or an
--engine is named, IN is a table of records and OUT a table of tags, with tables beside it of the
records that were read and of those left out, and why.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = _DESCRIPTION
    parser.add_argument("source", type=Path, metavar="IN", help="records, or - for standard input")
    parser.add_argument(
        "--model",
        action="append",
        required=True,
        metavar="MODEL",
        help="folder of a model, rules, dictionaries, or a TOML file of patterns; where several "
        "are given, the first wins",
    )
    add_options(parser)
    add_reading(parser)
    parser.add_argument(
        "--out", type=Path, required=True, metavar="OUT",
        help="a folder, new or empty, or - for standard output where it is one record",
    )  # fmt: skip
    parser.add_argument("--bare", action="store_true", help="tags without origin and confidence")
    add_tables(parser)
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Write the records; 0 done, 2 where some could not be read."""
    from shared.formats.base import WriteOptions
    from shared.formats.registry import FORMATS
    from shared.project.files import write_new
    from shared.project.folders import check_target, new_folder_atomically
    from shared.recognition.parallel import suggest_in_parallel

    spec = recognizer_spec(arguments)
    threshold = threshold_of(arguments, spec)
    if arguments.engine or arguments.out.suffix == ".parquet":
        return _suggest_in_tables(arguments, spec, threshold)
    if arguments.out != _STANDARD_OUTPUT:
        check_target(arguments.out)
    elif arguments.json == "-":
        raise RequestError("--out and --json cannot both be -; give a file to one of them")
    folder = read_records(arguments.source, arguments.patient, reading=reading_of(arguments))
    documents = [record.document for record in folder.records]
    results = suggest_in_parallel(spec, documents, cores=arguments.cores)
    tags = Counter[str]()
    tagged = _tagged(progress_of(results, "records", len(documents)), threshold, tags)
    files = (
        file
        for record in tagged
        for file in FORMATS["i2b2"].write([record], WriteOptions(bare=arguments.bare))
    )
    if arguments.out == _STANDARD_OUTPUT:
        _print_one(files, len(documents))
        if arguments.json is not None:
            write_json(_as_json(arguments.out, folder, tags), arguments.json)
        return 2 if folder.problems else 0
    with new_folder_atomically(arguments.out, "tandem suggest") as aside:
        for file in files:
            write_new(aside / file.name, file.data)
    said = f"{counted(len(documents), 'record')}, {counted(tags.total(), 'tag')}"
    data = _as_json(arguments.out, folder, tags)
    report(data, arguments, lambda: print(f"{arguments.out}: {said}"))
    return 2 if folder.problems else 0


def _suggest_in_tables(
    arguments: argparse.Namespace, spec: "RecognizerSpec", threshold: float
) -> int:
    """Read a table of records and write one of tags; 1 where records are left out."""
    from shared.recognition.registry import open_recognizer

    refuse_options(arguments, "bare", "patient", "from_", "encoding")
    folders = [Path(each).absolute() for each in spec.names if Path(each).exists()]
    options = {
        "names": [str(Path(each).absolute()) if Path(each).exists() else each
                  for each in spec.names],
        "locales": spec.locales,
        "recall": spec.recall,
        "without": spec.without,
        "threshold": threshold,
    }  # fmt: skip
    open_recognizer(spec)  # what is wrong with it is wrong with all parts
    return run_tables(arguments, "suggest", {"notes": arguments.source}, options, tuple(folders))


def _as_json(out: Path, folder: "Corpus", tags: Counter[str]) -> dict[str, object]:
    return {
        "out": str(out),
        "records": len(folder.records),
        "tags": tags.total(),
        "by_type": dict(sorted(tags.items())),
        **unread_as_json(folder),
    }


def _tagged(
    found: "Iterable[Suggested]", threshold: float, tags: Counter[str]
) -> "Iterator[Record]":
    """Yield the records with what is sure enough, and count it by type."""
    from shared.formats.base import Record

    for document, suggestions in found:
        kept = [each for each in suggestions if each.confidence >= threshold]
        tags.update(str(each.phi_type) for each in kept)
        yield Record.of(document, (each.tag() for each in kept))


def _print_one(files: "Iterable[OutputFile]", records: int) -> None:
    if records != 1:
        raise RequestError(f"{records} records cannot go to standard output; give a folder")
    for file in files:
        sys.stdout.write(file.data.decode("utf-8"))
