"""`tandem train`: a recognizer learns from records with gold tags."""

import argparse
import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from annotator.pretraining import SyntheticTrainingData
from shared.commands.output import add_json, print_table, report
from shared.commands.recognizer_options import SCORES, add_cores, progress_bar, score_rows
from shared.commands.records import examples_of
from shared.errors import RequestError
from shared.project.folders import lock_beside
from shared.recognition.features.sets import FeatureSet, feature_set
from shared.recognition.local_context.features import LOCAL_GROUPS
from shared.recognition.model_card import ModelCard, card_table
from shared.recognition.model_folder import new_model_folder, remove_incomplete
from shared.recognition.neural.trainer import has_pytorch
from shared.recognition.recognizer import Example
from shared.recognition.training.train import Scores, cross_validate, train
from shared.recognition.training_settings import (
    BEST,
    BEST_WITHOUT_NETWORKS,
    SETTINGS,
    RecognizerSettings,
    named_settings,
)
from shared.text.blocks import counted

_DESCRIPTION = """
Trains on records whose tags are right, and writes a model: a folder with a JSON card, the
CRFs in CRFsuite's own format and networks as arrays of numbers, or, of identifinder, stat-deid
and snow, numbers in JSON. A model holds words of the records it was trained on; treat it as PHI.
Cross-validation by patient (--folds) shows how good it is on patients that it does not know, and
its confidence is learned from that.
Where there are no records yet, it trains on fabricated English patients, as many as you ask for
(--fabricated); they are not PHI.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = _DESCRIPTION
    parser.add_argument("records", type=Path, nargs="*", metavar="RECORDS", help="folders")
    parser.add_argument(
        "--fabricated", type=int, metavar="N", help="train on N fabricated patients (too)"
    )
    parser.add_argument("--out", type=Path, required=True, metavar="MODEL", help="a folder")
    parser.add_argument(
        "--recognizer",
        choices=SETTINGS,
        help="what to train (neural where PyTorch is installed, else ensemble; general where all "
        "patients are fabricated)",
    )
    parser.add_argument(
        "--features", metavar="SET", help="name of a feature set, or names of groups with commas"
    )
    parser.add_argument("--folds", type=int, metavar="N", help="cross-validate in N parts")
    parser.add_argument(
        "--ablate", action="store_true", help="also score without each group of features"
    )
    parser.add_argument("--patient", metavar="PATTERN", help="captures the patient in record names")
    add_cores(parser)
    parser.set_defaults(cores=os.cpu_count() or 1)
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    settings = _settings(arguments)
    examples = _examples(arguments)
    if arguments.ablate and len({each.document.patient_id for each in examples}) < 2:
        raise RequestError("--ablate compares by patient; give records of two patients or more")
    with lock_beside(arguments.out, "tandem train"):
        remove_incomplete(arguments.out)  # what a training left behind that was killed
        with new_model_folder(arguments.out) as folder, progress_bar("training") as on_progress:
            card = train(examples, settings, folder, cores=arguments.cores, on_progress=on_progress)
    ablation = _ablation(arguments, settings, examples, card.scores) if arguments.ablate else []
    report(
        {"card": card_table(card), "ablation": ablation},
        arguments,
        lambda: _print(arguments, settings, card, ablation),
    )
    return 0


def _print(
    arguments: argparse.Namespace,
    settings: RecognizerSettings,
    card: ModelCard,
    ablation: list[tuple[str, str, str]],
) -> None:
    print(
        f"{arguments.out}: {settings.name}, {counted(card.records, 'record')} of "
        f"{counted(card.patients, 'patient')}"
    )
    if settings.networks:
        networks = counted(len(settings.networks), "network")
        print(f"{counted(len(settings.crfs), 'linear CRF')} and {networks}, trained with PyTorch")
    elif arguments.recognizer is None and settings.name == BEST_WITHOUT_NETWORKS:
        print(
            f"without networks, as PyTorch is not installed; {BEST} is better, and needs "
            "tandem-phi[neural] to be trained"
        )
    if card.scores:
        print(f"cross-validation by patient in {settings.folds} parts, strict")
        print_table(score_rows(card.scores), SCORES)
    if ablation:
        print_table(ablation, ("without", "F1", "change"))


def _examples(arguments: argparse.Namespace) -> list[Example]:
    examples = examples_of(arguments.records, arguments.patient)
    if arguments.fabricated is not None:
        examples += SyntheticTrainingData(arguments.fabricated, arguments.seed)()
    return examples


def _settings(arguments: argparse.Namespace) -> RecognizerSettings:
    if not arguments.records and not arguments.fabricated:
        raise RequestError("there is nothing to train on; give RECORDS, or --fabricated N")
    name = arguments.recognizer or (_best() if arguments.records else "general")
    settings = replace(named_settings(name), seed=arguments.seed)
    if arguments.features:
        settings = _with_features(settings, feature_set(arguments.features))
    if arguments.folds is not None or arguments.ablate:
        folds = arguments.folds if arguments.folds is not None else max(settings.folds, 3)
        settings = replace(settings, folds=folds)
    if arguments.ablate and not (settings.members or settings.features.groups):
        raise RequestError(f"{settings.name} has no feature sets; leave out --ablate")
    if arguments.ablate and settings.folds < 2:
        raise RequestError("--ablate needs cross-validation; give --folds 2 or more")
    return settings


def _best() -> str:
    return BEST if has_pytorch() else BEST_WITHOUT_NETWORKS


def _with_features(settings: RecognizerSettings, features: FeatureSet) -> RecognizerSettings:
    if settings.members:
        return _with_each(settings, lambda _: features)
    if not settings.features.groups:
        raise RequestError(f"{settings.name} has no feature sets; leave out --features")
    if not features.is_local:
        known = ", ".join(LOCAL_GROUPS)
        raise RequestError(f"{settings.name} has other features: {known}")
    return replace(settings, features=replace(features, locales=settings.features.locales))


def _with_each(
    settings: RecognizerSettings, change: Callable[[FeatureSet], FeatureSet]
) -> RecognizerSettings:
    """Return the settings with the features of each CRF changed."""
    crfs = tuple(replace(each, features=change(each.features)) for each in settings.crfs)
    networks = tuple(replace(each, features=change(each.features)) for each in settings.networks)
    return replace(settings, crfs=crfs, networks=networks)


def _ablation(
    arguments: argparse.Namespace,
    settings: RecognizerSettings,
    examples: Sequence[Example],
    scores: Scores,
) -> list[tuple[str, str, str]]:
    """Return, for each group of features, the F1 without it and what that changes."""
    sets = [member.features for member in settings.members] or [settings.features]
    groups = dict.fromkeys(name for each in sets for name in each.groups)
    whole = scores["all"]["f1"]
    rows: list[tuple[str, str, str]] = [("nothing", f"{whole:.4f}", "")]
    for group in groups:
        with (
            TemporaryDirectory(dir=arguments.out.parent, prefix=".ablation-") as folder,
            progress_bar(f"without {group}") as on_progress,
        ):
            found = cross_validate(
                examples,
                _without(settings, group),
                Path(folder),
                cores=arguments.cores,
                on_progress=on_progress,
            )
        f1 = found["all"]["f1"]
        rows.append((group, f"{f1:.4f}", f"{f1 - whole:+.4f}"))
    return rows


def _without(settings: RecognizerSettings, group: str) -> RecognizerSettings:
    changed = _with_each(settings, lambda features: features.without(group))
    return replace(changed, features=settings.features.without(group))
