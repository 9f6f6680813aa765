"""How long the annotation window takes, from the key to the painted page.

Run it as a program: `python tests/benchmarks/bench_annotation_window.py [--cpu] [--scale 2]`.
Everything that happens for an annotator happens here: journal, tag table, untagged marks, guideline
notes, painting. Sizes are those of the merged patient; figures are milliseconds. "What follows" is
the longest that the window is held up afterwards, by marks, notes, tables and saving. "Opened" is
when the first page is painted, "settled", always by the clock, when nothing goes on any more;
everything else is measured after that. "Nothing but counting" is the same few
milliseconds of plain Python again and again: what they vary by is the machine's part in all others.
"""

import argparse
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from annotator.rejections import PlacedSuggestion
from annotator.ui.main_window import AnnotationWindow
from shared.formats.base import Record
from shared.model import Document, Span, Tag
from shared.model.i2b2_2014 import I2B2_2014
from shared.project.project import Project
from shared.widgets.settings.user_folders import all_kept_in
from shared.widgets.tags.place_list import PlaceList
from shared.widgets.tags.tag_table import TagTable
from shared.widgets.window.application import create_application

SIZES = {
    "20 kB": (20_000, 110, 100),
    "200 kB": (200_000, 1_000, 500),
    "5 MB": (5_000_000, 20_000, 3_000),
}
"""Characters, tags, and suggestions that are as good as sure."""
DOCTOR = next(each.phi_type for each in I2B2_2014.types() if each.name == "DOCTOR")
HITS = 500
PAGES = 100
ROUNDS, ROUNDS_OF_MANY = 30, 5
ROUNDS_OF_COUNTING, COUNTED = 300, 400_000
WINDOW = (1320, 860)
QUIET = 2.0
"""Seconds without work: then an opening has settled."""
SOON, SAVED = 0.25, 2.5
"""Seconds in which most of what follows an action happens, and in which files are saved too."""
IDLE = 0.004
"""Seconds of 0.05 that a window may use that has nothing to do."""
Figures = tuple[str, list[float]]


