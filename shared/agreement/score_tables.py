"""Scores as what commands print and write."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping

from shared.agreement.comparison import Comparison
from shared.agreement.measures import Granularity, Matcher, Measure, of_types, total
from shared.metrics.counts import MatchCounts, Ratios, Scores
from shared.model import PhiType

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


def measure_all(comparisons: Iterable[Comparison], is_hipaa: Callable[[PhiType], bool]) -> Measured:
    """Return the scores of every measure, typed and binary, for all types and those of HIPAA."""
    rows: dict[tuple[str, str], list[MatchCounts]] = {
        (measure_name(measure, grain), types): []
        for grain in (Granularity.TYPE, Granularity.BINARY)
        for measure in Measure
        for types in ("all", "hipaa")
    }
    for comparison in comparisons:
        matcher = Matcher(comparison)
        for measure in Measure:
            typed = matcher.count(measure)
            name, binary = str(measure), measure_name(measure, Granularity.BINARY)
            hipaa = of_types(typed, is_hipaa)
            rows[name, "all"].append(total(typed))
            rows[name, "hipaa"].append(total(hipaa))
            rows[binary, "all"].append(total(matcher.count(measure, Granularity.BINARY)))
            rows[binary, "hipaa"].append(
                total(matcher.count(measure, Granularity.BINARY, is_hipaa))
            )
    measured: Measured = {}
    for (name, types), counts in rows.items():
        measured.setdefault(name, {})[types] = Scores.of(counts)
    return measured


def measure_name(measure: Measure, grain: Granularity) -> str:
    return str(measure) if grain is Granularity.TYPE else f"{grain}_{measure}"


def scores_to_json(scores: Scores) -> dict[str, dict[str, float | int | None]]:
    """Return micro with its counts, and macro; a number that is not one is None."""
    return {"micro": counts_to_json(scores.micro), "macro": ratios_to_json(scores.macro)}


def counts_to_json(counts: MatchCounts) -> dict[str, float | int | None]:
    return {
        **ratios_to_json(counts.ratios),
        "tp": counts.tp,
        "fp": counts.fp,
        "fn": counts.fn,
    }


def ratios_to_json(ratios: Ratios) -> dict[str, float | int | None]:
    return {
        "precision": _number(ratios.precision),
        "recall": _number(ratios.recall),
        "f1": _number(ratios.f1),
    }


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
    return [shown(each) for each in (ratios.precision, ratios.recall, ratios.f1)]


def shown(value: float) -> str:
    """Four decimals, or a dash where there is no number."""
    return "-" if math.isnan(value) else f"{value:.4f}"


def _number(value: float) -> float | None:
    return None if math.isnan(value) else value
