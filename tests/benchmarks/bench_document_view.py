"""How fast the document view opens, marks and scrolls, at three sizes of a merged patient.

Every figure runs from the call until the event loop has done all that follows from it, the
repaint above all; milliseconds.

    python tests/benchmarks/bench_document_view.py [--scale 2] [--rounds 60]
"""

import argparse
import gc
import os
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from shared.model import Document, MergedView, Patient
from shared.widgets.document.marks import Mark, MarkStyle

SIZES = ((20_000, 110), (200_000, 1_000), (5_000_000, 20_000))
WORDS = (
    "seen by the patient reports pain since admitted with denies chest fever and follow up of a "
    "Maria Lee Holcomb Navarro Mercy Hospital 2067-05-03 617-917-2700 cardiology discharged mg "
    "daily stable история שלום 😀 é blood pressure normal"
).split()
COLOURS = ("#D55E00", "#E69F00", "#009E73", "#56B4E9", "#CC79A7", "#0072B2", "#7F7F7F")
LABELS = ("PATIENT", "DOCTOR", "HOSPITAL", "DATE", "MEDICALRECORD", "PHONE", "CITY")
STYLES = (MarkStyle.TAG,) * 6 + (MarkStyle.SUGGESTION, MarkStyle.UNTAGGED)


def fabricated_view(size: int, rng: random.Random) -> MergedView:
    """Records of some 4,000 characters, with lines of at most 130 and a few blank ones."""
    documents: list[Document] = []
    length = 0
    while length < size:
        lines: list[str] = []
        while sum(map(len, lines)) < min(4_000, size - length):
            lines.append(" ".join(rng.choices(WORDS, k=rng.randrange(1, 18))))
            lines.extend([""] * (rng.random() < 0.1))
        text = "\n".join(lines)
        documents.append(Document(f"110-{len(documents) + 1:02}", "110", text))
        length += len(text) + 1
    return MergedView(Patient("110", tuple(documents)))


def fabricated_marks(view: MergedView, count: int, rng: random.Random) -> list[Mark]:
    """Marks of 3 to 30 characters all over the text, some of which overlap."""
    marks: list[Mark] = []
    while len(marks) < count:
        start = rng.randrange(len(view.text) - 30)
        kind = rng.randrange(len(LABELS))
        end = start + rng.randrange(3, 30)
        if view.section_at(start).end >= end:
            style = rng.choice(STYLES)
            marks.append(Mark(start, end, LABELS[kind], COLOURS[kind], style, key=len(marks)))
    return marks


class Bench:
    """A view on the screen, and a stop watch that ends with the repaint."""

    def __init__(self) -> None:
        from shared.widgets.document.document_view import DocumentView
        from shared.widgets.window.application import create_application

        self.application = create_application([], "light")
        self.view = DocumentView()
        self.view.resize(1200, 900)
        self.view.show()
        self.view.setFocus()

    def timed(self, act: Callable[[], object]) -> float:
        self.application.processEvents()
        start = time.perf_counter()
        act()
        self.application.processEvents()
        return (time.perf_counter() - start) * 1000

    def figures(self, size: int, count: int, rounds: int) -> Iterator[tuple[str, list[float]]]:
        rng = random.Random(size)
        view = fabricated_view(size, rng)
        marks = fabricated_marks(view, count + rounds + 500, rng)
        kept, single, bulk = marks[:count], marks[count:-500], marks[-500:]
        yield "opening", [self._opening(view, kept) for _ in range(5)]
        yield "adding one mark", self._adding(kept, single)
        yield "500 marks at once", [self._bulk(bulk) for _ in range(5)]
        yield "page down", self._paging(rounds)
        yield "going to any mark", [self._going(mark) for mark in rng.sample(kept, rounds)]
        yield "caret down", [self.timed(lambda: self._key("Down")) for _ in range(rounds)]
        yield "whole repaint", [self.timed(self.view.viewport().repaint) for _ in range(rounds)]

    def _opening(self, view: MergedView, marks: list[Mark]) -> float:
        def act() -> None:
            self.view.open(view)
            self.view.set_marks(marks)

        gc.collect()
        return self.timed(act)

    def _adding(self, kept: list[Mark], single: list[Mark]) -> list[float]:
        """Marks on the page that is on the screen, so that each is painted."""
        here = kept[len(kept) // 2]
        self.view.reveal(here.span)
        times: list[float] = []
        for number, mark in enumerate(single):
            start = here.start + 37 * number % 2000
            added = Mark(start, start + 8, mark.label, mark.category_colour, key=("one", number))
            times.append(self.timed(lambda: self.view.change_marks([], [added])))  # noqa: B023
        return times

    def _bulk(self, bulk: list[Mark]) -> float:
        took = self.timed(lambda: self.view.change_marks([], bulk))
        self.view.change_marks(bulk, [])
        return took

    def _paging(self, rounds: int) -> list[float]:
        times: list[float] = []
        for _ in range(rounds):
            bar = self.view.verticalScrollBar()
            if bar.value() == bar.maximum() or not times:
                self.view.set_caret(0)
            times.append(self.timed(lambda: self._key("PageDown")))
        return times

    def _going(self, mark: Mark) -> float:
        def act() -> None:
            self.view.set_caret(mark.start)
            self.view.set_current_mark(mark)
            self.view.reveal(mark.span)

        return self.timed(act)

    def _key(self, name: str) -> None:
        from PySide6.QtCore import Qt
        from PySide6.QtTest import QTest

        QTest.keyClick(self.view, Qt.Key[f"Key_{name}"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--scale", default="1", help="QT_SCALE_FACTOR (1)")
    parser.add_argument("--rounds", type=int, default=60, help="repetitions (60)")
    arguments = parser.parse_args()
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    os.environ["QT_SCALE_FACTOR"] = arguments.scale
    bench = Bench()
    print(f"{'text':>10} {'marks':>7}  {'':20} {'median':>8} {'p95':>8} {'max':>8}  ms")
    for size, count in SIZES:
        for name, times in bench.figures(size, count, arguments.rounds):
            times.sort()
            p95 = times[min(len(times) - 1, int(len(times) * 0.95))]
            median = statistics.median(times)
            print(f"{size:>10,} {count:>7,}  {name:20} {median:8.1f} {p95:8.1f} {times[-1]:8.1f}")
    bench.view.close()


if __name__ == "__main__":
    main()
