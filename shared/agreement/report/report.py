"""The report: summary, tables and conventions put together from what was counted."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from statistics import fmean

from shared.agreement.comparison import Comparison
from shared.agreement.error_classes import MISSED, SPURIOUS
from shared.agreement.measures import MEASURES, STRICT, TOKEN, Granularity, MeasureKey
from shared.agreement.report.adjudication_tables import adjudication_tables
from shared.agreement.report.agreement_tables import agreement_tables
from shared.agreement.report.comparison_counts import Counting, counting
from shared.agreement.report.corpus_tables import corpus_tables
from shared.agreement.report.detail_tables import detail_tables
from shared.agreement.report.figures import Figures
from shared.agreement.report.options import ReportOptions
from shared.agreement.report.study_counts import StudyCounts
from shared.agreement.report.table import Report, ReportTable, text
from shared.agreement.study import GOLD, Study
from shared.text.blocks import counted


def _said(*, of_tokens: bool) -> str:
    return " ".join(
        f"{measure.name.capitalize()}: {measure.description}."
        for measure in MEASURES
        if measure.of_tokens is of_tokens
    )


CONVENTIONS = (
    "Precision is matched by all tags of the first, recall matched by all tags of the second, F1 "
    "their harmonic mean. Counts are added up first and divided last.",
    f"{_said(of_tokens=False)} Each tag matches at most one other. {_said(of_tokens=True)} "
    "Binary: PHI or not.",
    "HIPAA: all tags of other types are left out of both sides first.",
    "Micro adds up over records; macro is the mean over records of each record's ratios, so macro "
    "F1 is a mean of F1. Nothing on both sides is 1, nothing on one side is 0.",
    "Only records that both sides finished are compared; the others are listed.",
    "Intervals are the middle 95 % of bootstrap samples of patients with all their records, each "
    "drawn as often as a Poisson variable of mean 1 says, by the seed and the id alone.",
)

Watch = Callable[[Collection[Comparison]], Iterable[Comparison]]
_FEW = 10
_WORST = 3
_FEW_PATIENTS = 20
"""Of fewer, percentile intervals are too narrow: in simulations of unlike annotators those of 95 %
held the true F1 in 91 % of cases with 20 patients, in 86 % with 10, in 69 % with 3."""


def make_report(
    study: Study, options: ReportOptions, watch: Watch = iter, count: Counting | None = None
) -> Report:
    """Measure everything that a report shows; `watch` may look on while comparisons are counted.

    With `count`, which needs the HIPAA types of the study, nothing is counted that it knows.
    """
    count = count or counting(study.hipaa.__contains__)
    for comparison in watch([each for sides in study.sides for each in sides.comparisons]):
        count(comparison)
    counts = StudyCounts(options, study.hipaa)
    counts.add_study(study, count)
    return report_of(study, counts, options)


def report_of(study: Study, counts: StudyCounts, options: ReportOptions) -> Report:
    """Return the report of what was counted; of the study, all but its sides."""
    every = counts.figures
    tables = (
        *corpus_tables(counts.corpus, study.released),
        *agreement_tables(every, counts.joint),
        *detail_tables(
            every,
            change=options.change,
            with_official=options.with_official,
            with_text=options.with_text,
        ),
        *adjudication_tables(study),
        _left_out_table(study),
    )
    return Report(
        f"Agreement: {study.title}",
        _about(study, str(counts.digest), options),
        (*_methods(every, options, was_adjudicated=bool(study.outcomes)), *_summary(every)),
        tuple(each for each in tables if each.row_count),
        CONVENTIONS,
    )


def _about(study: Study, digest: str, options: ReportOptions) -> tuple[tuple[str, str], ...]:
    return (
        ("project", study.title),
        ("date", options.today.isoformat()),
        ("made by", f"Tandem {options.version}"),
        ("data (SHA-256)", digest),
        ("bootstrap samples", f"{options.resamples}, seed {options.seed}"),
    )


def _left_out_table(study: Study) -> ReportTable:
    columns = (text("record", "record"), text("reason", "reason"))
    rows = tuple((each.record_id, each.reason) for each in study.left_out)
    return ReportTable.of("left_out", "Records left out of all numbers", columns, rows)


def _methods(
    every: Sequence[Figures], options: ReportOptions, *, was_adjudicated: bool
) -> Iterator[str]:
    """Yield the paragraph that tells what was done, where something was."""
    between, with_gold = ([f for f in every if f.has_gold is gold] for gold in (False, True))
    if not every:
        return
    names = sorted({name for each in every for name in (each.first, each.second)} - {GOLD})
    said = f"Protected health information was marked by {counted(len(names), 'annotator')}."
    if between:
        said += f" Every two were compared on what both had finished: {_compared(between)}."
    if with_gold:  # which may have come from elsewhere
        settled = "Their differences were settled by an adjudicator, and each annotator was "
        which = f"{settled}compared with this" if was_adjudicated else "Each was compared with a"
        said += f" {which} gold standard: {_compared(with_gold)}."
    yield (
        f"{said} Tags were counted as the same by exact span and type (strict), and by the other "
        "measures of the tables; precision, recall and F1 are micro averages, macro averages are "
        "means over records. 95 % intervals are percentiles of "
        f"{counted(options.resamples, 'bootstrap sample')} of patients{_caveat(every)}. Beyond "
        "chance, agreement is Cohen's kappa and Krippendorff's alpha over all tokens. All was "
        f"computed by Tandem {options.version}."
    )


def _caveat(every: Sequence[Figures]) -> str:
    few = any(each.patient_count < _FEW_PATIENTS for each in every)
    return f"; of fewer than {_FEW_PATIENTS} patients they are too narrow" if few else ""


def _compared(every: Sequence[Figures]) -> str:
    return "; ".join(
        f"{each.first} and {each.second} on "
        f"{counted(each.record_count, 'record')} of "
        f"{counted(each.patient_count, 'patient')}"
        for each in every
    )


def _summary(every: Sequence[Figures]) -> Iterator[str]:
    """Yield paragraphs that read like a result section."""
    if not every:
        yield "No record is finished by two annotators yet, so there is nothing to measure."
    for figures in every:
        yield " ".join((_opening(figures), _by_token(figures), *_details(figures)))
    with_gold = [figures for figures in every if figures.has_gold]
    if len(with_gold) > 1:
        yield _average(with_gold)


def _opening(figures: Figures) -> str:
    key = MeasureKey(STRICT)
    found = figures.counts(key)
    interval = figures.interval(key)
    return (
        f"{figures.first} and {figures.second} were compared on "
        f"{counted(figures.record_count, 'record')} of "
        f"{counted(figures.patient_count, 'patient')}. Counting exact spans and types, they "
        f"share {counted(found.tp, 'tag')}; {found.fp:,} more are of {figures.first} alone and "
        f"{found.fn:,} of {figures.second} alone (precision {found.precision:.3f}, recall "
        f"{found.recall:.3f}, F1 {found.f1:.3f}, 95 % interval {interval.low:.3f} to "
        f"{interval.high:.3f}; macro F1 {figures.macro(key).f1:.3f})."
    )


def _by_token(figures: Figures) -> str:
    token, binary = (
        figures.counts(MeasureKey(TOKEN, granularity))
        for granularity in (Granularity.TYPE, Granularity.BINARY)
    )
    return f"By token F1 is {token.f1:.3f}, and {binary.f1:.3f} if only PHI or not counts."


def _details(figures: Figures) -> Iterator[str]:
    worst = sorted(
        (figures.counts(key).f1, key.label)
        for key in figures.labelled
        if key.granularity is Granularity.TYPE and figures.counts(key).references >= _FEW
    )[:_WORST]
    if worst:
        listed = ", ".join(f"{label.rpartition(':')[2]} ({f1:.3f})" for f1, label in worst)
        yield f"The types with the lowest F1 among those with {_FEW} tags or more are {listed}."
    mixed = [
        (number, pair)
        for pair, number in figures.confusion.items()
        if pair[0] != pair[1] and MISSED not in pair and SPURIOUS not in pair
    ]
    number, (reference, candidate) = max(mixed, default=(0, ("", "")))
    if number > 1:  # what happened once is no tendency
        yield (
            f"The most frequent confusion is {candidate} by {figures.first} where "
            f"{figures.second} has {reference} ({number:,} times)."
        )


def _average(with_gold: Sequence[Figures]) -> str:
    strict, token = (
        fmean(figures.counts(MeasureKey(measure)).f1 for figures in with_gold)
        for measure in (STRICT, TOKEN)
    )
    return (
        f"Against the gold standard the {len(with_gold)} annotators reach on average a strict F1 "
        f"of {strict:.3f} and a token F1 of {token:.3f}; in the 2014 i2b2/UTHealth corpus these "
        "were 0.895 and 0.930 (Stubbs and Uzuner 2015, table 2)."
    )
