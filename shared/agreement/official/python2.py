"""The order in which Python 2 walks through a set or dictionary of strings.

The i2b2 script lists documents in this order, so whoever wants its output needs it. Strings are
hashed by a variant of FNV; a table keeps them where open addressing puts them, and is made anew
with four times as many slots as entries whenever it is two thirds full.
"""

from collections.abc import Iterable, Sequence

_WORD = 2**64
_SMALLEST = 8
_LARGE = 50_000


def string_hash(text: bytes) -> int:
    """Return the hash of a string in a 64-bit Python 2, without the sign."""
    if not text:
        return 0
    value = text[0] << 7
    for byte in text:
        value = (1_000_003 * value) % _WORD ^ byte
    value ^= len(text)
    return value if value != _WORD - 1 else _WORD - 2


def table_order(keys: Iterable[str]) -> list[str]:
    """Return the keys in the order of a set or dictionary into which they were put one by one."""
    slots: list[str | None] = [None] * _SMALLEST
    used = 0
    for key in keys:
        if not _put(slots, key):
            continue
        used += 1
        if used * 3 >= len(slots) * 2:
            slots = _grown(slots, used * (4 if used <= _LARGE else 2))
    return [key for key in slots if key is not None]


def common_order(ours: Iterable[str], theirs: Iterable[str]) -> list[str]:
    """Return the keys of both dictionaries in the order of `set(ours) & set(theirs)`."""
    left, right = table_order(table_order(ours)), table_order(table_order(theirs))
    if len(right) > len(left):
        left, right = right, left
    there = set(left)
    return table_order(key for key in right if key in there)


def _put(slots: list[str | None], key: str) -> bool:
    mask = len(slots) - 1
    perturb = at = string_hash(key.encode("utf-8", "surrogateescape"))
    while (found := slots[at & mask]) is not None:
        if found == key:
            return False
        at = 5 * at + perturb + 1
        perturb >>= 5
    slots[at & mask] = key
    return True


def _grown(slots: Sequence[str | None], wanted: int) -> list[str | None]:
    size = _SMALLEST
    while size <= wanted:
        size *= 2
    grown: list[str | None] = [None] * size
    for key in slots:
        if key is not None:
            _put(grown, key)
    return grown
