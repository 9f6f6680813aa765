"""How many actions a PHI takes, and how long by the keystroke-level model.

Run it as a program: `python tests/benchmarks/bench_actions.py`. A simulated annotator brings 20
fabricated patients to their exact gold standard through the session's real operations, and counts
what a person would have pressed, clicked and dragged. Beside it the steps that MAE needs: drag,
context menu, C, the element's key, and for a sub-type that is not the default a click into the
table and one on the list; its default is taken to be the most frequent sub-type.

Card, Moran and Newell (1980): K key 0.28 s, P pointing 1.1 s, B button press or release 0.1 s, H
hand to the other device 0.4 s, M thinking 1.35 s. One hand is on the keys and one on the mouse, so
H is counted only where both hands are needed on one device, which is nowhere here.
"""

import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from annotator.session import AnnotationSession
from shared.formats.base import Record
from shared.language.chunks import chunk_at
from shared.language.languages import default_language
from shared.model import PhiType, Span
from shared.model.i2b2_2014 import I2B2_2014
from shared.project.project import Project
from shared.project.tag_operations import TagCandidate
from shared.synthetic import FabricatedPatient, fabricate
from shared.text.words import snapped

PATIENTS = 20
KEY, POINT, BUTTON, THINK = 0.28, 1.1, 0.1, 1.35
Wanted = tuple[Span, PhiType]


@dataclass
class Cost:
    """What the hands did, and how often the head had to."""

    keys: int = 0
    clicks: int = 0
    drags: int = 0
    thoughts: int = 0

    @property
    def actions(self) -> int:
        return self.keys + self.clicks + self.drags

    @property
    def seconds(self) -> float:
        return (
            self.keys * KEY
            + self.clicks * (POINT + 2 * BUTTON)
            + self.drags * (2 * POINT + 2 * BUTTON)
            + self.thoughts * THINK
        )


class Annotator:
    """Somebody who knows the gold standard and reaches it with as few actions as they can."""

    def __init__(self, session: AnnotationSession, wanted: list[Wanted]) -> None:
        self.session = session
        self.text = session.view.text
        self.wanted = wanted
        self.cost = Cost()
        self.variants = False
        self.worth = 2
        """How many actions one more PHI costs without a review list."""

    def left(self) -> Iterator[Wanted]:
        """What is not tagged yet, in reading order, looked up anew each time."""
        for span, phi_type in self.wanted:
            here = self.session.tags.query(span.start, span.end)
            if not any(each.span == span and each.phi_type == phi_type for each in here):
                yield span, phi_type

    def one_by_one(self) -> None:
        for span, phi_type in self.left():
            self.cost.thoughts += 1
            self.mark_out(span)
            self.press_type(phi_type)
            self.session.tag(span, phi_type)

    def armed(self) -> None:
        for phi_type in {phi_type: None for _, phi_type in self.wanted}:
            self.cost.clicks += 1  # the type in the palette
            for span, _ in self.left_of(phi_type):
                self.cost.thoughts += 1
                self.mark_out(span)
                self.session.tag(span, phi_type)

    def armed_and_annotate_all(self) -> None:
        self.worth = 1
        for phi_type in {phi_type: None for _, phi_type in self.wanted}:
            self.cost.clicks += 1
            for span, _ in self.left_of(phi_type):
                self.cost.thoughts += 1
                self.mark_out(span)
                self.session.tag(span, phi_type)
                self.review(span, phi_type)

    def annotate_all_with_variants(self) -> None:
        self.variants = True
        self.annotate_all()

    def armed_and_variants(self) -> None:
        self.variants = True
        self.armed_and_annotate_all()

    def left_of(self, phi_type: PhiType) -> Iterator[Wanted]:
        return (each for each in self.left() if each[1] == phi_type)

    def annotate_all(self) -> None:
        for span, phi_type in self.left():
            self.cost.thoughts += 1
            self.mark_out(span)
            self.press_type(phi_type)
            self.session.tag(span, phi_type)
            self.review(span, phi_type)

    def review(self, span: Span, phi_type: PhiType) -> None:
        """A, tick and untick, Enter; left alone where it would not pay.

        Of the list with and without other ways of writing, the one that saves more.
        """
        lists = [self.session.occurrences(span, phi_type)]
        if self.variants:
            lists.append(self.session.occurrences(span, phi_type, variants=True))
        saved, clicks, good = max(
            (self.worth * len(good) - clicks - 2, clicks, good)
            for number, places in enumerate(lists)
            for clicks, good in [self.ticked(places, phi_type, number)]
        )
        if good and saved > 0:
            self.cost.keys += 2
            self.cost.clicks += clicks
            self.cost.thoughts += 1
            self.session.tag_all(good, phi_type)

    def ticked(
        self, places: list[TagCandidate], phi_type: PhiType, number: int
    ) -> tuple[int, list[Span]]:
        """The clicks that a list takes, its check box for variants included, and what it tags."""
        clicks, good = number, list[Span]()
        for place in (each for each in places if not each.tagged):
            right = (place.span, phi_type) in self.wanted_set
            clicks += place.is_preselected != right
            good += [place.span] * right
        return clicks, good

    @property
    def wanted_set(self) -> set[Wanted]:
        return set(self.wanted)

    def mark_out(self, span: Span) -> None:
        """A click where one click means this span, else a drag, with Alt where words are cut."""
        if any(
            chunk_at(self.text, at, default_language()) == span for at in (span.start, span.end - 1)
        ):
            self.cost.clicks += 1
            return
        self.cost.drags += 1
        if snapped(self.text, span.start, span.end) != span:
            self.cost.keys += 1

    def press_type(self, phi_type: PhiType) -> None:
        schema = self.session.project.schema
        category = schema.category(phi_type.category)
        direct = schema.find(phi_type).key or len(category.types) == 1
        self.cost.keys += 1 if direct else 2

    def reached(self) -> bool:
        return {(each.span, each.phi_type) for each in self.session.tags} == set(self.wanted)


