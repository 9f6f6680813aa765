"""Where the tags of an XML file lie: reading, checking and moving their offsets."""

import re
from bisect import bisect_left
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, cast

from shared.errors import FileFormatError, TextMismatchError
from shared.formats.secure_xml import Element
from shared.formats.xml_characters import STAND_IN
from shared.text.utf16 import Utf16Map

_PIECES = re.compile("[,;]")
_NOT_IN_THE_TEXT = -1, -1
"""How MAE writes a tag that stands for the whole record and for no stretch of it."""


_LONGEST_ID = 40


class Placed(NamedTuple):
    """An element, its attributes and its offsets, whose unit `in_code_points` finds out."""

    element: Element
    attributes: dict[str, str]
    start: int
    end: int

    @property
    def id(self) -> str:
        return self.attributes.get("id", "")

    def moved(self, to: Callable[[int], int]) -> "Placed":
        start = to(self.start)
        return self._replace(start=start, end=max(to(self.end), start + 1))


def placed(element: Element, path: Path) -> Placed | None:
    """Return the element with its offsets, None where it has none.

    Raises FileFormatError where they are no numbers, or those of several pieces.
    """
    attributes = cast("dict[str, str]", dict(element.items()))  # str each, since this is no bytes
    start, end, spans = attributes.get("start"), attributes.get("end"), attributes.get("spans")
    if start is None and end is None:
        if spans is None:
            return None
        if _PIECES.search(spans):
            raise tag_error(
                path, element, "is discontinuous, which Tandem does not support; make it several"
            )
        start, _, end = spans.partition("~")
    try:
        offsets = int(start or ""), int(end or "")
    except ValueError:
        raise tag_error(
            path, element, "has offsets that are not whole numbers; mend them"
        ) from None
    return None if offsets == _NOT_IN_THE_TEXT else Placed(element, attributes, *offsets)


def in_code_points(tags: list[Placed], text: str, path: Path) -> tuple[list[Placed], bool]:
    """Return the tags with offsets in code points, and whether the file counts UTF-16 units.

    MAE and MedTator do. Only the tags' own text can tell: it fits one way and not the other.
    Raises FileFormatError where an offset lies outside the text, TextMismatchError where a tag's
    text is not what stands there.
    """
    problem = _first_problem(tags, text, path)
    if problem is None:
        return tags, False
    units = Utf16Map(text)
    if units.length > len(text) and any(each.attributes.get("text") for each in tags):
        moved = [each.moved(units.to_offset) for each in tags]
        if _first_problem(moved, text, path) is None:
            return moved, True
    raise problem


def without_returns(tags: list[Placed], text: str) -> tuple[list[Placed], str]:
    """Turn CR LF and CR, which a file can hold as `&#13;`, into LF, and move the tags along."""
    pairs = [each.start() for each in re.finditer("\r\n", text)]
    moved = [each.moved(lambda offset: offset - bisect_left(pairs, offset)) for each in tags]
    return moved, text.replace("\r\n", "\n").replace("\r", "\n")


def tag_error(path: Path, element: Element, problem: str) -> FileFormatError:
    """The error that names a tag by its id, or by its line where it has none."""
    name = shown_id(element.get("id", "")) or f"without an id (line {element.sourceline})"
    return FileFormatError(path, f"tag {name} {problem}")


def shown_id(tag_id: str) -> str:
    """An id as an error may hold it: in one line and short, whatever a file has there."""
    return " ".join(tag_id.split())[:_LONGEST_ID]


def _first_problem(tags: list[Placed], text: str, path: Path) -> FileFormatError | None:
    length = len(text)
    for _, attributes, start, end in tags:
        if not 0 <= start < end <= length or attributes.get("text") != text[start:end]:
            break
    else:
        return None  # as it nearly always is
    return next((found for each in tags if (found := _problem(each, text, path))), None)


def _problem(tag: Placed, text: str, path: Path) -> FileFormatError | None:
    start, end = tag.start, tag.end
    if not 0 <= start < end <= len(text):
        problem = f"has the offsets [{start}, {end}) in a record of {len(text)} characters"
        return tag_error(path, tag.element, f"{problem}; mend them")
    said = tag.attributes.get("text")
    if said is None or _is_same(said, text[start:end]):
        return None
    return TextMismatchError(path, shown_id(tag.id), start, end)


def _is_same(said: str, there: str) -> bool:
    """Compare one for one: XML turns blanks in attributes into spaces, copies hold U+FFFD."""
    if said == there:
        return True
    return len(said) == len(there) and all(
        one == other or STAND_IN in (one, other) or (one.isspace() and other.isspace())
        for one, other in zip(said, there, strict=True)
    )
