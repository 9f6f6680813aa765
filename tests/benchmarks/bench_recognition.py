"""How good, how fast and how large the recognizers are.

Run it as a program, on folders of i2b2 XML that you have:

    python tests/benchmarks/bench_recognition.py speed MODEL RECORDS      docs/s and where time goes
    python tests/benchmarks/bench_recognition.py curve TRAIN TEST         learning curve
    python tests/benchmarks/bench_recognition.py retrain RECORDS          as in the window
    python tests/benchmarks/bench_recognition.py fabricated               English, unseen templates
    python tests/benchmarks/bench_recognition.py networks TRAIN           gain by networks

`speed` takes apart features, scores, forward-backward, Viterbi and the rest on one core, and prints
the ratio to Viterbi alone on ready scores; `tandem evaluate` prints quality, `tandem reproduce` the
tables of papers. Nothing is written but models in a temporary folder. What `speed` does not need is
imported later, for its processes import this module too.
"""

import argparse
import resource
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2]))

from shared.commands.output import print_table
from shared.commands.recognizer_options import SCORES, score_rows
from shared.commands.records import examples_of
from shared.formats.schema_auto import schema_of
from shared.recognition import crf_recognizer
from shared.recognition.crf import crfs, forward_backward, scorer
from shared.recognition.ensemble_weights import CompanionRecognizers
from shared.recognition.evaluation import above, calibration, counts_row, coverage, strict_scores
from shared.recognition.features import Extractor, tokenized_document
from shared.recognition.model_folder import load_model, new_model_folder
from shared.recognition.neural import network
from shared.recognition.parallel import suggest_in_parallel
from shared.recognition.recognizer import Example
from shared.recognition.registry import RULES, RecognizerSpec
from shared.recognition.training.background import CompanionSpec
from shared.recognition.training.train import train
from shared.recognition.training_settings import SETTINGS, RecognizerSettings, settings_for

if TYPE_CHECKING:
    from shared.recognition.training.cross_validation import HeldoutPatient

SIZES = (10, 25, 50, 100, 250, 500)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=("speed", "curve", "retrain", "networks", "fabricated"))
    parser.add_argument("paths", nargs="*", type=Path)
    parser.add_argument("--recognizer", choices=SETTINGS)
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)))
    parser.add_argument("--patients", type=int)
    parser.add_argument("--templates", default="practice", choices=("practice", "standard"))
    parser.add_argument("--folds", type=int)
    parser.add_argument("--cores", type=int, default=2)
    arguments = parser.parse_args()
    if arguments.what == "speed":
        speed(*arguments.paths)
    elif arguments.what == "curve":
        sizes = [int(size) for size in arguments.sizes.split(",")]
        curve(*arguments.paths, arguments.recognizer, sizes)
    elif arguments.what == "retrain":
        retrain(arguments.paths[0])
    elif arguments.what == "networks":
        networks(arguments)
    else:
        fabricated(arguments)


def trained(
    examples: Sequence[Example],
    settings: RecognizerSettings,
    cores: int = 1,
    companions: CompanionRecognizers | None = None,
) -> crf_recognizer.CrfRecognizer:
    """Train into a folder that is gone afterwards."""
    with TemporaryDirectory() as folder:
        target = Path(folder) / "model"
        with new_model_folder(target) as partial:
            train(examples, settings, partial, cores=cores, companions=companions)
        return load_model(target)


