"""How fast adjudication is, and how many actions it takes.

    python tests/benchmarks/bench_adjudication.py [PATIENTS]

Speed is that of the session and of the window, with 2,000 tags per annotator in one patient. A
window's figures are until all of it is painted; "what follows" is the longest that the window is
held up afterwards in one go, by marks, notes, tables and saving. The
actions are those of an adjudicator who decides perfectly, on fabricated patients with simulated
annotators: a key is one action whether it decides one disagreement or all that are alike, a
decision that no key makes is two (edit, and the change). The list of precedents is opened once per
patient: one action opens it, each wrong row is unticked by one, and one applies what is left.
Patients come one after the other, so the first ones have no precedents.
"""

import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
sys.path.insert(0, str(Path(__file__).parents[2]))

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from adjudicator.decisions import DecisionChoice, chosen_marks, possible_choices
from adjudicator.disagreement_queue import DisagreementQueue
from adjudicator.disagreements import Disagreement
from adjudicator.gold_layer import GoldLayer
from adjudicator.precedents import PrecedentBook
from adjudicator.session import AdjudicationSession
from adjudicator.ui.main_window import AdjudicationWindow
from adjudicator.worklist import OpenOptions
from shared.formats.base import Record
from shared.garbage import collection_paused
from shared.metrics.alignment import TagMark
from shared.model import Document, Layer, MergedView, PhiType, Span, Tag
from shared.model.i2b2_2014 import I2B2_2014
from shared.project.project import Project
from shared.synthetic import FabricatedPatient, annotate, fabricate
from shared.widgets.settings.user_folders import all_kept_in
from shared.widgets.window.application import create_application

TAGS = 2000
WINDOW = (1480, 900)
FRAME = 16
FOLLOWS = 0.2
"""Seconds after which all that follows a key has happened."""
PATIENTS = 296
SEED = 2014


class Lines:
    """A journal that nobody reads."""

    def append(self, entry: dict[str, Any]) -> None:
        """Take a line."""


@dataclass
class Tally:
    """What an adjudicator did over all patients."""

    disagreements: int = 0
    one_by_one: int = 0
    with_alike: int = 0
    with_precedents: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    proposed: Counter[str] = field(default_factory=Counter)
    wrong: Counter[str] = field(default_factory=Counter)


class Took(NamedTuple):
    """Milliseconds on the clock, and of this process's own work: alike on a quiet machine."""

    wall: float
    own: float


Figure = tuple[str, Took, float]
"""What, how long it took, and how long it may take."""


def milliseconds(work: Callable[[], object]) -> Took:
    start, own = time.perf_counter(), time.process_time()
    work()
    return Took((time.perf_counter() - start) * 1000, (time.process_time() - own) * 1000)


def middle(times: list[Took]) -> Took:
    return Took(median(each.wall for each in times), median(each.own for each in times))


def slowest(times: list[Took], share: float = 1.0) -> Took:
    """The slowest, or with a `share` below 1 that of which so many are no slower."""
    at = min(int(len(times) * share), len(times) - 1)
    return Took(sorted(each.wall for each in times)[at], sorted(each.own for each in times)[at])


def spread(what: str, times: list[Took]) -> Iterator[Figure]:
    """The middle, the 95 % and the slowest of many, each to be within a frame of the screen."""
    yield f"{what}, median", middle(times), FRAME
    yield f"{what}, 95 %", slowest(times, 0.95), FRAME
    yield f"{what}, slowest", slowest(times), FRAME


