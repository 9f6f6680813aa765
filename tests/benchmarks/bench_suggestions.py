"""How many actions a PHI takes with suggestions, and how long by the keystroke-level model.

Run it as a program: `python tests/benchmarks/bench_suggestions.py [--model FOLDER] [--seed N]
[RECORDS]`. As in `bench_actions.py` a simulated annotator brings patients to their exact gold
standard and counts what a person would have pressed, clicked and dragged. They are fabricated, of
held-out templates, which share no sentence that carries PHI with those that fabricated patients
practise, or from a folder of records, each a patient. Suggestions come from the rules alone, or
from the rules and a model that learnt from 1, 3 or 10 other patients, beside the model of
fabricated patients that serves an empty project (kept in FOLDER, as it takes minutes to train).

Two ways to go about it are compared. *One by one*: F8, then Enter, X, or the key of another type
on each suggestion; Shift+Enter and Enter in its list where that is fewer. *By screen*: the
annotator reads a screen of text, sets right what is wrong on it and tags what is missing, and
Ctrl+Enter accepts what is left there and goes on; where something is doubtful it wants an Enter or
X of its own first, the last of which goes on. What a tag makes a suggestion elsewhere is met there.

Of what Ctrl+Enter accepts, `wrong` says how much would be wrong if nobody had looked, and `unread`
the strict F1 that would come of that: it is what looking at each is worth.
"""

import argparse
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random

from bench_actions import Annotator, Wanted, total

from annotator.pretraining import RECOGNIZER, SyntheticTrainingData, pretrained_folder
from annotator.recognizers import Recognizers, SuggestionBatch, project_rules, shipped_rules
from annotator.rejections import PlacedSuggestion
from annotator.session import AnnotationSession
from annotator.suggestions import DOUBTFUL, SuggestionOrder
from shared.commands.records import examples_of
from shared.formats.base import Record
from shared.formats.schema_auto import schema_of
from shared.metrics.counts import MatchCounts
from shared.model import PhiType, Schema, Span
from shared.model.i2b2_2014 import I2B2_2014
from shared.project.project import Project
from shared.project.settings import Policy
from shared.recognition.model_folder import new_model_folder
from shared.recognition.recognizer import Example
from shared.recognition.training.background import CompanionSpec
from shared.recognition.training.train import train
from shared.recognition.training_settings import named_settings, settings_for
from shared.synthetic import fabricate

PATIENTS, FROM_FOLDER = 6, 30
LEARNT = (1, 3, 10)
LINES, LETTERS = 20, 68
"""What a screen holds in the window as it opens first."""

ReplayedPatient = Sequence[Example]


