"""What a report lists of single records: a row, disagreements, examples, the official counts."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import pairwise

from shared.agreement.comparison import Comparison
from shared.agreement.error_classes import ErrorClass, classify, nearest_tags
from shared.agreement.measures import STRICT, TOKEN, MeasureKey
from shared.agreement.official.i2b2_2014_counts import Counts, count_document
from shared.agreement.official.raw_file import NAMES, RawFile, RawTag
from shared.agreement.report.figures import CountedRecord, Row
from shared.metrics.alignment import DifferenceKind, TagCluster
from shared.model import Span, Tag

EXAMPLES = 2
"""Of each error class."""
_LONGEST_TEXT = 60
_CONTEXT = 25


def document_row(record: CountedRecord) -> Row:
    """Patient, record, strict counts and ratios, F1 by token."""
    comparison, counts = record
    found, token = (counts.matches[MeasureKey(each)] for each in (STRICT, TOKEN))
    return (
        *(comparison.document.patient_id, comparison.record_id),
        *(found.tp, found.fp, found.fn, *found.ratios.cells, token.f1),
    )


def disagreement_rows(record: CountedRecord, *, with_text: bool) -> Iterator[Row]:
    """Yield record, place, kind, the types of both sides, and what stands there if wanted."""
    comparison, counts = record
    for cluster in counts.disagreements:
        excerpt = (_excerpt(comparison, cluster.span),) if with_text else ()
        yield comparison.record_id, *_disagreement(cluster), *excerpt


def add_examples(comparison: Comparison, found: dict[ErrorClass, list[str]]) -> None:
    """Add of each class the first place in context, where there are too few of other records."""
    if all(len(found.get(each, ())) >= EXAMPLES for each in ErrorClass):
        return
    seen: set[ErrorClass] = set()
    for reference, candidate in nearest_tags([comparison]):
        error = classify(candidate, reference)
        if error not in seen and len(found.get(error, ())) < EXAMPLES:
            shown = _in_context(comparison.document.text, reference, candidate)
            found.setdefault(error, []).append(shown)
            seen.add(error)


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


def official_counts(comparison: Comparison) -> dict[str, Counts]:
    """What the official evaluator counts, under each of its labels."""
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
