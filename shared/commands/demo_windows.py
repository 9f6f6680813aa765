"""Both windows of the demo, on the screen or as pictures."""

import os
import shutil
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from PySide6.QtCore import QBuffer, QIODevice, QLoggingCategory
from PySide6.QtWidgets import QApplication, QMainWindow

from adjudicator.ui.main_window import AdjudicationWindow
from annotator.ui.main_window import AnnotationWindow
from shared.project.current_user import current_user
from shared.project.files import write_atomic
from shared.project.project import Project
from shared.widgets.parts.background_task import TaskLine
from shared.widgets.settings.user_folders import all_kept_in
from shared.widgets.window.application import create_application, show_within_screen

_SETTLING = 0.7
"""Seconds that a window gets to lay itself out before its picture is taken."""
_LONGEST = 20.0
"""Seconds that it gets to end what it does beside that, such as looking for findings."""


def open_windows(project: Project, to_annotate: tuple[str, str], to_adjudicate: str) -> int:
    """Show both windows until both are closed; returns the exit status.

    `to_annotate` is an annotator and a patient.
    """
    application = create_application([])
    windows = _windows(project, to_annotate, to_adjudicate)
    for window in windows:
        show_within_screen(window)
    return application.exec()


def save_pictures(project: Project, annotator: str, patient_id: str, folder: Path) -> list[Path]:
    """Save a picture of each window with a patient, drawn without a display.

    They are opened on a copy of the project, since opening leaves its traces. Raises StorageError.
    """
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    QLoggingCategory.setFilterRules("default.warning=false")  # "plugin does not support ..."
    create_application([])
    names = ("annotation", "adjudication")
    paths = [folder / f"{name}-window.png" for name in names]
    with (
        TemporaryDirectory(prefix=".pictures-", dir=folder) as aside,
        all_kept_in(Path(aside) / "settings"),  # the same pictures, whatever its user prefers
    ):
        copy = Project.open(Path(shutil.copytree(project.root, Path(aside) / project.root.name)))
        windows = _windows(copy, (annotator, patient_id), patient_id, learns=False)
        for window, path in zip(windows, paths, strict=True):
            window.show()
            _settle(window)
            write_atomic(path, _picture(window))
            window.close()
    return paths


def _windows(
    project: Project, to_annotate: tuple[str, str], to_adjudicate: str, *, learns: bool = True
) -> tuple[QMainWindow, QMainWindow]:
    annotator, patient_id = to_annotate
    annotation = AnnotationWindow(project, annotator, learns=learns)
    annotation.open_patient(patient_id)
    adjudication = AdjudicationWindow(project, current_user())
    adjudication.open_patient(to_adjudicate)
    return annotation, adjudication


def _settle(window: QMainWindow) -> None:
    begun = time.monotonic()
    settled = begun + _SETTLING
    while (now := time.monotonic()) < settled:
        QApplication.processEvents()
        time.sleep(0.01)
        at_work = any(each.isVisible() for each in window.findChildren(TaskLine))
        if at_work and now < begun + _LONGEST:
            settled = now + _SETTLING


def _picture(window: QMainWindow) -> bytes:
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    window.grab().save(buffer, "PNG")  # pyright: ignore[reportCallIssue, reportArgumentType]
    return bytes(buffer.data().data())
