"""Offsets of formats that do not say what they count: code points or UTF-16 units, CR or none."""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from shared.errors import FileFormatError, TextMismatchError
from shared.formats.base import Loss
from shared.formats.text_file import RETURNS_NOTE
from shared.formats.xml_offsets import is_same_text, shown_id
from shared.model import Span
from shared.text.quotes import Quote, QuoteFinder
from shared.text.utf16 import Utf16Map

MOVED = "offsets, put where the text of the tag stands"
UNITS_NOTE = "offsets counted in UTF-16 units"


class RawSpan(NamedTuple):
    """Offsets as a file has them, with the text that it says stands there, if it does."""

    start: int
    end: int
    said: str | None = None
    tag_id: str = ""


class PlacedSpans(NamedTuple):
    """A text with LF alone, where each tag lies in it, and what was done for that.

    A tag has no span where its own text has no place; `misfits` has by their ids all tags whose
    offsets were not followed, with what was done.
    """

    text: str
    spans: tuple[Span | None, ...]
    notes: tuple[str, ...] = ()
    misfits: tuple[tuple[str, str], ...] = ()

    def losses(self, record_id: str) -> tuple[Loss, ...]:
        """What the misfits are, as a report of a record says it."""
        return tuple(
            Loss(record_id, tag_id, what, is_dropped=what != MOVED) for tag_id, what in self.misfits
        )


class _OffsetUnit(NamedTuple):
    """One way to understand the offsets: those of which text, and what they count."""

    text: str
    to_offset: Callable[[int], int]
    length: int
    notes: tuple[str, ...] = ()


def placed_spans(
    text: str,
    raw: Sequence[RawSpan],
    path: Path,
    *,
    units: bool = True,
    by_quote: bool = False,
) -> PlacedSpans:
    """Return the text with lines that end in LF, and the spans in it in code points.

    Offsets are understood as the tags' own texts tell: of the text as it is or with LF alone, in
    code points or UTF-16 units, the first that fits all; without `units` they are code points of
    the text as it is. Raises FileFormatError where an offset lies outside the text,
    TextMismatchError where a tag's text is not what stands there; not so with `by_quote`.
    """
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    problem: FileFormatError | None = None
    readings = [*_readings(text, plain)] if units else [_OffsetUnit(text, int, len(text))]
    for each in readings:
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
    if by_quote:
        return _placed_by_quote(
            min(readings, key=lambda each: len([*_problems(each, raw, path)])), raw, text, path
        )
    raise problem or FileFormatError(path, "has no text")


def _placed_by_quote(
    reading: _OffsetUnit, raw: Sequence[RawSpan], text: str, path: Path
) -> PlacedSpans:
    """Follow the offsets that fit, and put the other tags where their own text stands."""
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    to_plain = _without_returns(text) if reading.text is text else int
    finder, spans, misfits = QuoteFinder(plain), list[Span | None](), list[tuple[str, str]]()
    for each in raw:
        inside = 0 <= each.start <= reading.length
        start = to_plain(reading.to_offset(each.start)) if inside else None
        if next(_problems(reading, [each], path), None) is None and start is not None:
            spans.append(_span(start, to_plain(reading.to_offset(each.end))))
            continue
        said = (each.said or "").replace("\r\n", "\n").replace("\r", "\n")
        found = finder.find(Quote(said, start))
        spans.append(found if isinstance(found, Span) else None)
        misfits.append((each.tag_id, MOVED if isinstance(found, Span) else found.value))
    notes = (*reading.notes, *((RETURNS_NOTE,) if plain != text else ()))
    return PlacedSpans(plain, tuple(spans), notes, tuple(misfits))


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
