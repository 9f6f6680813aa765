"""A schema as TOML: a file of its own, or a table within a project's.

name = "short"
overlaps = true

[[categories]]
name = "NAME"
key = "1"
colour = "#D55E00"
types = [
    { name = "PATIENT", hipaa = true, key = "t" },
    { name = "NEIGHBOUR", kind = "person", role = "relative" },
]

What a type is may be said by `kind`, `role`, `matching`, `recurs_across_patients`, `identifier`
and `may_stay` (shared/model/phi_traits.py); what is not said, and `hipaa`, follows from the kind,
and the kind from the name.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import Any, TypeVar, cast

from shared.errors import FileFormatError, SchemaError
from shared.formats.schema_auto import built_in_traits, type_by_name
from shared.formats.xml_characters import is_xml_name
from shared.model import (
    EntityKind,
    Identifier,
    Matching,
    PersonRole,
    PhiTraits,
    PhiType,
    Schema,
    SchemaCategory,
    SchemaType,
)
from shared.model.schema import OKABE_ITO, RESERVED_KEYS
from shared.outside import LARGEST_TOML, parse_toml, read_bounded

_COLOUR = re.compile(r"#[0-9A-Fa-f]{6}")

_FLAGS = ("recurs_across_patients", "may_stay")
_TRAITS = frozenset({"kind", "role", "matching", "identifier", *_FLAGS})

Value = TypeVar("Value")
Member = TypeVar("Member", bound=StrEnum)


def schema_to_table(schema: Schema) -> dict[str, Any]:
    return {
        "name": schema.name,
        "overlaps": schema.overlaps,
        "categories": [
            {
                "name": category.name,
                "key": category.key,
                "colour": category.colour,
                "types": [
                    {"name": each.name, "hipaa": each.hipaa, "key": each.key, **_said(each)}
                    for each in category.types
                ],
            }
            for category in schema.categories
        ],
    }


def schema_from_table(table: Mapping[str, Any]) -> Schema:
    """Return the schema that a TOML table holds. Raises SchemaError."""
    name = _value(table, "name", str, "the schema")
    categories = _tables(table, "categories", f"schema {name}")
    return Schema(
        name,
        tuple(_category(each, name, place) for place, each in enumerate(categories)),
        _value(table, "overlaps", bool, f"schema {name}", default=True),
    )


def read_schema(path: Path) -> Schema:
    """Read a schema file. Raises FileError."""
    try:
        return schema_from_table(parse_toml(read_bounded(path, LARGEST_TOML)))
    except (SchemaError, ValueError) as error:
        raise FileFormatError(path, f"{error}; correct it") from None


def _category(table: Mapping[str, Any], schema: str, place: int) -> SchemaCategory:
    name = _value(table, "name", str, f"schema {schema}, category {place + 1}")
    where = f"schema {schema}, category {name}"
    if not is_xml_name(name):
        raise SchemaError(f"{where}: the name must be letters, digits, _ and - only, letter first")
    colour = _value(table, "colour", str, where, OKABE_ITO[place % len(OKABE_ITO)])
    if not _COLOUR.fullmatch(colour):
        raise SchemaError(f"{where}: the colour must look like #D55E00")
    types = tuple(_type(each, name, where) for each in _tables(table, "types", where))
    return SchemaCategory(name, types, _key(table, where), colour)


def _type(table: Mapping[str, Any], category: str, where: str) -> SchemaType:
    name = _value(table, "name", str, where)
    if not name.strip() or not name.isprintable():
        raise SchemaError(f"{where}: a type has an empty or unprintable name")
    where = f"{where}, type {name}"
    found = type_by_name(PhiType(category, name), _key(table, where))
    if _TRAITS & set(table):
        found = replace(found, traits=_traits(table, found.traits, where), guessed=False)
    return replace(found, hipaa=_value(table, "hipaa", bool, where, found.traits.is_hipaa))


def _traits(table: Mapping[str, Any], named: PhiTraits, where: str) -> PhiTraits:
    """What the table lays down about a type, over what its name tells."""
    kind = _member(table, "kind", EntityKind, where)
    role = _member(table, "role", PersonRole, where)
    traits = PhiTraits.of(kind or named.kind, role if kind or role else named.role)
    return replace(
        traits,
        matching=_member(table, "matching", Matching, where) or traits.matching,
        identifier=_member(table, "identifier", Identifier, where) or traits.identifier,
        **{name: _value(table, name, bool, where, getattr(traits, name)) for name in _FLAGS},
    )


def _member(table: Mapping[str, Any], name: str, enum: type[Member], where: str) -> Member | None:
    said = table.get(name)
    if said is None:
        return None
    if said not in list(enum):
        raise SchemaError(f"{where}: {name} must be one of {', '.join(enum)}")
    return enum(said)


def _said(each: SchemaType) -> dict[str, Any]:
    """The traits as TOML has them, without what follows from the kind or the name."""
    if each.guessed or each.traits == built_in_traits(each.phi_type):
        return {}
    traits, plain = each.traits, PhiTraits.of(each.traits.kind, each.traits.role)
    said: dict[str, Any] = {"kind": traits.kind.value}
    if traits.role is not None:
        said["role"] = traits.role.value
    for name in ("matching", "identifier", *_FLAGS):
        if getattr(traits, name) != getattr(plain, name):
            value = getattr(traits, name)
            said[name] = value if name in _FLAGS else str(value)
    return said


def _key(table: Mapping[str, Any], where: str) -> str:
    key = _value(table, "key", str, where, "")
    if len(key) > 1 or not key.isprintable() or key.isspace():
        raise SchemaError(f"{where}: the key must be one character")
    if key.lower() in RESERVED_KEYS:
        raise SchemaError(f"{where}: the key {key} is taken by the windows; choose another")
    return key


def _value(
    table: Mapping[str, Any],
    name: str,
    kind: type[Value],
    where: str,
    default: Value | None = None,
) -> Value:
    value = table.get(name, default)
    if not isinstance(value, kind):
        raise SchemaError(f"{where}: {name} must be there and be a {kind.__name__}")
    return value


def _tables(table: Mapping[str, Any], name: str, where: str) -> list[Mapping[str, Any]]:
    rows = cast("list[Any]", _value(table, name, list, where))
    if not rows or not all(isinstance(row, dict) for row in rows):
        raise SchemaError(f"{where}: {name} must be there, a list of tables")
    return rows