class Suggested(Annotator):
    """Somebody who is shown suggestions; `parts` are the actions by what they were for."""

    def __init__(self, session: AnnotationSession, wanted: list[Wanted]) -> None:
        super().__init__(session, wanted)
        self.parts: Counter[str] = Counter()
        self.unread = MatchCounts()
        """What Ctrl+Enter was about to accept, had nobody looked."""

    @contextmanager
    def part(self, name: str) -> Iterator[None]:
        before = self.cost.actions
        yield
        self.parts[name] += self.cost.actions - before

    def press(self, part: str, keys: int = 1, clicks: int = 0, thoughts: int = 1) -> None:
        with self.part(part):
            self.cost.keys += keys
            self.cost.clicks += clicks
            self.cost.thoughts += thoughts

    def one_by_one(self) -> None:
        self.walk()
        with self.part("tag what was missed"):
            self.annotate_all()

    def by_screen(self) -> None:
        for screen in screens(self.text):
            if not self.read(screen):
                self.press("go on", thoughts=0)
        self.one_by_one()

    def walk(self) -> None:
        review = self.session.review
        at = review.following(SuggestionOrder.BY_PLACE, 0)
        if at is not None:
            self.press("go on", thoughts=0)  # F8, once
        while at is not None:
            self.decide(at)
            at = review.following(SuggestionOrder.BY_PLACE, 0, at)

    def decide(self, at: PlacedSuggestion) -> None:
        """Decide one suggestion to which a walk has led, and be led to the next."""
        alike = self.session.review.alike(at)
        right = [self.is_right(each) for each in alike]
        if self.is_right(at):
            if all(right) and len(alike) > 2:
                self.press("accept everywhere", 2)
                self.session.accept(alike)
            else:
                self.press("accept one")
                self.session.accept([at])
        elif (phi_type := self.type_there(at.span)) is not None:
            with self.part("retype"):
                self.cost.thoughts += 1
                self.press_type(phi_type)
                self.cost.keys += 1  # F8
            self.session.tag(at.span, phi_type)
        else:
            self.press("reject")
            self.session.reject(at, alike=not any(right))

    def read(self, screen: Span) -> bool:
        """Bring a screen to what is wanted there; True where that has led on to the next."""
        sure = self.sure_on(screen)
        self.count_unread(sure)
        while not all(map(self.is_right, sure)) or any(self.missed(screen)):
            for each in sure:
                if each in self.session.review.shown and not self.is_right(each):
                    self.mend(each)
            for span, phi_type in self.missed(screen):
                self.tag_missed(span, phi_type)
            sure = self.sure_on(screen)  # what was tagged decides, and may decide wrongly
        if sure:
            self.press("accept the screen", thoughts=len(sure))
            self.session.accept(sure)
        doubtful = self.session.review.shown_within(screen)
        leads_on = bool(sure or doubtful)
        if doubtful and not sure:
            self.press("go on", thoughts=0)  # Ctrl+Enter leads there
        while doubtful:
            self.decide(doubtful[0])
            doubtful = self.session.review.shown_within(screen)
        return leads_on

    def sure_on(self, screen: Span) -> list[PlacedSuggestion]:
        shown = self.session.review.shown_within(screen)
        return [each for each in shown if each.confidence >= DOUBTFUL]

    def missed(self, screen: Span) -> Iterator[Wanted]:
        """What is wanted on a screen, and neither tagged nor suggested so."""
        for span, phi_type in self.left():
            if screen.contains(span) and not self.session.review.find(span, phi_type):
                yield span, phi_type

    def count_unread(self, sure: Sequence[PlacedSuggestion]) -> None:
        for each in sure:
            is_right = self.is_right(each)
            hidden = 0 if is_right else len(self.instead_of(each))
            self.unread += MatchCounts(is_right, not is_right, hidden)

    def instead_of(self, wrong: PlacedSuggestion) -> list[Wanted]:
        return [each for each in self.left() if each[0].overlaps(wrong.span)]

    def mend(self, wrong: PlacedSuggestion) -> None:
        """Set right what is surely suggested, and wrong; a tag over it makes it vanish."""
        if (phi_type := self.type_there(wrong.span)) is not None:
            with self.part("retype"):
                self.cost.clicks += 1
                self.cost.thoughts += 1
                self.press_type(phi_type)
            self.session.tag(wrong.span, phi_type)
        elif instead := self.instead_of(wrong):
            for span, phi_type in instead:
                self.tag_missed(span, phi_type)
        else:
            self.press("reject", 1, 1)
            right = any(map(self.is_right, self.session.review.alike(wrong)))
            self.session.reject(wrong, alike=not right)

    def tag_missed(self, span: Span, phi_type: PhiType) -> None:
        with self.part("tag what was missed"):
            self.cost.thoughts += 1
            self.mark_out(span)
            self.press_type(phi_type)
        self.session.tag(span, phi_type)

    def is_right(self, each: PlacedSuggestion) -> bool:
        return (each.span, each.phi_type) in self.wanted_set

    def type_there(self, span: Span) -> PhiType | None:
        """The type that is wanted on exactly this span."""
        return next((phi_type for place, phi_type in self.wanted if place == span), None)


def screens(text: str) -> Iterator[Span]:
    """Cut a text into what is on a screen at a time, long lines being wrapped."""
    start = at = height = 0
    for line in text.splitlines(keepends=True):
        rows = 1 + len(line) // LETTERS
        if height and height + rows > LINES:
            yield Span(start, at)
            start, height = at, 0
        height += rows
        at += len(line)
    if start < at:
        yield Span(start, at)


