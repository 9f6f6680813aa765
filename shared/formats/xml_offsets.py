"""Where the tags of an XML file lie: reading, checking and moving their offsets."""

import re
from bisect import bisect_left
from collections.abc import Callable
from functools import lru_cache
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple, cast

from shared.errors import FileFormatError, TextMismatchError
from shared.formats.secure_xml import Element
from shared.formats.xml_characters import STAND_IN
from shared.text.utf16 import Utf16Map

_PIECES = re.compile("[,;]")
_NOT_IN_THE_TEXT = -1, -1
"""How MAE writes a tag that stands for the whole record and for no stretch of it."""


_LONGEST_ID = 40
_READ = "start", "end", "id", "text", "TYPE", "comment", "origin", "confidence", "spans"
KNOWN = frozenset(_READ)
"""The attributes that mean something to Tandem."""


AttributesRead = tuple[str | None, ...]
"""The values of `_READ`, None for what an element has not."""


class XmlTag(NamedTuple):
    """A tag as its element has it; `in_code_points` finds out the unit of its offsets."""

    element: Element
    start: int
    end: int
    read: AttributesRead
    knows_all: bool
    """Whether all attributes of the element are among `KNOWN`."""

    is_piece: bool = False
    """Whether it is one of several pieces, which have no text of their own."""

    @property
    def id(self) -> str:
        return self.read[2] or ""

    @property
    def text(self) -> str | None:
        return None if self.is_piece else self.read[3]

    def moved(self, to: Callable[[int], int]) -> "XmlTag":
        start = to(self.start)
        return self._replace(start=start, end=max(to(self.end), start + 1))


def attributes_read(element: Element) -> tuple[AttributesRead, bool]:
    """Return the values of `_READ`, and whether the element has no other attributes."""
    pick, knows_all = _order(tuple(element.keys()))
    values = cast("list[str]", element.values())  # str each, since this is no bytes
    return pick([*values, None]), knows_all


def xml_tags_of(element: Element, path: Path) -> list[XmlTag]:
    """Return the element with its offsets, once for each piece of it, never where it has none.

    Raises FileFormatError where they are no numbers.
    """
    read, knows_all = attributes_read(element)
    start, end, spans = read[0], read[1], read[-1]
    if start is None and end is None:
        if not spans:
            return []
        ends = [each.partition("~")[::2] for each in _PIECES.split(spans)]
    else:
        ends = [(start or "", end or "")]
    try:
        offsets = sorted((int(first), int(last)) for first, last in ends)
    except ValueError:
        raise tag_error(
            path, element, "has offsets that are not whole numbers; correct them"
        ) from None
    if offsets == [_NOT_IN_THE_TEXT]:
        return []
    is_piece = len(offsets) > 1
    return [XmlTag(element, *each, read, knows_all, is_piece) for each in offsets]


@lru_cache(maxsize=256)
def _order(names: tuple[str, ...]) -> tuple[Callable[[list[str | None]], Any], bool]:
    """Return how to pick the values of `_READ`, and whether it names all.

    Nearly all tags of a file have the same attributes in the same order. A value that is not
    there is looked for at the end of the list, which is to be None.
    """
    at = {name: place for place, name in enumerate(names)}
    return itemgetter(*(at.get(name, -1) for name in _READ)), at.keys() <= KNOWN


def in_code_points(tags: list[XmlTag], text: str, path: Path) -> tuple[list[XmlTag], bool]:
    """Return the tags with offsets in code points, and whether the file counts UTF-16 units.

    MAE and MedTator, whose tags have `spans`, do. The tags' own text tells: where it fits both
    ways, `spans` are UTF-16 units and `start` and `end` code points. With `spans` it may differ in
    case, or be longer or shorter, since they believe the offsets. Raises FileFormatError where
    an offset lies outside the text, TextMismatchError where a tag's text is not what stands there.
    """
    problem = _first_problem(tags, text, path)
    units = Utf16Map(text)
    may_count_units = units.length > len(text) and any(each.text or each.is_piece for each in tags)
    has_spans = any(each.element.get("spans") for each in tags)
    moved = tags
    if may_count_units and (problem is not None or has_spans):
        moved = [each.moved(units.to_offset) for each in tags]
        if moved != tags and _first_problem(moved, text, path) is None:
            return moved, True
    if problem is None:
        return tags, False
    for each in (moved, tags):
        if _first_problem(each, text, path, is_near=True) is None:
            return each, each is not tags
    raise problem


def misfits(tags: list[XmlTag], text: str) -> list[str]:
    """The ids of the tags whose own text is not quite what stands at their offsets."""
    return [
        each.id
        for each in tags
        if each.text is not None and not is_same_text(each.text, text[each.start : each.end])
    ]


def without_returns(tags: list[XmlTag], text: str) -> tuple[list[XmlTag], str]:
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


def _first_problem(
    tags: list[XmlTag], text: str, path: Path, *, is_near: bool = False
) -> FileFormatError | None:
    return next((found for each in tags if (found := _problem(each, text, path, is_near))), None)


def _problem(tag: XmlTag, text: str, path: Path, is_near: bool) -> FileFormatError | None:
    start, end = tag.start, tag.end
    if not 0 <= start < end <= len(text):
        problem = f"has the offsets [{start}, {end}) in a record of {len(text)} characters"
        return tag_error(path, tag.element, f"{problem}; correct them")
    if tag.text is None or is_same_text(tag.text, text[start:end]):
        return None
    if is_near and tag.read[-1] and _is_near(tag.text, text[start:end]):
        return None
    return TextMismatchError(path, shown_id(tag.id), start, end)


def is_same_text(said: str, there: str) -> bool:
    """Compare one for one: XML turns blanks in attributes into spaces, copies hold U+FFFD."""
    if said == there:
        return True
    return len(said) == len(there) and all(
        one == other or STAND_IN in (one, other) or (one.isspace() and other.isspace())
        for one, other in zip(said, there, strict=True)
    )


def _is_near(said: str, there: str) -> bool:
    """Whether one begins as the other does, in whatever case."""
    shorter, longer = sorted((said.casefold(), there.casefold()), key=len)
    return bool(shorter) and longer.startswith(shorter)
