"""Ages that other ages bear out: those of a list, and the patient's own in every record.

`Two sons, 41 and 38` has two ages if it has one, and a patient of 61 in 2076 is 63 in 2078.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from shared.model import PhiType, Span
from shared.recognition.postprocessing.ambiguous_dates import full_dates
from shared.recognition.recognizer import Suggestion, keep_most_confident

AGE = PhiType("AGE", "AGE")
MIN_CONFIDENCE = 0.8
"""Ages of at least this confidence speak for others."""
_LISTED = 0.8
"""So sure is the next of a list, of what the one before is."""
BOOST = 0.5
OLDEST = 105
_NEXT = re.compile(
    r"(?:,?\s(?:and|&)\s|,\s)(?P<age>\d{1,3})(?=[,;:)]|\.(?!\d)|\s*$|\s*\n|,?\s(?:and|&)\s\d)"
)
_PATIENTS = re.compile(r"[ \-]?(?:y(?:ea)?rs?[ \-]?old|y[/.]?o\b)", re.IGNORECASE)


def find_ages(
    texts: Sequence[str], suggested: Sequence[Sequence[Suggestion]]
) -> list[tuple[Suggestion, ...]]:
    """Return the suggestions of a patient's texts with the ages that others speak for."""
    listed = [
        keep_most_confident([*found, *_listed(text, found)])
        for text, found in zip(texts, suggested, strict=True)
    ]
    years = [_year(text, found) for text, found in zip(texts, listed, strict=True)]
    born = _born(texts, listed, years)
    if born is None:
        return listed
    return [
        tuple(boosted(text, one, year - born if year else None) for one in found)
        for text, found, year in zip(texts, listed, years, strict=True)
    ]


def _listed(text: str, found: Sequence[Suggestion]) -> Iterator[Suggestion]:
    for one in found:
        sure = one.confidence
        if one.phi_type != AGE or sure < MIN_CONFIDENCE:
            continue
        end = one.end
        while (following := _NEXT.match(text, end)) and int(following["age"]) <= OLDEST:
            sure *= _LISTED
            yield Suggestion(Span(*following.span("age")), AGE, sure, one.recognizer)
            end = following.end("age")


def _year(text: str, found: Sequence[Suggestion]) -> int | None:
    """The year that most full dates of a record are of, the latest of those."""
    years = Counter(day.year for day in full_dates(text, found))
    return max(years, key=lambda year: (years[year], year)) if years else None


def _born(
    texts: Sequence[str], suggested: Sequence[Sequence[Suggestion]], years: Sequence[int | None]
) -> int | None:
    born = Counter(
        year - int(one.span.text_in(text))
        for text, found, year in zip(texts, suggested, years, strict=True)
        if year
        for one in found
        if one.phi_type == AGE
        and one.confidence >= MIN_CONFIDENCE
        and _PATIENTS.match(text, one.end)
        if one.span.text_in(text).isdecimal()
    )
    if not born:
        return None
    return max(born, key=lambda year: (sum(born[year + near] for near in (-1, 0, 1)), born[year]))


def boosted(text: str, one: Suggestion, age: int | None) -> Suggestion:
    written = one.span.text_in(text)
    if age is None or one.phi_type != AGE or not written.isdecimal():
        return one
    if abs(int(written) - age) > 1:
        return one
    return replace(one, confidence=one.confidence + BOOST * (1 - one.confidence))