WAYS: dict[str, Callable[[Annotator], None]] = {
    "one by one": Annotator.one_by_one,
    "armed type": Annotator.armed,
    "annotate all": Annotator.annotate_all,
    "annotate all with variants": Annotator.annotate_all_with_variants,
    "armed type and annotate all": Annotator.armed_and_annotate_all,
    "the same with variants": Annotator.armed_and_variants,
}


def mae(wanted: list[Wanted], defaults: dict[str, PhiType]) -> Cost:
    cost = Cost()
    for _, phi_type in wanted:
        cost.thoughts += 1
        cost.drags += 1
        cost.clicks += 1
        cost.keys += 2
        if defaults[phi_type.category] != phi_type:
            cost.clicks += 2
    return cost


def simulated(patient: FabricatedPatient, way: Callable[[Annotator], None]) -> Cost:
    with tempfile.TemporaryDirectory() as folder:
        records = [Record(document) for document in patient.patient.documents]
        root = Path(folder) / "p"
        project = Project.create(root, "bench", I2B2_2014, records, ["ana", "ben"], 1)
        with AnnotationSession(project, "ana", patient.patient.id) as session:
            annotator = Annotator(session, wanted_of(patient, session))
            way(annotator)
            assert annotator.reached(), "the gold standard was not reached"
            return annotator.cost


def wanted_of(patient: FabricatedPatient, session: AnnotationSession) -> list[Wanted]:
    placed = [
        (session.view.merged_span(record_id, tag.span), tag.phi_type)
        for record_id, layer in patient.gold.items()
        for tag in layer.tags
    ]
    return sorted(placed)


def total(costs: list[Cost]) -> Cost:
    return Cost(
        sum(each.keys for each in costs),
        sum(each.clicks for each in costs),
        sum(each.drags for each in costs),
        sum(each.thoughts for each in costs),
    )


def show(name: str, cost: Cost, tags: int, beside: Cost) -> None:
    print(
        f"{name:28}{cost.actions / tags:9.2f}{cost.keys / tags:8.2f}{cost.clicks / tags:8.2f}"
        f"{cost.drags / tags:8.2f}{cost.seconds / tags:9.2f}"
        f"{beside.actions / cost.actions:9.2f}{beside.seconds / cost.seconds:9.2f}"
    )


def main() -> None:
    patients = list(fabricate(PATIENTS, 7))
    gold = [tag.phi_type for each in patients for layer in each.gold.values() for tag in layer.tags]
    defaults = {
        category.name: Counter(each for each in gold if each.category == category.name).most_common(
            1
        )[0][0]
        for category in I2B2_2014.categories
        if any(each.category == category.name for each in gold)
    }
    beside = mae([(Span(0, 1), each) for each in gold], defaults)
    print(f"{len(gold)} PHI of {PATIENTS} patients, per PHI; MAE's figure over ours at the right")
    print(f"{'':28}{'actions':>9}{'keys':>8}{'clicks':>8}{'drags':>8}{'seconds':>9}", end="")
    print(f"{'actions':>9}{'seconds':>9}")
    show("MAE", beside, len(gold), beside)
    for name, way in WAYS.items():
        show(name, total([simulated(each, way) for each in patients]), len(gold), beside)


if __name__ == "__main__":
    main()
