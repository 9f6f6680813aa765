"""The tags behind a number of the agreement report, by the matches from which it was counted."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from shared.agreement.comparison import Comparison
from shared.agreement.error_classes import MISSED, SPURIOUS, ErrorClass, classify, nearest_tags
from shared.agreement.measures import (
    ANY_PHI,
    MEASURES,
    STRICT,
    TOKEN,
    Granularity,
    Label,
    Matcher,
    Measure,
    Thing,
    label_name,
)
from shared.agreement.report.table import Cell, Kind, Table
from shared.agreement.study import AnnotatorPair, Study
from shared.model import PhiType, Span, Tag
from shared.text.tokens import token_starts

_LONGEST_TEXT = 80


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


@dataclass(frozen=True, slots=True)
class MatchCriterion:
    """How things are counted, of which types (None: all) and under which label ("": every)."""

    measure: Measure = STRICT
    grain: Granularity = Granularity.TYPE
    keep: Callable[[PhiType], bool] | None = None
    label: str = ""


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


def matched(
    sides: AnnotatorPair, comparisons: Iterable[Comparison], way: MatchCriterion, column: str
) -> Iterator[TagEvidence]:
    """Yield what is behind a ratio or count, called `column` in the report's tables."""
    wanted = _WANTED.get(column, tuple(MatchOutcome))
    for comparison in comparisons:
        place = _Places(sides, comparison, way)
        for label, each in Matcher(comparison).match(way.measure, way.grain, way.keep).items():
            if way.label and way.label != label_name(label):
                continue
            if MatchOutcome.FIRST_ONLY in wanted:
                yield from (
                    place(MatchOutcome.FIRST_ONLY, label, thing) for thing in each.candidates
                )
            if MatchOutcome.SECOND_ONLY in wanted:
                yield from (
                    place(MatchOutcome.SECOND_ONLY, label, thing) for thing in each.references
                )
            if MatchOutcome.MATCHED in wanted:
                yield from (place(MatchOutcome.MATCHED, label, *pair) for pair in each.pairs)


def behind(
    sides: AnnotatorPair, comparison: Comparison, span: Span, how: str, types: tuple[str, str]
) -> TagEvidence:
    """Return a place of a comparison, where the sides have these types."""
    text = " ".join(span.text_in(comparison.document.text).split())
    return TagEvidence(
        *(sides.first, sides.second),
        *(comparison.document.patient_id, comparison.record_id),
        *(span, str(how), *types),
        text if len(text) <= _LONGEST_TEXT else f"{text[: _LONGEST_TEXT - 1]}…",
    )


class _Places:
    """Makes what is listed of the things that a measure matches in one document."""

    def __init__(self, sides: AnnotatorPair, comparison: Comparison, way: MatchCriterion) -> None:
        self._sides = sides
        self._comparison = comparison
        self._way = way
        self._ends = dict[int, int]()
        if way.measure is TOKEN:
            text = comparison.document.text
            starts = token_starts(text)
            self._ends = {start: _token_end(text, start) for start in starts}

    def __call__(self, how: MatchOutcome, label: Label, *things: Thing) -> TagEvidence:
        spans = [self._span(thing) for thing in things]
        tags = self._comparison.candidate, self._comparison.reference
        ours, theirs = (
            self._meant(side, label, span)
            for side, span in zip(tags, (spans[0], spans[-1]), strict=True)
        )
        if how is MatchOutcome.FIRST_ONLY:
            theirs = [tag for tag in tags[1] if tag.span.overlaps(spans[0])]
        elif how is MatchOutcome.SECOND_ONLY:
            ours = [tag for tag in tags[0] if tag.span.overlaps(spans[0])]
        whole = Span(min(each.start for each in spans), max(each.end for each in spans))
        return behind(self._sides, self._comparison, whole, how, (_types(ours), _types(theirs)))

    def _span(self, thing: Thing) -> Span:
        start, end = thing
        return Span(start, self._ends.get(start, end))

    def _meant(self, tags: Iterable[Tag], label: Label, span: Span) -> list[Tag]:
        """The tags of a thing: those on it, of a token those that touch it."""
        is_token = self._way.measure is TOKEN
        return [
            tag
            for tag in tags
            if (tag.span.overlaps(span) if is_token else tag.span == span)
            and label in (ANY_PHI, tag.phi_type.category, tag.phi_type)
            and (self._way.keep is None or self._way.keep(tag.phi_type))
        ]


