"""Puts the annotation window together and runs it."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from shared.errors import RequestError
from shared.project.project import Project
from shared.project.settings import GOLD

if TYPE_CHECKING:
    from annotator.ui.main_window import AnnotationWindow


def run(project: Project, name: str, patient_id: str | None) -> int:
    """Open the window for an annotator; returns the exit status."""
    from shared.widgets.window.application import create_application

    application = create_application([])
    window = open_window(project, name, patient_id)
    status = application.exec()
    del window
    return status


def start(
    make_demo: Callable[[Path], Path],
    project: Project | None = None,
    patient_id: str | None = None,
    *,
    adjudicate: Callable[[Project, str | None], object],
) -> int:
    """Let the user choose a project and say who they are in it; returns the exit status.

    Where `project` is known already only that is asked, and `patient_id` is opened first.
    `make_demo` makes a demo in a folder and returns its project; `adjudicate` opens the
    adjudicator's window, at a patient where one is named, and returns it.
    """
    from shared.widgets.settings.preferences import preference_store
    from shared.widgets.start.start_window import StartWindow
    from shared.widgets.window.application import create_application

    application = create_application([], preference_store().values.theme)
    windows: list[object] = []
    first = StartWindow(make_demo)

    def go_on(chosen: Project, who: str) -> None:
        wanted = patient_id if project and chosen.root == project.root else None
        if who == GOLD:
            windows.append(adjudicate(chosen, wanted))
        else:
            windows.append(open_window(chosen, who, wanted))
        first.close()

    first.chosen.connect(go_on)
    first.show()
    if project is not None:
        first.open_project(project.root)
    return application.exec()


def open_window(
    project: Project, annotator: str, patient_id: str | None = None
) -> "AnnotationWindow":
    """Show the window of an annotator, and have the project among the recent ones."""
    from annotator.ui.main_window import AnnotationWindow
    from shared.widgets.settings.preferences import preference_store
    from shared.widgets.window.application import show_within_screen

    store = preference_store()
    store.put(store.values.with_recent(project.root))
    window = AnnotationWindow(project, annotator, pretrains=True)
    show_within_screen(window)
    window.open_patient(patient_id)
    return window


def annotator_of(project: Project, name: str | None) -> str:
    """Return who annotates: the one named, or the only one there is. Raises RequestError."""
    if name in project.annotators:
        return name
    if not name and len(project.annotators) == 1:
        return project.annotators[0]
    names = ", ".join(project.annotators)
    if name:
        raise RequestError(
            f"{name} is not an annotator of this project; its annotators are {names}"
        )
    raise RequestError(f"choose the annotator with --annotator; there are {names}")
