"""What a row of a table or an object of JSON has of a record, by the names that are usual.

What has no place in Tandem is kept as an unknown element and written again: `<JSON>{…}</JSON>`.
"""

import contextlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from html import escape, unescape
from pathlib import Path
from typing import Any, cast

from shared.errors import RequestError
from shared.formats.base import ReadOptions, Record, RecordSource, record_id_of
from shared.formats.xml_characters import STAND_IN, xml_copy

FIELDS: Mapping[str, str] = {
    "record": "record id recordid docid documentid documentname noteid reportid filename rowid",
    "patient": "patient patientid patid patientno patientnumber subject subjectid personid mrn pid",
    "date": "date recorddate notedate reportdate documentdate chartdate datetime charttime created",
    "kind": "kind recordkind notetype reporttype documenttype doctype notekind category",
    "text": "text notetext reporttext documenttext note report content body data",
}
"""The fields of a record and the names that they have elsewhere, the usual ones first."""

_ENDS = (".jsonl", ".ndjson", ".json", ".csv", ".tsv", ".parquet")
_NO_LETTER = re.compile(r"[\W_]")
_ELEMENT = "<JSON>", "</JSON>"
_HALF = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class RecordFields:
    """What the object of a record says, `others` being what is none of the fields."""

    values: Mapping[str, str]
    others: Mapping[str, Any] = field(default_factory=dict[str, Any])

    @property
    def unknown(self) -> tuple[str, ...]:
        """The others as an element of XML."""
        if not self.others:
            return ()
        return (escape(xml_copy(json.dumps(dict(self.others))), quote=False).join(_ELEMENT),)


def field_names(names: Iterable[str], options: ReadOptions) -> dict[str, str]:
    """Return the name of each field among those that are there; what is not there has none.

    Raises RequestError where one that is asked for is not there.
    """
    names = list(names)
    plain = {_NO_LETTER.sub("", each).lower(): each for each in reversed(names)}
    found: dict[str, str] = {}
    for each, usual in FIELDS.items():
        asked = options.values.get(each)
        if asked is not None and asked not in names:
            raise RequestError(f"there is no {asked} to take the {each} from; name another {each}")
        hit = asked or next((plain[one] for one in usual.split() if one in plain), None)
        if hit is not None and hit not in found.values():
            found[each] = hit
    return found


def fields_of(values: Mapping[str, Any], names: Mapping[str, str]) -> RecordFields:
    """Return what an object has, its fields being called so; what is null has no value."""
    said = {
        each: str(values[name]) if values[name] is not None else ""
        for each, name in names.items()
        if name in values
    }
    taken = set(names.values())
    return RecordFields(said, {name: each for name, each in values.items() if name not in taken})


def fields_written(record: Record) -> dict[str, Any]:
    """Return the object of a record: what Tandem knows of it, and what was unknown."""
    known = {
        "record": record.document.record_id,
        "patient": record.document.patient_id,
        "date": record.date,
        "kind": record.kind,
        "text": encodable(record.document.text),
    }
    return {
        **_others(record),
        **{name: each for name, each in known.items() if each or name == "text"},
    }


def record_id_in(said: str, source: RecordSource) -> str:
    """The name of a record: what its object says, or that of the file with its place."""
    name = record_id_of(source.path, _ENDS)
    place = source.place.rpartition(" ")[2]
    if not said or said.isdecimal():  # a number that a database gave tells nobody which it is
        return f"{name}_{said or place}"
    return record_id_of(Path(said)) if Path(said).name == said else said


def head_of(path: Path, length: int) -> bytes:
    """How a file begins, nothing where it cannot be read."""
    try:
        with path.open("rb") as file:
            return file.read(length)
    except OSError:
        return b""


def encodable(text: str) -> str:
    """Return a text with what no encoding can hold, halves of surrogate pairs, replaced."""
    return text if text.isascii() else _HALF.sub(STAND_IN, text)


def json_bytes(data: object, indent: int | None = None) -> bytes:
    """Return data as JSON in UTF-8 and one line, or indented."""
    return encodable(json.dumps(data, ensure_ascii=False, indent=indent)).encode()


def _others(record: Record) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for each in (one for layer in record.layers for one in layer.unknown):
        if each.startswith(_ELEMENT[0]) and each.endswith(_ELEMENT[1]):
            said = unescape(each.removeprefix(_ELEMENT[0]).removesuffix(_ELEMENT[1]))
            with contextlib.suppress(json.JSONDecodeError, RecursionError):
                value = json.loads(said)
                found |= cast("dict[str, Any]", value) if isinstance(value, dict) else {}
    return found
