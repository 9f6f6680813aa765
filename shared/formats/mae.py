"""The files of MAE and MedTator: the XML with offsets in UTF-16 units, and the task definition.

A task definition looks like a DTD and is a line-oriented dialect of its own:

    <!ENTITY name "phi">

    <!ELEMENT NAME ( #PCDATA ) >
    <!ATTLIST NAME TYPE ( PATIENT | DOCTOR ) #IMPLIED "PATIENT" >
    <!ATTLIST NAME comment CDATA "" >

An extent element is a PHI category, the values of its TYPE are its types. Link elements (EMPTY)
and those of a whole record (`spans #IMPLIED`) have no place in Tandem and are passed over.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from shared.errors import FileFormatError, ModelError, SchemaError
from shared.formats.base import Feature, OutputFile, Record, WriteOptions
from shared.formats.i2b2_xml import ROOT, I2b2Format, xml_file
from shared.formats.schema_auto import schema_of, schema_of_types
from shared.formats.text_file import read_text
from shared.formats.xml_characters import is_xml_name, tag_element
from shared.model import Layer, PhiType, Schema, SchemaCategory, Tag
from shared.text.utf16 import Utf16Map

_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_NAME = re.compile(r'<!ENTITY\s+name\s+"([^"]*)"\s*>')
_ELEMENT = re.compile(r"<!ELEMENT\s+(\S+)\s+\(\s*#PCDATA\s*\)\s*>")
_ATTRIBUTE = re.compile(r"<!ATTLIST\s+(\S+)\s+(\S+)\s+([^>]*)>")
_VALUES = re.compile(r"\(([^)]*)\)")
_QUOTED = re.compile(r'"([^"]*)"')
_UNFIT = re.compile(r'[|()<>"]')


class MaeFormat(I2b2Format):
    """One record in a file, as in i2b2's, with the tags of one annotator and nothing unknown."""

    name = "mae"
    title = "XML of MAE and MedTator"
    beside = (".dtd",)
    features = I2b2Format.features - {
        Feature.ORIGIN,
        Feature.CONFIDENCE,
        Feature.ATTRIBUTES,
        Feature.ELEMENTS,
    }

    def write(self, records: Sequence[Record], options: WriteOptions) -> Iterator[OutputFile]:
        for each in records:
            data = format_mae(each.document.text, each.layer)
            yield OutputFile(f"{each.document.record_id}.xml", data)
        tags = [tag for each in records for tag in each.tags]
        if tags:
            yield OutputFile(f"{ROOT}.dtd", format_dtd(schema_of(tags), ROOT))


def format_mae(text: str, layer: Layer) -> bytes:
    """Return the file that MAE opens; elements that Tandem does not know are left out.

    Raises ModelError where the text holds `]]>`, which MAE cannot read, or a tag lies outside it.
    """
    if "]]>" in text:
        offset = text.index("]]>")
        raise ModelError(
            f"record {layer.record_id} holds ]]> at {offset}, which MAE cannot read; leave it out"
        )
    units = Utf16Map(text)
    return xml_file(text, [_element(tag, text, units) for tag in layer.tags])


def _element(tag: Tag, text: str, units: Utf16Map) -> str:
    if tag.end > len(text):
        raise ModelError(f"tag {tag.id} lies outside its record")
    known = {
        "id": tag.id,
        "spans": f"{units.to_units(tag.start)}~{units.to_units(tag.end)}",
        "text": " ".join(tag.span.text_in(text).split("\n")),
        "TYPE": tag.phi_type.name,
        "comment": tag.comment,
    }
    return tag_element(tag.phi_type.category, known)


def read_dtd(path: Path) -> Schema:
    """Read a task definition. Raises FileError."""
    text = _COMMENT.sub("", read_text(path).text)
    name = _NAME.search(text)
    elements = [found[1] for found in _ELEMENT.finditer(text)]
    if name is None or not elements:
        raise FileFormatError(
            path, "is not a MAE task definition: it needs an ENTITY name and an ELEMENT of #PCDATA"
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
    """Return the task definition of a schema; `task` is its name and that of the root element.

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
