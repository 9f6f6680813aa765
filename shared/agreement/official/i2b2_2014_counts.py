"""What the evaluator of the 2014 i2b2 track counts in one document."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence, Set
from functools import cache
from typing import Any

from shared.agreement.official.raw_file import RawFile, RawTag

CATEGORIES = ("CONTACT", "NAME", "DATE", "AGE", "PROFESSION", "ID", "OTHER", "LOCATION")
"""The element names with blocks of their own, in the script's order."""

Counts = tuple[int, int, int]
"""True positives, false positives, false negatives of one document."""

_RUN = re.compile(r"[a-zA-Z0-9]+")
_HIPAA = {
    "NAME": ("PATIENT",),
    "LOCATION": ("CITY", "STREET", "ZIP", "ORGANIZATION"),
    "DATE": ("",),
    "AGE": ("",),
    "CONTACT": ("PHONE", "FAX", "EMAIL"),
    "ID": (
        *("SSN", "MEDICALRECORD", "HEALTHPLAN", "ACCOUNT", "LICENSE", "VEHICLE", "DEVICE"),
        *("BIOID", "IDNUM "),
    ),
}
"""What a TYPE has to begin with to count as HIPAA's; the blank after IDNUM is the script's."""


_Token = tuple[str, str, int, int]
"""Element name and type of the tag, start, end."""


def count_document(system: RawFile, gold: RawFile) -> dict[str, Counts]:
    """Return the counts of one document under each of `LABELS`."""
    every = system.tags, gold.tags
    hipaa = _only_hipaa(system.tags), _only_hipaa(gold.tags)
    tokens = _tokens(system), _tokens(gold)
    hipaa_tokens = tuple({key for key in each if is_hipaa(*key[:2])} for each in tokens)
    counts = {
        "Relaxed": _relaxed(*every),
        "HIPAA Relaxed": _relaxed(*hipaa),
        "Binary Strict": _of_sets(*map(_binary_keys, every)),
        "Binary HIPAA Strict": _of_sets(*map(_binary_keys, hipaa)),
        "Binary Token": _of_sets(*map(_places, tokens)),
        "Binary HIPPA Token": _of_sets(*map(_places, hipaa_tokens)),
    }
    for label, of_category, (ours, theirs) in (
        ("Token", "Token", tokens),
        ("HIPPA Token", "HIPPA Token", hipaa_tokens),
        ("Strict", "Strict", tuple(map(_strict_keys, every))),
        ("HIPAA Strict", "Binary HIPAA Strict", tuple(map(_strict_keys, hipaa))),
    ):
        counts[label] = _of_sets(ours, theirs)
        tp, one, other = (Counter(key[0] for key in keys) for keys in (ours & theirs, ours, theirs))
        for name in CATEGORIES:
            found = tp[name], one[name] - tp[name], other[name] - tp[name]
            counts[f"{name} {of_category}"] = found
    return counts


@cache
def is_hipaa(name: str, kind: str) -> bool:
    """True where the script counts the type among those of HIPAA."""
    return kind.startswith(_HIPAA.get(name, ()))


def _only_hipaa(tags: Iterable[RawTag]) -> tuple[RawTag, ...]:
    return tuple(tag for tag in tags if is_hipaa(tag.name, tag.type))


def _of_sets(ours: Set[Any], theirs: Set[Any]) -> Counts:
    tp = len(ours & theirs)
    return tp, len(ours) - tp, len(theirs) - tp


def _strict_keys(tags: Iterable[RawTag]) -> set[tuple[str, ...]]:
    return {(tag.name, tag.start_text, tag.end_text, tag.type.upper()) for tag in tags}


def _binary_keys(tags: Iterable[RawTag]) -> set[tuple[str, ...]]:
    """Start and end; an element PHI keeps its name and type, so it matches none but another PHI."""
    return {key if key[0] == "PHI" else key[1:3] for key in _strict_keys(tags)}


def _tokens(file: RawFile) -> set[_Token]:
    """Return all tokens of tags; a tag without any has an empty one."""
    tokens: set[_Token] = set()
    for tag in file.tags:
        piece = (file.text or "")[tag.start : tag.end]
        places = [each.span() for each in _RUN.finditer(piece)] or [(len(piece), len(piece))]
        tokens |= {(tag.name, tag.type, tag.start + at, tag.start + end) for at, end in places}
    return tokens


def _places(tokens: Iterable[_Token]) -> set[tuple[int, int]]:
    return {token[2:] for token in tokens}


# ---------------------------------------------------------------- relaxed


_Ends = dict[tuple[str, ...], list[int]]


def _relaxed(system: Iterable[RawTag], gold: Iterable[RawTag]) -> Counts:
    ours, theirs = _kept_ends(system), _kept_ends(gold)
    many, wanted = _number(ours), _number(theirs)
    ours_hit, theirs_hit = _hits(ours, theirs), _hits(theirs, ours)
    tp = ours_hit if many <= wanted else theirs_hit
    return tp, many - ours_hit, wanted - theirs_hit


def _kept_ends(tags: Iterable[RawTag]) -> _Ends:
    """Return the ends by name, start and type, each too far from those that came before it."""
    kept: _Ends = {}
    for tag in tags:
        key = tag.name, tag.start_text, tag.type.upper()
        if key not in kept:
            kept[key] = [tag.end]
        elif not _is_near(tag.end, kept[key]):
            kept[key].append(tag.end)
    return kept


def _is_near(end: int, ends: Iterable[int]) -> bool:
    return any(-2 <= end - other <= 2 for other in ends)


def _number(ends: _Ends) -> int:
    return sum(map(len, ends.values()))


def _hits(ours: _Ends, theirs: _Ends) -> int:
    hits = 0
    for key, ends in ours.items():
        others = theirs.get(key)
        if others == ends:
            hits += len(ends)
        elif others:
            hits += sum(_is_near(end, others) for end in ends)
    return hits


# ---------------------------------------------------------------- the order of Python 2


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
