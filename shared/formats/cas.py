"""UIMA CAS as XMI or JSON, of any type system: what INCEpTION, WebAnno and DKPro read and write.

Which annotations are tags, and which of their features holds the label, is told by the options
type and feature, or guessed over all files of the folder (`cas_types.py`). XMI needs its type
system, an XML file beside it or in a folder above it. Every view with a text is a record. Features
that Tandem does not know become attributes and are written again as features of text.
"""

import re
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from io import BytesIO
from itertools import groupby
from pathlib import Path
from types import ModuleType
from typing import Any

from lxml import etree

from shared.errors import FileError, FileFormatError, RequestError
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
from shared.formats.cas_types import (
    TagTypes,
    TypeUse,
    features_in_json,
    features_in_xml,
    is_structure,
    refuse_names,
    short_name,
)
from shared.formats.cas_writing import cas_files
from shared.formats.format_list import LISTED
from shared.formats.json_spans import take_own
from shared.formats.record_fields import head_of
from shared.formats.tag_offsets import RawSpan, placed_spans
from shared.model import Document, Layer, Tag
from shared.outside import MALFORMED, read_bounded

INITIAL_VIEW = "_InitialView"

_HEAD = 4096
_TYPE_SYSTEM = b"typeSystemDescription"
_JSON_MARKS = (b'"%TYPES"', b'"%FEATURE_STRUCTURES"', b'"%VIEWS"')
_PLACES = frozenset({"sofa", "begin", "end"})
_LOOKED_AT = 200
"""Files from which is guessed what a tag is, spread over the folder."""
_VERSION_1_1 = re.compile(rb"""^(\s*<\?xml\s+version=["'])1\.1""")
_REFERENCE = re.compile(rb"&#(x[0-9A-Fa-f]{1,6}|[0-9]{1,7});")
_REPLACED = "characters that XML 1.0 does not have replaced"
_BROKEN = (*MALFORMED, RuntimeError, etree.LxmlError)
_NAMES_USED = (".xmi", ".json", ".txt")


