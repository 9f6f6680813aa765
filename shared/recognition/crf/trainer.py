"""The border with CRFsuite's trainer, untyped, which holds the interpreter while it works."""

import os
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

from shared.errors import FileFormatError, RequestError, StorageError
from shared.recognition.crf.crfsuite_file import read_weights
from shared.recognition.training_settings import CrfSettings

LabelledSequence = tuple[list[Any], list[str]]
"""The attributes of each unit (names, or names with weights), and the label of each."""

OWNER_ONLY = 0o600


def fit(sequences: Iterable[LabelledSequence], path: Path, settings: CrfSettings) -> None:
    """Train a CRF and write it to `path`, readable by its owner only.

    Raises RequestError where no sequence holds a label but O, StorageError where the file cannot
    be written.
    """
    trainer: Any = import_module("pycrfsuite").Trainer(algorithm="lbfgs", verbose=False)
    for attributes, labels in with_tags(sequences):
        trainer.append(attributes, labels)
    trainer.set_params(parameters(settings))
    with new_file(path):
        trainer.train(str(path))


def with_tags(sequences: Iterable[LabelledSequence]) -> Iterator[LabelledSequence]:
    """Yield the sequences. Raises RequestError at the end if no label but one was there."""
    found: set[str] = set()
    for attributes, labels in sequences:
        found.update(labels)
        yield attributes, labels
    if len(found) < 2:
        raise RequestError("there is nothing to train on: no record has a tag; tag some first")


@contextmanager
def new_file(path: Path) -> Generator[None]:
    """Make way for a model at `path`; CRFsuite knows neither file modes nor a full disk.

    Raises StorageError where the system refuses, or not all was written.
    """
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, OWNER_ONLY))
        yield
    except OSError as error:
        raise StorageError.from_os(path, error) from error
    try:
        read_weights(path)
    except FileFormatError:
        raise StorageError(path, "was not written whole; make room on the disk") from None


def parameters(settings: CrfSettings) -> dict[str, float]:
    return {
        "c1": settings.c1,
        "c2": settings.c2,
        "max_iterations": settings.iterations,
        "feature.minfreq": settings.rare,
        "feature.possible_transitions": 0,
    }
