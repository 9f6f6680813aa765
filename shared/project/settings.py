"""What a project is about: `tandem.toml`.

format_version = 1
title = "Heart failure, ward 3"
annotators = ["ana", "ben"]
learn_from = "own"                            "own" finished patients (the default), or "gold"
language = "de"                               left out where the records tell
show_gold_to_annotators = true                left out where it is false (the default)
left = ["ben"]                                get no new patients; left out where nobody left
known_answer_rate = 0.1                       of what is given out; left out where it is 0

[suggestions]
ana = "on"                                    "on" (the default), "rules" or "off"
ben = { default = "on", "110" = "off" }       and otherwise for single patients

[[training.ana]]                              a training round; a later one goes on after it
patients = ["101", "102"]
pass_mark = 0.8
ended = true                                  by the lead, passed or not; else left out

[schema]
...                                           as in shared/formats/schema_toml.py

The effect of suggestions can be measured so, between annotators and between patients.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast, get_origin

import tomlkit

from shared.errors import FileFormatError, NewerVersionError, RequestError, SchemaError
from shared.formats.schema_toml import schema_from_table, schema_to_table
from shared.language.detection import AUTO
from shared.language.known_languages import CODE
from shared.model import Schema
from shared.outside import parse_toml
from shared.project.file_names import GOLD
from shared.project.training_rounds import (
    TrainingRound,
    training_from_table,
    training_to_table,
)

FORMAT_VERSION = 1

_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*")
_DEFAULT = "default"
_SHOW_GOLD = "show_gold_to_annotators"
_RATE = "known_answer_rate"
_USUAL: dict[str, Any] = {
    "left": [],
    _RATE: 0,
    "training": {},
    "suggestions": {},
    "learn_from": "own",
    "language": AUTO,
    _SHOW_GOLD: False,
}

Part = TypeVar("Part")


class Policy(StrEnum):
    """What an annotator is offered."""

    OFF = "off"
    RULES = "rules"
    """What has a form; the same for everybody, and nothing is learnt."""
    ON = "on"
    """Rules and what was learnt."""


class LearnFrom(StrEnum):
    """What a model learns from; never the other annotator's layers."""

    OWN = "own"
    GOLD = "gold"


@dataclass(frozen=True, slots=True)
class SuggestionPolicy:
    """The policy of a project: by annotator, and by annotator and patient where one is named."""

    by_annotator: Mapping[str, Policy] = field(default_factory=dict[str, Policy])
    by_patient: Mapping[tuple[str, str], Policy] = field(
        default_factory=dict[tuple[str, str], Policy]
    )
    learn_from: LearnFrom = LearnFrom.OWN

    def of(self, annotator: str, patient_id: str = "") -> Policy:
        """What an annotator is offered on a patient; without one, on all that are not named."""
        usual = self.by_annotator.get(annotator, Policy.ON)
        return self.by_patient.get((annotator, patient_id), usual)

    def ever_on(self, annotator: str) -> bool:
        """True where the annotator is offered what was learnt, on whichever patient."""
        named = [each for (name, _), each in self.by_patient.items() if name == annotator]
        return Policy.ON in (self.of(annotator), *named)

    def changed(self, annotator: str, policy: Policy, patient_id: str = "") -> "SuggestionPolicy":
        """Return this policy with another for an annotator, or for one patient of theirs."""
        if patient_id:
            by_patient = {**self.by_patient, (annotator, patient_id): policy}
            return replace(self, by_patient=by_patient)
        return replace(self, by_annotator={**self.by_annotator, annotator: policy})


def policy_to_table(policy: SuggestionPolicy, annotators: tuple[str, ...]) -> dict[str, Any]:
    """Return the table `suggestions`, with a line for everybody."""
    table: dict[str, Any] = {}
    for name in annotators:
        patients = {
            patient_id: each.value
            for (annotator, patient_id), each in policy.by_patient.items()
            if annotator == name
        }
        usual = policy.of(name).value
        table[name] = {_DEFAULT: usual, **patients} if patients else usual
    return table


