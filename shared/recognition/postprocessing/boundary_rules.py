"""Where each thing begins and ends that was found, by what it is.

A CRF that never met a name takes a title for a part of it, or stops at its first word.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache

from shared.language.languages import Language
from shared.model import Span
from shared.model.phi_traits import EntityKind, PersonRole
from shared.recognition.postprocessing.clinical_terms import is_staff_title, leading_title_length
from shared.recognition.postprocessing.patient_suggestions import PatientSuggestions
from shared.recognition.recognizer import Suggestion, keep_most_confident

EPONYM_HEAD = r"(?:['’]s)?\s+(?:{eponym_after}|{eponym_thing_after})\b"
"""What follows a name that is no person's but a thing's."""
FULL_LINE = 50
"""A line of so many characters may break a name."""
_BEFORE_NAME = (
    r"(?i)[\s,.;:\-]*(?:(?:{language.long_titles}\b\.?|"
    r"(?!{label_in_name}(?:\s|$)){names.form_labels})(?:\s+|$))?"
)
_PARTICLES = r"(?i)(?:{language.long_particles}\.?\s)+"
_INNER_PARTICLES = r"(?i)\s(?:{language.long_particles}\.?\s)+"
_FAMILY_NAME_START = r"(?<!\S){family_name_start}\s$"
"""A family name that begins with these has more of it before."""
_UNFINISHED = r"(?:^|\s){family_name_broken}$"
_BEFORE_CITY = r"\b(?=[A-Z][^\W\d_A-Z])(?i:{places.city_prefixes})\s$"
_BEFORE_PLACE = r"(?<![A-Za-z]){place_before}\s$"
_BEFORE_YEAR = r"(?i)\b{language.season_numbers}\s$"
_AFTER_STREET = r"(?:\s+{street_after})+$"
_BEFORE_JOB = r"(?i)(?:{job_before}\s+)+(?=\w)"
_REST = re.compile(r"\.?\s[^\W\d_a-z][^\W\d_]*(?:-[^\W\d_]+)*")
_COLUMNS = re.compile(r"[ \t]{2,}|\t")
_NUMBER = re.compile(r"(?:\s|\s?[\[(<{]|\s#)[A-Z]{0,3}\d")
"""What stands behind a name, as a record number does, and is no part of it."""
_HYPHENED = re.compile(r"-[^\W\d_a-z][^\W\d_]+(?![\w\-])")
"""The other half of a double name."""
_INITIAL = re.compile(r"[^\W\d_a-z]\.?")
_LAST_INITIAL = re.compile(r" [A-Z](?:\.|(?![\w.'’]))")
_BEFORE_BUILDING = re.compile(r"(?:[a-z]{1,4}\s+)+(?=[^\W\d_a-z])")
_LOOK_BACK = 12
_DOUBTFUL = 0.5
"""So much is left of the confidence in a label that was taken for a name."""
_MONTH_DAY = r"[A-Z][a-z]{2,8}\.?\s\d{1,2}{dates.ordinal_suffixes}?,?"
_YEAR_AFTER = re.compile(r",?\s(?:19|20|21)\d\d\b(?![/\-])")
_YEAR = re.compile(r"(?:19|20|21)\d\d|['’]\d\d")


def merge_split_names(patient: PatientSuggestions) -> PatientSuggestions:
    """Cut off from each suggestion what is no part of it, and put torn names together."""
    return patient.with_found(
        keep_most_confident(_merged(patient, text, found)) for text, found in patient.records()
    )


def _merged(
    patient: PatientSuggestions, text: str, found: Sequence[Suggestion]
) -> list[Suggestion]:
    result: list[Suggestion] = []
    reached = 0
    for one in found:
        trim = _TRIMS.get(patient.kind(one))
        trimmed = trim(text, one, patient.language) if trim else one
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
    gap = text[last.end : one.start]
    before, after = last.span.text_in(text), one.span.text_in(text)
    if gap in {" ", "\n"}:
        if _INITIAL.fullmatch(before):
            return True
        is_full = gap == " " or last.end - text.rfind("\n", 0, last.end) > FULL_LINE
        family = patient.language.expression(_PARTICLES).sub("", after)
        return is_full and _is_one_name(before) and _is_one_name(family) and before != after
    if gap.strip() == "," and len(gap) < 3:
        return reached > last.end or (patient.role(one) is PersonRole.PATIENT and before.isupper())
    if gap == "-":
        return True
    particles = patient.language.expression(_INNER_PARTICLES)
    return particles.fullmatch(gap) is not None and not after.islower()


def _is_one_name(written: str) -> bool:
    return written.isalpha() and written.istitle()


# ------------------------------------------------------- what is no part of it, by what it is


def _person(text: str, one: Suggestion, language: Language) -> Suggestion | None:
    start, end = _longest_column(text, one)
    if before := language.expression(_BEFORE_NAME).match(text[start:end]):
        start += before.end()
    start += leading_title_length(text[start:end])
    family = language.expression(_FAMILY_NAME_START)
    if before := family.search(text, max(0, start - 8), start):
        start = before.start()
    if number := _NUMBER.search(text, start, end):
        end = max(start, number.start())
    last = _after_name(language).search(text[start:end])
    if last and not text[start:end].islower():
        end = start + last.start()
    is_unfinished = language.expression(_UNFINISHED).search(text[start:end])
    if rest := (_REST if is_unfinished else _HYPHENED).match(text, end):
        end = rest.end()
    if "," in text[start:end] and (initial := _LAST_INITIAL.match(text, end)):
        end = initial.end()
    return replace(one, span=Span(start, end)) if start < end else None


@cache
def _after_name(language: Language) -> re.Pattern[str]:
    """What stands at the end of a name and is no part of it; `Jr.` keeps its full stop."""
    no_suffix = "".join(rf"(?<!{each.title()})" for each in language.names.suffixes)
    return re.compile(
        r"(?:\s+[a-z][\w'’]*|[\s,;:\[\](\"/<{#|]+"
        rf"|(?<=[^\W\d_]{{2}}){no_suffix}\.|(?<=\.)\.|['’]s?)+$"
    )


def _building(text: str, one: Suggestion, _: Language) -> Suggestion:
    start, end = _longest_column(text, one)
    found = _BEFORE_BUILDING.match(text[start:end])
    is_label = text[end : end + 1] == ":" and is_staff_title(text[start:end])
    doubt = _DOUBTFUL if is_label else 1.0
    start += found.end() if found else 0
    return replace(one, span=Span(start, end), confidence=doubt * one.confidence)


def _room(text: str, one: Suggestion, _: Language) -> Suggestion:
    start, end = [*_columns(text, one)][-1]
    return replace(one, span=Span(start, end)) if start < end else one


def _street(text: str, one: Suggestion, language: Language) -> Suggestion:
    last = language.expression(_AFTER_STREET).search(one.span.text_in(text))
    return replace(one, span=Span(one.start, one.start + last.start())) if last else one


def _profession(text: str, one: Suggestion, language: Language) -> Suggestion:
    found = language.expression(_BEFORE_JOB).match(one.span.text_in(text))
    return replace(one, span=Span(one.start + found.end(), one.end)) if found else one


def _city(text: str, one: Suggestion, language: Language) -> Suggestion:
    return _with_words_before(text, one, language.expression(_BEFORE_CITY))


def _place(text: str, one: Suggestion, language: Language) -> Suggestion:
    return _with_words_before(text, one, language.expression(_BEFORE_PLACE))


def _date(text: str, one: Suggestion, language: Language) -> Suggestion:
    """A month and day with the year that follows, a year with the season before it."""
    written = one.span.text_in(text)
    month_day = language.expression(_MONTH_DAY)
    if month_day.fullmatch(written) and (year := _YEAR_AFTER.match(text, one.end)):
        return replace(one, span=Span(one.start, year.end()))
    if _YEAR.fullmatch(written):
        return _with_words_before(text, one, language.expression(_BEFORE_YEAR))
    return one


def _with_words_before(text: str, one: Suggestion, words: re.Pattern[str]) -> Suggestion:
    found = words.search(text, max(0, one.start - _LOOK_BACK), one.start)
    return replace(one, span=Span(found.start(), one.end)) if found else one


def _columns(text: str, one: Suggestion) -> Iterator[tuple[int, int]]:
    """Yield the stretches between wide spaces."""
    start = one.start
    for gap in _COLUMNS.finditer(text, one.start, one.end):
        yield start, gap.start()
        start = gap.end()
    yield start, one.end


def _longest_column(text: str, one: Suggestion) -> tuple[int, int]:
    return max(_columns(text, one), key=lambda each: each[1] - each[0])


_TRIMS: dict[EntityKind, Callable[[str, Suggestion, Language], Suggestion | None]] = {
    EntityKind.PERSON: _person,
    EntityKind.HOSPITAL: _building,
    EntityKind.ORGANIZATION: _building,
    EntityKind.ROOM: _room,
    EntityKind.STREET: _street,
    EntityKind.PROFESSION: _profession,
    EntityKind.CITY: _city,
    EntityKind.PLACE: _place,
    EntityKind.DATE: _date,
}
"""Each returns the suggestion without what is no part of it; None where nothing is left."""
