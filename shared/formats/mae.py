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
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from shared.errors import FileFormatError, ModelError, SchemaError
from shared.formats.base import Feature, OutputFile, Record, WriteOptions
from shared.formats.format_list import LISTED
from shared.formats.i2b2_xml import ROOT, I2b2Format, unknown_elements, xml_file
from shared.formats.schema_auto import schema_of, schema_of_types
from shared.formats.tag_pieces import PIECE_OF, put_together
from shared.formats.text_file import read_text
from shared.formats.xml_characters import is_xml_name, tag_element
from shared.model import Layer, PhiType, Schema, SchemaCategory, Span, Tag
from shared.text.utf16 import Utf16Map

_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_NAME = re.compile(r'<!ENTITY\s+name\s+"([^"]*)"\s*>')
_ELEMENT = re.compile(r"<!ELEMENT\s+(\S+)\s+\(\s*#PCDATA\s*\)\s*>")
_ATTRIBUTE = re.compile(r"<!ATTLIST\s+(\S+)\s+(\S+)\s+([^>]*)>")
_VALUES = re.compile(r"\(([^)]*)\)")
_QUOTED = re.compile(r'"([^"]*)"')
_TAKEN = frozenset({"id", "spans", "start", "end", "text", "TYPE", "comment"})
_BETWEEN = " ... "
"""What MAE writes between the texts of the pieces of a tag."""
_UNFIT = re.compile(r'[|()<>"]')


class MaeFormat(I2b2Format):
    """One record in a file, as in i2b2's, with the tags of one annotator."""

    name = "mae"
    title = LISTED[name].title
    beside = (".dtd",)
    features = I2b2Format.features - {Feature.ORIGIN, Feature.CONFIDENCE}
    keeps_root = True

    def write(self, records: Sequence[Record], options: WriteOptions) -> Iterator[OutputFile]:
        by_root: dict[str, list[Tag]] = {}
        for each in records:
            root = options.value("root", each, ROOT)
            data = format_mae(each.document.text, each.layer, root)
            yield OutputFile(f"{each.document.record_id}.xml", data)
            by_root.setdefault(root, []).extend(each.tags)
        for root, tags in by_root.items():
            if tags:
                dtd = format_dtd(schema_of(tags), root, _attributes(tags))
                yield OutputFile(f"{root}.dtd", dtd)


class MedTatorFormat(MaeFormat):
    """As MAE's, which MedTator reads and writes; its schemas lie beside."""

    name = "medtator"
    title = LISTED[name].title
    beside = (".dtd", ".yaml", ".yml")


def format_mae(text: str, layer: Layer, root: str = ROOT) -> bytes:
    """Return the file that MAE opens; it passes over the elements that Tandem does not know.

    Raises ModelError where the text holds `]]>`, which MAE cannot read, or a tag lies outside it.
    """
    if "]]>" in text:
        offset = text.index("]]>")
        raise ModelError(
            f"record {layer.record_id} holds ]]> at {offset}, which MAE cannot read; leave it out"
        )
    units = Utf16Map(text)
    elements = (_element(tag, spans, text, units) for tag, spans in put_together(layer.tags))
    inside, outside = unknown_elements(layer)
    return xml_file(text, [*elements, *inside], outside, root)


def _element(tag: Tag, spans: Sequence[Span], text: str, units: Utf16Map) -> str:
    if spans[-1].end > len(text):
        raise ModelError(f"tag {tag.id} lies outside its record")
    places = (f"{units.to_units(each.start)}~{units.to_units(each.end)}" for each in spans)
    said = (" ".join(each.text_in(text).split("\n")) for each in spans)
    known = {
        "id": tag.id,
        "spans": ",".join(places),
        "text": _BETWEEN.join(said),
        "TYPE": tag.phi_type.name,
        "comment": tag.comment,
    }
    others = {name: value for name, value in tag.attributes if name not in _TAKEN}
    return tag_element(tag.phi_type.category, {**known, **others})


def _attributes(tags: Iterable[Tag]) -> dict[str, list[str]]:
    """The names of the attributes that the tags of each category have, which MAE asks for."""
    found: dict[str, dict[str, None]] = {}
    for tag in tags:
        names = (name for name, _ in tag.attributes if name not in _TAKEN | {PIECE_OF})
        found.setdefault(tag.phi_type.category, {}).update(dict.fromkeys(names))
    return {category: [*filter(is_xml_name, names)] for category, names in found.items()}


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


def format_dtd(
    schema: Schema, task: str, attributes: Mapping[str, Sequence[str]] | None = None
) -> bytes:
    """Return the task definition of a schema; `task` is its name and that of the root element.

    `attributes` are those that the tags of a category have beside type and comment.

    Raises SchemaError where the dialect cannot hold a type's name.
    """
    lines = [f'<!ENTITY name "{task}">', ""]
    for category in schema.categories:
        lines += _category_lines(category, (attributes or {}).get(category.name, ()))
    return "\n".join(lines).encode()


def _category_lines(category: SchemaCategory, attributes: Iterable[str]) -> list[str]:
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
        *(f'<!ATTLIST {category.name} {each} CDATA "" >' for each in attributes),
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
