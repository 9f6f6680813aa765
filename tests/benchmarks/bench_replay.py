"""Whether suggestions get better with every patient that an annotator finishes.

Run it as a program: `python tests/benchmarks/bench_replay.py [--model FOLDER] [RECORDS]`.
Fabricated patients of held-out templates, or those of a folder of records, are annotated one after
the other with their gold standard. Before each patient those suggestions are counted that the
window would show: of the rules, of the model of fabricated patients (which is kept in FOLDER, and
is trained small where it is missing), and of a model of the patients finished by then, each as sure
as it has proved to be. Recall and precision are strict, at the threshold that the slider begins
with.

There are five orders, each the last one moved on by a fifth of the patients. So a stretch of a
fifth of the places holds every patient exactly once over all orders, and the figures of two such
stretches differ by what was learnt, not by how hard patients are. The largest fall from one
stretch to the next is printed, and what the rules alone, or with fabricated patients, make of the
same. Training is that of the window with fewer iterations, after the patients of `LEARNT_AFTER`.
"""

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, pairwise
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parents[2]))

from annotator.pretraining import FIRST, RECOGNIZER, SyntheticTrainingData
from annotator.recognizers import AFTER_MODELS, AFTER_RULES, after_passes, shipped_rules
from annotator.suggestions import USUAL_THRESHOLD
from shared.commands.records import examples_of
from shared.formats.schema_auto import schema_of
from shared.metrics.counts import MatchCounts
from shared.model import Document, Schema
from shared.model.i2b2_2014 import I2B2_2014
from shared.recognition.dictionaries import LOCALES
from shared.recognition.ensemble_weights import CompanionRecognizers, EnsembleWeights, Predictions
from shared.recognition.evaluation import ALL, above, strict_scores
from shared.recognition.model_folder import load_model, new_model_folder, read_ensemble_weights
from shared.recognition.recognizer import Example, Recognizer, Suggestion
from shared.recognition.registry import open_recognizer
from shared.recognition.rules import found_elsewhere
from shared.recognition.training.background import CompanionSpec
from shared.recognition.training.train import train
from shared.recognition.training_settings import RecognizerSettings, named_settings, settings_for
from shared.synthetic import fabricate

FABRICATED, RECORDS_EACH, FROM_FOLDER, SEED = 20, 2, 30, 31
ORDERS = 5
LEARNT_AFTER = (1, 2, 3, 4, 6, 9, 13, 18, 24)
ITERATIONS = 20

ReplayedPatient = Sequence[Example]
BEFORE = EnsembleWeights()
"""The weights before any patient is finished."""


@dataclass(frozen=True, slots=True)
class CachedRecognizer:
    """A recognizer that reads no record twice; it is given whole patients."""

    recognizer: Recognizer
    found: dict[str, Sequence[Suggestion]]

    @property
    def name(self) -> str:
        return self.recognizer.name

    def suggest(self, documents: Sequence[Document]) -> list[tuple[Suggestion, ...]]:
        new = [each for each in documents if each.record_id not in self.found]
        for document, found in zip(new, self.recognizer.suggest(new), strict=True):
            self.found[document.record_id] = found
        return [tuple(self.found[each.record_id]) for each in documents]


