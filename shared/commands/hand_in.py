"""`tandem hand-in`: the work of a project that was handed out, in one encrypted file."""

import argparse
from pathlib import Path

from shared.commands.output import add_json, report
from shared.commands.passphrases import add_passphrase_file, passphrase_of
from shared.text.blocks import counted


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Write what was done in a project that was handed out into one file, encrypted with a "
        "passphrase, for tandem collect. One can hand in again after more work."
    )
    parser.add_argument("project", type=Path, metavar="PROJECT")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="a new file")
    add_passphrase_file(parser)
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    from shared.project.handed_work import refuse_present, write_handed_in
    from shared.project.project import Project

    refuse_present(arguments.out)
    project = Project.open(arguments.project)
    passphrase = passphrase_of(arguments.passphrase_file, "the file", is_new=True)
    done, patients = write_handed_in(project, arguments.out, passphrase)
    said = f"{arguments.out}: {done} of {counted(patients, 'patient')} done, encrypted"
    data = {"file": str(arguments.out), "patients": patients, "done": done}
    report(data, arguments, lambda: print(said))
    return 0
