"""What the systems of the papers find in records, each trained anew and thrown away again."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from shared.model import Schema
from shared.recognition.evaluation import above
from shared.recognition.features.sets import feature_set
from shared.recognition.model_folder import new_model_folder
from shared.recognition.recognizer import Example, Suggestion
from shared.recognition.registry import RecognizerSpec, open_recognizer
from shared.recognition.training.train import train
from shared.recognition.training_settings import SETTINGS, RecognizerSettings

Readings = dict[str, list[tuple[Suggestion, ...]]]
"""By test, what is found in each of its records."""


def read_by(
    system: str,
    training: Sequence[Example],
    tests: Mapping[str, Sequence[Example]],
    schema: Schema,
    seed: int,
) -> Readings:
    """Read tests with a system: a recognizer, after a slash the features it is trained on.

    What is not trained, as the heuristics, is opened for the types of a schema.
    """
    name, _, features = system.partition("/")
    if name not in SETTINGS:
        return _read(RecognizerSpec((name,), schema), tests)
    settings = replace(SETTINGS[name], seed=seed)
    if features:
        groups = feature_set(features).groups
        settings = replace(settings, features=replace(settings.features, groups=groups))
    return read_by_trained(settings, training, tests)


def read_by_trained(
    settings: RecognizerSettings,
    training: Sequence[Example],
    tests: Mapping[str, Sequence[Example]],
) -> Readings:
    """Read tests with a recognizer that is trained for it."""
    with TemporaryDirectory(prefix="tandem-") as folder:
        target = Path(folder) / "model"
        with new_model_folder(target) as partial:
            train(training, settings, partial)
        return _read(RecognizerSpec((str(target),)), tests)


def _read(spec: RecognizerSpec, tests: Mapping[str, Sequence[Example]]) -> Readings:
    recognizer, threshold = open_recognizer(spec), spec.threshold
    return {
        test: above(recognizer.suggest([each.document for each in records]), threshold)
        for test, records in tests.items()
    }
