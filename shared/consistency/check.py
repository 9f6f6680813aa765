"""The consistency check of one patient: all kinds of finding, from the finders of this package.

Those finders are imported whose kinds are asked for.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field

from shared.consistency.candidates import UntaggedCandidate, best_candidates
from shared.consistency.findings import (
    ALL_KINDS,
    LIKELY,
    TAG_KINDS,
    Finding,
    FindingKind,
    TagMark,
)
from shared.consistency.patient_records import CheckedRecord, PatientRecords, TaggedText
from shared.consistency.repeats import REPEAT_KINDS, RepeatFinder
from shared.model import Span, Tag

_EXTENDING = (FindingKind.EXTENTS, FindingKind.BOUNDARY)
"""What a fix of these tags needs no finding of its own."""


def check_patient(
    patient: PatientRecords,
    kinds: Collection[FindingKind] = ALL_KINDS,
    *,
    certainty: float = LIKELY,
    common: frozenset[str] | None = None,
    between: Callable[[], object] = lambda: None,
    with_fixes: bool = True,
) -> tuple[Finding, ...]:
    """Return the findings of these kinds and at least this certainty, in the order of the records.

    A place is found where it stands as whole words, or part of a longer word where it is long;
    blanks match any blanks, line ends included. A place that any tag touches counts as tagged. Of
    untagged places that overlap, one is reported: a likely before an unlikely, a longer before a
    shorter one. `common` are the small-letter words of the whole corpus, which are no misspelt
    names (`misspellings.small_words`); without it those of this patient. `between` is called
    between records, and ends the check by raising. Without `with_fixes`, what would set an untagged
    place right is None for all.
    """
    # none that is not likely takes the place of one that is
    least = LIKELY if certainty >= LIKELY else 0.0
    found = _Check(patient, frozenset(kinds), common, between, least, with_fixes)
    order = {record.record_id: number for number, record in enumerate(patient.records)}
    return tuple(
        sorted(
            (each for each in found.findings() if each.certainty >= certainty),
            key=lambda each: (order[each.record_id], each.span, each.kind),
        )
    )


@dataclass(slots=True)
class _Check:
    """One check of one patient; no candidate below `least` counts."""

    patient: PatientRecords
    kinds: frozenset[FindingKind]
    common: frozenset[str] | None
    between: Callable[[], object]
    least: float
    with_fixes: bool
    _candidates: dict[str, list[UntaggedCandidate]] = field(
        default_factory=lambda: defaultdict(list)
    )
    _partly: dict[str, list[tuple[Span, TaggedText]]] = field(
        default_factory=dict[str, list[tuple[Span, TaggedText]]]
    )
    _small: frozenset[str] | None = None

    def findings(self) -> Iterator[Finding]:
        self._look_for_repeats()
        for record, candidate in self._others():
            self._keep(record, [candidate])
        faults = self._faults()
        yield from faults
        for record in self.patient.records:
            fixed = [
                span
                for each in faults
                if each.kind in _EXTENDING and each.record_id == record.record_id
                for span, _ in each.fix or ()
            ]
            for each in best_candidates(self._candidates[record.record_id]):
                if not any(span.contains(each.span) for span in fixed):
                    yield each.finding(record, self._marks(record, each))

    def _faults(self) -> list[Finding]:
        if not self.kinds & TAG_KINDS:
            return []
        from shared.consistency.tag_faults import tag_findings

        return list(tag_findings(self.patient, self.kinds, self._partly))

    def _look_for_repeats(self) -> None:
        if not self.kinds & (REPEAT_KINDS | {FindingKind.EXTENTS}):
            return
        repeats = RepeatFinder(self.patient.texts.values(), self.kinds, self.least)
        for record in self._records():
            scan = repeats.scan(record)
            self._keep(record, scan.candidates)
            self._partly[record.record_id] = scan.partly_tagged

    def _keep(self, record: CheckedRecord, found: Iterable[UntaggedCandidate]) -> None:
        candidates = self._candidates[record.record_id]
        candidates.extend(each for each in found if each.certainty >= self.least)

    def _others(self) -> Iterator[tuple[CheckedRecord, UntaggedCandidate]]:
        texts = self.patient.texts.values()
        if FindingKind.NEAR_SPELLING in self.kinds:
            from shared.consistency.misspellings import MisspellingFinder

            common = self._own_words() if self.common is None else self.common
            finder = MisspellingFinder(texts, common, self.patient.language)
            yield from finder.candidates(self._records())
        if FindingKind.OTHER_FORMAT in self.kinds:
            yield from self._other_formats()
        if FindingKind.LOOKALIKE in self.kinds:
            from shared.consistency.listed_names import ListedNameFinder
            from shared.consistency.untagged_patterns import PatternFinder

            patterns = PatternFinder(self.patient.schema, self.patient.language)
            names = ListedNameFinder(self.patient.schema, self.patient.language)
            small = self._own_words()
            for record in self._records():
                yield from ((record, each) for each in patterns.candidates(record))
                yield from ((record, each) for each in names.candidates(record, small))

    def _own_words(self) -> frozenset[str]:
        """The words that the patient's records have in small letters."""
        if self._small is None:
            from shared.consistency.misspellings import small_words

            self._small = small_words(record.text for record in self._records())
        return self._small

    def _other_formats(self) -> Iterator[tuple[CheckedRecord, UntaggedCandidate]]:
        from shared.consistency.other_forms import SameDayFinder, SameNumberFinder
        from shared.language.date_mentions import day_order

        texts = self.patient.texts.values()
        order = day_order(each for record in self._records() for each in record.dates)
        days = SameDayFinder(texts, order)
        numbers = SameNumberFinder(texts, self.patient.schema)
        for record in self._records():
            yield from ((record, each) for each in days.candidates(record, record.dates))
            yield from ((record, each) for each in numbers.candidates(record))

    def _records(self) -> Iterator[CheckedRecord]:
        for record in self.patient.records:
            self.between()
            yield record

    def _marks(self, record: CheckedRecord, found: UntaggedCandidate) -> tuple[TagMark, ...] | None:
        """The tag to make; None where the schema has no type for it, or a tag would be a fault.

        In the latter case the tag elsewhere is in question.
        """
        if found.phi_type is None or not self.with_fixes:
            return None
        from shared.consistency.guideline_rules import check_tag

        tag, schema = Tag(found.span, found.phi_type), self.patient.schema
        notes = check_tag(record.text, tag, schema, language=record.language)
        against = any(each.fix == () for each in notes)
        return None if against else ((found.span, found.phi_type),)
