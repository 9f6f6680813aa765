"""A year alone, as in `Lymphoma (2076)`, is known by the time that a patient's records speak of.

Where it lies within that time and nothing calls it a number of another kind, it is a year, however
seldom a CRF met its neighbours; where it does not, it is a time of day or an amount.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from shared.model import PhiType, Span
from shared.recognition.postprocessing.ambiguous_dates import full_dates
from shared.recognition.recognizer import Suggestion, keep_most_confident

DATE = PhiType("DATE", "DATE")
LIFE, AHEAD = 110, 12
"""Years lie at most so many years before or after a full date."""
BOOST, _LEFT, _NEW = 0.8, 0.5, 0.85
"""So much of the doubt goes for a year in time, so much of the confidence is left for one out of
it, and so sure is one that was overlooked."""
_YEAR = re.compile(r"(?<![\w/.\-#$+:'’])(?:18|19|20|21)\d\d(?![\w%°]|[/.\-:+]\d)")
_NUMBERED = re.compile(
    r"(?:\b(?:at|arrived|time|to|x|no|of|room|rm|bed|pager|beeper|pgr|ext|lot|unit|box|id|code|"
    r"number|phone|call|dial|total|about|some|over|under|level|from|than|by|was|is|until|since)"
    r"|[@#$&*<>=~+\-])[.:]?\s{0,2}$",
    re.IGNORECASE,
)
_AMOUNT = re.compile(
    r"\s?(?:cc|ml|mL|mg|mcg|g|units?|cal\w*|kcal|hrs?|hours?|h|feet|ft|steps|in|out|ADA|lbs?|grams?|"
    r"meters?|st|nd|rd|th)(?!\w)|\s?[\-/%]|\s+[A-Z][a-z]+\s+(?:Street|St|Ave|Road|Rd|Drive|Lane|Way)"
)
_ENDS = re.compile(r"\s*(?:[),;.:\n]|$)|\s+(?:and|with|for|but|when|after|showed|without|\()")
_MINUTES = 60
_CLOCK = re.compile(r"(?<![\w/.\-#:,])(?:0\d|1[0-7])[0-5]\d(?![\w/.\-:,]\d|\w)")


def find_years(
    texts: Sequence[str], suggested: Sequence[Sequence[Suggestion]]
) -> list[tuple[Suggestion, ...]]:
    """Return the suggestions of a patient's texts, years surer or added, or less sure."""
    known = [
        day.year
        for text, found in zip(texts, suggested, strict=True)
        for day in full_dates(text, found)
    ]
    if not known:
        return [tuple(found) for found in suggested]
    time = range(min(known) - LIFE, max(known) + AHEAD + 1)
    return [
        keep_most_confident([*_weighed(text, found, time), *_new(text, found, time)])
        for text, found in zip(texts, suggested, strict=True)
    ]


def _weighed(text: str, found: Sequence[Suggestion], time: range) -> Iterator[Suggestion]:
    for one in found:
        written = one.span.text_in(text)
        if one.phi_type != DATE or not _YEAR.fullmatch(written):
            yield one
        elif int(written) not in time:
            yield replace(one, confidence=_LEFT * one.confidence)
        elif _is_counted(text, one.start, one.end) or _may_be_time(text, written):
            yield one
        else:
            yield replace(one, confidence=one.confidence + BOOST * (1 - one.confidence))


def _new(text: str, found: Sequence[Suggestion], time: range) -> Iterator[Suggestion]:
    if not found:
        return
    dates = {one.start for one in found if one.phi_type == DATE}
    for year in _YEAR.finditer(text):
        start, end = year.span()
        is_new = int(year[0]) in time and start not in dates
        if not is_new or not _ENDS.match(text, end) or _is_counted(text, start, end):
            continue
        if text[start - 1 : end + 1] == f"({year[0]})" or not _may_be_time(text, year[0]):
            yield Suggestion(Span(start, end), DATE, _NEW, found[0].recognizer)


def _may_be_time(text: str, written: str) -> bool:
    """Whether the number is a time of day too, in a record that writes those as `0730`."""
    return int(written[2:]) < _MINUTES and bool(_CLOCK.search(text))


def _is_counted(text: str, start: int, end: int) -> bool:
    """Whether its neighbours make a number a time of day, an amount or the name of something."""
    before = _NUMBERED.search(text, max(0, start - 12), start)
    return bool(before or _AMOUNT.match(text, end))
