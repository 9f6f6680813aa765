"""The tags behind a number of the agreement report, by the pairs from which it was counted."""

from collections.abc import Callable, Iterator, Mapping

from adjudicator.agreement.places import Behind, How, Way, behind, matched
from shared.agreement.comparison import Comparison
from shared.agreement.error_classes import MISSED, SPURIOUS, ErrorClass, classify, nearest_tags
from shared.agreement.measures import Grain, Measure
from shared.agreement.report.table import Cell, Kind, Table
from shared.agreement.study import Sides, Study
from shared.model import Span, Tag

Row = Mapping[str, Cell]
_OF_RECORDS = ("patients", "records", "tokens")


def tags_behind(study: Study, table: Table, row: Row, column: str) -> list[Behind]:
    """Return what was counted for a number of `table`, by row and column name.

    Behind a ratio are all tags it is a ratio of, what is not matched first. Empty for what is not
    counted from tags, such as the number of records.
    """
    find = _FINDERS.get(table.name)
    if find is None or not is_counted(table, column):
        return []
    found = [each for sides in _sides_of(study, row) for each in find(study, sides, row, column)]
    if table.name in _BY_MATCH:
        found = sorted(found, key=lambda each: list(How).index(How(each.how)))
    return found


def is_counted(table: Table, column: str) -> bool:
    """Whether tags are behind the numbers of a column; in the list of disagreements behind all."""
    kind = next(each.kind for each in table.columns if each.name == column)
    if table.name == "disagreements":
        return True
    return table.name in _FINDERS and kind is not Kind.TEXT and column not in _OF_RECORDS


def leads_on(table: Table, row: Row, column: str) -> bool:
    """Whether there is a tag behind a number; behind a ratio of 0 there are, behind a count not."""
    if not is_counted(table, column) or table.name == "disagreements":
        return is_counted(table, column)
    cell = row[column]
    return isinstance(cell, float) or cell != 0


def _sides_of(study: Study, row: Row) -> Iterator[Sides]:
    """Yield the sides of a row; of a mean over annotators all of them with the gold standard."""
    if "first" not in row:
        yield from study.with_gold
    for sides in study.sides:
        if (sides.first, sides.second) == (row.get("first"), row.get("second")):
            yield sides


# ---------------------------------------------------------------- by measure


def _by_measure(study: Study, sides: Sides, row: Row, column: str) -> Iterator[Behind]:
    words = str(row["measure"]).split()
    grain = Grain.BINARY if words[0] == Grain.BINARY else Grain.TYPE
    keep = study.hipaa.__contains__ if row["types"] == "HIPAA" else None
    return matched(sides, sides.comparisons, Way(Measure(words[-1]), grain, keep), column)


def _by_type(_study: Study, sides: Sides, row: Row, column: str) -> Iterator[Behind]:
    label = str(row["type"])
    grain = Grain.TYPE if ":" in label else Grain.CATEGORY
    return matched(sides, sides.comparisons, Way(grain=grain, label=label), column)


def _by_token(_study: Study, sides: Sides, _row: Row, column: str) -> Iterator[Behind]:
    grain = Grain.BINARY if column.startswith("binary") else Grain.TYPE
    return matched(sides, sides.comparisons, Way(Measure.TOKEN, grain), column)


def _by_record(_study: Study, sides: Sides, row: Row, column: str) -> Iterator[Behind]:
    kept = (each for each in sides.comparisons if each.record_id == row["record"])
    return matched(sides, kept, _way_of(column), column)


def _by_day(_study: Study, sides: Sides, row: Row, column: str) -> Iterator[Behind]:
    def is_that_day(comparison: Comparison) -> bool:
        day = sides.done_on.get(comparison.document.patient_id)
        return row["day"] == ("unknown" if day is None else day.isoformat())

    return matched(sides, filter(is_that_day, sides.comparisons), _way_of(column), column)


def _by_offer(_study: Study, sides: Sides, row: Row, column: str) -> Iterator[Behind]:
    kept = (
        each
        for each in sides.comparisons
        if sides.offered.get(each.document.patient_id, "unknown") == row["suggestions"]
    )
    return matched(sides, kept, _way_of(column), column)


def _way_of(column: str) -> Way:
    return Way(Measure.TOKEN if column.startswith("token") else Measure.STRICT)


# ---------------------------------------------------------------- by tag


def _by_side(_study: Study, sides: Sides, _row: Row, column: str) -> Iterator[Behind]:
    for comparison in sides.comparisons:
        tags = {"first_tags": comparison.candidate, "second_tags": comparison.reference}
        for tag in tags.get(column, ()):
            types = (str(tag.phi_type), "")
            shown = types if column == "first_tags" else (types[1], types[0])
            yield behind(sides, comparison, tag.span, "tag", shown)


def _by_origin(_study: Study, sides: Sides, row: Row, column: str) -> Iterator[Behind]:
    for comparison in sides.comparisons:
        marks = {tag.mark for tag in comparison.reference}
        for tag in comparison.candidate:
            is_matched = tag.mark in marks
            if tag.origin == row["origin"] and (is_matched or column != "matched"):
                how = How.MATCHED if is_matched else How.FIRST_ONLY
                types = str(tag.phi_type), str(tag.phi_type) if is_matched else ""
                yield behind(sides, comparison, tag.span, how, types)


def _by_error(_study: Study, sides: Sides, row: Row, column: str) -> Iterator[Behind]:
    wanted = "type" if column == "type_only" else column.replace("_", " ")
    for comparison, reference, candidate in _nearest(sides):
        error = classify(candidate, reference)
        known = reference or candidate
        if known is not None and error == wanted and str(known.phi_type) == row["type"]:
            yield _pair(sides, comparison, reference, candidate, error)


def _by_confusion(_study: Study, sides: Sides, row: Row, _column: str) -> Iterator[Behind]:
    for comparison, reference, candidate in _nearest(sides):
        types = (
            str(reference.phi_type) if reference else SPURIOUS,
            str(candidate.phi_type) if candidate else MISSED,
        )
        if types == (row["second_type"], row["first_type"]):
            yield _pair(sides, comparison, reference, candidate, classify(candidate, reference))


def _by_place(_study: Study, sides: Sides, row: Row, _column: str) -> Iterator[Behind]:
    for comparison in sides.comparisons:
        if comparison.record_id == row["record"]:
            span = Span(int(row["start"] or 0), int(row["end"] or 0))
            types = str(row["first_types"]), str(row["second_types"])
            yield behind(sides, comparison, span, str(row["kind"]), types)


def _nearest(sides: Sides) -> Iterator[tuple[Comparison, Tag | None, Tag | None]]:
    for comparison in sides.comparisons:
        for reference, candidate in nearest_tags([comparison]):
            yield comparison, reference, candidate


def _pair(
    sides: Sides,
    comparison: Comparison,
    reference: Tag | None,
    candidate: Tag | None,
    error: ErrorClass,
) -> Behind:
    tags = [tag for tag in (reference, candidate) if tag is not None]
    whole = Span(min(tag.start for tag in tags), max(tag.end for tag in tags))
    first, second = (str(tag.phi_type) if tag else "" for tag in (candidate, reference))
    return behind(sides, comparison, whole, error, (first, second))


_Finder = Callable[[Study, Sides, Row, str], Iterator[Behind]]

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