def long_patient(root: Path) -> Project:
    """A patient of five records with 2,000 tags per annotator, a third of them in dispute."""
    line = "Seen by Dr. Lee on 03/04/2071 at Mercy, called 555-0143.\n"
    text = line * (TAGS // 4 // 5)
    records = [Record(Document(f"1-{n:02}", "1", text)) for n in range(1, 6)]
    project = Project.create(root, "Long", I2B2_2014, records, ["ana", "ben"], 1)
    for document in project.patient("1").documents:
        for number, name in enumerate(("ana", "ben")):
            tags = [
                Tag(Span(at + start, at + end), _type(kind, at, number))
                for at in range(0, len(text), len(line))
                for start, end, kind in ((12, 15, "DOCTOR"), (19, 29, "DATE"), (33, 38, "HOSPITAL"))
            ] + [
                Tag(Span(at + 47, at + 55 - number * (at % 2)), PhiType("CONTACT", "PHONE"))
                for at in range(0, len(text), len(line))
            ]
            layer = Layer.of(document.record_id, name, tags)
            project.write_layer(name, document, layer, None)
    return project


def _type(kind: str, at: int, annotator: int) -> PhiType:
    if kind == "HOSPITAL" and annotator:
        return PhiType("LOCATION", "ORGANIZATION")
    if kind == "DOCTOR" and annotator and at % 3 == 0:
        return PhiType("NAME", "PATIENT")
    return next(each.phi_type for each in I2B2_2014.types() if each.name == kind)


def session_figures(project: Project) -> Iterator[Figure]:
    """Yield what, milliseconds, target."""
    opened: list[AdjudicationSession] = []

    def open_patient() -> None:
        with collection_paused():  # as the window does
            opened.append(AdjudicationSession(project, "1", "carol", OpenOptions(force=True)))

    yield "session: open for the first time", milliseconds(open_patient), 200
    session = opened.pop()
    print(f"  {len(session.queue)} disagreements, {len(session.tags)} agreed tags")
    times: list[Took] = []
    for each in list(session.queue)[:200]:
        times.append(
            milliseconds(lambda each=each: session.queue.decide(each, DecisionChoice.FIRST))
        )
        session.queue.next_open(each)
    yield from spread("session: decide and find the next", times)
    alike = session.queue[300]
    yield (
        "session: all alike at once",
        milliseconds(
            lambda: session.queue.decide_all(session.queue.alike(alike, DecisionChoice.SECOND))
        ),
        50,
    )
    session.close()
    yield "session: open again", milliseconds(open_patient), 200
    opened.pop().close()


class Watch:
    """Presses keys in a window, and looks how long all takes until it is painted, and after."""

    def __init__(self, window: QWidget) -> None:
        self._window = window

    def painted(self, work: Callable[[], object]) -> Took:
        def run() -> None:
            work()
            QApplication.sendPostedEvents()

        return milliseconds(run)

    def followed(self, work: Callable[[], object]) -> tuple[Took, Took]:
        """The time until all is painted, and the longest turn of what follows."""
        first = self.painted(work)
        until, turns = time.monotonic() + FOLLOWS, list[Took]()
        while time.monotonic() < until:
            turns.append(milliseconds(QApplication.processEvents))
        return first, slowest(turns)

    def pressed(self, what: str, key: Qt.Key) -> Iterator[Figure]:
        rounds = [self.followed(lambda: QTest.keyClick(self._window, key)) for _ in range(100)]
        yield from spread(f"{what}, next one on screen", [first for first, _ in rounds])
        yield from spread(f"{what}, what follows, longest", [after for _, after in rounds])


def window_figures(project: Project) -> Iterator[Figure]:
    """Yield what, milliseconds, target."""
    application = create_application([])
    window = AdjudicationWindow(project, "carol", OpenOptions(force=True))
    window.show()
    window.resize(*WINDOW)
    window.activateWindow()
    QTest.qWait(200)
    watch = Watch(window.view)
    opened, after = watch.followed(lambda: window.open_patient("1"))
    yield "window: open", opened, 200
    yield "window: open, what follows, longest", after, FRAME
    QTest.qWait(1000)
    yield from watch.pressed("window: decide", Qt.Key.Key_2)
    yield from watch.pressed("window: next", Qt.Key.Key_N)
    window.close()
    application.quit()


def start(fabricated: FabricatedPatient, book: PrecedentBook | None = None) -> DisagreementQueue:
    view = MergedView(fabricated.patient)
    sides = [annotate(fabricated, name, SEED) for name in ("ana", "ben")]
    layers = [[side[each.record_id] for side in sides] for each in fabricated.patient.documents]
    gold = GoldLayer(view, {}, [], Lines(), "carol")
    return DisagreementQueue(view, layers, gold, schema=I2B2_2014, precedents=book)


def right_marks(fabricated: FabricatedPatient, disagreement: Disagreement) -> set[TagMark]:
    """What the true gold standard has where the disagreement is."""
    gold = fabricated.gold[disagreement.record_id].tags
    return {
        tag.mark for tag in gold if any(tag.span.overlaps(each.span) for each in disagreement.tags)
    }


def count_actions(fabricated: FabricatedPatient, tally: Tally, book: PrecedentBook) -> None:
    """Adjudicate a patient in three ways, and count the actions of each."""
    queue = start(fabricated)
    right = {each.key: right_marks(fabricated, each) for each in queue}
    tally.disagreements += len(queue)
    for each in queue:
        tally.kinds[each.kind.value] += 1
        tally.one_by_one += 1 if _key_for(each, right[each.key]) else 2
    while (each := queue.next_open()) is not None:
        tally.with_alike += _settle(queue, each, right)
    queue = start(fabricated, book)
    tally.with_precedents += _review(queue, right, tally)
    while (each := queue.next_open()) is not None:
        tally.with_precedents += _settle(queue, each, right)


def _review(queue: DisagreementQueue, right: dict[object, set[TagMark]], tally: Tally) -> int:
    """Go through the list of precedents once: open it, untick what is wrong, apply the rest."""
    proposals = queue.proposals()
    good = [each for each in proposals if set(each.precedent.marks) == right[each.disagreement.key]]
    for each in proposals:
        how = str(each.precedent.level)
        tally.proposed[how] += 1
        tally.wrong[how] += each not in good
    if not proposals:
        return 0
    if good:
        queue.decide_all([each.request() for each in good])
    return 1 + (len(proposals) - len(good)) + 1


def _key_for(disagreement: Disagreement, right: set[TagMark]) -> DecisionChoice | None:
    return next(
        (
            choice
            for choice in possible_choices(disagreement)
            if set(chosen_marks(disagreement, choice)) == right
        ),
        None,
    )


def _settle(
    queue: DisagreementQueue, disagreement: Disagreement, right: dict[object, set[TagMark]]
) -> int:
    """Decide as is right, all alike at once where that is right for all; returns the actions."""
    choice = _key_for(disagreement, right[disagreement.key])
    if choice is None:
        queue.decide_with(disagreement, right[disagreement.key])
        return 2
    queue.decide_all(queue.alike(disagreement, choice))
    changed = queue.changed()
    if all(set(queue.decision(each).marks) == right[each.key] for each in changed):  # type: ignore[union-attr]
        return 1
    undone = queue.gold.undo()
    assert undone is not None
    queue.decide(disagreement, choice)
    return 1


def main() -> None:
    patients = int(sys.argv[1]) if len(sys.argv) > 1 else PATIENTS
    print(
        f"Speed: {TAGS} tags per annotator in one patient; ms on the clock, of its own work, target"
    )
    with tempfile.TemporaryDirectory() as folder, all_kept_in(Path(folder) / "settings"):
        project = long_patient(Path(folder) / "project")
        for what, took, target in chain(session_figures(project), window_figures(project)):
            print(f"  {what:<46}{took.wall:>8.1f}{took.own:>8.1f} ({target:.0f})", flush=True)
    tally = Tally()
    book = PrecedentBook()
    for fabricated in fabricate(patients, SEED):
        count_actions(fabricated, tally, book)
    total = tally.disagreements
    print(f"\nActions: {patients} patients, {total} disagreements")
    for kind, count in tally.kinds.most_common():
        print(f"  {kind:<46}{count:>8}")
    print(f"  {'actions for each, one by one':<46}{tally.one_by_one / total:>8.2f}")
    print(f"  {'actions for each, alike ones at once':<46}{tally.with_alike / total:>8.2f}")
    reviewed = tally.with_precedents / total
    print(f"  {'actions for each, precedents reviewed first':<46}{reviewed:>8.2f} (0.6)")
    print("\nPrecedents in the list: how many, and how many of them wrong")
    for how, count in tally.proposed.most_common():
        print(f"  {how:<46}{count:>8}{tally.wrong[how]:>8}")


if __name__ == "__main__":
    main()
