"""Names of known people as long as they are, in whatever form: `B. Rossi`, `ROSSI, BELLA T`.

Where a CRF that never met a name tags a part of it, its parts one by one, or two names as one, the
records that have the whole name once tell where it begins and ends.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from shared.model import Span
from shared.model.phi_traits import PersonRole
from shared.recognition.postprocessing.boundary_rules import FULL_LINE
from shared.recognition.postprocessing.patient_suggestions import PatientSuggestions
from shared.recognition.recognizer import Suggestion, keep_most_confident

MIN_CONFIDENCE = 0.7
"""Whole names of at least this confidence are known."""
_PART = 0.3
"""Suggestions of at least this confidence may be parts of a name."""
_SHORTEST_WORD = 2
_GIVEN, _INITIAL = r"(?P<given>[^\W\d_]+)", r"[^\W\d_a-z]\.?"
_FAMILY = r"(?P<family>(?:(?i:{language.long_particles})\.?\s){0,2}[^\W\d_]+(?:['’-][^\W\d_]+)*)"
_FIRST_LAST = rf"{_GIVEN}(?:\s(?:{_INITIAL}|[^\W\d_]+))?\s{_FAMILY}"
_LAST_FIRST = rf"{_FAMILY},\s?{_GIVEN}(?:\s{_INITIAL})?"
_BETWEEN = re.compile(r",\s+|[;/]\s*")
_SEVERAL_WORDS = re.compile(
    r"(?:[^\W\d_]+|[^\W\d_]\.?)(?:\s[^\W\d_]\.?)?\s[^\W\d_]{2,}(?:-[^\W\d_]+)?"
)
_BLANK = r"(?:[ \n]|\n[ ])"


class FullName(NamedTuple):
    """Somebody's names, in lower case."""

    given: str
    family: str


def complete_names(patient: PatientSuggestions) -> PatientSuggestions:
    """Make names of known people as long as they are, and split those that were taken for one."""
    people = _apart_from_lists(set(_known(patient)))
    if not people:
        return patient
    forms, families = _forms(people), {person.family for person in people}
    return patient.with_found(
        keep_most_confident(_completed(patient, text, found, forms, families))
        for text, found in patient.records()
    )


def _known(patient: PatientSuggestions) -> Iterator[FullName]:
    orders = [patient.language.expression(each) for each in (_LAST_FIRST, _FIRST_LAST)]
    for text, found in patient.records():
        for one in found:
            if patient.is_person(one) and one.confidence >= MIN_CONFIDENCE:
                written = one.span.text_in(text)
                name = orders[0].fullmatch(written) or orders[1].fullmatch(written)
                if name and min(map(len, name.groupdict().values())) > _SHORTEST_WORD:
                    yield FullName(name["given"].lower(), " ".join(name["family"].lower().split()))


def _apart_from_lists(people: set[FullName]) -> list[FullName]:
    """Return those whose given name is nobody's family name, as in `Kern, Voss` of a list."""
    families = {person.family for person in people}
    return sorted(person for person in people if person.given not in families)


def _forms(people: Sequence[FullName]) -> re.Pattern[str]:
    """Return what finds any whole form of any of these names, the longest first."""
    forms = [form for person in people for form in _forms_of(person)]
    forms.sort(key=len, reverse=True)
    return re.compile(rf"(?<![\w.-])(?:{'|'.join(forms)})(?![\w-])")


def _forms_of(person: FullName) -> Iterator[str]:
    given = f"(?i:{re.escape(person.given)})"
    family = rf"(?i:{re.escape(person.family)})".replace(r"\ ", _BLANK)
    first = re.escape(person.given[0].upper())
    middle = rf"(?:{_BLANK}[A-Z]\.?|[ ][A-Z][^\W\d_]+)?"
    yield rf"(?=[^\W\d_a-z]){given}{middle}{_BLANK}(?=[^\W\d_a-z]|[a-z]+\s){family}"
    yield rf"{family},{_BLANK}?(?=[^\W\d_a-z]){given}(?: [A-Z](?:\.|(?![\w.'’])))?"
    yield rf"{family}[ ]{first}(?![\w.'’-])"
    yield rf"(?=[^\W\d_a-z]){given}[ ]{re.escape(person.family[0].upper())}\.?(?![\w'’-])"
    yield rf"{first}(?:[A-Z]|\.[ ]?(?:[A-Z]\.)?)?[ ]?(?<=[ .]){family}"


def _completed(
    patient: PatientSuggestions,
    text: str,
    found: Sequence[Suggestion],
    forms: re.Pattern[str],
    families: set[str],
) -> list[Suggestion]:
    """Return the suggestions of a text, split, longer, and put together.

    Of the staff, two that stand side by side are two more often than one that was torn.
    """
    names = [Span(*each.span()) for each in forms.finditer(text) if _is_one(text, *each.span())]
    last_first = patient.language.expression(_LAST_FIRST)
    kept: list[Suggestion] = []
    for one in found:
        is_name = patient.is_person(one)
        kept += _split(text, one, names, families, last_first) if is_name else [one]
    for name in names:
        parts = [
            one
            for one in kept
            if patient.is_person(one) and one.confidence >= _PART and one.span.overlaps(name)
        ]
        are_inside = all(name.start <= one.start and one.end <= name.end for one in parts)
        is_torn = len(parts) > 1 and all(patient.role(one) is PersonRole.PATIENT for one in parts)
        if are_inside and (len(parts) == 1 or is_torn):
            surest = max(parts, key=lambda one: one.confidence)
            kept = [*(one for one in kept if one not in parts), replace(surest, span=name)]
    return kept


def _is_one(text: str, start: int, end: int) -> bool:
    """Whether it is written as one name: on one line, or broken where lines are full."""
    words = text[start:end].lower().replace(",", " ").split()
    broken = text.find("\n", start, end)
    is_full = broken < 0 or broken - text.rfind("\n", 0, broken) > FULL_LINE
    return is_full and len(set(words)) == len(words)


def _split(
    text: str,
    one: Suggestion,
    names: Sequence[Span],
    families: set[str],
    last_first: re.Pattern[str],
) -> list[Suggestion]:
    """Return names that were taken for one, each by itself."""
    if one.span in names:
        return [one]
    inside = [name for name in names if one.start <= name.start and name.end <= one.end]
    parts = list(_parts(text, one.span))
    are_names = all(
        part in inside or _is_name(part.text_in(text), families, last_first) for part in parts
    )
    if are_names or parts[-1] in inside:
        inside = parts
    return [replace(one, span=each) for each in inside] if len(inside) > 1 else [one]


def _is_name(written: str, families: set[str], last_first: re.Pattern[str]) -> bool:
    is_full = _SEVERAL_WORDS.fullmatch(written) or last_first.fullmatch(written)
    return is_full is not None or written.lower() in families


def _parts(text: str, span: Span) -> Iterator[Span]:
    """Yield what stands between commas and slashes."""
    start = span.start
    for between in _BETWEEN.finditer(text, span.start, span.end):
        if start < between.start():
            yield Span(start, between.start())
        start = between.end()
    if start < span.end:
        yield Span(start, span.end)
