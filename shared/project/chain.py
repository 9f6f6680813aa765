"""The hashes by which the lines of a journal hang together.

Each line ends with the hash of the line before, `"prev":"9f3c…"}`: SHA-256, of which 128 bits are
kept. Lines that an earlier version wrote have none; the next that has one has a hash of them all,
back to the last line with a hash, or to the beginning. So nothing before a line can change, go, or
come twice without the line telling. What comes after it only a head tells, kept elsewhere.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass

PREVIOUS = "prev"
_DIGITS = 32
_KEY = f'"{PREVIOUS}":"'.encode()
"""What no text holds: its quotes would be escaped."""
_TAIL = len(_KEY) + _DIGITS + len(b'"}\n')


@dataclass(frozen=True, slots=True)
class Head:
    """How long a journal is, in bytes, and the hash that its next line will carry."""

    size: int
    hash: str

    def __str__(self) -> str:
        return f"{self.size:015} {self.hash}"

    def as_bytes(self) -> bytes:
        """Always of the same length, so that one takes the place of another in one write."""
        return f"{self}\n".encode("ascii")

    def after(self, line: bytes) -> "Head":
        """The head once a line with a hash was appended."""
        return Head(self.size + len(line), _hash(line))

    @classmethod
    def of(cls, data: bytes) -> "Head":
        """The head of a journal of this content; a last line that was cut off is no part of it."""
        end = data.rfind(b"\n") + 1
        return cls(end, _hash(data[_last_hashed(data, end) : end]))

    @classmethod
    def parse(cls, text: str) -> "Head | None":
        """What `str` made of a head; None where it is no such text."""
        size, _, digits = text.strip().partition(" ")
        is_head = size.isascii() and size.isdecimal() and len(size) < 19 and len(digits) == _DIGITS
        return cls(int(size), digits) if is_head else None

    def is_in(self, data: bytes) -> bool:
        """Whether a journal of this content was once as long as this, and ended so."""
        if len(data) < self.size or (self.size and data[self.size - 1 : self.size] != b"\n"):
            return False
        # without a copy of what stands before it: logs are long, and have a head in each line
        return _hash(data[_last_hashed(data, self.size) : self.size]) == self.hash


@dataclass(frozen=True, slots=True)
class ChainedLine:
    """A line of a journal, counted from 1; `is_right` unless it carries a hash, and a wrong one."""

    number: int
    start: int
    data: bytes
    has_hash: bool
    is_right: bool


def chained_lines(data: bytes) -> Iterator[ChainedLine]:
    """Yield the whole lines of a journal in order; a last line that was cut off is none."""
    pending = start = 0
    for number, line in enumerate(data[: data.rfind(b"\n") + 1].splitlines(keepends=True), 1):
        hashed = has_hash(line)
        told = line[-_DIGITS - 3 : -3].decode("ascii", "replace")
        right = not hashed or told == _hash(data[pending:start])
        yield ChainedLine(number, start, line, hashed, right)
        if hashed:
            pending = start
        start += len(line)


def hangs_together(data: bytes) -> bool:
    """Whether each line of a journal has the hash of what stands before it, once one has any."""
    is_chained = False
    for line in chained_lines(data):
        if not line.is_right or (is_chained and not line.has_hash):
            return False
        is_chained = line.has_hash
    return True


def has_hash(data: bytes) -> bool:
    """Whether the last whole line of a journal carries a hash."""
    end = data.rfind(b"\n") + 1
    return data[max(0, end - _TAIL) : end].startswith(_KEY)


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:_DIGITS]


def _last_hashed(data: bytes, end: int) -> int:
    """Where the last line with a hash begins, 0 where none has one; `end` ends a line."""
    while end:
        start = data.rfind(b"\n", 0, end - 1) + 1
        if has_hash(data[start:end]):
            return start
        end = start
    return 0
