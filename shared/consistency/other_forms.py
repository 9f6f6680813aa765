"""Untagged dates that mean a tagged day, and untagged numbers that are a tagged number."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator

from shared.consistency.candidates import UntaggedCandidate
from shared.consistency.context_cues import context_certainty
from shared.consistency.findings import FindingKind
from shared.consistency.patient_records import CheckedRecord, TaggedText
from shared.consistency.phrases import automaton_of
from shared.language.date_mentions import DateMention, DayOrder, read_date, same_day
from shared.language.number_keys import key_pattern, number_keys, number_span
from shared.language.variant_rules import Rule
from shared.model import Matching, Schema, Span
from shared.text.spelling import in_plain_forms, lowered_in_place

_MARKS = " \t\n().-–—/"  # one after the other: quicker than a table for all of them


class SameDayFinder:
    """Looks for the days that are tagged, however written; `order` tells how to read 02/03."""

    def __init__(self, texts: Iterable[TaggedText], order: DayOrder | None) -> None:
        self._order = order
        self._days: dict[tuple[int, int], list[tuple[DateMention, TaggedText]]] = defaultdict(list)
        for each in texts:
            date = (
                read_date(each.text, each.language)
                if each.traits.matching is Matching.SAME_DAY
                else None
            )
            if date is not None and date.has_day:
                for reading in date.read(order):
                    self._days[reading.month, reading.day or 0].append((date, each))

    def candidates(
        self, record: CheckedRecord, mentions: Iterable[DateMention]
    ) -> Iterator[UntaggedCandidate]:
        """Yield the untagged ones of these dates of the record that are tagged in another way."""
        for mention in mentions:
            if not mention.has_day or record.is_tagged(mention.start, mention.end):
                continue
            if (found := self._best(mention)) is not None:
                rule, source = found
                span = Span(mention.start, mention.end)
                yield UntaggedCandidate(
                    span,
                    FindingKind.OTHER_FORMAT,
                    source.phi_type,
                    _date_certainty(record, span, mention, rule, source),
                    _date_why(rule, source),
                    source,
                )

    def _best(self, mention: DateMention) -> tuple[Rule, TaggedText] | None:
        found = [
            (rule, source)
            for reading in mention.read(self._order)
            for date, source in self._days.get((reading.month, reading.day or 0), ())
            if (rule := same_day(date, mention, self._order)) is not None
        ]
        return min(found, key=lambda each: each[0] is not Rule.DATE, default=None)


def _date_why(rule: Rule, source: TaggedText) -> str:
    name = source.phi_type.name
    if rule is Rule.DATE:
        return f"this day is tagged as {name} elsewhere, in another format"
    return f"this may be a day that is tagged as {name} elsewhere, read in one of two ways"


def _date_certainty(
    record: CheckedRecord, span: Span, mention: DateMention, rule: Rule, source: TaggedText
) -> float:
    if rule is Rule.DATE:
        return 0.95
    if mention.has_year:
        return 0.6  # one of two readings fits; a date it is in any case
    here = context_certainty(record.text, span, source.traits.kind, record.language)
    return here if here != 0.5 else 0.4


class SameNumberFinder:
    """Looks for tagged ids and phones in the records without the marks between their digits."""

    def __init__(self, texts: Iterable[TaggedText], schema: Schema) -> None:
        self._schema = schema
        keys: dict[str, tuple[str, Rule, TaggedText]] = {}
        for each in texts:
            for key in number_keys(each.text, each.traits):
                if key.rule is Rule.NUMBER or key.text not in keys:
                    keys[key.text] = key.text, key.rule, each
        self._automaton = automaton_of(
            {lowered_in_place(key): value for key, value in keys.items()}
        )

    def candidates(self, record: CheckedRecord) -> Iterator[UntaggedCandidate]:
        """Yield the untagged places of these numbers."""
        if self._automaton is None:
            return
        plain = in_plain_forms(record.text)
        there = Counter(value for _, value in self._automaton.iter(_squeezed(plain)))
        tagged = [
            _squeezed(plain[tag.start : tag.end])
            for tag in record.tags
            if self._schema.traits_of(tag.phi_type).matching is Matching.DIGITS
        ]
        for (key, rule, source), times in there.items():
            if times > sum(text.count(lowered_in_place(key)) for text in tagged):
                for found in key_pattern(key).finditer(plain):
                    yield from self._candidate(record, *found.span(), rule, source)

    def _candidate(
        self, record: CheckedRecord, start: int, end: int, rule: Rule, source: TaggedText
    ) -> Iterator[UntaggedCandidate]:
        place = number_span(record.text, start, end)
        if place is None or record.is_tagged(*place):
            return
        name = source.phi_type.name
        blanks = any(char.isspace() for char in record.text[start:end])
        phone = source.traits.kind.is_contact
        certainty = 0.4 if blanks and not phone else 0.7 if rule is Rule.SHORT_NUMBER else 0.9
        how = "without its area code" if rule is Rule.SHORT_NUMBER else "with different punctuation"
        yield UntaggedCandidate(
            Span(*place),
            FindingKind.OTHER_FORMAT,
            source.phi_type,
            certainty,
            f"this number is tagged as {name} elsewhere, {how}",
            source,
        )


def _squeezed(text: str) -> str:
    for mark in _MARKS:
        text = text.replace(mark, "")
    return lowered_in_place(text)
