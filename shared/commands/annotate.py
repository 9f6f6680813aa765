"""`tandem annotate`: opens the annotation window."""

import argparse
from pathlib import Path


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Opens the annotation window with the patients of one annotator, and asks who "
        "annotates where several do. Where there is no project it lets you open one, create one, "
        "or try the demo, to annotate or to adjudicate."
    )
    parser.add_argument(
        "project", type=Path, nargs="?", help="project folder (default: the current one)"
    )
    parser.add_argument("--annotator", metavar="NAME", help="who annotates")
    parser.add_argument("--patient", metavar="ID", help="patient to open first")


def run(arguments: argparse.Namespace) -> int:
    from adjudicator.app import open_window
    from annotator import app
    from shared.commands.demo_folder import make_demo
    from shared.commands.display import has_display, require_display
    from shared.project.project import Project

    if _says_nothing(arguments) and has_display():
        return app.start(make_demo, adjudicate=open_window)
    project = Project.open(arguments.project or Path())
    if arguments.patient:
        project.record_ids(arguments.patient)  # says so where there is no such patient
    if len(project.annotators) > 1 and not arguments.annotator and has_display():
        return app.start(make_demo, project, arguments.patient, adjudicate=open_window)
    name = app.annotator_of(project, arguments.annotator)
    require_display()
    return app.run(project, name, arguments.patient)


def _says_nothing(arguments: argparse.Namespace) -> bool:
    from shared.project.creation import SETTINGS

    said = arguments.project or arguments.annotator or arguments.patient
    return not said and not Path(SETTINGS).exists()