@dataclass(frozen=True, slots=True)
class Replay:
    """Patients annotated in turn, with recognizers that suggest from the beginning."""

    schema: Schema
    companions: CompanionRecognizers

    def measure(self, name: str, patients: Sequence[ReplayedPatient]) -> None:
        """Print how recall and precision grow."""
        started, stretch = time.process_time(), len(patients) // ORDERS
        moved = [number * stretch for number in range(ORDERS)]
        by_order = [list(self.replayed([*patients[at:], *patients[:at]])) for at in moved]
        by_place = [sum(counts, MatchCounts()) for counts in zip(*by_order, strict=True)]
        rows = [by_place[at : at + stretch] for at in range(len(by_place) - stretch + 1)]
        totals = [sum(row, MatchCounts()) for row in rows]
        print(f"{name}: {len(patients)} patients, {ORDERS} orders; recall, precision, F1")
        rules = replace(self, companions=CompanionRecognizers(self.companions.rules))
        for who, replay in (("rules alone", rules), ("and fabricated", self)):
            print_row(who, sum((replay.shown(each) for each in patients), MatchCounts()))
        for at, total in enumerate(totals):
            print_row(f"after {at} to {at + stretch - 1}", total)
        for what in ("recall", "precision"):
            steps = pairwise(getattr(each, what) for each in totals)
            print(f"largest fall of {what}: {max(0.0, *(one - two for one, two in steps)):.4f}")
        print(f"{time.process_time() - started:.0f} s of one core", flush=True)

    def replayed(self, order: Sequence[ReplayedPatient]) -> Iterator[MatchCounts]:
        """Yield what is shown of each patient in turn, learning from those before."""
        learnt: Recognizer | None = None
        ensemble = EnsembleWeights()
        for number, patient in enumerate(order):
            if number in LEARNT_AFTER:
                learnt, ensemble = self.after_training(list(chain(*order[:number])))
            yield self.shown(patient, ensemble, learnt)

    def after_training(self, examples: Sequence[Example]) -> tuple[Recognizer, EnsembleWeights]:
        """A model of the examples, and what was found out of all that suggest beside it."""
        settings = fewer_iterations(len(examples))
        with TemporaryDirectory() as folder:
            target = Path(folder) / "model"
            with new_model_folder(target) as partial:
                train(examples, settings, partial, companions=self.companions)
            return load_model(target, self.schema), read_ensemble_weights(target)

    def shown(
        self,
        patient: ReplayedPatient,
        ensemble: EnsembleWeights = BEFORE,
        learnt: Recognizer | None = None,
    ) -> MatchCounts:
        """Count what is shown of a patient."""
        documents = [each.document for each in patient]
        models = (self.companions.pretrained, learnt)
        asked = [each.suggest(documents) if each else None for each in models]
        found = ensemble.combine(Predictions(self.companions.rules.suggest(documents), *asked))
        passes = AFTER_MODELS if any(models) else AFTER_RULES
        whole = after_passes(documents, found, self.schema, LOCALES, passes)
        whole = whole if any(models) else found_elsewhere(documents, whole, self.schema)
        return strict_scores(patient, above(whole, USUAL_THRESHOLD))[ALL]


def fewer_iterations(records: int) -> RecognizerSettings:
    settings = settings_for(records)
    crfs = tuple(replace(each, iterations=ITERATIONS) for each in settings.crfs)
    return replace(settings, crfs=crfs)


def print_row(name: str, total: MatchCounts) -> None:
    figures = (total.recall, total.precision, total.f1)
    print(f"{name:16}", *(f"{each:8.4f}" for each in figures), flush=True)


def fabricated_patients() -> list[ReplayedPatient]:
    return [
        [Example(each, one.gold[each.record_id].tags) for each in one.patient.documents]
        for one in fabricate(
            FABRICATED, SEED, records=RECORDS_EACH * FABRICATED, templates="held-out"
        )
    ]


def practised(folder: Path) -> Recognizer:
    """The model of fabricated patients, trained where it is missing, on as many as come first."""
    rules = shipped_rules(I2B2_2014)
    if not folder.exists():
        with new_model_folder(folder) as partial:
            examples, settings = SyntheticTrainingData(FIRST)(), named_settings(RECOGNIZER)
            train(examples, settings, partial, companions=CompanionSpec(rules).opened())
    return open_recognizer(replace(rules, names=(str(folder),)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("records", nargs="?", type=Path)
    parser.add_argument("--model", type=Path)
    arguments = parser.parse_args()
    if arguments.records is None:
        with TemporaryDirectory() as folder:
            model = practised(arguments.model or Path(folder) / "model")
            rules = CachedRecognizer(open_recognizer(shipped_rules(I2B2_2014)), {})
            companions = CompanionRecognizers(rules, CachedRecognizer(model, {}), "fabricated")
            Replay(I2B2_2014, companions).measure("fabricated", fabricated_patients())
    else:
        examples = Random(SEED).sample(examples_of([arguments.records]), FROM_FOLDER)
        schema = schema_of(tag for each in examples for tag in each.tags)
        rules = CachedRecognizer(open_recognizer(shipped_rules(schema)), {})
        patients = [[each] for each in examples]
        Replay(schema, CompanionRecognizers(rules)).measure(arguments.records.name, patients)


if __name__ == "__main__":
    main()
