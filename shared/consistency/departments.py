"""Departments that every hospital has, which are not PHI."""

import re
from functools import cache

from guidelines import guideline_text

_DEPARTMENT_WORD = re.compile(
    r"^(?:the|dept\.?(?: of)?|department of(?: the)?|division of|section of|service of)\s+|"
    r"\s+(?:department|dept\.?|unit|ward|service|services|clinic|division|section|floor|team)$"
)


def is_generic_department(name: str) -> bool:
    """True for the units that every hospital has, as the annotation guidelines list them."""
    plain = _plain_department(name)
    return bool(plain) and (plain in _generic_departments() or _core(plain) in _generic_cores())


@cache
def _generic_departments() -> frozenset[str]:
    """The list at the end of the annotation guidelines, abbreviations included."""
    section = guideline_text("annotation_guidelines").partition("## Generic departments")[2]
    names: set[str] = set()
    for cell in re.findall(r"(?<=\|)[^|\n]+(?=\|)", section.partition("\n## ")[0]):
        whole = cell.strip()
        short = re.findall(r"\(([^)]+)\)", whole)
        long = re.sub(r"\s*\([^)]*\)", "", whole)
        names.update(map(_plain_department, [*short, long]))
        if " and " not in long:
            names.update(map(_plain_department, long.split(",")))
    return frozenset(name for name in names if name.strip("- "))


@cache
def _generic_cores() -> frozenset[str]:
    return frozenset(_core(name) for name in _generic_departments())


def _plain_department(name: str) -> str:
    """In small letters, one blank between words, spelt the American way."""
    words = re.sub(r"[\s.,&-]+", " ", name.lower()).strip()
    return words.replace("ae", "e").replace(" and ", " ")


def _core(plain: str) -> str:
    while (shorter := _DEPARTMENT_WORD.sub("", plain)) != plain:
        plain = shorter
    return plain
