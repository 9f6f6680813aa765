"""brat's stand-off annotations: `110-02.ann` beside `110-02.txt`.

    T1	DOCTOR 12 15	Lee
    T2	PATIENT 20 23;30 35	Ann Smith
    A1	certainty T1 low
    #1	AnnotatorNotes T1	or is it the nurse?

A text-bound annotation is a tag, a note on it its comment, an attribute of it one that Tandem does
not know. Every other line (relations, events, normalizations) is kept as an unknown element.
Offsets are code points. What a line can hold no other way stands in a note `attribute:name`.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import escape, unescape
from pathlib import Path

from shared.errors import FileFormatError, ModelError
from shared.formats.base import (
    Feature,
    FileFormat,
    OutputFile,
    ReadOptions,
    Record,
    RecordSource,
    WriteOptions,
    record_id_of,
)
from shared.formats.brat_conf import brat_labels, format_conf, types_of_conf
from shared.formats.format_list import LISTED
from shared.formats.labels import type_of_label
from shared.formats.tag_offsets import PlacedSpans, RawSpan, placed_spans
from shared.formats.tag_pieces import pieces_of, put_together, refuse_overlapping_pieces
from shared.formats.text_file import TextFormat, read_raw, read_text, to_bytes
from shared.formats.xml_characters import xml_copy
from shared.model import Document, Origin, PhiType, Span, Tag

CONF = "annotation.conf"

_TEXT_BOUND = re.compile(r"(T\d+)\t(\S+) (\d+ \d+(?:;\d+ \d+)*)(?:\t(.*))?", re.DOTALL)
_ATTRIBUTE = re.compile(r"[AM]\d+\t(\S+) (T\d+)(?: (\S.*))?")
_NOTE = re.compile(r"#\d+\t(.+) (T\d+)\t(.*)", re.DOTALL)
_COMMENT = "AnnotatorNotes"
_IN_NOTE = "attribute:"
_SET = "true"
"""The value of an attribute that brat has without one."""
_ELEMENT = "<BRAT>", "</BRAT>"
_LONGEST_OFFSET = 18
"""Digits."""
_ID = re.compile(r"T(\d{1,9})")
_PLAIN = re.compile(r"[A-Za-z0-9_-]+")
_BREAK = re.compile("[\r\n]")
_INNER_BREAKS = re.compile("(?<=[^\n])\n+(?=[^\n])")


class BratFormat(FileFormat):
    """One record in a pair of files, with the tags of one annotator."""

    name = "brat"
    title = LISTED[name].title
    suffixes = (".ann",)
    beside = (".conf",)
    features = frozenset(Feature) - {
        Feature.LAYERS,
        Feature.IDS,
        Feature.COMMENTS,
        Feature.ORIGIN,
        Feature.CONFIDENCE,
        Feature.ATTRIBUTES,
        Feature.ELEMENTS,
        Feature.PIECES,
        Feature.DATES,
        Feature.KINDS,
    }

    def sources(self, paths: Sequence[Path]) -> Iterator[tuple[Path, ...]]:
        there = set(paths)
        for path in paths:
            if path.suffix.lower() in self.suffixes:
                confs = (each / CONF for each in path.parents)
                conf = next((each for each in confs if each in there), None)
                yield (path, *filter(None, (_text_beside(path), conf)))

    def read(self, paths: tuple[Path, ...], options: ReadOptions) -> Iterator[Record]:
        path, *others = paths
        texts = [each for each in others if each.name != CONF]
        if not texts:
            raise FileFormatError(path, "has no text beside it; put the .txt of that name there")
        raw = read_raw(texts[0], options.encoding)
        conf = next((each for each in others if each.name == CONF), None)
        ann = _Annotations(path, types_of_conf(read_text(conf).text) if conf else {})
        ann.read(read_text(path, options.encoding).text)
        placed = ann.placed(raw.text, options)
        document = Document(record_id_of(path, self.suffixes), "", placed.text)
        source, notes = RecordSource(path, raw.encoding), (*raw.notes, *placed.notes)
        record = Record.of(document, ann.tags(placed), ann.unknown, source, notes)
        yield replace(record, lost=placed.losses(document.record_id))

    def write(self, records: Sequence[Record], options: WriteOptions) -> Iterator[OutputFile]:
        yield from TextFormat().write(records, options)
        tags = [tag for each in records for tag in each.tags]
        labels = brat_labels(each.phi_type for each in tags)
        for each in records:
            data = "".join(f"{line}\n" for line in _lines(each, labels))
            yield OutputFile(f"{each.document.record_id}.ann", to_bytes(data))
        if tags:
            yield OutputFile(CONF, to_bytes(format_conf(labels, _attribute_values(tags))))


def _text_beside(path: Path) -> Path | None:
    return next(
        (each for end in (".txt", ".TXT") if (each := path.with_suffix(end)).is_file()), None
    )


# ---------------------------------------------------------------- reading


@dataclass
class _Annotations:
    """A file of annotations that is being read."""

    path: Path
    types: Mapping[str, PhiType]
    unknown: list[str] = field(default_factory=list[str])
    _tags: dict[str, tuple[PhiType, list[RawSpan]]] = field(default_factory=dict)  # pyright: ignore[reportUnknownVariableType]
    _attributes: dict[str, list[tuple[str, str]]] = field(default_factory=dict)  # pyright: ignore[reportUnknownVariableType]
    _comments: dict[str, str] = field(default_factory=dict[str, str])

    def read(self, content: str) -> None:
        """Take every line. Raises FileFormatError."""
        later: list[str] = []
        for number, line in enumerate(content.split("\n"), 1):
            if line.startswith("T"):
                self._take_tag(number, line)
            elif line.strip():
                later.append(line)
        for line in later:
            if not (self._takes_attribute(line) or self._takes_note(line)):
                self.unknown.append(escape(xml_copy(line), quote=False).join(_ELEMENT))

    def placed(self, text: str, options: ReadOptions) -> PlacedSpans:
        """Return the text and where the tags lie in it. Raises FileFormatError."""
        raw = [each for _, spans in self._tags.values() for each in spans]
        return placed_spans(text, raw, self.path, by_quote=options.by_quote)

    def tags(self, placed: PlacedSpans) -> list[Tag]:
        """Return the tags that have a place with all their pieces. Raises FileFormatError."""
        spans = iter(placed.spans)
        tags: list[Tag] = []
        for tag_id, (phi_type, pieces) in self._tags.items():
            there = [next(spans) for _ in pieces]
            found = _joined(sorted(filter(None, there)), placed.text)
            if None in there:
                continue
            refuse_overlapping_pieces(self.path, tag_id, found)
            made = Tag(
                found[0],
                phi_type,
                tag_id,
                self._comments.get(tag_id, ""),
                Origin.IMPORT,
                attributes=tuple(self._attributes.get(tag_id, ())),
            )
            tags += pieces_of(made, found)
        return tags

    def _take_tag(self, number: int, line: str) -> None:
        found = _TEXT_BOUND.fullmatch(line)
        if found is None:
            raise FileFormatError(
                self.path, f"line {number} is no text-bound annotation of brat; correct it"
            )
        tag_id, label, offsets, said = found.groups()
        if tag_id in self._tags:
            raise FileFormatError(self.path, f"two tags have the id {tag_id}; rename one of them")
        pairs = [each.split(" ") for each in offsets.split(";")]
        if max(map(len, re.split("[ ;]", offsets))) > _LONGEST_OFFSET:
            raise FileFormatError(self.path, f"line {number} has an offset beyond any text")
        spans = [RawSpan(int(start), int(end), None, tag_id) for start, end in pairs]
        texts = _texts_of(said, [each.end - each.start for each in spans])
        spans = [each._replace(said=text) for each, text in zip(spans, texts, strict=True)]
        self._tags[tag_id] = self.types.get(label) or type_of_label(label), spans

    def _takes_attribute(self, line: str) -> bool:
        found = _ATTRIBUTE.fullmatch(line)
        if found is None or found[2] not in self._tags:
            return False
        self._attributes.setdefault(found[2], []).append((found[1], found[3] or _SET))
        return True

    def _takes_note(self, line: str) -> bool:
        found = _NOTE.fullmatch(line)
        if found is None or found[2] not in self._tags:
            return False
        kind, tag_id, said = found.groups()
        if kind.startswith(_IN_NOTE):
            pair = kind.removeprefix(_IN_NOTE), said
            self._attributes.setdefault(tag_id, []).append(pair)
            return True
        if kind != _COMMENT or tag_id in self._comments or not said:
            return False
        self._comments[tag_id] = said
        return True


def _texts_of(said: str | None, lengths: Sequence[int]) -> list[str | None]:
    """The text of each piece, where that of the whole has the length of all of them."""
    if said is None or len(lengths) == 1:
        return [said]
    if len(said) != sum(lengths) + len(lengths) - 1:
        return [None for _ in lengths]
    texts: list[str | None] = []
    for length in lengths:
        texts.append(said[:length])
        said = said[length + 1 :]
    return texts


def _joined(spans: Iterable[Span], text: str) -> list[Span]:
    """Put together what is two pieces only for the line end between them."""
    joined: list[Span] = []
    for span in spans:
        last = joined[-1] if joined else None
        if last and last.end < span.start and not text[last.end : span.start].strip("\n"):
            joined[-1] = Span(last.start, span.end)
        else:
            joined.append(span)
    return joined


# ---------------------------------------------------------------- writing


def _lines(record: Record, labels: Mapping[PhiType, str]) -> Iterator[str]:
    text = record.document.text
    notes: list[tuple[str, str]] = []
    attributes: list[str] = []
    for tag, spans in _with_ids(_wholes(record.tags, text)):
        if spans[-1].end > len(text):
            raise ModelError(f"tag {tag.id} lies outside its record")
        yield _text_bound(tag, spans, labels[tag.phi_type], text)
        for name, value in tag.attributes:
            if _PLAIN.fullmatch(name) and value and not re.search(r"\s", value):
                attributes.append(f"{name} {tag.id}{'' if value == _SET else f' {value}'}")
            elif not _BREAK.search(name + value) and "\t" not in name:
                notes.append((f"{_IN_NOTE}{name} {tag.id}", value))
        if tag.comment:
            notes.append((f"{_COMMENT} {tag.id}", _BREAK.sub(" ", tag.comment)))
    kept = [*_kept(record.layer.unknown)]
    yield from kept
    first = _next_number(kept, "AM")
    yield from (f"A{number}\t{each}" for number, each in enumerate(attributes, first))
    first = _next_number(kept, "#")
    yield from (f"#{number}\t{kind}\t{said}" for number, (kind, said) in enumerate(notes, first))


def _wholes(tags: Iterable[Tag], text: str) -> Iterator[tuple[Tag, list[Span]]]:
    """Yield the tags with their spans, none of them only a line end apart: that would be one."""
    for tag, spans in put_together(tags):
        if _joined(spans, text) == spans:
            yield tag, spans
        else:
            yield from ((each, [each.span]) for each in pieces_of(tag, spans))


def _kept(unknown: Iterable[str]) -> Iterator[str]:
    """Yield the lines of brat among what Tandem does not know."""
    for each in unknown:
        if each.startswith(_ELEMENT[0]) and each.endswith(_ELEMENT[1]):
            yield unescape(each.removeprefix(_ELEMENT[0]).removesuffix(_ELEMENT[1]))


def _next_number(lines: Iterable[str], letters: str) -> int:
    found = (re.match(rf"[{letters}](\d{{1,9}})\t", line) for line in lines)
    return max((int(each[1]) for each in found if each), default=0) + 1


def _with_ids(tags: Iterable[tuple[Tag, list[Span]]]) -> Iterator[tuple[Tag, list[Span]]]:
    """Yield the tags with ids that brat takes, their own where they are such."""
    tags = list(tags)
    numbers = [int(found[1]) for each, _ in tags if (found := _ID.fullmatch(each.id))]
    number = max(numbers, default=0)
    for tag, spans in tags:
        if _ID.fullmatch(tag.id):
            yield tag, spans
        else:
            number += 1
            yield replace(tag, id=f"T{number}"), spans


def _text_bound(tag: Tag, spans: Sequence[Span], label: str, text: str) -> str:
    pieces = [piece for span in spans for piece in _in_lines(span, text)]
    offsets = ";".join(f"{each.start} {each.end}" for each in pieces)
    said = " ".join(each.text_in(text).replace("\n", " ") for each in pieces)
    return f"{tag.id}\t{label} {offsets}\t{said}"


def _in_lines(span: Span, text: str) -> Iterator[Span]:
    """Yield a span in pieces of one line each, as brat has what goes over a line end."""
    start = span.start
    for found in _INNER_BREAKS.finditer(text, span.start, span.end):
        if found.start() > span.start and found.end() < span.end:
            yield Span(start, found.start())
            start = found.end()
    yield Span(start, span.end)


def _attribute_values(tags: Iterable[Tag]) -> dict[str, set[str]]:
    """The values that each attribute has in the tags; none for one that is only set."""
    values: dict[str, set[str]] = {}
    for name, value in (pair for tag in tags for pair in tag.attributes):
        if _PLAIN.fullmatch(name) and value and not re.search(r"\s", value):
            values.setdefault(name, set()).update({value} - {_SET})
    return values
