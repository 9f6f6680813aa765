"""What authentic text is left: every new record searched for every PHI that was tagged."""

import itertools
import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from shared.language.date_grammar import parse
from shared.language.date_mentions import DateMention, Day, find_dates
from shared.language.languages import Language
from shared.language.name_lists import name_lists
from shared.model import Layer, PhiType, Span
from shared.surrogates.dates.shift import schedule
from shared.surrogates.mentions import Replacement, SurrogatePatient, placeholder
from shared.surrogates.ordinary_words import after_title, is_eponym
from shared.surrogates.original_phi import (
    OriginalPhi,
    Token,
    misspelt,
    original_phi_of,
    tokens_as_read,
    tokens_of,
)
from shared.surrogates.other_writings import (
    dates_written_otherwise,
    days_of_months,
    groups_over_line_ends,
    initials_alone,
    letters_apart,
    letters_encoded,
    misread_digits,
)
from shared.surrogates.surrogate_kinds import SurrogateKind
from shared.surrogates.what_stays import may_stay
from shared.text.spelling import in_plain_forms, match_key

WHOLE = "authentic text"
PART = "part of an authentic name"
SPELLING = "spelling of an authentic name"
DIGITS = "digits of an authentic number or date"
DAY = "an authentic date in another form"
INITIALS = "initials of an authentic name"
FILE_NAME = "an authentic number or name in the record's file name"
UNCHANGED = "the surrogate is the original"
MISSING = "no surrogate"

_DIGIT_RUN = re.compile(r"\d(?:[\s().\-/_:·*]{0,2}\d){3,}")
_DIGIT_GROUP = re.compile(r"(?<![\d.,])\d{4,}(?!\d|[.,]\d)")
_NAME_AFTER = re.compile(r", ?(?P<name>[^\W\d_]{2,})|\s\((?P<number>\d)")
_GLUED_NAME = re.compile(r"(?<=[a-zß-ÿ])[^\W\d_a-zß-ÿ][^\W\d_]+$")
_LEAST_CUT = 7
_HIDDEN = re.compile("[\u200b-\u200f\u2060\ufeff]")
_UNDERSCORED_AFTER = re.compile(r"_(?P<name>[^\W\d_]{2,})")
_UNDERSCORED_BEFORE = re.compile(r"(?P<name>[^\W\d_]{2,})_$")
_WORD_BEFORE = re.compile(r"(?P<word>[^\W\d_]{2,})[^\w\n.!?:;]{1,3}$")
_WORD_AFTER = re.compile(r"[^\w\n.!?:;]{1,3}(?P<word>[^\W\d_]{2,})")
_NAME_BEFORE = re.compile(r"(?P<name>[^\W\d_]{2,}) (?:[^\W\d_]\.? )?(?:[^\W\d_]+-)?$")


@dataclass(frozen=True, slots=True)
class Leak:
    """Something authentic at a place of a new record; `span` is None where a tag has no surrogate.

    `what` says what, of which type, if one is known; the text itself is not told. `old` is the
    place in the gold standard, None within a surrogate.
    """

    patient_id: str
    record_id: str
    span: Span | None
    what: str
    phi_type: PhiType | None
    old: Span | None = None

    @property
    def in_surrogate(self) -> bool:
        return self.span is not None and self.old is None


@dataclass(frozen=True, slots=True)
class LeakRules:
    """What is no leak in records of a language.

    `ordinary` are words (small letters, no accents) that other records use as such: a name that is
    one counts only where it is written as a name. `cleared` are places of the old records (record
    id, span) of which a person said that they are no PHI. Days of the week may stay where they are
    kept, and the names of records are not searched where they get `new_names`. With `years_stay` a
    year is none that stands in the surrogate of its date, too.
    """

    language: Language
    ordinary: frozenset[str] = frozenset()
    cleared: frozenset[tuple[str, Span]] = frozenset()
    keep_weekdays: bool = False
    new_names: bool = False
    years_stay: bool = False


