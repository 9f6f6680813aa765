"""Files changed as an accident or somebody of ill will would, by what their format is made of."""

import json
import re
from collections.abc import Callable
from random import Random
from typing import Any, cast

NUMBERS = (
    b"0", b"-1", b"-5", b"1e999", b"-1e999", b"NaN", b"Infinity", b"1.5", b"1e3", b"9" * 19,
    b"9" * 400, b"9" * 5000, b"1000000000", b"4294967295", b"true", b"null", b"0x10", b"1_000",
    "٣".encode(), "²".encode(), b"\"7\"",
)  # fmt: skip
PIECES = (
    b"\0", b"\xff", b"\xed\xa0\xbd", b"\r", b"\r\n", b"\n\n", b"\t", b"]]>", b"<![CDATA[",
    b"<!DOCTYPE a [<!ENTITY b 'c'>]>", b"&b;", b"&#0;", b"&#xD800;", b"<a>", b"</TEXT>", b"<TEXT/>",
    b"\xef\xbb\xbf", b"\xff\xfe", b"\"", b"'", b"\\", b"\\ud83d", b",", b";", b"[]", b"{}", b"[[",
    b"{\"x\":1}\n", b"{\"x\":1e999}\n", b"[]\n", b"null\n", b"[x]\n", b"x.y.z = 1\n", b"= ",
    b"../../etc", b"/", b"CON", b"%s%n", b"\x1b[2J", "\u2028".encode(), "\U0001f600".encode(),
    b"T1\tNAME 0 5\tabc\n", b"T1\tNAME 0 1;3 2\tab\n", b"R1\tx Arg1:T1 Arg2:T9\n", b"A1\tB T1 C\n",
    b"# text = \"x\n", b"B-NAME", b"\tO\n",
)  # fmt: skip
VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1.5, 10**18, 10**25, 10**400, float("inf"), float("nan"), "", "x",
    "\ud83d", "\0", "0", "-1", "a/b", "..", [], {}, [[]], [None], {"": None}, [0, 1, "a", "b"],
    "x" * 5000,
)  # fmt: skip
_NUMBER = re.compile(rb"-?\d+(?:\.\d+)?")
_QUOTED = re.compile(rb"([\"'])[^\"'\n]*\1")
_ELEMENT = re.compile(rb"<[^<>]*>")
_VALUE = re.compile(rb"(?<==)[^\n]*")
_CELL = re.compile(rb"[^,\t\n;]+")


def mutated(data: bytes, other: bytes, chance: Random) -> bytes:
    """The file with one to four changes; `other` is a file of its kind to take pieces from."""
    for _ in range(chance.choice((1, 1, 1, 2, 2, 4))):
        data = chance.choice(_MUTATIONS)(data, other, chance)
    return data


def _flip(data: bytes, _: bytes, chance: Random) -> bytes:
    changed = bytearray(data)
    for _ in range(chance.choice((1, 1, 3, 10))):
        if changed:
            changed[chance.randrange(len(changed))] = chance.randrange(256)
    return bytes(changed)


def _cut(data: bytes, _: bytes, chance: Random) -> bytes:
    start = chance.randint(0, len(data))
    end = len(data) if chance.random() < 0.3 else start + chance.choice((1, 2, 8, 64, 512))
    return data[:start] + data[end:]


def _repeat(data: bytes, _: bytes, chance: Random) -> bytes:
    start = chance.randint(0, len(data))
    end = start + chance.choice((1, 4, 16, 64, 256))
    times = chance.choice((1, 1, 2, 50)) if chance.random() < 0.99 else 40_000
    return data[:end] + data[start:end] * times + data[end:]


def _splice(data: bytes, other: bytes, chance: Random) -> bytes:
    start, at = chance.randint(0, len(other)), chance.randint(0, len(data))
    return data[:at] + other[start : start + chance.choice((4, 64, 1024))] + data[at:]


def _put(data: bytes, _: bytes, chance: Random) -> bytes:
    at = chance.randint(0, len(data))
    return data[:at] + chance.choice(PIECES) + data[at:]


