"""How many records a model has to learn to be good, in the order of doubt and at random.

Run it as a program, on folders of i2b2 XML that you have:

    python tests/benchmarks/bench_active_order.py TRAIN TEST [--seeds 5] [--goal .95]

It replays what the list of patients does under "Most informative patients first": a model learns
the first records, which are drawn at random, and each record that is left, a patient each, is as
doubtful as `mean_uncertainty` of the annotation window says of what that model suggests; the most
doubtful are annotated next, and a model learns all that are annotated. At random, the order is that
of the seed. Both begin with the same records, and one order of one seed ends once strict F1 on TEST
has reached the goal. Nothing is chosen on TEST: it draws the curve and ends it.
"""

import argparse
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[2]))

from annotator.worklist import mean_uncertainty
from shared.commands.output import print_table
from shared.commands.records import examples_of
from shared.recognition.crf_recognizer import CrfRecognizer
from shared.recognition.evaluation import above, strict_scores
from shared.recognition.recognizer import Example
from shared.recognition.training_settings import (
    BACKGROUND_ITERATIONS,
    SETTINGS,
    RecognizerSettings,
)
from tests.benchmarks.bench_recognition import trained

SIZES = (25, 50, 100, 150, 200, 250, 300, 350, 400, 450, 500)

Point = tuple[int, float]
"""How many records were learnt, and the strict F1 that came of it."""

Order = Callable[[CrfRecognizer, Sequence[Example]], list[Example]]
"""Puts the records that are left in the order in which to annotate them."""


def as_drawn(model: CrfRecognizer, left: Sequence[Example]) -> list[Example]:
    """At random: the records lie in the order in which they were drawn."""
    return list(left)


def by_doubt(model: CrfRecognizer, left: Sequence[Example]) -> list[Example]:
    """The most doubtful first, as the list of patients has them."""
    suggested = model.suggest([each.document for each in left])
    doubts = [mean_uncertainty(each) for each in suggested]
    ranked = sorted(range(len(left)), key=lambda at: -doubts[at])
    return [left[at] for at in ranked]


ORDERS: dict[str, Order] = {"random": as_drawn, "doubt": by_doubt}


@dataclass(frozen=True, slots=True)
class Replay:
    """What is learnt and how; `sizes` are numbers of records, `goal` the F1 at which to end."""

    examples: Sequence[Example]
    test: Sequence[Example]
    settings: RecognizerSettings
    sizes: Sequence[int]
    goal: float

    def curves(self, seed: int) -> Iterator[tuple[str, Point]]:
        """Yield the points of each order; the first is of the same records in all."""
        drawn = Random(seed).sample(self.examples, len(self.examples))
        first = self.sizes[0]
        begun = self._learnt(drawn[:first], seed)
        f1 = self._f1(begun)
        for name, order in ORDERS.items():
            yield name, (first, f1)
            if f1 < self.goal:
                for point in self._curve(order, drawn, begun, seed):
                    yield name, point

    def _curve(
        self, order: Order, drawn: Sequence[Example], model: CrfRecognizer, seed: int
    ) -> Iterator[Point]:
        done, left = list(drawn[: self.sizes[0]]), list(drawn[self.sizes[0] :])
        for size in self.sizes[1:]:
            if not left:
                return
            left = order(model, left)
            more = size - len(done)
            done, left = [*done, *left[:more]], left[more:]
            model = self._learnt(done, seed)
            f1 = self._f1(model)
            yield len(done), f1
            if f1 >= self.goal:
                return

    def _learnt(self, examples: Sequence[Example], seed: int) -> CrfRecognizer:
        return trained(examples, replace(self.settings, seed=seed))

    def _f1(self, model: CrfRecognizer) -> float:
        found = model.suggest([each.document for each in self.test])
        return strict_scores(self.test, above(found, model.card.threshold))["all"].f1


def reached(curve: Sequence[Point], goal: float) -> float | None:
    """How many records lead to the goal, between the points by a straight line; None: not all."""
    for (size, f1), (next_size, next_f1) in pairwise(curve):
        if f1 < goal <= next_f1:
            return size + (next_size - size) * (goal - f1) / (next_f1 - f1)
    return float(curve[0][0]) if curve and curve[0][1] >= goal else None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("train", type=Path)
    parser.add_argument("test", type=Path)
    parser.add_argument("--recognizer", choices=SETTINGS, default="token")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--goal", type=float, default=0.95)
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)))
    arguments = parser.parse_args()
    sizes = [int(each) for each in arguments.sizes.split(",")]
    settings = SETTINGS[arguments.recognizer]
    crfs = tuple(replace(crf, iterations=BACKGROUND_ITERATIONS) for crf in settings.crfs)
    examples, test = examples_of([arguments.train]), examples_of([arguments.test])
    replay = Replay(examples, test, replace(settings, crfs=crfs), sizes, arguments.goal)
    curves: dict[tuple[str, int], list[Point]] = {}
    for seed in range(1, arguments.seeds + 1):
        for name, point in replay.curves(seed):
            curves.setdefault((name, seed), []).append(point)
            size, f1 = point
            taken = f"{time.process_time():.0f} CPU s"
            print(f"seed {seed}, {name}: {size} records, F1 {f1:.4f} ({taken})", flush=True)
    show(curves, arguments.goal)


def show(curves: dict[tuple[str, int], list[Point]], goal: float) -> None:
    """Print the mean curve of each order, and how many records each seed needed."""
    rows: list[tuple[str, ...]] = []
    for name in ORDERS:
        own = [dict(curve) for (order, _), curve in curves.items() if order == name]
        for size in sorted({size for each in own for size in each}):
            there = [each[size] for each in own if size in each]
            rows.append((name, str(size), str(len(there)), f"{statistics.mean(there):.4f}"))
    print_table(rows, ("order", "records", "seeds that went so far", "mean F1"))
    means: dict[str, float] = {}
    for name in ORDERS:
        needed = [reached(curve, goal) for (order, _), curve in curves.items() if order == name]
        by_seed = ", ".join("not reached" if each is None else f"{each:.0f}" for each in needed)
        print(f"{name}: records to F1 {goal}: {by_seed}")
        if there := [each for each in needed if each is not None]:
            means[name] = statistics.mean(there)
    if len(means) == len(ORDERS):
        random, doubt = means["random"], means["doubt"]
        share = f"{1 - doubt / random:.0%}"
        print(f"on average {random:.0f} at random, {doubt:.0f} by doubt: {share} fewer")


if __name__ == "__main__":
    main()