def speed(folder: Path, records: Path) -> None:
    """Documents a second on one core and on all, where the time goes, and peak memory."""
    documents = [example.document for example in examples_of([records])]
    started = time.perf_counter()
    count = sum(
        len(found) for _, found in suggest_in_parallel(RecognizerSpec((str(folder),)), documents)
    )
    seconds = time.perf_counter() - started
    load_model(folder).suggest(documents)  # what is read once for all is there
    spent: dict[str, float] = {}
    with (
        timed(spent, "features", Extractor, "places"),
        timed(spent, "tokens", tokenized_document, "tokenized"),
        timed(spent, "scores", scorer.Scorer, "scores"),
        timed(spent, "networks", network.NetworkScorer, "scores"),
        timed(spent, "forward-backward", crfs, "lattice"),
        timed(spent, "viterbi", crfs, "probable_path"),
        timed(spent, "all", crf_recognizer.CrfRecognizer, "suggest"),
    ):
        load_model(folder).suggest(documents)
    loaded = load_model(folder)
    parts = [name for name in spent if name != "all"]
    spent["candidates, confidence model, rest"] = spent["all"] - sum(spent[name] for name in parts)
    ready = viterbi_alone(loaded, [document.text for document in documents])
    rows = [
        (name, f"{taken:.2f}", f"{taken / spent['all']:.0%}", f"{taken / ready:.1f}")
        for name, taken in spent.items()
    ]
    print(f"{len(documents)} documents, {count} suggestions")
    print(f"all cores, with start of processes: {len(documents) / seconds:.0f} documents/s")
    print(f"one core: {len(documents) / spent['all']:.0f} documents/s (CPU)")
    print_table(rows, ("part", "CPU s", "share", "ratio to Viterbi on ready scores"))
    peaks = [resource.getrusage(who).ru_maxrss // 1024 for who in (0, resource.RUSAGE_CHILDREN)]
    print(f"peak memory: {peaks[0]} MB here, {peaks[1]} MB in the largest process")


@contextmanager
def timed(spent: dict[str, float], name: str, owner: object, attribute: str):
    """Count the CPU seconds that a function takes."""
    function: Callable = getattr(owner, attribute)

    def measured(*args, **kwargs):
        started = time.process_time()
        try:
            return function(*args, **kwargs)
        finally:
            spent[name] = spent.get(name, 0.0) + time.process_time() - started

    setattr(owner, attribute, measured)
    try:
        yield
    finally:
        setattr(owner, attribute, function)


def viterbi_alone(loaded: crf_recognizer.CrfRecognizer, texts: Sequence[str]) -> float:
    """CPU seconds of exact Viterbi by every CRF, scores being there."""
    taken = 0.0
    scorers = [
        (part, scorer_of, own) for part in loaded.crfs._parts for scorer_of, own in part.scorers
    ]
    for part, scorer_of, own in scorers:
        for first in range(0, len(texts), 16):
            read = [
                tokenized_document.TokenizedDocument(text) for text in texts[first : first + 16]
            ]
            units = [part.units_of(each) for each in read]
            attributes = list(map(part.attributes_of, read))
            starts = np.cumsum([0, *(len(each[0]) for each in units)])
            sequences = [
                (int(start) + a, int(start) + b)
                for start, (_, _, parts) in zip(starts, units, strict=False)
                for a, b in parts
            ]
            for at, scores in zip(own, scorer_of.scores(read, attributes, units), strict=True):
                transitions = loaded.crfs._crfs[at].transitions
                started = time.process_time()
                forward_backward.best_path(scores, transitions, sequences)
                taken += time.process_time() - started
    return taken


def curve(training: Path, testing: Path, recognizer: str | None, sizes: Sequence[int]) -> None:
    """Strict scores after few and many documents, drawn at random; as in the window by default."""
    examples, test = examples_of([training]), examples_of([testing])
    rows = []
    for size in sizes:
        settings = SETTINGS[recognizer] if recognizer else settings_for(size)
        for seed in (1, 2, 3)[: 3 if size <= 50 else 1]:
            drawn = Random(seed).sample(examples, min(size, len(examples)))
            started = time.process_time()
            model = trained(drawn, replace(settings, seed=seed))
            taken = time.process_time() - started
            rows.append((size, seed, f"{taken:.1f}", *quality(model, test)))
            print(*rows[-1], file=sys.stderr)
    print_table(rows, ("documents", "seed", "training CPU s", *QUALITY))


def networks(arguments: argparse.Namespace) -> None:
    """Strict F1 in cross-validation with networks and without, on the same CRFs and folds."""
    from shared.recognition.model_card import THRESHOLD
    from shared.recognition.training import cross_validation
    from shared.recognition.training import train as training

    examples = examples_of(arguments.paths)
    whole = SETTINGS[arguments.recognizer or "neural"]
    whole = replace(whole, folds=arguments.folds or whole.folds)
    rows = []
    for size in map(int, arguments.sizes.split(",")):
        drawn = training._ordered(Random(1).sample(examples, min(size, len(examples))))
        fold_of = cross_validation.folds_of_patients(drawn, whole.folds, whole.seed)
        with TemporaryDirectory() as folder:
            jobs = training._fold_jobs(fold_of, whole, Path(folder))
            training._run(jobs, drawn, fold_of, arguments.cores, print)
            spent = sum(resource.getrusage(who).ru_utime for who in (0, resource.RUSAGE_CHILDREN))
            print(f"trained, {spent:.0f} CPU s")
            heldout = [
                training._heldout(drawn, fold_of, settings, Path(folder))
                for settings in (replace(whole, networks=()), whole)
            ]
        pairs = [
            cross_validation.chosen_and_right(
                cross_validation.cross_validated_confidences(each, whole.seed), THRESHOLD
            )
            for each in heldout
        ]
        for number, crf in enumerate(whole.members):
            alone = sum(_counts_of_one(each, number) for each in heldout[1])
            print(f"{crf.name} alone: F1 {_f1(alone):.4f}")
        counts = [
            np.array([(len(found & gold), len(found), len(gold)) for found, gold in each])
            for each in pairs
        ]
        samples = np.random.default_rng(1).integers(0, len(counts[0]), (4000, len(counts[0])))
        gains = np.subtract(*(_f1(each[samples].sum(axis=1)) for each in counts[::-1]))
        without, having = (float(_f1(each.sum(axis=0))) for each in counts)
        low, high = np.quantile(gains, [0.025, 0.975])
        rows.append((size, f"{without:.4f}", f"{having:.4f}", f"{low:+.4f} to {high:+.4f}"))
        print(*rows[-1], file=sys.stderr)
    print_table(rows, ("documents", "F1 without", "F1 with networks", "gain, 95 %"))


def _counts_of_one(patient: "HeldoutPatient", crf: int) -> np.ndarray:
    """What is right, suggested and gold by the best path of one CRF."""
    counts = np.zeros(3, int)
    for part, gold in zip(patient.judged.parts, patient.judged.gold, strict=True):
        found = {each.place for each in part.found if each.best_of >> crf & 1}
        counts += len(found & gold), len(found), len(gold)
    return counts


def _f1(counts: np.ndarray) -> np.ndarray:
    """Of right, suggested and gold along the last axis."""
    return 2 * counts[..., 0] / (counts[..., 1] + counts[..., 2])


def retrain(records: Path) -> None:
    """CPU seconds of a retraining as in the window, where the rules beside a model are judged."""
    examples = examples_of([records])
    schema = schema_of(tag for each in examples for tag in each.tags)
    rows = []
    for size in (10, 25, 50, 100):
        settings = settings_for(size)
        started = time.process_time()
        companions = CompanionSpec(RecognizerSpec((RULES,), schema)).opened()
        trained(
            Random(1).sample(examples, min(size, len(examples))), settings, companions=companions
        )
        rows.append((size, settings.name, f"{time.process_time() - started:.1f}"))
    print_table(rows, ("documents", "recognizer", "CPU s"))


QUALITY = ("precision", "recall", "F1", "ECE", "uncovered", "token precision")


def quality(model: crf_recognizer.CrfRecognizer, test: Sequence[Example]) -> tuple[str, ...]:
    found = above(model.suggest([each.document for each in test]), model.card.threshold)
    tally = strict_scores(test, found)["all"]
    covered = coverage(test, found)
    figures = (
        tally.precision,
        tally.recall,
        tally.f1,
        calibration(test, found).error,
        covered.uncovered,
        covered.token_precision,
    )
    return tuple(f"{figure:.4f}" for figure in figures)


def fabricated(arguments: argparse.Namespace) -> None:
    """Fabricated English records: unseen patients, of templates seen in training and of others."""
    from annotator.pretraining import PATIENTS, RECOGNIZER, SyntheticTrainingData

    settings = SETTINGS[arguments.recognizer or RECOGNIZER]
    patients = arguments.patients or PATIENTS
    started = time.process_time()
    model = trained(
        SyntheticTrainingData(patients, 1, arguments.templates)(), settings, arguments.cores
    )
    if arguments.cores == 1:
        print(f"training: {time.process_time() - started:.0f} CPU s")
    tests = {name: SyntheticTrainingData(40, 2, name)() for name in ("standard", "held-out")}
    rows = [(name, *quality(model, test)) for name, test in tests.items()]
    print_table(rows, ("templates", *QUALITY))
    test = tests["held-out"]
    found = above(model.suggest([each.document for each in test]), model.card.threshold)
    by_type = {name: counts_row(tally) for name, tally in strict_scores(test, found).items()}
    print_table(score_rows(by_type), SCORES)


if __name__ == "__main__":
    main()
