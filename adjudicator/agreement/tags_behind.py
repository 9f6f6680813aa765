"""The tags behind a number of the agreement report, by the matches from which it was counted.

What a number measures is the key of its row or of its column, never what is shown there.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from shared.agreement.comparison import Comparison
from shared.agreement.error_classes import MISSED, SPURIOUS, classify, nearest_tags
from shared.agreement.measures import (
    ANY_PHI,
    STRICT,
    Keep,
    Label,
    Matcher,
    MeasureKey,
    Thing,
    label_name,
)
from shared.agreement.report.table import Column, ReportTable, TableRow
from shared.agreement.study import AnnotatorPair, Study
from shared.model import Span, Tag
from shared.text.tokens import whitespace_tokens

_LONGEST_TEXT = 80
_OF_RECORDS = ("patients", "records", "tokens")


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
    found = [each for sides in _sides_of(study, row) for each in find(study, sides, row, asked)]
    if table.name in _BY_MATCH:
        found = sorted(found, key=lambda each: list(MatchOutcome).index(MatchOutcome(each.how)))
    return found


def is_counted(table: ReportTable, column: str) -> bool:
    """Whether tags are behind the numbers of a column; in the list of disagreements behind all."""
    if table.name == "disagreements":
        return True
    is_number = not _column(table, column).is_text
    return table.name in _FINDERS and is_number and column not in _OF_RECORDS


def has_tags_behind(table: ReportTable, row: TableRow, column: str) -> bool:
    """Whether there is a tag behind a number; behind a ratio of 0 there are, behind a count not."""
    if not is_counted(table, column) or table.name == "disagreements":
        return is_counted(table, column)
    cell = row.cells[column]
    return isinstance(cell, float) or cell != 0


def _column(table: ReportTable, name: str) -> Column:
    return next(each for each in table.columns if each.name == name)


def _sides_of(study: Study, row: TableRow) -> Iterator[AnnotatorPair]:
    """Yield the sides of a row; of a mean over annotators all of them with the gold standard."""
    if "first" not in row.cells:
        yield from study.with_gold
    for sides in study.sides:
        if (sides.first, sides.second) == (row.cells.get("first"), row.cells.get("second")):
            yield sides


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
    study: Study, sides: AnnotatorPair, row: TableRow, column: Column
) -> Iterator[TagEvidence]:
    key = row.key or column.key
    wanted = _WANTED.get(column.name, tuple(MatchOutcome))
    for comparison in filter(_is_of(row, sides), sides.comparisons):
        place = _Places(study, sides, comparison, key if isinstance(key, MeasureKey) else _STRICT)
        yield from place.matched(wanted)


_STRICT = MeasureKey(STRICT)


def _is_of(row: TableRow, sides: AnnotatorPair) -> Callable[[Comparison], bool]:
    """Return whether a comparison is one of those that a row is about."""
    cells = row.cells

    def is_of(comparison: Comparison) -> bool:
        patient = comparison.document.patient_id
        if "day" in cells:
            day = sides.done_on.get(patient)
            return cells["day"] == (day.isoformat() if day else "unknown")
        if "suggestions" in cells:
            return cells["suggestions"] == sides.offered.get(patient, "unknown")
        return cells.get("record", comparison.record_id) == comparison.record_id

    return is_of


class _Places:
    """What is listed of the things that a measure matches in one document."""

    def __init__(
        self, study: Study, sides: AnnotatorPair, comparison: Comparison, key: MeasureKey
    ) -> None:
        self._sides = sides
        self._comparison = comparison
        self._key = key
        self._keep: Keep | None = study.hipaa.__contains__ if key.hipaa_only else None
        self._ends = dict[int, int]()
        if key.measure.of_tokens:
            tokens = whitespace_tokens(comparison.document.text)
            self._ends = {token.start: token.end for token in tokens}

    def matched(self, wanted: Sequence[MatchOutcome]) -> Iterator[TagEvidence]:
        key, matcher = self._key, Matcher(self._comparison)
        for label, each in matcher.match(key.measure, key.granularity, self._keep).items():
            found: dict[MatchOutcome, Sequence[Sequence[Thing]]] = {
                MatchOutcome.FIRST_ONLY: [(thing,) for thing in each.candidates],
                MatchOutcome.SECOND_ONLY: [(thing,) for thing in each.references],
                MatchOutcome.MATCHED: each.pairs,
            }
            for how in wanted if key.label in ("", label_name(label)) else ():
                yield from (self._evidence(how, label, *things) for things in found[how])

    def _evidence(self, how: MatchOutcome, label: Label, *things: Thing) -> TagEvidence:
        spans = [Span(start, self._ends.get(start, end)) for start, end in things]
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
        return _evidence(self._sides, self._comparison, whole, how, (_types(ours), _types(theirs)))

    def _meant(self, tags: Iterable[Tag], label: Label, span: Span) -> list[Tag]:
        """The tags of a thing: those on it, of a token those that touch it."""
        of_tokens = self._key.measure.of_tokens
        return [
            tag
            for tag in tags
            if (tag.span.overlaps(span) if of_tokens else tag.span == span)
            and label in (ANY_PHI, tag.phi_type.category, tag.phi_type)
            and (self._keep is None or self._keep(tag.phi_type))
        ]


# ---------------------------------------------------------------- by tag


def _by_side(
    _study: Study, sides: AnnotatorPair, _row: TableRow, column: Column
) -> Iterator[TagEvidence]:
    is_first = column.name == "first_tags"
    for comparison in sides.comparisons:
        for tag in comparison.candidate if is_first else comparison.reference:
            types = (str(tag.phi_type), "") if is_first else ("", str(tag.phi_type))
            yield _evidence(sides, comparison, tag.span, "tag", types)


def _by_origin(
    _study: Study, sides: AnnotatorPair, row: TableRow, column: Column
) -> Iterator[TagEvidence]:
    for comparison in sides.comparisons:
        marks = {tag.mark for tag in comparison.reference}
        for tag in comparison.candidate:
            is_matched = tag.mark in marks
            if tag.origin == row.cells["origin"] and (is_matched or column.name != "matched"):
                how = MatchOutcome.MATCHED if is_matched else MatchOutcome.FIRST_ONLY
                types = str(tag.phi_type), str(tag.phi_type) if is_matched else ""
                yield _evidence(sides, comparison, tag.span, how, types)


def _by_error(
    _study: Study, sides: AnnotatorPair, row: TableRow, column: Column
) -> Iterator[TagEvidence]:
    for comparison in sides.comparisons:
        for reference, candidate in nearest_tags([comparison]):
            known = reference or candidate
            is_of_type = known is not None and str(known.phi_type) == row.cells["type"]
            if is_of_type and classify(candidate, reference) == column.key:
                yield _nearest(sides, comparison, reference, candidate)


def _by_confusion(
    _study: Study, sides: AnnotatorPair, row: TableRow, _column: Column
) -> Iterator[TagEvidence]:
    for comparison in sides.comparisons:
        for reference, candidate in nearest_tags([comparison]):
            types = (
                str(reference.phi_type) if reference else SPURIOUS,
                str(candidate.phi_type) if candidate else MISSED,
            )
            if types == (row.cells["second_type"], row.cells["first_type"]):
                yield _nearest(sides, comparison, reference, candidate)


def _by_place(
    _study: Study, sides: AnnotatorPair, row: TableRow, _column: Column
) -> Iterator[TagEvidence]:
    cells = row.cells
    for comparison in filter(_is_of(row, sides), sides.comparisons):
        span = Span(int(cells["start"] or 0), int(cells["end"] or 0))
        types = str(cells["first_types"]), str(cells["second_types"])
        yield _evidence(sides, comparison, span, str(cells["kind"]), types)


def _nearest(
    sides: AnnotatorPair, comparison: Comparison, reference: Tag | None, candidate: Tag | None
) -> TagEvidence:
    tags = [tag for tag in (reference, candidate) if tag is not None]
    whole = Span(min(tag.start for tag in tags), max(tag.end for tag in tags))
    first, second = (str(tag.phi_type) if tag else "" for tag in (candidate, reference))
    how = str(classify(candidate, reference))
    return _evidence(sides, comparison, whole, how, (first, second))


def _evidence(
    sides: AnnotatorPair, comparison: Comparison, span: Span, how: str, types: tuple[str, str]
) -> TagEvidence:
    text = " ".join(span.text_in(comparison.document.text).split())
    return TagEvidence(
        *(sides.first, sides.second),
        *(comparison.document.patient_id, comparison.record_id),
        *(span, str(how), *types),
        text if len(text) <= _LONGEST_TEXT else f"{text[: _LONGEST_TEXT - 1]}…",
    )


def _types(tags: Iterable[Tag]) -> str:
    return ", ".join(dict.fromkeys(str(tag.phi_type) for tag in tags))


_Finder = Callable[[Study, AnnotatorPair, TableRow, Column], Iterator[TagEvidence]]

_BY_MATCH: Mapping[str, _Finder] = {
    "agreement": _by_key,
    "gold_average": _by_key,
    "by_type": _by_key,
    "gold_average_by_type": _by_key,
    "chance": _by_key,
    "documents": _by_key,
    "days": _by_key,
    "suggestions": _by_key,
    "origins": _by_origin,
}
_FINDERS: Mapping[str, _Finder] = {
    **_BY_MATCH,
    "records": _by_side,
    "errors": _by_error,
    "confusion": _by_confusion,
    "disagreements": _by_place,
}
