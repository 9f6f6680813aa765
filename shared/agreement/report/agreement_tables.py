"""The tables of figures: agreement by measure, by type, on average, and beyond chance."""

from collections.abc import Iterator, Sequence
from operator import attrgetter

from shared.agreement.chance import cohen_kappa, krippendorff_alpha
from shared.agreement.measures import TOKEN, Granularity, MeasureKey, measure_keys
from shared.agreement.report.chance_figures import ChanceFigures, JointTokens
from shared.agreement.report.figures import AverageFigures, Figures
from shared.agreement.report.sides_table import Row, SidesTable
from shared.agreement.report.table import Column, ReportTable, counts, ratios, text
from shared.agreement.resamples import Interval
from shared.metrics.counts import Ratios

_MEASURE = text("measure", "measure"), text("types", "types")
_TYPE = text("type", "type")
_MICRO = ratios(("precision", "P"), ("recall", "R"), ("f1", "F1"))
_MICRO_RANGE = ratios(("f1_low", "F1 from"), ("f1_high", "to"))
_MACRO = ratios(
    ("macro_precision", "macro P"), ("macro_recall", "macro R"), ("macro_f1", "macro F1")
)
_MACRO_RANGE = ratios(("macro_f1_low", "macro F1 from"), ("macro_f1_high", "to"))
_COUNTS = counts(("tp", "matched"), ("fp", "first only"), ("fn", "second only"))
_GOLD_COUNTS = counts(
    *(("annotators", "annotators"), ("tp", "matched")),
    *(("fp", "annotator only"), ("fn", "gold only")),
)
_AVERAGED = (
    "Counts are summed over annotators; 95 % intervals by bootstrap over patients, the same ones "
    "for all annotators."
)
_ANY_PHI = MeasureKey(TOKEN, Granularity.BINARY)
_label = attrgetter("label")


def agreement_tables(every: Sequence[Figures], joint: JointTokens) -> Iterator[ReportTable]:
    """Yield what was compared, agreement by measure, by type, of both the mean, and by chance."""
    average = AverageFigures([figures for figures in every if figures.has_gold])
    yield _RECORDS.of(every)
    yield _AGREEMENT.of(every)
    yield _average(average)
    yield _BY_TYPE.of(every)
    yield _average_by_type(average)
    yield _beyond_chance(every)
    yield _joint_alpha(every, joint)


def _extent(figures: Figures) -> Iterator[Row]:
    yield figures.patient_count, figures.record_count, *figures.tags


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
    return [key for key in measure_keys() if figures.has(key)]


def _by_measure(figures: Figures) -> Iterator[Row]:
    for key in _measured(figures):
        found = figures.counts(key)
        micro, macro = figures.interval(key), figures.macro_interval(key)
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


def _average(average: AverageFigures) -> ReportTable:
    """Return the mean of the annotators' figures against the gold standard, as in table 2."""
    keys = [key for key in measure_keys() if average.met(key)]
    return ReportTable.of(
        "gold_average",
        "Annotators against the gold standard, on average",
        (*_MEASURE, *_MICRO, *_MICRO_RANGE, *_MACRO, *_MACRO_RANGE, *_GOLD_COUNTS),
        [
            (
                *_words(key),
                *(*_mean(average.micro(key)), *_mean(average.macro(key))),
                *_summed(average, key),
            )
            for key in keys
        ],
        note="The mean over annotators of the ratios of each, as in Stubbs and Uzuner (2015), "
        f"table 2. {_AVERAGED}",
        keys=keys,
    )


def _mean(figure: tuple[Ratios, Interval]) -> Row:
    ratios, interval = figure
    return *ratios.cells, interval.low, interval.high


def _summed(average: AverageFigures, key: MeasureKey) -> Row:
    found = average.counts(key)
    return len(average.met(key)), found.tp, found.fp, found.fn


def _by_type(figures: Figures) -> Iterator[Row]:
    for key in figures.labelled:
        found, interval = figures.counts(key), figures.interval(key)
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


def _average_by_type(average: AverageFigures) -> ReportTable:
    """Return the mean of the annotators' figures by type: table 10 of the paper."""
    keys = sorted({key for each in average.annotators for key in each.labelled}, key=_label)
    return ReportTable.of(
        "gold_average_by_type",
        "Annotators against the gold standard by type, on average",
        (_TYPE, *_MICRO, *_MICRO_RANGE, *_GOLD_COUNTS),
        [(key.label, *_mean(average.micro(key)), *_summed(average, key)) for key in keys],
        note=f"The mean over those annotators who met the type, as in table 10. {_AVERAGED}",
        keys=keys,
    )


def _beyond_chance(every: Sequence[Figures]) -> ReportTable:
    columns = (
        *(text("first", "first"), text("second", "second"), *counts(("tokens", "tokens"))),
        *_coefficient("kappa", "Cohen's kappa", MeasureKey(TOKEN)),
        *_coefficient("alpha", "Krippendorff's alpha", MeasureKey(TOKEN)),
        *_coefficient("binary_kappa", "kappa, PHI or not", _ANY_PHI),
        *_coefficient("binary_alpha", "alpha, PHI or not", _ANY_PHI),
    )
    rows: list[Row] = []
    for figures in every:
        found = ChanceFigures.of(figures)
        cells = (
            cell
            for measured in (found.typed, found.binary)
            for coefficient in (cohen_kappa, krippendorff_alpha)
            for cell in _cells(measured(coefficient))
        )
        rows.append((figures.first, figures.second, figures.tokens.total(), *cells))
    return ReportTable.of(
        "chance",
        "Agreement beyond chance",
        columns,
        rows,
        note="Over all tokens, those without tag included; read beside F1. 95 % intervals by "
        "bootstrap over patients.",
    )


def _joint_alpha(every: Sequence[Figures], joint: JointTokens) -> ReportTable:
    """Return alpha of all annotators together; no row where they are two or pairs are left out."""
    rows: list[Row] = []
    if sum(not each.has_gold for each in every) > 1 and joint.has_all_pairs:
        found = joint.figures()
        alphas = found.typed(krippendorff_alpha), found.binary(krippendorff_alpha)
        names = ", ".join(joint.annotators)
        rows.append((names, joint.tokens, *(cell for each in alphas for cell in _cells(each))))
    return ReportTable.of(
        "joint_alpha",
        "Agreement beyond chance of all annotators jointly",
        (
            *(text("annotators", "annotators"), *counts(("tokens", "tokens"))),
            *_coefficient("alpha", "Krippendorff's alpha", None),
            *_coefficient("binary_alpha", "alpha, PHI or not", None),
        ),
        rows,
        note="Over the records that two of them or more finished; a token that one did not read "
        "counts with what the others said of it.",
    )


def _coefficient(name: str, title: str, key: MeasureKey | None) -> tuple[Column, ...]:
    return ratios((name, title), (f"{name}_low", "from"), (f"{name}_high", "to"), key=key)


def _cells(measured: tuple[float, Interval]) -> Row:
    value, interval = measured
    return value, interval.low, interval.high


def _words(key: MeasureKey) -> tuple[str, str]:
    return key.name.replace("_", " "), "HIPAA" if key.hipaa_only else "all"
