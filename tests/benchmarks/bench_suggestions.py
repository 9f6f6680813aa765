"""How many actions a PHI takes with suggestions, and how long by the keystroke-level model.

Run it as a program: `python tests/benchmarks/bench_suggestions.py`. As in `bench_actions.py` a
simulated annotator brings fabricated patients to their exact gold standard and counts what a
person would have pressed, clicked and dragged; here F8 goes to the first suggestion, and Enter,
Shift+Enter, X and Shift+X to the next. What is not suggested is marked as without suggestions,
with annotate all. Suggestions come from the rules alone, or from the rules and a model that learnt
from 0, 1, 3 or 10 other patients, beside the model of fabricated patients that serves an empty
project (kept in the folder given, if one is, as it takes minutes to train); what was learnt alone
is there for comparison. The held-out templates share no sentence that carries PHI with those that
fabricated patients practise; of patients learnt from, both kinds are tried.
"""

import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench_actions import Annotator, Cost, total, wanted_of

from annotator.pretraining import RECOGNIZER, SyntheticTrainingData, pretrained_folder
from annotator.recognizers import Recognizers, SuggestionBatch, project_rules, shipped_rules
from annotator.rejections import PlacedSuggestion
from annotator.session import AnnotationSession
from annotator.suggestions import SuggestionOrder
from shared.formats.base import Record
from shared.model.i2b2_2014 import I2B2_2014
from shared.project.project import Project
from shared.project.settings import Policy
from shared.recognition.model_folder import new_model_folder
from shared.recognition.recognizer import Example
from shared.recognition.training.background import CompanionSpec
from shared.recognition.training.train import train
from shared.recognition.training_settings import named_settings, settings_for
from shared.synthetic import FabricatedPatient, fabricate
from shared.synthetic.pools import Templates

PATIENTS = 6
LEARNT = (1, 3, 10)


class Suggested(Annotator):
    """Walks the suggestions first, then marks what is left."""

    def walk(self) -> None:
        review, wanted = self.session.review, self.wanted_set
        at = review.following(SuggestionOrder.BY_PLACE, 0)
        self.cost.keys += at is not None  # F8, once
        while at is not None:
            self.cost.keys += 1
            self.cost.thoughts += 1
            alike = review.alike(at)
            right = [(each.span, each.phi_type) in wanted for each in alike]
            if right[alike.index(at)]:
                self.session.accept(alike if all(right) else [at])
            else:
                self.session.reject(at, alike=not any(right))
            at = review.following(SuggestionOrder.BY_PLACE, 0, at)

    def work(self) -> None:
        self.walk()
        self.annotate_all()


def simulated(
    patient: FabricatedPatient, root: Path, policy: Policy, pretrained: Path | None
) -> tuple[Cost, list[int]]:
    """What it took, and of the suggestions shown how many are right, wrong, and of how many PHI."""
    project = Project.open(root)
    with AnnotationSession(project, "ana", patient.patient.id) as session:
        annotator = Suggested(session, wanted_of(patient, session))
        *_, last = [[], *(each.suggestions for each in found(project, session, policy, pretrained))]
        session.review.fill(last)
        shown = quality(session.review.shown, annotator)
        annotator.work()
        assert annotator.reached(), "the gold standard was not reached"
        return annotator.cost, shown


def found(
    project: Project, session: AnnotationSession, policy: Policy, pretrained: Path | None
) -> Iterator[SuggestionBatch]:
    return Recognizers(project, "ana", pretrained).suggest(session.view, policy)


def quality(shown: Sequence[PlacedSuggestion], annotator: Annotator) -> list[int]:
    right = sum((each.span, each.phi_type) in annotator.wanted_set for each in shown)
    return [right, len(shown) - right, len(annotator.wanted)]


def prepared(
    root: Path,
    patients: list[FabricatedPatient],
    others: Sequence[FabricatedPatient],
    pretrained: Path | None,
) -> None:
    records = [Record(each) for patient in patients for each in patient.patient.documents]
    project = Project.create(root, "bench", I2B2_2014, records, ["ana", "ben"], 1)
    if others:
        examples = [
            Example(document, patient.gold[document.record_id].tags)
            for patient in others
            for document in patient.patient.documents
        ]
        (root / "models").mkdir()
        with new_model_folder(root / "models" / "ana") as folder:
            companions = CompanionSpec(project_rules(project), pretrained).opened()
            train(examples, settings_for(len(examples)), folder, companions=companions)


def practice(cache: Path) -> Path:
    """The model of fabricated patients, trained where it is not there yet."""
    folder = pretrained_folder(cache)
    if not folder.exists():
        folder.parent.mkdir(parents=True, exist_ok=True)
        companions = CompanionSpec(shipped_rules(I2B2_2014)).opened()
        with new_model_folder(folder) as partial:
            train(
                SyntheticTrainingData()(),
                named_settings(RECOGNIZER),
                partial,
                companions=companions,
            )
    return folder


@dataclass(frozen=True, slots=True)
class Way:
    """Whose suggestions are shown: a model of so many patients, and of fabricated ones or not."""

    name: str
    policy: Policy
    learnt: Sequence[FabricatedPatient] = ()
    pretrained: Path | None = None


def measure(way: Way, patients: list[FabricatedPatient]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "p"
        prepared(root, patients, way.learnt, way.pretrained)
        results = [simulated(each, root, way.policy, way.pretrained) for each in patients]
    cost = total([each for each, _ in results])
    right, wrong, phi = (sum(column) for column in zip(*(each for _, each in results), strict=True))
    print(
        f"{way.name:34}{cost.actions / phi:9.2f}{cost.keys / phi:8.2f}{cost.clicks / phi:8.2f}"
        f"{cost.drags / phi:8.2f}{cost.seconds / phi:9.2f}"
        f"{right / max(1, right + wrong):11.3f}{right / phi:8.3f}",
        flush=True,
    )


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        pretrained = practice(Path(sys.argv[1] if sys.argv[1:] else folder))
        for learnt, shown in (
            ("standard", "standard"),
            ("standard", "held-out"),
            ("held-out", "held-out"),
        ):
            compare(learnt, shown, pretrained)


def compare(learnt: Templates, shown: Templates, pretrained: Path) -> None:
    patients = list(fabricate(PATIENTS, 7, templates=shown))
    others = list(fabricate(max(LEARNT), 11, templates=learnt))
    ways = [
        Way("without suggestions", Policy.OFF),
        Way("rules only", Policy.RULES),
        Way("rules and fabricated patients", Policy.ON, (), pretrained),
    ]
    for count in LEARNT:
        name, own = f"{count} patient{'s' * (count > 1)}", others[:count]
        ways.append(Way(f"rules, {name}", Policy.ON, own))
        ways.append(Way(f"rules, {name} and fabricated", Policy.ON, own, pretrained))
    count = sum(len(layer.tags) for each in patients for layer in each.gold.values())
    print(f"{count} PHI of {PATIENTS} patients, {shown} templates, {learnt} ones learnt; per PHI")
    print(f"{'':34}{'actions':>9}{'keys':>8}{'clicks':>8}{'drags':>8}{'seconds':>9}", end="")
    print(f"{'precision':>11}{'recall':>8}")
    for way in ways:
        measure(way, patients)


if __name__ == "__main__":
    main()