def _types(tags: Iterable[Tag]) -> str:
    return ", ".join(dict.fromkeys(str(tag.phi_type) for tag in tags))


def _token_end(text: str, start: int) -> int:
    end = start
    while end < len(text) and not text[end].isspace():
        end += 1
    return end


Row = Mapping[str, Cell]
_OF_RECORDS = ("patients", "records", "tokens")


def tags_behind(study: Study, table: Table, row: Row, column: str) -> list[TagEvidence]:
    """Return what was counted for a number of `table`, by row and column name.

    Behind a ratio are all tags it is a ratio of, what is not matched first. Empty for what is not
    counted from tags, such as the number of records.
    """
    find = _FINDERS.get(table.name)
    if find is None or not is_counted(table, column):
        return []
    found = [each for sides in _sides_of(study, row) for each in find(study, sides, row, column)]
    if table.name in _BY_MATCH:
        found = sorted(found, key=lambda each: list(MatchOutcome).index(MatchOutcome(each.how)))
    return found


def is_counted(table: Table, column: str) -> bool:
    """Whether tags are behind the numbers of a column; in the list of disagreements behind all."""
    kind = next(each.kind for each in table.columns if each.name == column)
    if table.name == "disagreements":
        return True
    return table.name in _FINDERS and kind is not Kind.TEXT and column not in _OF_RECORDS


def has_tags_behind(table: Table, row: Row, column: str) -> bool:
    """Whether there is a tag behind a number; behind a ratio of 0 there are, behind a count not."""
    if not is_counted(table, column) or table.name == "disagreements":
        return is_counted(table, column)
    cell = row[column]
    return isinstance(cell, float) or cell != 0


def _sides_of(study: Study, row: Row) -> Iterator[AnnotatorPair]:
    """Yield the sides of a row; of a mean over annotators all of them with the gold standard."""
    if "first" not in row:
        yield from study.with_gold
    for sides in study.sides:
        if (sides.first, sides.second) == (row.get("first"), row.get("second")):
            yield sides


# ---------------------------------------------------------------- by measure


def _by_measure(study: Study, sides: AnnotatorPair, row: Row, column: str) -> Iterator[TagEvidence]:
    words = str(row["measure"]).split()
    grain = Granularity.BINARY if words[0] == Granularity.BINARY else Granularity.TYPE
    keep = study.hipaa.__contains__ if row["types"] == "HIPAA" else None
    return matched(
        sides,
        sides.comparisons,
        MatchCriterion(next(each for each in MEASURES if each.name == words[-1]), grain, keep),
        column,
    )


def _by_type(_study: Study, sides: AnnotatorPair, row: Row, column: str) -> Iterator[TagEvidence]:
    label = str(row["type"])
    grain = Granularity.TYPE if ":" in label else Granularity.CATEGORY
    return matched(sides, sides.comparisons, MatchCriterion(grain=grain, label=label), column)


def _by_token(_study: Study, sides: AnnotatorPair, _row: Row, column: str) -> Iterator[TagEvidence]:
    grain = Granularity.BINARY if column.startswith("binary") else Granularity.TYPE
    return matched(sides, sides.comparisons, MatchCriterion(TOKEN, grain), column)


def _by_record(_study: Study, sides: AnnotatorPair, row: Row, column: str) -> Iterator[TagEvidence]:
    kept = (each for each in sides.comparisons if each.record_id == row["record"])
    return matched(sides, kept, _way_of(column), column)


def _by_day(_study: Study, sides: AnnotatorPair, row: Row, column: str) -> Iterator[TagEvidence]:
    def is_that_day(comparison: Comparison) -> bool:
        day = sides.done_on.get(comparison.document.patient_id)
        return row["day"] == ("unknown" if day is None else day.isoformat())

    return matched(sides, filter(is_that_day, sides.comparisons), _way_of(column), column)