def policy_from_table(
    table: Mapping[str, Any], learn_from: object, annotators: tuple[str, ...]
) -> SuggestionPolicy:
    """Read the table `suggestions` and the value of `learn_from`. Raises RequestError."""
    if learn_from not in [*LearnFrom]:
        raise RequestError('learn_from must be "own" or "gold"')
    by_annotator: dict[str, Policy] = {}
    by_patient: dict[tuple[str, str], Policy] = {}
    for name, value in table.items():
        if name not in annotators:
            raise RequestError(f"suggestions: {name} must be an annotator")
        words = cast("dict[str, object]", value) if isinstance(value, dict) else {_DEFAULT: value}
        for patient_id, word in words.items():
            if patient_id == _DEFAULT:
                by_annotator[name] = _policy(word, name)
            else:
                by_patient[name, patient_id] = _policy(word, f"{name}, patient {patient_id}")
    return SuggestionPolicy(by_annotator, by_patient, LearnFrom(str(learn_from)))


def _policy(word: object, whose: str) -> Policy:
    if word not in [*Policy]:
        raise RequestError(f'suggestions: {whose} must be "on", "rules" or "off"')
    return Policy(str(word))


@dataclass(frozen=True, slots=True)
class ProjectSettings:
    """Title, schema, annotators in order, and who of them sees which suggestions."""

    title: str
    schema: Schema
    annotators: tuple[str, ...]
    suggestions: SuggestionPolicy = field(default_factory=SuggestionPolicy)
    language: str = AUTO
    """The code of the language that the records are in, or `auto`."""
    show_gold_to_annotators: bool = False
    """Whether they may compare their tags with the gold standard once a patient is adjudicated."""
    left: tuple[str, ...] = ()
    """Annotators whose work stays, and who get no new patients."""
    known_answer_rate: float = 0.0
    """How many known-answer patients come on each that is given out, from 0 to 1."""
    training: Mapping[str, tuple[TrainingRound, ...]] = field(
        default_factory=dict[str, tuple[TrainingRound, ...]]
    )
    """The training rounds of each annotator, oldest first."""

    @property
    def people(self) -> tuple[str, ...]:
        """The annotators who get patients."""
        return tuple(each for each in self.annotators if each not in self.left)

    def training_of(self, annotator: str) -> tuple[TrainingRound, ...]:
        """The training rounds of an annotator, oldest first."""
        return self.training.get(annotator, ())

    @property
    def training_pairs(self) -> frozenset[tuple[str, str]]:
        """The patients of training rounds, each with the annotator."""
        rounds = ((name, one) for name, some in self.training.items() for one in some)
        return frozenset((each, name) for name, one in rounds for each in one.patients)


def check_annotators(names: Sequence[str], least: int = 2) -> None:
    """Raise RequestError unless these can be the annotators of a project.

    What was handed out to one annotator has no other.
    """
    for name in names:
        if not _NAME.fullmatch(name):
            raise RequestError(
                f"{name!r} cannot be an annotator's name; use letters, digits, _, - and ."
            )
        if name.casefold() == GOLD:
            raise RequestError(f"{name} cannot be an annotator's name; it means the gold standard")
    if len({name.casefold() for name in names}) < len(names):
        raise RequestError("two annotators have one name; give each a name of their own")
    if len(names) < least:
        raise RequestError(
            f"a project needs {'two annotators' if least > 1 else 'an annotator'} or more"
        )


def to_toml(settings: ProjectSettings) -> bytes:
    table = {
        "format_version": FORMAT_VERSION,
        "title": settings.title,
        "annotators": list(settings.annotators),
        "learn_from": settings.suggestions.learn_from.value,
        **({} if settings.language == AUTO else {"language": settings.language}),
        **({_SHOW_GOLD: True} if settings.show_gold_to_annotators else {}),
        **_staffing(settings),
        "suggestions": policy_to_table(settings.suggestions, settings.annotators),
    }
    return f"{tomlkit.dumps(table)}\n{_schema_toml(settings.schema)}".encode()


