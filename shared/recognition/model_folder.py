"""A trained model as a folder: CRFs in CRFsuite's own format, networks as arrays, the rest as JSON.

Nothing of it is a pickle.

card.json                  what the model is
term_counts.json           which words and phrases were tagged as what
dictionaries.json          the names and places that it looks up, as they were when it was trained
<name>.crfsuite            a linear CRF each
<name>.npz                 a CRF over a network each, as arrays of numbers
confidence_model.json      how sure to be of what they find, and what else may be PHI
ensemble_weights.json      how often it and its companions were right in its training data
name_class_model.json      the counts of a hidden Markov model, which has none of the others
linear_model.json          the weights of a linear model of words, which has dictionaries too

All of it holds words of the records, and is readable by its owner only.
"""

import json
import os
import re
import shutil
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from shared.errors import FileError, FileFormatError, RequestError, StorageError
from shared.model import Schema
from shared.outside import MALFORMED, parse_json_object, read_bounded
from shared.recognition.confidence.confidence_model import (
    ConfidenceModel,
    confidence_model_from,
    confidence_table,
)
from shared.recognition.crf_recognizer import CrfRecognizer
from shared.recognition.dictionaries import Dictionaries, dictionaries_from, dictionaries_table
from shared.recognition.ensemble_weights import EnsembleWeights, weights_from, weights_table
from shared.recognition.features.trained_gazetteer import TermCounts
from shared.recognition.hmm.model import NameClassModel, model_from, model_table
from shared.recognition.hmm_recognizer import HmmRecognizer
from shared.recognition.labels import phi_type_named
from shared.recognition.linear_recognizer import LinearRecognizer
from shared.recognition.local_context.linear_model import (
    LinearModel,
    linear_model_from,
    linear_table,
)
from shared.recognition.model_card import CARD, ModelCard, format_card, read_card
from shared.recognition.model_crfs import crfs_from
from shared.recognition.passes import check_passes
from shared.recognition.training_settings import Learner

TERM_COUNTS = "term_counts.json"
DICTIONARIES = "dictionaries.json"
CONFIDENCE_MODEL = "confidence_model.json"
NAME_CLASS_MODEL = "name_class_model.json"
LINEAR_MODEL = "linear_model.json"
ENSEMBLE_WEIGHTS = "ensemble_weights.json"

Part = TypeVar("Part")
"""What a file of a model is read as."""


def load_model(
    folder: Path, schema: Schema | None = None, *, traits_from: Schema | None = None
) -> CrfRecognizer:
    """Load the model in `folder`, for a project of this schema where one is given.

    `traits_from` is a schema that says what types are, which the model may have others of.

    Raises RequestError where it has no CRFs or suggests types that the schema does not have,
    StorageError where a file is missing or cannot be read, FileFormatError where one is not what it
    should be, NewerVersionError for a model of a later Tandem.
    """
    card = read_card(folder)
    if card.settings.learner is not Learner.CRF:
        raise RequestError(f"{card.settings.name} has no CRFs; choose a model that has")
    check_passes(card.settings.postprocessing)
    if schema:
        _check_types(card, schema)
    term_counts = read_term_counts(folder / TERM_COUNTS)
    count = len(card.settings.members)
    confidence_model = read_confidence_model(folder, count) if card.has_confidence_model else None
    known = read_dictionaries(folder)
    crfs = crfs_from(folder, card.settings, term_counts, known)
    return CrfRecognizer(card, crfs, confidence_model, schema or traits_from)


def load_without_crfs(folder: Path) -> HmmRecognizer | LinearRecognizer:
    """Load a model of another learner than CRFs; the errors are those of `load_model`."""
    card = read_card(folder)
    if card.settings.learner is Learner.HMM:
        return HmmRecognizer(card, _of_types(card, folder / NAME_CLASS_MODEL, model_from))
    model = _of_types(card, folder / LINEAR_MODEL, linear_model_from)
    return LinearRecognizer(card, model, read_dictionaries(folder) or Dictionaries())


def write_without_crfs(folder: Path, model: NameClassModel | LinearModel) -> None:
    if isinstance(model, NameClassModel):
        _write(folder / NAME_CLASS_MODEL, json.dumps(model_table(model), ensure_ascii=False))
    else:
        _write(folder / LINEAR_MODEL, json.dumps(linear_table(model), ensure_ascii=False))


Classes = TypeVar("Classes", NameClassModel, LinearModel)


def _of_types(card: ModelCard, path: Path, parse: Callable[[Any], Classes]) -> Classes:
    """Read a model that knows the types of its card."""
    model = _read(path, parse)
    if model.classes[1:] != card.types:
        raise FileFormatError(path, "has other types than its card; train the model again")
    return model


