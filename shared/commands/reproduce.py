"""`tandem reproduce`: the tables of the papers made anew, with the paper's figures beside ours."""

import argparse
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import starmap
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shared.agreement.error_classes import ErrorClass, error_classes, nearest_tags
from shared.agreement.score_tables import measure_all
from shared.commands.output import add_json, print_table, progress_of, report
from shared.commands.recognizer_options import one_or_more
from shared.commands.records import examples_of, read_records
from shared.errors import RequestError
from shared.formats.schema_auto import schema_of
from shared.recognition.reproduction.paper_tables import papers
from shared.text.blocks import counted

if TYPE_CHECKING:
    from shared.agreement.comparison import Comparison
    from shared.metrics.counts import Scores
    from shared.recognition.recognizer import Example, Suggestion
    from shared.recognition.reproduction.corpora import Hosts
    from shared.recognition.reproduction.paper_tables import PrintedPaper, ReproducedTable
    from shared.recognition.reproduction.stat_deid_tables import StatDeidTables
    from shared.recognition.reproduction.tagged_tables import TaggedTables

SIZE = 100
OTHER, SAME, GIVEN = "other", "same", "given"
"""The tests: sentences with PHI of other templates, of the same ones, and given records."""
_DESCRIPTION = f"""
Trains the systems of a paper, reads other records with them, and prints the tables of the paper
that public data allow: our figures, those of the paper, and why they differ.
The records are fabricated English ones. Those to test on have sentences with PHI of other
templates than those to train on ("{OTHER}"), or of the same ones ("{SAME}"). For stat-deid and
sibanda, whose corpora are made by placing names, terms and random letters as PHI, --corpus names
notes that hold no tags: then the sentences with PHI stand between theirs. For he and liu it names
tagged records, such as those of MEDDOCAN: a folder to train on and one to test on, or one, of
which half of the patients is to test on.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = _DESCRIPTION
    parser.add_argument("paper", choices=papers(), metavar="PAPER", help=", ".join(papers()))
    parser.add_argument(
        "--corpus", type=Path, nargs="+", default=[], metavar="DIR", help="notes, or tagged records"
    )
    parser.add_argument(
        "--size",
        type=one_or_more,
        default=SIZE,
        metavar="N",
        help=f"records to train on at most, and of each test ({SIZE})",
    )
    parser.add_argument(
        "--tables", type=_numbers, default=[], metavar="N,N", help="only these tables"
    )
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    parser.add_argument(
        "--out",
        type=Path,
        metavar="DIR",
        help="write the tables as CSV, and corpora that were made as XML with tags",
    )
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    from shared.project.files import make_folder, write_new
    from shared.project.folders import check_target, new_folder_atomically
    from shared.recognition.reproduction.paper_tables import chosen_tables, paper_named
    from shared.recognition.reproduction.stat_deid_tables import StatDeidTables
    from shared.recognition.reproduction.written_files import corpus_files, table_files

    paper = paper_named(arguments.paper)
    chosen = chosen_tables(paper, arguments.tables)
    if arguments.out is not None:
        check_target(arguments.out)
    started = _cpu_seconds()
    maker, records = _maker(paper, arguments)
    tables = [maker.table(each) for each in progress_of(chosen, "tables", len(chosen))]
    seconds = round(_cpu_seconds() - started, 1)
    if arguments.out is not None:
        with new_folder_atomically(arguments.out, "tandem reproduce") as folder:
            made = corpus_files(maker.corpora) if isinstance(maker, StatDeidTables) else ()
            for each in (*table_files(tables), *made):
                make_folder((folder / each.name).parent)
                write_new(folder / each.name, each.data)
    data = {
        "paper": paper.name,
        "citation": paper.citation,
        "records": records,
        "seed": arguments.seed,
        "why": list(paper.why),
        "left_out": paper.left_out,
        "tables": [each.as_json() for each in tables],
        "cpu_seconds": seconds,
    }
    report(data, arguments, lambda: _print(paper, records, tables, seconds))
    return 0


class AgreementEvaluation:
    """Suggestions against tags by the measures and the error classes of agreement."""

    def measured(
        self, examples: "Sequence[Example]", found: "Sequence[Sequence[Suggestion]]"
    ) -> "Mapping[str, Mapping[str, Scores]]":
        schema = schema_of(tag for each in examples for tag in each.tags)
        hipaa = {each.phi_type for each in schema.types() if each.hipaa}
        return measure_all(_comparisons(examples, found), hipaa.__contains__)

    def errors(
        self, examples: "Sequence[Example]", found: "Sequence[Sequence[Suggestion]]"
    ) -> Mapping[str, int]:
        errors: Counter[str] = Counter()
        classes = error_classes(nearest_tags(_comparisons(examples, found)))
        for (_, kind), count in classes.items():
            if kind is not ErrorClass.CORRECT:
                errors[kind] += count
        return errors


def _comparisons(
    examples: "Sequence[Example]", found: "Sequence[Sequence[Suggestion]]"
) -> "Iterator[Comparison]":
    from shared.agreement.comparison import Comparison

    for example, suggestions in zip(examples, found, strict=True):
        candidate = tuple(each.tag() for each in suggestions)
        yield Comparison(example.document, candidate, example.tags)


def _maker(
    paper: "PrintedPaper", arguments: argparse.Namespace
) -> "tuple[StatDeidTables | TaggedTables, dict[str, int]]":
    """Return what makes the tables, and how many records there are to train on and of each test."""
    from shared.recognition.reproduction.corpora import hosts_of
    from shared.recognition.reproduction.stat_deid_tables import StatDeidTables
    from shared.recognition.reproduction.tagged_tables import TaggedTables, records_at_random

    seed, size = arguments.seed, arguments.size
    if paper.is_of_placed_phi:
        training, tests = _fabricated(size, seed)
        hosts: Hosts = hosts_of(training, tests, _notes(arguments.corpus), size, seed)
        maker: StatDeidTables | TaggedTables = StatDeidTables(hosts, seed)
        return maker, _sizes(hosts.training, hosts.tests)
    training, tests = (
        _tagged(arguments.corpus, seed) if arguments.corpus else _fabricated(size, seed)
    )
    training = records_at_random(training, size, seed)
    tests = {name: records_at_random(each, size, seed) for name, each in tests.items()}
    maker = TaggedTables(paper, training, tests, AgreementEvaluation(), seed)
    return maker, _sizes(training, tests)


def _fabricated(size: int, seed: int) -> "tuple[list[Example], dict[str, list[Example]]]":
    from annotator.pretraining import SyntheticTrainingData

    patients = size // 2 + 1  # each has two records or more
    return SyntheticTrainingData(patients, seed)(), {
        OTHER: SyntheticTrainingData(patients, seed + 1, "held-out")(),
        SAME: SyntheticTrainingData(patients, seed + 2)(),
    }


def _tagged(folders: Sequence[Path], seed: int) -> "tuple[list[Example], dict[str, list[Example]]]":
    from shared.recognition.reproduction.tagged_tables import halves_of

    if len(folders) > 2:
        raise RequestError("--corpus takes a folder to train on and one to test on, no more")
    if len(folders) == 2:
        examples_of(folders)  # which refuses records that are in both
    parts = [examples_of([folder]) for folder in folders]
    for folder, part in zip(folders, parts, strict=True):
        if not any(each.tags for each in part):
            raise RequestError(f"{folder} holds no records with tags; give tagged ones")
    training, test = parts if len(parts) == 2 else halves_of(parts[0], seed)
    if not any(each.tags for each in training) or not test:
        raise RequestError("half of the patients have no tags to learn from; give more records")
    return training, {GIVEN: test}


def _notes(folders: Sequence[Path]) -> list[str]:
    notes: list[str] = []
    for folder in folders:
        found = read_records(folder)
        if any(record.tags for record in found.records):
            raise RequestError(f"records of {folder} hold tags; give notes without")
        notes += [record.document.text for record in found.records]
    return notes


def _sizes(training: Sequence[object], tests: Mapping[str, Sequence[object]]) -> dict[str, int]:
    return {"training": len(training), **{name: len(records) for name, records in tests.items()}}


def _print(
    paper: "PrintedPaper",
    records: dict[str, int],
    tables: "Sequence[ReproducedTable]",
    seconds: float,
) -> None:
    print(paper.citation)
    print(", ".join(starmap(_of_part, records.items())))
    for sentence in (*paper.why, paper.left_out):
        print(f"- {sentence}")
    for table in tables:
        print(f"\nTable {table.printed.number}: {table.printed.title}")
        print_table(table.cells(), table.headers)
        print(table.printed.why)
    print(f"\n{seconds:.0f} CPU s")


def _of_part(name: str, records: int) -> str:
    return f"{name}: {counted(records, 'record')}"


def _numbers(said: str) -> list[int]:
    try:
        return [int(number) for number in said.split(",")]
    except ValueError:
        raise argparse.ArgumentTypeError("needs numbers with commas between") from None


def _cpu_seconds() -> float:
    """CPU seconds of this process and of those that it waited for."""
    spent: Any = os.times()
    return spent.user + spent.system + spent.children_user + spent.children_system
