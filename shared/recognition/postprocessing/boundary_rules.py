"""Where each thing begins and ends that was found, by what it is.

A CRF that never met a name takes a title for a part of it, or stops at its first word.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from shared.language.languages import Language, alternatives
from shared.model import Span
from shared.model.phi_traits import EntityKind, PersonRole
from shared.recognition.postprocessing.clinical_terms import is_staff_title, leading_title_length
from shared.recognition.postprocessing.patient_suggestions import PatientSuggestions
from shared.recognition.recognizer import Suggestion, keep_most_confident

_BEFORE_FAMILY = re.compile(r"(?<!\S)(?:(?i:de la|de los|van der|van den)|St\.|ST\.|Van|VAN)\s$")
"""A family name that begins with these has more of it before."""
_UNFINISHED = re.compile(r"(?:^|\s)(?:St|ST|Van|VAN)$")
_REST = re.compile(r"\.?\s[^\W\d_a-z][^\W\d_]*(?:-[^\W\d_]+)*")
_COLUMNS = re.compile(r"[ \t]{2,}|\t")
_AFTER_NAME = re.compile(
    r"(?:\s+[a-z][\w'’]*|[\s,;:\[\](\"/<{#|]+|(?<=[^\W\d_]{2})(?<!Jr)(?<!Sr)\.|(?<=\.)\.|['’]s?)+$"
)
_NUMBER = re.compile(r"(?:\s|\s?[\[(<{]|\s#)[A-Z]{0,3}\d")
"""What stands behind a name, as a record number does, and is no part of it."""
_HYPHENED = re.compile(r"-[^\W\d_a-z][^\W\d_]+(?![\w\-])")
"""The other half of a double name."""
_LAST_INITIAL = re.compile(r" [A-Z](?:\.|(?![\w.'’]))")
_BEFORE_BUILDING = re.compile(r"(?:[a-z]{1,4}\s+)+(?=[^\W\d_a-z])")
_LOOK_BACK = 12
_DOUBTFUL = 0.5
"""So much is left of the confidence in a label that was taken for a name."""
_MONTH_DAY = re.compile(r"[A-Z][a-z]{2,8}\.?\s\d{1,2}(?:st|nd|rd|th)?,?")
_YEAR_AFTER = re.compile(r",?\s(?:19|20|21)\d\d\b(?![/\-])")
_YEAR = re.compile(r"(?:19|20|21)\d\d|['’]\d\d")


class BoundaryWords(NamedTuple):
    """Expressions for words of a language at the ends of what is found."""

    before_name: re.Pattern[str]
    eponym_head: re.Pattern[str]
    """What follows a name that is no person's but a thing's."""
    inner_particle: re.Pattern[str]
    leading_particle: re.Pattern[str]
    first_of_city: re.Pattern[str]
    season_before: re.Pattern[str]
    no_street: re.Pattern[str]
    no_job: re.Pattern[str]


@lru_cache(maxsize=8)
def boundary_words(language: Language) -> BoundaryWords:
    """Return the words of a language at the ends of what is found."""
    particles = rf"(?:{alternatives(_no_initials(language.particles))}\.?\s)+"
    labels = {*language.names.form_labels} - {"name", "re"}  # names begin with these, too
    cities = {each.title() for each in language.places.city_prefixes}
    thing = f"(?:{language.cue('eponym_after')}|{language.cue('eponym_thing_after')})"
    return BoundaryWords(
        re.compile(
            rf"[\s,.;:\-]*(?:(?i:{alternatives(_no_initials(language.titles))}\b\.?|{alternatives(labels)})(?:\s+|$))?"
        ),
        re.compile(rf"(?:['’]s)?\s+{thing}\b"),
        re.compile(rf"\s{particles}", re.IGNORECASE),
        re.compile(particles, re.IGNORECASE),
        re.compile(rf"\b{alternatives(cities)}\s$"),
        re.compile(rf"\b{alternatives(language.season_numbers)}\s$", re.IGNORECASE),
        re.compile(rf"(?:\s+{language.cue('street_after')})+$"),
        re.compile(rf"(?:{language.cue('job_before')}\s+)+(?=\w)", re.IGNORECASE),
    )


def _no_initials(words: Iterable[str]) -> list[str]:
    """A word of one letter, as the Spanish `d.` and `y`, is somebody's initial elsewhere."""
    return [word for word in words if len(word) > 1]


def trim_boundaries(
    kind: EntityKind, text: str, one: Suggestion, words: BoundaryWords
) -> Suggestion | None:
    """Return the suggestion without what is no part of it; None where nothing is left."""
    if trim := _TRIMS_BY_WORDS.get(kind):
        return trim(text, one, words)
    return _TRIMS[kind](text, one) if kind in _TRIMS else one


def _building(text: str, one: Suggestion) -> Suggestion:
    start, end = _longest_column(text, one)
    found = _BEFORE_BUILDING.match(text[start:end])
    is_label = text[end : end + 1] == ":" and is_staff_title(text[start:end])
    doubt = _DOUBTFUL if is_label else 1.0
    start += found.end() if found else 0
    return replace(one, span=Span(start, end), confidence=doubt * one.confidence)


def _city(text: str, one: Suggestion, words: BoundaryWords) -> Suggestion:
    first = words.first_of_city.search(text, max(0, one.start - 7), one.start)
    return replace(one, span=Span(first.start(), one.end)) if first else one


