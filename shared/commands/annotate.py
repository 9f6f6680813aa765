"""`tandem annotate`: opens the annotation window."""

import argparse
from pathlib import Path

from shared.project.creation import SETTINGS
from shared.project.project import Project


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:  # pyright: ignore[reportPrivateUsage]
    parser = subparsers.add_parser(
        "annotate",
        help="open the annotation window",
        description="Opens the annotation window with the patients of one annotator. Where there "
        "is no project it lets you open one, make one, or try the demo.",
    )
    parser.add_argument("project", type=Path, nargs="?", help="project folder (default: this one)")
    parser.add_argument("--annotator", metavar="NAME", help="who annotates")
    parser.add_argument("--patient", metavar="ID", help="patient to open first")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    from annotator import app

    if _may_choose(arguments):
        from shared.commands.demo import make

        return app.start(make)
    project = Project.open(arguments.project or Path())
    return app.run(project, arguments.annotator, arguments.patient)


def _may_choose(arguments: argparse.Namespace) -> bool:
    """True where nothing says which project, and there is a screen to ask on."""
    if arguments.project or arguments.annotator or arguments.patient or Path(SETTINGS).exists():
        return False
    from shared.commands.display import has_display

    return has_display()
