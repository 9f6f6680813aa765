"""The one place where recognizers are opened by name."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from shared.errors import RequestError
from shared.model import Document, PhiType
from shared.model.i2b2_2014 import I2B2_2014
from shared.recognition.combination import FirstMatchRecognizer
from shared.recognition.crf_recognizer import CrfRecognizer
from shared.recognition.dictionaries import LOCALES
from shared.recognition.dictionary_recognizer import DictionaryRecognizer
from shared.recognition.labels import phi_type_named
from shared.recognition.model_card import CARD, read_card
from shared.recognition.model_folder import load_model
from shared.recognition.recognizer import Recognizer, Suggestion
from shared.recognition.rules import Rules, read_patterns, shipped_patterns

RULES, DICTIONARIES = "rules", "dictionaries"


@dataclass(frozen=True, slots=True)
class RecognizerSpec:
    """Which recognizers to open: `rules`, `dictionaries`, folders of models, files of patterns.

    Where there are several, the suggestions of the one named first win. `types` are those that may
    be suggested; without any, all of the models', and of rules and dictionaries those of the first
    model.
    """

    names: tuple[str, ...]
    types: tuple[PhiType, ...] = ()
    locales: tuple[str, ...] = LOCALES
    recall: bool = False

    @property
    def threshold(self) -> float:
        """The least confidence worth writing down: that of the first model, 0 without one."""
        folder = _first_model(self.names)
        return read_card(folder).threshold if folder else 0.0


def open_recognizer(choice: RecognizerSpec) -> Recognizer:
    """Open what was chosen.

    Raises RequestError where nothing was chosen or a name is neither a recognizer nor a model, and
    the errors of `load_model` and `read_patterns`.
    """
    if not choice.names:
        raise RequestError("name a recognizer: rules, dictionaries, or the folder of a model")
    types = choice.types or _types_of(choice.names)
    opened = [_open(name, replace(choice, types=types)) for name in choice.names]
    recognizer = opened[0] if len(opened) == 1 else FirstMatchRecognizer(opened)
    return TypeFilter(recognizer, choice.types) if choice.types else recognizer


@dataclass(frozen=True, slots=True)
class TypeFilter:
    """A recognizer of whose suggestions those stay that are of certain types."""

    recognizer: Recognizer
    types: tuple[PhiType, ...]

    @property
    def name(self) -> str:
        return self.recognizer.name

    def suggest(self, documents: Sequence[Document]) -> list[tuple[Suggestion, ...]]:
        found = self.recognizer.suggest(documents)
        return [tuple(one for one in each if one.phi_type in self.types) for each in found]


def _open(name: str, choice: RecognizerSpec) -> Recognizer:
    if name == RULES:
        return Rules(shipped_patterns(choice.locales), choice.types)
    if name == DICTIONARIES:
        return DictionaryRecognizer(choice.types, choice.locales)
    path = Path(name)
    if path.suffix == ".toml":
        return Rules(read_patterns(path), choice.types)
    if not path.exists():
        raise RequestError(
            f"{name} is not a recognizer: there are rules, dictionaries, and folders of models"
        )
    model: CrfRecognizer = load_model(path)
    return model.in_recall_mode() if choice.recall else model


def _types_of(names: Sequence[str]) -> tuple[PhiType, ...]:
    folder = _first_model(names)
    if folder:
        return tuple(phi_type_named(name) for name in read_card(folder).types)
    return tuple(each.phi_type for each in I2B2_2014.types())


def _first_model(names: Sequence[str]) -> Path | None:
    return next((Path(name) for name in names if (Path(name) / CARD).is_file()), None)
