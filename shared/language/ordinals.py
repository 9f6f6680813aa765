"""Ordinal numbers in digits, whose ending may follow the number: `1st`, `22nd`, `3.`, `4º`."""

import re

from shared.language.languages import Language

_ORDINAL = re.compile(r"(\d+)([^\W\d_]+)\b")


def ordinal_ending(number: int, old: str, language: Language) -> str:
    """The ending that a number has where another had `old`, in its case.

    Four endings of letters are those of 1, 2, 3 and all others; any other one stays.
    """
    endings = [each for each in language.dates.ordinal_suffixes if each.isascii()]
    if len(endings) != 4 or old.lower() not in endings:
        return old
    new = endings[number % 10 - 1 if number % 100 // 10 != 1 and 1 <= number % 10 <= 3 else 3]
    return new.upper() if old.isupper() else new


def with_ordinal_endings(text: str, language: Language) -> str:
    """Return the text with the ending of every ordinal as its number wants it."""
    return _ORDINAL.sub(
        lambda found: found[1] + ordinal_ending(int(found[1]), found[2], language), text
    )
