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
    LAYERS = "several layers"
    IDS = "ids"
    COMMENTS = "comments"
    ORIGIN = "origin"
    CONFIDENCE = "confidence"
    ATTRIBUTES = "unknown attributes"
    ELEMENTS = "unknown elements"
    CHARACTERS = "every character"


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
    """Where a record came from; `place` tells it from others of its file (`line 12`)."""

    path: Path = Path()
    encoding: str = "UTF-8"
    place: str = ""

    def __str__(self) -> str:
        return f"{self.path}, {self.place}" if self.place else str(self.path)


@dataclass(frozen=True, slots=True)
class Record:
    """A record with a layer for each annotator, "" being whoever the file does not name.

    `notes` says what was done to the text on the way in (encoding, line ends), `lost` what the
    file holds and Tandem cannot.
    """

    document: Document
    layers: tuple[Layer, ...] = ()
    source: RecordSource = RecordSource()
    notes: tuple[str, ...] = ()
    lost: tuple[Loss, ...] = ()

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
    """What files do not say of themselves: `values` holds the options of a format by name."""

    values: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class WriteOptions:
    """How files are to be: `bare` leaves out what is Tandem's own, origin and confidence."""

    bare: bool = False
    values: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class OutputFile:
    """A file to be written: its name below the folder, with `/`, and what it holds."""

    name: str
    data: bytes


class FileFormat(ABC):
    """One file format. Offsets are in its own unit in its files, in code points here.

    `suffixes` end the names of its files, in small letters, `beside` those of files that belong
    to it and hold no record, such as a task definition.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]]
    beside: ClassVar[tuple[str, ...]] = ()
    features: ClassVar[frozenset[Feature]]

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
