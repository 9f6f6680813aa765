"""The tables of figures: agreement by measure, by type, on average, and beyond chance."""

from collections.abc import Iterator, Sequence
from operator import attrgetter

from shared.agreement.chance import binary, cohen_kappa, krippendorff_alpha
from shared.agreement.measures import TOKEN, Granularity, MeasureKey, measure_keys
from shared.agreement.report.figures import Figures
from shared.agreement.report.sides_table import Row, SidesTable
from shared.agreement.report.table import ReportTable, counts, ratios, text
from shared.metrics.counts import MatchCounts, Ratios

_MEASURE = text("measure", "measure"), text("types", "types")
_TYPE = text("type", "type")
_MICRO = ratios(("precision", "P"), ("recall", "R"), ("f1", "F1"))
_MICRO_RANGE = ratios(("f1_low", "F1 from"), ("f1_high", "to"))
_MACRO = ratios(
    ("macro_precision", "macro P"), ("macro_recall", "macro R"), ("macro_f1", "macro F1")
)
_MACRO_RANGE = ratios(("macro_f1_low", "macro F1 from"), ("macro_f1_high", "to"))
_COUNTS = counts(("tp", "matched"), ("fp", "first only"), ("fn", "second only"))


def agreement_tables(every: Sequence[Figures]) -> Iterator[ReportTable]:
    """Yield what was compared, agreement by measure, by type, of both the mean, and by chance."""
    with_gold = [figures for figures in every if figures.sides.has_gold]
    yield _RECORDS.of(every)
    yield _AGREEMENT.of(every)
    yield _average(with_gold)
    yield _BY_TYPE.of(every)
    yield _average_by_type(with_gold)
    yield _CHANCE.of(every)


def _extent(figures: Figures) -> Iterator[Row]:
    compared = figures.sides.comparisons
    tags = (sum(len(each.candidate) for each in compared), sum(len(c.reference) for c in compared))
    yield figures.sides.patient_count, len(compared), *tags


_RECORDS = SidesTable(
    "records",
    "What was compared",
    counts(
        ("patients", "patients"),
        ("records", "records"),
        ("first_tags", "tags of the first"),
        ("second_tags", "tags of the second"),
    ),
    _extent,
)


def _measured(figures: Figures) -> list[MeasureKey]:
    return [key for key in measure_keys() if figures.counts(key) != MatchCounts()]


def _by_measure(figures: Figures) -> Iterator[Row]:
    for key in _measured(figures):
        found = figures.counts(key)
        micro, macro = figures.intervals[key]
        yield (
            *(*_words(key), *found.ratios.cells, micro.low, micro.high),
            *(*figures.macro(key).cells, macro.low, macro.high),
            *(found.tp, found.fp, found.fn),
        )


_AGREEMENT = SidesTable(
    "agreement",
    "Agreement by measure",
    (*_MEASURE, *_MICRO, *_MICRO_RANGE, *_MACRO, *_MACRO_RANGE, *_COUNTS),
    _by_measure,
    "95 % intervals by bootstrap over patients. Without a row: none on either side.",
    _measured,
)


def _average(with_gold: Sequence[Figures]) -> ReportTable:
    """Return the mean of the annotators' figures against the gold standard, as in table 2."""
    keys = measure_keys() if with_gold else ()
    rows = [
        (
            *_words(key),
            *Ratios.mean(figures.counts(key).ratios for figures in with_gold).cells,
            *Ratios.mean(figures.macro(key) for figures in with_gold).cells,
        )
        for key in keys
    ]
    return ReportTable.of(
        "gold_average",
        "Annotators against the gold standard, on average",
        (*_MEASURE, *_MICRO, *_MACRO),
        rows,
        note="The mean over annotators of the ratios of each, as in Stubbs and Uzuner (2015), "
        "table 2.",
        keys=keys,
    )


def _by_type(figures: Figures) -> Iterator[Row]:
    for key in figures.labelled:
        found, interval = figures.counts(key), figures.intervals[key][0]
        yield (
            *(key.label, *found.ratios.cells, interval.low, interval.high),
            *(found.tp, found.fp, found.fn),
        )


_BY_TYPE = SidesTable(
    "by_type",
    "Strict agreement by category and type",
    (_TYPE, *_MICRO, *_MICRO_RANGE, *_COUNTS),
    _by_type,
    "A category compares spans and categories only, its types spans and types.",
    attrgetter("labelled"),
)


def _average_by_type(with_gold: Sequence[Figures]) -> ReportTable:
    """Return the mean of the annotators' figures by type: table 10 of the paper."""
    keys = sorted({key for each in with_gold for key in each.labelled}, key=attrgetter("label"))
    rows = [
        (
            key.label,
            *Ratios.mean(each.counts(key).ratios for each in with_gold if key in each.tables).cells,
        )
        for key in keys
    ]
    return ReportTable.of(
        "gold_average_by_type",
        "Annotators against the gold standard by type, on average",
        (_TYPE, *_MICRO),
        rows,
        note="The mean over those annotators who met the type, as in table 10.",
        keys=keys,
    )


def _beyond_chance(figures: Figures) -> Iterator[Row]:
    typed = figures.tokens
    any_phi = binary(typed)
    yield (
        sum(typed.values()),
        *(cohen_kappa(typed), krippendorff_alpha(typed)),
        *(cohen_kappa(any_phi), krippendorff_alpha(any_phi)),
    )


_CHANCE = SidesTable(
    "chance",
    "Agreement beyond chance",
    (
        *counts(("tokens", "tokens")),
        *ratios(
            ("kappa", "Cohen's kappa"), ("alpha", "Krippendorff's alpha"), key=MeasureKey(TOKEN)
        ),
        *ratios(
            ("binary_kappa", "kappa, PHI or not"),
            ("binary_alpha", "alpha, PHI or not"),
            key=MeasureKey(TOKEN, Granularity.BINARY),
        ),
    ),
    _beyond_chance,
    "Over all tokens, those without tag included; read beside F1.",
)


def _words(key: MeasureKey) -> tuple[str, str]:
    return key.name.replace("_", " "), "HIPAA" if key.hipaa_only else "all"
