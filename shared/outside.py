"""The one way in for what comes from outside: files, JSON and TOML, with bounds.

A file that somebody else made may be a pipe that never ends, a link to somewhere else, nested a
hundred thousand times or grow a hundredfold as it is read. What is read here is a file, no larger
than `LARGEST` unless said otherwise, and what is parsed is no deeper than `DEEPEST`, has no more
than `MOST_PARTS` lists and tables, and no number that is not finite. XML is bounded in
shared/formats/secure_xml.py.
"""

import errno
import json
import math
import os
import re
import stat
from pathlib import Path
from typing import Any, Never, cast

from shared.errors import FileFormatError, storage_errors

LARGEST = 64_000_000
"""Bytes of a file that is read. Once parsed, the worst of this size takes some 700 MB."""
LARGEST_TOML = 500_000
"""Bytes of a TOML file: the parser takes time as the square of the length of a key."""
DEEPEST = 100
"""How deep lists and tables may lie in each other."""
MOST_PARTS = 1_000_000
"""Lists and tables in one value."""
MOST_VALUES = 5_000_000
"""Commas in one value."""

MALFORMED = (
    ArithmeticError,
    AttributeError,
    LookupError,
    RecursionError,
    StopIteration,
    TypeError,
    ValueError,
)
"""What making sense of a value of another shape than expected ends in."""

_LONGEST_NUMBER = 300
"""Digits of a whole number, which may be taken for one with a point afterwards."""
_MOST_DOTS = 500
_PLACE = re.compile(r"at line (\d+)")
NO_FOLLOW: int = getattr(os, "O_NOFOLLOW", 0)
"""Of `os.open`: rather fail than open what a link leads to, where the system can."""
_AT_ONCE: int = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


def read_bounded(path: Path, largest: int = LARGEST, *, may_be_link: bool = True) -> bytes:
    """Return the content of a file that comes from outside.

    Raises StorageError, and FileFormatError where it is a pipe or a device, larger than `largest`
    bytes, or, unless it `may_be_link`, a link.
    """
    with storage_errors(path), os.fdopen(_opened(path, may_be_link), "rb") as file:
        found = os.fstat(file.fileno())
        refuse_no_file(found, path)
        data = file.read(min(found.st_size, largest) + 1)  # room for all that may be takes long
        if len(data) > found.st_size:  # it grows, or tells no size
            data += file.read(largest + 1 - len(data))
    if len(data) > largest:
        raise FileFormatError(
            path, f"is larger than the {largest // 1_000_000 or 1} MB that Tandem reads; split it"
        )
    return data


def refuse_no_file(found: os.stat_result, path: Path) -> None:
    """Raise FileFormatError where what was opened is a pipe or a device, OSError for a folder."""
    if stat.S_ISDIR(found.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not stat.S_ISREG(found.st_mode):
        raise FileFormatError(path, "is a pipe or a device; put a file in its place")


def refuse_link(path: Path) -> None:
    """Raise FileFormatError where `path` is a link, which may lead out of the project, or a pipe.

    OSError where the system does not tell.
    """
    try:
        found = path.lstat()
    except FileNotFoundError:
        return
    if stat.S_ISLNK(found.st_mode):
        raise FileFormatError(path, "is a link; put what it leads to in its place")
    refuse_no_file(found, path)


def parse_json(data: bytes | str) -> Any:  # noqa: ANN401
    """Return the value of a JSON text. Raises ValueError, which says nothing of what is in it."""
    opened = _count(data, "[") + _count(data, "{")
    if opened > MOST_PARTS or _count(data, ",") > MOST_VALUES:
        raise ValueError("has too many parts")
    try:
        value = _DECODER.decode(_text_of(data))
    except (ValueError, RecursionError):
        raise ValueError("is no JSON") from None
    if opened > DEEPEST:
        _refuse_deep(value)
    return value


def parse_json_object(data: bytes | str) -> dict[str, Any]:
    """Return the object that a JSON text is, as `parse_json` does; raises ValueError for others."""
    value = parse_json(data)
    if not isinstance(value, dict):
        raise ValueError("is no object of JSON")  # noqa: TRY004  one error for every text
    return cast("dict[str, Any]", value)


def parse_toml(data: bytes) -> dict[str, Any]:
    """Return the table of a TOML file. Raises ValueError, which says no more than the line."""
    if len(data) > LARGEST_TOML:
        raise ValueError("is too large")
    import tomllib  # few of those who read files read one of these

    try:
        text = data.decode("utf-8-sig")
        _refuse_long_keys(text)
        table = tomllib.loads(text, parse_float=_float)
    except UnicodeDecodeError:
        raise ValueError("is not a TOML file in UTF-8") from None
    except RecursionError:
        raise ValueError("is nested too deep") from None
    except ValueError as error:
        place = _PLACE.search(str(error))
        raise ValueError(f"is not a TOML file{f' (line {place[1]})' if place else ''}") from None
    _refuse_deep(table)
    return table


def _opened(path: Path, may_be_link: bool) -> int:
    if not may_be_link:
        refuse_link(path)
    return os.open(path, os.O_RDONLY | _AT_ONCE | (0 if may_be_link else NO_FOLLOW))


def _count(data: bytes | str, sign: str) -> int:
    return data.count(sign) if isinstance(data, str) else data.count(sign.encode())


def _text_of(data: bytes | str) -> str:
    """What `json.loads` makes of bytes. Raises ValueError."""
    if isinstance(data, bytes):
        return data.decode(json.detect_encoding(data), "surrogatepass")
    if data.startswith("\ufeff"):
        raise ValueError("begins with a mark of its order of bytes")
    return data


def _float(said: str) -> float:
    value = float(said)
    return value if math.isfinite(value) else _not_finite(said)


def _integer(said: str) -> int:
    return int(said) if len(said) <= _LONGEST_NUMBER else _not_finite(said)


def _not_finite(_: str) -> Never:
    raise ValueError("holds a number that is none")


_DECODER = json.JSONDecoder(parse_float=_float, parse_int=_integer, parse_constant=_not_finite)
"""Made once: `json.loads` makes one for each text, and journals have a text in each line."""


def _refuse_long_keys(text: str) -> None:
    for number, line in enumerate(text.split("\n"), 1):
        if line.count(".") > _MOST_DOTS:
            raise ValueError(f"has too many dots (at line {number})")


def _refuse_deep(value: object) -> None:
    """Raise ValueError where lists and tables lie too deep in each other; level by level."""
    level = [value]
    for _ in range(DEEPEST):
        level = [inner for each in level for inner in _parts_of(each)]
        if not level:
            return
    raise ValueError("is nested too deep")


_HOLDERS = frozenset({dict, list})


def _parts_of(value: object) -> list[object]:
    if isinstance(value, dict):
        every = cast("dict[str, object]", value).values()
    elif isinstance(value, list):
        every = cast("list[object]", value)
    else:
        return []
    return [each for each in every if type(each) in _HOLDERS]  # what parsers make, quickly told
