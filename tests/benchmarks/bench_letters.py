"""How far what is learnt of fabricated letters carries over to letters in another hand.

    python tests/benchmarks/bench_letters.py [--language de] [--patients 60] [--recognizer token]

Strict F1 of the rules alone, and of a recognizer trained on each set of templates, on patients of
every set: sets have no sentence and no list in common. With `--types` also by type.
"""

import argparse
import sys
import time
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parents[2]))

from shared.commands.output import print_table
from shared.commands.recognizer_options import SCORES, score_rows
from shared.model.i2b2_2014 import I2B2_2014
from shared.recognition.evaluation import above, counts_row, strict_scores
from shared.recognition.model_folder import load_model, new_model_folder
from shared.recognition.recognizer import Example, Recognizer
from shared.recognition.rules import ShippedRules
from shared.recognition.training.train import train
from shared.recognition.training_settings import SETTINGS
from shared.synthetic.letters import fabricate_letters
from shared.synthetic.letters.sources import letter_sets


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--language", default="de")
    parser.add_argument("--patients", type=int, default=60)
    parser.add_argument("--recognizer", default="token", choices=SETTINGS)
    parser.add_argument("--types", nargs=2, metavar=("TRAIN", "TEST"), help="e.g. first second")
    parser.add_argument("--rules-only", action="store_true")
    parser.add_argument("--locales")
    arguments = parser.parse_args()
    settings = SETTINGS[arguments.recognizer]
    if arguments.locales:
        from dataclasses import replace
        settings=replace(settings, crfs=tuple(replace(c, features=replace(c.features, locales=tuple(arguments.locales.split(",")))) for c in settings.crfs))
    sets = letter_sets(arguments.language)
    of_set = {
        name: [examples(arguments.language, arguments.patients, seed, name) for seed in (1, 2)]
        for name in sets
    }
    learnt = [(name,) for name in sets] + ([sets[:2]] if len(sets) > 2 else [])
    rows = [("rules", "", *scored(ShippedRules(I2B2_2014), of_set, 0.5))]
    for names in () if arguments.rules_only else learnt:
        started = time.process_time()
        training = list(chain.from_iterable(of_set[name][0] for name in names))
        with TemporaryDirectory() as folder:
            target = Path(folder) / "model"
            with new_model_folder(target) as partial:
                train(training, settings, partial)
            model = load_model(target)
        taken = time.process_time() - started
        rows.append((" + ".join(names), f"{taken:.0f}", *scored(model, of_set, 0.5)))
        if arguments.types and tuple(arguments.types[0].split("+")) == names:
            by_type(model, of_set[arguments.types[1]][1])
    if arguments.types and arguments.types[0] == "rules":
        by_type(ShippedRules(I2B2_2014), of_set[arguments.types[1]][1])
    print_table(rows, ("trained on", "CPU s", *sets))


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
