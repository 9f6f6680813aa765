"""The tables of details: errors, confusion, origins, days, records, the official evaluator."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from datetime import date

from shared.agreement.comparison import Comparison
from shared.agreement.error_classes import ErrorClass
from shared.agreement.measures import RELAXED, STRICT, TOKEN, Granularity, MeasureKey
from shared.agreement.official.i2b2_2014_counts import count_document
from shared.agreement.official.i2b2_2014_report import Block
from shared.agreement.official.raw_file import NAMES, RawFile, RawTag
from shared.agreement.report.figures import Figures
from shared.agreement.report.table import (
    Cell,
    Column,
    ColumnKind,
    ReportTable,
    counts,
    ratios,
    text,
)
from shared.agreement.study import AnnotatorPair
from shared.metrics.alignment import DifferenceKind, TagCluster
from shared.metrics.counts import MatchCounts, ratios_of
from shared.model import Span, Tag

_WHO = (text("first", "first"), text("second", "second"))
_LONGEST_TEXT = 60
_UNKNOWN = "unknown"
_OF_PATIENTS = (
    *counts(("patients", "patients"), ("records", "records")),
    *ratios(("f1", "strict F1"), key=MeasureKey(STRICT)),
    *ratios(("token_f1", "token F1"), key=MeasureKey(TOKEN)),
)


def errors_table(every: Iterable[Figures]) -> ReportTable:
    """Return the error classes by type."""
    classes = tuple(ErrorClass)
    columns = (
        *_WHO,
        text("type", "type"),
        *(Column(_column_of(each), str(each), ColumnKind.COUNT, each) for each in classes),
    )
    rows = tuple(
        (*_who(figures), str(kind), *(found[each] for each in classes))
        for figures in every
        for kind, found in figures.errors.items()
    )
    note = "What the first made of the tags of the second; classes of He and others (2015)."
    return ReportTable.of("errors", "What differs, by type", columns, rows, note=note)


def confusion_table(every: Iterable[Figures]) -> ReportTable:
    """Return how often each type of the second was each type of the first."""
    columns = (
        *_WHO,
        *(text("second_type", "type of the second"), text("first_type", "type of the first")),
        *counts(("tags", "tags")),
    )
    rows = tuple(
        (*_who(figures), reference, candidate, number)
        for figures in every
        for (reference, candidate), number in sorted(figures.confusion.items())
    )
    note = "Extents aside. Missed: the first has no tag there; spurious: the second has none."
    return ReportTable.of("confusion", "Which type for which", columns, rows, note=note)


def origins_table(every: Iterable[Figures]) -> ReportTable:
    """Return how the tags of the first fare by how they came to be."""
    columns = (
        *_WHO,
        text("origin", "origin of the tag"),
        *counts(("tags", "tags of the first"), ("matched", "matched, strict")),
        *ratios(("share", "share")),
    )
    rows = tuple(row for figures in every for row in _by_origin(figures))
    note = "A share is a precision: what is missed has no origin."
    return ReportTable.of("origins", "Agreement by origin of the tags", columns, rows, note=note)


def suggestions_table(every: Iterable[Figures]) -> ReportTable:
    """Return agreement by what the two were offered on a patient: on, rules, off."""

    def offered(sides: AnnotatorPair, patient: str) -> str:
        return sides.offered.get(patient, _UNKNOWN)

    columns = (*_WHO, text("suggestions", "suggestions"), *_OF_PATIENTS)
    rows = tuple(
        row for figures in every if figures.sides.offered for row in _by_patients(figures, offered)
    )
    note = "As the project offers them by now: to the first / to the second."
    return ReportTable.of(
        "suggestions", "Agreement by what was suggested", columns, rows, note=note
    )


def days_table(every: Iterable[Figures], change: date | None = None) -> ReportTable:
    """Return agreement by the day on which both were done; with `change`, before and from it."""

    def day_of(sides: AnnotatorPair, patient: str) -> str:
        day = sides.done_on.get(patient)
        return _UNKNOWN if day is None else _period(day, change)

    columns = (*_WHO, text("day", "day"), *_OF_PATIENTS)
    rows = tuple(row for figures in every for row in _by_patients(figures, day_of))
    note = "The day of the later of the two annotators' last edits of a patient."
    return ReportTable.of("days", "Agreement over time", columns, rows, note=note)


def documents_table(every: Iterable[Figures]) -> ReportTable:
    """Return the figures of every record."""
    strict = MeasureKey(STRICT)
    columns = (
        *_WHO,
        *(text("patient", "patient"), text("record", "record")),
        *counts(("tp", "matched"), ("fp", "first only"), ("fn", "second only"), key=strict),
        *ratios(("precision", "P"), ("recall", "R"), ("f1", "F1"), key=strict),
        *ratios(("token_f1", "token F1"), key=MeasureKey(TOKEN)),
    )
    rows = tuple(row for figures in every for row in _by_record(figures))
    return ReportTable.of("documents", "Every record, strict", columns, rows)


def disagreements_table(every: Iterable[Figures], *, with_text: bool) -> ReportTable:
    """Return every disagreement, what stands there only with `with_text`."""
    columns = (
        *_WHO,
        *(text("record", "record"), Column("start", "start", ColumnKind.OFFSET)),
        *(Column("end", "end", ColumnKind.OFFSET), text("kind", "kind")),
        *(text("first_types", "first"), text("second_types", "second")),
        *([text("text", "text")] if with_text else []),
    )
    rows = tuple(
        (*_who(figures), comparison.record_id, *_disagreement(cluster))
        + ((_excerpt(comparison, cluster.span),) if with_text else ())
        for figures in every
        for comparison, counted in zip(figures.sides.comparisons, figures.counted, strict=True)
        for cluster in counted.disagreements
    )
    return ReportTable.of("disagreements", "Every disagreement", columns, rows)


def _column_of(error: ErrorClass) -> str:
    return "type_only" if error is ErrorClass.TYPE else str(error).replace(" ", "_")


def _by_origin(figures: Figures) -> Iterator[tuple[Cell, ...]]:
    origins = figures.origins
    for origin in sorted({name for name, _ in origins}):
        matched = origins[origin, True]
        number = matched + origins[origin, False]
        yield *_who(figures), origin, number, matched, matched / number


def _by_patients(
    figures: Figures, group_of: Callable[[AnnotatorPair, str], str]
) -> Iterator[tuple[Cell, ...]]:
    groups: dict[str, list[int]] = defaultdict(list)
    patients = figures.sides.patients
    for number, patient in enumerate(patients):
        groups[group_of(figures.sides, patient)].append(number)
    for group, records in sorted(groups.items()):
        strict, token = (
            float(ratios_of(figures.tables[MeasureKey(measure)][records].sum(axis=0))[2])
            for measure in (STRICT, TOKEN)
        )
        number = len({patients[each] for each in records})
        yield *_who(figures), group, number, len(records), strict, token


def _period(day: date, change: date | None) -> str:
    if change is None:
        return day.isoformat()
    return f"before {change}" if day < change else f"from {change}"


def _by_record(figures: Figures) -> Iterator[tuple[Cell, ...]]:
    strict, token = (figures.tables[MeasureKey(each)] for each in (STRICT, TOKEN))
    token_f1 = ratios_of(token)[:, 2]
    for comparison, counted, other in zip(
        figures.sides.comparisons, strict.tolist(), token_f1.tolist(), strict=True
    ):
        found = MatchCounts(*counted)
        yield (
            *_who(figures),
            *(comparison.document.patient_id, comparison.record_id),
            *(found.tp, found.fp, found.fn, found.precision, found.recall, found.f1, other),
        )


def _disagreement(cluster: TagCluster) -> tuple[Cell, ...]:
    first, second = cluster.sides
    kind = str(cluster.kind)
    if cluster.kind is DifferenceKind.ONE_SIDED:
        kind = "only first" if first else "only second"
    return cluster.span.start, cluster.span.end, kind, _types(first), _types(second)


def _types(tags: Iterable[Tag]) -> str:
    return ", ".join(str(tag.phi_type) for tag in tags)


def _excerpt(comparison: Comparison, span: Span) -> str:
    found = " ".join(span.text_in(comparison.document.text).split())
    return found if len(found) <= _LONGEST_TEXT else found[: _LONGEST_TEXT - 1] + "…"


def _who(figures: Figures) -> tuple[str, str]:
    return figures.sides.first, figures.sides.second


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


def official_table(every: Iterable[Figures]) -> ReportTable:
    """Return micro and macro F1 of both, and the differences."""
    columns = (
        *(text("first", "first"), text("second", "second"), text("block", "block")),
        *ratios(
            ("official_f1", "official F1"),
            ("f1", "our F1"),
            ("difference", "ours less official"),
            ("official_macro_f1", "official macro F1"),
            ("macro_f1", "our macro F1"),
            ("macro_difference", "ours less official"),
        ),
    )
    rows = tuple(row for figures in every for row in _rows(figures))
    note = (
        "Strict differs where one layer says a thing twice or a record has no PHI; HIPAA also by "
        "IDNUM, which the evaluator forgets; token and relaxed by their rules. The guideline on "
        "agreement measures lists them all."
    )
    return ReportTable.of(
        "official", "Beside the official i2b2 2014 evaluator", columns, rows, note=note
    )


def _rows(figures: Figures) -> Iterator[tuple[Cell, ...]]:
    counted = [_official(each) for each in figures.sides.comparisons]
    for label, key in _SAME.items():
        block = Block.of([each[label] for each in counted])
        ours, (_, _, macro) = figures.counts(key).f1, figures.macro(key)
        yield (
            *_who(figures),
            label,
            *(block.f1, ours, ours - block.f1),
            *(block.macro_f1, macro, macro - block.macro_f1),
        )


def _official(comparison: Comparison) -> dict[str, tuple[int, int, int]]:
    text = comparison.document.text
    return count_document(
        RawFile(text, _raw(comparison.candidate)), RawFile(text, _raw(comparison.reference))
    )


def _raw(tags: Iterable[Tag]) -> tuple[RawTag, ...]:
    return tuple(
        RawTag(
            *(kind.category, str(span.start), str(span.end)),
            *(kind.name, span.start, span.end),
        )
        for kind, span in ((tag.phi_type, tag.span) for tag in tags)
        if kind.category in NAMES
    )
