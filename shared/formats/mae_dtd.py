"""MAE's task definition, which looks like a DTD and is a line-oriented dialect of its own.

    <!ENTITY name "phi">

    <!ELEMENT NAME ( #PCDATA ) >
    <!ATTLIST NAME TYPE ( PATIENT | DOCTOR ) #IMPLIED "PATIENT" >
    <!ATTLIST NAME comment CDATA "" >

An extent element is a PHI category, the values of its TYPE are its types. Link elements (EMPTY)
and those of a whole record (`spans #IMPLIED`) have no place in Tandem and are passed over.
"""

import re
from pathlib import Path

from shared.errors import FileFormatError, SchemaError, StorageError
from shared.formats.schema_auto import schema_of_types
from shared.formats.text_file import decode
from shared.formats.xml_characters import is_xml_name
from shared.model import PhiType, Schema, SchemaCategory

_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_NAME = re.compile(r'<!ENTITY\s+name\s+"([^"]*)"\s*>')
_ELEMENT = re.compile(r"<!ELEMENT\s+(\S+)\s+\(\s*#PCDATA\s*\)\s*>")
_ATTRIBUTE = re.compile(r"<!ATTLIST\s+(\S+)\s+(\S+)\s+([^>]*)>")
_VALUES = re.compile(r"\(([^)]*)\)")
_QUOTED = re.compile(r'"([^"]*)"')
_UNFIT = re.compile(r'[|()<>"]')


def read_dtd(path: Path) -> Schema:
    """Read a task definition. Raises FileError."""
    try:
        text = decode(path.read_bytes()).text
    except OSError as error:
        raise StorageError.from_os(path, error) from error
    text = _COMMENT.sub("", text)
    name = _NAME.search(text)
    elements = [found[1] for found in _ELEMENT.finditer(text)]
    if name is None or not elements:
        raise FileFormatError(
            path, "is no MAE task definition: it needs an ENTITY name and an ELEMENT of #PCDATA"
        )
    types = {element: [element] for element in elements if is_xml_name(element)}
    for found in _ATTRIBUTE.finditer(text):
        _take_attribute(types, found[1], found[2], found[3])
    try:
        return schema_of_types(
            (PhiType(category, each) for category, names in types.items() for each in names),
            name[1],
        )
    except SchemaError as error:
        raise FileFormatError(path, str(error)) from None


def format_dtd(schema: Schema, task: str) -> bytes:
    """Return the task definition of a schema, `task` being MAE's name for it.

    Raises SchemaError where the dialect cannot hold a type's name.
    """
    lines = [f'<!ENTITY name "{task}">', ""]
    for category in schema.categories:
        lines += _category_lines(category)
    return "\n".join(lines).encode()


def _category_lines(category: SchemaCategory) -> list[str]:
    names = [each.name for each in category.types]
    for name in names:
        if _UNFIT.search(name):
            raise SchemaError(f"MAE cannot hold the type {category.name}:{name}; rename it")
    # MAE takes no list of one value
    values = f"( {' | '.join(names)} ) #IMPLIED" if len(names) > 1 else "CDATA"
    return [
        f"<!ELEMENT {category.name} ( #PCDATA ) >",
        f'<!ATTLIST {category.name} TYPE {values} "{names[0]}" >',
        f'<!ATTLIST {category.name} comment CDATA "" >',
        "",
    ]


def _take_attribute(types: dict[str, list[str]], element: str, name: str, rest: str) -> None:
    if element not in types:
        return
    if name == "spans" and "#IMPLIED" in rest:
        del types[element]
    elif name == "TYPE":
        values, default = _VALUES.search(rest), _QUOTED.search(rest)
        listed = values[1].split("|") if values else [default[1] if default else ""]
        types[element] = [each.strip() for each in listed if each.strip()] or [element]
