"""Untagged dates that mean a tagged day, and untagged numbers that are a tagged number."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import Protocol, cast

from ahocorasick import Automaton  # pyright: ignore

from shared.consistency.candidates import Candidate
from shared.consistency.context import certainty_here
from shared.consistency.findings import Kind
from shared.consistency.tagged import Record, TaggedText
from shared.language.date_mentions import DateMention, DayOrder, read_date, same_day
from shared.language.number_keys import key_pattern, number_keys, number_span
from shared.language.variant_rules import Rule
from shared.model import Span
from shared.text.folding import folded

_MARKS = " \t\n().-–—/"  # one after the other: quicker than a table for all of them
_CATEGORIES = frozenset({"ID", "CONTACT"})


class SameDayFinder:
    """Looks for the days that are tagged, however written; `order` tells how to read 02/03."""

    def __init__(self, texts: Iterable[TaggedText], order: DayOrder | None) -> None:
        self._order = order
        self._days: dict[tuple[int, int], list[tuple[DateMention, TaggedText]]] = defaultdict(list)
        for each in texts:
            date = read_date(each.text) if each.phi_type.category == "DATE" else None
            if date is not None and date.has_day:
                for reading in date.read(order):
                    self._days[reading.month, reading.day or 0].append((date, each))

    def candidates(self, record: Record, mentions: Iterable[DateMention]) -> Iterator[Candidate]:
        """Yield the untagged ones of these dates of the record that are tagged in another way."""
        for mention in mentions:
            if not mention.has_day or record.is_tagged(mention.start, mention.end):
                continue
            if (found := self._best(mention)) is not None:
                rule, source = found
                span = Span(mention.start, mention.end)
                yield Candidate(
                    span,
                    Kind.OTHER_FORMAT,
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
    record: Record, span: Span, mention: DateMention, rule: Rule, source: TaggedText
) -> float:
    if rule is Rule.DATE:
        return 0.95
    if mention.has_year:
        return 0.6  # one of two readings fits; a date it is in any case
    here = certainty_here(record.text, span, source.phi_type)
    return here if here != 0.5 else 0.4


class _Automaton(Protocol):
    def add_word(self, word: str, value: tuple[str, Rule, TaggedText]) -> bool: ...
    def make_automaton(self) -> None: ...
    def iter(self, text: str) -> Iterator[tuple[int, tuple[str, Rule, TaggedText]]]: ...


class SameNumberFinder:
    """Looks for tagged ids and phones in the records without the marks between their digits."""

    def __init__(self, texts: Iterable[TaggedText]) -> None:
        self._automaton = cast("Callable[[], _Automaton]", Automaton)()
        self._empty = True
        keys: dict[str, tuple[str, Rule, TaggedText]] = {}
        for each in texts:
            for key in number_keys(each.text, each.phi_type):
                if key.rule is Rule.NUMBER or key.text not in keys:
                    keys[key.text] = key.text, key.rule, each
        for key, value in keys.items():
            self._automaton.add_word(folded(key), value)
            self._empty = False
        self._automaton.make_automaton()

    def candidates(self, record: Record) -> Iterator[Candidate]:
        """Yield the untagged places of these numbers."""
        if self._empty:
            return
        there = Counter(value for _, value in self._automaton.iter(_squeezed(record.text)))
        tagged = [
            _squeezed(record.text[tag.start : tag.end])
            for tag in record.tags
            if tag.phi_type.category in _CATEGORIES
        ]
        for (key, rule, source), times in there.items():
            if times > sum(text.count(folded(key)) for text in tagged):
                for found in key_pattern(key).finditer(record.text):
                    yield from self._candidate(record, *found.span(), rule, source)

    def _candidate(
        self, record: Record, start: int, end: int, rule: Rule, source: TaggedText
    ) -> Iterator[Candidate]:
        place = number_span(record.text, start, end)
        if place is None or record.is_tagged(*place):
            return
        name = source.phi_type.name
        blanks = any(char.isspace() for char in record.text[start:end])
        phone = source.phi_type.category == "CONTACT"
        certainty = 0.4 if blanks and not phone else 0.7 if rule is Rule.SHORT_NUMBER else 0.9
        how = "without its area code" if rule is Rule.SHORT_NUMBER else "with other punctuation"
        yield Candidate(
            Span(*place),
            Kind.OTHER_FORMAT,
            source.phi_type,
            certainty,
            f"this number is tagged as {name} elsewhere, {how}",
            source,
        )


def _squeezed(text: str) -> str:
    for mark in _MARKS:
        text = text.replace(mark, "")
    return folded(text)
