"""`tandem agreement`: how far annotators agree with each other and with the gold standard."""

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from shared.agreement.report.options import RESAMPLES
from shared.commands.output import (
    add_json,
    print_problems,
    print_table,
    progress,
    say,
    write_json,
)
from shared.commands.recognizer_options import add_cores
from shared.errors import RequestError
from shared.garbage import collection_put_off
from shared.text.blocks import counted

if TYPE_CHECKING:
    from adjudicator.agreement.counted_project import Found
    from adjudicator.agreement.project_study import ProjectStudy
    from shared.agreement.folder_comparison import SkippedRecord
    from shared.agreement.report.study_counts import StudyCounts
    from shared.agreement.study import Agreement, AverageAgreement, PairSums
    from shared.project.project import Project

_DESCRIPTION = """
Measures every pair of annotators over the records that both finished, and each annotator against
the gold standard over the records that are adjudicated, averaged as in the paper on the 2014 corpus
(tables 2 and 10). With --out it writes a report: an HTML page, and the same tables as CSV, XLSX,
JSON, Markdown and LaTeX, with intervals, errors by type, confusions, and every disagreement.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = _DESCRIPTION
    parser.add_argument("project", type=Path, metavar="PROJECT", help="the project's folder")
    add_json(parser)
    parser.add_argument("--out", type=Path, metavar="DIR", help="write the report to this folder")
    parser.add_argument(
        "--with-text", action="store_true", help="show the records' text in the report"
    )
    parser.add_argument(
        "--change", type=_day, metavar="DATE", help="compare before and from this date (2026-03-01)"
    )
    parser.add_argument(
        "--resamples", type=int, default=RESAMPLES, metavar="N", help="bootstrap samples (1000)"
    )
    parser.add_argument(
        "--seed", type=int, default=1, metavar="N", help="seed of the bootstrap (1)"
    )
    add_cores(parser)


@collection_put_off()  # there are many small values, but few cycles
def run(arguments: argparse.Namespace) -> int:
    """Print or write the agreement; 0 done, 2 where a file could not be read."""
    from adjudicator.agreement.counted_project import count_project
    from adjudicator.agreement.project_study import ProjectStudy
    from shared.agreement.study import PairSums
    from shared.processes import available_cores
    from shared.project.project import Project

    project = Project.open(arguments.project)
    reading = ProjectStudy(project, is_detailed=arguments.out is not None)
    cores = arguments.cores or available_cores()

    def count(begin: "Callable[[], Found]") -> "Found":
        watch = partial(progress, what="reading and measuring")
        return count_project(reading, project.patient_ids, begin, cores=cores, watch=watch)

    if arguments.out is not None:
        sums = _write_report(project, reading, count, arguments)
    else:
        sums = count(partial(PairSums, reading.hipaa))
        print_problems(reading.problems)
    if arguments.json is not None:
        write_json(_as_json(sums, reading.notes.left_out), arguments.json)
    elif arguments.out is None:
        _print(sums, reading.notes.left_out)
    return 2 if reading.problems else 0


def _day(words: str) -> date:
    try:
        return date.fromisoformat(words)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{words} is not a date; write it as 2026-03-01") from None


# ---------------------------------------------------------------- report


def _write_report(
    project: "Project",
    reading: "ProjectStudy",
    count: "Callable[[Callable[[], StudyCounts]], StudyCounts]",
    arguments: argparse.Namespace,
) -> "PairSums":
    """Measure and write the report, and return the sums."""
    from adjudicator.agreement.export import PAGE, check_out, options_of_today, write_report
    from adjudicator.released_corpus import released_corpus
    from shared.agreement.report.report import report_of
    from shared.agreement.report.study_counts import StudyCounts
    from shared.project.project_log import note_export

    if arguments.resamples < 1:
        raise RequestError("--resamples needs a number above 0")
    options = options_of_today(
        arguments.resamples,
        arguments.seed,
        with_text=arguments.with_text,
        change=arguments.change,
    )
    out: Path = arguments.out
    check_out(out)
    counts = count(partial(StudyCounts, options, reading.hipaa))
    print_problems(reading.problems)
    study = reading.with_details(reading.without_sides(), released_corpus(project))
    report = report_of(study, counts, options)
    if problem := note_export(arguments.project, "agreement", out.resolve()):
        print(f"tandem: {problem}", file=sys.stderr)
    write_report(report, out)
    say(f"The report is in {out}; open {PAGE}", arguments)
    return counts.sums


# ---------------------------------------------------------------- JSON and tables


def _as_json(sums: "PairSums", left_out: "Sequence[SkippedRecord]") -> dict[str, object]:
    from shared.agreement.study import average

    between, with_gold = sums.agreements()
    return {
        "left_out": [each.record_id for each in left_out],
        "left_out_since": {each.record_id: each.reason for each in left_out},
        "between_annotators": [_agreement_json(each) for each in between],
        "with_gold": [_agreement_json(each) for each in with_gold],
        "with_gold_average": _average_json(average(with_gold)) if with_gold else None,
    }


def _agreement_json(agreement: "Agreement") -> dict[str, object]:
    from shared.agreement.score_tables import counts_to_json, measured_to_json

    return {
        "first": agreement.first,
        "second": agreement.second,
        "documents": agreement.records,
        "measures": measured_to_json(agreement.measured),
        "by_type": {label: counts_to_json(each) for label, each in agreement.by_label.items()},
    }


def _average_json(average: "AverageAgreement") -> dict[str, object]:
    from shared.agreement.score_tables import ratios_to_json

    return {
        "measures": {
            name: {
                types: {"micro": ratios_to_json(micro), "macro": ratios_to_json(macro)}
                for types, (micro, macro) in kinds.items()
            }
            for name, kinds in average.measured.items()
        },
        "by_type": {label: ratios_to_json(each) for label, each in average.by_label.items()},
    }


def _print(sums: "PairSums", left_out: "Iterable[SkippedRecord]") -> None:
    from shared.agreement.folder_comparison import by_reason
    from shared.agreement.study import average

    between, with_gold = sums.agreements()
    for agreement in (*between, *with_gold):
        _print_agreement(agreement)
    if with_gold:
        _print_average(average(with_gold), len(with_gold))
    if not between and not with_gold:
        print("No record is finished by two annotators yet, so there is no agreement to measure.")
    for reason, record_ids in by_reason(left_out).items():
        records = counted(len(record_ids), "record")
        print(f"{records} left out because {reason}: {', '.join(record_ids)}")


def _print_agreement(agreement: "Agreement") -> None:
    from shared.agreement.score_tables import HEADERS, counts_rows, measured_rows

    print(f"\n{agreement.first} against {agreement.second}, {counted(agreement.records, 'record')}")
    print_table(measured_rows(agreement.measured), HEADERS)
    print()
    print_table(
        counts_rows(agreement.by_label), ["type", "precision", "recall", "F1", "TP", "FP", "FN"]
    )


def _print_average(average: "AverageAgreement", annotators: int) -> None:
    from shared.agreement.score_tables import HEADERS, ratio_cells

    print(f"\nMean of {annotators} annotators against the gold standard")
    print_table(_average_rows(average), HEADERS[:8])
    print()
    labels = ((label, *ratio_cells(each)) for label, each in average.by_label.items())
    print_table(labels, ["type", "precision", "recall", "F1"])


def _average_rows(average: "AverageAgreement") -> Iterator[tuple[str, ...]]:
    from shared.agreement.score_tables import ratio_cells

    for name, kinds in average.measured.items():
        for types, (micro, macro) in kinds.items():
            yield name.replace("_", " "), types, *ratio_cells(micro), *ratio_cells(macro)
