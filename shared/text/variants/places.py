"""The other ways in which the name of a hospital, company or department is written."""

import re
from collections.abc import Iterator

from shared.text.variants.rules import Rule, Variant

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_SMALL = frozenset("of the and for at in de del la el los las y en a".split())
_LEAST = 3


def acronym_variants(text: str) -> Iterator[Variant]:
    """Yield `MAMH` for `Mount Auberon Memorial Hospital`; nothing for fewer than three words."""
    letters = [word[0] for word in _WORD.findall(text) if word.lower() not in _SMALL]
    if len(letters) >= _LEAST:
        yield Variant("".join(letters).upper(), Rule.ACRONYM)
