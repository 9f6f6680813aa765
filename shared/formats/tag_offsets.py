"""Offsets of formats that do not say what they count: code points or UTF-16 units, CR or none."""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from shared.errors import FileFormatError, TextMismatchError
from shared.formats.text_file import RETURNS_NOTE
from shared.formats.xml_offsets import is_same_text, shown_id
from shared.model import Span
from shared.text.utf16 import Utf16Map

UNITS_NOTE = "offsets counted in UTF-16 units"


class RawSpan(NamedTuple):
    """Offsets as a file has them, with the text that it says stands there, if it does."""

    start: int
    end: int
    said: str | None = None
    tag_id: str = ""


class PlacedSpans(NamedTuple):
    """A text with LF alone, where each tag lies in it, and what was done for that."""

    text: str
    spans: tuple[Span, ...]
    notes: tuple[str, ...] = ()


class _OffsetUnit(NamedTuple):
    """One way to understand the offsets: those of which text, and what they count."""

    text: str
    to_offset: Callable[[int], int]
    length: int
    notes: tuple[str, ...] = ()


def placed_spans(
    text: str, raw: Sequence[RawSpan], path: Path, *, units: bool = True
) -> PlacedSpans:
    """Return the text with lines that end in LF, and the spans in it in code points.

    Offsets are understood as the tags' own texts tell: of the text as it is or with LF alone, in
    code points or UTF-16 units, the first that fits all; without `units` they are code points of
    the text as it is. Raises FileFormatError where an offset
    lies outside the text, TextMismatchError where a tag's text is not what stands there.
    """
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    problem: FileFormatError | None = None
    for each in _readings(text, plain) if units else [_OffsetUnit(text, int, len(text))]:
        found = next(_problems(each, raw, path), None)
        if found is None:
            to_plain = _without_returns(text) if each.text is text else int
            spans = (
                _span(to_plain(each.to_offset(one.start)), to_plain(each.to_offset(one.end)))
                for one in raw
            )
            notes = (RETURNS_NOTE,) if plain != text else ()
            return PlacedSpans(plain, tuple(spans), (*(each.notes if raw else ()), *notes))
        problem = problem or found
    raise problem or FileFormatError(path, "has no text")


def _readings(text: str, plain: str) -> Iterator[_OffsetUnit]:
    for each in dict.fromkeys((text, plain)):
        yield _OffsetUnit(each, int, len(each))
        units = Utf16Map(each)
        if units.length > len(each):
            yield _OffsetUnit(each, units.to_offset, units.length, (UNITS_NOTE,))


def _problems(
    reading: _OffsetUnit, raw: Sequence[RawSpan], path: Path
) -> Iterator[FileFormatError]:
    for each in raw:
        if not 0 <= each.start < each.end <= reading.length:
            problem = f"tag {shown_id(each.tag_id)} has the offsets [{each.start}, {each.end})"
            yield FileFormatError(
                path, f"{problem} in a record of {len(reading.text)} characters; correct them"
            )
        elif each.said is not None:
            there = reading.text[reading.to_offset(each.start) : reading.to_offset(each.end)]
            if not is_same_text(each.said, there) and not is_same_text(
                each.said.replace("\r\n", "\n"), there.replace("\r\n", "\n")
            ):
                yield TextMismatchError(path, shown_id(each.tag_id), each.start, each.end)


def _without_returns(text: str) -> Callable[[int], int]:
    pairs = [each.start() for each in re.finditer("\r\n", text)]
    return lambda offset: offset - bisect_left(pairs, offset)


def _span(start: int, end: int) -> Span:
    return Span(start, max(end, start + 1))
