"""`tandem evaluate`: how good a model is on records with gold tags."""

import argparse
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shared.commands.output import add_json, print_table, report
from shared.commands.recognizer_options import (
    SCORES,
    add_options,
    recognizer_spec,
    score_rows,
    threshold_of,
)
from shared.commands.records import examples_of

if TYPE_CHECKING:
    from shared.recognition.recognizer import Example, Suggestion

FIGURES = ("figure", "value")
_DESCRIPTION = """
Runs MODEL over RECORDS and compares its suggestions with their tags: strict scores per type,
whether its confidence means what it says, and what it leaves uncovered. Rules and dictionaries
suggest the types that the records have.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = _DESCRIPTION
    parser.add_argument("model", metavar="MODEL", help="rules, dictionaries, or a folder")
    parser.add_argument("records", type=Path, nargs="+", metavar="RECORDS", help="folders")
    add_options(parser)
    parser.add_argument(
        "--without",
        action="append",
        default=[],
        metavar="PASS",
        help="leave out a pass that suggestions go through after the model",
    )
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    from shared.recognition.evaluation import above
    from shared.recognition.parallel import suggest_in_parallel

    arguments.model = [arguments.model]
    spec = recognizer_spec(arguments)
    threshold = threshold_of(arguments, spec)
    examples = examples_of(arguments.records, arguments.patient)
    started = time.perf_counter()
    documents = [example.document for example in examples]
    spec = spec.for_types(tag.phi_type for example in examples for tag in example.tags)
    found = {
        document.record_id: suggestions
        for document, suggestions in suggest_in_parallel(spec, documents, cores=arguments.cores)
    }
    seconds = time.perf_counter() - started
    figures = _figures(examples, above([found[each.record_id] for each in documents], threshold))
    data = {**figures, "seconds": round(seconds, 2)}
    report(data, arguments, lambda: _print(figures, len(examples), seconds))
    return 0


def _print(figures: dict[str, Any], records: int, seconds: float) -> None:
    print_table(score_rows(figures.pop("strict")), SCORES)
    print_table([(name.replace("_", " "), value) for name, value in figures.items()], FIGURES)
    print(f"{records} records in {seconds:.1f} s")


def _figures(
    examples: "Sequence[Example]", suggested: "Sequence[Sequence[Suggestion]]"
) -> dict[str, Any]:
    from shared.recognition.evaluation import calibration, counts_row, coverage, strict_scores

    sure, covered = calibration(examples, suggested), coverage(examples, suggested)
    strict = strict_scores(examples, suggested)
    return {
        "strict": {name: counts_row(counts) for name, counts in strict.items()},
        "calibration_error": round(sure.error, 4),
        "calibration_error_by_chance": round(sure.error_by_chance, 4),
        "wrong_among_least_sure": round(sure.wrong_among_least_sure, 4),
        "uncovered": round(covered.uncovered, 4),
        "token_precision": round(covered.token_precision, 4),
        "token_recall": round(covered.token_recall, 4),
    }
