"""JSON lines in which a program says by quotes what it found, as a language model does.

    {"record": "110-02", "quotes": [{"text": "Dr. Okafor", "type": "DOCTOR",
                                     "before": "seen by", "after": "on 4/17", "score": 0.9}]}

A line holds all of it.

`before` and `after` are what stands around the quote, some words of it, and `start` where it may
begin; each may be left out, as may `score`. `quote`, `label` and `confidence` mean the same as
`text`, `type` and `score`. The text of the record is not there: the project has it.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from shared.errors import FileError, FileFormatError
from shared.formats.text_file import read_raw
from shared.outside import parse_json
from shared.text.quotes import Quote

_TEXT, _TYPE, _SCORE = ("text", "quote"), ("type", "label"), ("score", "confidence")
_HEAD = 65536


@dataclass(frozen=True, slots=True)
class QuotedSpan:
    """A quote with the label that it was given; `score` is what the file says, "" for nothing."""

    record_id: str
    quote: Quote
    label: str
    score: str = ""


def has_quotes(path: Path) -> bool:
    """Whether a file looks like one of this form. Raises FileError where it cannot be read."""
    if not path.is_file() or path.suffix.lower() not in {".jsonl", ".ndjson", ".json"}:
        return False
    line = next((each for each in read_raw(path).text.splitlines() if each.strip()), "")
    return '"quotes"' in line[:_HEAD] and '"record"' in line[:_HEAD]


def read_quotes(path: Path, encoding: str = "") -> Iterator[QuotedSpan | FileError]:
    """Yield what is quoted, and what is wrong with single lines. Raises FileError."""
    for number, line in enumerate(read_raw(path, encoding).text.split("\n"), 1):
        if line.strip():
            where = f"{path}, line {number}"
            try:
                yield from _spans(_parsed(line, where), where)
            except FileError as problem:
                yield problem


def _parsed(line: str, where: str) -> dict[str, Any]:
    try:
        found = parse_json(line)
    except ValueError:
        raise FileFormatError(where, "is no JSON; correct it") from None
    if not isinstance(found, dict):
        raise FileFormatError(where, "is no object of JSON; a record is one in each line")
    return cast("dict[str, Any]", found)


def _spans(found: Mapping[str, Any], where: str) -> list[QuotedSpan]:
    record_id, quotes = found.get("record"), found.get("quotes")
    if not isinstance(record_id, str) or not record_id:
        raise FileFormatError(where, "names no record; say its id as record")
    if not isinstance(quotes, list):
        raise FileFormatError(where, "has no list of quotes; give one, which may be empty")
    return [_span(record_id, each, where) for each in cast("list[object]", quotes)]


def _span(record_id: str, said: object, where: str) -> QuotedSpan:
    if not isinstance(said, dict):
        raise FileFormatError(where, "has a quote that is no object of JSON; correct it")
    values = cast("dict[str, Any]", said)
    text, label = (_first(values, names) for names in (_TEXT, _TYPE))
    if not isinstance(text, str) or not isinstance(label, str) or not label:
        raise FileFormatError(where, "has a quote without text or type; correct it")
    start, score = values.get("start"), _first(values, _SCORE)
    before, after = (str(values.get(name) or "") for name in ("before", "after"))
    is_offset = isinstance(start, int) and not isinstance(start, bool)
    quote = Quote(_in_lines(text), start if is_offset else None, _in_lines(before), after)
    return QuotedSpan(record_id, quote, label, "" if score is None else json.dumps(score))


def _first(values: Mapping[str, Any], names: tuple[str, ...]) -> object:
    return next((values[name] for name in names if values.get(name) is not None), None)


def _in_lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")
