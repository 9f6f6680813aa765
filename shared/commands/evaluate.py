"""`tandem evaluate`: how good a model is on records with gold tags."""

import argparse
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shared.commands.output import print_table, write_json
from shared.commands.recognition import SCORES, examples_of, score_rows

if TYPE_CHECKING:
    from shared.recognition.example import Example
    from shared.recognition.suggestion import Suggestion

FIGURES = ("figure", "value")
_DESCRIPTION = """
Runs MODEL over RECORDS and compares its suggestions with their tags: strict scores per type,
whether its confidence means what it says, and what it leaves uncovered.
"""


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:  # pyright: ignore[reportPrivateUsage]
    parser = subparsers.add_parser(
        "evaluate", help="how good a model is on gold records", description=_DESCRIPTION
    )
    parser.add_argument("model", type=Path, metavar="MODEL")
    parser.add_argument("records", type=Path, nargs="+", metavar="RECORDS", help="folders of XML")
    parser.add_argument("--threshold", type=float, metavar="T", help="least confidence")
    parser.add_argument("--recall", action="store_true", help="evaluate recall mode")
    parser.add_argument("--patient", metavar="PATTERN", help="captures the patient in record names")
    parser.add_argument("--cores", type=int, metavar="N", help="processes; all cores by default")
    parser.add_argument("--json", metavar="FILE", help="write JSON to FILE, or - for the terminal")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print or write the evaluation."""
    from shared.recognition.card import read_card
    from shared.recognition.evaluation import above

    examples = examples_of(arguments.records, arguments.patient)
    threshold = arguments.threshold
    if threshold is None:
        threshold = 0.0 if arguments.recall else read_card(arguments.model).threshold
    started = time.perf_counter()
    suggested = _suggested(arguments, examples)
    seconds = time.perf_counter() - started
    figures = _figures(examples, above(suggested, threshold))
    if arguments.json:
        write_json({**figures, "seconds": round(seconds, 2)}, arguments.json)
    else:
        print_table(score_rows(figures.pop("strict")), SCORES)
        print_table([(name.replace("_", " "), value) for name, value in figures.items()], FIGURES)
        print(f"{len(examples)} records in {seconds:.1f} s")
    return 0


def _suggested(
    arguments: argparse.Namespace, examples: "Sequence[Example]"
) -> "list[tuple[Suggestion, ...]]":
    from shared.recognition.running import suggest_all

    documents = [example.document for example in examples]
    found = {
        document.record_id: suggestions
        for document, suggestions in suggest_all(
            arguments.model, documents, recall=arguments.recall, cores=arguments.cores
        )
    }
    return [found[document.record_id] for document in documents]


def _figures(
    examples: "Sequence[Example]", suggested: "Sequence[Sequence[Suggestion]]"
) -> dict[str, Any]:
    from shared.recognition.evaluation import calibration, coverage, strict_scores

    sure, covered = calibration(examples, suggested), coverage(examples, suggested)
    tallies = strict_scores(examples, suggested)
    return {
        "strict": {name: tally.row() for name, tally in tallies.items()},
        "calibration_error": round(sure.error, 4),
        "wrong_among_least_sure": round(sure.wrong_among_least_sure, 4),
        "uncovered": round(covered.uncovered, 4),
        "token_precision": round(covered.token_precision, 4),
        "token_recall": round(covered.token_recall, 4),
    }
