"""Writing UIMA CAS: a file for each record, and for XMI the type system of all of them."""

import re
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import ModuleType
from typing import Any

from shared.errors import ModelError, RequestError, SchemaError
from shared.formats.base import OutputFile, Record, WriteOptions
from shared.formats.cas_types import PLAIN, TagTypes
from shared.formats.json_spans import span_out
from shared.formats.labels import label_of_type
from shared.formats.record_fields import encodable
from shared.formats.xml_characters import xml_copy
from shared.model import Tag

NAMED_ENTITY = "de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity"
"""The type for what no file says what it is: INCEpTION and all of DKPro know it."""

_NAME = re.compile(r"[^\W\d]\w*")
_TYPE = re.compile(rf"{_NAME.pattern}(\.{_NAME.pattern})*(\.\*)?")
_STRING = "uima.cas.String"
_OWN = frozenset({"comment", "origin", "confidence"})
_TAKEN = _OWN | {"begin", "end", "sofa"}


def cas_files(
    cassis: ModuleType, records: Sequence[Record], options: WriteOptions
) -> Iterator[OutputFile]:
    """Yield the files of the records. Raises TandemError where a tag has no place in them."""
    made = [(each, [*_annotations(each, options)]) for each in records]
    system = _type_system(cassis, (one for _, some in made for one in some))
    has_xmi = False
    for record, annotations in made:
        form = options.value("as", record, "xmi")
        cas = _cas(cassis, system, record, annotations, form)
        if form == "json":
            data = encodable(cas.to_json()).encode()
        elif form == "xmi":
            data, has_xmi = cas.to_xmi().encode(), True
        else:
            raise RequestError(f"a CAS can be written as xmi or json, not as {form}")
        yield OutputFile(f"{record.document.record_id}.{form}", data)
    if has_xmi:
        yield OutputFile("TypeSystem.xml", system.to_xml().encode())


def _annotations(
    record: Record, options: WriteOptions
) -> Iterator[tuple[str, Tag, dict[str, str]]]:
    """Yield the type of each tag's annotation, where it lies, and its features."""
    for tag in record.tags:
        if tag.end > len(record.document.text):
            raise ModelError(f"tag {tag.id} lies outside its record")
        of = _tag_types(record, options)
        written = of.written(tag.phi_type)
        if written is None and "type" in options.values:
            raise SchemaError(f"{of.type_name} has no place for the type of tag {tag.id}")
        if written is None:
            of = TagTypes(NAMED_ENTITY, "value")
            written = NAMED_ENTITY, label_of_type(tag.phi_type)
        name, label = written
        own = span_out(replace(tag, attributes=()), bare=options.bare)
        said = {key: str(value) for key, value in own.items() if key in _OWN}
        said |= {
            key: value
            for key, value in tag.attributes
            if _NAME.fullmatch(key) and key not in _TAKEN
        }
        if label is not None:
            said[of.feature] = label
        elif of.feature:
            said.pop(of.feature, None)
        yield name, tag, said


def _tag_types(record: Record, options: WriteOptions) -> TagTypes:
    type_name = options.value("type", record, NAMED_ENTITY)
    is_single = not TagTypes(type_name).are_several
    feature = options.value("feature", record, "value" if is_single else "")
    of = TagTypes(type_name, feature)
    if not all(map(_TYPE.fullmatch, of.names)) or (feature and not _NAME.fullmatch(feature)):
        raise RequestError("a type or feature of a CAS has a name of letters, digits and _")
    return of


def _type_system(
    cassis: ModuleType, annotations: Iterable[tuple[str, Tag, Mapping[str, str]]]
) -> Any:  # noqa: ANN401
    features: dict[str, dict[str, None]] = {}
    for name, _, said in annotations:
        features.setdefault(name, {"identifier": None} if name == NAMED_ENTITY else {}).update(
            dict.fromkeys(said)
        )
    system = cassis.TypeSystem()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # cassis tells of names that it calls otherwise
        for name, names in sorted(features.items()):
            if name == PLAIN:
                continue
            made = system.create_type(name, PLAIN)
            for feature in sorted(names):
                system.create_feature(made, feature, _STRING)
    return system


def _cas(
    cassis: ModuleType,
    system: Any,  # noqa: ANN401
    record: Record,
    annotations: Iterable[tuple[str, Tag, Mapping[str, str]]],
    form: str,
) -> Any:  # noqa: ANN401
    cas = cassis.Cas(typesystem=system)
    clean = encodable if form == "json" else xml_copy
    cas.sofa_string = clean(record.document.text)
    cas.sofa_mime = "text"
    for name, tag, said in annotations:
        made = system.get_type(name)
        renamed = {
            f"{key}_" if key in {"self", "type"} else key: clean(each) for key, each in said.items()
        }
        cas.add(made(begin=tag.start, end=tag.end, **renamed))
    return cas
