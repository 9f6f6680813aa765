"""What the corpus is: records, tokens and tags by type, as in table 3 of Stubbs and Uzuner (2015).

Tags are those of the gold standard, over the adjudicated records that the report compares.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from shared.agreement.measures import label_name
from shared.agreement.report.corpus_extent import (
    RECORDS,
    TAGS,
    TOKENS,
    CorpusExtent,
    Spread,
)
from shared.agreement.report.sides_table import Row
from shared.agreement.report.table import ReportTable, counts, ratios, text
from shared.agreement.study import ReleasedCorpus, ReleasedTags

_MEANS = (
    *ratios(("per_record", "per record")),
    *counts(("record_least", "least"), ("record_most", "most")),
    *ratios(("per_patient", "per patient")),
    *counts(("patient_least", "least"), ("patient_most", "most")),
)
_NOTE = "Of the gold standard, over the adjudicated records that somebody is compared on."


_NOT_RELEASED_SO = (
    " What surrogates changed cannot be told: the latest release was not made from the gold "
    "standard as it is now, or cannot be read."
)


def corpus_tables(
    extent: CorpusExtent, released: ReleasedCorpus | None = None
) -> Iterator[ReportTable]:
    """Yield how large the corpus is, its tags by type, and what a release changed in it.

    No row where nothing is adjudicated, or released.
    """
    table = _extent(extent)
    is_unknown = released is not None and not released.records
    yield replace(table, note=table.note + _NOT_RELEASED_SO) if is_unknown else table
    yield _by_type(extent)
    yield _surrogates(released or ReleasedCorpus())


def _extent(extent: CorpusExtent) -> ReportTable:
    whats = (RECORDS, TOKENS, TAGS) if extent.records else ()
    return ReportTable.of(
        "corpus",
        "The corpus",
        (text("what", "what"), *counts(("total", "total")), *_MEANS),
        [(what, *_spread(extent, what)) for what in whats],
        note=f"{_NOTE} {extent.patients:,} patients. Tokens are separated by white space.",
    )


def _by_type(extent: CorpusExtent) -> ReportTable:
    rows: list[Row] = []
    for label in extent.labels:
        found, (total, *means) = extent.spreads[label], _spread(extent, label)
        rows.append((label, total, found.records, found.patients, *means))
    return ReportTable.of(
        "corpus_by_type",
        "The tags of the corpus by category and type",
        (
            *(text("type", "type"), *counts(("tags", "tags"))),
            *counts(("records_with", "records with any"), ("patients_with", "patients with any")),
            *_MEANS,
        ),
        rows,
        note=_NOTE,
    )


def _surrogates(released: ReleasedCorpus) -> ReportTable:
    found: dict[str, list[ReleasedTags]] = {}
    for each in released.tags:
        for label in {"all", each.phi_type.category, label_name(each.phi_type)}:
            found.setdefault(label, []).append(each)
    return ReportTable.of(
        "corpus_released",
        "What surrogates changed in the corpus",
        (
            *(text("type", "type"), *counts(("tags", "tags"), ("changed", "changed"))),
            *ratios(("share", "share"), ("letters", "letters"), ("letters_after", "letters after")),
        ),
        [
            (label, *_changes(found[label]))
            for label in sorted(found, key=lambda label: (label != "all", label))
        ],
        note=f"The latest release (mode: {released.mode}) beside the gold standard: "
        f"{released.records:,} records of {released.patients:,} patients, {released.tokens:,} "
        f"tokens before and {released.tokens_after:,} after. Letters are means of a tag. Types "
        "that the release replaces and does not tag are not counted.",
    )


def _changes(of_types: Sequence[ReleasedTags]) -> Row:
    tags, changed = sum(each.tags for each in of_types), sum(each.changed for each in of_types)
    before, after = (
        sum(lengths) / tags
        for lengths in zip(*((each.letters, each.letters_after) for each in of_types), strict=True)
    )
    return tags, changed, changed / tags, before, after


def _spread(extent: CorpusExtent, what: str) -> Row:
    """Return the sum, and mean, least and most by record and by patient."""
    found = extent.spreads.get(what, Spread(0, 0, 0, 0, 0, 0, 0))
    return (
        found.total,
        *(found.total / extent.records, _least(found.record_least, found.records, extent.records)),
        *(found.record_most, found.total / extent.patients),
        _least(found.patient_least, found.patients, extent.patients),
        found.patient_most,
    )


def _least(least: int, having: int, every: int) -> int:
    return least if having == every else 0