@cache
def _schema_toml(schema: Schema) -> str:
    """Nearly all of a file, and the same for every project of a schema."""
    return tomlkit.dumps({"schema": schema_to_table(schema)})


def with_staffing(data: bytes, settings: ProjectSettings) -> bytes:
    """Return a file's content with the annotators of `settings`, who left, and who trains how.

    All else stays as somebody wrote it. `data` is what `from_toml` can read.
    """
    document: Any = tomlkit.parse(data.decode("utf-8-sig"))
    document["annotators"] = list(settings.annotators)
    for name in ("left", _RATE, "training"):
        document.pop(name, None)
    for name, value in _staffing(settings).items():
        document[name] = value
    return tomlkit.dumps(document).encode()


def _staffing(settings: ProjectSettings) -> dict[str, Any]:
    table: dict[str, Any] = {}
    if settings.left:
        table["left"] = list(settings.left)
    if settings.known_answer_rate:
        table[_RATE] = settings.known_answer_rate
    if settings.training:
        table["training"] = training_to_table(settings.training)
    return table


def with_suggestions(data: bytes, settings: ProjectSettings) -> bytes:
    """Return a file's content with the policy of `settings`; all else stays as somebody wrote it.

    `data` is what `from_toml` can read.
    """
    document: Any = tomlkit.parse(data.decode("utf-8-sig"))
    if "suggestions" not in document:
        document["suggestions"] = {}
    policy = settings.suggestions
    document["learn_from"] = policy.learn_from.value
    for name, wanted in policy_to_table(policy, settings.annotators).items():
        document["suggestions"][name] = _inline(wanted)
    return tomlkit.dumps(document).encode()


def _inline(wanted: Any) -> Any:  # noqa: ANN401
    if not isinstance(wanted, dict):
        return wanted
    table: Any = tomlkit.inline_table()
    table.update(wanted)
    return table


def from_toml(data: bytes, path: Path) -> ProjectSettings:
    """Return the settings in a file's content.

    Raises FileFormatError, and NewerVersionError where a later Tandem wrote it.
    """
    try:
        table = _USUAL | parse_toml(data)
    except ValueError as error:
        raise FileFormatError(path, f"{error}; restore it") from None
    _check_version(table, path)
    try:
        names = tuple(map(str, _part(table, "annotators", list[Any])))
        check_annotators(names, least=1)
        return ProjectSettings(
            _part(table, "title", str),
            schema_from_table(_part(table, "schema", dict[str, Any])),
            names,
            policy_from_table(
                _part(table, "suggestions", dict[str, Any]), table["learn_from"], names
            ),
            _language(table["language"]),
            _part(table, _SHOW_GOLD, bool),
            _left(table["left"], names),
            _rate(table[_RATE]),
            training_from_table(_part(table, "training", dict[str, Any]), names),
        )
    except (SchemaError, RequestError) as error:
        raise FileFormatError(path, str(error)) from None


def _check_version(table: dict[str, Any], path: Path) -> None:
    version = table.get("format_version")
    if not isinstance(version, int) or version < 1:
        raise FileFormatError(path, "has no format_version; it is not a Tandem project")
    if version > FORMAT_VERSION:
        raise NewerVersionError(path, version, FORMAT_VERSION)


def _part(table: dict[str, Any], name: str, kind: type[Part]) -> Part:
    value = table.get(name)
    if not isinstance(value, get_origin(kind) or kind):
        raise RequestError(f"{name} is missing or not what it should be; restore it")
    return cast("Part", value)


def _language(code: object) -> str:
    if not isinstance(code, str) or not CODE.fullmatch(code):
        raise RequestError(f"{code!r} cannot name a language; write auto or a code such as en")
    return code


def _left(value: object, annotators: tuple[str, ...]) -> tuple[str, ...]:
    names = tuple(map(str, cast("list[object]", value))) if isinstance(value, list) else ("",)
    if not set(names) <= {*annotators}:
        raise RequestError("left must list annotators of the project")
    return names


def _rate(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise RequestError(f"{_RATE} must be a number from 0 to 1")
    return float(value)
