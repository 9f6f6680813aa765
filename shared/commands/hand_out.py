"""`tandem hand-out`: an annotator's patients in one encrypted file, to be worked on elsewhere."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from shared.commands.output import add_json, report
from shared.commands.passphrases import add_passphrase_file, passphrase_of
from shared.text.blocks import counted

if TYPE_CHECKING:
    from shared.project.project import Project


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Write the patients of an annotator into one file, encrypted with a passphrase: their "
        "records, what the annotator has done, the guidelines, and the model that learnt from "
        "their own patients; nothing of anyone else. The start window opens it (or tandem open); "
        "tandem hand-in and tandem collect bring the work back. Until then, work on these "
        "patients there and not here."
    )
    parser.add_argument("project", type=Path, metavar="PROJECT")
    parser.add_argument("--annotator", required=True, metavar="NAME")
    parser.add_argument(
        "--patients",
        nargs="+",
        default=[],
        metavar="ID",
        help="only these (default: all of theirs)",
    )
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="a new file")
    add_passphrase_file(parser)
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    from shared.project.files import write_output
    from shared.project.handed_work import hand_out, refuse_present
    from shared.project.project import Project

    out: Path = arguments.out
    refuse_present(out)
    project = Project.open(arguments.project)
    passphrase = passphrase_of(arguments.passphrase_file, "the file", is_new=True)
    content = hand_out(
        project,
        arguments.annotator,
        arguments.patients,
        passphrase,
        _model_files(project, arguments.annotator) | _suggestions(project, arguments),
    )
    write_output(out, content, expected_digest=None)
    theirs = len(project.assigned_to(arguments.annotator))
    patients = len(set(arguments.patients)) or theirs
    said = f"{out}: {counted(patients, 'patient')} of {arguments.annotator}, encrypted"
    data = {"file": str(out), "annotator": arguments.annotator, "patients": patients}
    report(data, arguments, lambda: print(said))
    return 0


def _suggestions(project: "Project", arguments: argparse.Namespace) -> dict[str, bytes]:
    """The files of what other programs suggest on the patients, where suggestions are on."""
    from shared.project.imported_suggestions import imported_files

    name, chosen = arguments.annotator, arguments.patients
    if not project.suggestions.ever_on(name):
        return {}
    mine = [each.patient_id for each in project.assigned_to(name)]
    return imported_files(project, [each for each in mine if not chosen or each in chosen])


def _model_files(project: "Project", annotator: str) -> dict[str, bytes]:
    """The files of the model that learnt from this annotator alone, where suggestions are on.

    One that learnt from the gold standard holds words of other patients, and what others tagged.
    """
    from annotator.recognizers import trained_folder
    from shared.project.files import read_file
    from shared.project.settings import LearnFrom

    policy = project.suggestions
    if not policy.ever_on(annotator) or policy.learn_from is not LearnFrom.OWN:
        return {}
    folder = trained_folder(project, annotator)
    return {
        path.relative_to(project.root).as_posix(): read_file(path) or b""
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not any(part.startswith(".") for part in path.parts)
    }
