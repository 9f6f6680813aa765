"""How many actions a PHI takes with suggestions, and how long by the keystroke-level model.

Run it as a program: `python tests/benchmarks/bench_suggestions.py`. As in `bench_actions.py` a
simulated annotator brings fabricated patients to their exact gold standard and counts what a
person would have pressed, clicked and dragged; here F8 goes to the first suggestion, and Enter,
Shift+Enter, X and Shift+X to the next. What is not suggested is marked as without suggestions,
with annotate all. Suggestions come from the rules alone, or from the rules and a model that learnt
from 0, 3 or 10 other patients (0: the model of fabricated patients that serves an empty project,
kept in the folder given, if one is, as it takes minutes to train); the held-out templates share no
sentence that carries PHI with those learnt from.
"""

import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench_actions import Annotator, Cost, total, wanted_of

from annotator.practice import RECOGNIZER, Fabricated, practice_folder
from annotator.recognizing import Found, Recognizers, project_rules, shipped_rules
from annotator.rejections import PlacedSuggestion
from annotator.session import AnnotationSession
from annotator.suggestions import Walk
from shared.formats.record_folder import FolderRecord
from shared.model.i2b2_2014 import I2B2_2014
from shared.project.project import Project
from shared.project.suggestion_policy import Policy
from shared.recognition.example import Example
from shared.recognition.model_folder import new_model_folder
from shared.recognition.registry import open_recognizer
from shared.recognition.settings import named_settings, settings_for
from shared.recognition.training import train
from shared.synthetic import FabricatedPatient, fabricate

PATIENTS = 6
LEARNT = (0, 3, 10)


class Suggested(Annotator):
    """Walks the suggestions first, then marks what is left."""

    def walk(self) -> None:
        review, wanted = self.session.review, self.wanted_set
        at = review.following(Walk.BY_PLACE, 0)
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
            at = review.following(Walk.BY_PLACE, 0, at)

    def work(self) -> None:
        self.walk()
        self.annotate_all()


def simulated(
    patient: FabricatedPatient, root: Path, policy: Policy, practised: Path
) -> tuple[Cost, list[int]]:
    """What it took, and of the suggestions shown how many are right, wrong, and of how many PHI."""
    project = Project.open(root)
    with AnnotationSession(project, "ana", patient.patient.id) as session:
        annotator = Suggested(session, wanted_of(patient, session))
        *_, last = [[], *(each.suggestions for each in found(project, session, policy, practised))]
        session.review.fill(last)
        shown = quality(session.review.shown, annotator)
        annotator.work()
        assert annotator.reached(), "the gold standard was not reached"
        return annotator.cost, shown


def found(
    project: Project, session: AnnotationSession, policy: Policy, practised: Path
) -> Iterator[Found]:
    return Recognizers(project, "ana", practised).suggest(session.view, policy)


def quality(shown: Sequence[PlacedSuggestion], annotator: Annotator) -> list[int]:
    right = sum((each.span, each.phi_type) in annotator.wanted_set for each in shown)
    return [right, len(shown) - right, len(annotator.wanted)]


def prepared(
    root: Path, patients: list[FabricatedPatient], others: list[FabricatedPatient]
) -> None:
    records = [FolderRecord(each) for patient in patients for each in patient.patient.documents]
    project = Project.create(root, "bench", I2B2_2014, records, ["ana", "ben"], 1)
    if others:
        examples = [
            Example(document, patient.gold[document.record_id].tags)
            for patient in others
            for document in patient.patient.documents
        ]
        (root / "models").mkdir()
        with new_model_folder(root / "models" / "ana") as folder:
            rules = open_recognizer(project_rules(project))
            train(examples, settings_for(len(examples)), folder, rules=rules)


def practice(cache: Path) -> Path:
    """The model of fabricated patients, trained where it is not there yet."""
    folder = practice_folder(cache)
    if not folder.exists():
        folder.parent.mkdir(parents=True, exist_ok=True)
        rules = open_recognizer(shipped_rules(I2B2_2014))
        with new_model_folder(folder) as partial:
            train(Fabricated()(), named_settings(RECOGNIZER), partial, rules=rules)
    return folder


def measure(
    name: str, patients: list[FabricatedPatient], learnt: int, policy: Policy, practised: Path
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "p"
        prepared(root, patients, list(fabricate(learnt, 11)) if learnt else [])
        results = [simulated(each, root, policy, practised) for each in patients]
    cost = total([each for each, _ in results])
    right, wrong, phi = (sum(column) for column in zip(*(each for _, each in results), strict=True))
    print(
        f"{name:34}{cost.actions / phi:9.2f}{cost.keys / phi:8.2f}{cost.clicks / phi:8.2f}"
        f"{cost.drags / phi:8.2f}{cost.seconds / phi:9.2f}"
        f"{right / max(1, right + wrong):11.2f}{right / phi:8.2f}"
    )


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        compare(practice(Path(sys.argv[1] if sys.argv[1:] else folder)))


def compare(practised: Path) -> None:
    ways = [("without suggestions", 0, Policy.OFF), ("rules only", 0, Policy.RULES)]
    ways += [(f"rules, model of {each} patients", each, Policy.ON) for each in LEARNT]
    for kind in ("standard", "held-out"):
        patients = list(fabricate(PATIENTS, 7, templates=kind))
        count = sum(len(layer.tags) for each in patients for layer in each.gold.values())
        print(f"{count} PHI of {PATIENTS} patients, {kind} templates; per PHI")
        print(f"{'':34}{'actions':>9}{'keys':>8}{'clicks':>8}{'drags':>8}{'seconds':>9}", end="")
        print(f"{'precision':>11}{'recall':>8}")
        for name, learnt, policy in ways:
            measure(name, patients, learnt, policy, practised)


if __name__ == "__main__":
    main()