def record(seed: int, size: int, tags: int, sure: int, hits: int) -> Record:
    """Lines of words, with names at random places.

    Untagged are `hits` times `Kai Yamamoto`, and `sure` names in other letters, each its own.
    """
    draw = random.Random(seed)
    words = ["".join(draw.choices("abcdefghijklmno", k=draw.randint(2, 9))) for _ in range(3000)]
    pieces = draw.choices(words, k=size // 7)
    tagged = draw.sample(range(len(pieces)), tags)
    names = {at: f"Dr. {draw.choice(words).title()}" for at in tagged}
    free = [at for at in range(len(pieces)) if at not in names]
    untagged = draw.sample(free, hits + sure)
    names |= dict.fromkeys(untagged[:hits], "Kai Yamamoto")
    names |= {at: "".join(draw.choices("pqrstuvwxyz", k=9)).title() for at in untagged[hits:]}
    text, made, length = [], [], 0
    for at, word in enumerate(pieces):
        piece = names.get(at, word) + ("\n" if at % 14 == 13 else " ")
        if names.get(at, "").startswith("Dr."):
            made.append(Tag(Span(length + 4, length + len(piece) - 1), DOCTOR))
        text.append(piece)
        length += len(piece)
    return Record.of(Document(f"1-{seed:02}", "1", "".join(text)), made)


def project_of(root: Path, size: int, tags: int, sure: int) -> Project:
    """Five records of one patient, whose tags are ana's already."""
    records = [record(at, size // 5, tags // 5, sure // 5, HITS // 5) for at in range(5)]
    return Project.create(root, "bench", I2B2_2014, records, ["ana", "ben"], 1, import_as="ana")


class Watch:
    """Milliseconds from an action until the page is painted, by the clock or of the processor."""

    def __init__(self, window: AnnotationWindow, clock: Callable[[], float]) -> None:
        self._window = window
        self._clock = clock

    def __call__(self, action: Callable[[], object]) -> float:
        begun = self._clock()
        action()
        # Qt paints what the action has changed when its turn comes: now
        QApplication.sendPostedEvents(self._window, QEvent.Type.UpdateRequest.value)
        return (self._clock() - begun) * 1000

    def followed(self, action: Callable[[], object], seconds: float = SOON) -> tuple[float, float]:
        """The same, and the longest that the window is held up by what follows from the action."""
        first, longest = self(action), 0.0
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            begun = self._clock()
            QApplication.processEvents()
            longest = max(longest, (self._clock() - begun) * 1000)
        return first, longest


def settle(window: AnnotationWindow) -> None:
    """Let everything that waits for a quiet moment happen before the next figure."""
    for _ in range(5):
        QTest.qWait(20)
    window.view.viewport().repaint()


def wait_for_quiet() -> float:
    """Wait until nothing goes on in the window or beside it; returns when that began, monotonic.

    The first looks for untagged text, findings and suggestions run beside; what they find, a long
    text and guideline notes come a few milliseconds at a time.
    """
    busy_until = time.monotonic()
    while time.monotonic() < busy_until + QUIET:
        used = time.thread_time()
        QTest.qWait(50)
        beside = any(each.name == "tandem-task" for each in threading.enumerate())
        if beside or time.thread_time() - used > IDLE:
            busy_until = time.monotonic()
    return busy_until


def measure_untagged(project: Project, clock: Callable[[], float]) -> Iterator[Figures]:
    """Ben has no tags yet."""
    window = AnnotationWindow(project, "ben", learns=False)
    window.show()
    window.resize(*WINDOW)
    settle(window)
    yield "open untagged", [Watch(window, clock)(lambda: window.open_patient("1"))]
    settle(window)
    window.close()


def measure(project: Project, clock: Callable[[], float]) -> Iterator[Figures]:
    window = AnnotationWindow(project, "ana", learns=False)
    window.show()
    window.resize(*WINDOW)
    settle(window)
    watch = Watch(window, clock)
    begun = time.monotonic()
    yield "opened", [watch(lambda: window.open_patient("1"))]
    yield "settled", [(wait_for_quiet() - begun) * 1000]
    settle(window)
    yield from tagging(window, watch, "")
    yield from many(window, watch)
    yield from walking(window, watch)
    table = window.findChild(TagTable)
    assert isinstance(table, TagTable)
    yield "tags by text", [watch.followed(lambda: table.show_grouped(True))[0]]
    yield from tagging(window, watch, ", by text")
    table.show_grouped(False)
    yield from accepting(window, watch)
    window.close()


def tagging(window: AnnotationWindow, watch: Watch, how: str) -> Iterator[Figures]:
    """One tag at a time: by its key, taken back, and what the window does afterwards."""
    view = window.view
    view.setFocus()
    starts = [at for at, char in enumerate(view.merged_view.text) if char == "\n"][5:-5]
    draw = random.Random(1)
    tagged, undone, after = [], [], []
    for _ in range(ROUNDS):
        view.set_caret(draw.choice(starts) + 1)
        settle(window)
        key, follows = watch.followed(lambda: QTest.keyClick(view, Qt.Key.Key_D))
        tagged.append(key)
        undo, more = watch.followed(window.editor.undo)
        undone.append(undo)
        after += [follows, more]
    yield f"tag{how}", tagged
    yield f"undo{how}", undone
    yield f"what follows{how}", after


def many(window: AnnotationWindow, watch: Watch) -> Iterator[Figures]:
    """Annotate all with 500 places."""
    session, text = window.session, window.view.merged_view.text
    assert session is not None
    span = Span(at := text.index("Kai Yamamoto"), at + len("Kai Yamamoto"))
    spans = [place.span for place in session.occurrences(span, DOCTOR)]
    yield "look for 500", [watch(lambda: session.occurrences(span, DOCTOR)) for _ in range(5)]
    tag = partial(window.editor.apply_all, spans, DOCTOR)
    yield from there_and_back(window, watch, {"tag 500": tag})


def accepting(window: AnnotationWindow, watch: Watch) -> Iterator[Figures]:
    """Accept all that is as good as sure; the suggestions are this program's."""
    session = window.session
    assert session is not None
    view = session.view
    found = [
        PlacedSuggestion(
            *each.span(), view.section_at(each.start()).record_id, DOCTOR, 0.995, "bench"
        )
        for each in re.finditer("[P-Z][p-z]{8}", view.text)
    ]
    session.review.exchange((), found)
    wait_for_quiet()

    def show_list() -> None:
        window.actions_table.action("accept_sure").trigger()
        shown = window.findChildren(PlaceList)[-1]
        QApplication.sendPostedEvents(shown, QEvent.Type.UpdateRequest.value)

    def accept() -> None:
        window.findChildren(PlaceList)[-1].accept()

    many = f"{len(found):,}"
    yield from there_and_back(window, watch, {f"list {many}": show_list, f"accept {many}": accept})


def there_and_back(
    window: AnnotationWindow, watch: Watch, change: dict[str, Callable[[], object]]
) -> Iterator[Figures]:
    """A change of many tags, by the names of its steps; then it is undone, redone and undone."""
    steps = change | {"undo": window.editor.undo, "redo": window.editor.redo}
    figures: dict[str, list[float]] = {}
    for _ in range(ROUNDS_OF_MANY):
        for name in (*steps, "undo"):
            first, longest = watch.followed(steps[name], SAVED)
            figures.setdefault(name, []).append(first)
            figures.setdefault(f"what follows {name}", []).append(longest)
    what = list(change)[-1]
    for name, each in figures.items():
        yield name if name.endswith(tuple(change)) else f"{name} {what.split()[0]}", each


def walking(window: AnnotationWindow, watch: Watch) -> Iterator[Figures]:
    view = window.view
    for name, key in (("next tag", Qt.Key.Key_N), ("page down", Qt.Key.Key_PageDown)):
        view.set_caret(0)
        settle(window)
        yield name, [watch(lambda: QTest.keyClick(view, key)) for _ in range(PAGES)]  # noqa: B023


def counting(clock: Callable[[], float]) -> Figures:
    """How evenly the machine works: `ROUNDS_OF_COUNTING` times the same."""
    taken = []
    for _ in range(ROUNDS_OF_COUNTING):
        begun = clock()
        sum(range(COUNTED))
        taken.append((clock() - begun) * 1000)
    return "nothing but counting", taken


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--scale", help="QT_SCALE_FACTOR (1, then 2)")
    parser.add_argument("--cpu", action="store_true", help="processor time of the window's thread")
    parser.add_argument("--size", choices=SIZES, action="append", help="one of them (all)")
    arguments = parser.parse_args()
    if arguments.scale is None:
        for scale in ("1", "2"):
            subprocess.run([sys.executable, *sys.argv, "--scale", scale], check=True)
        return
    os.environ["QT_SCALE_FACTOR"] = arguments.scale
    del globals()["__file__"]  # helpers would import this program, Qt and all; `tandem` is light
    application = create_application([])
    print(f"at {arguments.scale}x")
    print(f"{'size':8}{'action':28}{'median':>9}{'95 %':>9}{'worst':>9}   ms")
    clock = time.thread_time if arguments.cpu else time.perf_counter
    for name in arguments.size or SIZES:
        show(name, *counting(clock))
        with tempfile.TemporaryDirectory() as folder, all_kept_in(Path(folder) / "settings"):
            project = project_of(Path(folder) / "p", *SIZES[name])
            for each in chain(measure_untagged(project, clock), measure(project, clock)):
                show(name, *each)
    application.quit()


def show(size: str, action: str, figures: list[float]) -> None:
    figures.sort()
    ninety_five = figures[int(len(figures) * 0.95)] if len(figures) > 1 else figures[0]
    median = statistics.median(figures)
    print(f"{size:8}{action:28}{median:9.1f}{ninety_five:9.1f}{figures[-1]:9.1f}", flush=True)


if __name__ == "__main__":
    main()
