"""What authentic text is left: every new record searched for every PHI that was tagged."""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from shared.language.date_grammar import parse
from shared.language.date_mentions import DateMention, find_dates
from shared.language.languages import Language
from shared.language.name_lists import name_lists
from shared.model import Layer, PhiType, Span
from shared.surrogates.dates.shift import schedule
from shared.surrogates.lookups import Lookups
from shared.surrogates.mentions import Replacement, SurrogatePatient, placeholder
from shared.surrogates.ordinary_words import after_title, is_eponym, small_words
from shared.surrogates.original_phi import (
    Places,
    Token,
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

_DIGIT_GROUP = re.compile(r"(?<![\d.,])\d{4,}(?!\d|[.,]\d)")
_NAME_AFTER = re.compile(r", ?(?P<name>[^\W\d_]{2,})|\s\((?P<number>\d)")
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

    def is_ordinary(self, word: str) -> bool:
        """Whether a word, folded, is used as such, or is a name and a word of the language."""
        return word in self.ordinary or word in _ambiguous(self.language)


@cache
def _ambiguous(language: Language) -> frozenset[str]:
    return frozenset(language.names.ambiguous)


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
    return tuple(leaks_of(new, gold, rules))


def leaks_of(new: SurrogatePatient, gold: Mapping[str, Layer], rules: LeakRules) -> Iterator[Leak]:
    """Yield what `find_leaks` returns, as it is found."""
    yield from _missing(new, gold)
    yield from _unchanged(new, rules)
    original = original_phi_of(new.replacements, rules.language, years_stay=rules.years_stay)
    lookups = Lookups(original, rules.language)
    if not rules.new_names:
        yield from _in_file_names(new, lookups)
    spared = places_cleared(new, rules.cleared)
    for document in new.documents:
        record_id = document.record_id
        told: set[Span] = set()
        search = _RecordSearch(document.text, new.in_record(record_id), lookups, rules)
        for span, what, phi_type in search.hits():
            if span in told:
                continue
            told.add(span)
            if not any(each.contains(span) for each in spared.get(record_id, ())):
                old = old_span(new, record_id, span)
                yield Leak(new.patient.id, record_id, span, what, phi_type, old)


def surrogates_at(new: SurrogatePatient, leak: Leak) -> list[Replacement]:
    """Return the replacements that a leak lies in, or touches."""
    return [
        each
        for each in new.in_record(leak.record_id)
        if leak.span is not None and each.span.overlaps(leak.span)
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


def _in_file_names(new: SurrogatePatient, lookups: Lookups) -> Iterable[Leak]:
    parts = lookups.original.parts
    for document in new.documents:
        digits = "".join(filter(str.isdigit, document.record_id))
        types = [phi_type for *_, phi_type in lookups.numbers.within(digits)]
        types += [parts[each.key] for each in tokens_of(document.record_id) if each.key in parts]
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
        self, text: str, replaced: Sequence[Replacement], lookups: Lookups, rules: LeakRules
    ) -> None:
        self._text = in_plain_forms(text)
        self._lookups, self._original = lookups, lookups.original
        self._language = rules.language
        self._is_ordinary = rules.is_ordinary
        self._tokens = tokens_of(text)
        self._in_dates = _offsets(each for each in replaced if each.kind is SurrogateKind.DATE)
        self._in_others = _offsets(
            each for each in replaced if each.kind is not SurrogateKind.DATE
        )  # months may be names: `August`
        self._placeholders = _offsets(each for each in replaced if each.is_placeholder)
        self._kept = _kept(self._tokens, replaced)
        self._suspects = self._misspelt()

    def hits(self) -> Iterator[_Hit]:
        """What is authentic, but for the names of types that placeholders have."""
        return (hit for hit in self._hits() if not self._is_placeholder(hit[0]))

    def _is_placeholder(self, span: Span) -> bool:
        return span.start in self._placeholders and span.end - 1 in self._placeholders

    def _hits(self) -> Iterator[_Hit]:
        found = list(self._words(self._tokens, lambda start, end: (start, end)))
        for tokens, places in tokens_as_read(self._text):
            for hit in self._words(tokens, places):
                if not any(each[0].overlaps(hit[0]) for each in found):
                    found.append(hit)
        found += self._numbers(self._text)
        found += self._groups()
        yield from found
        for hit in (*self._days(), *self._written_otherwise()):
            if not any(each[0].overlaps(hit[0]) for each in found):
                yield hit

    def _written_otherwise(self) -> Iterator[_Hit]:
        """What is outside the surrogates, where letters and digits are so by chance."""
        text, original = self._text, self._original
        for what, found in (
            (PART, letters_apart(text, self._lookups.names.within)),
            (PART, letters_encoded(text, original.parts, original.lost)),
            (INITIALS, initials_alone(text, original.initials, self._language)),
            (DIGITS, groups_over_line_ends(text, original.groups)),
            (DAY, days_of_months(text, self._lookups.days.of_month, self._language)),
        ):
            for span, phi_type in found:
                if not (self._is_replaced(span.start) or self._is_replaced(span.end - 1)):
                    yield span, what, phi_type
        misread = misread_digits(text)
        if misread != text:
            yield from self._numbers(misread)

    def _numbers(self, text: str) -> Iterator[_Hit]:
        return ((span, DIGITS, kind) for span, kind in self._lookups.numbers.in_text(text))

    def _groups(self) -> Iterator[_Hit]:
        for found in _DIGIT_GROUP.finditer(self._text):
            phi_type = self._lookups.group(found[0])
            # in a surrogate the same few digits stand by chance
            if phi_type and not self._is_replaced(found.start()):
                yield Span(*found.span()), DIGITS, phi_type

    def _days(self) -> Iterator[_Hit]:
        """Dates outside the surrogates, which are days of the calendar by chance."""
        text, language = self._text, self._language
        if not self._original.days:
            return
        found = [(Span(each.start, each.end), each) for each in find_dates(text, language)]
        for span, date in (*found, *dates_written_otherwise(text, language)):
            if self._is_replaced(span.start) or not _is_sure(date):
                continue
            if phi_type := self._lookups.days.same(date):
                yield span, DAY, phi_type

    def _words(self, tokens: Sequence[Token], places: Places) -> Iterator[_Hit]:
        """What is authentic in words, whose `places` in the text may be others than in theirs."""
        phrases, name_in, suspects = self._original.phrases, self._lookups.names, self._suspects
        for number, each in enumerate(tokens):
            name = name_in.held_by(each.text, each.key)
            if name is None and each.key not in phrases and each.key not in suspects:
                continue
            token = Token(each.key, each.text, *places(each.start, each.end))
            yield from self._phrases(tokens, number, token, places)
            yield from self._part(token, name)

    def _is_replaced(self, offset: int) -> bool:
        return offset in self._in_dates or offset in self._in_others

    def _phrases(
        self, tokens: Sequence[Token], number: int, token: Token, places: Places
    ) -> Iterator[_Hit]:
        for words, phi_type in self._original.phrases.get(token.key, ()):
            found = tokens[number : number + len(words)]
            if tuple(each.key for each in found) != words:
                continue
            if len(words) > 1 or not (token.start in self._in_dates or self._is_plain(token)):
                end = places(found[-1].start, found[-1].end)[1]
                yield Span(token.start, end), WHOLE, phi_type

    def _part(self, token: Token, name: PhiType | None) -> Iterator[_Hit]:
        """A part of a name, a name run together, or what may be one misspelt."""
        phi_type = name or self._suspects.get(token.key)
        if phi_type is None or token.start in self._in_dates:
            return
        is_meant = self._is_underscored(token) or not self._is_plain(token)
        if is_meant and (name or token.start not in self._kept):
            yield Span(token.start, token.end), PART if name else SPELLING, phi_type

    def _misspelt(self) -> dict[str, PhiType]:
        """Words one slip from a name, by its type; those that are used as words are not meant."""
        outside = (each for each in self._tokens if not self._is_replaced(each.start))
        small = small_words(outside, self._language)
        misspelt = self._lookups.names.misspelt
        return {
            word: phi_type
            for word in {each.key for each in self._tokens} - small
            if (phi_type := misspelt(word)) and not self._is_ordinary(word)
        }

    def _is_plain(self, token: Token) -> bool:
        """True where a word that can be a name is used as another: `will`, `Bell's palsy`."""
        text = self._text
        if token.start in self._in_others or _HIDDEN.search(text, token.start, token.end):
            return False
        is_own = not self._original.own.isdisjoint({token.key, token.key.removesuffix("s")})
        if is_eponym(text, token.start, token.end, self._language, of_patient=is_own):
            return True
        is_ordinary = self._is_ordinary(token.key)
        if not is_ordinary or token.text.islower():
            return is_ordinary
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
