"""The XML of the 2014 i2b2/UTHealth corpus, and MAE's, which differs in how offsets are written.

    <deIdi2b2>
    <TEXT><![CDATA[Seen by Dr. Lee]]></TEXT>
    <TAGS>
    <NAME id="P0" start="12" end="15" text="Lee" TYPE="DOCTOR" comment="" />
    </TAGS>
    </deIdi2b2>

Read: any root; TEXT escaped or in CDATA; TAGS before or after it; `start` and `end`, or
`spans="12~15"`. What Tandem does not know survives: attributes of a tag in `Tag.attributes`,
elements in `XmlRecord.unknown`, those from within TAGS wrapped in `<TAGS>` of their own.
Tandem adds two attributes of its own: `origin`, absent for an imported tag, and `confidence`.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, groupby
from pathlib import Path
from typing import ClassVar, cast

from lxml import etree

from shared.errors import FileFormatError, ModelError
from shared.formats import secure_xml
from shared.formats.base import (
    Feature,
    FileFormat,
    Loss,
    OutputFile,
    ReadOptions,
    Record,
    RecordSource,
    WriteOptions,
    record_id_of,
)
from shared.formats.format_list import LISTED
from shared.formats.secure_xml import Element
from shared.formats.tag_offsets import PlacedSpans, RawSpan, placed_spans
from shared.formats.tag_pieces import pieces_of, refuse_overlapping_pieces
from shared.formats.text_file import RETURNS_NOTE
from shared.formats.xml_characters import cdata, tag_element
from shared.formats.xml_offsets import (
    AttributesRead,
    XmlTag,
    attributes_read,
    in_code_points,
    misfits,
    shown_id,
    tag_error,
    without_returns,
    xml_tags_of,
)
from shared.model import Document, Layer, Origin, PhiType, Span, Tag
from shared.outside import read_bounded
from shared.text.utf16 import Utf16Map

ROOT = "deIdi2b2"

_OWN = frozenset({"id", "start", "end", "spans", "text", "TYPE", "comment"})
_ORIGINS = {str(origin): origin for origin in Origin if origin is not Origin.IMPORT}
_IN_TAGS = "<TAGS>", "</TAGS>"
_AS_THEY_ARE = PlacedSpans("", ())
_CONTENT = etree.XPath("*[* or normalize-space()]")


@dataclass(frozen=True, slots=True)
class XmlRecord:
    """What a file holds: the text, the tags in order of the file, and unknown elements as XML.

    `notes` says what was done to the offsets or the text on the way in, `misfits` which tags have
    a text of their own that is not quite what stands there, `root` is the name of the root.
    """

    text: str
    tags: tuple[Tag, ...]
    unknown: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    misfits: tuple[str, ...] = ()
    root: str = ROOT
    placed: PlacedSpans = _AS_THEY_ARE
    """What was put by quote; nothing where the file was not read so."""


class I2b2Format(FileFormat):
    """One record in a file, with the tags of one annotator."""

    name = "i2b2"
    title = LISTED[name].title
    suffixes = (".xml",)
    features = frozenset(Feature) - {
        Feature.LAYERS,
        Feature.CHARACTERS,
        Feature.DATES,
        Feature.KINDS,
    }
    is_single = True
    keeps_root: ClassVar[bool] = False

    def read(self, paths: tuple[Path, ...], options: ReadOptions) -> Iterator[Record]:
        (path,) = paths
        xml = read_record(path, by_quote=options.by_quote)
        document = Document(record_id_of(path), "", xml.text)
        source = RecordSource(path, "XML", "", (("root", xml.root),) if self.keeps_root else ())
        lost = (
            Loss(document.record_id, each, "text in the file of its own", is_dropped=False)
            for each in xml.misfits
        )
        record = Record.of(document, xml.tags, xml.unknown, source, xml.notes)
        yield replace(record, lost=(*lost, *xml.placed.losses(document.record_id)))

    def write(self, records: Sequence[Record], options: WriteOptions) -> Iterator[OutputFile]:
        for each in records:
            data = format_record(each.document.text, each.layer, bare=options.bare)
            yield OutputFile(f"{each.document.record_id}.xml", data)


def read_record(path: Path, *, by_quote: bool = False) -> XmlRecord:
    """Read a file. Raises FileError, its subclasses above all."""
    data = read_bounded(path)
    return parse_record(data, path, by_quote=by_quote)


def parse_record(data: bytes, path: Path, *, by_quote: bool = False) -> XmlRecord:
    """Return what `data`, the content of the file `path`, holds.

    Raises FileFormatError where it is no such file or an offset is wrong, TextMismatchError where
    a tag's `text` is not what stands at its offsets; with `by_quote` such a tag is put where its
    text stands, or left out.
    """
    root = secure_xml.parse(data, path)
    text = _text_of(root, path)
    tags = _usual_tags(root, text)
    if tags is None:
        return _sorted_out(root, text, path, by_quote=by_quote)
    _refuse_double_ids([each.id for each in tags], path)
    unknown = (_as_xml(each) for each in root if _section(each) not in {"TAGS", "TEXT"})
    return XmlRecord(text, tuple(tags), tuple(unknown), root=_root(root))


def _usual_tags(root: Element, text: str) -> list[Tag] | None:
    """Return the tags in one go where they are as nearly all are; None where any is not.

    Each is empty, its offsets are code points, and the text that it says stands there.
    """
    found: list[Tag] = []
    length, within = len(text), [each for each in root if _section(each) == "TAGS"]
    if "\r" in text or Utf16Map(text).length > length or any(map(_CONTENT, within)):
        return None
    for element in chain.from_iterable(within):
        read, knows_all = attributes_read(element)
        try:
            start, end = int(read[0] or ""), int(read[1] or "")
        except ValueError:
            return None
        if not 0 <= start < end <= length or read[3] != text[start:end]:
            return None
        found.append(_tag(element, Span(start, end), read, knows_all))
    return found


def _sorted_out(root: Element, text: str, path: Path, *, by_quote: bool) -> XmlRecord:
    """Return the record whatever its tags are, or say what is wrong with one."""
    tags: list[XmlTag] = []
    unknown: list[str] = []
    for element in root:
        if _section(element) == "TAGS":
            _sort_out(element, tags, unknown, path)
        elif _section(element) != "TEXT":
            unknown.append(_as_xml(element))
    _refuse_double_ids([each.id for _, (each, *_) in groupby(tags, _element_of)], path)
    notes: list[str] = []
    tags, placed = _by_quote(tags, text, path) if by_quote else (tags, _AS_THEY_ARE)
    tags, in_units = in_code_points(tags, text, path)
    odd = misfits(tags, text)
    if in_units:
        notes.append("offsets counted in UTF-16 units")
    if "\r" in text:
        tags, text = without_returns(tags, text)
        notes.append(RETURNS_NOTE)
    made = (tag for _, pieces in groupby(tags, _element_of) for tag in _whole([*pieces], path))
    return XmlRecord(
        text, tuple(made), tuple(unknown), tuple(notes), tuple(odd), _root(root), placed
    )


def _by_quote(tags: list[XmlTag], text: str, path: Path) -> tuple[list[XmlTag], PlacedSpans]:
    """Return the tags with offsets that fit, and which were not as the file has them."""
    try:
        in_code_points(tags, text, path)
    except FileFormatError:
        if "\r" in text:  # as hardly any file has it: offsets would have to be moved back
            raise
        raw = [RawSpan(each.start, each.end, each.text, shown_id(each.id)) for each in tags]
        placed = placed_spans(text, raw, path, by_quote=True)
        both = zip(tags, placed.spans, strict=True)
        return [each._replace(start=at.start, end=at.end) for each, at in both if at], placed
    return tags, _AS_THEY_ARE


def _element_of(tag: XmlTag) -> Element:
    return tag.element


def _whole(pieces: Sequence[XmlTag], path: Path) -> list[Tag]:
    """Return the tag of an element, or those of its pieces."""
    first, spans = pieces[0], [Span(each.start, each.end) for each in pieces]
    refuse_overlapping_pieces(path, shown_id(first.id), spans)
    return pieces_of(_tag(first.element, spans[0], first.read, first.knows_all), spans)


def _root(root: Element) -> str:
    return str(root.tag).rpartition("}")[2]


def format_record(text: str, layer: Layer, *, bare: bool = False) -> bytes:
    """Return the file that holds a record's text and a layer of it; the same in, the same out.

    With `bare`, origin and confidence are left out. Raises ModelError where a tag lies outside
    the text or its category cannot be the name of an element.
    """
    elements = [_element(tag, text, bare) for tag in sorted(layer.tags, key=Tag.sort_key)]
    inside, outside = unknown_elements(layer)
    return xml_file(text, [*elements, *inside], outside)


def unknown_elements(layer: Layer) -> tuple[list[str], list[str]]:
    """The elements that Tandem does not know, as they stood within TAGS and beside it."""
    inside = [each for each in layer.unknown if each.startswith(_IN_TAGS[0])]
    outside = [each for each in layer.unknown if each not in inside]
    return [each.removeprefix(_IN_TAGS[0]).removesuffix(_IN_TAGS[1]) for each in inside], outside


def xml_file(
    text: str, in_tags: Iterable[str], after_tags: Iterable[str] = (), root: str = ROOT
) -> bytes:
    """Return the file of a record, with these elements written out."""
    lines = [
        '<?xml version="1.0" encoding="UTF-8" ?>',
        f"<{root}>",
        f"<TEXT>{cdata(text)}</TEXT>",
        "<TAGS>",
        *in_tags,
        "</TAGS>",
        *after_tags,
        f"</{root}>",
        "",
    ]
    return "\n".join(lines).encode()


def _element(tag: Tag, text: str, bare: bool) -> str:
    if tag.end > len(text):
        raise ModelError(f"tag {tag.id} [{tag.start}, {tag.end}) lies outside its record")
    known = {
        "id": tag.id,
        "start": str(tag.start),
        "end": str(tag.end),
        "text": tag.span.text_in(text),
        "TYPE": tag.phi_type.name,
        "comment": tag.comment,
    }
    if tag.origin is not Origin.IMPORT and not bare:
        known["origin"] = tag.origin
        if tag.confidence is not None:
            known["confidence"] = repr(float(tag.confidence))
    return tag_element(tag.phi_type.category, {**known, **dict(tag.attributes), **known})


def _section(element: Element) -> str:
    """The name of an element of the root without its namespace, in capitals."""
    return str(element.tag).rpartition("}")[2].upper()


def _as_xml(element: Element) -> str:
    return etree.tostring(element, encoding="unicode", with_tail=False)


def _text_of(root: Element, path: Path) -> str:
    holders = [element for element in root if _section(element) == "TEXT"]
    if len(holders) != 1:
        many = "no TEXT element" if not holders else f"{len(holders)} TEXT elements"
        raise FileFormatError(path, f"has {many}; a record has exactly one")
    if len(holders[0]):
        raise FileFormatError(
            path, "holds elements inside TEXT, which has to be plain; take the markup out"
        )
    return holders[0].text or ""


def _sort_out(tags: Element, found: list[XmlTag], unknown: list[str], path: Path) -> None:
    filled = set(cast("list[Element]", _CONTENT(tags)))
    for element in tags:
        pieces = xml_tags_of(element, path)
        if not pieces:
            unknown.append(_as_xml(element).join(_IN_TAGS))
        elif element in filled:
            raise tag_error(
                path, element, "holds content of its own, which would be lost; remove it"
            )
        else:
            found += pieces


def _refuse_double_ids(ids: Sequence[str], path: Path) -> None:
    if len(set(ids)) == len(ids):
        return
    seen: set[str] = set()
    for each in ids:
        if each and each in seen:
            raise FileFormatError(
                path, f"two tags have the id {shown_id(each)}; rename one of them"
            )
        seen.add(each)


def _tag(element: Element, span: Span, read: AttributesRead, knows_all: bool) -> Tag:
    _, _, tag_id, _, name, comment, said_origin, said_confidence, _ = read
    origin, confidence, is_ours = _provenance(said_origin, said_confidence)
    return Tag(
        span,
        _phi_type(element.tag, name),
        tag_id or "",
        comment or "",
        origin,
        confidence,
        () if knows_all and is_ours else _unknown_attributes(element, origin, confidence),
    )


@lru_cache(maxsize=1024)
def _phi_type(tag: str, name: str | None) -> PhiType:
    category = tag.rpartition("}")[2]
    return PhiType(category, name or category)


def _unknown_attributes(
    element: Element, origin: Origin, confidence: float | None
) -> tuple[tuple[str, str], ...]:
    known = _OWN if origin is Origin.IMPORT else _OWN | {"origin"}
    known = known if confidence is None else known | {"confidence"}
    attributes = cast("list[tuple[str, str]]", element.items())
    return tuple(pair for pair in attributes if pair[0] not in known)


@lru_cache(maxsize=1024)
def _provenance(origin: str | None, confidence: str | None) -> tuple[Origin, float | None, bool]:
    """Read the two attributes of ours, and say whether they are: written as we write them."""
    found = _ORIGINS.get(origin or "", Origin.IMPORT)
    share = None if found is Origin.IMPORT else _share(confidence)
    is_ours = (origin is None, confidence is None) == (found is Origin.IMPORT, share is None)
    return found, share, is_ours


def _share(said: str | None) -> float | None:
    try:
        share = float(said or "")
    except ValueError:
        return None
    return share if 0 <= share <= 1 else None