@dataclass(frozen=True, slots=True)
class Way:
    """Whose suggestions are shown: a model of so many patients, and of fabricated ones or not."""

    name: str
    policy: Policy
    learnt: Sequence[ReplayedPatient] = ()
    pretrained: Path | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one patient took, one by one and by screen; `shown`: right, wrong, and of how many."""

    ways: tuple[Suggested, Suggested]
    shown: tuple[int, int, int]


def simulated(patient: ReplayedPatient, root: Path, way: Way) -> Outcome:
    project = Project.open(root)
    finding = Recognizers(project, "ana", way.pretrained)
    done: list[Suggested] = []
    for annotator, work in (("ana", Suggested.one_by_one), ("ben", Suggested.by_screen)):
        with AnnotationSession(project, annotator, patient[0].document.patient_id) as session:
            person = Suggested(session, wanted_of(patient, session))
            batches: Iterator[SuggestionBatch] = finding.suggest(session.view, way.policy)
            *_, last = [[], *(each.suggestions for each in batches)]
            session.review.fill(last)
            shown = quality(session.review.shown, person)
            work(person)
            assert person.reached(), "the gold standard was not reached"
            done.append(person)
    return Outcome((done[0], done[1]), shown)


def wanted_of(patient: ReplayedPatient, session: AnnotationSession) -> list[Wanted]:
    return sorted(
        (session.view.merged_span(each.document.record_id, tag.span), tag.phi_type)
        for each in patient
        for tag in each.tags
    )


def quality(shown: Sequence[PlacedSuggestion], person: Suggested) -> tuple[int, int, int]:
    right = sum(map(person.is_right, shown))
    return right, len(shown) - right, len(person.wanted)


def prepared(root: Path, schema: Schema, patients: Sequence[ReplayedPatient], way: Way) -> None:
    records = [Record(each.document) for patient in patients for each in patient]
    project = Project.create(root, "bench", schema, records, ["ana", "ben"], 1)
    examples = [each for patient in way.learnt for each in patient]
    if examples:
        (root / "models").mkdir()
        with new_model_folder(root / "models" / "ana") as folder:
            companions = CompanionSpec(project_rules(project), way.pretrained).opened()
            train(examples, settings_for(len(examples)), folder, companions=companions)


def practice(cache: Path) -> Path:
    """The model of fabricated patients, trained where it is not there yet."""
    folder = pretrained_folder(cache)
    if not folder.exists():
        folder.parent.mkdir(parents=True, exist_ok=True)
        companions = CompanionSpec(shipped_rules(I2B2_2014)).opened()
        with new_model_folder(folder) as partial_folder:
            train(
                SyntheticTrainingData()(),
                named_settings(RECOGNIZER),
                partial_folder,
                companions=companions,
            )
    return folder


def measure(way: Way, schema: Schema, patients: Sequence[ReplayedPatient]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "p"
        prepared(root, schema, patients, way)
        results = [simulated(each, root, way) for each in patients]
    right, wrong, phi = (
        sum(column) for column in zip(*(each.shown for each in results), strict=True)
    )
    print(f"{way.name}: precision {right / max(1, right + wrong):.3f}, recall {right / phi:.3f}")
    for number, name in enumerate(("one by one", "by screen")):
        show(name, [each.ways[number] for each in results], phi)


def show(name: str, done: Sequence[Suggested], phi: int) -> None:
    cost = total([each.cost for each in done])
    unread = sum((each.unread for each in done), MatchCounts())
    parts = sum((each.parts for each in done), Counter[str]())
    by_part = ", ".join(f"{part} {count / phi:.2f}" for part, count in parts.most_common())
    print(
        f"  {name:12}{cost.actions / phi:8.2f}{cost.keys / phi:8.2f}{cost.clicks / phi:8.2f}"
        f"{cost.drags / phi:8.2f}{cost.seconds / phi:8.2f}   {by_part}",
        flush=True,
    )
    if unread.fp + unread.tp:
        print(f"{'':14}unread: wrong {1 - unread.precision:.3f}, F1 {unread_f1(unread, phi):.3f}")


def unread_f1(unread: MatchCounts, phi: int) -> float:
    """F1 where what is wrong was accepted, and all else made right."""
    return MatchCounts(phi - unread.fn, unread.fp, unread.fn).f1


def ways(others: Sequence[ReplayedPatient], pretrained: Path | None) -> Iterator[Way]:
    yield Way("without suggestions", Policy.OFF)
    yield Way("rules only", Policy.RULES)
    if pretrained:
        yield Way("rules and fabricated patients", Policy.ON, (), pretrained)
    for count in LEARNT:
        learnt = others[:count]
        beside = " and fabricated" if pretrained else ""
        name = f"rules, {count} patient{'s' * (count > 1)}{beside}"
        yield Way(name, Policy.ON, learnt, pretrained)


def fabricated(count: int, seed: int) -> list[ReplayedPatient]:
    return [
        [Example(each, one.gold[each.record_id].tags) for each in one.patient.documents]
        for one in fabricate(count, seed, templates="held-out")
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("records", nargs="?", type=Path)
    parser.add_argument("--model", type=Path)
    parser.add_argument("--seed", type=int, default=7)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if arguments.records is None:
            pretrained, schema = practice(arguments.model or Path(folder)), I2B2_2014
            patients = fabricated(PATIENTS, arguments.seed)
            others = fabricated(max(LEARNT), arguments.seed + 4)
        else:
            pretrained = None
            read = examples_of([arguments.records])
            schema = schema_of(tag for each in read for tag in each.tags)
            drawn = Random(arguments.seed).sample(read, FROM_FOLDER + max(LEARNT))
            patients = [[each] for each in drawn[:FROM_FOLDER]]
            others = [[each] for each in drawn[FROM_FOLDER:]]
        phi = sum(len(each.tags) for patient in patients for each in patient)
        print(f"{phi} PHI of {len(patients)} patients; per PHI: actions, keys, clicks, drags, s")
        for way in ways(others, pretrained):
            measure(way, schema, patients)


if __name__ == "__main__":
    main()
