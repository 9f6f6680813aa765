"""Scores as what commands print and write."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict

from shared.agreement.comparison import Comparison
from shared.agreement.measures import Keep, MeasureKey, count_matches, typed_first
from shared.metrics.counts import MatchCounts, Ratios, Scores, number_or_none

HEADERS = (
    "measure",
    "types",
    "precision",
    "recall",
    "F1",
    "macro P",
    "macro R",
    "macro F1",
    "TP",
    "FP",
    "FN",
)

Measured = dict[str, dict[str, Scores]]
"""By the name of the measure (`strict`, `binary_token` ...), `all` and `hipaa` types."""


def measure_all(comparisons: Iterable[Comparison], is_hipaa: Keep) -> Measured:
    """Return the scores of every measure, typed and binary, for all types and those of HIPAA."""
    return measured_of([count_matches(each, is_hipaa) for each in comparisons])


def measured_of(counts: Sequence[Mapping[MeasureKey, MatchCounts]]) -> Measured:
    """Return the scores of documents with these counts, typed measures before binary ones.

    Where neither side has a tag of a HIPAA type, `hipaa` is left out: nothing was measured.
    """
    return _by_name(lambda key: Scores.of(each[key] for each in counts))


def measured_of_times(times: Mapping[MeasureKey, Mapping[MatchCounts, int]]) -> Measured:
    """Return the scores of documents of which so many have each of these counts."""
    return _by_name(lambda key: Scores.of_times(times.get(key, {})))


def _by_name(scores_of: Callable[[MeasureKey], Scores]) -> Measured:
    measured: Measured = {}
    for key in typed_first():
        scores = scores_of(key)
        if not key.hipaa_only:
            measured[key.name] = {"all": scores}
        elif scores.micro != MatchCounts():
            measured[key.name]["hipaa"] = scores
    return measured


def scores_to_json(scores: Scores) -> dict[str, dict[str, float | int | None]]:
    """Return micro with its counts, and macro; a number that is not one is None."""
    return {"micro": counts_to_json(scores.micro), "macro": ratios_to_json(scores.macro)}


def counts_to_json(counts: MatchCounts) -> dict[str, float | int | None]:
    return {**ratios_to_json(counts.ratios), **asdict(counts)}


def ratios_to_json(ratios: Ratios) -> dict[str, float | int | None]:
    return {name: number_or_none(value) for name, value in asdict(ratios).items()}


def measured_to_json(measured: Measured) -> dict[str, object]:
    return {
        name: {types: scores_to_json(scores) for types, scores in by_types.items()}
        for name, by_types in measured.items()
    }


def measured_rows(measured: Measured) -> Iterator[tuple[str, ...]]:
    """Yield one row of text per measure and kind of types, as in `HEADERS`."""
    for name, by_types in measured.items():
        for types, scores in by_types.items():
            micro = scores.micro
            yield (
                name.replace("_", " "),
                types,
                *ratio_cells(micro.ratios),
                *ratio_cells(scores.macro),
                *(str(number) for number in (micro.tp, micro.fp, micro.fn)),
            )


def counts_rows(by_label: Mapping[str, MatchCounts]) -> Iterator[tuple[str, ...]]:
    """Yield one row of text per category or type: label, ratios, counts."""
    for label, counts in by_label.items():
        numbers = (counts.tp, counts.fp, counts.fn)
        yield (label, *ratio_cells(counts.ratios), *(str(number) for number in numbers))


def ratio_cells(ratios: Ratios) -> Iterable[str]:
    return [formatted(each) for each in ratios.cells]


def formatted(value: float) -> str:
    """Four decimals, or a dash where there is no number."""
    return "-" if math.isnan(value) else f"{value:.4f}"
