"""Draws the pictures of the manual and the README: `make pictures`, or some by name.

A project is fabricated, the windows are opened on it without a display and used by keys, and what
they show is saved. Look at each picture before you keep it.
"""

import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

os.environ["QT_QPA_PLATFORM"] = "offscreen"
ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

import numpy as np
from PySide6.QtCore import QLoggingCategory, QPoint, Qt
from PySide6.QtGui import QImage, QPainter, QPixmap
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QLineEdit,
    QListWidget,
    QTableView,
    QWidget,
    QWizard,
)

from adjudicator.ui.agreement.window import AgreementWindow
from adjudicator.ui.audit.dialog import RiskDialog
from adjudicator.ui.main_window import AdjudicationWindow
from adjudicator.ui.release.window import ReleaseWindow
from annotator.ui.main_window import AnnotationWindow
from shared.commands.demo_folder import make_demo
from shared.model import Span
from shared.project.project import Project
from shared.widgets.parts.background_task import TaskLine
from shared.widgets.settings.user_folders import all_kept_in
from shared.widgets.start.start_window import StartWindow
from shared.widgets.tags.annotate_all import AnnotateAllDialog
from shared.widgets.window.application import create_application

PICTURES = ROOT / "manual" / "pictures"
SIZE = (1320, 760)
_KEYS = Qt.KeyboardModifier
_NONE, _SHIFT, _CTRL = _KEYS.NoModifier, _KEYS.ShiftModifier, _KEYS.ControlModifier
_SETTLING, _LONGEST = 1.0, 40.0


def settle(window: QWidget) -> None:
    """Wait until the window is laid out and nothing works beside it any more."""
    begun = time.monotonic()
    settled = begun + _SETTLING
    while (now := time.monotonic()) < settled:
        QApplication.processEvents()
        time.sleep(0.01)
        at_work = any(each.isVisible() for each in window.findChildren(TaskLine))
        if at_work and now < begun + _LONGEST:
            settled = now + _SETTLING


def save(window: QWidget, name: str) -> None:
    """Save a picture of a window with whatever popped up over it."""
    settle(window)
    picture = QPixmap(window.grab())
    painter = QPainter(picture)
    for each in QApplication.topLevelWidgets():
        if each is not window and each.isVisible() and each.window() is each:
            at = each.mapToGlobal(QPoint()) - window.mapToGlobal(QPoint())
            if each.parentWidget() is not None and each.parentWidget().window() is window:
                painter.drawPixmap(at, each.grab())
                painter.drawRect(at.x(), at.y(), each.width() - 1, each.height() - 1)
    painter.end()
    path = PICTURES / f"{name}.png"
    with_few_colours(picture.toImage()).save(str(path), "PNG")
    print(f"{path.relative_to(ROOT)}  {path.stat().st_size // 1000} kB")


def with_few_colours(image: QImage) -> QImage:
    """The image with the 256 colours that most of it has, which makes a small file."""
    image = image.convertToFormat(QImage.Format.Format_RGB32)
    colours = np.frombuffer(image.constBits(), dtype=np.uint32)
    each, counts = np.unique(colours, return_counts=True)
    most = each[np.argsort(-counts, kind="stable")[:256]].tolist()
    dither = Qt.ImageConversionFlag.ThresholdDither
    return image.convertToFormat(QImage.Format.Format_Indexed8, most, dither)


def annotation(project: Project, patient: str) -> AnnotationWindow:
    window = AnnotationWindow(project, "ana", learns=False)
    window.open_patient(patient)
    window.resize(*SIZE)
    window.show()
    settle(window)
    return window


def adjudication(project: Project, patient: str) -> AdjudicationWindow:
    window = AdjudicationWindow(project, "carol")
    window.open_patient(patient)
    window.resize(*SIZE)
    window.show()
    settle(window)
    return window


def key(
    window: AnnotationWindow | AdjudicationWindow, which: Qt.Key, modifiers: _KEYS = _NONE
) -> None:
    QTest.keyClick(window.view, which, modifiers)
    settle(window)


def start_window(project: Project) -> None:
    window = StartWindow(make_demo)
    window.show()
    save(window, "start-window")
    window.open_project(project.root)
    save(window, "who-are-you")
    window.close()


