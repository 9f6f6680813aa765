"""The tags behind a number of the agreement report, by the matches from which it was counted.

What a number measures is the key of its row or of its column, never what is shown there.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import NamedTuple

from shared.agreement.comparison import Comparison
from shared.agreement.error_classes import classify, confused_types, nearest_tags
from shared.agreement.measures import (
    ANY_PHI,
    Keep,
    Label,
    Matcher,
    MatchResult,
    MeasureKey,
    Thing,
    label_name,
)
from shared.agreement.report.table import Column, ReportTable, TableRow
from shared.agreement.study import AnnotatorPair, Study
from shared.model import Span, Tag
from shared.text.tokens import whitespace_tokens

_LONGEST_TEXT = 80
_OF_RECORDS = ("patients", "records", "tokens", "annotators")


class MatchOutcome(StrEnum):
    """What a measure says of a place; in this order they are listed."""

    FIRST_ONLY = "first only"
    SECOND_ONLY = "second only"
    MATCHED = "matched"


@dataclass(frozen=True, slots=True)
class TagEvidence:
    """One place behind a number; `text` is for the screen alone.

    `first_types` and `second_types` say what the tags are that a side has there, be they matched
    or not; "" where it has none. `how` is a word of the table: matched, first only, missing ...
    """

    first: str
    second: str
    patient_id: str
    record_id: str
    span: Span
    how: str
    first_types: str
    second_types: str
    text: str


def tags_behind(study: Study, table: ReportTable, row: TableRow, column: str) -> list[TagEvidence]:
    """Return what was counted for a number of `table`, by row and column name.

    Behind a ratio are all tags it is a ratio of, what is not matched first. Empty for what is not
    counted from tags, such as the number of records.
    """
    find = _FINDERS.get(table.name)
    if find is None or not is_counted(table, column):
        return []
    asked = _column(table, column)
    found = [
        _evidence(sides, comparison, place)
        for sides in _sides_of(study, row)
        for comparison in sides.comparisons
        if _is_of(row, sides, comparison)
        for place in find(comparison, row, asked, study.hipaa.__contains__)
    ]
    if find in (_by_key, _by_origin):
        found.sort(key=lambda each: list(MatchOutcome).index(MatchOutcome(each.how)))
    return found


def is_counted(table: ReportTable, column: str) -> bool:
    """Whether tags are behind the numbers of a column; in the list of disagreements behind all."""
    if table.name == "disagreements":
        return True
    is_number = not _column(table, column).is_text
    return table.name in _FINDERS and is_number and column not in _OF_RECORDS


def has_tags_behind(table: ReportTable, row: TableRow, column: str) -> bool:
    """Whether there is a tag behind a number; behind a ratio of 0 there are, behind a count not."""
    cell = row.cells[column]
    is_empty = cell == 0 and not isinstance(cell, float) and table.name != "disagreements"
    return is_counted(table, column) and not is_empty


def _column(table: ReportTable, name: str) -> Column:
    return next(each for each in table.columns if each.name == name)


def _sides_of(study: Study, row: TableRow) -> Iterable[AnnotatorPair]:
    """Return the sides of a row; of a mean over annotators all of them with the gold standard."""
    if "first" not in row.cells:
        return study.with_gold
    names = row.cells["first"], row.cells["second"]
    return [sides for sides in study.sides if (sides.first, sides.second) == names]


def _is_of(row: TableRow, sides: AnnotatorPair, comparison: Comparison) -> bool:
    """Whether a comparison is one of those that a row is about."""
    cells, patient = row.cells, comparison.document.patient_id
    if "day" in cells:
        day = sides.done_on.get(patient)
        return cells["day"] == (day.isoformat() if day else "unknown")
    if "suggestions" in cells:
        return cells["suggestions"] == sides.offered.get(patient, "unknown")
    return cells.get("record", comparison.record_id) == comparison.record_id


class _Place(NamedTuple):
    span: Span
    how: str
    first_types: str
    second_types: str


def _evidence(sides: AnnotatorPair, comparison: Comparison, place: _Place) -> TagEvidence:
    text = " ".join(place.span.text_in(comparison.document.text).split())
    return TagEvidence(
        *(sides.first, sides.second),
        *(comparison.document.patient_id, comparison.record_id),
        *place,
        text if len(text) <= _LONGEST_TEXT else f"{text[: _LONGEST_TEXT - 1]}…",
    )


# ---------------------------------------------------------------- by measure

_WANTED: Mapping[str, tuple[MatchOutcome, ...]] = {
    "tp": (MatchOutcome.MATCHED,),
    "matched": (MatchOutcome.MATCHED,),
    "fp": (MatchOutcome.FIRST_ONLY,),
    "fn": (MatchOutcome.SECOND_ONLY,),
    "precision": (MatchOutcome.FIRST_ONLY, MatchOutcome.MATCHED),
    "macro_precision": (MatchOutcome.FIRST_ONLY, MatchOutcome.MATCHED),
    "recall": (MatchOutcome.SECOND_ONLY, MatchOutcome.MATCHED),
    "macro_recall": (MatchOutcome.SECOND_ONLY, MatchOutcome.MATCHED),
}
"""The columns that are not about both sides."""


def _by_key(
    comparison: Comparison, row: TableRow, column: Column, is_hipaa: Keep
) -> Iterator[_Place]:
    key = row.key or column.key
    if not isinstance(key, MeasureKey):
        return
    keep = is_hipaa if key.hipaa_only else None
    matched = Matcher(comparison).match(key.measure, key.granularity, keep)
    for label, found in matched.items():
        if key.label in ("", label_name(label)):
            for how in _WANTED.get(column.name, tuple(MatchOutcome)):
                for spans in _spans(comparison, key, found, how):
                    is_meant = partial(_is_meant, key, label, keep)
                    yield _matched_place(comparison, how, spans, is_meant)


def _spans(
    comparison: Comparison, key: MeasureKey, found: MatchResult, how: MatchOutcome
) -> Iterator[list[Span]]:
    """Yield the spans of a thing of one side, or of both that match."""
    things: dict[MatchOutcome, Iterable[Sequence[Thing]]] = {
        MatchOutcome.FIRST_ONLY: [(thing,) for thing in found.candidates],
        MatchOutcome.SECOND_ONLY: [(thing,) for thing in found.references],
        MatchOutcome.MATCHED: found.pairs,
    }
    tokens = whitespace_tokens(comparison.document.text) if key.measure.of_tokens else ()
    ends = {token.start: token.end for token in tokens}
    for each in things[how]:
        yield [Span(start, ends.get(start, end)) for start, end in each]


def _is_meant(key: MeasureKey, label: Label, keep: Keep | None, tag: Tag, span: Span) -> bool:
    """Whether a tag is what a thing was made of: on it, of a token one that touches it."""
    is_there = tag.span.overlaps(span) if key.measure.of_tokens else tag.span == span
    is_labelled = label in (ANY_PHI, tag.phi_type.category, tag.phi_type)
    return is_there and is_labelled and (keep is None or keep(tag.phi_type))


def _overlaps(tag: Tag, span: Span) -> bool:
    return tag.span.overlaps(span)


def _matched_place(
    comparison: Comparison,
    how: MatchOutcome,
    spans: Sequence[Span],
    is_meant: Callable[[Tag, Span], bool],
) -> _Place:
    def types(tags: Iterable[Tag], span: Span, other: MatchOutcome) -> str:
        is_there = _overlaps if how is other else is_meant
        return ", ".join(dict.fromkeys(str(tag.phi_type) for tag in tags if is_there(tag, span)))

    return _Place(
        Span(min(each.start for each in spans), max(each.end for each in spans)),
        how,
        types(comparison.candidate, spans[0], MatchOutcome.SECOND_ONLY),
        types(comparison.reference, spans[-1], MatchOutcome.FIRST_ONLY),
    )


# ---------------------------------------------------------------- by tag


def _by_side(
    comparison: Comparison, _row: TableRow, column: Column, _is_hipaa: Keep
) -> Iterator[_Place]:
    if column.name == "first_tags":
        yield from (_Place(t.span, "tag", str(t.phi_type), "") for t in comparison.candidate)
    else:
        yield from (_Place(t.span, "tag", "", str(t.phi_type)) for t in comparison.reference)


def _by_origin(
    comparison: Comparison, row: TableRow, column: Column, _is_hipaa: Keep
) -> Iterator[_Place]:
    marks = {tag.mark for tag in comparison.reference}
    for tag in comparison.candidate:
        kind = str(tag.phi_type)
        if tag.provenance == row.cells["origin"] and tag.mark in marks:
            yield _Place(tag.span, MatchOutcome.MATCHED, kind, kind)
        elif tag.provenance == row.cells["origin"] and column.name != "matched":
            yield _Place(tag.span, MatchOutcome.FIRST_ONLY, kind, "")


def _by_error(
    comparison: Comparison, row: TableRow, column: Column, _is_hipaa: Keep
) -> Iterator[_Place]:
    for reference, candidate in nearest_tags([comparison]):
        error, known = classify(candidate, reference), reference or candidate
        if known and error == column.key and str(known.phi_type) == row.cells["type"]:
            yield _nearest(reference, candidate)


def _by_class(
    comparison: Comparison, row: TableRow, _column: Column, _is_hipaa: Keep
) -> Iterator[_Place]:
    for reference, candidate in nearest_tags([comparison]):
        if classify(candidate, reference) == row.cells["error"]:
            yield _nearest(reference, candidate)


def _by_confusion(
    comparison: Comparison, row: TableRow, _column: Column, _is_hipaa: Keep
) -> Iterator[_Place]:
    for reference, candidate in nearest_tags([comparison]):
        types = row.cells["second_type"], row.cells["first_type"]
        if confused_types(reference, candidate) == types:
            yield _nearest(reference, candidate)


def _nearest(reference: Tag | None, candidate: Tag | None) -> _Place:
    tags = [tag for tag in (reference, candidate) if tag is not None]
    span = Span(min(tag.start for tag in tags), max(tag.end for tag in tags))
    first, second = (str(tag.phi_type) if tag else "" for tag in (candidate, reference))
    return _Place(span, classify(candidate, reference), first, second)


def _by_place(
    _comparison: Comparison, row: TableRow, _column: Column, _is_hipaa: Keep
) -> Iterator[_Place]:
    cells = row.cells
    span = Span(int(cells["start"] or 0), int(cells["end"] or 0))
    yield _Place(span, *(str(cells[name]) for name in ("kind", "first_types", "second_types")))


_FINDERS: Mapping[str, Callable[[Comparison, TableRow, Column, Keep], Iterator[_Place]]] = {
    "agreement": _by_key,
    "gold_average": _by_key,
    "by_type": _by_key,
    "gold_average_by_type": _by_key,
    "chance": _by_key,
    "documents": _by_key,
    "days": _by_key,
    "suggestions": _by_key,
    "origins": _by_origin,
    "records": _by_side,
    "errors": _by_error,
    "error_classes": _by_class,
    "confusion": _by_confusion,
    "disagreements": _by_place,
}
