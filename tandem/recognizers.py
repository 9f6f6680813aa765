"""Recognizers: opened by name or folder, or trained, over texts and data frames."""

from dataclasses import replace
from pathlib import Path
from shutil import copytree, rmtree
from tempfile import mkdtemp
from typing import NamedTuple, Self
from weakref import finalize

import pandas as pd
from sklearn.base import BaseEstimator  # pyright: ignore[reportMissingTypeStubs]
from sklearn.exceptions import NotFittedError  # pyright: ignore[reportMissingTypeStubs]

from shared.agreement.comparison import Comparison
from shared.agreement.measures import STRICT, MeasureKey, count_matches
from shared.errors import RequestError
from shared.formats.schema_auto import schema_of_types
from shared.metrics.counts import added
from shared.model import Document, PhiType, Schema
from shared.project.folders import check_target
from shared.recognition.parallel import suggest_in_parallel
from shared.recognition.recognizer import Example
from shared.recognition.registry import RecognizerSpec, open_recognizer
from shared.recognition.training.train import train
from shared.recognition.training_settings import named_settings
from tandem.tag_frames import documents_of, records_of, tags_frame

_ALONE = "text"
"""The name of a text that is read by itself."""


class FoundPhi(NamedTuple):
    """A stretch of a text that a recognizer takes for PHI; `confidence` from 0 to 1."""

    start: int
    end: int
    category: str
    type: str
    text: str
    confidence: float


class LoadedRecognizer:
    """Recognizers ready to read: `recognizer("Seen by Dr. Okafor.")`."""

    def __init__(self, spec: RecognizerSpec) -> None:
        """Raises TandemError where one of them cannot be opened."""
        self._spec = spec
        self._recognizer = open_recognizer(spec)
        self.threshold = spec.threshold

    def __call__(self, text: str) -> list[FoundPhi]:
        """What is PHI in a text, in order, none over another.

        Offsets are those of `text`. Raises RequestError where it has carriage returns.
        """
        if "\r" in text:
            raise RequestError("the text has carriage returns; put line feeds in their place")
        (found,) = self._recognizer.suggest([Document(_ALONE, _ALONE, text)])
        return [
            FoundPhi(each.start, each.end, *each.phi_type, each.span.text_in(text), each.confidence)
            for each in found
            if each.confidence >= self.threshold
        ]

    def suggest(self, records: pd.DataFrame, *, cores: int | None = None) -> pd.DataFrame:
        """The tags of all records, which are read patient by patient, on all cores or so many."""
        documents = documents_of(records)
        found = {
            document.record_id: suggested
            for document, suggested in suggest_in_parallel(self._spec, documents, cores=cores)
        }
        return tags_frame(
            (
                document,
                [
                    each.tag()
                    for each in found[document.record_id]
                    if each.confidence >= self.threshold
                ],
            )
            for document in documents
        )


def load_recognizer(
    *names: str | Path, recall: bool = False, types: list[str] | None = None
) -> LoadedRecognizer:
    """Open recognizers: the folder of a model, `rules`, `dictionaries`, a TOML file of patterns.

    Of several, the suggestions of the one named first win. With `recall`, whatever may be PHI is
    covered, for masking rather than labelling. `types` (`NAME:PATIENT`) are all that is suggested.
    Raises TandemError where one cannot be opened.
    """
    schema = _schema(types) if types is not None else None
    return LoadedRecognizer(RecognizerSpec(tuple(map(str, names)), schema, recall=recall))


def suggest_frame(
    records: pd.DataFrame, recognizer: LoadedRecognizer, *, cores: int | None = None
) -> pd.DataFrame:
    """The tags that a recognizer gives these records."""
    return recognizer.suggest(records, cores=cores)


class CRFRecognizer(BaseEstimator):
    """A recognizer as an estimator of scikit-learn: `fit` on records and tags, `predict` tags.

    `recognizer` names the settings (`tandem train --recognizer`), `folds` cross-validates by
    patient, from which the confidence is learned (None: as the settings say, 0: not). The model
    lies in a temporary folder of its user's until it is saved; it holds words of the records.
    """

    def __init__(
        self,
        recognizer: str = "ensemble",
        folds: int | None = None,
        seed: int = 1,
        cores: int = 1,
    ) -> None:
        self.recognizer = recognizer
        self.folds = folds
        self.seed = seed
        self.cores = cores

    def fit(self, records: pd.DataFrame, tags: pd.DataFrame) -> Self:
        """Train. Raises RequestError where frames do not fit or there is nothing to train on."""
        settings = replace(named_settings(self.recognizer), seed=self.seed)
        if self.folds is not None:
            settings = replace(settings, folds=self.folds)
        examples = [Example(each.document, each.tags) for each in records_of(records, tags)]
        folder = Path(mkdtemp(prefix="tandem-"))
        finalize(self, rmtree, folder, ignore_errors=True)
        train(examples, settings, folder, cores=self.cores)
        self._folder, self.recognizer_ = folder, load_recognizer(folder)
        return self

    def predict(self, records: pd.DataFrame) -> pd.DataFrame:
        """The tags of these records."""
        return self._fitted.suggest(records, cores=self.cores)

    def score(self, records: pd.DataFrame, tags: pd.DataFrame) -> float:
        """Strict micro F1 of what is predicted for the records against their tags."""
        gold = records_of(records, tags)
        predicted = {
            each.document.record_id: each.tags
            for each in records_of(records, self.predict(records))
        }
        key = MeasureKey(STRICT)
        return added(
            count_matches(
                Comparison(each.document, predicted[each.document.record_id], each.tags), bool
            )[key]
            for each in gold
        ).f1

    def save(self, path: str | Path) -> None:
        """Write the model into a new or empty folder, as `tandem train` does. Raises FileError."""
        self._fitted  # noqa: B018  says what is wrong
        folder = Path(path)
        check_target(folder)
        copytree(self._folder, folder, dirs_exist_ok=True)

    @property
    def _fitted(self) -> LoadedRecognizer:
        if not hasattr(self, "recognizer_"):
            raise NotFittedError("this recognizer is not trained yet; call fit first")
        return self.recognizer_


def _schema(types: list[str]) -> Schema:
    named = (each.partition(":") for each in types)
    return schema_of_types((PhiType(first, last or first) for first, _, last in named), "types")
