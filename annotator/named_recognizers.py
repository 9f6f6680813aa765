"""Recognizers that an annotator asks for by name, instead of leaving it to what proves best.

Each suggests alone, as `tandem suggest --model NAME` does. What has to be trained learns from the
annotator's finished patients into a folder of its own, so that the usual model stays.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from shared.errors import RequestError
from shared.model import Document, Schema
from shared.project.files import read_file
from shared.recognition.recognizer import Recognizer, Suggestion

if TYPE_CHECKING:
    from shared.recognition.training_settings import RecognizerSettings

FABRICATED = "fabricated"
_SHIPPED = {
    "rules": "what has a form: dates, numbers, names behind titles",
    "dictionaries": "lists of names and places, with rules",
    FABRICATED: "the model of fabricated patients that comes with Tandem",
}
_TRAINED = {
    "token": "one CRF, the fastest",
    "growing": "two CRFs, for few records",
    "ensemble": "three CRFs and boosted trees",
    "averaged": "the three CRFs alone, averaged",
    "neural": "three CRFs, two networks and boosted trees; trained by PyTorch",
    "general": "a CRF for records unlike those it learnt from",
    "broad": "this and a small network; trained by PyTorch",
    "he": "He and others 2015",
    "liu": "Liu and others 2015",
    "character": "the CRF of characters of Liu and others",
    "stat-deid": "Uzuner and others 2008: support vector machine",
    "snow": "the same paper: network of Winnows",
    "crfd": "the same paper: CRF",
    "identifinder": "Bikel and others 1999: hidden Markov model",
}


def named_recognizers() -> dict[str, str]:
    """What an annotator can ask for, by name: what each is. What is plugged in comes last."""
    from shared.recognition.neural.trainer import has_pytorch
    from shared.recognition.registry import plugged_in
    from shared.recognition.training_settings import SETTINGS

    names = (each for each in _TRAINED if has_pytorch() or not SETTINGS[each].networks)
    ours = _SHIPPED | {each: _TRAINED[each] for each in names}
    others = (each for each in plugged_in() if each not in _SHIPPED and each not in _TRAINED)
    return ours | dict.fromkeys(others, "of an installed package")


def is_trained(name: str) -> bool:
    """Whether a recognizer of that name has to be trained on finished patients."""
    return name in _TRAINED


def folder_of(usual: Path, name: str) -> Path:
    """Where the model lies that `name` is trained into; no annotator is called so."""
    return usual.with_name(f"{usual.name}@{name}") if is_trained(name) else usual


def settings_of(name: str, records: int) -> "RecognizerSettings":
    """Return what to train with on so many records: what was named, or else what they allow."""
    from shared.recognition.training_settings import SETTINGS, settings_for

    return SETTINGS[name] if is_trained(name) else settings_for(records)


class NamedRecognizers:
    """Opens recognizers by name, and again when what they learnt is another.

    `usual`: where the annotator's own model lies; `fabricated`: that of fabricated patients.
    """

    def __init__(
        self, schema: Schema, locales: tuple[str, ...], usual: Path, fabricated: Path | None
    ) -> None:
        self._schema = schema
        self._locales = locales
        self._usual = usual
        self._fabricated = fabricated
        self._opened: dict[str, tuple[bytes, Recognizer]] = {}

    def suggest(self, name: str, documents: Sequence[Document]) -> list[tuple[Suggestion, ...]]:
        """Return what the recognizer of that name suggests.

        Raises RequestError where it is not there (yet), and the errors of `open_recognizer`.
        """
        from shared.recognition.model_card import CARD
        from shared.recognition.registry import RecognizerSpec, open_recognizer

        folder = self._folder(name)
        card = b""
        if folder is not None:
            card = read_file(folder / CARD) or b""
            if not card:
                raise RequestError(_missing(name))
        if name not in self._opened or self._opened[name][0] != card:
            spec = RecognizerSpec((str(folder or name),), self._schema, self._locales)
            self._opened[name] = card, open_recognizer(spec)
        return self._opened[name][1].suggest(documents)

    def _folder(self, name: str) -> Path | None:
        """Where a model of that name lies; None for what is none."""
        if name == FABRICATED:
            if self._fabricated is None:
                raise RequestError(_missing(name))
            return self._fabricated
        return folder_of(self._usual, name) if is_trained(name) else None


def _missing(name: str) -> str:
    if name == FABRICATED:
        return "the model of fabricated patients is not trained yet; it is used once it is"
    return f"{name} is not trained yet; finish a patient for it to learn from"
