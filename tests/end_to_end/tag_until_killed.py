"""Run as a program: an annotation window that tags word after word until somebody kills it.

Prints a line for each tag once it is on the screen: record, start and end of the tag.
"""

import sys
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from annotator.ui.main_window import AnnotationWindow
from shared.language.chunks import chunk_at
from shared.language.languages import language
from shared.project.edits import Edit
from shared.project.project import Project
from shared.widgets.window.application import create_application


def main(root: Path, annotator: str, patient_id: str) -> None:
    application = create_application([])
    window = AnnotationWindow(Project.open(root), annotator)
    window.show()
    window.open_patient(patient_id)
    shown: list[Edit] = []
    window.editor.edited.connect(shown.append)
    view, text = window.view, window.view.merged_view.text
    tagged = {each.start for each in window.session.tags}
    words = [
        at for at, char in enumerate(text) if not char.isspace() and text[at - 1 : at].isspace()
    ]
    print("ready", flush=True)
    for at in words:
        chunk = chunk_at(text, at, language("en"))
        if chunk is None or chunk.start in tagged:
            continue
        view.set_caret(at)
        QTest.keyClick(view, Qt.Key.Key_D)
        application.processEvents()
        view.repaint()
        for placed in shown[-1].added if shown else ():
            print(placed.record_id, placed.tag.start, placed.tag.end, flush=True)
        shown.clear()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], sys.argv[3])
