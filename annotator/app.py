"""Puts the annotation window together and runs it."""

from shared.errors import RequestError
from shared.project.project import Project


def run(project: Project, annotator: str | None, patient_id: str | None) -> int:
    """Open the window for an annotator; returns the exit status.

    Raises RequestError where it is not clear who annotates.
    """
    name = annotator or _only(project)
    from annotator.ui.main_window import AnnotationWindow
    from shared.widgets.application import create_application

    application = create_application([])
    window = AnnotationWindow(project, name)
    window.show()
    window.open_patient(patient_id)
    return application.exec()


def _only(project: Project) -> str:
    if len(project.annotators) == 1:
        return project.annotators[0]
    names = ", ".join(project.annotators)
    raise RequestError(f"say who annotates with --annotator; there are {names}")
