"""`2/10` may be a day or a share: it is a day where the record has full dates nearby.

Strength and pain are written like days, so that a CRF doubts; a day of the weeks around a record is
rarely anything else.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date

from dateutil import parser

from shared.model import PhiType
from shared.recognition.suggestion import Suggestion

DATE = PhiType("DATE", "DATE")
HEARD = 0.8
"""Full dates of at least this confidence say when a record was written."""
_GAIN = 0.6
"""So much of the doubt that is left goes."""
_BEFORE, _AFTER = 60, 45
"""A day is near that is so many days before or after a full date."""
_DAY = re.compile(r"(\d{1,2})/(\d{1,2})")
_FULL = re.compile(r"(?=.*\d{2}\b)(?=\D*\d+\D+\d+\D+\d+|\D*[A-Za-z]{3}\D*\d+\D+\d+).{6,20}")


def dated(text: str, found: Sequence[Suggestion]) -> tuple[Suggestion, ...]:
    """Return the suggestions of a text, days near to its full dates surer."""
    known = list(_full_dates(text, found))
    return tuple(_surer(text, one, known) if one.phi_type == DATE else one for one in found)


def _full_dates(text: str, found: Sequence[Suggestion]) -> Iterator[date]:
    for one in found:
        written = " ".join(one.span.text_in(text).split())
        if one.phi_type == DATE and one.confidence >= HEARD and _FULL.fullmatch(written):
            try:
                yield parser.parse(written).date()
            except (ValueError, OverflowError):
                continue


def _surer(text: str, one: Suggestion, known: Sequence[date]) -> Suggestion:
    written = _DAY.fullmatch(one.span.text_in(text))
    if not written:
        return one
    month, day = int(written[1]), int(written[2])
    if not any(_is_near(month, day, each) for each in known):
        return one
    return replace(one, confidence=one.confidence + _GAIN * (1 - one.confidence))


def _is_near(month: int, day: int, known: date) -> bool:
    for year in (known.year - 1, known.year, known.year + 1):
        try:
            away = (date(year, month, day) - known).days
        except ValueError:
            continue
        if -_BEFORE <= away <= _AFTER:
            return True
    return False