def find_leaks(
    new: SurrogatePatient,
    gold: Mapping[str, Layer],
    rules: LeakRules,
) -> tuple[Leak, ...]:
    """Return every place of a patient's new records where something authentic stands.

    Searched for are the texts of all tags and the parts of names in any case and with accents or
    without, names one slip away, the digits of numbers whatever parts them, the days of dates in
    other forms, surrogates that are their original, and tags without a surrogate.
    """
    leaks = [*_missing(new, gold), *_unchanged(new, rules)]
    told: set[tuple[str, Span]] = set()
    original = original_phi_of(new.replacements, rules.language, years_stay=rules.years_stay)
    if not rules.new_names:
        leaks += _in_file_names(new, original)
    spared = places_cleared(new, rules.cleared)
    for document in new.documents:
        record_id = document.record_id
        own = [each for each in new.replacements if each.record_id == record_id]
        for span, what, phi_type in _RecordSearch(document.text, own, original, rules).hits():
            if (record_id, span) in told:
                continue
            told.add((record_id, span))
            if not any(each.contains(span) for each in spared.get(record_id, ())):
                old = old_span(new, record_id, span)
                leaks.append(Leak(new.patient.id, record_id, span, what, phi_type, old))
    return tuple(leaks)


def surrogates_at(new: SurrogatePatient, leak: Leak) -> list[Replacement]:
    """Return the replacements that a leak lies in, or touches."""
    return [
        each
        for each in new.replacements
        if leak.span is not None
        and each.record_id == leak.record_id
        and each.span.overlaps(leak.span)
    ]


def old_span(new: SurrogatePatient, record_id: str, span: Span) -> Span | None:
    """The place in the gold standard of one in the new record; None within a surrogate."""
    start = new.spliced[record_id].to_old(span.start)
    last = new.spliced[record_id].to_old(span.end - 1)
    return None if start is None or last is None else Span(start, last + 1)


def _missing(new: SurrogatePatient, gold: Mapping[str, Layer]) -> Iterable[Leak]:
    there = {(each.record_id, each.tag.id) for each in new.replacements}
    there |= {(record_id, tag.id) for record_id, tag in new.dropped}
    for layer in gold.values():
        for tag in layer.tags:
            if (layer.record_id, tag.id) not in there:
                yield Leak(new.patient.id, layer.record_id, None, MISSING, tag.phi_type)


def _unchanged(new: SurrogatePatient, rules: LeakRules) -> Iterable[Leak]:
    for each in new.replacements:
        if each.original == placeholder(each.tag.phi_type):
            continue
        stays = may_stay(each.kind, each.original, rules.language) or (
            rules.keep_weekdays and _is_weekday(each.original, rules.language)
        )
        if match_key(each.original) == match_key(each.surrogate) and not stays:
            yield Leak(new.patient.id, each.record_id, each.span, UNCHANGED, each.tag.phi_type)


def _is_weekday(text: str, language: Language) -> bool:
    if schedule(text, language):
        return True
    expressions = parse(text, language).expressions
    return bool(expressions) and all(each.roles == frozenset({"weekday"}) for each in expressions)


def _in_file_names(new: SurrogatePatient, original: OriginalPhi) -> Iterable[Leak]:
    for document in new.documents:
        digits = "".join(filter(str.isdigit, document.record_id))
        types = [phi_type for number, phi_type in original.digits.items() if number in digits]
        types += [original.parts[each.key] for each in tokens_of(document.record_id)
                  if each.key in original.parts]  # fmt: skip
        if types:
            yield Leak(new.patient.id, document.record_id, None, FILE_NAME, types[0])


def places_cleared(
    new: SurrogatePatient, cleared: Collection[tuple[str, Span]]
) -> Mapping[str, list[Span]]:
    """Where in the new records that stands which a person said is no PHI, by record id."""
    found: dict[str, list[Span]] = defaultdict(list)
    for record_id, span in cleared:
        if record_id in new.spliced:
            start = new.spliced[record_id].to_new(span.start)
            found[record_id].append(Span(start, start + len(span)))
    return found


_Hit = tuple[Span, str, PhiType]
"""Something authentic in a record's new text: where, what, of which type."""


