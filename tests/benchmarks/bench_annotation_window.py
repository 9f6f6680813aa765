"""How long the annotation window takes, from the key to the painted page.

Run it as a program: `python tests/benchmarks/bench_annotation_window.py`. Everything that happens
for an annotator happens here: journal, tag table, untagged marks, painting. Sizes are those of the
merged patient; figures are milliseconds.
"""

import os
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from annotator.ui.main_window import AnnotationWindow
from shared.formats.record_folder import FolderRecord
from shared.model import Document, Span, Tag
from shared.model.i2b2_2014 import I2B2_2014
from shared.project.project import Project
from shared.widgets.application import create_application

SIZES = {"20 kB": (20_000, 110), "200 kB": (200_000, 1_000), "5 MB": (5_000_000, 20_000)}
DOCTOR = next(each.phi_type for each in I2B2_2014.types() if each.name == "DOCTOR")
HITS = 500
PAGES = 100


def record(seed: int, size: int, tags: int, hits: int) -> FolderRecord:
    """Lines of words, with names at random places of which `hits` are `Kai Yamamoto`, untagged."""
    draw = random.Random(seed)
    words = ["".join(draw.choices("abcdefghijklmno", k=draw.randint(2, 9))) for _ in range(3000)]
    pieces = draw.choices(words, k=size // 7)
    tagged = draw.sample(range(len(pieces)), tags)
    names = {at: f"Dr. {draw.choice(words).title()}" for at in tagged}
    free = [at for at in range(len(pieces)) if at not in names]
    names |= dict.fromkeys(draw.sample(free, hits), "Kai Yamamoto")
    text, made, length = [], [], 0
    for at, word in enumerate(pieces):
        piece = names.get(at, word) + ("\n" if at % 14 == 13 else " ")
        if names.get(at, "").startswith("Dr."):
            made.append(Tag(Span(length + 4, length + len(piece) - 1), DOCTOR))
        text.append(piece)
        length += len(piece)
    return FolderRecord(Document(f"1-{seed:02}", "1", "".join(text)), tuple(made))


def project_of(root: Path, size: int, tags: int) -> Project:
    """Five records of one patient, whose tags are ana's already."""
    records = [record(at, size // 5, tags // 5, HITS // 5) for at in range(5)]
    return Project.create(root, "bench", I2B2_2014, records, ["ana", "ben"], 1, import_as="ana")


def timed(action: Callable[[], object], window: AnnotationWindow) -> float:
    """Milliseconds from the action until the page is painted."""
    begun = time.perf_counter()
    action()
    window.view.viewport().repaint()
    return (time.perf_counter() - begun) * 1000


def settle(window: AnnotationWindow) -> None:
    """Let everything that waits for a quiet moment happen before the next figure."""
    for _ in range(5):
        QTest.qWait(20)
    window.view.viewport().repaint()


def measure_untagged(project: Project) -> Iterator[tuple[str, list[float]]]:
    """Ben has no tags yet."""
    window = AnnotationWindow(project, "ben")
    window.show()
    settle(window)
    yield "open untagged", [timed(lambda: window.open_patient("1"), window)]
    settle(window)
    window.close()


def measure(project: Project) -> Iterator[tuple[str, list[float]]]:
    window = AnnotationWindow(project, "ana")
    window.show()
    settle(window)
    yield "open tagged", [timed(lambda: window.open_patient("1"), window)]
    settle(window)
    QTest.qWait(3000)  # the first look for untagged text runs beside
    view = window.view
    view.setFocus()
    starts = [at for at, char in enumerate(view.merged_view.text) if char == "\n"][5:-5]
    draw, added = random.Random(1), []
    for _ in range(30):
        view.set_caret(draw.choice(starts) + 1)
        settle(window)
        added.append(timed(lambda: QTest.keyClick(view, Qt.Key.Key_D), window))
    yield "add one tag", added
    span = Span(at := view.merged_view.text.index("Kai Yamamoto"), at + len("Kai Yamamoto"))
    assert window.session is not None
    session = window.session
    spans = [place.span for place in session.places(span, DOCTOR)]
    yield "look for 500", [timed(lambda: session.places(span, DOCTOR), window) for _ in range(5)]
    yield "tag 500", [timed(lambda: window.editor.apply_all(spans, DOCTOR), window)]
    settle(window)
    yield "undo 500", [timed(window.editor.undo, window)]
    view.set_caret(0)
    settle(window)
    pages = [timed(lambda: QTest.keyClick(view, Qt.Key.Key_PageDown), window) for _ in range(PAGES)]
    yield "page down", pages
    window.close()


def main() -> None:
    application = create_application([])
    print(f"{'size':8}{'action':16}{'median':>9}{'95 %':>9}{'worst':>9}   ms")
    for name, (size, tags) in SIZES.items():
        with tempfile.TemporaryDirectory() as folder:
            project = project_of(Path(folder) / "p", size, tags)
            for action, figures in chain(measure_untagged(project), measure(project)):
                figures.sort()
                ninety_five = figures[int(len(figures) * 0.95)] if len(figures) > 1 else figures[0]
                median = statistics.median(figures)
                print(f"{name:8}{action:16}{median:9.1f}{ninety_five:9.1f}{figures[-1]:9.1f}")
    application.quit()


if __name__ == "__main__":
    main()