class CasFormat(FileFormat):
    """One record or more in a file, or a layer of one."""

    name = "xmi"
    title = LISTED[name].title
    suffixes = (".xmi",)
    features = frozenset(Feature) - {
        Feature.LAYERS,
        Feature.IDS,
        Feature.ATTRIBUTES,
        Feature.ELEMENTS,
        Feature.CHARACTERS,
        Feature.DATES,
        Feature.KINDS,
    }
    options = LISTED[name].options
    written = frozenset({"type", "feature"})

    def sources(self, paths: Sequence[Path]) -> Iterator[tuple[Path, ...]]:
        files = [each for each in paths if _is_cas(each)]
        if files:
            systems = (each for each in paths if each.suffix.lower() == ".xml")
            yield (*files, *filter(_is_type_system, systems))

    def read(self, paths: tuple[Path, ...], options: ReadOptions) -> Iterator[Record | FileError]:
        files = [each for each in paths if each.suffix.lower() != ".xml"]
        reader = _CasReader(_cassis(), _TypeSystems([*paths[len(files) :]]))
        use = TypeUse()
        if not {"type", "feature"} <= options.values.keys():
            for path in files[:: max(1, len(files) // _LOOKED_AT)]:
                reader.count(path, use)
        tag_types = use.guess(options.values)
        for (name, _), some in groupby(_named(files, options), key=lambda each: each[:2]):
            yield from reader.layered(name, [each[2:] for each in some], tag_types)

    def write(self, records: Sequence[Record], options: WriteOptions) -> Iterator[OutputFile]:
        yield from cas_files(_cassis(), records, options)


def _named(
    files: Sequence[Path], options: ReadOptions
) -> Iterator[tuple[str, Path | None, str, Path]]:
    """Yield the files with the name of the record, the folder that has it, and whose each is.

    INCEpTION exports `annotation/letter.txt/ana.xmi`: a name that comes in several folders is that
    of a person, and the folder is the record.
    """
    folders: dict[str, set[Path]] = {}
    for each in files:
        folders.setdefault(record_id_of(each, _NAMES_USED), set()).add(each.parent)
    for each in files:
        name = record_id_of(each, _NAMES_USED)
        if len(folders[name]) == 1:
            yield name, each, "", each
        elif options.values.get("annotator") in (None, name):
            yield record_id_of(each.parent, _NAMES_USED), each.parent, name, each


def _is_cas(path: Path) -> bool:
    if path.suffix.lower() == ".json":
        head = head_of(path, _HEAD)
        return head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{") and any(
            each in head for each in _JSON_MARKS
        )
    return path.suffix.lower() == ".xmi"


def _is_type_system(path: Path) -> bool:
    return _TYPE_SYSTEM in head_of(path, _HEAD)


def _cassis() -> ModuleType:
    try:
        return import_module("cassis")
    except ImportError:
        raise RequestError(
            "UIMA CAS needs the package dkpro-cassis; install it beside Tandem"
        ) from None


@dataclass
class _TypeSystems:
    """The type systems of a folder, each read when a file first needs it."""

    paths: list[Path]

    def __post_init__(self) -> None:
        self._read: dict[Path, Any] = {}

    def beside(self, path: Path, cassis: ModuleType) -> Any | None:  # noqa: ANN401
        """That of a file: in its folder, in one above it, or the only one there is."""
        found = next(filter(None, map(self._in_folder, path.parents)), None)
        if found is None and len(self.paths) == 1:
            found = self.paths[0]
        if found is None:  # the file was given alone
            there = sorted(path.parent.glob("*.xml"))
            found = next(filter(_is_type_system, there), None)
        if found is not None and found not in self._read:
            data = _xml(found)[0]
            refuse_names(features_in_xml(data), found)
            load = partial(cassis.load_typesystem, BytesIO(data))
            self._read[found] = _understood(found, load)
        return self._read.get(found) if found else None

    def _in_folder(self, folder: Path) -> Path | None:
        there = sorted(each for each in self.paths if each.parent == folder)
        return there[0] if there else None


@dataclass
class _CasReader:
    """What reads the files of a folder."""

    cassis: ModuleType
    systems: _TypeSystems

    def count(self, path: Path, use: TypeUse) -> None:
        """Count the annotations of a file; what is wrong with it is said when it is read."""
        try:
            cas, _ = self._load(path)
        except FileError:
            return
        for view in _views(cas):
            for each in view.select_all_annotations():
                if _length(each):
                    use.add(each, _features(each, only_text=True))

    def layered(
        self, name: str, files: Iterable[tuple[str, Path]], tag_types: TagTypes | None
    ) -> Iterator[Record | FileError]:
        """Yield the records of the files of one name, with a layer for each file."""
        found: dict[str, Record] = {}
        for annotator, path in files:
            try:
                for each in self.records(name, annotator, path, tag_types):
                    first = found.get(each.document.record_id, replace(each, layers=(), lost=()))
                    if first.document != each.document:
                        problem = f"has another text than {first.source.path.name}"
                        raise FileFormatError(path, problem)
                    layers, lost = (*first.layers, *each.layers), (*first.lost, *each.lost)
                    found[each.document.record_id] = replace(first, layers=layers, lost=lost)
            except FileError as problem:
                yield problem
        yield from found.values()

    def records(
        self, name: str, annotator: str, path: Path, tag_types: TagTypes | None
    ) -> Iterator[Record]:
        """Yield a record for each view. Raises FileError."""
        cas, notes = self._load(path)
        views = [*_views(cas)]
        if not views:
            raise FileFormatError(path, "holds no text")
        for view in views:
            view_id = str(view.get_sofa().sofaID)
            is_only = len(views) == 1 or view_id == INITIAL_VIEW
            record_id = name if is_only else f"{name}-{view_id}"
            record = _record(view, record_id, path, tag_types, notes)
            layer = replace(record.layer, annotator=annotator)
            yield replace(record, layers=(layer,))

    def _load(self, path: Path) -> tuple[Any, tuple[str, ...]]:
        system = self.systems.beside(path, self.cassis)
        if path.suffix.lower() == ".json":
            data, notes = read_bounded(path), ()
            refuse_names(features_in_json(data, path), path)
            load = self.cassis.load_cas_from_json
        else:
            if system is None:
                problem = "has no type system beside it; put its TypeSystem.xml there"
                raise FileFormatError(path, problem)
            data, notes = _xml(path)
            load = partial(self.cassis.load_cas_from_xmi, trusted=True)
        read = partial(load, BytesIO(data), typesystem=system)
        return _understood(path, read), notes


def _xml(path: Path) -> tuple[bytes, tuple[str, ...]]:
    """Return the content of an XML file that is safe to parse, and what was changed in it."""
    data = read_bounded(path)
    notes: tuple[str, ...] = ()
    if _VERSION_1_1.match(data):
        data = _VERSION_1_1.sub(rb"\g<1>1.0", data)
        fitting = _REFERENCE.sub(_allowed, data)
        notes = (_REPLACED,) if fitting != data else ()
        data = fitting
    secure_xml.parse(data, path)
    return data, notes


def _allowed(reference: re.Match[bytes]) -> bytes:
    said = reference[1].decode()
    code = int(said[1:], 16) if said.startswith("x") else int(said)
    is_control = code < 0x20 and code not in (9, 10, 13)
    return b"&#xFFFD;" if is_control else reference[0]


def _understood(path: Path, load: partial[Any]) -> Any:  # noqa: ANN401
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return load()
    except _BROKEN as error:
        problem = f"is no CAS that can be read ({type(error).__name__}); export it again"
        raise FileFormatError(path, problem) from None
    except Exception as error:
        if type(error).__name__ != "TypeNotFoundError":  # cassis has it outside its interface
            raise
        problem = "has annotations of a type that its type system lacks; put the right one there"
        raise FileFormatError(path, problem) from None


def _views(cas: Any) -> Iterator[Any]:  # noqa: ANN401
    for each in cas.views:
        view = cas.get_view(each.sofa.sofaID)
        if view.sofa_string:
            yield view


def _record(
    view: Any,  # noqa: ANN401
    record_id: str,
    path: Path,
    tag_types: TagTypes | None,
    notes: tuple[str, ...],
) -> Record:
    chosen: list[Any] = []
    lost: list[Loss] = []
    others: Counter[str] = Counter()
    for each in view.select_all_annotations():
        name = str(each.type.name)
        if not tag_types or not tag_types.holds(name):
            others[name] += 1
        elif _length(each):
            chosen.append(each)
        else:
            lost.append(Loss(record_id, str(each.xmiID), "tags of no length"))
    tags, text, moved = _tags(view, chosen, tag_types, path)
    lost += _losses(record_id, others, chosen)
    form = (("type", tag_types.type_name), ("feature", tag_types.feature)) if tag_types else ()
    is_json = path.suffix.lower() == ".json"
    said = f"tags are {tag_types.type_name} by {tag_types.feature or 'type'}" if tag_types else ""
    return Record(
        Document(record_id, "", text),
        (Layer.of(record_id, "", tags),),
        RecordSource(path, "CAS", "", (*form, ("as", "json" if is_json else "xmi"))),
        (*notes, *moved, *([said] if said else ["no tags: no annotation could be one"])),
        tuple(lost),
    )


def _tags(
    view: Any,  # noqa: ANN401
    annotations: Sequence[Any],
    tag_types: TagTypes | None,
    path: Path,
) -> tuple[list[Tag], str, tuple[str, ...]]:
    raw = [RawSpan(each.begin, each.end, None, str(each.xmiID)) for each in annotations]
    placed = placed_spans(str(view.sofa_string), raw, path, units=False)
    tags: list[Tag] = []
    for each, span in zip(annotations, placed.spans, strict=True):
        if tag_types is not None and span is not None:
            said = dict(_features(each))
            label = said.pop(tag_types.feature, None)
            phi_type = tag_types.phi_type(str(each.type.name), label)
            comment, origin, confidence = take_own(said)
            others = tuple(said.items())
            tags.append(Tag(span, phi_type, "", comment, origin, confidence, others))
    return tags, placed.text, placed.notes


def _losses(record_id: str, others: Counter[str], chosen: Iterable[Any]) -> Iterator[Loss]:
    """Yield what is not carried: other annotations, and features that refer to something."""
    for name, count in others.items():
        what = f"annotations of the type {short_name(name)}"
        times = 1 if is_structure(name) else count
        yield from (Loss(record_id, "", what) for _ in range(times))
    for each in chosen:
        for feature in each.type.all_features:
            value = each.get(feature.name)
            if feature.name not in _PLACES and value is not None and not _is_plain(value):
                yield Loss(record_id, str(each.xmiID), f"features {feature.name} that refer")


def _features(annotation: Any, *, only_text: bool = False) -> Iterator[tuple[str, str]]:  # noqa: ANN401
    """Yield the features that have a plain value, without where the annotation lies."""
    for feature in annotation.type.all_features:
        if feature.name not in _PLACES:
            value = annotation.get(feature.name)
            name = feature.name.removesuffix("_") if feature.name in _RENAMED else feature.name
            if isinstance(value, str) or (not only_text and value is not None and _is_plain(value)):
                yield name, value if isinstance(value, str) else _in_words(value)


_RENAMED = {"self_", "type_"}
"""Features that cassis calls otherwise."""


def _is_plain(value: object) -> bool:
    return isinstance(value, str | int | float | bool)


def _in_words(value: float | bool) -> str:
    return str(value).lower() if isinstance(value, bool) else repr(value)


def _length(annotation: Any) -> int:  # noqa: ANN401
    begin, end = annotation.begin, annotation.end
    return end - begin if isinstance(begin, int) and isinstance(end, int) else 0
