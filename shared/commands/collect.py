"""`tandem collect`: takes work that was handed in into the project."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from shared.commands.open import handed_file
from shared.commands.output import add_json, print_table, report
from shared.commands.passphrases import add_passphrase_file, passphrase_of

if TYPE_CHECKING:
    from shared.project.collecting import Collected
    from shared.project.project import Project


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Take files that tandem hand-in wrote into the project, patient by patient. What goes on "
        "from what is here is taken; what is the same changes nothing, so that a file may be "
        "collected twice; what is older than what is here, or was worked on here as well, is left "
        "as it is and said, with status 1."
    )
    parser.add_argument("project", type=Path, metavar="PROJECT")
    parser.add_argument("files", type=Path, nargs="+", metavar="FILE")
    add_passphrase_file(parser)
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Take the files one after the other; 0 all taken, 1 some patient was left as it is."""
    from shared.project.collecting import Arrival, collect
    from shared.project.project import Project

    project = Project.open(arguments.project)
    passphrase = passphrase_of(arguments.passphrase_file, "the files", is_new=False)
    found: dict[Path, Collected] = {}
    for path in arguments.files:
        found[path] = collect(project, handed_file(path), path, passphrase)
    data = {"files": [_as_json(*each) for each in found.items()]}
    report(data, arguments, lambda: _print(project, found))
    left = sum(each.count(Arrival.OLDER, Arrival.APART) for each in found.values())
    return int(bool(left))


def _print(project: "Project", found: "dict[Path, Collected]") -> None:
    states = {(each.patient_id, each.annotator): each.state for each in project.all_assignments()}
    print_table(
        [
            (
                each.annotator,
                one.patient_id,
                str(one.arrival),
                str(one.lines),
                str(states[one.patient_id, each.annotator]),
            )
            for each in found.values()
            for one in each.patients
        ],
        ("annotator", "patient", "what came", "lines", "now"),
    )


def _as_json(path: Path, collected: "Collected") -> dict[str, object]:
    return {
        "file": path.name,
        "annotator": collected.annotator,
        "patients": [
            {"patient": each.patient_id, "arrival": each.arrival.name.lower(), "lines": each.lines}
            for each in collected.patients
        ],
    }
