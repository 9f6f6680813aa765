"""Which dates of a patient mean the same day, told record by record.

A date means the day that its own record and those before it tell: by the record's own day and by
the order of day and month that dates up to its end show, else that of the language. Of two days
or times together, as of one alone, the days tell, whatever they are written like. A month, a year
or a season is none of its days. What cannot be read is told by its words.

A text with day, month and year that was there before, whatever signs stood between them, is the
same day as then. Where later records tell that it means another, as `03/04/2015` does once there is
`25/03/2015`, dates that mean this other day are the same as it from then on, unless they were there
before.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import count

from shared.language.languages import Language
from shared.model import PhiType
from shared.surrogates.dates.interpretation import InterpretedDate, read_dates
from shared.surrogates.dates.meaning import DateEvidence, digits_of
from shared.surrogates.mentions import PhiMention
from shared.text.spelling import match_key

_PART = re.compile(r"[^\W_]+")
_Key = tuple[PhiType, str]


class KnownDays:
    """The days of one patient's dates so far."""

    def __init__(self, language: Language) -> None:
        self._evidence = DateEvidence(language)
        self._by_day: dict[_Key, tuple[int, _Key]] = {}
        """The number of each day, and the text that was the first to mean it."""
        self._by_text: dict[_Key, tuple[int, _Key]] = {}
        """The number of each text with day, month and year, and what it meant last."""
        self._numbers = count()

    def read(self, mentions: Sequence[PhiMention], language: Language) -> Mapping[int, int]:
        """Return a number for the day of each date of a record, by number of the mention.

        What could not be read is left out.
        """
        self._evidence.language = language
        dates = read_dates(mentions, language, self._evidence)
        return {
            each.number: self._number(each, dates[each.number])
            for each in mentions
            if dates[each.number].read
        }

    def _number(self, mention: PhiMention, date: InterpretedDate) -> int:
        phi_type = mention.tag.phi_type
        day = phi_type, " ".join(dict.fromkeys(_days(date)))
        parts = (each.lstrip("0") for each in _PART.findall(match_key(mention.text)))
        text = phi_type, " ".join(parts)
        is_full = all(each.full for each in date.readings)
        if is_full and text in self._by_text:
            found, meant = self._by_text[text]
            if meant != day and self._by_day.get(meant) == (found, text):
                del self._by_day[meant]
        else:
            found = self._by_day[day][0] if day in self._by_day else next(self._numbers)
        self._by_day.setdefault(day, (found, text))
        if is_full:
            self._by_text[text] = found, day
        return found


def _days(date: InterpretedDate) -> Iterator[str]:
    """What each date of a text means: `day 2010-03-04`, with the last day where it has two."""
    for each in date.readings:
        precision = "day" if each.precision == "weekday" else each.precision
        days = [part for part in each.expression.parts if part.role == "day"]
        until = f" to {digits_of(days[-1])}" if len(days) > 1 else ""
        yield f"{precision} {each.day.isoformat()}{until}"
