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
from shared.text.span_index import SpanIndex

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
_WORD = re.compile(r"(?<![\w.-])[^\W\d_]+")
_INITIALS = 2
"""The letters before a family name, at most: `B. Rossi`, `BT Rossi`."""
_BLANK = r"(?:[ \n]|\n[ ])"


class FullName(NamedTuple):
    """Somebody's names, in lower case."""

    given: str
    family: str


def complete_names(patient: PatientSuggestions) -> PatientSuggestions:
    """Make names of known people as long as they are, and split those that were taken for one."""
    in_order = set(_known(patient, _FIRST_LAST))
    people = _apart_from_lists(in_order | set(_known(patient, _LAST_FIRST)))
    if not people:
        return patient
    forms, families = NameForms(people), {person.family for person in people}
    return patient.with_found(
        keep_most_confident(_completed(patient, text, found, forms, families, in_order))
        for text, found in patient.records()
    )


def _known(patient: PatientSuggestions, order: str) -> Iterator[FullName]:
    """The whole names that are sure and written in an order."""
    expression = patient.language.expression(order)
    for text, found in patient.records():
        for one in found:
            if patient.is_person(one) and one.confidence >= MIN_CONFIDENCE:
                written = one.span.text_in(text)
                name = expression.fullmatch(written)
                if name and min(map(len, name.groupdict().values())) > _SHORTEST_WORD:
                    yield FullName(name["given"].lower(), " ".join(name["family"].lower().split()))


def _apart_from_lists(people: set[FullName]) -> list[FullName]:
    """Return those whose given name is nobody's family name, as in `Kern, Voss` of a list."""
    families = {person.family for person in people}
    return sorted(person for person in people if person.given not in families)


class NameForms:
    """Finds any whole form of any of these names, of those at one place the longest."""

    def __init__(self, people: Sequence[FullName]) -> None:
        forms = [form for person in people for form in _forms_of(person)]
        forms.sort(key=len, reverse=True)
        self._forms = re.compile(rf"(?:{'|'.join(forms)})(?![\w-])")
        names = [name for person in people for name in person]
        self._first_words = {found[0] for name in names if (found := _WORD.match(name))}
        self._initials = {person.given[0].upper() for person in people}

    def in_text(self, text: str) -> Iterator[Span]:
        """Yield where they stand, none over another, in order."""
        # most words begin no name, and every form would be tried at each of them
        end = 0
        for word in _WORD.finditer(text):
            if word.start() < end or not self._may_begin(word[0]):
                continue
            if found := self._forms.match(text, word.start()):
                end = found.end()
                yield Span(word.start(), end)

    def _may_begin(self, word: str) -> bool:
        is_initial = len(word) <= _INITIALS and word[0] in self._initials
        return is_initial or word.lower() in self._first_words


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
    forms: NameForms,
    families: set[str],
    in_order: set[FullName],
) -> list[Suggestion]:
    """Return the suggestions of a text, split, longer, and put together.

    Of the staff, two that stand side by side are two more often than one that was torn: they are
    one where somebody is called so elsewhere, the given name first.
    """
    names = [each for each in forms.in_text(text) if _is_one(text, each.start, each.end)]
    last_first = patient.language.expression(_LAST_FIRST)
    known = SpanIndex(names)
    kept: list[Suggestion] = []
    for one in found:
        is_name = patient.is_person(one)
        kept += _split(text, one, known, families, last_first) if is_name else [one]
    likely = SpanIndex(one for one in kept if patient.is_person(one) and one.confidence >= _PART)
    replaced: set[Suggestion] = set()
    whole: list[Suggestion] = []
    for name in names:
        parts = likely.query(name.start, name.end)
        are_inside = all(name.start <= one.start and one.end <= name.end for one in parts)
        are_patients = all(patient.role(one) is PersonRole.PATIENT for one in parts)
        is_torn = len(parts) > 1 and (are_patients or _turned(name.text_in(text)) in in_order)
        if are_inside and (len(parts) == 1 or is_torn):
            replaced.update(parts)
            whole.append(replace(max(parts, key=lambda one: one.confidence), span=name))
    return [*(one for one in kept if one not in replaced), *whole]


def _turned(written: str) -> FullName | None:
    """`CACCIOPPOLI, ANA T` as a name; None where no comma is in it."""
    family, comma, given = written.lower().partition(",")
    return FullName(given.split()[0], " ".join(family.split())) if comma else None


def _is_one(text: str, start: int, end: int) -> bool:
    """Whether it is written as one name: on one line, or broken where lines are full."""
    words = text[start:end].lower().replace(",", " ").split()
    broken = text.find("\n", start, end)
    is_full = broken < 0 or broken - text.rfind("\n", 0, broken) > FULL_LINE
    return is_full and len(set(words)) == len(words)


def _split(
    text: str,
    one: Suggestion,
    names: SpanIndex[Span],
    families: set[str],
    last_first: re.Pattern[str],
) -> list[Suggestion]:
    """Return names that were taken for one, each by itself."""
    if one.span in names:
        return [one]
    touched = names.query(one.start, one.end)
    inside = [name for name in touched if one.start <= name.start and name.end <= one.end]
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
