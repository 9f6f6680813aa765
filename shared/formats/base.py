"""What a file format is: files become records with their layers, and records become files."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import ClassVar

from shared.errors import FileError, RequestError
from shared.model import Document, Layer, Tag

_ADDED_TO = (".txt", ".xml")
"""MedTator and others write the tags of `110-02.txt` to `110-02.txt.xml`."""


class Feature(StrEnum):
    """What a format may be able to carry of a record; what it cannot is dropped or changed."""

    TAGS = "tags"
    OVERLAPS = "overlapping tags"
    BLANK_EDGES = "tags that begin or end with a blank"
    PIECES = "tags in several pieces"
    LAYERS = "several layers"
    IDS = "ids"
    COMMENTS = "comments"
    ORIGIN = "origin"
    CONFIDENCE = "confidence"
    ATTRIBUTES = "unknown attributes"
    ELEMENTS = "unknown elements"
    CHARACTERS = "every character"
    DATES = "dates of records"
    KINDS = "kinds of records"


@dataclass(frozen=True, slots=True)
class Loss:
    """Something of a record that could not be carried; `tag_id` is "" where it is of no tag.

    `what` is a feature, or in words what no format of ours has, such as relations.
    """

    record_id: str
    tag_id: str
    what: str
    is_dropped: bool = True
    """False: it is there, changed."""


@dataclass(frozen=True, slots=True)
class RecordSource:
    """Where a record came from; `place` tells it from others of its file (`line 12`).

    `form` says how the file has it, as options of its format: what writes that format again
    follows them where nothing else is asked for.
    """

    path: Path = Path()
    encoding: str = "UTF-8"
    place: str = ""
    form: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        return f"{self.path}, {self.place}" if self.place else str(self.path)


@dataclass(frozen=True, slots=True)
class Record:
    """A record with a layer for each annotator, "" being whoever the file does not name.

    `notes` says what was done to the text on the way in (encoding, line ends), `lost` what the
    file holds and Tandem cannot. `date` and `kind` are as the file says them, "" where it does not.
    """

    document: Document
    layers: tuple[Layer, ...] = ()
    source: RecordSource = RecordSource()
    notes: tuple[str, ...] = ()
    lost: tuple[Loss, ...] = ()
    date: str = ""
    kind: str = ""

    @classmethod
    def of(
        cls,
        document: Document,
        tags: Iterable[Tag],
        unknown: Iterable[str] = (),
        source: RecordSource = RecordSource(),
        notes: tuple[str, ...] = (),
    ) -> "Record":
        """Return the record whose file holds these tags and elements and names no annotator."""
        layer = Layer.of(document.record_id, "", tags, unknown)
        return cls(document, (layer,), source, notes)

    @property
    def layer(self) -> Layer:
        """The only layer, empty where there is none. Raises RequestError where there are more."""
        if len(self.layers) > 1:
            names = ", ".join(each.annotator or "nobody" for each in self.layers)
            raise RequestError(
                f"record {self.document.record_id} holds the tags of {names}; give a file for each"
            )
        return self.layers[0] if self.layers else Layer(self.document.record_id, "")

    @property
    def tags(self) -> tuple[Tag, ...]:
        return self.layer.tags


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """What files do not say of themselves: `values` holds the options of a format by name.

    `encoding` is that of text, told by its bytes where it is "". With `by_quote` a tag whose own
    text is not what stands at its offsets is put where that text stands, or is lost, and the record
    says which; otherwise the record is not read.
    """

    values: Mapping[str, str] = field(default_factory=dict[str, str])
    encoding: str = ""
    by_quote: bool = False


@dataclass(frozen=True, slots=True)
class WriteOptions:
    """How files are to be: `bare` leaves out what is Tandem's own, origin and confidence."""

    bare: bool = False
    values: Mapping[str, str] = field(default_factory=dict[str, str])

    def value(self, name: str, record: Record, default: str) -> str:
        """What an option is for a record: as asked for, as its own file has it, or the default."""
        return self.values.get(name) or dict(record.source.form).get(name) or default


@dataclass(frozen=True, slots=True)
class OutputFile:
    """A file to be written: its name below the folder, with `/`, and what it holds."""

    name: str
    data: bytes


class FileFormat(ABC):
    """One file format. Offsets are in its own unit in its files, in code points here.

    `suffixes` end the names of its files, in small letters, `beside` those of files that belong
    to it and hold no record, such as a task definition. `options` are the names of those that it
    takes, with what each is, `written` those that say how files are written, too.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]]
    beside: ClassVar[tuple[str, ...]] = ()
    features: ClassVar[frozenset[Feature]]
    options: ClassVar[Mapping[str, str]] = {}
    written: ClassVar[frozenset[str]] = frozenset()
    is_single: ClassVar[bool] = False
    """Whether each file by itself is one record, of the name that `record_id_of` tells."""

    def sources(self, paths: Sequence[Path]) -> Iterator[tuple[Path, ...]]:
        """Yield those of the files that are of this format, together where they make one whole."""
        for path in paths:
            if path.name.lower().endswith(self.suffixes):
                yield (path,)

    @abstractmethod
    def read(self, paths: tuple[Path, ...], options: ReadOptions) -> Iterator[Record | FileError]:
        """Yield the records of one of the `sources`, and what is wrong with single ones.

        The id of a patient is "" where the files do not tell it. Raises FileError where nothing
        can be read.
        """

    @abstractmethod
    def write(self, records: Sequence[Record], options: WriteOptions) -> Iterator[OutputFile]:
        """Yield the files of these records; the same in, the same out.

        Raises ModelError or SchemaError where a record cannot be written at all.
        """


def record_id_of(path: Path, suffixes: tuple[str, ...] = ()) -> str:
    """The record's name: the file name without its suffix, or suffixes (`110-02.txt.xml`)."""
    name = path.name
    while name.lower().endswith((*suffixes, *_ADDED_TO)):
        name = name[: name.rindex(".")]
    return name
