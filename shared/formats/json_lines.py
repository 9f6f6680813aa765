"""JSON lines, one record in each: the spans of Prodigy and spaCy, the labels of doccano.

    {"text": "Seen by Dr. Lee", "spans": [{"start": 12, "end": 15, "label": "DOCTOR"}]}
    {"text": "Seen by Dr. Lee", "label": [[12, 15, "DOCTOR"]]}
    {"text": "…", "entities": [{"id": 7, "start_offset": 12, "end_offset": 15, "label": "DOCTOR"}]}

Offsets are code points. Spans may have more: `id`, `comment`, `origin`, `confidence`, and whatever
Tandem does not know. Labels that are lists have no place for it. The field of the tags is the
option `tags`; `label` is written as lists, every other as objects.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from shared.errors import FileError, FileFormatError, ModelError, RequestError
from shared.formats.base import (
    Feature,
    FileFormat,
    Loss,
    OutputFile,
    ReadOptions,
    Record,
    RecordSource,
    WriteOptions,
)
from shared.formats.format_list import LISTED
from shared.formats.json_spans import JsonSpan, span_in, span_out
from shared.formats.labels import label_of_type
from shared.formats.record_fields import (
    field_names,
    fields_of,
    fields_written,
    json_bytes,
    record_id_in,
)
from shared.formats.tag_offsets import RawSpan, placed_spans
from shared.formats.text_file import read_raw
from shared.model import Document, Layer, Tag
from shared.outside import parse_json

_TAGS = ("spans", "label", "labels", "entities")
_LISTS = ("label", "labels")


class JsonLinesFormat(FileFormat):
    """Many records in a file, with the tags of one annotator."""

    name = "jsonl"
    title = LISTED[name].title
    suffixes = (".jsonl", ".ndjson")
    features = frozenset(Feature) - {Feature.LAYERS, Feature.CHARACTERS, Feature.ELEMENTS}
    options = LISTED[name].options
    written = frozenset({"tags"})

    def read(self, paths: tuple[Path, ...], options: ReadOptions) -> Iterator[Record | FileError]:
        (path,) = paths
        raw = read_raw(path, options.encoding)
        lines = [(n, line) for n, line in enumerate(raw.text.split("\n"), 1) if line.strip()]
        if not lines:
            raise FileFormatError(path, "holds no records")
        for number, line in lines:
            source = RecordSource(path, raw.encoding, f"line {number}")
            try:
                yield _record(_object(line, source), source, options, raw.notes)
            except FileError as problem:
                yield problem

    def write(self, records: Sequence[Record], options: WriteOptions) -> Iterator[OutputFile]:
        lines = (json_bytes(_written(each, options)) for each in records)
        yield OutputFile("records.jsonl", b"".join(line + b"\n" for line in lines))


# ---------------------------------------------------------------- reading


def _object(line: str, source: RecordSource) -> dict[str, Any]:
    try:
        found = parse_json(line)
    except ValueError:
        raise FileFormatError(str(source), "is no JSON; correct it") from None
    if not isinstance(found, dict):
        raise FileFormatError(str(source), "is no object of JSON; a record is one in each line")
    return cast("dict[str, Any]", found)


def _record(
    found: dict[str, Any], source: RecordSource, options: ReadOptions, notes: tuple[str, ...]
) -> Record:
    where = Path(str(source))
    key = _tags_key(found, options, where)
    tags_said: object = found.pop(key, None)
    names = field_names(found, options)
    fields = fields_of(found, names)
    if "text" not in names or not isinstance(found[names["text"]], str):
        raise FileFormatError(where, "has no text; name its field with the option text")
    record_id = record_id_in(fields.values.get("record", ""), source)
    spans, lost = _spans(tags_said, record_id, where)
    raw = [RawSpan(each.start, each.end, each.said, each.tag_id) for each in spans]
    placed = placed_spans(fields.values["text"], raw, where, by_quote=options.by_quote)
    tags = [each.tag(span) for each, span in zip(spans, placed.spans, strict=True) if span]
    layer = _layer(record_id, tags, fields.unknown, where)
    document = Document(record_id, fields.values.get("patient", ""), placed.text)
    form = (("tags", key),) if key else ()
    return Record(
        document,
        (layer,),
        RecordSource(source.path, source.encoding, source.place, form),
        (*notes, *placed.notes),
        (*lost, *placed.losses(record_id)),
        fields.values.get("date", ""),
        fields.values.get("kind", ""),
    )


def _layer(record_id: str, tags: list[Tag], unknown: tuple[str, ...], where: Path) -> Layer:
    try:
        return Layer.of(record_id, "", tags, unknown)
    except ModelError as error:
        raise FileFormatError(where, f"{error}; rename one") from None


def _tags_key(found: Mapping[str, Any], options: ReadOptions, where: Path) -> str:
    asked = options.values.get("tags", "")
    if asked:
        return asked
    there = [each for each in _TAGS if isinstance(found.get(each), list)]
    full = [each for each in there if found[each]]
    if len(full) > 1:
        said = f"has tags in {' and in '.join(full)}; choose with the option tags"
        raise FileFormatError(where, said)
    return (full or there or [""])[0]


def _spans(said: object, record_id: str, where: Path) -> tuple[list[JsonSpan], list[Loss]]:
    if said is None:
        return [], []
    if not isinstance(said, list):
        raise FileFormatError(where, "has tags that are no list; correct them")
    spans: list[JsonSpan] = []
    lost: list[Loss] = []
    for each in cast("list[Any]", said):
        span = span_in(each, where)
        if span is None:
            lost.append(Loss(record_id, "", "labels of a whole record"))
        elif span.start == span.end:
            lost.append(Loss(record_id, span.tag_id, "tags of no length"))
        else:
            spans.append(span)
    return spans, lost


# ---------------------------------------------------------------- writing


def _written(record: Record, options: WriteOptions) -> dict[str, Any]:
    key = options.value("tags", record, _TAGS[0])
    if key in {"record", "patient", "date", "kind", "text"}:
        raise RequestError(f"the tags cannot stand in the field {key}; name another")
    if key in _LISTS:
        tags: list[Any] = [[t.start, t.end, label_of_type(t.phi_type)] for t in record.tags]
    else:
        suffix = "_offset" if key == "entities" else ""
        tags = [span_out(tag, suffix, bare=options.bare) for tag in record.tags]
    return {**fields_written(record), key: tags}