class _RecordSearch:
    """The search of one record's new text for what is authentic of the patient."""

    def __init__(
        self, text: str, replaced: Sequence[Replacement], original: OriginalPhi, rules: LeakRules
    ) -> None:
        self._text = in_plain_forms(text)
        self._original = original
        self._language = rules.language
        self._ordinary = rules.ordinary.union(rules.language.names.ambiguous)
        self._tokens = tokens_of(text)
        self._in_dates = _offsets(each for each in replaced if each.kind is SurrogateKind.DATE)
        self._in_others = _offsets(
            each for each in replaced if each.kind is not SurrogateKind.DATE
        )  # months may be names: `August`
        self._placeholders = _offsets(each for each in replaced if each.is_placeholder)
        self._kept = _kept(self._tokens, replaced)
        self._suspects = misspelt(self._tokens, original.parts, self._ordinary)

    def hits(self) -> Iterator[_Hit]:
        """What is authentic, but for the names of types that placeholders have."""
        return (hit for hit in self._hits() if not self._is_placeholder(hit[0]))

    def _is_placeholder(self, span: Span) -> bool:
        return span.start in self._placeholders and span.end - 1 in self._placeholders

    def _hits(self) -> Iterator[_Hit]:
        found = list(self._words(self._tokens))
        for tokens in tokens_as_read(self._text):
            for hit in self._words(tokens):
                if not any(each[0].overlaps(hit[0]) for each in found):
                    found.append(hit)
        found += _numbers(self._text, self._original.digits)
        found += self._groups()
        yield from found
        for hit in (*self._days(), *self._written_otherwise()):
            if not any(each[0].overlaps(hit[0]) for each in found):
                yield hit

    def _written_otherwise(self) -> Iterator[_Hit]:
        """What is outside the surrogates, where letters and digits are so by chance."""
        text, original = self._text, self._original
        for what, found in (
            (PART, letters_apart(text, original.parts)),
            (PART, letters_encoded(text, original.parts, original.lost)),
            (INITIALS, initials_alone(text, original.initials, self._language)),
            (DIGITS, groups_over_line_ends(text, original.groups)),
            (DAY, days_of_months(text, original.days, self._language)),
        ):
            for span, phi_type in found:
                if not (self._is_replaced(span.start) or self._is_replaced(span.end - 1)):
                    yield span, what, phi_type
        misread = misread_digits(text)
        if misread != text:
            yield from _numbers(misread, original.digits)

    def _groups(self) -> Iterator[_Hit]:
        groups = {**self._original.day_digits, **self._original.groups}
        for found in _DIGIT_GROUP.finditer(self._text) if groups else ():
            phi_type = groups.get(found[0])
            # in a surrogate the same few digits stand by chance
            if phi_type and not self._is_replaced(found.start()):
                yield Span(*found.span()), DIGITS, phi_type

    def _days(self) -> Iterator[_Hit]:
        """Dates outside the surrogates, which are days of the calendar by chance."""
        days, text, language = self._original.days, self._text, self._language
        if not days:
            return
        found = [(Span(each.start, each.end), each) for each in find_dates(text, language)]
        for span, date in (*found, *dates_written_otherwise(text, language)):
            if self._is_replaced(span.start) or not _is_sure(date):
                continue
            same = (days[day] for day in days if _is_same(day, date))
            for phi_type in itertools.islice(same, 1):
                yield span, DAY, phi_type

    def _words(self, tokens: Sequence[Token]) -> Iterator[_Hit]:
        for place, token in enumerate(tokens):
            yield from self._phrases(tokens, place, token)
            yield from self._part(token)

    def _is_replaced(self, offset: int) -> bool:
        return offset in self._in_dates or offset in self._in_others

    def _phrases(self, tokens: Sequence[Token], place: int, token: Token) -> Iterator[_Hit]:
        for words, phi_type in self._original.phrases.get(token.key, ()):
            found = tokens[place : place + len(words)]
            if tuple(each.key for each in found) != words:
                continue
            if len(words) > 1 or not (token.start in self._in_dates or self._is_plain(token)):
                yield Span(token.start, found[-1].end), WHOLE, phi_type

    def _part(self, token: Token) -> Iterator[_Hit]:
        """A part of a name, a name run together, or what may be one misspelt."""
        joined = self._original.joined.get(token.key.rstrip("0123456789"))
        joined = joined or self._with_ending(token)
        is_part = token.key in self._original.parts or joined is not None
        phi_type = self._original.parts.get(token.key) or joined or self._suspects.get(token.key)
        if phi_type is None or token.start in self._in_dates:
            return
        is_meant = self._is_underscored(token) or not self._is_plain(token)
        if is_meant and (is_part or token.start not in self._kept):
            yield Span(token.start, token.end), PART if is_part else SPELLING, phi_type

    def _with_ending(self, token: Token) -> PhiType | None:
        """The type of a name in `Amors`, of one with a title: `DrTran`, of one cut: `MICHELAN`."""
        parts, name = self._original.parts, token.key.removesuffix("s")
        names = [name] if token.text[0].isupper() and not name.endswith("s") else []
        if found := _GLUED_NAME.search(token.text):
            names.append(match_key(found[0]))
        if len(token.key) >= _LEAST_CUT and token.text.isupper():
            names += (part for part in parts if part.startswith(token.key))
        return next((parts[each] for each in names if len(each) > 3 and each in parts), None)

    def _is_plain(self, token: Token) -> bool:
        """True where a word that can be a name is used as another: `will`, `Bell's palsy`."""
        text = self._text
        if token.start in self._in_others or _HIDDEN.search(text, token.start, token.end):
            return False
        is_own = not self._original.own.isdisjoint({token.key, token.key.removesuffix("s")})
        if is_eponym(text, token.start, token.end, self._language, of_patient=is_own):
            return True
        if token.key not in self._ordinary or token.text.islower():
            return token.key in self._ordinary
        before = text[max(0, token.start - 40) : token.start].rstrip(" \t\"'([-*•")
        # of the patient's own name only a reader can tell: `Stone was seen`, `KIDNEY STONE`
        if is_own or after_title(before, self._language) or self._is_beside_name(token):
            return False
        starts = not before or before[-1] in ".!?:;\n" or before.endswith(("#", ")"))
        if token.text.isupper():
            is_heading = starts and text.startswith(":", token.end)
            return is_heading or self._is_among_capitals(token)
        return starts

    def _is_among_capitals(self, token: Token) -> bool:
        """True in `KIDNEY STONE` and `BLACK STOOL`; not in `called STONE` nor of `STONE` alone."""
        before = _WORD_BEFORE.search(self._text, max(0, token.start - 40), token.start)
        after = _WORD_AFTER.match(self._text, token.end)
        words = [found["word"] for found in (before, after) if found]
        return bool(words) and all(map(str.isupper, words))

    def _is_underscored(self, token: Token) -> bool:
        """True in `stone_dawn`, where another part of a name stands beside the sign."""
        after = _UNDERSCORED_AFTER.match(self._text, token.end)
        before = _UNDERSCORED_BEFORE.search(self._text, max(0, token.start - 40), token.start)
        beside = (found["name"] for found in (after, before) if found)
        return any(match_key(name) in self._original.parts for name in beside)

    def _is_beside_name(self, token: Token) -> bool:
        """True in `Black, Melanie`, `MELANIE BLACK` and `Good (37 ...`, where no word stands."""
        after = _NAME_AFTER.match(self._text, token.end)
        before = _NAME_BEFORE.search(self._text, max(0, token.start - 40), token.start)
        if after and after["number"]:
            return True
        given = name_lists(self._language).given_sexes
        names = (found["name"] for found in (after, before) if found)
        return any(name[0].isupper() and match_key(name) in given for name in names)


