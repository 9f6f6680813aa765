"""`tandem assign`: gives patients to annotators, and takes back what nobody has begun."""

import argparse
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from shared.commands.output import counted, print_table
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
    parser.usage = f"{parser.prog} [-h] PROJECT {' '.join(options)}"  # which would take PROJECT too
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


def run(arguments: argparse.Namespace) -> int:
    project = Project.open(arguments.project)
    give, take_back = _pairs(arguments.give), _pairs(arguments.take_back)
    if not give and not take_back:
        raise RequestError("name what to --give or to --take-back")
    project.reassign(give, take_back)
    print(f"{counted(len(give), 'patient')} given, {counted(len(take_back), 'patient')} taken back")
    assignments = project.assignments()
    loads = Counter(each.annotator for each in assignments)
    to_do = Counter(each.annotator for each in assignments if each.state is State.TO_DO)
    rows = [[name, loads[name], to_do[name]] for name in project.annotators]
    print_table(rows, ["annotator", "patients", "to do"])
    return 0


def _pairs(options: Iterable[list[str]]) -> list[tuple[str, str]]:
    """Each patient with the annotator, as the options name them."""
    for name, *patient_ids in options:
        if not patient_ids:
            raise RequestError(f"name the patients after {name}")
    return [(patient_id, name) for name, *patient_ids in options for patient_id in patient_ids]
