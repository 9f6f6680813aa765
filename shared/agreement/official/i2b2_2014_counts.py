"""What the evaluator of the 2014 i2b2 track counts in one document."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache

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


def count_document(system: RawFile, gold: RawFile) -> dict[str, Counts]:
    """Return the counts of one document under each of `LABELS`."""
    counts: dict[str, Counts] = {}
    sides = system.tags, gold.tags
    hipaa = _only_hipaa(system.tags), _only_hipaa(gold.tags)
    _count_tokens(counts, _tokens(system), _tokens(gold))
    _count_strict(counts, "Strict", "Strict", *sides)
    _count_strict(counts, "HIPAA Strict", "Binary HIPAA Strict", *hipaa)
    counts["Relaxed"] = _relaxed(*sides)
    counts["HIPAA Relaxed"] = _relaxed(*hipaa)
    counts["Binary Strict"] = _binary(*sides)
    counts["Binary HIPAA Strict"] = _binary(*hipaa)
    return counts


@lru_cache(maxsize=4096)
def is_hipaa(name: str, kind: str) -> bool:
    """True where the script counts the type among those of HIPAA."""
    return kind.startswith(_HIPAA.get(name, ()))


def _only_hipaa(tags: Iterable[RawTag]) -> tuple[RawTag, ...]:
    return tuple(tag for tag in tags if is_hipaa(tag.name, tag.type))


# ---------------------------------------------------------------- strict and binary


_Key = tuple[str, ...]


def _strict_keys(tags: Iterable[RawTag]) -> set[_Key]:
    return {(tag.name, tag.start_text, tag.end_text, tag.type.upper()) for tag in tags}


def _count_strict(
    counts: dict[str, Counts],
    label: str,
    category_label: str,
    system: Iterable[RawTag],
    gold: Iterable[RawTag],
) -> None:
    ours, theirs = _strict_keys(system), _strict_keys(gold)
    counts[label] = _of_sets(ours, theirs)
    by_name = _by_name(ours, theirs)
    for name in CATEGORIES:
        counts[f"{name} {category_label}"] = by_name.get(name, (0, 0, 0))


def _by_name(ours: set[_Key], theirs: set[_Key]) -> dict[str, Counts]:
    found: dict[str, list[int]] = {}
    for place, keys in enumerate((ours & theirs, ours - theirs, theirs - ours)):
        for key in keys:
            found.setdefault(key[0], [0, 0, 0])[place] += 1
    return {name: (tp, fp, fn) for name, (tp, fp, fn) in found.items()}


def _binary(system: Iterable[RawTag], gold: Iterable[RawTag]) -> Counts:
    return _of_sets(_binary_keys(system), _binary_keys(gold))


def _binary_keys(tags: Iterable[RawTag]) -> set[_Key]:
    """Start and end; an element PHI keeps its name and type, so it matches none but another PHI."""
    return {
        (tag.name, tag.start_text, tag.end_text, tag.type.upper())
        if tag.name == "PHI"
        else (tag.start_text, tag.end_text)
        for tag in tags
    }


def _of_sets(ours: set[_Key], theirs: set[_Key]) -> Counts:
    tp = len(ours & theirs)
    return tp, len(ours) - tp, len(theirs) - tp


# ---------------------------------------------------------------- relaxed


_Ends = dict[_Key, list[int]]


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


# ---------------------------------------------------------------- tokens


_Tokens = dict[tuple[str, str], set[tuple[int, int]]]
"""The places of tokens, by element name and type."""


def _count_tokens(counts: dict[str, Counts], ours: _Tokens, theirs: _Tokens) -> None:
    every, hipaa = _Sum(), _Sum()
    by_name = {name: (_Sum(), _Sum()) for name in ("PHI", *CATEGORIES)}
    for key in ours.keys() | theirs.keys():
        one, other = ours.get(key, _NO_PLACES), theirs.get(key, _NO_PLACES)
        added = len(one & other), len(one), len(other)
        sums = [every, by_name[key[0]][0]]
        if is_hipaa(*key):
            sums += [hipaa, by_name[key[0]][1]]
        for each in sums:
            each.add(*added)
    counts["Token"], counts["HIPPA Token"] = every.counts, hipaa.counts
    for name in CATEGORIES:
        counts[f"{name} Token"] = by_name[name][0].counts
        counts[f"{name} HIPPA Token"] = by_name[name][1].counts
    for label, keep in (("Binary Token", _every), ("Binary HIPPA Token", is_hipaa)):
        one, other = _places(ours, keep), _places(theirs, keep)
        tp = len(one & other)
        counts[label] = tp, len(one) - tp, len(other) - tp


_NO_PLACES: set[tuple[int, int]] = set()


class _Sum:
    """Counts that grow."""

    def __init__(self) -> None:
        self._common = self._ours = self._theirs = 0

    def add(self, common: int, ours: int, theirs: int) -> None:
        self._common += common
        self._ours += ours
        self._theirs += theirs

    @property
    def counts(self) -> Counts:
        return self._common, self._ours - self._common, self._theirs - self._common


def _every(name: str, kind: str) -> bool:
    del name, kind
    return True


def _places(tokens: _Tokens, keep: Callable[[str, str], bool]) -> set[tuple[int, int]]:
    return set[tuple[int, int]]().union(*(places for key, places in tokens.items() if keep(*key)))


def _tokens(file: RawFile) -> _Tokens:
    text = file.text or ""
    tokens: _Tokens = {}
    for tag in file.tags:
        tokens.setdefault((tag.name, tag.type), set()).update(_token_places(text, tag))
    return tokens


def _token_places(text: str, tag: RawTag) -> Iterator[tuple[int, int]]:
    """Yield where the tokens of a tag stand; one that is empty, at its end, where it has none."""
    piece = text[tag.start : tag.end]
    empty = True
    for found in _RUN.finditer(piece):
        empty = False
        yield tag.start + found.start(), tag.start + found.end()
    if empty:
        yield tag.start + len(piece), tag.start + len(piece)


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