def _street(text: str, one: Suggestion, words: BoundaryWords) -> Suggestion:
    last = words.no_street.search(one.span.text_in(text))
    return replace(one, span=Span(one.start, one.start + last.start())) if last else one


def _room(text: str, one: Suggestion) -> Suggestion:
    *_, (start, end) = _columns(text, one)
    return replace(one, span=Span(start, end)) if start < end else one


def _elsewhere(text: str, one: Suggestion) -> Suggestion:
    article = 4 if text[: one.start].endswith(("the ", "The ")) else 0
    return replace(one, span=Span(one.start - article, one.end))


def _profession(text: str, one: Suggestion, words: BoundaryWords) -> Suggestion:
    found = words.no_job.match(one.span.text_in(text))
    return replace(one, span=Span(one.start + found.end(), one.end)) if found else one


def _person(text: str, one: Suggestion, words: BoundaryWords) -> Suggestion | None:
    start, end = _longest_column(text, one)
    first = words.before_name.match(text[start:end])
    start += first.end() if first else 0
    start += leading_title_length(text[start:end])
    if before := _BEFORE_FAMILY.search(text, max(0, start - 8), start):
        start = before.start()
    if number := _NUMBER.search(text, start, end):
        end = max(start, number.start())
    last = _AFTER_NAME.search(text[start:end])
    if last and not text[start:end].islower():
        end = start + last.start()
    goes_on = _REST if _UNFINISHED.search(text[start:end]) else _HYPHENED
    if rest := goes_on.match(text, end):
        end = rest.end()
    if "," in text[start:end] and (initial := _LAST_INITIAL.match(text, end)):
        end = initial.end()
    return replace(one, span=Span(start, end)) if start < end else None


def _date(text: str, one: Suggestion, words: BoundaryWords) -> Suggestion:
    """A month and day with the year that follows, a year with the season before it."""
    start, end = one.start, one.end
    written = one.span.text_in(text)
    if _MONTH_DAY.fullmatch(written) and (year := _YEAR_AFTER.match(text, end)):
        end = year.end()
    if _YEAR.fullmatch(written) and (
        season := words.season_before.search(text, max(0, start - _LOOK_BACK), start)
    ):
        start = season.start()
    return replace(one, span=Span(start, end))


def _columns(text: str, one: Suggestion) -> Iterator[tuple[int, int]]:
    """Yield the stretches between wide spaces."""
    start = one.start
    for gap in _COLUMNS.finditer(text, one.start, one.end):
        yield start, gap.start()
        start = gap.end()
    yield start, one.end


def _longest_column(text: str, one: Suggestion) -> tuple[int, int]:
    return max(_columns(text, one), key=lambda each: each[1] - each[0])


_TRIMS: dict[EntityKind, Callable[[str, Suggestion], Suggestion]] = {
    EntityKind.HOSPITAL: _building,
    EntityKind.ORGANIZATION: _building,
    EntityKind.ROOM: _room,
    EntityKind.PLACE: _elsewhere,
}
_TRIMS_BY_WORDS: dict[EntityKind, Callable[[str, Suggestion, BoundaryWords], Suggestion | None]] = {
    EntityKind.PERSON: _person,
    EntityKind.DATE: _date,
    EntityKind.CITY: _city,
    EntityKind.STREET: _street,
    EntityKind.PROFESSION: _profession,
}


_INITIAL = re.compile(r"[^\W\d_a-z]\.?")
FULL_LINE = 50
"""A line of so many characters may break a name."""


def merge_split_names(patient: PatientSuggestions) -> PatientSuggestions:
    """Cut off from each suggestion what is no part of it, and put torn names together."""
    return patient.with_found(
        keep_most_confident(_joined(patient, text, found)) for text, found in patient.records()
    )


def _joined(
    patient: PatientSuggestions, text: str, found: Sequence[Suggestion]
) -> list[Suggestion]:
    words = boundary_words(patient.language)
    result: list[Suggestion] = []
    reached = 0
    for one in found:
        trimmed = trim_boundaries(patient.kind(one), text, one, words)
        if trimmed is None:
            continue
        is_name = patient.is_person(one) and result and result[-1].phi_type == one.phi_type
        if is_name and _is_torn(patient, text, result[-1], trimmed, reached):
            last = result.pop()
            sure = max(last.confidence, trimmed.confidence)
            end = max(last.end, trimmed.end)
            trimmed = replace(last, span=Span(last.start, end), confidence=sure)
        result.append(trimmed)
        reached = one.end
    return result


def _is_torn(
    patient: PatientSuggestions, text: str, last: Suggestion, one: Suggestion, reached: int
) -> bool:
    """Whether a name goes on here: after an initial, a hyphen, a comma, or in the next word."""
    if last.end >= one.start:
        return last.end > one.start  # where each was made as long as the whole name
    words = boundary_words(patient.language)
    gap = text[last.end : one.start]
    before, after = last.span.text_in(text), one.span.text_in(text)
    if gap in {" ", "\n"}:
        if _INITIAL.fullmatch(before):
            return True
        is_full = gap == " " or last.end - text.rfind("\n", 0, last.end) > FULL_LINE
        family = words.leading_particle.sub("", after)
        return is_full and _is_one_name(before) and _is_one_name(family) and before != after
    if gap.strip() == "," and len(gap) < 3:
        return reached > last.end or (patient.role(one) is PersonRole.PATIENT and before.isupper())
    return gap == "-" or bool(words.inner_particle.fullmatch(gap) and not after.islower())


def _is_one_name(written: str) -> bool:
    return written.isalpha() and written.istitle()
