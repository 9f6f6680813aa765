"""`tandem annotate`: opens the annotation window."""

import argparse
from pathlib import Path

from shared.project.project import Project


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:  # pyright: ignore[reportPrivateUsage]
    parser = subparsers.add_parser(
        "annotate",
        help="open the annotation window",
        description="Opens the annotation window with the patients of one annotator.",
    )
    parser.add_argument(
        "project", type=Path, nargs="?", default=Path(), help="project folder (default: this one)"
    )
    parser.add_argument("--annotator", metavar="NAME", help="who annotates")
    parser.add_argument("--patient", metavar="ID", help="patient to open first")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    project = Project.open(arguments.project)
    from annotator import app

    return app.run(project, arguments.annotator, arguments.patient)
