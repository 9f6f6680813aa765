"""A record as the evaluators see it: attributes as they are written, nothing checked or mended."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from shared.errors import FileFormatError, RequestError, StorageError
from shared.formats import secure_xml
from shared.formats.secure_xml import Element
from shared.outside import read_bounded

NAMES = ("PHI", "NAME", "PROFESSION", "LOCATION", "AGE", "DATE", "CONTACT", "ID", "OTHER")
"""The element names that are scored; every other element is passed over."""

_NUMBER = re.compile(r"\s*[+-]?[0-9]+\s*")

IsValid = Callable[[str, str], bool]
"""Says whether a TYPE is one that the element of this name may have."""


class RawTag(NamedTuple):
    """An element of TAGS: `start_text` and `end_text` as written, `start` and `end` as numbers."""

    name: str
    start_text: str
    end_text: str
    type: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class RawFile:
    """A record's text (None where TEXT is empty or missing), its tags, and what the script says.

    `warnings` are the lines that the script prints on reading, without the line ends.
    """

    text: str | None
    tags: tuple[RawTag, ...]
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Dialect:
    """In what the readers of the two scripts differ."""

    order: Sequence[str]
    is_valid: IsValid
    missing: str


def read_raw(path: Path, dialect: Dialect) -> RawFile:
    """Read a record. Raises FileFormatError, StorageError."""
    root = secure_xml.parse(read_bounded(path), path)
    holder = root.find("TAGS")
    if holder is None:
        raise FileFormatError(path, "has no TAGS element; the evaluator needs one")
    elements = [each for each in holder if each.tag in NAMES]
    warnings = tuple(_warnings(elements, dialect))
    tags = tuple(_tag(each, path) for each in elements)
    return RawFile(root.findtext("TEXT") or None, tags, warnings)


def input_files(system: Path, gold: Path) -> tuple[list[Path], list[Path]]:
    """Return the files of two folders, or two files, whose names end in xml, as the system has it.

    Raises StorageError where one cannot be read, RequestError where a folder is to be compared
    with a file.
    """
    for path in (system, gold):
        if not path.exists():
            raise StorageError(path, "does not exist; check the name")
    if system.is_file() != gold.is_file():
        raise RequestError("give two folders or two files; a folder and a file do not compare")
    return ([system], [gold]) if gold.is_file() else (_xml_paths(system), _xml_paths(gold))


def _xml_paths(folder: Path) -> list[Path]:
    try:
        return [path for path in folder.iterdir() if path.name.endswith("xml")]
    except OSError as error:
        raise StorageError.from_os(folder, error) from error


def _tag(element: Element, path: Path) -> RawTag:
    start, end = element.get("start", ""), element.get("end", "")
    if not (_is_number(start) and _is_number(end)):
        tag_id = element.get("id", "without id")
        raise FileFormatError(path, f"tag {tag_id} has a start or end that is no whole number")
    return RawTag(str(element.tag), start, end, element.get("TYPE", ""), int(start), int(end))


def _is_number(text: str) -> bool:
    return (text.isdecimal() and text.isascii()) or _NUMBER.fullmatch(text) is not None


def _warnings(elements: Iterable[Element], dialect: Dialect) -> Iterator[str]:
    odd = [each for each in elements if not dialect.is_valid(str(each.tag), each.get("TYPE", ""))]
    for element in sorted(odd, key=lambda each: dialect.order.index(str(each.tag))):
        kind, tag_id = element.get("TYPE"), element.get("id", "")
        if kind is None:
            yield dialect.missing.format("TYPE", element.tag, tag_id)
        else:
            yield (
                f"WARNING: Expected attribute 'TYPE' for xml element <{element.tag} ({tag_id})>  "
                f"was not valid ('{kind}')"
            )
