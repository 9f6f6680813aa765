"""The border with CRFsuite's trainer, untyped, which holds the interpreter while it works."""

import os
import re
from collections.abc import Callable, Iterable
from importlib import import_module
from pathlib import Path
from typing import Any

from shared.errors import FileFormatError, RequestError, StorageError
from shared.recognition.crf.crfsuite_file import read_weights
from shared.recognition.training_settings import CrfSettings

Sequence = tuple[list[Any], list[str]]
"""The attributes of each unit (names, or names with weights), and the label of each."""

OWNER_ONLY = 0o600
_ITERATION = re.compile(r"\*+ Iteration #(\d+)")


def fit(
    sequences: Iterable[Sequence],
    path: Path,
    settings: CrfSettings,
    on_iteration: Callable[[int], None] | None = None,
) -> None:
    """Train a CRF and write it to `path`, readable by its owner only.

    Raises RequestError where no sequence holds a label but O, StorageError where the file cannot
    be written.
    """
    trainer = _new_trainer(on_iteration)
    labels: set[str] = set()
    for attributes, sequence_labels in sequences:
        trainer.append(attributes, sequence_labels)
        labels.update(sequence_labels)
    if len(labels) < 2:
        raise RequestError("there is nothing to train on: no record has a tag; tag some first")
    trainer.set_params(_parameters(settings))
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, OWNER_ONLY))
        trainer.train(str(path))
    except OSError as error:
        raise StorageError.from_os(path, error) from error
    _check_whole(path)


def _check_whole(path: Path) -> None:
    """Raise StorageError where not all was written; CRFsuite does not notice a full disk."""
    try:
        read_weights(path)
    except FileFormatError:
        raise StorageError(path, "was not written whole; make room on the disk") from None


def _parameters(settings: CrfSettings) -> dict[str, float]:
    return {
        "c1": settings.c1,
        "c2": settings.c2,
        "max_iterations": settings.iterations,
        "feature.minfreq": settings.rare,
        "feature.possible_transitions": 0,
    }


def _new_trainer(on_iteration: Callable[[int], None] | None) -> Any:  # noqa: ANN401
    def message(_trainer: object, message: str) -> None:
        found = _ITERATION.match(message)
        if on_iteration and found:
            on_iteration(int(found[1]))

    base = import_module("pycrfsuite").BaseTrainer
    return type("Trainer", (base,), {"message": message})(algorithm="lbfgs")
