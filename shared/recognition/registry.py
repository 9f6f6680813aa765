"""The one place where recognizers are opened by name, those of other programs among them.

A package that is installed beside Tandem adds a recognizer by an entry point of the group
`tandem.recognizers`: its name, and a function from a `RecognizerSpec` to a `Recognizer`. Its
suggestions are held to what ours are: types of the schema, in order, none over another.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import entry_points
from pathlib import Path

from shared.errors import RequestError
from shared.formats.schema_auto import schema_of_types, schema_with
from shared.model import Document, PhiType, Schema
from shared.model.i2b2_2014 import I2B2_2014
from shared.recognition.combination import FirstMatchRecognizer
from shared.recognition.dictionaries import LOCALES
from shared.recognition.dictionary_recognizer import DictionaryRecognizer
from shared.recognition.labels import phi_type_named
from shared.recognition.model_card import CARD, read_card
from shared.recognition.model_folder import load_model, load_without_crfs
from shared.recognition.passes import MENTION_PROPAGATION, check_passes
from shared.recognition.recognizer import Recognizer, Suggestion, keep_most_confident
from shared.recognition.rules import (
    LEAST_BESIDE_MODEL,
    PatientRules,
    Rules,
    ShippedRules,
    read_patterns,
)
from shared.recognition.training_settings import Learner

RULES, DICTIONARIES = "rules", "dictionaries"
HEURISTICS = "heuristics"
"""What Uzuner and others (2008) call the dictionaries with rules, with which they compare."""
ENTRY_POINTS = "tandem.recognizers"


@dataclass(frozen=True, slots=True)
class RecognizerSpec:
    """Which recognizers to open: rules, dictionaries, models, files of patterns, entry points.

    Where there are several, the suggestions of the one named first win; beside a model, rules that
    are often wrong are left out. `schema` holds the types
    that may be suggested; without one, all of the models', and of rules and dictionaries those of
    the first model. `without` names passes that suggestions do not go through.
    """

    names: tuple[str, ...]
    schema: Schema | None = None
    locales: tuple[str, ...] = LOCALES
    recall: bool = False
    without: tuple[str, ...] = ()

    @property
    def threshold(self) -> float:
        """The least confidence worth writing down: that of the first model, 0 without one."""
        folder = _first_model(self.names)
        return read_card(folder).threshold if folder else 0.0

    def for_types(self, types: Iterable[PhiType]) -> "RecognizerSpec":
        """The same with a schema of these types, where neither a schema nor a model tells any."""
        is_told = self.schema is not None or _first_model(self.names) is not None
        return self if is_told else replace(self, schema=schema_with(types))


def open_recognizer(spec: RecognizerSpec) -> Recognizer:
    """Open what was chosen.

    Raises RequestError where nothing was chosen or a name is neither a recognizer nor a model, and
    the errors of `load_model` and `read_patterns`.
    """
    if not spec.names:
        raise RequestError("name a recognizer: rules, dictionaries, or the folder of a model")
    known = spec.schema or _schema_of(spec.names)
    opened = [_open(name, spec, known) for name in spec.names]
    recognizer = opened[0] if len(opened) == 1 else FirstMatchRecognizer(opened)
    return TypeFilter(recognizer, spec.schema) if spec.schema else recognizer


@dataclass(frozen=True, slots=True)
class TypeFilter:
    """A recognizer of whose suggestions those stay that are of types of a schema."""

    recognizer: Recognizer
    schema: Schema

    @property
    def name(self) -> str:
        return self.recognizer.name

    def suggest(self, documents: Sequence[Document]) -> list[tuple[Suggestion, ...]]:
        types = {each.phi_type for each in self.schema.types()}
        found = self.recognizer.suggest(documents)
        return [tuple(one for one in each if one.phi_type in types) for each in found]


@dataclass(frozen=True, slots=True)
class PluggedIn:
    """The recognizer of another program under the name of its entry point, kept to the protocol."""

    name: str
    recognizer: Recognizer

    def suggest(self, documents: Sequence[Document]) -> list[tuple[Suggestion, ...]]:
        """Raises RequestError where there is not one result for each document."""
        found = self.recognizer.suggest(documents)
        if len(found) != len(documents):
            raise RequestError(
                f"the recognizer {self.name} gave {len(found)} results for {len(documents)} "
                "documents; ask those who made it"
            )
        return [
            keep_most_confident(one for one in each if one.end <= len(document.text))
            for document, each in zip(documents, found, strict=True)
        ]


def _open(name: str, spec: RecognizerSpec, schema: Schema) -> Recognizer:
    if name == RULES:
        return _rules(spec, schema)
    if name in (DICTIONARIES, HEURISTICS):
        return DictionaryRecognizer(schema, spec.locales)
    path = Path(name)
    if path.suffix == ".toml":
        return Rules(read_patterns(path), schema)
    if path.exists():
        check_passes(spec.without)
        if read_card(path).settings.learner is not Learner.CRF:
            if spec.recall:
                raise RequestError(f"{name} has no recall mode; leave it out, or choose CRFs")
            return load_without_crfs(path)
        model = load_model(path, traits_from=spec.schema)
        return replace(model, left_out=spec.without, locales=spec.locales, recall=spec.recall)
    return PluggedIn(name, _entry_point(name)(replace(spec, schema=schema)))


def _rules(spec: RecognizerSpec, schema: Schema) -> Recognizer:
    check_passes(spec.without)
    if _first_model(spec.names):
        return ShippedRules(schema, spec.locales, LEAST_BESIDE_MODEL)
    is_whole = MENTION_PROPAGATION not in spec.without
    return (PatientRules if is_whole else ShippedRules)(schema, spec.locales)


def plugged_in() -> list[str]:
    """Return the names of the recognizers that installed packages offer, each once."""
    return sorted({each.name for each in entry_points(group=ENTRY_POINTS)})


def _entry_point(name: str) -> Callable[[RecognizerSpec], Recognizer]:
    for each in entry_points(group=ENTRY_POINTS, name=name):
        return each.load()
    raise RequestError(
        f"{name} is not a recognizer: there are rules, dictionaries, folders of models, and what "
        f"installed packages offer as {ENTRY_POINTS}"
    )


def _schema_of(names: Sequence[str]) -> Schema:
    folder = _first_model(names)
    if folder is None:
        return I2B2_2014
    types = [phi_type_named(name) for name in read_card(folder).types]
    return schema_of_types(types, folder.name)


def _first_model(names: Sequence[str]) -> Path | None:
    return next((Path(name) for name in names if (Path(name) / CARD).is_file()), None)
