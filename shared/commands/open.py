"""`tandem open`: a project of a file that was handed out."""

import argparse
from pathlib import Path

from shared.commands.output import add_json, report
from shared.commands.passphrases import add_passphrase_file, passphrase_of
from shared.errors import FileFormatError
from shared.text.blocks import counted


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Make a project of a file that tandem hand-out wrote, to be worked on with tandem annotate."
    )
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument("project", type=Path, metavar="PROJECT", help="a folder, new or empty")
    add_passphrase_file(parser)
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    from shared.project.folders import check_target
    from shared.project.handed_work import open_handed_out

    check_target(arguments.project)
    content = handed_file(arguments.file)
    passphrase = passphrase_of(arguments.passphrase_file, "the file", is_new=False)
    project = open_handed_out(content, arguments.file, passphrase, arguments.project)
    annotator, patients = project.annotators[0], len(project.patient_ids)
    said = f"{counted(patients, 'patient')} for {annotator}; tandem annotate opens it"
    data = {"project": str(project.root), "annotator": annotator, "patients": patients}
    report(data, arguments, lambda: print(f"{project.root}: {said}"))
    return 0


def handed_file(path: Path) -> bytes:
    """The content of a file. Raises FileError, also where there is none."""
    from shared.project.files import read_file
    from shared.project.handed_work import LARGEST_HANDED

    content = read_file(path, largest=LARGEST_HANDED, may_be_link=True)
    if content is None:
        raise FileFormatError(path, "does not exist; check the name")
    return content
