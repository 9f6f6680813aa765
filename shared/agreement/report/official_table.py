"""By how much the figures of the official i2b2 evaluator differ from ours."""

from collections.abc import Iterable, Iterator

from shared.agreement.comparison import Comparison
from shared.agreement.official.i2b2_2014_counts import count_document
from shared.agreement.official.i2b2_2014_report import Block
from shared.agreement.official.raw_file import NAMES, RawFile, RawTag
from shared.agreement.report.figures import Figures
from shared.agreement.report.table import Cell, Table, ratios, text
from shared.agreement.study import Sides
from shared.model import Tag

_SAME = {
    "Strict": ("strict", "all"),
    "Relaxed": ("relaxed", "all"),
    "Token": ("token", "all"),
    "HIPAA Strict": ("strict", "hipaa"),
    "HIPAA Relaxed": ("relaxed", "hipaa"),
    "HIPPA Token": ("token", "hipaa"),
    "Binary Strict": ("binary_strict", "all"),
    "Binary Token": ("binary_token", "all"),
    "Binary HIPAA Strict": ("binary_strict", "hipaa"),
    "Binary HIPPA Token": ("binary_token", "hipaa"),
}
"""The blocks of the evaluator that have a counterpart."""


def official_table(every: Iterable[Figures]) -> Table:
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
    return Table("official", "Beside the official i2b2 2014 evaluator", columns, rows, note)


def _rows(figures: Figures) -> Iterator[tuple[Cell, ...]]:
    counted = [_official(each) for each in figures.sides.comparisons]
    for label, key in _SAME.items():
        block = Block.of([each[label] for each in counted])
        ours, (_, _, macro) = figures.counts(key).f1, figures.macro(key)
        yield (
            *_who(figures.sides),
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
            *(tag.phi_type.category, str(tag.start), str(tag.end)),
            *(tag.phi_type.name, tag.start, tag.end),
        )
        for tag in tags
        if tag.phi_type.category in NAMES
    )


def _who(sides: Sides) -> tuple[str, str]:
    return sides.first, sides.second
