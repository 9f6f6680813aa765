"""brat's `annotation.conf`: the types of a project as a hierarchy of names.

    [entities]
    !NAME
        PATIENT
        DOCTOR
    DATE

The top of a hierarchy is the category, what stands alone is told by its name. Where brat could not
hold a name as it is, a comment that Tandem adds says which type is meant:

    #: Phone_number = ["CONTACT", "Phone number"]
"""

import json
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path

from shared.errors import FileFormatError, SchemaError
from shared.formats.labels import type_of_label
from shared.formats.schema_auto import schema_of_types
from shared.formats.text_file import read_text
from shared.formats.xml_characters import is_xml_name
from shared.model import PhiType, Schema
from shared.outside import parse_json

_SECTION = re.compile(r"\[(\w+)\]")
_TERM = re.compile(r"(\s*)(!?)([^\s<#!][^\s]*)")
_MEANT = re.compile(r"#: (\S+) = (\[.*\])")
_UNFIT = re.compile(r"[^A-Za-z0-9_-]")
_MANY = 50
"""More values than these are no list to choose from."""


def read_brat_conf(path: Path) -> Schema:
    """Return the schema of the entities of an `annotation.conf`. Raises FileError."""
    types = types_of_conf(read_text(path).text, events=False).values()
    if not types:
        raise FileFormatError(path, "is no annotation.conf of brat: it has no [entities]")
    try:
        return schema_of_types(types, path.parent.name or "brat")
    except SchemaError as error:
        raise FileFormatError(path, str(error)) from None


@lru_cache(maxsize=16)
def types_of_conf(content: str, *, events: bool = True) -> dict[str, PhiType]:
    """The type that each name of an `annotation.conf` means; `events` have them for triggers."""
    found: dict[str, PhiType] = {}
    meant: dict[str, PhiType] = {}
    sections = {"entities", "events"} if events else {"entities"}
    section, top = "", ""
    for line in content.splitlines():
        if head := _SECTION.match(line):
            section, top = head[1].lower(), ""
        elif said := _MEANT.fullmatch(line):
            meant |= _meant(said)
        elif (term := _TERM.match(line)) and section in sections:
            top = top if term[1] else term[3]
            if not term[2] and term[3] not in found:
                is_alone = not term[1] or not is_xml_name(top)
                found[term[3]] = type_of_label(term[3]) if is_alone else PhiType(top, term[3])
    return found | {label: each for label, each in meant.items() if label in found}


def brat_labels(types: Iterable[PhiType]) -> dict[PhiType, str]:
    """The name that each type gets in brat: its own where brat can hold it and no other has it."""
    labels: dict[PhiType, str] = {}
    taken: set[str] = set()
    ordered = sorted(set(types))
    tops = {_UNFIT.sub("_", each.category) for each in ordered}
    for each in ordered:
        own, category = _UNFIT.sub("_", each.name), _UNFIT.sub("_", each.category)
        is_free = own not in taken and (own == category or own not in tops)
        label = plain = own if is_free else f"{category}-{own}"
        number = 2
        while label in taken or (label in tops and label != category):
            label, number = f"{plain}-{number}", number + 1
        labels[each] = label
        taken.add(label)
    return labels


def format_conf(labels: Mapping[PhiType, str], attributes: Mapping[str, set[str]]) -> str:
    """Return the `annotation.conf` of these types and attributes."""
    lines = ["[entities]", *_hierarchy(labels), "", "[relations]", "", "[events]", ""]
    lines += ["[attributes]", *(_attribute(*each) for each in sorted(attributes.items())), ""]
    understood = types_of_conf("\n".join(lines))
    lines[:0] = [
        f"#: {label} = {json.dumps(list(each))}"
        for each, label in labels.items()
        if understood[label] != each
    ]
    return "\n".join(lines)


def _meant(said: re.Match[str]) -> dict[str, PhiType]:
    try:
        names = parse_json(said[2])
    except ValueError:
        return {}
    match names:
        case [str(category), str(name)] if category and name:
            return {said[1]: PhiType(category, name)}
        case _:
            return {}


def _hierarchy(labels: Mapping[PhiType, str]) -> list[str]:
    by_category: dict[str, list[str]] = {}
    for each, label in labels.items():
        by_category.setdefault(_UNFIT.sub("_", each.category), []).append(label)
    lines: list[str] = []
    for category, members in by_category.items():
        lines.append(category if category in members else f"!{category}")
        lines += (f"\t{each}" for each in members if each != category)
    return lines


def _attribute(name: str, values: set[str]) -> str:
    listed = "|".join(sorted(values)) if len(values) <= _MANY else ""
    return f"{name}\tArg:<ENTITY>{f', Value:{listed}' if listed else ''}"
