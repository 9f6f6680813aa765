"""What a tag leaves beside it of what it marks: the rest of a word, date, number, name, address.

A surrogate takes the place of a tag and of nothing else, so whatever belongs to the same word,
date, number, name or address and stands outside the tag is released as it was.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence

from shared.language.ambiguity import is_common_word
from shared.language.date_grammar import parse
from shared.language.occurrences import edge_kind
from shared.model import Patient, PhiType, Span, Tag
from shared.surrogates.leak_check import Leak, LeakRules
from shared.surrogates.mentions import Replacement, SurrogatePatient
from shared.surrogates.name_remainders import REACH, NamesBeside, found_beside
from shared.surrogates.original_phi import original_phi_of
from shared.surrogates.surrogate_kinds import GEOGRAPHIC, MAY_STAY, NAMED_PLACES, SurrogateKind
from shared.text.scripts import is_written_on_to
from shared.text.spelling import match_key

REST_OF_WORD = "the word goes on outside the tag"
REST_OF_DATE = "the date goes on outside the tag"
REST_OF_NUMBER = "the number goes on outside the tag"
REST_OF_NAME = "the name goes on outside the tag"
REST_OF_ADDRESS = "the address goes on outside the tag"
REST_OF_TAG = "the tag reaches out of the longer one that takes its place"

_NAMES = frozenset({SurrogateKind.PERSON}) | NAMED_PLACES | GEOGRAPHIC
_NUMBERS = frozenset(
    {
        *(SurrogateKind.NUMBER, SurrogateKind.SSN, SurrogateKind.PHONE, SurrogateKind.ZIP),
        *(SurrogateKind.USERNAME, SurrogateKind.IP, SurrogateKind.OTHER),
    }
)
_WORD_BEFORE = re.compile(r"[^\W_]+$")
_WORD_AFTER = re.compile(r"[^\W_]+")
_JOINT = r"(?:[-\u2010-\u2012\u00ad][ \t]*\n[ \t]*|[\u00ad-])"
_HALF_BEFORE = re.compile(rf"(?P<rest>[^\W\d_]+){_JOINT}$")
_HALF_AFTER = re.compile(rf"{_JOINT}(?P<rest>[^\W\d_]+)")
_DIGITS_BEFORE = re.compile(r"(?P<rest>(?:[A-Z]{0,3}\d[\dA-Z]*[-./]?)+)[-./]$")
_DIGITS_AFTER = re.compile(r"[-./](?P<rest>\d[\dA-Za-z]*(?:[-./]\d+)*)")
_DIALLED = r"(?:\+\d{1,3} ?)?\(\d+\)"
"""Before a telephone number: `+49 (0)`."""
_GROUP_BEFORE = re.compile(
    rf"(?<![\d.,])(?P<rest>{_DIALLED}|\(?\+?\d{{2,}}\)?"
    r"|(?<![^\s:#])(?:[A-Z]{1,3}\d+|\d+[A-Z]{1,3})(?=\n))"
    r"(?:[ \t]?[-./]?[ \t]?|\s)$"
)
_GROUP_AFTER = re.compile(r"(?:\)?[ \t]?[-./]?[ \t]?|\s)(?P<rest>\(?\d{3,}\)?)(?!\d|[,./]\d)")
_BLANK_GROUP_BEFORE = re.compile(
    rf"(?<![\d.,])(?:(?P<rest>{_DIALLED}(?=\s?$)|(?:\d{{2,}}[ \t])*\d{{2,}}(?=\s$))\s?)$"
)
_BLANK_GROUP_AFTER = re.compile(
    r"(?:[ \t]|\n(?![1-9]\d?[.)][ \t]))(?P<rest>\d{2,}(?:[ \t]\d{2,})*)(?!\d|[,./]\d)"
)
_IN_GROUPS = re.compile(r"\d[ \t]\d")
_HOUSE_BEFORE = re.compile(r"(?<![\d.,/-])(?P<rest>\d{1,5}[A-Za-z]?)(?:[ ,]{1,2}|\n)$")
_HOUSE_AFTER = (
    r"[ ,]{1,2}{house_number_before}?(?P<rest>\d{1,4}[A-Za-z]?)(?![\w/:%]|[.,]\d|\s?(?:mg|ml))"
)
_UNIT = r"(?i)(?:#|\b{places.unit_words}\b)[. ]{0,2}\d+[a-z]?\b"
_MAIL_BEFORE = re.compile(r"(?P<rest>\w[\w.+-]*)@$")
_MAIL_AFTER = re.compile(r"(?:@|(?<=@))(?P<rest>\w[\w.-]*\w)")
_WEEKDAY_BEFORE = re.compile(r"(?<![^\W_])(?P<rest>[^\W\d_]{2,})(?P<signs>[.,]{0,2}) {1,2}$")
_EXTENSION_AFTER = r"(?i)[ ,;/]{0,2}\(?{extension_before}[ .:]{0,2}(?P<rest>\d{2,5})(?!\d)"
_LAST_DAY = 31
_ITEM = re.compile(r"\n\d+[.)]\s")


def find_remainders(patient: Patient, new: SurrogatePatient, rules: LeakRules) -> tuple[Leak, ...]:
    """Return what the tags of a patient leave beside them in the new records.

    `patient` has the authentic records. What a person cleared is none.
    """
    found: list[Leak] = []
    names = set(original_phi_of(new.replacements, rules.language).parts)
    dropped: dict[str, list[Tag]] = defaultdict(list)
    for record_id, tag in new.dropped:
        dropped[record_id].append(tag)
    for document in patient.documents:
        record_id = document.record_id
        record = _Record(document.text, new.in_record(record_id), rules, names)
        spliced = new.spliced[record_id]
        for old, what, phi_type in record.remainders(dropped[record_id]):
            if any(of == record_id and span.contains(old) for of, span in rules.cleared):
                continue
            start = spliced.to_new(old.start)
            span = Span(start, start + len(old))
            found.append(Leak(patient.id, record_id, span, what, phi_type, old))
    return tuple(found)


_Rest = tuple[Span, str, PhiType]
"""What a tag of the type leaves at a place of the record as it was."""


class _Record:
    def __init__(
        self, text: str, replaced: Sequence[Replacement], rules: LeakRules, names: Collection[str]
    ) -> None:
        self._text = text
        self._replaced = replaced
        self._language = rules.language
        self._keep_weekdays = rules.keep_weekdays
        self._tagged = {
            offset for each in replaced for offset in range(each.tag.start, each.tag.end)
        }
        self._names = NamesBeside(text, self._tagged, rules, names)

    def remainders(self, left_out: Iterable[Tag]) -> Iterator[_Rest]:
        """What all tags leave; those left out overlap one that is replaced."""
        for tag in left_out:
            for found in re.finditer(r"[^\W_]+", tag.span.text_in(self._text)):
                span = Span(*found.span()).shifted(tag.start)
                if self._is_free(span):
                    yield span, REST_OF_TAG, tag.phi_type
        for each in self._replaced:
            if each.kind not in MAY_STAY:
                yield from self._beside(each)

    def _beside(self, each: Replacement) -> Iterator[_Rest]:
        """What goes on beside a tag; of one stretch, the first reason that is found."""
        told: list[Span] = []
        for what, found in (
            (REST_OF_WORD, self._words(each)),
            (REST_OF_DATE, self._dates(each)),
            (REST_OF_NUMBER, self._numbers(each)),
            (REST_OF_ADDRESS, self._addresses(each)),
            (REST_OF_NAME, self._names.rests(each)),
        ):
            for span in found:
                if self._is_free(span) and not any(span.overlaps(other) for other in told):
                    told.append(span)
                    yield span, what, each.tag.phi_type

    def _is_free(self, span: Span) -> bool:
        return not any(at in self._tagged for at in range(span.start, span.end))

    def _words(self, each: Replacement) -> Iterator[Span]:
        """The rest of a word, a hyphen at the line end included."""
        text, tag = self._text, each.tag
        for pattern, at, before in (
            (_WORD_BEFORE, tag.start, True),
            (_WORD_AFTER, tag.end, False),
        ):
            edge = edge_kind(text, at)
            for span in self._found(pattern, at, before=before) if edge != "whole" else ():
                is_label = self._is_label(span, each.kind) or (
                    not before and self._is_behind_names(span, each.kind)
                )
                if edge != "glued" or not is_label:
                    yield span
        if each.kind not in _NAMES | _NUMBERS:
            return
        if text[tag.start].isalpha():
            yield from self._halves(_HALF_BEFORE, tag.start, text[tag.start], before=True)
        if text[tag.end - 1].isalpha():
            yield from self._halves(_HALF_AFTER, tag.end, "", before=False)

    def _is_label(self, span: Span, kind: SurrogateKind) -> bool:
        """True for a word of its own that is glued to the tag: `sinceMay`, `p62811` of a pager."""
        word = span.text_in(self._text)
        is_sign = kind is SurrogateKind.PHONE and len(word) == 1 and word.isalpha()
        is_word = is_common_word(word, self._language) or is_written_on_to(self._text, span.end)
        return is_sign or is_word

    def _is_behind_names(self, span: Span, kind: SurrogateKind) -> bool:
        """True for the label in `MartínezNºCol: 28`, glued to a name."""
        word = match_key(span.text_in(self._text))
        labels = map(match_key, self._language.names.behind)
        return kind is SurrogateKind.PERSON and word in labels

    def _halves(
        self, pattern: re.Pattern[str], at: int, first: str, *, before: bool
    ) -> Iterator[Span]:
        for span in self._found(pattern, at, before=before):
            joint = self._text[min(span.end, at) : max(span.start, at)]
            goes_on = (first or self._text[span.start]).islower()
            if not (goes_on and joint == "-"):  # `Boston-based`
                yield span

    def _dates(self, each: Replacement) -> Iterator[Span]:
        """The other parts of the date that the language's grammar reads around a tag."""
        if each.kind is not SurrogateKind.DATE:
            return
        text, tag = self._text, each.tag
        yield from self._weekday_before(tag.start)
        low, high = self._window(tag)
        for found in parse(text[low:high], self._language).expressions:
            parts = [Span(low + part.start, low + part.end) for part in found.parts]
            start, end = min(part.start for part in parts), max(part.end for part in parts)
            # one that begins within the tag, or ends there, is another date, and one that is cut
            # out of a word or a number (`7.2 in January`) is none
            is_date = start <= tag.start and tag.end <= end
            if not is_date or not edge_kind(text, start) == edge_kind(text, end) == "whole":
                continue
            for part in parts:
                if not part.overlaps(tag.span) and not self._is_other_number(part):
                    yield part

    def _weekday_before(self, at: int) -> Iterator[Span]:
        """`Friday` before a date; one that is cut short only with its sign: `Mo.`, for instance."""
        found = _WEEKDAY_BEFORE.search(self._text, max(0, at - REACH), at)
        word = found["rest"].lower() if found else ""
        if not found or self._keep_weekdays or word not in self._language.weekday_numbers:
            return
        if found["signs"] or word in map(str.lower, self._language.dates.weekdays):
            yield Span(*found.span("rest"))

    def _is_other_number(self, part: Span) -> bool:
        """True for the number of an item of a list, and one that no day can have."""
        number = part.text_in(self._text)
        if _ITEM.match(self._text, max(0, part.start - 1)):
            return True
        return len(number) < 3 and number.isdigit() and int(number) > _LAST_DAY

    def _window(self, tag: Tag) -> tuple[int, int]:
        """The text around a tag as far as dates may go on: up to the tags beside it."""
        low, high = tag.start, tag.end
        while low > 0 and tag.start - low < REACH and low - 1 not in self._tagged:
            low -= 1
        while high < len(self._text) and high - tag.end < REACH and high not in self._tagged:
            high += 1
        return low, high

    def _numbers(self, each: Replacement) -> Iterator[Span]:
        text, tag = self._text, each.tag
        if text[tag.start].isdigit():
            yield from self._found(_DIGITS_BEFORE, tag.start, before=True)
        if text[tag.end - 1].isdigit():
            yield from self._found(_DIGITS_AFTER, tag.end, before=False)
        if each.kind not in _NUMBERS:
            return
        in_groups = _IN_GROUPS.search(each.original)
        if text[tag.start].isdigit():
            before = _BLANK_GROUP_BEFORE if in_groups else _GROUP_BEFORE
            yield from self._found(before, tag.start, before=True)
        if each.kind is SurrogateKind.PHONE:
            extension = self._language.expression(_EXTENSION_AFTER)
            yield from self._found(extension, tag.end, before=False)
        if text[tag.end - 1].isdigit() or text[tag.end - 1] == ")":
            after = _BLANK_GROUP_AFTER if in_groups else _GROUP_AFTER
            yield from self._found(after, tag.end, before=False)

    def _addresses(self, each: Replacement) -> Iterator[Span]:
        yield from self._found(_MAIL_BEFORE, each.tag.start, before=True)
        yield from self._found(_MAIL_AFTER, each.tag.end, before=False)
        if each.kind is SurrogateKind.STREET:
            street = self._language.expression(_UNIT).sub("", each.original)
            if not any(map(str.isdigit, street)):
                yield from self._found(_HOUSE_BEFORE, each.tag.start, before=True)
            if not any(map(str.isdigit, each.original)):
                behind = self._language.expression(_HOUSE_AFTER)
                yield from self._found(behind, each.tag.end, before=False)

    def _found(self, pattern: re.Pattern[str], at: int, *, before: bool) -> Iterator[Span]:
        return found_beside(self._text, pattern, at, before=before)