def new_project(project: Project) -> None:
    start = StartWindow(make_demo)
    start.show()
    wizard = start.new_project()
    folder = next(
        each
        for each in wizard.findChildren(QLineEdit)
        if each.accessibleName() == "Folder of records"
    )
    QTest.keyClicks(folder, str(project.root.parent / "records"))
    settle(wizard)
    QTest.mouseClick(wizard.button(QWizard.WizardButton.NextButton), Qt.MouseButton.LeftButton)
    save(wizard, "new-project")
    wizard.close()
    start.close()


def annotation_window(project: Project) -> None:
    window = annotation(project, "104")
    save(window, "annotation-window")
    window.close()


def suggestions(project: Project) -> None:
    window = annotation(project, "105")
    window.actions_table.action("next_suggestion").trigger()
    settle(window)
    save(window, "suggestions")
    key(window, Qt.Key.Key_Return)
    QTest.keyClick(window.view, Qt.Key.Key_F1)
    save(window, "guidelines")
    window.close()


def type_list(project: Project) -> None:
    window = annotation(project, "105")
    put_caret(window, "St. Brendan")
    key(window, Qt.Key.Key_3)
    save(window, "type-list")
    QTest.keyClick(QApplication.focusWidget() or window.view, Qt.Key.Key_Escape)
    window.close()


def annotate_all(project: Project) -> None:
    window = annotation(project, "105")
    put_caret(window, "NGUYEN, KELLIE T")
    key(window, Qt.Key.Key_T)
    key(window, Qt.Key.Key_A)
    dialog = next(each for each in window.findChildren(AnnotateAllDialog) if each.isVisible())
    box = next(each for each in dialog.findChildren(QCheckBox) if "spellings" in each.text())
    box.click()
    dialog.resize(1000, 420)
    save(dialog, "annotate-all")
    dialog.close()
    window.close()


def put_caret(window: AnnotationWindow, text: str) -> None:
    window.view.select(Span(start := window.view.merged_view.text.index(text), start + len(text)))
    settle(window)


def adjudication_window(project: Project) -> None:
    window = adjudication(project, "104")
    save(window, "adjudication-window")
    window.close()


def agreement(project: Project) -> None:
    window = AgreementWindow(project)
    window.show()
    window.measure(hidden=False)
    while window.shown is None or window.is_busy:
        settle(window)
    titles = window.findChild(QListWidget, "agreementContents")
    names = [titles.item(at).text() for at in range(titles.count())]
    titles.setCurrentRow(names.index("Strict agreement by category and type"))
    settle(window)
    table = window.findChild(QTableView, "agreementTable")
    rows = table.model()
    columns = range(rows.columnCount())
    heads = [str(rows.headerData(at, Qt.Orientation.Horizontal)) for at in columns]
    place = table.visualRect(rows.index(2, heads.index("F1"))).center()
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    while window.is_busy:
        settle(window)
    save(window, "agreement")
    window.close()


def release(project: Project) -> None:
    window = adjudication(project, "104")
    QTest.keyClick(window.view, Qt.Key.Key_R, _CTRL | _SHIFT)
    settle(window)
    second = next(
        each for each in QApplication.topLevelWidgets() if isinstance(each, ReleaseWindow)
    )
    save(second, "release")
    window.close()


def risk(project: Project) -> None:
    window = adjudication(project, "104")
    QTest.keyClick(window.view, Qt.Key.Key_L, _CTRL | _SHIFT)
    settle(window)
    second = next(each for each in window.findChildren(RiskDialog))
    line = next(each for each in second.findChildren(QLineEdit) if "release" in each.text())
    line.setText("project-release")
    save(second, "what-may-be-left")
    second.close()
    window.close()


SCENES: dict[str, Callable[[Project], None]] = {
    each.__name__: each
    for each in (
        *(start_window, new_project, annotation_window, suggestions, type_list, annotate_all),
        *(adjudication_window, agreement, release, risk),
    )
}


def main() -> None:
    wanted = sys.argv[1:] or [*SCENES]
    create_application([])
    QLoggingCategory.setFilterRules("default.warning=false")  # "plugin does not support ..."
    with tempfile.TemporaryDirectory(prefix="tandem-pictures-") as aside:
        folder = Path(aside) / "tandem-demo"
        root = make_demo(folder)
        for name in wanted:
            copy = Path(aside) / name / "project"
            shutil.copytree(root, copy)
            shutil.copytree(folder / "records", copy.parent / "records")
            with all_kept_in(copy.parent / "settings"):
                SCENES[name](Project.open(copy))


if __name__ == "__main__":
    main()
