"""What cannot be what it was taken for, whatever a CRF says: `26/30` is no day, `1157` no year.

Shapes alone mislead in notes that write scores, times of day and years as dates are written.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from shared.model import PhiType, Span
from shared.recognition.postprocessing.boundary_rules import PEOPLE
from shared.recognition.recognizer import Suggestion, keep_most_confident

DATE, AGE, ZIP = PhiType("DATE", "DATE"), PhiType("AGE", "AGE"), PhiType("LOCATION", "ZIP")
WORDED = frozenset(
    PhiType(category, name)
    for category, names in {
        "NAME": "PATIENT DOCTOR",
        "LOCATION": "HOSPITAL DEPARTMENT ORGANIZATION CITY STATE COUNTRY LOCATION-OTHER STREET",
        "PROFESSION": "PROFESSION",
    }.items()
    for name in names.split()
)
"""Types that nothing can be of which has no letter."""
OLDEST = 120
_LETTER = re.compile(r"[^\W\d_]")
_YEAR = r"(?:18|19|20|21)\d\d"
_ONE_DATE = rf"(?:\d{{1,2}}/\d{{1,2}}/(?:{_YEAR}|\d\d)|\d{{1,2}}/(?:{_YEAR}|\d\d?)|{_YEAR})"
_TWO_DATES = re.compile(
    rf"(?P<first>{_ONE_DATE})(?:\s?[-\u2013,;&+]\s?|\s(?:and|to|or|until|through|thru)\s)(?P<second>{_ONE_DATE})"
)
_TIME = r"(?:[01]\d|2[0-3])[0-5]\d|\d{1,2}:[0-5]\d"
_DAY_AND_TIME = re.compile(
    rf"(?P<day>\d{{1,2}}[/\-]\d{{1,2}}(?:[/\-]\d{{2,4}})?|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|Mon|Tues?|Wed|Thurs?|Fri|Sat|Sun)"
    rf"\s+(?:at\s+|@\s*)?(?:{_TIME})(?:\s?(?:h|hrs?|hours|[ap]\.?m\.?))?"
)
_IN_NUMBERS = re.compile(r"(\d{1,4})([/\-.])(\d{1,3})(?:\2(\d{1,4}))?")
_BARE_NUMBER = re.compile(r"\d{3,}")
_MEASURED = re.compile(
    r"\s?(?:deg(?:rees)?|percent|%|mg|mcg|g|cc|ml|mL|cm|mm|lbs?|kg|bpm|units?|ft|feet|cal(?:ories)?)(?![\w/])"
)
_COMPARED = re.compile(
    r"(?:[<>=\u2264\u2265]|\b(?:fell|rose|dropped|climbed|went|came down|increased|decreased|held|"
    r"stayed|remained|peaked|ran|settled) (?:from|to|at|by|down|up))\s{0,2}$"
)
_TIMED = re.compile(r"\b(?:time|arrived|clock)(?: in| out| at)?:?\s{1,2}$", re.IGNORECASE)
_CLOCK = re.compile(r"(?:[01]\d|2[0-3])[0-5]\d")
_MONTH = re.compile(r"April|May|June|August")
_IN_MONTH = re.compile(r"\b(?:in|since|until|during|last|this|early|late|mid|next)[ \-\n]$")
_ZIP = re.compile(r"\d{5}(?:-\d{4})?")
_MONTHS, _DAYS, _CENTURY = range(1, 13), range(1, 32), 100


def remove_implausible(text: str, found: Sequence[Suggestion]) -> tuple[Suggestion, ...]:
    """Return the suggestions of a text without what cannot be; two dates in one come apart."""
    return keep_most_confident(each for one in found for each in _sound(text, one))


def _sound(text: str, one: Suggestion) -> Iterator[Suggestion]:
    written = one.span.text_in(text)
    before = text[max(0, one.start - 20) : one.start]
    if _CLOCK.fullmatch(written) and _TIMED.search(before):
        return
    if one.phi_type == DATE:
        yield from _dates(one, written)
    elif one.phi_type == AGE and (_MEASURED.match(text, one.end) or _COMPARED.search(before)):
        return
    elif _is_month(one, written, before):
        yield replace(one, phi_type=DATE)
    elif _can_be(one.phi_type, written):
        yield one
    elif re.fullmatch(_YEAR, written):
        yield replace(one, phi_type=DATE)


def _can_be(phi_type: PhiType, written: str) -> bool:
    if phi_type == AGE:
        return not written.isdecimal() or int(written) <= OLDEST
    if phi_type == ZIP:
        return _ZIP.fullmatch(written) is not None
    return phi_type not in WORDED or _LETTER.search(written) is not None


def _is_month(one: Suggestion, written: str, before: str) -> bool:
    is_name = one.phi_type in PEOPLE and _MONTH.fullmatch(written)
    return bool(is_name and _IN_MONTH.search(before))


def _dates(one: Suggestion, written: str) -> Iterator[Suggestion]:
    if two := _TWO_DATES.fullmatch(written):
        for name in ("first", "second"):
            start, end = two.span(name)
            yield replace(one, span=Span(one.start + start, one.start + end))
    elif timed := _DAY_AND_TIME.fullmatch(written):
        yield replace(one, span=Span(one.start, one.start + timed.end("day")))
    elif _can_be_date(written):
        yield one


def _can_be_date(written: str) -> bool:
    if _BARE_NUMBER.fullmatch(written):
        return len(written) != 4 or re.fullmatch(_YEAR, written) is not None
    numbers = _IN_NUMBERS.fullmatch(written)
    if numbers is None:
        return True
    first, _, second, third = numbers.groups()
    if len(first) > 2:
        return int(second) in _MONTHS
    one, two = int(first), int(second)
    if third is None:
        return (one in _MONTHS and two < _CENTURY) or (two in _MONTHS and one in _DAYS)
    return (one in _MONTHS and two in _DAYS) or (two in _MONTHS and one in _DAYS)
