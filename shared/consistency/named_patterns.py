"""Untagged names of people and places, numbers, ages, told by what is beside them or their form.

`Dr. Ann Lee`, `12 Pell Road`, `961 555 012` and `lives in Arden` are found though nothing alike is
tagged: by the patterns of the language, of which those count that are nearly always right, and by
its words for where somebody lives.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain

from shared.consistency.candidates import UntaggedCandidate, lookalike
from shared.consistency.patient_records import CheckedRecord
from shared.language.ambiguity import (
    is_common_word,
    is_eponym,
    is_generic_department,
    words_beside_names,
)
from shared.language.known_words import ends_as_no_name
from shared.language.languages import Language, alternatives
from shared.language.patterns import Pattern, Stretch, patterns_of, places_in
from shared.model import EntityKind, PhiType, Schema, Span
from shared.model.phi_traits import CONTACTS, NUMBERS, PLACES, Identifier, PhiTraits
from shared.text.flat_text import FlatText
from shared.text.spelling import match_key

_LEAST = 0.8
"""Patterns that are right less often than this do not count."""
_TITLED = 0.85
"""What says less than a title makes no name of a common word."""
_PHONES = frozenset({EntityKind.PHONE, EntityKind.FAX})
_LEAST_OF = {
    **dict.fromkeys(_PHONES, 0.95),  # other numbers are written like those of telephones
    **dict.fromkeys((EntityKind.AGE, EntityKind.DATE), 0.9),
}
_LOOKED_FOR = frozenset(
    {
        *(EntityKind.PERSON, EntityKind.USERNAME, EntityKind.PROFESSION),
        *(*PLACES, *NUMBERS, *CONTACTS, *_LEAST_OF),
    }
)
WHAT_PATTERNS_FIND = {
    EntityKind.PERSON: "the name of a person",
    EntityKind.POSTAL_CODE: "a postal code",
    EntityKind.PHONE: "a telephone number",
    EntityKind.FAX: "a fax number",
    EntityKind.AGE: "an age",
    EntityKind.EMAIL: "an e-mail address",
    EntityKind.URL: "a web address",
    EntityKind.IP_ADDRESS: "a network address",
    **dict.fromkeys(NUMBERS, "an id"),
}
"""What a pattern finds, in words, where they are not those of the kind."""
_WORD = re.compile(r"[^\W\d_][^\W\d_'’-]*(?:['’-][^\W\d_]+)*\.?")
_REST_OF_WORD = re.compile(r"-\n[ \t]*[^\W\d_]+")
_PLACE = (
    r"(?P<place>[A-ZÀ-ÖØ-Þ]{begun}[^\W\d_]+(?:-\n[^\W\d_]+)?(?:\s[A-ZÀ-ÖØ-Þ][^\W\d_]+){{0,2}})"
    r"(?![\w/-])"
)
"""A name of a place; what `begun` says is looked at after its first letter, which is quick."""
_NOT_AMID = r"(?<![\w,] .)(?<!\w.)"
_CERTAINTY = 0.7
_TITLE, _LEAST_LETTERS = 3, 3


@dataclass(frozen=True, slots=True)
class _Sought:
    """A pattern, the kind of PHI that it finds, and the type to propose, if the schema has one."""

    pattern: Pattern
    kind: EntityKind
    phi_type: PhiType | None


class NamedPlaceFinder:
    """Looks for what is called like people and places; `schema` has the types to propose."""

    def __init__(self, schema: Schema, language: Language) -> None:
        self._schema = schema
        self._language = language
        self._patterns = _patterns(schema, language)

    def candidates(self, record: CheckedRecord) -> Iterator[UntaggedCandidate]:
        """Yield every such place that no tag touches, overlapping ones included."""
        for text in dict.fromkeys((record.text, record.apart)):  # where it differs in any letter
            found, places = _found(self._patterns, self._language, text)
            for sought, place in found:
                if not record.is_tagged(*place):
                    yield from self._looks_like(record, sought, Span(*place))
            for place in places:
                if not record.is_tagged(*place):
                    yield from self._place(Span(*place), record.text[slice(*place)])

    def _looks_like(
        self, record: CheckedRecord, sought: _Sought, place: Span
    ) -> Iterator[UntaggedCandidate]:
        if is_generic_department(record.text[place.start : place.end], self._language):
            return
        is_titled = sought.pattern.confidence >= _TITLED
        is_person = sought.kind is EntityKind.PERSON
        span = _name_at(record, place.start, place.end, is_titled) if is_person else place
        if span is not None:
            yield _candidate(span, sought.phi_type, sought.kind, sought.pattern.confidence)

    def _place(self, span: Span, name: str) -> Iterator[UntaggedCandidate]:
        kind = self._kind_of_place(name)
        phi_type = self._schema.type_for(kind)
        is_generic = is_generic_department(name, self._language)
        if phi_type and self._is_name(name) and not is_generic:
            yield _candidate(span, phi_type, kind, _CERTAINTY)

    def _kind_of_place(self, name: str) -> EntityKind:
        if any(name == each.name for each in self._language.regions.values()):
            return EntityKind.STATE
        is_country = any(name == each.name for each in self._language.countries.values())
        return EntityKind.COUNTRY if is_country else EntityKind.CITY

    def _is_name(self, name: str) -> bool:
        first = name.split(maxsplit=1)[0]
        is_word = is_common_word(first, self._language) and first == name
        return not (is_word or match_key(first) in words_beside_names(self._language))


@cache
def _place_expressions(language: Language) -> tuple[re.Pattern[str], ...]:
    """Where somebody lives, and a city before its region."""
    regions = alternatives(each.name for each in language.regions.values())
    return (
        language.expression(rf"\b{{lives_in}}\s{_PLACE.format(begun='')}"),
        re.compile(rf"{_PLACE.format(begun=_NOT_AMID)},\s{regions}\b"),
    )


def _candidate(
    span: Span, phi_type: PhiType | None, kind: EntityKind, certainty: float
) -> UntaggedCandidate:
    name = kind.replace("_", " ")
    what = WHAT_PATTERNS_FIND.get(kind, f"{'an' if name[0] in 'aeio' else 'a'} {name}")
    return lookalike(span, what, phi_type, certainty)


@dataclass(frozen=True, eq=False)
class _PatternsOfSchema:
    streets: tuple[_Sought, ...]
    others: tuple[_Sought, ...]


@cache
def _patterns(schema: Schema, language: Language) -> _PatternsOfSchema:
    """What counts of a language; what tells who somebody is does without a type of the schema."""
    kinds: dict[bool, list[_Sought]] = {True: [], False: []}
    for pattern in patterns_of(language):
        sought = _sought(pattern, schema)
        if sought and pattern.confidence >= _LEAST_OF.get(sought.kind, _LEAST):
            kinds[sought.kind is EntityKind.STREET].append(sought)
    return _PatternsOfSchema(tuple(kinds[True]), tuple(kinds[False]))


def _sought(pattern: Pattern, schema: Schema) -> _Sought | None:
    if phi_type := pattern.type_in(schema):
        kind = schema.traits_of(phi_type).kind
    elif pattern.phi_kind:
        kind, role = pattern.phi_kind
        phi_type = schema.type_for(kind, role)
        if not (phi_type or PhiTraits.of(kind).identifier is Identifier.DIRECT):
            return None
    else:
        return None
    return _Sought(pattern, kind, phi_type) if kind in _LOOKED_FOR else None


_Found = tuple[tuple[_Sought, Stretch], ...]


@lru_cache(maxsize=256)
def _found(
    patterns: _PatternsOfSchema, language: Language, text: str
) -> tuple[_Found, tuple[Stretch, ...]]:
    """What the patterns find, streets over line ends too, and where places are named.

    It is kept, for a patient is looked through again after each edit.
    """
    flat = FlatText(text)
    found = (
        *((each, flat.original(*place)) for each, place in _places_of(patterns.streets, flat.text)),
        *_places_of(patterns.others, text),
    )
    named = chain.from_iterable(each.finditer(text) for each in _place_expressions(language))
    return found, tuple(each.span("place") for each in named)


def _places_of(patterns: Iterable[_Sought], text: str) -> Iterator[tuple[_Sought, Stretch]]:
    places_of = places_in(text)
    for each in patterns:
        yield from ((each, place) for place in places_of(each.pattern))


def _is_word(name: str, language: Language) -> bool:
    return is_eponym(name, language) or is_common_word(name, language)


def _name_at(record: CheckedRecord, start: int, end: int, is_titled: bool) -> Span | None:
    """The words from `start` on that may be a name; None where the first is none."""
    text, language = record.text, record.language
    kept = start
    for found in _WORD.finditer(text, start, end):
        word = found[0].rstrip(".")
        is_full = kept != start and (len(word) > 1 or found[0] == word)
        if (
            is_full
            and _is_no_name(word, language)
            and not _is_second(text[start:kept], word, language)
        ):
            break
        kept = found.end() if len(word) == 1 else found.start() + len(word)
    if kept == start:
        return None
    if rest := _REST_OF_WORD.match(text, kept):
        kept = rest.end()
    first, *others = text[start:kept].split()
    if others:
        return Span(start, kept)
    is_none = len(first) < _LEAST_LETTERS or match_key(first) in words_beside_names(language)
    is_none = is_none or (language.nouns_capitalised and ends_as_no_name(first, language))
    if is_none or (not is_titled and _is_word(first, language)):
        return None
    # an abbreviation that looks like a title: `MR. Creatinine`
    title = text[max(0, start - _TITLE) : start].strip(" .")
    is_abbreviation = is_titled and title.isupper() and not first.isupper()
    return None if is_abbreviation else Span(start, kept)


def _is_second(before: str, word: str, language: Language) -> bool:
    """True for the second family name of `Ana GIL PAZ`, which may be a word as well."""
    given, *others = before.split()
    in_capitals = word.isupper() and others and others[-1].isupper() and not given.isupper()
    return language.names.two_family_names and bool(in_capitals)


def _is_no_name(word: str, language: Language) -> bool:
    return match_key(word) in words_beside_names(language) or is_common_word(word, language)
