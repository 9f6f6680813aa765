"""The rules: patterns of PHI that has a form, of each language and of a project's own file.

By themselves they are a recognizer. Beside a trained one, those that are nearly always right find
what it has met too seldom in training, as an address on the web.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path

from shared.errors import FileFormatError
from shared.language.languages import Language, languages_together
from shared.language.patterns import (
    Pattern,
    TypedPattern,
    found_by,
    patterns_in,
    patterns_of,
    with_types,
)
from shared.model import Document, Schema, Span
from shared.model.phi_traits import EntityKind
from shared.outside import LARGEST_TOML, parse_toml, read_bounded
from shared.recognition.dictionaries import LOCALES, language_of, with_languages
from shared.recognition.postprocessing.broken_lines import join_broken_mentions
from shared.recognition.postprocessing.mention_propagation import find_other_mentions
from shared.recognition.postprocessing.patient_suggestions import PatientSuggestions
from shared.recognition.recognizer import Suggestion, keep_most_confident
from shared.recognition.tokens import pieces

LARGEST_FILE = 1 << 20
LEAST_BESIDE_MODEL = 0.8
"""Beside a trained model rules that are right less often cost more than they find.

Where it is silent they are mostly wrong: were `2/6` a day and no murmur, it would have said so.
"""


class Rules:
    """Patterns for the types of a schema, as a recognizer."""

    def __init__(self, patterns: Iterable[Pattern], schema: Schema) -> None:
        self._patterns = with_types(patterns, schema)

    @property
    def name(self) -> str:
        return "rules"

    def suggest(self, documents: Sequence[Document]) -> list[tuple[Suggestion, ...]]:
        return [keep_most_confident(self._found(document.text)) for document in documents]

    def _found(self, text: str) -> Iterator[Suggestion]:
        for offset, piece in pieces(text):
            for (pattern, phi_type), (start, end) in found_by(self._patterns, piece):
                span = Span(offset + start, offset + end)
                rule = pattern.expression
                yield Suggestion(span, phi_type, pattern.confidence, self.name, rule)


class ShippedRules:
    """The rules of the locales that were asked for; by default of the language of each document.

    Those that are right less often than `least` are left out.
    """

    name = "rules"

    def __init__(
        self, schema: Schema, locales: tuple[str, ...] = LOCALES, least: float = 0.0
    ) -> None:
        self._schema = schema
        self._locales = locales
        self._least = least

    def suggest(self, documents: Sequence[Document]) -> list[tuple[Suggestion, ...]]:
        return [
            self._whole(each, self._rules(language).suggest([each])[0], language)
            for each, language in with_languages(documents, self._locales)
        ]

    def _rules(self, language: Language) -> Rules:
        return _rules_of(language, self._schema, self._least)

    def _whole(
        self, document: Document, found: tuple[Suggestion, ...], language: Language
    ) -> tuple[Suggestion, ...]:
        """What a rule finds of a name or date that goes on in the next line is all of it."""
        texts = (document.text,)
        patient = PatientSuggestions(texts, (found,), self._schema, self.name, language)
        return join_broken_mentions(patient).found[0]


class PatientRules:
    """The shipped rules, and what they find in one place in all others of a patient's documents."""

    name = ShippedRules.name

    def __init__(self, schema: Schema, locales: tuple[str, ...] = LOCALES) -> None:
        self._schema = schema
        self._locales = locales
        self._rules = ShippedRules(schema, locales)

    def suggest(self, documents: Sequence[Document]) -> list[tuple[Suggestion, ...]]:
        found = self._rules.suggest(documents)
        return found_elsewhere(documents, found, self._schema, self._locales)


def found_elsewhere(
    documents: Sequence[Document],
    found: Sequence[Iterable[Suggestion]],
    schema: Schema,
    locales: tuple[str, ...] = LOCALES,
) -> list[tuple[Suggestion, ...]]:
    """Return what rules found in each document, and the same elsewhere in its patient's."""
    whole = [tuple(each) for each in found]
    of_patient: defaultdict[str, list[int]] = defaultdict(list)
    for number, each in enumerate(documents):
        of_patient[each.patient_id].append(number)
    for numbers in of_patient.values():
        texts = tuple(documents[number].text for number in numbers)
        made = tuple(whole[number] for number in numbers)
        spoken = language_of(texts, locales)
        patient = PatientSuggestions(texts, made, schema, ShippedRules.name, spoken)
        for number, each in zip(numbers, find_other_mentions(patient).found, strict=True):
            whole[number] = each
    return whole


@lru_cache(maxsize=8)
def _rules_of(language: Language, schema: Schema, least: float) -> Rules:
    return Rules((each for each in patterns_of(language) if each.confidence >= least), schema)


def shipped_patterns(locales: Iterable[str] = LOCALES) -> list[Pattern]:
    """Return the patterns that come with Tandem."""
    return patterns_of(languages_together(tuple(locales)))


def read_patterns(path: Path) -> list[Pattern]:
    """Return the patterns of a project's own file.

    Raises StorageError where it cannot be read, FileFormatError where it is no such file.
    """
    try:
        table = parse_toml(read_bounded(path, LARGEST_TOML))
    except ValueError as error:
        raise FileFormatError(path, f"{error}; correct it") from None
    return list(patterns_in(table, path))


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
        for pattern, phi_type in with_types(patterns_of(language), schema)
        if pattern.confidence
        >= (
            MIN_PRECISION_OF_DATES
            if schema.traits_of(phi_type).kind is EntityKind.DATE
            else MIN_PRECISION
        )
    ]
