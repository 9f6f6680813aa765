"""Puts the adjudication window together and runs it."""

from typing import TYPE_CHECKING

from adjudicator.worklist import OpenOptions
from shared.project.current_user import current_user
from shared.project.project import Project

if TYPE_CHECKING:
    from adjudicator.ui.main_window import AdjudicationWindow


def run(project: Project, patient_id: str | None, options: OpenOptions | None = None) -> int:
    """Open the window on a project, at a patient or the next one to do; returns the exit status."""
    from shared.widgets.window.application import create_application

    application = create_application([])
    window = open_window(project, patient_id, options)
    status = application.exec()
    del window
    return status


def run_audit(project: Project) -> int:
    """Open the window on a project, and before it the records that were drawn for an audit."""
    from shared.widgets.window.application import create_application

    application = create_application([])
    window = open_window(project)
    window.audit.read()
    status = application.exec()
    del window
    return status


def open_window(
    project: Project, patient_id: str | None = None, options: OpenOptions | None = None
) -> "AdjudicationWindow":
    """Show the adjudicator's window, and have the project among the recent ones."""
    from adjudicator.ui.main_window import AdjudicationWindow
    from shared.widgets.settings.preferences import preference_store
    from shared.widgets.window.application import show_within_screen

    store = preference_store()
    store.put(store.values.with_recent(project.root))
    window = AdjudicationWindow(project, current_user(), options)
    show_within_screen(window)
    window.open_patient(patient_id)
    return window
