"""The tables of details: errors, confusion, origins, days, records, the official evaluator."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from functools import partial
from itertools import pairwise

from shared.agreement.comparison import Comparison
from shared.agreement.drift import over_time
from shared.agreement.error_classes import ErrorClass, classify, nearest_tags
from shared.agreement.measures import RELAXED, STRICT, TOKEN, Granularity, MeasureKey
from shared.agreement.official.i2b2_2014_counts import count_document
from shared.agreement.official.i2b2_2014_report import Block
from shared.agreement.official.raw_file import NAMES, RawFile, RawTag
from shared.agreement.report.figures import Figures
from shared.agreement.report.sides_table import Row, SidesTable
from shared.agreement.report.table import Column, ColumnKind, ReportTable, counts, ratios, text
from shared.agreement.study import AnnotatorPair
from shared.metrics.alignment import DifferenceKind, TagCluster
from shared.metrics.counts import MatchCounts, ratios_of
from shared.model import Span, Tag

_LONGEST_TEXT = 60
_CONTEXT = 25
_EXAMPLES = 2
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
        examples = _examples(figures.sides.comparisons) if with_text else {}
        for error in (each for each in ErrorClass if found[each]):
            shown = examples.get(error, [])
            texts = [*shown, *[""] * (_EXAMPLES - len(shown))] if with_text else []
            yield str(error), found[error], found[error] / found.total(), *texts

    shown = [text(f"example_{at}", f"example {at}") for at in range(1, _EXAMPLES + 1)]
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


def _examples(comparisons: Iterable[Comparison]) -> dict[ErrorClass, list[str]]:
    """Return of each class the first places, of different records, in context."""
    found: dict[ErrorClass, list[str]] = defaultdict(list)
    for comparison in comparisons:
        seen: set[ErrorClass] = set()
        for reference, candidate in nearest_tags([comparison]):
            error = classify(candidate, reference)
            if error not in seen and len(found[error]) < _EXAMPLES:
                found[error].append(_in_context(comparison.document.text, reference, candidate))
                seen.add(error)
    return found


def _in_context(text: str, reference: Tag | None, candidate: Tag | None) -> str:
    tags = [tag for tag in (reference, candidate) if tag is not None]
    begin = max(0, min(tag.start for tag in tags) - _CONTEXT)
    end = min(len(text), max(tag.end for tag in tags) + _CONTEXT)
    signs: dict[int, str] = defaultdict(str)
    for tag, opening, closing in ((reference, "[", "]"), (candidate, "{", "}")):
        if tag is not None:
            signs[tag.start] += opening
            signs[tag.end] = closing + signs[tag.end]
    places = sorted({begin, end, *signs})
    pieces = (signs[at] + text[at:until] for at, until in pairwise([*places, end]))
    types = " / ".join(str(tag.phi_type) if tag else "–" for tag in (reference, candidate))
    return f"…{' '.join(''.join(pieces).split())}… ({types})"


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


def _by_patients(group_of: Callable[[AnnotatorPair, str], str], figures: Figures) -> Iterator[Row]:
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
        yield group, number, len(records), strict, token


def _by_suggestions(figures: Figures) -> Iterable[Row]:
    if not figures.sides.offered:
        return ()
    return _by_patients(lambda sides, patient: sides.offered.get(patient, _UNKNOWN), figures)


_SUGGESTIONS = SidesTable(
    "suggestions",
    "Agreement by what was suggested",
    (text("suggestions", "suggestions"), *_OF_PATIENTS),
    _by_suggestions,
    "As the project is set today; where they differ, to the first / to the second.",
)


def _days(change: date | None) -> SidesTable:
    def day_of(sides: AnnotatorPair, patient: str) -> str:
        day = sides.done_on.get(patient)
        return _UNKNOWN if day is None else _period(day, change)

    return SidesTable(
        "days",
        "Agreement over time",
        (text("day", "day"), *_OF_PATIENTS),
        partial(_by_patients, day_of),
        "The day of the later of the two annotators' last edits of a patient.",
    )


def _drift(figures: Figures) -> Iterator[Row]:
    for each in over_time(figures.sides, figures.tables[MeasureKey(STRICT)]):
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


def _by_record(figures: Figures) -> Iterator[Row]:
    strict, token = (figures.tables[MeasureKey(each)] for each in (STRICT, TOKEN))
    token_f1 = ratios_of(token)[:, 2]
    for comparison, counted, other in zip(
        figures.sides.comparisons, strict.tolist(), token_f1.tolist(), strict=True
    ):
        found = MatchCounts(*counted)
        yield (
            *(comparison.document.patient_id, comparison.record_id),
            *(found.tp, found.fp, found.fn, *found.ratios.cells, other),
        )


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
    def rows(figures: Figures) -> Iterator[Row]:
        for comparison, counted in zip(figures.sides.comparisons, figures.counted, strict=True):
            for cluster in counted.disagreements:
                excerpt = (_excerpt(comparison, cluster.span),) if with_text else ()
                yield comparison.record_id, *_disagreement(cluster), *excerpt

    columns = (
        *(text("record", "record"), Column("start", "start", ColumnKind.OFFSET)),
        *(Column("end", "end", ColumnKind.OFFSET), text("kind", "kind")),
        *(text("first_types", "first"), text("second_types", "second")),
        *([text("text", "text")] if with_text else []),
    )
    return SidesTable("disagreements", "Every disagreement", columns, rows)


def _disagreement(cluster: TagCluster) -> Row:
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
    counted = [_official(each) for each in figures.sides.comparisons]
    for label, key in _SAME.items():
        if key.hipaa_only and not figures.has(key):
            continue
        block = Block.of([each[label] for each in counted])
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
