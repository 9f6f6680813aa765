"""The tables of He and others (2015) and Liu and others (2015), on records with tags.

Systems: `he`; `token` and `character`, the CRFs of Liu and others, and `rules`, their expressions.
With `+` between them, the one named first wins where they overlap; `token-word,ngrams` is the CRF
of tokens without these groups of features.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import chain
from pathlib import Path
from random import Random
from typing import Protocol

from shared.formats.schema_auto import schema_of
from shared.language.patterns import patterns_in
from shared.metrics.counts import MatchCounts, Scores, added
from shared.model import PhiType
from shared.model.i2b2_2014 import I2B2_2014
from shared.model.phi_traits import EntityKind, PhiTraits
from shared.recognition.evaluation import ALL, strict_scores
from shared.recognition.features.sets import FeatureSet
from shared.recognition.labels import phi_type_named
from shared.recognition.recognizer import Example, Suggestion
from shared.recognition.reproduction.paper_tables import (
    Figure,
    PrintedPaper,
    PrintedRow,
    PrintedTable,
    ReproducedRow,
    ReproducedTable,
    percent,
    reproduced,
)
from shared.recognition.reproduction.readings import Readings, read_by_trained
from shared.recognition.rules import Rules
from shared.recognition.training_settings import SETTINGS, CrfSettings, RecognizerSettings
from shared.text.overlaps import resolve_overlaps

RULES, TOKEN = "rules", "token"


class Evaluation(Protocol):
    """How suggestions are held against tags, as agreement is measured."""

    def measured(
        self, examples: Sequence[Example], found: Sequence[Sequence[Suggestion]]
    ) -> Mapping[str, Mapping[str, Scores]]:
        """Return scores by the name of the measure, of `all` types and of those of `hipaa`."""
        ...

    def errors(
        self, examples: Sequence[Example], found: Sequence[Sequence[Suggestion]]
    ) -> Mapping[str, int]:
        """Return how many errors there are of each class, what is right left out."""
        ...


def halves_of(examples: Sequence[Example], seed: int) -> tuple[list[Example], list[Example]]:
    """Return the records of one half of the patients, drawn at random, and those of the other."""
    patients = _patients_at_random(examples, seed)
    first = set(patients[: len(patients) // 2])
    parts: tuple[list[Example], list[Example]] = ([], [])
    for each in examples:
        parts[each.document.patient_id not in first].append(each)
    return parts


def records_at_random(examples: Sequence[Example], size: int, seed: int) -> list[Example]:
    """Return `size` records at most, those of patients drawn at random."""
    place = {patient: at for at, patient in enumerate(_patients_at_random(examples, seed))}
    ordered = sorted(examples, key=lambda each: place[each.document.patient_id])
    return ordered[:size]


def _patients_at_random(examples: Sequence[Example], seed: int) -> list[str]:
    patients = sorted({each.document.patient_id for each in examples})
    Random(seed).shuffle(patients)
    return patients


class TaggedTables:
    """Makes the tables of a paper; systems are trained when a table first asks for them.

    Raises SchemaError where the records hold no tags.
    """

    def __init__(
        self,
        paper: PrintedPaper,
        training: Sequence[Example],
        tests: Mapping[str, Sequence[Example]],
        evaluation: Evaluation,
        seed: int,
    ) -> None:
        self._paper = paper
        self._training = training
        self._tests = tests
        self._evaluation = evaluation
        self._seed = seed
        records = chain(training, *tests.values())
        self._schema = schema_of(tag for each in records for tag in each.tags)
        self._readings: dict[str, Readings] = {}

    def table(self, printed: PrintedTable) -> ReproducedTable:
        """Return a table with our figures."""
        if printed.counts == "types":
            return self._with_other_types(self._reproduced(printed, self._types), printed)
        measure = self._errors if printed.counts == "errors" else self._measures
        return self._reproduced(printed, measure)

    def _reproduced(
        self,
        printed: PrintedTable,
        measure: Callable[[PrintedTable, PrintedRow, str], tuple[Figure, ...]],
    ) -> ReproducedTable:
        return reproduced(
            printed,
            tuple(self._tests),
            lambda row: [measure(printed, row, test) for test in self._tests],
        )

    def _measures(self, printed: PrintedTable, row: PrintedRow, test: str) -> tuple[Figure, ...]:
        found = self._found(row.asks["system"], test)
        by_types = self._evaluation.measured(self._tests[test], found)[row.asks["measure"]]
        scores = by_types.get(row.asks["types"])
        if scores is None:
            return (None,) * len(printed.figures)
        ratios = zip("PRF", scores.micro.ratios.cells, scores.macro.cells, strict=True)
        named = {
            name: percent(share)
            for letter, micro, macro in ratios
            for name, share in ((letter, micro), (f"macro {letter}", macro))
        }
        return tuple(named[name] for name in printed.figures)

    def _errors(self, printed: PrintedTable, row: PrintedRow, test: str) -> tuple[Figure, ...]:
        del printed
        errors = self._evaluation.errors(self._tests[test], self._found(row.asks["system"], test))
        all_errors = sum(errors.values())
        own = sum(errors.get(name, 0) for name in row.asks["errors"])
        return (percent(own / all_errors) if all_errors else None,)

    def _types(self, printed: PrintedTable, row: PrintedRow, test: str) -> tuple[Figure, ...]:
        del printed
        return self._ratios(row.asks["system"], test, lambda phi_type: self._is_of(phi_type, row))

    def _ratios(
        self, system: str, test: str, wanted: Callable[[PhiType], bool]
    ) -> tuple[Figure, ...]:
        counts = strict_scores(self._tests[test], self._found(system, test))
        own = added(
            count for name, count in counts.items() if name != ALL and wanted(phi_type_named(name))
        )
        if own == MatchCounts():
            return (None, None, None)
        return tuple(map(percent, own.ratios.cells))

    def _is_of(self, phi_type: PhiType, row: PrintedRow) -> bool:
        traits = self._schema.traits_of(phi_type)
        if "like" in row.asks:
            like = I2B2_2014.type_for(EntityKind(row.asks["like"]))
            return like is not None and _category(traits) == like.category
        role = row.asks.get("role")
        return traits.kind == row.asks["kind"] and (role is None or traits.role == role)

    def _with_other_types(self, made: ReproducedTable, printed: PrintedTable) -> ReproducedTable:
        """Add the types of the records that the paper has not, where it lists single types."""
        system = printed.rows[0].asks["system"]
        if any("like" in row.asks for row in printed.rows):
            return made
        others = [
            each.phi_type
            for each in self._schema.types()
            if not any(self._is_of(each.phi_type, row) for row in printed.rows)
        ]
        rows = [
            ReproducedRow(
                (phi_type.name,),
                tuple(self._ratios(system, test, phi_type.__eq__) for test in self._tests),
                (None,) * len(printed.figures),
            )
            for phi_type in others
        ]
        measured = (row for row in rows if any(each != (None,) * 3 for each in row.ours))
        return replace(made, rows=(*made.rows, *measured))

    def _found(self, system: str, test: str) -> Sequence[tuple[Suggestion, ...]]:
        """What one system, or several of which the first wins, find in a test."""
        parts = [self._reading(name)[test] for name in system.split("+")]
        if len(parts) == 1:
            return parts[0]
        return [
            tuple(resolve_overlaps(chain.from_iterable(of_record)))
            for of_record in zip(*parts, strict=True)
        ]

    def _reading(self, system: str) -> Readings:
        if system not in self._readings:
            self._readings[system] = self._read(system)
        return self._readings[system]

    def _read(self, system: str) -> Readings:
        if system == RULES:
            patterns = patterns_in(self._paper.patterns, Path(self._paper.name))
            rules = Rules(patterns, self._schema)
            return {
                test: rules.suggest([each.document for each in records])
                for test, records in self._tests.items()
            }
        name, _, without = system.partition("-")
        settings = token_settings(without) if name == TOKEN else SETTINGS[system]
        settings = replace(settings, seed=self._seed)
        return read_by_trained(settings, self._training, self._tests)


def token_settings(without: str = "") -> RecognizerSettings:
    """Return the CRF of tokens of Liu and others alone, without some groups of features."""
    crfs = tuple(
        replace(crf, features=_without(crf, without))
        for crf in SETTINGS["liu"].crfs
        if crf.features.groups
    )
    return RecognizerSettings(TOKEN, crfs)


def _without(crf: CrfSettings, groups: str) -> FeatureSet:
    features = crf.features
    for group in groups.split(","):
        features = features.without(group)
    return features


@cache
def _category(traits: PhiTraits) -> str:
    """The category of i2b2 2014 that a type with these traits would be in, "" for none."""
    kin = I2B2_2014.type_for(traits.kind, traits.role)
    return kin.category if kin else ""