def _is_sure(date: DateMention) -> bool:
    """False for `4/5` and `11/2084`, which may be shares."""
    return date.named or (date.has_day and date.has_year)


def _is_same(day: Day, date: DateMention) -> bool:
    return any(
        day.agrees(read) and not (day.day is None and None in (day.year, read.year))
        for read in date.readings
    )


def _offsets(replaced: Iterable[Replacement]) -> set[int]:
    return {offset for each in replaced for offset in range(each.span.start, each.span.end)}


def _kept(tokens: Iterable[Token], replaced: Iterable[Replacement]) -> set[int]:
    """Where words stand that a surrogate has of its original: `Calle`, `Hospital`."""
    spans = sorted((each.span.start, each.span.end, each.original) for each in replaced)
    starts = [start for start, _, _ in spans]
    kept: set[int] = set()
    for token in tokens:
        at = bisect_right(starts, token.start) - 1
        if at >= 0 and token.end <= spans[at][1] and token.key in match_key(spans[at][2]):
            kept.add(token.start)
    return kept


def _numbers(text: str, digits: Mapping[str, PhiType]) -> Iterator[_Hit]:
    for found in _DIGIT_RUN.finditer(text) if digits else ():
        places = [at for at in range(*found.span()) if text[at].isdigit()]
        run = "".join(text[at] for at in places)
        for number, phi_type in digits.items():
            at = run.find(number)
            if at >= 0:
                yield Span(places[at], places[at + len(number) - 1] + 1), DIGITS, phi_type
