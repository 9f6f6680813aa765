"""Puts the adjudication window together and runs it."""

import getpass
from pathlib import Path

from adjudicator.worklist import OpenOptions
from shared.project.project import Project


def run(project: Project, patient_id: str | None, options: OpenOptions | None = None) -> int:
    """Open the window on a project, at a patient or the next one to do; returns the exit status."""
    from adjudicator.ui.main_window import AdjudicationWindow
    from shared.widgets.settings.preferences import preference_store
    from shared.widgets.window.application import create_application

    application = create_application([])
    store = preference_store()
    store.put(store.values.with_recent(project.root))
    window = AdjudicationWindow(project, current_user(), options)
    window.show()
    window.open_patient(patient_id)
    return application.exec()


def current_user() -> str:
    """The adjudicator's name, as the system knows it; decisions are signed with it."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return Path.home().name or "adjudicator"
