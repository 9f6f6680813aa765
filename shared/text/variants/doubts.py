"""Which texts are likely to be something else too, wherever they stand."""

import re
from functools import cache
from importlib.resources import files

from shared.model import PhiType

_DAY_MONTH = re.compile(r"\d{1,2}[/-]\d{1,2}")
_ABBREVIATION = re.compile(r"[A-ZÀ-ÖØ-Þ]{1,3}")
_LEAST_DIGITS = 6


def doubt(text: str, phi_type: PhiType) -> str | None:
    """Say why `text` may be something else than PHI of this type elsewhere; None for no reason.

    The reason is a clause without the text itself, such as "so short that it may mean something
    else". It says nothing about the place where the text is tagged, which may well be right.
    """
    bare = text.strip(" .,;:'’")
    single = len(text.split()) == 1
    reasons = (
        (_DAY_MONTH.fullmatch(bare), "may be a score, a dose or “secondary to”"),
        (_is_count(bare, phi_type), "a bare number may count something else"),
        (len(bare) <= 2, "so short that it may mean something else"),
        (single and is_common_word(bare), "also a common word"),
        (single and is_eponym(bare), "also the name of a disease, a sign or a device"),
        (_ABBREVIATION.fullmatch(bare), "an abbreviation that may stand for something else"),
    )
    return next((reason for holds, reason in reasons if holds), None)


def _is_count(bare: str, phi_type: PhiType) -> bool:
    return bare.isdigit() and (len(bare) < _LEAST_DIGITS or phi_type.category == "AGE")


def is_common_word(word: str) -> bool:
    """True for words of English and Spanish notes that are names, places or dates as well."""
    return word.lower() in _words("common_words.txt")


def is_eponym(word: str) -> bool:
    """True for family names that diseases, signs, operations and devices are named after."""
    return word.lower().removesuffix("'s").removesuffix("’s") in _words("eponyms.txt")


@cache
def _words(name: str) -> frozenset[str]:
    text = files("shared.text.variants").joinpath(name).read_text(encoding="utf-8")
    return frozenset(text.split())
