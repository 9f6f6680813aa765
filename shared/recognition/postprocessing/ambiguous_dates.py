"""`2/10` may be a day or a share: it is a day where the record has full dates nearby."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache

from shared.language.date_mentions import DayOrder, read_date
from shared.language.languages import Language, alternatives
from shared.model import PhiType, Span
from shared.model.phi_traits import EntityKind
from shared.recognition.postprocessing.patient_suggestions import PatientSuggestions
from shared.recognition.recognizer import Suggestion, keep_most_confident

MIN_CONFIDENCE = 0.8
"""Full dates of at least this confidence say when a record was written."""
BOOST = 0.6
"""So much of the doubt that is left goes."""
_BEFORE, _AFTER = 60, 45
"""A day is near that is so many days before or after a full date."""
_LONGEST_WORD = 3
_NEW = 0.7
"""So sure is a day that was overlooked."""
_WHOLES = {2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 18, 20, 24, 28, 30}
"""What shares are often of: strength of 5, murmurs of 6, pain of 10, a mental state of 30."""
_ALONE = re.compile(r"(?<![\w/.,:\-+])(\d{1,2})/(\d{1,2})(?![\w/%\-+]|\.\d|,\d)")
_DAY = re.compile(r"(\d{1,2})/(\d{1,2})")


@dataclass(frozen=True, slots=True)
class _FullDates:
    """The full dates of a record, and which of day and month stands first in its language."""

    days: tuple[date, ...]
    order: DayOrder

    def has_near(self, first: int, second: int) -> bool:
        """True where the day `first/second` is near to one of them."""
        month, day = (first, second) if self.order is DayOrder.MONTH_FIRST else (second, first)
        return any(_is_near(month, day, each) for each in self.days)


def classify_dates(patient: PatientSuggestions) -> PatientSuggestions:
    """Make days near to a text's full dates surer, and those by name; add those overlooked."""
    date_type = patient.type_of(EntityKind.DATE)
    if date_type is None:
        return patient
    names = _names_of_days(patient.language)
    return patient.with_found(
        _classified(patient, *each, date_type, names) for each in patient.records()
    )


def _classified(
    patient: PatientSuggestions,
    text: str,
    found: Sequence[Suggestion],
    date_type: PhiType,
    names: re.Pattern[str],
) -> tuple[Suggestion, ...]:
    dates = [one for one in found if patient.kind(one) is EntityKind.DATE]
    known = _full_dates(text, dates, patient.language)
    others = [one for one in found if patient.kind(one) is not EntityKind.DATE]
    surer = [_boosted(text, one, known, names) for one in dates]
    overlooked = [
        Suggestion(span, date_type, _NEW, patient.recognizer)
        for span in _overlooked(text, dates, known)
    ]
    return keep_most_confident([*others, *surer, *overlooked])


@lru_cache(maxsize=8)
def _names_of_days(language: Language) -> re.Pattern[str]:
    """What is a day or a month wherever it is one at all; a name as short as `May` is not."""
    names = (*language.dates.months, *language.dates.weekdays)
    return re.compile(alternatives(name for name in names if len(name) > _LONGEST_WORD))


def _overlooked(text: str, dates: Sequence[Suggestion], known: _FullDates) -> Iterator[Span]:
    """Yield days near to full dates that no share is likely to be."""
    taken = {one.start for one in dates}
    for day in _ALONE.finditer(text) if known.days else ():
        first, second = int(day[1]), int(day[2])
        is_share = first <= second and second in _WHOLES
        if day.start() not in taken and not is_share and known.has_near(first, second):
            yield Span(*day.span())


def _full_dates(text: str, dates: Sequence[Suggestion], language: Language) -> _FullDates:
    """The days of the sure dates of a text that have day, month and year."""
    order = DayOrder.DAY_FIRST if language.dates.day_first else DayOrder.MONTH_FIRST
    days: list[date] = []
    for one in dates:
        if one.confidence < MIN_CONFIDENCE:
            continue
        read = read_date(one.span.text_in(text), language)
        meant = read.read(order)[0] if read and read.has_day and read.has_year else None
        if meant and (day := _day(meant.year or 0, meant.month, meant.day or 0)):
            days.append(day)
    return _FullDates(tuple(days), order)


def _day(year: int, month: int, day: int) -> date | None:
    """None where the calendar has no such day; a year of two digits is one of this century."""
    try:
        return date(year + 2000 if year < 100 else year, month, day)
    except ValueError:
        return None


def _boosted(text: str, one: Suggestion, known: _FullDates, names: re.Pattern[str]) -> Suggestion:
    written = one.span.text_in(text)
    if not names.fullmatch(written):
        day = _DAY.fullmatch(written)
        if not day or day[1] == day[2]:
            return one  # full marks, as of strength
        if not known.has_near(int(day[1]), int(day[2])):
            return one
    return replace(one, confidence=one.confidence + BOOST * (1 - one.confidence))


def _is_near(month: int, day: int, known: date) -> bool:
    years = (known.year - 1, known.year, known.year + 1)
    there = [made for year in years if (made := _day(year, month, day))]
    return any(-_BEFORE <= (each - known).days <= _AFTER for each in there)
