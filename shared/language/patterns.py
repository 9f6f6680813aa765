"""The patterns of PHI that has a form, and what they find."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, cast

from shared.errors import FileFormatError
from shared.language.dates_in_text import dates_in
from shared.language.known_words import KnownWords, known_words
from shared.language.languages import Language
from shared.model import PhiType, Schema
from shared.model.i2b2_2014 import I2B2_2014
from shared.model.phi_traits import EntityKind, PersonRole
from shared.outside import MALFORMED

_GROUP = "phi"
"""The group of a pattern that is the PHI, where it is not all that the pattern finds."""
_DATES = "{dates}"
"""Stands in place of an expression for all that the grammar of dates is sure of."""
_ROLES = frozenset((PersonRole.PATIENT, PersonRole.STAFF))
"""Who stands for a kind: people of that role. A `relative` is what somebody is to the patient."""

_REACH = 80
"""No pattern that needs digits finds more characters than this before them or behind them."""
_DIGITS = re.compile(rf"\d++(?:\D{{1,{2 * _REACH}}}+\d++)*+")
"""Digits between which nothing is out of reach."""

Stretch = tuple[int, int]
PhiKind = tuple[EntityKind, PersonRole | None]
"""A kind of PHI, of people with their role."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """What to find, the types and kinds of PHI that it may be of, and how often it is right.

    `types` are names of PHI types, which go before `kinds`. Where it finds something is one of the
    texts that it `needs`, if there are any, as `folded` has them, and with `digits` a digit. With
    `dates_of` it finds the dates of that language, whatever the expression. `known` are groups of
    the expression, each with the words of which what it finds must be.
    """

    types: tuple[str, ...]
    kinds: tuple[PhiKind, ...]
    expression: str
    confidence: float
    needs: tuple[str, ...] = ()
    digits: bool = False
    dates_of: Language | None = None
    known: tuple[tuple[str, KnownWords], ...] = ()

    @property
    def find(self) -> re.Pattern[str]:
        """The expression, compiled when it is needed: of hundreds most are not."""
        return _compiled(self.expression)

    @property
    def label(self) -> str:
        """What it finds, as an attribute names it."""
        return "+".join((*self.types, *(role or kind for kind, role in self.kinds)))

    def spans(self, text: str, near_digits: Sequence[Stretch] | None = None) -> Iterator[Stretch]:
        """Yield all that it finds; where it needs digits, in the stretches with them alone."""
        if self.dates_of:
            for date in dates_in(text, self.dates_of) if near_digits != [] else ():
                if date.is_sure:
                    yield date.start, date.end
            return
        group = _GROUP if _GROUP in self.find.groupindex else 0
        whole = ((0, len(text)),)
        for low, high in whole if near_digits is None or not self.digits else near_digits:
            for found in self._found(text, low, high):
                start, end = found.span(group)
                if start < end:
                    yield start, end

    def _found(self, text: str, low: int, high: int) -> Iterator[re.Match[str]]:
        """All that the expression finds; where a word is not known, it may begin at the next."""
        if not self.known:
            yield from self.find.finditer(text, low, high)
            return
        while found := self.find.search(text, low, high):
            is_known = all(
                found[group] is None or found[group] in words for group, words in self.known
            )
            if is_known:
                yield found
            low = max(found.end(), low + 1) if is_known else found.start() + 1

    @property
    def phi_kind(self) -> PhiKind | None:
        """The kind of PHI that it may be of first; None where only a schema of its own knows."""
        for name in self.types:
            for each in I2B2_2014.types():
                if each.name == name:
                    return each.traits.kind, each.traits.role
        return self.kinds[0] if self.kinds else None

    def type_in(self, schema: Schema) -> PhiType | None:
        """The first type of a schema that it may be of; None where there is none."""
        by_name = {each.name: each.phi_type for each in reversed([*schema.types()])}
        for name in self.types:
            if name in by_name:
                return by_name[name]
        for kind, role in self.kinds:
            for each in schema.types():
                traits = schema.traits_of(each.phi_type)
                if traits.kind is kind and (role is None or traits.role is role):
                    return each.phi_type
        return None


TypedPattern = tuple[Pattern, PhiType]

_compiled = cache(re.compile)


def folded(text: str) -> str:
    """Return `text` with one letter for those that an expression takes for the same."""
    return text.casefold().replace("ı", "i").replace("\u0307", "")  # İ is folded to i and a dot


def found_by(patterns: Iterable[TypedPattern], text: str) -> Iterator[tuple[TypedPattern, Stretch]]:
    """Yield what patterns find."""
    places_of = places_in(text)
    for each in patterns:
        yield from ((each, place) for place in places_of(each[0]))


def places_in(text: str) -> Callable[[Pattern], Iterator[Stretch]]:
    """Return what yields all that a pattern finds in a text, as `Pattern.spans` does.

    To look for a word or a digit is faster than for a pattern.
    """
    there, near_digits = folded(text).__contains__, _near_digits(text)

    def places_of(pattern: Pattern) -> Iterator[Stretch]:
        if (near_digits or not (pattern.digits or pattern.dates_of)) and (
            not pattern.needs or any(map(there, pattern.needs))
        ):
            yield from pattern.spans(text, near_digits)

    return places_of


def _near_digits(text: str) -> list[Stretch]:
    """The stretches of a text within reach of a digit, in order and apart."""
    found = (each.span() for each in _DIGITS.finditer(text))
    return [(max(0, start - _REACH), end + _REACH) for start, end in found]


def with_types(patterns: Iterable[Pattern], schema: Schema) -> list[TypedPattern]:
    found = ((pattern, pattern.type_in(schema)) for pattern in patterns)
    return [(pattern, phi_type) for pattern, phi_type in found if phi_type is not None]


def patterns_of(language: Language) -> list[Pattern]:
    """Return the patterns of a language."""
    return list(patterns_in({"pattern": language.patterns}, Path(language.code), language))


def patterns_in(
    table: Mapping[str, Any], path: Path, language: Language | None = None
) -> Iterator[Pattern]:
    """Yield the patterns of a file's table. Raises FileFormatError where one is none."""
    for number, entry in enumerate(table.get("pattern", ()), start=1):
        try:
            yield _pattern(entry, language)
        except (*MALFORMED, re.error) as error:
            raise FileFormatError(
                path,
                f"pattern {number} needs types or kinds, a regular expression to find, and a "
                "confidence from 0 to 1; correct it",
            ) from error


def _pattern(entry: Mapping[str, Any], language: Language | None) -> Pattern:
    confidence = float(entry.get("confidence", 0.9))
    if not 0 <= confidence <= 1:
        raise ValueError
    types = tuple(str(name) for name in entry.get("types", ()))
    kinds = tuple(_kind(str(name)) for name in entry.get("kinds", ()))
    if not types and not kinds:
        raise ValueError
    needs = tuple(folded(str(text)) for text in entry.get("needs", ()))
    digits = entry.get("digits", False) is True
    expression = str(entry["find"])
    if language is None:
        _compiled(expression)  # those of a language were looked at with its folder
    dates_of = language if expression == _DATES else None
    known = tuple(
        (str(group), known_words(language, str(words)))
        for group, words in cast("Mapping[str, str]", entry.get("known", {})).items()
        if language
    )
    return Pattern(types, kinds, expression, confidence, needs, digits, dates_of, known)


def _kind(name: str) -> PhiKind:
    if name in _ROLES:
        return EntityKind.PERSON, PersonRole(name)
    return EntityKind(name), None
