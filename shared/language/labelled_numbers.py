"""Numbers and codes behind a word that says what they are: `MRN 12345`, `licence no. 4-4471`."""

import re
from collections.abc import Iterator
from functools import cache

from shared.language.languages import Language, alternatives
from shared.language.patterns import folded
from shared.model.phi_traits import EntityKind

_CODE = r"(?P<code>(?:[A-Z]{1,4}[ -]?){0,2}\d[\w]*(?:[ ./-]?\w*\d\w*)*)"
_YEARS = re.compile(r"(?:1[89]|2[01])\d\ds?(?:\s?[-–/]\s?(?:1[89]|2[01])\d\ds?)*")


def labelled_numbers(
    text: str, language: Language, least_digits: int
) -> Iterator[tuple[int, int, EntityKind]]:
    """Yield start, end and kind of what stands behind a label and has so many digits; no years."""
    there = folded(text).__contains__
    for kind, words, label in _labels(language):
        for found in label.finditer(text) if any(map(there, words)) else ():
            code = found["code"]
            if sum(map(str.isdigit, code)) >= least_digits and not is_years(code):
                yield *found.span("code"), kind


def is_years(text: str) -> bool:
    """Whether it is a year, a decade or some of them: `1999`, `1990s`, `1999-2001`."""
    return _YEARS.fullmatch(text) is not None


@cache
def _labels(language: Language) -> tuple[tuple[EntityKind, tuple[str, ...], re.Pattern[str]], ...]:
    numbers = language.numbers
    lists = (
        (EntityKind.PHONE, (*numbers.phone_labels, *numbers.pager_labels)),
        (EntityKind.FAX, numbers.fax_labels),
        (EntityKind.RECORD_NUMBER, numbers.record_labels),
        (EntityKind.HEALTH_PLAN, numbers.insurance_labels),
        (EntityKind.ACCOUNT, numbers.account_labels),
        (EntityKind.LICENSE, numbers.license_labels),
        (EntityKind.VEHICLE, numbers.vehicle_labels),
        (EntityKind.DEVICE, numbers.device_labels),
        (EntityKind.BIOMETRIC, numbers.biometric_labels),
        (EntityKind.POSTAL_CODE, numbers.postal_labels),
        (EntityKind.NUMBER, numbers.other_labels),
    )
    # the number may stand below, or in a column of its own
    between = r"[^\w\n]{0,4}(?:\n[^\w\n]{0,2}|(?<=[ \t])[ \t]{1,40})?"
    number = rf"(?:{alternatives(numbers.number_words)}(?!\w)[^\w\n]{{0,3}})?"
    return tuple(
        (
            kind,
            tuple({folded(word.split()[0]) for word in words}),
            re.compile(rf"(?i:(?<!\w){alternatives(words)}(?!\w){between}{number}){_CODE}"),
        )
        for kind, every in lists
        if (words := [word for word in every if len(word) > 1])
    )
