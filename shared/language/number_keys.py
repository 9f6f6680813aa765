"""Numbers as such, whatever stands between their digits: ids, phones, faxes."""

import re
from collections.abc import Iterator
from functools import lru_cache

from shared.language.variant_rules import Rule, Variant
from shared.model import Matching, PhiTraits
from shared.text.spelling import in_plain_forms

_KEPT = re.compile(r"[^\W_]+")
_BETWEEN = r"[ \t\n().\-–—/]{0,3}"
_LEAST_LENGTH = 5
_LEAST_DIGITS = 4
_AREA_CODE = 3


def number_key(text: str, traits: PhiTraits) -> str | None:
    """Return the letters and digits of an id or a phone number, in capitals.

    None for what is not told by its digits, and where so little is left that it may stand anywhere
    by chance. The 1 before a North American phone number is left out.
    """
    if traits.matching is not Matching.DIGITS:
        return None
    key = "".join(_KEPT.findall(in_plain_forms(text))).upper()
    if not key.isascii() or len(key) < _LEAST_LENGTH or sum(map(str.isdigit, key)) < _LEAST_DIGITS:
        return None
    phone = traits.kind.is_contact and key.isdigit()
    return key[1:] if phone and len(key) == 11 and key[0] == "1" else key


def number_keys(text: str, traits: PhiTraits) -> Iterator[Variant]:
    """Yield the key of a number, and for a phone of ten digits that without its area code."""
    key = number_key(text, traits)
    if key is None:
        return
    yield Variant(key, Rule.NUMBER)
    if traits.kind.is_contact and len(key) == 10 and key.isdigit():
        yield Variant(key[_AREA_CODE:], Rule.SHORT_NUMBER)


@lru_cache(maxsize=10_000)
def key_pattern(key: str) -> re.Pattern[str]:
    """Return the pattern of a key with any of the usual marks between its characters.

    It is to be sought in the plain forms of a text.
    """
    return re.compile(_BETWEEN.join(map(re.escape, key)), re.IGNORECASE)


def number_span(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Return a number at `[start, end)` with its brackets; None inside a longer number or word."""
    before, after = text[max(0, start - 2) : start], text[end : end + 2]
    if _goes_on(before[::-1]) or _goes_on(after):
        return None
    opened = before[-1:] == "(" and text.find(")", start, end) >= 0
    return (start - 1 if opened else start), end


def _goes_on(around: str) -> bool:
    """True where a word character follows, or a digit after one of the marks between digits."""
    if around[:1].isalnum():
        return True
    return around[:1] in "-./–" and around[1:2].isdigit() and bool(around[:1])
