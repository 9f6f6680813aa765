"""The JSON of Label Studio: tasks with the annotations of several people, in full or in brief.

    [{"id": 7, "data": {"text": "Seen by Dr. Lee"}, "annotations": [{"completed_by": 3, "result": [
        {"id": "a", "from_name": "label", "to_name": "text", "type": "labels",
         "value": {"start": 12, "end": 15, "text": "Lee", "labels": ["DOCTOR"]}}]}]}]

    [{"id": 7, "text": "Seen by Dr. Lee", "annotator": 3,
      "label": [{"start": 12, "end": 15, "text": "Lee", "labels": ["DOCTOR"]}]}]

Each annotation is a layer. What is said of a region (choices, numbers, words) becomes an attribute
under the name of what asks for it, its meta text the comment. Predictions, relations and what is
said of a whole record are left out, and the report says so.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

from shared.errors import FileError, FileFormatError, ModelError
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
from shared.formats.json_spans import JsonSpan
from shared.formats.labels import label_of_type
from shared.formats.record_fields import (
    field_names,
    fields_of,
    fields_written,
    head_of,
    json_bytes,
    record_id_in,
)
from shared.formats.tag_offsets import PlacedSpans, RawSpan, placed_spans
from shared.formats.text_file import read_raw
from shared.model import Document, Layer, Tag
from shared.outside import parse_json

_HEAD = 65536
_MARKS = (b'"annotations"', b'"predictions"', b'"annotator"', b'"labels"', b'"data"')
_ABOUT = ("id", "annotator", "annotation_id", "created_at", "updated_at", "lead_time")
"""What the brief form has of the annotation beside what was annotated."""

_ANNOTATED, _PREDICTED = ("annotations", "completions"), ("predictions",)

_Object = dict[str, Any]


class LabelStudioFormat(FileFormat):
    """Many records in a file, with a layer for each annotator."""

    name = "labelstudio"
    title = LISTED[name].title
    suffixes = (".json",)
    features = frozenset(Feature) - {
        Feature.CHARACTERS,
        Feature.ORIGIN,
        Feature.CONFIDENCE,
        Feature.ELEMENTS,
        Feature.ATTRIBUTES,
    }
    options = LISTED[name].options

    def sources(self, paths: Sequence[Path]) -> Iterator[tuple[Path, ...]]:
        for path in paths:
            if path.suffix.lower() in self.suffixes:
                head = head_of(path, _HEAD).lstrip(b"\xef\xbb\xbf \t\r\n")
                if head.startswith(b"[") and any(each in head for each in _MARKS):
                    yield (path,)

    def read(self, paths: tuple[Path, ...], options: ReadOptions) -> Iterator[Record | FileError]:
        (path,) = paths
        raw = read_raw(path, options.encoding)
        for number, task in enumerate(_tasks(raw.text, path), 1):
            source = RecordSource(path, raw.encoding, f"task {number}")
            try:
                yield _record(task, source, options)
            except FileError as problem:
                yield problem

    def write(self, records: Sequence[Record], options: WriteOptions) -> Iterator[OutputFile]:
        tasks = [_task(each, number) for number, each in enumerate(records, 1)]
        yield OutputFile("records.json", json_bytes(tasks, indent=1) + b"\n")


# ---------------------------------------------------------------- reading


@dataclass
class _TaskAnnotation:
    """What one annotator marked of a task."""

    annotator: str
    spans: list[JsonSpan] = field(default_factory=list[JsonSpan])
    lost: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])


def _tasks(content: str, path: Path) -> list[_Object]:
    try:
        found = parse_json(content)
    except ValueError:
        raise FileFormatError(path, "is no JSON; export it again") from None
    if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):  # pyright: ignore[reportUnknownVariableType]
        raise FileFormatError(path, "is no list of tasks of Label Studio; export it as JSON")
    return cast("list[_Object]", found)


def _record(task: _Object, source: RecordSource, options: ReadOptions) -> Record:
    where = Path(str(source))
    is_full = isinstance(task.get("data"), dict)
    data = dict(cast("_Object", task["data"])) if is_full else _brief_data(task)
    names = field_names(data, options)
    if "text" not in names or not isinstance(data[names["text"]], str):
        raise FileFormatError(where, "has no text; name its field with the option text")
    fields = fields_of(data, names)
    record_id = record_id_in(fields.values.get("record") or str(task.get("id", "")), source)
    said = _PREDICTED if options.values.get("predictions") == "yes" else _ANNOTATED
    annotations = [*(_annotations(task, said, where) if is_full else _brief(task, where))]
    asked = options.values.get("annotator")
    kept = [each for each in annotations if asked in (None, each.annotator)]
    placed = _placed(kept, fields.values["text"], where, options)
    layers = _layers(kept, placed, record_id, where)
    if layers and fields.unknown:
        layers[0] = replace(layers[0], unknown=fields.unknown)
    elif fields.unknown:
        layers = [Layer(record_id, "", (), fields.unknown)]
    return Record(
        Document(record_id, fields.values.get("patient", ""), placed.text),
        tuple(layers),
        source,
        placed.notes,
        (*_losses(task, kept, said, record_id), *placed.losses(record_id)),
        fields.values.get("date", ""),
        fields.values.get("kind", ""),
    )


def _losses(
    task: _Object, kept: Iterable[_TaskAnnotation], said: Sequence[str], record_id: str
) -> Iterator[Loss]:
    if said is not _PREDICTED:
        yield from (Loss(record_id, "", "predictions") for _ in _list(task.get("predictions")))
    yield from (Loss(record_id, tag_id, what) for each in kept for tag_id, what in each.lost)


def _placed(
    annotations: Iterable[_TaskAnnotation], said: str, where: Path, options: ReadOptions
) -> PlacedSpans:
    spans = [each for one in annotations for each in one.spans]
    raw = [RawSpan(s.start, s.end, _unescaped(s.said, s.end - s.start), s.tag_id) for s in spans]
    return placed_spans(said, raw, where, by_quote=options.by_quote)


def _layers(
    annotations: Iterable[_TaskAnnotation], placed: PlacedSpans, record_id: str, where: Path
) -> list[Layer]:
    places = iter(placed.spans)
    layers: list[Layer] = []
    for each in annotations:
        tags = [span.tag(place) for span in each.spans if (place := next(places))]
        try:
            layers.append(Layer.of(record_id, each.annotator, _renamed(tags)))
        except ModelError as error:
            raise FileFormatError(where, f"{error}; rename one") from None
    return layers


def _unescaped(said: str | None, length: int) -> str | None:
    r"""The text of a region; some versions write its line ends as `\n`, two characters."""
    if said is None or len(said) == length or "\\n" not in said:
        return said
    return said.replace("\\n", "\n")


def _renamed(tags: list[Tag]) -> list[Tag]:
    """Give the tags of one region, which has several labels, an id each."""
    seen: Counter[str] = Counter()
    renamed: list[Tag] = []
    for each in tags:
        seen[each.id] += 1
        again = each.id and seen[each.id] > 1
        renamed.append(replace(each, id=f"{each.id}.{seen[each.id]}") if again else each)
    return renamed


def _annotations(
    task: Mapping[str, Any], said: Sequence[str], where: Path
) -> Iterator[_TaskAnnotation]:
    taken: Counter[str] = Counter()
    for each in (one for name in said for one in _list(task.get(name))):
        name = _annotator(each.get("completed_by", each.get("model_version")))
        taken[name] += 1
        found = _TaskAnnotation(name if taken[name] == 1 else f"{name}_{taken[name]}")
        if each.get("was_cancelled"):
            found.lost.append(("", "cancelled annotations"))
        else:
            _take_regions(_list(each.get("result")), found, where, each.get("score"))
        yield found


def _annotator(said: object) -> str:
    """The name of who completed an annotation: a number, an address, or an object with them."""
    if isinstance(said, dict):
        about = cast("_Object", said)
        said = about.get("email") or about.get("username") or about.get("id")
    return "" if said is None else str(said)


def _take_regions(
    regions: list[_Object], found: _TaskAnnotation, where: Path, score: object = None
) -> None:
    labelled = {str(each.get("id")) for each in regions if _labels_of(_value_of(each))}
    said: dict[str, list[tuple[str, str]]] = {}
    for each in regions:
        region_id, value = str(each.get("id", "")), _value_of(each)
        if _labels_of(value):
            continue
        answer = next((value[name] for name in _ANSWERS if name in value), None)
        if answer is not None and region_id in labelled:
            said.setdefault(region_id, []).append((str(each.get("from_name")), _in_words(answer)))
        else:
            found.lost.append((region_id, f"regions of type {each.get('type') or 'unknown'}"))
    for each in regions:
        value = _value_of(each)
        for label in _labels_of(value):
            region_id = str(each.get("id", ""))
            span = _span(value, label, region_id, where)
            if span.start == span.end:
                found.lost.append((region_id, "tags of no length"))
                continue
            comment = _in_words(cast("_Object", each.get("meta") or {}).get("text", ""))
            sure = each.get("score", score)
            scored = [("score", _in_words(sure))] if sure is not None else []
            attributes = (*said.get(region_id, ()), *scored)
            found.spans.append(replace(span, comment=comment, attributes=attributes))


_ANSWERS = ("choices", "text", "number", "rating", "datetime", "taxonomy")


def _value_of(region: _Object) -> _Object:
    value = region.get("value")
    return cast("_Object", value) if isinstance(value, dict) else {}


def _labels_of(value: _Object) -> list[str]:
    if not {"start", "end"} <= value.keys():
        return []
    labels: object = value.get("labels", value.get("hypertextlabels"))
    return [str(each) for each in cast("list[Any]", labels)] if isinstance(labels, list) else []


def _span(value: _Object, label: str, region_id: str, where: Path) -> JsonSpan:
    offsets = cast("_Object", value.get("globalOffsets") or value)
    start, end = offsets.get("start"), offsets.get("end")
    if not isinstance(start, int) or not isinstance(end, int):
        raise FileFormatError(where, f"region {region_id} has no offsets in the text")
    text = value.get("text")
    return JsonSpan(start, end, label, region_id, text if isinstance(text, str) else None)


def _in_words(answer: object) -> str:
    if isinstance(answer, list):
        return "; ".join(map(_in_words, cast("list[Any]", answer)))
    return answer if isinstance(answer, str) else json.dumps(answer)


def _brief_data(task: _Object) -> _Object:
    return {
        name: each for name, each in task.items() if name not in _ABOUT and not _is_regions(each)
    }


def _brief(task: _Object, where: Path) -> Iterator[_TaskAnnotation]:
    """Yield the annotation of a task in brief form, where it has any."""
    regions = [each for value in task.values() if _is_regions(value) for each in _list(value)]
    if regions or "annotator" in task:
        found = _TaskAnnotation(_annotator(task.get("annotator")))
        _take_regions([{"value": each} for each in regions], found, where)
        yield found


def _is_regions(value: object) -> bool:
    return any(_labels_of(each) for each in _list(value))


def _list(value: object) -> list[_Object]:
    if not isinstance(value, list):
        return []
    return [cast("_Object", each) for each in cast("list[Any]", value) if isinstance(each, dict)]


# ---------------------------------------------------------------- writing


def _task(record: Record, number: int) -> _Object:
    layers = [each for each in record.layers if each.tags or each.annotator]
    return {
        "id": number,
        "data": fields_written(record),
        "annotations": [
            {**({"completed_by": _number(each.annotator)} if each.annotator else {}),
             "result": [one for tag in each.tags for one in _regions(tag, record)]}
            for each in layers
        ],
    }  # fmt: skip


def _number(annotator: str) -> int | str:
    is_short = annotator.isdecimal() and len(annotator) < 19
    return int(annotator) if is_short and str(int(annotator)) == annotator else annotator


def _regions(tag: Tag, record: Record) -> Iterator[_Object]:
    place: _Object = {
        "start": tag.start,
        "end": tag.end,
        "text": tag.span.text_in(record.document.text),
    }
    region: _Object = {
        "id": tag.id,
        "from_name": "label",
        "to_name": "text",
        "type": "labels",
        "value": {**place, "labels": [label_of_type(tag.phi_type)]},
    }
    yield region | ({"meta": {"text": [tag.comment]}} if tag.comment else {})
    for name, said in tag.attributes:
        yield {
            "id": tag.id,
            "from_name": name,
            "to_name": "text",
            "type": "textarea",
            "value": {"start": tag.start, "end": tag.end, "text": [said]},
        }
