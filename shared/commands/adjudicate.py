"""`tandem adjudicate`: opens the adjudication window."""

import argparse
from pathlib import Path

from shared.project.project import Project


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:  # pyright: ignore[reportPrivateUsage]
    parser = subparsers.add_parser(
        "adjudicate",
        help="open the adjudication window",
        description="Opens the adjudication window: what the annotators of a patient disagree "
        "about is decided, and the gold standard written.",
    )
    parser.add_argument(
        "project", type=Path, nargs="?", default=Path(), help="project folder (default: this one)"
    )
    parser.add_argument("--patient", metavar="ID", help="patient to open first")
    parser.add_argument(
        "--force",
        action="store_true",
        help="open patients whose annotators have not finished",
    )
    parser.add_argument(
        "--review-agreements",
        action="store_true",
        help="ask about what the annotators agree on too, rather than take it over",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    project = Project.open(arguments.project)
    from adjudicator import app
    from adjudicator.session import Options

    options = Options(arguments.force, arguments.review_agreements)
    return app.run(project, arguments.patient, options)
