"""The tables of details: errors, confusion, origins, days, records, the official evaluator."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date

from shared.agreement.drift import dated_windows
from shared.agreement.error_classes import ErrorClass
from shared.agreement.measures import RELAXED, STRICT, TOKEN, Granularity, MeasureKey
from shared.agreement.official.i2b2_2014_report import Block
from shared.agreement.report.figures import Figures, GroupCounts
from shared.agreement.report.record_details import EXAMPLES
from shared.agreement.report.sides_table import Row, SidesTable
from shared.agreement.report.table import Column, ColumnKind, ReportTable, counts, ratios, text

_UNKNOWN = "unknown"
_OF_PATIENTS = (
    *counts(("patients", "patients"), ("records", "records")),
    *ratios(("f1", "strict F1"), key=MeasureKey(STRICT)),
    *ratios(("token_f1", "token F1"), key=MeasureKey(TOKEN)),
)


def detail_tables(
    every: Sequence[Figures], *, change: date | None, with_official: bool, with_text: bool
) -> Iterator[ReportTable]:
    """Yield what differs and where; what stands in a disagreement only with `with_text`.

    With `change`, agreement over time is before and from that day, else by day.
    """
    errors = _error_classes(with_text=with_text)
    for table in (errors, _ERRORS, _CONFUSION, _ORIGINS, _SUGGESTIONS):
        yield table.of(every)
    yield _days(change).of(every)
    yield _DRIFT.of(every)
    if with_official:
        yield _OFFICIAL.of(every)
    yield _DOCUMENTS.of(every)
    yield _disagreements(with_text=with_text).of(every)


def _column_of(error: ErrorClass) -> Column:
    name = "type_only" if error is ErrorClass.TYPE else str(error).replace(" ", "_")
    return Column(name, str(error), ColumnKind.COUNT, error)


def _by_error(figures: Figures) -> Iterator[Row]:
    for kind, found in figures.errors.items():
        yield str(kind), *(found[each] for each in ErrorClass)


_ERRORS = SidesTable(
    "errors",
    "What differs, by type",
    (text("type", "type"), *map(_column_of, ErrorClass)),
    _by_error,
    "What the first made of the tags of the second; classes of He and others (2015).",
)


def _error_classes(*, with_text: bool) -> SidesTable:
    def rows(figures: Figures) -> Iterator[Row]:
        found: Counter[ErrorClass] = Counter()
        for of_type in figures.errors.values():
            found.update(of_type)
        del found[ErrorClass.CORRECT]
        examples = figures.details.examples
        for error in (each for each in ErrorClass if found[each]):
            shown = examples.get(error, [])
            texts = [*shown, *[""] * (EXAMPLES - len(shown))] if with_text else []
            yield str(error), found[error], found[error] / found.total(), *texts

    shown = [text(f"example_{at}", f"example {at}") for at in range(1, EXAMPLES + 1)]
    return SidesTable(
        "error_classes",
        "Errors by class",
        (
            *(text("error", "error"), *counts(("tags", "tags"))),
            *ratios(("share", "share of errors")),
            *(shown if with_text else []),
        ),
        rows,
        "Classes of He and others (2015)."
        + (" In an example [] is what the second tagged, {} what the first did." if shown else ""),
    )


def _by_types(figures: Figures) -> Iterator[Row]:
    for types, number in sorted(figures.confusion.items()):
        yield *types, number


_CONFUSION = SidesTable(
    "confusion",
    "Which type for which",
    (
        *(text("second_type", "type of the second"), text("first_type", "type of the first")),
        *counts(("tags", "tags")),
    ),
    _by_types,
    "Extents aside. Missed: the first has no tag there; spurious: the second has none.",
)


def _by_origin(figures: Figures) -> Iterator[Row]:
    origins = figures.origins
    for origin in sorted({name for name, _ in origins}):
        matched = origins[origin, True]
        number = matched + origins[origin, False]
        yield origin, number, matched, matched / number


_ORIGINS = SidesTable(
    "origins",
    "Agreement by origin of the tags",
    (
        text("origin", "origin of the tag"),
        *counts(("tags", "tags of the first"), ("matched", "matched, strict")),
        *ratios(("share", "share")),
    ),
    _by_origin,
    "A share is a precision: what is missed has no origin.",
)


def _by_group(groups: Mapping[str, GroupCounts]) -> Iterator[Row]:
    for name, found in sorted(groups.items()):
        yield name, found.patients, found.records, found.strict.f1, found.token.f1


def _by_suggestions(figures: Figures) -> Iterable[Row]:
    if not figures.is_offered_known:
        return ()
    return _by_group({name or _UNKNOWN: found for name, found in figures.offered.items()})


_SUGGESTIONS = SidesTable(
    "suggestions",
    "Agreement by what was suggested",
    (text("suggestions", "suggestions"), *_OF_PATIENTS),
    _by_suggestions,
    "As the project is set today; where they differ, to the first / to the second.",
)


def _days(change: date | None) -> SidesTable:
    def by_day(figures: Figures) -> Iterator[Row]:
        periods: dict[str, GroupCounts] = {}
        for day, found in figures.days.items():
            period = _UNKNOWN if day is None else _period(day, change)
            periods[period] = periods.get(period, GroupCounts()) + found
        return _by_group(periods)

    return SidesTable(
        "days",
        "Agreement over time",
        (text("day", "day"), *_OF_PATIENTS),
        by_day,
        "The day of the later of the two annotators' last edits of a patient.",
    )


def _drift(figures: Figures) -> Iterator[Row]:
    for each in dated_windows(figures.details.finished):
        days = each.first_day.isoformat(), each.last_day.isoformat()
        yield *days, each.patients, each.window.f1, each.window.p, each.judged


_DRIFT = SidesTable(
    "drift",
    "Does agreement fall?",
    (
        *(text("from_day", "finished from"), text("to_day", "to")),
        *counts(("patients", "patients")),
        *ratios(("f1", "strict F1"), ("p", "p of a fall")),
        text("beside_first", "beside the first"),
    ),
    _drift,
    "Patients in the order in which both were done, in windows of equal numbers, each beside the "
    "first by a permutation test; so strict that fewer than 5 of 100 projects in which nothing "
    "changes are told of a fall. Fewer than 16 patients are not judged.",
)


def _period(day: date, change: date | None) -> str:
    if change is None:
        return day.isoformat()
    return f"before {change}" if day < change else f"from {change}"


def _by_record(figures: Figures) -> Iterable[Row]:
    return figures.details.documents


_DOCUMENTS = SidesTable(
    "documents",
    "Every record, strict",
    (
        *(text("patient", "patient"), text("record", "record")),
        *counts(
            *(("tp", "matched"), ("fp", "first only"), ("fn", "second only")),
            key=MeasureKey(STRICT),
        ),
        *ratios(("precision", "P"), ("recall", "R"), ("f1", "F1"), key=MeasureKey(STRICT)),
        *ratios(("token_f1", "token F1"), key=MeasureKey(TOKEN)),
    ),
    _by_record,
)


def _disagreements(*, with_text: bool) -> SidesTable:
    def rows(figures: Figures) -> Iterable[Row]:
        return figures.details.disagreements

    columns = (
        *(text("record", "record"), Column("start", "start", ColumnKind.OFFSET)),
        *(Column("end", "end", ColumnKind.OFFSET), text("kind", "kind")),
        *(text("first_types", "first"), text("second_types", "second")),
        *([text("text", "text")] if with_text else []),
    )
    return SidesTable("disagreements", "Every disagreement", columns, rows)


_BINARY = Granularity.BINARY
_SAME = {
    "Strict": MeasureKey(STRICT),
    "Relaxed": MeasureKey(RELAXED),
    "Token": MeasureKey(TOKEN),
    "HIPAA Strict": MeasureKey(STRICT, hipaa_only=True),
    "HIPAA Relaxed": MeasureKey(RELAXED, hipaa_only=True),
    "HIPPA Token": MeasureKey(TOKEN, hipaa_only=True),
    "Binary Strict": MeasureKey(STRICT, _BINARY),
    "Binary Token": MeasureKey(TOKEN, _BINARY),
    "Binary HIPAA Strict": MeasureKey(STRICT, _BINARY, hipaa_only=True),
    "Binary HIPPA Token": MeasureKey(TOKEN, _BINARY, hipaa_only=True),
}
"""The blocks of the evaluator that have a counterpart."""


def _by_block(figures: Figures) -> Iterator[Row]:
    for label, key in _SAME.items():
        if key.hipaa_only and not figures.has(key):
            continue
        block = Block.of(sorted(figures.official[label].elements()))
        ours, macro = figures.counts(key).f1, figures.macro(key).f1
        yield (
            label,
            *(block.f1, ours, ours - block.f1),
            *(block.macro_f1, macro, macro - block.macro_f1),
        )


_OFFICIAL = SidesTable(
    "official",
    "Beside the official i2b2 2014 evaluator",
    (
        text("block", "block"),
        *ratios(
            ("official_f1", "official F1"),
            ("f1", "our F1"),
            ("difference", "ours less official"),
            ("official_macro_f1", "official macro F1"),
            ("macro_f1", "our macro F1"),
            ("macro_difference", "ours less official"),
        ),
    ),
    _by_block,
    "Strict differs where one layer says a thing twice or a record has no PHI; HIPAA also by "
    "IDNUM, which the evaluator forgets; token and relaxed by their rules. The guideline on "
    "agreement measures lists them all. Blocks are spelt as the evaluator spells them.",
)