def _by_offer(_study: Study, sides: AnnotatorPair, row: Row, column: str) -> Iterator[TagEvidence]:
    kept = (
        each
        for each in sides.comparisons
        if sides.offered.get(each.document.patient_id, "unknown") == row["suggestions"]
    )
    return matched(sides, kept, _way_of(column), column)


def _way_of(column: str) -> MatchCriterion:
    return MatchCriterion(TOKEN if column.startswith("token") else STRICT)


# ---------------------------------------------------------------- by tag


def _by_side(_study: Study, sides: AnnotatorPair, _row: Row, column: str) -> Iterator[TagEvidence]:
    for comparison in sides.comparisons:
        tags = {"first_tags": comparison.candidate, "second_tags": comparison.reference}
        for tag in tags.get(column, ()):
            types = (str(tag.phi_type), "")
            shown = types if column == "first_tags" else (types[1], types[0])
            yield behind(sides, comparison, tag.span, "tag", shown)


def _by_origin(_study: Study, sides: AnnotatorPair, row: Row, column: str) -> Iterator[TagEvidence]:
    for comparison in sides.comparisons:
        marks = {tag.mark for tag in comparison.reference}
        for tag in comparison.candidate:
            is_matched = tag.mark in marks
            if tag.origin == row["origin"] and (is_matched or column != "matched"):
                how = MatchOutcome.MATCHED if is_matched else MatchOutcome.FIRST_ONLY
                types = str(tag.phi_type), str(tag.phi_type) if is_matched else ""
                yield behind(sides, comparison, tag.span, how, types)


def _by_error(_study: Study, sides: AnnotatorPair, row: Row, column: str) -> Iterator[TagEvidence]:
    wanted = "type" if column == "type_only" else column.replace("_", " ")
    for comparison, reference, candidate in _nearest(sides):
        error = classify(candidate, reference)
        known = reference or candidate
        if known is not None and error == wanted and str(known.phi_type) == row["type"]:
            yield _pair(sides, comparison, reference, candidate, error)


def _by_confusion(
    _study: Study, sides: AnnotatorPair, row: Row, _column: str
) -> Iterator[TagEvidence]:
    for comparison, reference, candidate in _nearest(sides):
        types = (
            str(reference.phi_type) if reference else SPURIOUS,
            str(candidate.phi_type) if candidate else MISSED,
        )
        if types == (row["second_type"], row["first_type"]):
            yield _pair(sides, comparison, reference, candidate, classify(candidate, reference))


def _by_place(_study: Study, sides: AnnotatorPair, row: Row, _column: str) -> Iterator[TagEvidence]:
    for comparison in sides.comparisons:
        if comparison.record_id == row["record"]:
            span = Span(int(row["start"] or 0), int(row["end"] or 0))
            types = str(row["first_types"]), str(row["second_types"])
            yield behind(sides, comparison, span, str(row["kind"]), types)


def _nearest(sides: AnnotatorPair) -> Iterator[tuple[Comparison, Tag | None, Tag | None]]:
    for comparison in sides.comparisons:
        for reference, candidate in nearest_tags([comparison]):
            yield comparison, reference, candidate


def _pair(
    sides: AnnotatorPair,
    comparison: Comparison,
    reference: Tag | None,
    candidate: Tag | None,
    error: ErrorClass,
) -> TagEvidence:
    tags = [tag for tag in (reference, candidate) if tag is not None]
    whole = Span(min(tag.start for tag in tags), max(tag.end for tag in tags))
    first, second = (str(tag.phi_type) if tag else "" for tag in (candidate, reference))
    return behind(sides, comparison, whole, error, (first, second))


_Finder = Callable[[Study, AnnotatorPair, Row, str], Iterator[TagEvidence]]

_BY_MATCH: Mapping[str, _Finder] = {
    "agreement": _by_measure,
    "gold_average": _by_measure,
    "by_type": _by_type,
    "gold_average_by_type": _by_type,
    "chance": _by_token,
    "documents": _by_record,
    "days": _by_day,
    "suggestions": _by_offer,
    "origins": _by_origin,
}
_FINDERS: Mapping[str, _Finder] = {
    **_BY_MATCH,
    "records": _by_side,
    "errors": _by_error,
    "confusion": _by_confusion,
    "disagreements": _by_place,
}
