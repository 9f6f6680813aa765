"""`tandem assign`: gives patients to annotators, and takes back what nobody has begun."""

import argparse
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from shared.commands.output import add_json, counted, print_table, report
from shared.errors import RequestError
from shared.project.assignments import State
from shared.project.project import Project


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Give patients to further annotators, and take back patients that an annotator has not "
        "begun; both at once hands them on. No work that is there is touched: what is begun stays "
        "where it is, and so does a patient whose adjudication has begun."
    )
    options = (f"[--{each} ANNOTATOR PATIENTS ...]" for each in ("give", "take-back"))
    # which would take PROJECT too, where it came behind them
    parser.usage = f"{parser.prog} [-h] [--json FILE] PROJECT {' '.join(options)}"
    parser.add_argument("project", type=Path, metavar="PROJECT")
    for option, about in (
        ("--give", "an annotator, and the patients to give to them; may be there several times"),
        ("--take-back", "an annotator, and the patients to take back from them; likewise"),
    ):
        parser.add_argument(
            option,
            nargs="+",
            action="append",
            default=[],
            metavar=("ANNOTATOR", "PATIENTS"),
            help=about,
        )
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    project = Project.open(arguments.project)
    give, take_back = _pairs(arguments.give), _pairs(arguments.take_back)
    if not give and not take_back:
        raise RequestError("name what to --give or to --take-back")
    project.reassign(give, take_back)
    assignments = project.assignments()
    loads = Counter(each.annotator for each in assignments)
    to_do = Counter(each.annotator for each in assignments if each.state is State.TO_DO)
    rows = [(name, loads[name], to_do[name]) for name in project.annotators]
    data = {
        "given": _named(give),
        "taken_back": _named(take_back),
        "annotators": [
            {"annotator": name, "patients": load, "to_do": left} for name, load, left in rows
        ],
    }
    report(data, arguments, lambda: _print(len(give), len(take_back), rows))
    return 0


def _print(given: int, taken_back: int, rows: Iterable[tuple[str, int, int]]) -> None:
    print(f"{counted(given, 'patient')} given, {counted(taken_back, 'patient')} taken back")
    print_table(rows, ["annotator", "patients", "to do"])


def _named(pairs: Iterable[tuple[str, str]]) -> list[dict[str, str]]:
    return [{"patient": patient_id, "annotator": name} for patient_id, name in pairs]


def _pairs(options: Iterable[list[str]]) -> list[tuple[str, str]]:
    """Each patient with the annotator, as the options name them."""
    for name, *patient_ids in options:
        if not patient_ids:
            raise RequestError(f"name the patients after {name}")
    return [(patient_id, name) for name, *patient_ids in options for patient_id in patient_ids]
