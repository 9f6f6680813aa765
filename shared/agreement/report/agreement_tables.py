"""The tables of figures: agreement by measure, by type, on average, and beyond chance."""

from collections.abc import Iterable, Iterator, Sequence
from operator import attrgetter

from shared.agreement.chance import binary, cohen_kappa, krippendorff_alpha
from shared.agreement.measures import TOKEN, Granularity, MeasureKey, measure_keys
from shared.agreement.report.figures import Figures
from shared.agreement.report.table import Cell, ReportTable, counts, ratios, text
from shared.agreement.significance import Interval
from shared.agreement.study import AnnotatorPair
from shared.metrics.counts import MatchCounts, Ratios

_WHO = (text("first", "first"), text("second", "second"))
_MICRO = ratios(("precision", "P"), ("recall", "R"), ("f1", "F1"))
_MICRO_RANGE = ratios(("f1_low", "F1 from"), ("f1_high", "to"))
_MACRO = ratios(
    ("macro_precision", "macro P"), ("macro_recall", "macro R"), ("macro_f1", "macro F1")
)
_MACRO_RANGE = ratios(("macro_f1_low", "macro F1 from"), ("macro_f1_high", "to"))
_COUNTS = counts(("tp", "matched"), ("fp", "first only"), ("fn", "second only"))


def records_table(every: Iterable[AnnotatorPair]) -> ReportTable:
    """Return how much was compared."""
    columns = (
        *_WHO,
        *counts(
            ("patients", "patients"),
            ("records", "records"),
            ("first_tags", "tags of the first"),
            ("second_tags", "tags of the second"),
        ),
    )
    return ReportTable.of("records", "What was compared", columns, tuple(map(_extent, every)))


def agreement_table(every: Iterable[Figures]) -> ReportTable:
    """Return micro and macro figures of every measure, with intervals."""
    columns = (
        *_WHO,
        *(text("measure", "measure"), text("types", "types")),
        *(*_MICRO, *_MICRO_RANGE, *_MACRO, *_MACRO_RANGE, *_COUNTS),
    )
    found = [row for figures in every for row in _by_measure(figures)]
    keys, rows = [key for key, _ in found], [row for _, row in found]
    note = "95 % intervals by bootstrap over patients. Without a row: none on either side."
    return ReportTable.of("agreement", "Agreement by measure", columns, rows, note=note, keys=keys)


def average_table(with_gold: Sequence[Figures]) -> ReportTable:
    """Return the mean of the annotators' figures against the gold standard, as in table 2."""
    columns = (text("measure", "measure"), text("types", "types"), *_MICRO, *_MACRO)
    keys = measure_keys() if with_gold else ()
    rows = tuple(
        (
            *_words(key),
            *_mean([figures.counts(key).ratios for figures in with_gold]),
            *_mean([Ratios(*figures.macro(key)) for figures in with_gold]),
        )
        for key in keys
    )
    note = (
        "The mean over annotators of the ratios of each, as in Stubbs and Uzuner (2015), table 2."
    )
    title = "Annotators against the gold standard, on average"
    return ReportTable.of("gold_average", title, columns, rows, note=note, keys=keys)


def by_type_table(every: Iterable[Figures]) -> ReportTable:
    """Return the strict micro figures of each category and type."""
    columns = (*_WHO, text("type", "type"), *_MICRO, *_MICRO_RANGE, *_COUNTS)
    found = [(figures, key) for figures in every for key in figures.labelled]
    rows = [(*_who(each.sides), key.label, *_micro(each, key)) for each, key in found]
    note = "A category compares spans and categories only, its types spans and types."
    title, keys = "Strict agreement by category and type", [key for _, key in found]
    return ReportTable.of("by_type", title, columns, rows, note=note, keys=keys)


def by_type_average_table(with_gold: Sequence[Figures]) -> ReportTable:
    """Return the mean of the annotators' figures by type: table 10 of the paper."""
    keys = sorted({key for each in with_gold for key in each.labelled}, key=attrgetter("label"))
    rows = tuple(
        (key.label, *_mean([each.counts(key).ratios for each in with_gold if key in each.tables]))
        for key in keys
    )
    note = "The mean over those annotators who met the type, as in table 10."
    return ReportTable.of(
        "gold_average_by_type",
        "Annotators against the gold standard by type, on average",
        (text("type", "type"), *_MICRO),
        rows,
        note=note,
        keys=keys,
    )


def chance_table(every: Iterable[Figures]) -> ReportTable:
    """Return kappa and alpha over tokens."""
    columns = (
        *_WHO,
        *counts(("tokens", "tokens")),
        *ratios(
            ("kappa", "Cohen's kappa"), ("alpha", "Krippendorff's alpha"), key=MeasureKey(TOKEN)
        ),
        *ratios(
            ("binary_kappa", "kappa, PHI or not"),
            ("binary_alpha", "alpha, PHI or not"),
            key=MeasureKey(TOKEN, Granularity.BINARY),
        ),
    )
    note = "Over all tokens, those without tag included; read beside F1."
    rows = tuple(map(_beyond_chance, every))
    return ReportTable.of("chance", "Agreement beyond chance", columns, rows, note=note)


def _extent(sides: AnnotatorPair) -> tuple[Cell, ...]:
    return (
        *_who(sides),
        sides.patient_count,
        len(sides.comparisons),
        sum(len(each.candidate) for each in sides.comparisons),
        sum(len(each.reference) for each in sides.comparisons),
    )


def _by_measure(figures: Figures) -> Iterator[tuple[MeasureKey, tuple[Cell, ...]]]:
    for key in measure_keys():
        found = figures.counts(key)
        if found == MatchCounts():
            continue
        micro, macro = figures.intervals[key]
        yield (
            key,
            (
                *(*_who(figures.sides), *_words(key)),
                *_cells(found.ratios),
                *_range(micro.f1),
                *figures.macro(key),
                *_range(macro.f1),
                *(found.tp, found.fp, found.fn),
            ),
        )


def _micro(figures: Figures, key: MeasureKey) -> tuple[Cell, ...]:
    found = figures.counts(key)
    interval = figures.intervals[key][0].f1
    return (*_cells(found.ratios), *_range(interval), found.tp, found.fp, found.fn)


def _beyond_chance(figures: Figures) -> tuple[Cell, ...]:
    typed = figures.tokens
    any_phi = binary(typed)
    return (
        *_who(figures.sides),
        sum(typed.values()),
        cohen_kappa(typed),
        krippendorff_alpha(typed),
        cohen_kappa(any_phi),
        krippendorff_alpha(any_phi),
    )


def _who(sides: AnnotatorPair) -> tuple[str, str]:
    return sides.first, sides.second


def _words(key: MeasureKey) -> tuple[str, str]:
    return key.name.replace("_", " "), "HIPAA" if key.hipaa_only else "all"


def _cells(each: Ratios) -> tuple[float, float, float]:
    return each.precision, each.recall, each.f1


def _mean(each: Sequence[Ratios]) -> tuple[float, float, float]:
    return _cells(Ratios.mean(each))


def _range(interval: Interval) -> tuple[float, float]:
    return interval.low, interval.high
