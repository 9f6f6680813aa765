"""`tandem risk`: what may be left in the records of a project after adjudication, and how sure."""

import argparse
from collections.abc import Iterator
from math import isinf
from pathlib import Path

from adjudicator.project_risk import ProjectRisk, project_risk
from shared.commands.output import add_json, counted, print_table, progress, write_json
from shared.project.project import Project
from shared.risk.bounds import interval

_VERY_ALIKE = 100
_ESTIMATE = ("estimate", "low", "high")
_DESCRIPTION = """
Estimates what may be left in the records after adjudication, from what each annotator found of the
gold standard: PHI that neither found, by type, with intervals of 95 %, the patients who have any,
and of how many patients each annotator found every identifier. With --model a recognizer reads the
records too, and the estimate allows for annotators who miss the same; it should not have been
trained on these records. An estimate is no proof: it knows nothing of PHI that no reader of this
kind would ever see.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = _DESCRIPTION
    parser.add_argument("project", type=Path, metavar="PROJECT", help="an adjudicated project")
    parser.add_argument(
        "--model", action="append", default=[], metavar="MODEL",
        help="folder of a model, rules, dictionaries, or a TOML file of patterns, as third reader",
    )  # fmt: skip
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print or write the estimates; 0 done. Raises RequestError where nobody read twice."""
    project = Project.open(arguments.project)
    found = project_risk(project, arguments.model, lambda ids: progress(ids, "reading"))
    if arguments.json is not None:
        write_json(_as_json(found), arguments.json)
    else:
        _print(found)
    return 0


def _as_json(found: ProjectRisk) -> dict[str, object]:
    return {
        "version": 1,
        "patients": len(found.patients),
        "missed": {
            name: {
                "found": each.found,
                "missed": _plain(each.missed),
                "low": _plain(each.low),
                "high": _plain(each.high),
                "added_in_adjudication": found.added[name],
                "left": dict(zip(_ESTIMATE, map(_plain, found.left(name)), strict=True)),
            }
            for name, each in found.missed.items()
        },
        "patients_with_any_left": dict(
            zip(_ESTIMATE, map(_plain, found.patients_with_any()), strict=True)
        ),
        "all_or_nothing": [
            {
                "reader": each.reader,
                "identifiers": each.identifier.value,
                "whole": each.whole,
                "patients": each.patients,
                "interval": list(interval(each.whole, each.patients)),
            }
            for each in found.whole
        ],
        "annotators_alike": None if found.alike is None else _plain(found.alike),
        "suggestions_not_judged": found.unjudged,
        "limits": list(_limits(found)),
    }


def _plain(value: float) -> float | None:
    return None if isinf(value) else round(value, 3)


def _print(found: ProjectRisk) -> None:
    print(f"PHI that no reader found, of {counted(len(found.patients), 'patient')}:")
    rows = [
        (
            name,
            each.found,
            found.added[name],
            *map(_written, (each.missed, each.low, each.high)),
            *map(_written, found.left(name)),
        )
        for name, each in found.missed.items()
    ]
    heads = ("type", "found", "added", "missed", "from", "to", "left", "from", "to")
    print_table(rows, heads)
    middle, least, most = map(_written, found.patients_with_any())
    print(f"Patients with any of it left: {middle} ({least} to {most}).")
    print("Patients of whom a reader found every identifier:")
    print_table(
        [
            (
                each.reader,
                each.identifier.value,
                f"{each.whole} of {each.patients}",
                *(f"{value:.3f}" for value in interval(each.whole, each.patients)),
            )
            for each in found.whole
        ],
        ("reader", "identifiers", "patients", "from", "to"),
    )
    for each in _limits(found):
        print(each)


def _written(value: float) -> str:
    return "?" if isinf(value) else f"{value:.1f}"


def _limits(found: ProjectRisk) -> Iterator[str]:
    """What the estimates rest on, in words for who decides on a release."""
    yield "From and to are intervals of 95 %; a question mark says that none can be told."
    if found.alike is None:
        yield (
            "This assumes that the annotators miss independently of each other. Who reads alike "
            "misses alike: then more is left than this. A third reader (--model) allows for it."
        )
    elif found.alike > _VERY_ALIKE:
        yield (
            "The annotators found so much the same that the recognizer alone tells what both "
            "missed: do not rely on these figures."
        )
    else:
        odds = f"{found.alike:.1f}"
        yield f"The annotators found the same with an odds ratio of {odds} (1: by chance)."
    if found.unjudged:
        yield (
            f"{counted(found.unjudged, 'suggestion')} of the recognizer lie where the gold "
            "standard has no tag. What of them is PHI is not counted: look at them first."
        )
    yield "PHI that no reader of this kind would ever see is in none of these figures."
