"""A schema as TOML: a file of its own, or a table within a project's.

name = "short"
overlaps = true

[[categories]]
name = "NAME"
key = "1"
colour = "#D55E00"
types = [{ name = "PATIENT", hipaa = true, key = "t" }, { name = "DOCTOR" }]
"""

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar, cast

from shared.errors import FileFormatError, SchemaError, StorageError
from shared.formats.xml_characters import is_xml_name
from shared.model import PhiType, Schema, SchemaCategory, SchemaType
from shared.model.schema import OKABE_ITO

_COLOUR = re.compile(r"#[0-9A-Fa-f]{6}")
_TAKEN = frozenset("aenpx.'?")
"""The characters that the windows need for themselves."""

Value = TypeVar("Value")


def schema_to_table(schema: Schema) -> dict[str, Any]:
    """Return the schema as TOML holds it."""
    return {
        "name": schema.name,
        "overlaps": schema.overlaps,
        "categories": [
            {
                "name": category.name,
                "key": category.key,
                "colour": category.colour,
                "types": [
                    {"name": each.name, "hipaa": each.hipaa, "key": each.key}
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
        return schema_from_table(tomllib.loads(path.read_text("utf-8-sig")))
    except OSError as error:
        raise StorageError.from_os(path, error) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise FileFormatError(path, f"is not a TOML file: {error}") from None
    except SchemaError as error:
        raise FileFormatError(path, str(error)) from None


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
    hipaa = _value(table, "hipaa", bool, f"{where}, type {name}", default=False)
    return SchemaType(PhiType(category, name), hipaa, _key(table, f"{where}, type {name}"))


def _key(table: Mapping[str, Any], where: str) -> str:
    key = _value(table, "key", str, where, "")
    if len(key) > 1 or not key.isprintable() or key.isspace():
        raise SchemaError(f"{where}: the key must be one character")
    if key.lower() in _TAKEN:
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
    rows = table.get(name)
    if not isinstance(rows, list) or not rows:
        raise SchemaError(f"{where}: {name} must be there, a list of tables")
    listed = cast("list[Any]", rows)
    if not all(isinstance(row, dict) for row in listed):
        raise SchemaError(f"{where}: {name} must be a list of tables")
    return listed
