"""`tandem score`: one folder of records measured against another."""

import argparse
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from shared.agreement.measures import MEASURES
from shared.commands.output import add_json, print_problems, print_table, write_json
from shared.commands.records import RecordReading, add_reading, reading_of
from shared.commands.tables import add_tables, refuse_options, run_tables
from shared.errors import RequestError
from shared.formats.format_list import LISTED_TAGGED
from shared.model.i2b2_2014 import I2B2_2014
from shared.text.blocks import counted

if TYPE_CHECKING:
    from shared.agreement.folder_comparison import FolderComparison, SkippedRecord
    from shared.agreement.folder_counts import FolderCounts
    from shared.agreement.significance import CandidateComparison

_HIPAA = frozenset(each.phi_type for each in I2B2_2014.types() if each.hipaa)
_DESCRIPTION = f"""
Measures the tags of CANDIDATE against those of REFERENCE: two folders of records, paired by
their file names, or two files. Prints precision, recall and F1 by every measure
({", ".join(map(str, MEASURES))}; typed, and binary: PHI or not), for all
types and for those of HIPAA.
Records that are on one side only, or whose texts differ, are not counted, but listed. With
--official it prints what the evaluator of that shared task prints, and measures as it does.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = _DESCRIPTION
    parser.add_argument("candidate", type=Path, metavar="CANDIDATE", help="what is measured")
    parser.add_argument("reference", type=Path, metavar="REFERENCE", help="what it should be")
    add_reading(parser, LISTED_TAGGED)
    add_json(parser)
    parser.add_argument(
        "--against", type=Path, metavar="OTHER", help="test whether another candidate differs"
    )
    parser.add_argument(
        "--official", choices=("i2b2-2014", "meddocan"), help="measure as this evaluator does"
    )
    parser.add_argument(
        "--subtrack", choices=("ner", "spans"), help="of meddocan, only this part; both by default"
    )
    parser.add_argument(
        "-v", "--verbose", action="store_true", help="with --official, every document as well"
    )
    parser.add_argument(
        "--notes", type=Path, metavar="TABLE",
        help="the table of records that two tables of tags are of; with --out",
    )  # fmt: skip
    parser.add_argument(
        "--out", type=Path, metavar="TABLE", help="of tables: where their counts are written"
    )
    add_tables(parser, cores_too=True)


def run(arguments: argparse.Namespace) -> int:
    """Print or write the scores; 0 done, 2 where a file was not read, with --from of any form."""
    return _score_folders(arguments) if arguments.notes is None else _score_tables(arguments)


def _score_folders(arguments: argparse.Namespace) -> int:
    from shared.agreement.folder_counts import FolderCounts
    from shared.agreement.significance import compare_candidates
    from shared.formats.corpus import UnreadError

    refuse_options(arguments, "out", "engine", given="--notes")
    others = {
        "--against": arguments.against,
        "--from": arguments.from_,
        "--option": arguments.option,
        "--encoding": arguments.encoding,
    }
    for name, said in others.items():
        if arguments.official and said:
            raise RequestError(f"{name} does not go with --official")
    if arguments.official == "i2b2-2014":
        return _i2b2_2014(arguments)
    if arguments.official == "meddocan":
        return _meddocan(arguments)
    if arguments.verbose or arguments.subtrack:
        raise RequestError("--verbose and --subtrack belong to --official")
    reading = reading_of(arguments)
    candidates: list[CandidateComparison] = []
    if arguments.against is None:
        found = _counted(arguments, reading)
        problems = found.problems
    else:
        compared = _compared(arguments.candidate, arguments.reference, reading)
        _print_left_out(compared.left_out)
        other = _compared(arguments.against, arguments.reference, reading)
        problems = compared.problems + other.problems
        candidates = compare_candidates(compared.comparisons, other.comparisons)
        found = FolderCounts.of(compared, _HIPAA)
    if found.sums.records:
        _show(found, candidates, arguments.json)
    is_missed = any(isinstance(each, UnreadError) and each.form for each in found.unread)
    return 2 if problems or (reading.formats and is_missed) else 0


def _score_tables(arguments: argparse.Namespace) -> int:
    """Measure one table of tags against another; 1 where records are left out."""
    from shared.agreement.score_tables import HEADERS, measured_of_times, measured_rows

    refuse_options(
        arguments, "official", "subtrack", "verbose", "against", "from_", "option", "encoding"
    )
    names = ("notes", "tags", "reference")
    paths = (arguments.notes, arguments.candidate, arguments.reference)
    status = run_tables(arguments, "score", dict(zip(names, paths, strict=True)), {})
    if arguments.json is None:
        from tandem.tables.jobs import COUNT_COLUMNS, times_of
        from tandem.tables.table_input import rows_of

        times = times_of(rows_of(arguments.out, COUNT_COLUMNS))
        print_table(measured_rows(measured_of_times(times)), HEADERS)
    return status


def _counted(arguments: argparse.Namespace, reading: RecordReading) -> "FolderCounts":
    """Count as the command line says to read; what was not read is said on standard error."""
    from shared.agreement.folder_counts import count_folders
    from shared.processes import available_cores

    found = count_folders(
        *(arguments.candidate, arguments.reference, reading.formats, reading.options, _HIPAA),
        cores=arguments.cores or available_cores(),
    )
    print_problems((*found.unread, *found.problems))
    _print_left_out(found.left_out)
    return found


def _compared(candidate: Path, reference: Path, reading: RecordReading) -> "FolderComparison":
    """Compare two folders of which the records are needed once more; say what was not read."""
    from shared.agreement.folder_comparison import compare_folders

    found = compare_folders(candidate, reference, reading.formats, reading.options)
    print_problems((*found.unread, *found.problems))
    return found


def _print_left_out(left_out: "Iterable[SkippedRecord]") -> None:
    """Say on standard error which records enter no number, a line for each reason."""
    from shared.agreement.folder_comparison import by_reason

    for reason, record_ids in by_reason(left_out).items():
        print(f"tandem: left out because {reason}: {', '.join(record_ids)}", file=sys.stderr)


def _show(
    found: "FolderCounts", candidates: "Sequence[CandidateComparison]", target: str | None
) -> None:
    from shared.agreement.score_tables import (
        HEADERS,
        measured_of_times,
        measured_rows,
        measured_to_json,
    )

    measured = measured_of_times(found.sums.times)
    if target is None:
        print(f"{counted(found.sums.records, 'record')} compared, {len(found.left_out)} left out")
        print_table(measured_rows(measured), HEADERS)
        _print_candidates(candidates)
        return
    data: dict[str, object] = {
        "documents": found.sums.records,
        "left_out": [each.record_id for each in found.left_out],
        "left_out_since": {each.record_id: each.reason for each in found.left_out},
        "measures": measured_to_json(measured),
    }
    if candidates:
        data["against"] = {each.measure: _candidate_json(each) for each in candidates}
    write_json(data, target)


def _print_candidates(candidates: "Sequence[CandidateComparison]") -> None:
    from shared.agreement.score_tables import formatted

    if not candidates:
        return
    print(f"\nCANDIDATE and OTHER on the {candidates[0].records} records that both have, micro F1")
    rows = (
        (
            each.measure.replace("_", " "),
            formatted(each.difference.first),
            formatted(each.difference.second),
            formatted(each.difference.difference),
            formatted(each.difference.p),
            formatted(each.z),
            formatted(each.z_p),
        )
        for each in candidates
    )
    print_table(rows, ("measure", "candidate", "other", "difference", "p", "z", "p of z"))
    print("p by paired approximate randomization over patients; z on two proportions.")


def _candidate_json(candidate: "CandidateComparison") -> dict[str, float | int]:
    return {
        "documents": candidate.records,
        "f1": candidate.difference.first,
        "other_f1": candidate.difference.second,
        "difference": candidate.difference.difference,
        "p": candidate.difference.p,
        "z": candidate.z,
        "z_p": candidate.z_p,
    }


def _i2b2_2014(arguments: argparse.Namespace) -> int:
    from shared.agreement.official.i2b2_2014 import evaluate
    from shared.agreement.official.i2b2_2014_report import as_json, as_text

    outcome = evaluate(arguments.candidate, arguments.reference)
    for each in outcome.evaluations:
        _print_left_out(_one_sided(each.only_system, each.only_gold))
    if not outcome.evaluations:
        return _nothing_to_measure(arguments, "xml")
    if arguments.json is None:
        print("\n".join((*as_text(outcome, verbose=arguments.verbose), "")), end="")
        return 0
    by_system = {each.system: as_json(each) for each in outcome.evaluations}
    many = {"systems": by_system} if len(by_system) > 1 else next(iter(by_system.values()))
    write_json(many, arguments.json)
    return 0


def _meddocan(arguments: argparse.Namespace) -> int:
    from shared.agreement.official.meddocan import evaluate
    from shared.agreement.official.meddocan_report import as_json, as_text

    evaluation = evaluate(arguments.candidate, arguments.reference)
    if evaluation is None:
        return _nothing_to_measure(arguments, ".xml")
    _print_left_out(_one_sided(evaluation.only_system, evaluation.only_gold))
    if arguments.json is not None:
        write_json(as_json(evaluation), arguments.json)
        return 0
    for subtrack in [arguments.subtrack] if arguments.subtrack else ["ner", "spans"]:
        lines = as_text(evaluation, subtrack, verbose=arguments.verbose)
        print("\n".join((*lines, "")), end="")
    return 0


def _nothing_to_measure(arguments: argparse.Namespace, ending: str) -> int:
    """Say so, and print nothing, as the evaluators do. Raises RequestError where JSON is wanted."""
    said = f"{arguments.candidate} holds no file whose name ends in {ending}; check the name"
    if arguments.json is not None:
        raise RequestError(said)
    print(f"tandem: {said}", file=sys.stderr)
    return 0


def _one_sided(only_system: Iterable[str], only_gold: Iterable[str]) -> "Iterable[SkippedRecord]":
    from shared.agreement.folder_comparison import SkippedRecord

    yield from (SkippedRecord(each, "it is in the candidate only") for each in only_system)
    yield from (SkippedRecord(each, "it is in the reference only") for each in only_gold)
