"""What the corpus is: records, tokens and tags by type, as in table 3 of Stubbs and Uzuner (2015).

Tags are those of the gold standard, over the adjudicated records that the report compares.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from statistics import fmean

from shared.agreement.comparison import Comparison
from shared.agreement.measures import label_name
from shared.agreement.report.figures import Figures
from shared.agreement.report.sides_table import Row
from shared.agreement.report.table import ReportTable, counts, ratios, text
from shared.agreement.study import ReleasedCorpus, ReleasedTags
from shared.text.tokens import token_count

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
    every: Sequence[Figures], released: ReleasedCorpus | None = None
) -> Iterator[ReportTable]:
    """Yield how large the corpus is, its tags by type, and what a release changed in it.

    No row where nothing is adjudicated, or released.
    """
    records = {
        each.record_id: each
        for figures in every
        if figures.sides.has_gold
        for each in figures.sides.comparisons
    }
    extent = _extent(records)
    is_unknown = released is not None and not released.records
    yield replace(extent, note=extent.note + _NOT_RELEASED_SO) if is_unknown else extent
    yield _by_type(records)
    yield _surrogates(released or ReleasedCorpus())


def _extent(records: Mapping[str, Comparison]) -> ReportTable:
    rows: list[Row] = []
    if records:
        per_record = {
            "records": dict.fromkeys(records, 1),
            "tokens": {
                name: token_count(each.document.text) for name, each in records.items()
            },
            "tags": {name: len(each.reference) for name, each in records.items()},
        }
        rows = [(name, *_spread(records, numbers)) for name, numbers in per_record.items()]
    patients = len({each.document.patient_id for each in records.values()})
    return ReportTable.of(
        "corpus",
        "The corpus",
        (text("what", "what"), *counts(("total", "total")), *_MEANS),
        rows,
        note=f"{_NOTE} {patients:,} patients. Tokens are separated by white space.",
    )


def _by_type(records: Mapping[str, Comparison]) -> ReportTable:
    found: dict[str, Counter[str]] = {}
    for name, each in records.items():
        for tag in each.reference:
            for label in {tag.phi_type.category, label_name(tag.phi_type)}:
                found.setdefault(label, Counter())[name] += 1
    return ReportTable.of(
        "corpus_by_type",
        "The tags of the corpus by category and type",
        (
            *(text("type", "type"), *counts(("tags", "tags"))),
            *counts(("records_with", "records with any"), ("patients_with", "patients with any")),
            *_MEANS,
        ),
        [
            (label, numbers.total(), *_with_any(records, numbers), *_spread(records, numbers)[1:])
            for label, numbers in sorted(found.items())
        ],
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


def _with_any(records: Mapping[str, Comparison], numbers: Mapping[str, int]) -> Row:
    return len(numbers), len({records[name].document.patient_id for name in numbers})


def _spread(records: Mapping[str, Comparison], numbers: Mapping[str, int]) -> Row:
    """Return the sum, and mean, least and most by record and by patient."""
    of_patients = dict.fromkeys((each.document.patient_id for each in records.values()), 0)
    for name, number in numbers.items():
        of_patients[records[name].document.patient_id] += number
    of_records = [numbers.get(name, 0) for name in records]
    cells: list[Row] = [
        (fmean(each), min(each), max(each)) for each in (of_records, [*of_patients.values()])
    ]
    return sum(of_records), *cells[0], *cells[1]
