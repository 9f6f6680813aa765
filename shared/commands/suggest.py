"""`tandem suggest`: a recognizer runs over a folder of records."""

import argparse
from collections import Counter
from pathlib import Path

from shared.commands.output import add_json, counted, progress, report
from shared.commands.recognizer_options import add_options, recognizer_spec, threshold_of
from shared.commands.records import read_records, unread_as_json
from shared.formats.base import Record, WriteOptions
from shared.formats.registry import FORMATS
from shared.project.files import write_new
from shared.project.folders import check_target, new_folder_atomically
from shared.recognition.parallel import suggest_in_parallel

_DESCRIPTION = """
Runs recognizers over the records of IN, whose tags are not looked at, and writes XML
records of the same names into OUT. Each tag carries its confidence. With --recall, whatever may
be PHI is covered, for masking rather than for labelling.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = _DESCRIPTION
    parser.add_argument("source", type=Path, metavar="IN", help="a folder of records")
    parser.add_argument(
        "--model",
        action="append",
        required=True,
        metavar="MODEL",
        help="folder of a model, rules, dictionaries, or a TOML file of patterns; where several "
        "are given, the first wins",
    )
    add_options(parser)
    parser.add_argument("--out", type=Path, required=True, metavar="OUT", help="new or empty")
    parser.add_argument("--bare", action="store_true", help="tags without origin and confidence")
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Write the records; 0 done, 2 where some could not be read."""
    spec = recognizer_spec(arguments)
    threshold = threshold_of(arguments, spec)
    check_target(arguments.out)
    folder = read_records(arguments.source, arguments.patient)
    documents = [record.document for record in folder.records]
    results = suggest_in_parallel(spec, documents, cores=arguments.cores)
    options, tags = WriteOptions(bare=arguments.bare), Counter[str]()
    with new_folder_atomically(arguments.out, "tandem suggest") as aside:
        for document, found in progress(results, "records"):
            kept = [each for each in found if each.confidence >= threshold]
            record = Record.of(document, (each.tag() for each in kept))
            for file in FORMATS["i2b2"].write([record], options):
                write_new(aside / file.name, file.data)
            tags.update(str(each.phi_type) for each in kept)
    said = f"{counted(len(documents), 'record')}, {counted(tags.total(), 'tag')}"
    data = {
        "out": str(arguments.out),
        "records": len(documents),
        "tags": tags.total(),
        "by_type": dict(sorted(tags.items())),
        **unread_as_json(folder),
    }
    report(data, arguments, lambda: print(f"{arguments.out}: {said}"))
    return 2 if folder.problems else 0
