"""`2/10` may be a day or a share: it is a day where the record has full dates nearby."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date

from dateutil import parser

from shared.model import PhiType, Span
from shared.recognition.recognizer import Suggestion, keep_most_confident

DATE = PhiType("DATE", "DATE")
MIN_CONFIDENCE = 0.8
"""Full dates of at least this confidence say when a record was written."""
BOOST = 0.6
"""So much of the doubt that is left goes."""
_BEFORE, _AFTER = 60, 45
"""A day is near that is so many days before or after a full date."""
_NEW = 0.7
"""So sure is a day that was overlooked."""
_WHOLES = {2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 18, 20, 24, 28, 30}
"""What shares are often of: strength of 5, murmurs of 6, pain of 10, a mental state of 30."""
_ALONE = re.compile(r"(?<![\w/.,:\-+])(\d{1,2})/(\d{1,2})(?![\w/%\-+]|\.\d|,\d)")
_DAY = re.compile(r"(\d{1,2})/(\d{1,2})")
_NAME = re.compile(
    r"January|February|March|April|June|July|August|September|October|November|December|"
    r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day"
)
"""What is a day or a month wherever it is one at all."""
_FULL = re.compile(r"(?=.*\d{2}\b)(?=\D*\d+\D+\d+\D+\d+|\D*[A-Za-z]{3}\D*\d+\D+\d+).{6,20}")


def classify_dates(text: str, found: Sequence[Suggestion]) -> tuple[Suggestion, ...]:
    """Return the suggestions of a text, days near to its full dates and those by name surer."""
    known = list(full_dates(text, found))
    surer = [boosted(text, one, known) if one.phi_type == DATE else one for one in found]
    return keep_most_confident([*surer, *_overlooked(text, found, known)])


def _overlooked(
    text: str, found: Sequence[Suggestion], known: Sequence[date]
) -> Iterator[Suggestion]:
    """Yield days near to full dates that no share is likely to be."""
    taken = {one.start for one in found if one.phi_type == DATE}
    for day in _ALONE.finditer(text) if known else ():
        month, number = int(day[1]), int(day[2])
        is_share = month <= number and number in _WHOLES
        is_new = day.start() not in taken and not is_share
        if is_new and any(_is_near(month, number, each) for each in known):
            yield Suggestion(Span(*day.span()), DATE, _NEW, found[0].recognizer)


def full_dates(text: str, found: Sequence[Suggestion]) -> Iterator[date]:
    """Yield the days of the sure dates of a text that have day, month and year."""
    for one in found:
        written = " ".join(one.span.text_in(text).split())
        if one.phi_type == DATE and one.confidence >= MIN_CONFIDENCE and _FULL.fullmatch(written):
            try:
                yield parser.parse(written).date()
            except (ValueError, OverflowError):
                continue


def boosted(text: str, one: Suggestion, known: Sequence[date]) -> Suggestion:
    written = one.span.text_in(text)
    if not _NAME.fullmatch(written):
        day = _DAY.fullmatch(written)
        if not day or not any(_is_near(int(day[1]), int(day[2]), each) for each in known):
            return one
    return replace(one, confidence=one.confidence + BOOST * (1 - one.confidence))


def _is_near(month: int, day: int, known: date) -> bool:
    for year in (known.year - 1, known.year, known.year + 1):
        try:
            away = (date(year, month, day) - known).days
        except ValueError:
            continue
        if -_BEFORE <= away <= _AFTER:
            return True
    return False
