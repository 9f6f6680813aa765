"""How far what is learnt of fabricated letters carries over to letters in another hand.

    python tests/benchmarks/bench_letters.py [--language de] [--patients 60] [--recognizer token]

Strict F1 of the rules alone, and of a recognizer trained on the sets to learn from, one by one and
together, on patients of every set: sets have no sentence and no list in common. With `--types` also
by type. With `--halves` a recognizer is trained on half the letters of each set and reads the rest.
"""

import argparse
import sys
import time
from collections import defaultdict
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parents[2]))

from annotator.recognizers import after_passes
from shared.commands.output import print_table
from shared.commands.recognizer_options import SCORES, score_rows
from shared.model import Document
from shared.model.i2b2_2014 import I2B2_2014
from shared.recognition.dictionaries import LOCALES
from shared.recognition.ensemble_weights import EnsembleWeights, Predictions
from shared.recognition.evaluation import above, counts_row, strict_scores
from shared.recognition.model_folder import load_model, new_model_folder
from shared.recognition.recognizer import Example, Recognizer, Suggestion
from shared.recognition.rules import ShippedRules
from shared.recognition.training.train import train
from shared.recognition.training_settings import SETTINGS, RecognizerSettings
from shared.synthetic.letters import fabricate_letters, sets_to_learn
from shared.synthetic.letters.sources import letter_sets


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--language", default="de")
    parser.add_argument("--patients", type=int, default=60)
    parser.add_argument("--recognizer", default="token", choices=SETTINGS)
    parser.add_argument("--types", nargs=2, metavar=("TRAIN", "TEST"), help="e.g. first second")
    parser.add_argument("--rules-only", action="store_true")
    parser.add_argument("--halves", action="store_true", help="learn from half of each set")
    arguments = parser.parse_args()
    if arguments.halves:
        halves(arguments.language, arguments.patients, arguments.recognizer)
        return
    settings = SETTINGS[arguments.recognizer]
    sets = letter_sets(arguments.language)
    of_set = {
        name: [examples(arguments.language, arguments.patients, seed, name) for seed in (1, 2)]
        for name in sets
    }
    to_learn = sets_to_learn(arguments.language)
    learnt = [*((name,) for name in to_learn), to_learn]
    rules = ShippedRules(I2B2_2014)
    rows = [("rules", "", *scored(rules, of_set, 0.5))]
    for names in () if arguments.rules_only else learnt:
        started = time.process_time()
        training = list(chain.from_iterable(of_set[name][0] for name in names))
        model = trained(training, settings)
        taken = time.process_time() - started
        rows.append((" + ".join(names), f"{taken:.0f}", *scored(model, of_set, 0.5)))
        both = WithRules(rules, model)
        rows.append((" + ".join((*names, "rules")), "", *scored(both, of_set, 0.5)))
        if arguments.types and tuple(arguments.types[0].split("+")) == names:
            by_type(both, of_set[arguments.types[1]][1])
    if arguments.types and arguments.types[0] == "rules":
        by_type(ShippedRules(I2B2_2014), of_set[arguments.types[1]][1])
    print_table(rows, ("trained on", "CPU s", *sets))


def trained(training: Sequence[Example], settings: RecognizerSettings) -> Recognizer:
    with TemporaryDirectory() as folder:
        target = Path(folder) / "model"
        with new_model_folder(target) as partial:
            train(training, settings, partial)
        return load_model(target)


def halves(code: str, patients: int, recognizer: str) -> None:
    """Strict F1 on half the letters of each set: of rules, of the other half, and of both."""
    rules = ShippedRules(I2B2_2014)
    rows: list[tuple[str, ...]] = []
    for name in letter_sets(code):
        every = examples(code, patients, 7, name)
        Random(1).shuffle(every)
        half = len(every) // 2
        model = trained(every[:half], SETTINGS[recognizer])
        tried: tuple[Recognizer, ...] = (rules, model, WithRules(rules, model))
        test = {name: [[], every[half:]]}
        rows.append((name, str(half), *(scored(each, test, 0.5)[0] for each in tried)))
    print_table(rows, ("set", "letters learnt", "rules", "model", "both"))


class WithRules:
    """Rules and a model together, as the annotation window has them before anything is finished."""

    name = "both"

    def __init__(self, rules: Recognizer, model: Recognizer) -> None:
        self._rules, self._model = rules, model

    def suggest(self, documents: Sequence[Document]) -> list[tuple[Suggestion, ...]]:
        found = EnsembleWeights().combine(
            Predictions(self._rules.suggest(documents), self._model.suggest(documents))
        )
        own = defaultdict(list)
        for at, each in enumerate(documents):
            own[each.patient_id].append(at)
        for places in own.values():
            whole = after_passes(
                [documents[at] for at in places], [found[at] for at in places], I2B2_2014, LOCALES
            )
            for at, each in zip(places, whole, strict=True):
                found[at] = tuple(each)
        return found


def examples(code: str, patients: int, seed: int, name: str) -> list[Example]:
    return [
        Example(document, each.gold[document.record_id].tags)
        for each in fabricate_letters(code, patients, seed, letters=name)
        for document in each.patient.documents
    ]


def scored(
    recognizer: Recognizer, of_set: dict[str, list[list[Example]]], threshold: float
) -> Sequence[str]:
    """Strict F1 on the second patients of each set."""
    figures = []
    for _, test in of_set.values():
        found = above(recognizer.suggest([each.document for each in test]), threshold)
        figures.append(f"{strict_scores(test, found)['all'].f1:.4f}")
    return figures


def by_type(recognizer: Recognizer, test: Sequence[Example]) -> None:
    found = above(recognizer.suggest([each.document for each in test]), 0.5)
    scores = {name: counts_row(tally) for name, tally in strict_scores(test, found).items()}
    print_table(score_rows(scores), SCORES)


if __name__ == "__main__":
    main()
