"""The plain CRFs of the papers, trained through sklearn-crfsuite as others would train them."""

from collections.abc import Iterable
from importlib import import_module
from itertools import tee
from pathlib import Path
from typing import Any

from shared.recognition.crf.trainer import (
    LabelledSequence,
    new_file,
    parameters,
    with_tags,
)
from shared.recognition.training_settings import CrfSettings


def fit_baseline(sequences: Iterable[LabelledSequence], path: Path, settings: CrfSettings) -> None:
    """Train a CRF and write it to `path`, readable by its owner only; errors as those of `fit`."""
    chosen = parameters(settings)
    left, right = tee(with_tags(sequences))
    with new_file(path):
        crf: Any = import_module("sklearn_crfsuite").CRF(
            algorithm="lbfgs",
            c1=chosen["c1"],
            c2=chosen["c2"],
            max_iterations=chosen["max_iterations"],
            min_freq=chosen["feature.minfreq"],
            all_possible_transitions=False,
            model_filename=str(path),
        )
        crf.fit((attributes for attributes, _ in left), (labels for _, labels in right))
