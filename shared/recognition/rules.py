"""The rules: patterns of PHI that has a form, of each language and of a project's own file.

By themselves they are a recognizer. Beside a trained one, those that are nearly always right find
what it has met too seldom in training, as an address on the web.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from shared.errors import FileFormatError, StorageError
from shared.language.languages import Language, languages_together
from shared.model import Document, PhiType, Schema, Span
from shared.model.phi_traits import EntityKind, PersonRole
from shared.recognition.dictionaries import LOCALES, with_languages
from shared.recognition.postprocessing.patient_suggestions import PatientSuggestions
from shared.recognition.recognizer import Suggestion, keep_most_confident
from shared.recognition.tokens import pieces

SPAN = "phi"
"""The group of a pattern that is the PHI, where it is not all that the pattern finds."""
LARGEST_FILE = 1 << 20
_ROLES = frozenset(role.value for role in PersonRole)

_DIGITS = re.compile(r"\d+")
_REACH = 80
"""No pattern that needs digits finds more characters than this before them or behind them."""

Stretch = tuple[int, int]
PhiKind = tuple[EntityKind, PersonRole | None]
"""A kind of PHI, of people with their role."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """What to find, the types and kinds of PHI that it may be of, and how often it is right.

    `types` are names of PHI types, which go before `kinds`. Where it finds something is one of the
    texts that it `needs`, if there are any, as `folded` has them, and with `digits` a digit.
    """

    types: tuple[str, ...]
    kinds: tuple[PhiKind, ...]
    find: re.Pattern[str]
    confidence: float
    needs: tuple[str, ...] = ()
    digits: bool = False

    @property
    def label(self) -> str:
        """What it finds, as an attribute names it."""
        return "+".join((*self.types, *(role or kind for kind, role in self.kinds)))

    def spans(self, text: str, near_digits: Iterable[Stretch] | None = None) -> Iterator[Stretch]:
        """Yield all that it finds; where it needs digits, in the stretches with them alone."""
        group = SPAN if SPAN in self.find.groupindex else 0
        whole = ((0, len(text)),)
        for low, high in whole if near_digits is None or not self.digits else near_digits:
            for found in self.find.finditer(text, low, high):
                start, end = found.span(group)
                if start < end:
                    yield start, end

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


def folded(text: str) -> str:
    """Return `text` with one letter for those that an expression takes for the same."""
    return text.casefold().replace("ı", "i").replace("\u0307", "")  # İ is folded to i and a dot


def found_by(patterns: Iterable[TypedPattern], text: str) -> Iterator[tuple[TypedPattern, Stretch]]:
    """Yield what patterns find; to look for a word or a digit is faster than for a pattern."""
    there, near_digits = folded(text).__contains__, _near_digits(text)
    for each in patterns:
        if not each[0].needs or any(map(there, each[0].needs)):
            yield from ((each, place) for place in each[0].spans(text, near_digits))


def _near_digits(text: str) -> list[Stretch]:
    """The stretches of a text within reach of a digit, in order and apart."""
    found: list[Stretch] = []
    for digits in _DIGITS.finditer(text):
        start, end = max(0, digits.start() - _REACH), digits.end() + _REACH
        if found and start <= found[-1][1]:
            start = found.pop()[0]
        found.append((start, end))
    return found


class Rules:
    """Patterns for the types of a schema, as a recognizer."""

    def __init__(self, patterns: Iterable[Pattern], schema: Schema) -> None:
        self._patterns = _with_types(patterns, schema)

    @property
    def name(self) -> str:
        return "rules"

    def suggest(self, documents: Sequence[Document]) -> list[tuple[Suggestion, ...]]:
        return [keep_most_confident(self._found(document.text)) for document in documents]

    def _found(self, text: str) -> Iterator[Suggestion]:
        for offset, piece in pieces(text):
            for (pattern, phi_type), (start, end) in found_by(self._patterns, piece):
                span = Span(offset + start, offset + end)
                rule = pattern.find.pattern
                yield Suggestion(span, phi_type, pattern.confidence, self.name, rule)


class ShippedRules:
    """The rules of the locales that were asked for; by default of the language of each document."""

    name = "rules"

    def __init__(self, schema: Schema, locales: tuple[str, ...] = LOCALES) -> None:
        self._schema = schema
        self._locales = locales

    def suggest(self, documents: Sequence[Document]) -> list[tuple[Suggestion, ...]]:
        return [
            _rules_of(language, self._schema).suggest([each])[0]
            for each, language in with_languages(documents, self._locales)
        ]


@lru_cache(maxsize=8)
def _rules_of(language: Language, schema: Schema) -> Rules:
    return Rules(patterns_of(language), schema)


def shipped_patterns(locales: Iterable[str] = LOCALES) -> list[Pattern]:
    """Return the patterns that come with Tandem."""
    return patterns_of(languages_together(tuple(locales)))


def patterns_of(language: Language) -> list[Pattern]:
    """Return the patterns of a language."""
    return list(_patterns({"pattern": language.patterns}, Path(language.code)))


def read_patterns(path: Path) -> list[Pattern]:
    """Return the patterns of a project's own file.

    Raises StorageError where it cannot be read, FileFormatError where it is no such file.
    """
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise FileFormatError(path, "is larger than any file of patterns; split it")
        table = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise StorageError.from_os(path, error) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise FileFormatError(path, "is not TOML in UTF-8; correct it") from error
    return list(_patterns(table, path))


def _patterns(table: Mapping[str, Any], path: Path) -> Iterator[Pattern]:
    for number, entry in enumerate(table.get("pattern", ()), start=1):
        try:
            yield _pattern(entry)
        except (KeyError, TypeError, ValueError, AttributeError, re.error) as error:
            raise FileFormatError(
                path,
                f"pattern {number} needs types or kinds, a regular expression to find, and a "
                "confidence from 0 to 1; correct it",
            ) from error


def _pattern(entry: Mapping[str, Any]) -> Pattern:
    confidence = float(entry.get("confidence", 0.9))
    if not 0 <= confidence <= 1:
        raise ValueError
    types = tuple(str(name) for name in entry.get("types", ()))
    kinds = tuple(_kind(str(name)) for name in entry.get("kinds", ()))
    if not types and not kinds:
        raise ValueError
    needs = tuple(folded(str(text)) for text in entry.get("needs", ()))
    digits = entry.get("digits", False) is True
    return Pattern(types, kinds, re.compile(entry["find"]), confidence, needs, digits)


def _kind(name: str) -> PhiKind:
    if name in _ROLES:
        return EntityKind.PERSON, PersonRole(name)
    return EntityKind(name), None


def _with_types(patterns: Iterable[Pattern], schema: Schema) -> list[TypedPattern]:
    found = ((pattern, pattern.type_in(schema)) for pattern in patterns)
    return [(pattern, phi_type) for pattern, phi_type in found if phi_type is not None]


MIN_PRECISION, MIN_PRECISION_OF_DATES = 0.95, 0.85
"""Patterns that are right at least so often count; those of dates overlap with nothing else."""
MIN_CONFIDENCE = 0.5
"""Suggestions of at least this confidence stand where a pattern finds something else."""


def find_high_precision_patterns(patient: PatientSuggestions) -> PatientSuggestions:
    """Add what patterns find beside the suggestions."""
    patterns = _high_precision_patterns(patient.schema, patient.language)
    return patient.with_found(
        keep_most_confident([*found, *_beside(text, found, patterns, patient.recognizer)])
        for text, found in patient.records()
    )


def _beside(
    text: str, found: Sequence[Suggestion], patterns: Sequence[TypedPattern], by: str
) -> list[Suggestion]:
    taken = bytearray(len(text))
    for one in found:
        if one.confidence >= MIN_CONFIDENCE:
            taken[one.start : one.end] = b"\1" * len(one.span)
    return [
        Suggestion(Span(start, end), phi_type, pattern.confidence, by)
        for (pattern, phi_type), (start, end) in found_by(patterns, text)
        if taken.find(1, start, end) < 0
    ]


@lru_cache(maxsize=8)
def _high_precision_patterns(schema: Schema, language: Language) -> list[TypedPattern]:
    return [
        (pattern, phi_type)
        for pattern, phi_type in _with_types(patterns_of(language), schema)
        if pattern.confidence
        >= (
            MIN_PRECISION_OF_DATES
            if schema.traits_of(phi_type).kind is EntityKind.DATE
            else MIN_PRECISION
        )
    ]
