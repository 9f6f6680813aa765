"""What a project is about: `tandem.toml`.

format_version = 1
title = "Heart failure, ward 3"
annotators = ["ana", "ben"]
learn_from = "own"
language = "de"         left out where the records tell

[suggestions]
...                  as in shared/project/suggestion_policy.py

[schema]
...                  as in shared/formats/schema_toml.py
"""

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar, cast, get_origin

import tomlkit

from shared.errors import FileFormatError, NewerVersionError, RequestError, SchemaError
from shared.formats.schema_toml import schema_from_table, schema_to_table
from shared.language.detection import AUTO, CODE
from shared.model import Schema
from shared.project.suggestion_policy import (
    SuggestionPolicy,
    policy_from_table,
    policy_to_table,
)

FORMAT_VERSION = 1
GOLD = "gold"
"""Stands where an annotator's name stands elsewhere, and is none."""

_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*")

Part = TypeVar("Part")


@dataclass(frozen=True, slots=True)
class Settings:
    """Title, schema, annotators in order, and who of them sees which suggestions."""

    title: str
    schema: Schema
    annotators: tuple[str, ...]
    suggestions: SuggestionPolicy = field(default_factory=SuggestionPolicy)
    language: str = AUTO
    """The code of the language that the records are in, or `auto`."""


def check_annotators(names: Sequence[str]) -> None:
    """Raise RequestError unless these can be the annotators of a project."""
    for name in names:
        if not _NAME.fullmatch(name):
            raise RequestError(
                f"{name!r} cannot be an annotator's name; use letters, digits, _, - and ."
            )
        if name.casefold() == GOLD:
            raise RequestError(f"{name} cannot be an annotator's name; it means the gold standard")
    if len({name.casefold() for name in names}) < len(names):
        raise RequestError("two annotators have one name; give each a name of their own")
    if len(names) < 2:
        raise RequestError("a project needs two annotators or more")


def check_language(code: str) -> None:
    """Raise RequestError unless this can name a language."""
    if not CODE.fullmatch(code):
        raise RequestError(f"{code!r} cannot name a language; write auto or a code such as en")


def to_toml(settings: Settings) -> bytes:
    table = {
        "format_version": FORMAT_VERSION,
        "title": settings.title,
        "annotators": list(settings.annotators),
        "learn_from": settings.suggestions.learn_from.value,
        **({} if settings.language == AUTO else {"language": settings.language}),
        "suggestions": policy_to_table(settings.suggestions, settings.annotators),
        "schema": schema_to_table(settings.schema),
    }
    return tomlkit.dumps(table).encode()


def with_suggestions(data: bytes, settings: Settings) -> bytes:
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


def from_toml(data: bytes, path: Path) -> Settings:
    """Return the settings in a file's content.

    Raises FileFormatError, and NewerVersionError where a later Tandem wrote it.
    """
    try:
        table = tomllib.loads(data.decode("utf-8-sig"))
    except ValueError as error:
        raise FileFormatError(path, f"is not a TOML file: {error}; restore it") from None
    _check_version(table, path)
    try:
        names = tuple(map(str, _part(table, "annotators", list[Any])))
        check_annotators(names)
        return Settings(
            _part(table, "title", str),
            schema_from_table(_part(table, "schema", dict[str, Any])),
            names,
            _suggestions(table, names),
            _language(table.get("language", AUTO)),
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
    if not isinstance(code, str):
        raise RequestError("language is not what it should be; write auto or a code such as en")
    check_language(code)
    return code


def _suggestions(table: dict[str, Any], names: tuple[str, ...]) -> SuggestionPolicy:
    usual: dict[str, Any] = {"suggestions": {}}
    policies = _part(usual | table, "suggestions", dict[str, Any])
    return policy_from_table(policies, table.get("learn_from", "own"), names)