def _deep(data: bytes, _: bytes, chance: Random) -> bytes:
    if chance.random() < 0.8:
        return data
    at, piece = chance.randint(0, len(data)), chance.choice((b"[", b'{"a":', b"<a>", b"a.", b"("))
    return data[:at] + piece * chance.choice((50, 900, 3000, 100_000)) + data[at:]


def _lines(data: bytes, _: bytes, chance: Random) -> bytes:
    lines = data.splitlines(keepends=True)
    if not lines:
        return data
    at, to = chance.randrange(len(lines)), chance.randrange(len(lines))
    match chance.randrange(4):
        case 0:
            lines[at], lines[to] = lines[to], lines[at]
        case 1:
            lines.insert(to, lines[at])
        case 2:
            del lines[at]
        case _:
            lines[at] = lines[at].rstrip() + lines[to]
    return b"".join(lines)


def _one(pattern: re.Pattern[bytes], by: Callable[[bytes, Random], bytes]) -> Any:
    """A change of one place that the pattern finds."""

    def change(data: bytes, _: bytes, chance: Random) -> bytes:
        found = [*pattern.finditer(data)]
        if not found:
            return data
        one = chance.choice(found)
        return data[: one.start()] + by(one[0], chance) + data[one.end() :]

    return change


def _number(_: bytes, chance: Random) -> bytes:
    return chance.choice(NUMBERS)


def _near(said: bytes, chance: Random) -> bytes:
    if b"." in said or len(said) > 100:
        return said
    return str(int(said) + chance.choice((-100, -1, 1, 7, 1000))).encode()


def _quoted(said: bytes, chance: Random) -> bytes:
    mark = said[:1]
    return mark + chance.choice((b"", b"x", b"x" * 9000, *NUMBERS, *PIECES)) + mark


def _dropped(said: bytes, chance: Random) -> bytes:
    return chance.choice((b"", said * 2, said[:-1], b"</" + said[1:]))


def _cell(_: bytes, chance: Random) -> bytes:
    return chance.choice((*NUMBERS, *PIECES, b"", b"x" * 3000))


def _json(data: bytes, other: bytes, chance: Random) -> bytes:
    """One value of a JSON text, or of one of its lines, is another; keys go and come."""
    lines = data.split(b"\n") if data.count(b"\n{") else [data]
    at = chance.randrange(len(lines))
    try:
        value = json.loads(lines[at])
    except (ValueError, RecursionError):
        return _put(data, other, chance)
    lines[at] = json.dumps(_changed(value, chance)).encode()
    return b"\n".join(lines)


def _changed(value: Any, chance: Random) -> Any:
    if isinstance(value, dict) and value and chance.random() < 0.9:
        table = cast("dict[str, Any]", value)
        key = chance.choice([*table])
        match chance.randrange(8):
            case 0:
                return {name: each for name, each in table.items() if name != key}
            case 1:
                return {**table, chance.choice(("x", "", "text", "id", "\ud83d")): table[key]}
            case _:
                return {**table, key: _changed(table[key], chance)}
    if isinstance(value, list) and value and chance.random() < 0.9:
        every = [*cast("list[Any]", value)]
        at = chance.randrange(len(every))
        match chance.randrange(8):
            case 0:
                del every[at]
            case 1:
                every.insert(at, every[at])
            case _:
                every[at] = _changed(every[at], chance)
        return every
    return chance.choice(VALUES)


def _words(data: bytes, _: bytes, chance: Random) -> bytes:
    """One of the numbers of four bytes that a binary file is made of is another."""
    if len(data) < 8:
        return data
    at = chance.randrange(min(len(data), chance.choice((64, 4096, 1 << 30))) // 4) * 4
    value = chance.choice((0, 1, 8, 255, 2**16, 2**20, 2**31 - 1, 2**32 - 1, len(data)))
    return data[:at] + value.to_bytes(4, "little") + data[at + 4 :]


_MUTATIONS = (
    _flip, _cut, _repeat, _splice, _put, _put, _deep, _lines, _lines, _json, _json, _json, _words,
    _one(_NUMBER, _number), _one(_NUMBER, _near), _one(_QUOTED, _quoted), _one(_ELEMENT, _dropped),
    _one(_VALUE, _cell), _one(_CELL, _cell),
)  # fmt: skip
