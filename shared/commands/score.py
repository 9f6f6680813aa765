"""`tandem score`: one folder of XML measured against another."""

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path

from shared.agreement.folders import FolderComparison, LeftOut, by_reason, compare_folders
from shared.agreement.tables import HEADERS, measure_all, measured_rows, measured_to_json
from shared.commands.output import print_problems, print_table, write_json
from shared.model.i2b2_2014 import I2B2_2014

_DESCRIPTION = """
Measures the tags of CANDIDATE against those of REFERENCE: two folders of XML records, paired by
their file names, or two XML files. Prints precision, recall and F1 by every measure (strict,
relaxed, overlap, token; typed, and binary: PHI or not), for all types and for those of HIPAA.
Records that are on one side only, or whose texts differ, enter no number and are listed.
"""


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:  # pyright: ignore[reportPrivateUsage]
    parser = subparsers.add_parser(
        "score",
        help="precision, recall and F1 of one folder of XML against another",
        description=_DESCRIPTION,
    )
    parser.add_argument("candidate", type=Path, metavar="CANDIDATE", help="what is measured")
    parser.add_argument("reference", type=Path, metavar="REFERENCE", help="what it should be")
    parser.add_argument("--json", metavar="FILE", help="write JSON to FILE, or - for the terminal")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print or write the scores; 0 done, 2 where a file could not be read."""
    found = compare_folders(arguments.candidate, arguments.reference)
    print_problems(found.problems)
    _say_left_out(found.left_out)
    if found.comparisons:
        _show(found, arguments.json)
    return 2 if found.problems else 0


def _say_left_out(left_out: Iterable[LeftOut]) -> None:
    """Say on standard error which records enter no number, a line for each reason."""
    for reason, record_ids in by_reason(left_out).items():
        print(f"tandem: left out since {reason}: {', '.join(record_ids)}", file=sys.stderr)


def _show(found: FolderComparison, target: str | None) -> None:
    hipaa = frozenset(each.phi_type for each in I2B2_2014.types() if each.hipaa)
    measured = measure_all(found.comparisons, hipaa.__contains__)
    if target is None:
        print(f"{len(found.comparisons)} records compared, {len(found.left_out)} left out")
        print_table(measured_rows(measured), HEADERS)
        return
    data = {
        "documents": len(found.comparisons),
        "left_out": [each.record_id for each in found.left_out],
        "left_out_since": {each.record_id: each.reason for each in found.left_out},
        "measures": measured_to_json(measured),
    }
    write_json(data, target)