def _check_types(card: ModelCard, schema: Schema) -> None:
    other = [name for name in card.types if phi_type_named(name) not in schema]
    if other:
        raise RequestError(
            f"the model was trained for another schema: {schema.name} has no type {other[0]}; "
            "train one on records of this project"
        )


@contextmanager
def new_model_folder(target: Path) -> Generator[Path]:
    """Give an empty folder to train into, which becomes `target` once all went well.

    An older model at `target` is replaced; anything else there is left alone. Raises FileError
    where `target` is something else, StorageError where the system refuses.
    """
    if target.exists() and not (target / CARD).is_file():
        raise FileError(
            target, "already exists and is not a model; choose another name for the model"
        )
    partial = target.with_name(f".{target.name}.{os.getpid()}.partial")
    old = target.with_name(f".{target.name}.{os.getpid()}.old")
    try:
        partial.mkdir(mode=0o700, parents=True)
        yield partial
        for fold in partial.glob("fold-*"):
            shutil.rmtree(fold)
        if target.exists():
            target.rename(old)
        partial.rename(target)
    except OSError as error:
        if old.exists() and not target.exists():
            old.rename(target)
        raise StorageError.from_os(target, error) from error
    finally:
        shutil.rmtree(partial, ignore_errors=True)
        if target.exists():  # else the older model is all that there is
            shutil.rmtree(old, ignore_errors=True)


def remove_incomplete(target: Path) -> None:
    """Remove what trainings of `target` that were killed left behind; an older model is kept."""
    name = re.compile(rf"\.{re.escape(target.name)}\.\d+\.(?:partial|old)")
    for remains in target.parent.glob(".*"):
        if name.fullmatch(remains.name):
            if remains.suffix == ".old" and not target.exists():
                remains.rename(target)
            else:
                shutil.rmtree(remains, ignore_errors=True)


def write_card(folder: Path, card: ModelCard) -> None:
    _write(folder / CARD, format_card(card))


def write_term_counts(path: Path, term_counts: TermCounts) -> None:
    table = {"words": term_counts.words, "phrases": term_counts.phrases, "seen": term_counts.seen}
    _write(path, json.dumps(table, ensure_ascii=False, indent=0))


def read_term_counts(path: Path) -> TermCounts:
    """Raises StorageError where it cannot be read, FileFormatError where it is something else."""
    return _read(path, _term_counts)


def write_confidence_model(folder: Path, model: ConfidenceModel) -> None:
    _write(folder / CONFIDENCE_MODEL, json.dumps(confidence_table(model), ensure_ascii=False))


def read_confidence_model(folder: Path, crfs: int) -> ConfidenceModel:
    """Read that of a model of so many CRFs.

    Raises StorageError where it cannot be read, FileFormatError where it is something else.
    """
    return _read(folder / CONFIDENCE_MODEL, partial(confidence_model_from, crfs=crfs))


def write_dictionaries(folder: Path, known: Dictionaries) -> None:
    _write(folder / DICTIONARIES, json.dumps(dictionaries_table(known), ensure_ascii=False))


def read_dictionaries(folder: Path) -> Dictionaries | None:
    """Read what the model in `folder` looks up; None where no file says so.

    It is read in a fraction of the time in which the lists that are shipped are put together, and
    stays the same when these grow. Raises StorageError where it cannot be read, FileFormatError
    where it is something else.
    """
    path = folder / DICTIONARIES
    return _read(path, dictionaries_from) if path.exists() else None


def write_ensemble_weights(folder: Path, ensemble: EnsembleWeights) -> None:
    _write(
        folder / ENSEMBLE_WEIGHTS, json.dumps(weights_table(ensemble), ensure_ascii=False, indent=1)
    )


def read_ensemble_weights(folder: Path) -> EnsembleWeights:
    """Read how often each was right beside the model in `folder`; nothing where nobody counted.

    Raises StorageError where it cannot be read, FileFormatError where it is something else.
    """
    path = folder / ENSEMBLE_WEIGHTS
    return _read(path, weights_from) if path.exists() else EnsembleWeights()


def _read(path: Path, parse: Callable[[Any], Part]) -> Part:
    try:
        return parse(parse_json_object(read_bounded(path)))
    except MALFORMED as error:
        raise FileFormatError(
            path, "is not what it should be in a model; train the model again"
        ) from error


def _term_counts(table: dict[str, Any]) -> TermCounts:
    words, phrases = (
        {text: _integers(types) for text, types in table[name].items()}
        for name in ("words", "phrases")
    )
    return TermCounts(words, phrases, _integers(table["seen"]))


def _integers(table: dict[str, Any]) -> dict[str, int]:
    return {name: int(count) for name, count in table.items()}


def _write(path: Path, text: str) -> None:
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8", errors="surrogatepass") as file:
            file.write(text)
    except OSError as error:
        raise StorageError.from_os(path, error) from error
