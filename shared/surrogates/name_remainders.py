"""What of a name stands outside its tag: the words beside it that may belong to it.

A word that lists of names know is a part of the name unless something says that it is none. One
that no list knows is none either where the name is whole without it and something parts the two,
where a colon makes a label of it, and where it ends as no name does.
"""

import re
from collections.abc import Collection, Iterator
from functools import cache, cached_property, lru_cache

from shared.language.ambiguity import (
    is_common_word,
    is_eponym,
    words_beside_names,
    words_of_notes,
)
from shared.language.known_words import ends_as_no_name, is_listed_name, known_words
from shared.language.languages import Language
from shared.language.name_lists import name_lists
from shared.model import Span, Tag
from shared.surrogates.leak_check import LeakRules
from shared.surrogates.mentions import Replacement
from shared.surrogates.surrogate_kinds import SurrogateKind
from shared.text.spelling import is_without_capitals, match_key, typo_between

REACH = 40
"""How far from a tag a rest of it may begin or end."""
_REST = r"(?P<rest>[^\W\d_]{2,}(?:-[^\W\d_]{2,})*)"
_NAME_BEFORE = re.compile(rf"(?<![\w.'’-]){_REST}(?:,? |,?[ ]?\n)(?:[^\W\d_]\.?[ ])*$")
_NAME_AFTER = re.compile(rf"(?:,? |\n)(?:[^\W\d_]\.[ ])*{_REST}(?![\w'’]|-\w)(?!\s?/)")
_INITIALS_BEFORE = re.compile(
    r"(?<![\w.'’-])(?<!\d )(?P<rest>[^\W\d_a-z]\.(?:[ ]?[^\W\d_a-z]\.)*|[A-ZÀ-Þ]{2}(?= $))[ ]?$"
)
_INITIALS_AFTER = re.compile(r"[ ](?P<rest>[^\W\d_a-z]\.)(?=\s|,)")
_SIGNED_FOR = r"(?i)\b{signed_for}$"
"""Somebody else's signature: `i. V.` before a name."""
_LEAST_MISSPELT = 8
_LEAST_WIDTH = 60
"""No program breaks lines before so many letters."""
_END_OF_NAMES = re.compile(r"[ \t]*(?:[.,;)]|\n|$)")
_END_OF_LABEL = re.compile(r"\.?(?:[ ][^\W\d_]+\.?){0,2}[ ]?:(?!\d)")
_WORD = re.compile(r"[^\W\d_]{2,}")


class NamesBeside:
    """The names of one record's text, of which the offsets in `tagged` are in tags.

    `names` are the parts of all names of the patient's records, folded.
    """

    def __init__(
        self, text: str, tagged: Collection[int], rules: LeakRules, names: Collection[str]
    ) -> None:
        self._text = text
        self._tagged = tagged
        self._language = rules.language
        self._ordinary = rules.ordinary
        self._names = names

    def rests(self, each: Replacement) -> Iterator[Span]:
        """The words and initials beside a tag that may belong to its name."""
        if each.kind is SurrogateKind.PERSON:
            words = (
                *found_beside(self._text, _NAME_BEFORE, each.tag.start, before=True),
                *found_beside(self._text, _NAME_AFTER, each.tag.end, before=False),
            )
            yield from (span for span in words if self._is_like_name(span, each))
            yield from self._initials(each.tag)

    def _initials(self, tag: Tag) -> Iterator[Span]:
        before = self._text[max(0, tag.start - REACH) : tag.start].rstrip()
        is_title = self._language.title_before.search(f"{before} ")
        if not (is_title or self._language.expression(_SIGNED_FOR).search(before)):
            yield from self._but_degrees(_INITIALS_BEFORE, tag.start, before=True)
        yield from self._but_degrees(_INITIALS_AFTER, tag.end, before=False)

    def _but_degrees(self, pattern: re.Pattern[str], at: int, *, before: bool) -> Iterator[Span]:
        degrees = _degrees(self._language)
        for span in found_beside(self._text, pattern, at, before=before):
            letters = span.text_in(self._text)
            is_word = letters.isalpha() and self._is_word_before(letters, at)
            if letters.replace(".", "").lower() not in degrees and not is_word:
                yield span

    def _is_word_before(self, letters: str, at: int) -> bool:
        """Whether two capitals before a name, unlike `JC` before `Okafor`, are a word."""
        word, stopwords = letters.lower(), self._language.stopwords
        is_among_capitals = not self._text[at + 1 : at + 2].islower()
        return is_among_capitals or word in stopwords or word in words_of_notes(self._language)

    def _is_like_name(self, span: Span, each: Replacement) -> bool:
        word, name = span.text_in(self._text), each.original
        in_other_case = word.isupper() and not name.isupper()
        is_small = not (word[0].isupper() or self._is_without_capitals)
        if is_small or in_other_case or not self._may_be_name(word):
            return False
        key, before = match_key(word), self._text[max(0, span.start - REACH) : span.end]
        is_given = match_key(name) in name_lists(self._language).given_sexes
        if self._is_behind_given_name(span, name) or (is_given and is_eponym(word, self._language)):
            return True
        if key in words_beside_names(self._language) or self._is_label_misspelt(key):
            return False
        if key in self._names or self._is_behind_label(span):
            return True
        if self._language.title_before.search(f"{before} ") or self._is_apart(span, each):
            return False
        is_word = (
            key in self._ordinary
            or key in words_of_notes(self._language)
            or is_common_word(word, self._language)
        )
        return not is_word or (word[0].isupper() and key in name_lists(self._language).given_sexes)

    def _may_be_name(self, word: str) -> bool:
        """False for `Follow-up`: of a double name, as `Hess-Monte` is, some list knows a part."""
        parts = word.split("-")
        if len(parts) == 1:
            return True
        known = any(
            match_key(each) in self._names or is_listed_name(each, self._language) for each in parts
        )
        return known and all(each[0].isupper() for each in parts)

    def _is_apart(self, span: Span, each: Replacement) -> bool:
        """Whether a word that no list of names knows belongs to something else by all signs."""
        word, tag = span.text_in(self._text), each.tag
        if is_listed_name(word, self._language):
            return False
        if ends_as_no_name(word, self._language):
            return True
        between = self._text[min(span.end, tag.end) : max(span.start, tag.start)]
        is_new_line = "\n" in between and self._is_new_line(span, tag.span)
        is_family = _is_family(each.original, self._language)
        if _END_OF_LABEL.match(self._text, span.end):
            is_parted = is_new_line or ("," in between and is_family)
            return is_parted or _may_be_whole(each.original, self._language)
        if is_new_line and not self._is_line(span.start, span.end) and is_family:
            return True
        return (is_new_line or "," in between) and _is_whole(each.original, self._language)

    def _is_new_line(self, span: Span, tag: Span) -> bool:
        """Whether the writer began a line: what it begins with had room at the end of the other."""
        first, second = sorted((span, tag))
        begun = self._text.rfind("\n", 0, first.end) + 1
        end = self._text.find("\n", first.end)
        word = _WORD.match(self._text, second.start)
        return end - begun + 1 + (len(word[0]) if word else 1) <= self._width

    @cached_property
    def _is_without_capitals(self) -> bool:
        return is_without_capitals(_WORD.findall(self._text))

    @cached_property
    def _width(self) -> int:
        """How long lines are: reading them once is enough for a record of some megabytes."""
        return max(_LEAST_WIDTH, *map(len, self._text.splitlines()))

    def _is_line(self, start: int, end: int) -> bool:
        """Whether a stretch is all that its line has."""
        edges = self._text[max(0, start - 1) : start], self._text[end : end + 1]
        return all(each in {"", "\n"} for each in edges)

    def _is_label_misspelt(self, key: str) -> bool:
        """True for `departament` and `serviicio`, which are nobody's names."""
        lists = name_lists(self._language)
        if len(key) < _LEAST_MISSPELT or {key} & (lists.family_names | {*lists.given_sexes}):
            return False
        return key not in self._names and _is_nearly_label(key, self._language)

    def _is_behind_given_name(self, span: Span, name: str) -> bool:
        """Whether a family name that is a word too follows: `West` after `[Brian]`.

        After another family name it ends the line or is followed by a sign: `[Rivera] Bueno.` In
        the next line it is alone.
        """
        lists, key = name_lists(self._language), match_key(span.text_in(self._text))
        is_next = self._text[span.start - 1] == " " or self._are_lines(span, name)
        follows = is_next and span.start - 2 in self._tagged
        last = match_key(name).rpartition(" ")[2]
        ends_line = _END_OF_NAMES.match(self._text, span.end)
        is_given = match_key(name) in lists.given_sexes
        labelled = self._text[: span.start - 1 - len(name)][-REACH:].rstrip(" ").endswith(":")
        is_family = ends_line and (last in lists.family_names or labelled)
        if not follows or not (is_given or is_family):
            return False
        calendar = {*self._language.weekday_numbers, *self._language.month_numbers}
        names = self._language.names
        others = {*calendar, *names.degrees, *names.suffixes, *self._language.titles}
        return key in lists.family_names and key not in others

    def _are_lines(self, span: Span, name: str) -> bool:
        """Whether a tagged name ends its line and what follows it has the next to itself."""
        start = span.start - 1 - len(name)
        return (
            start >= 0
            and self._text.startswith(f"{name}\n", start)
            and self._is_line(span.start, span.end)
        )

    def _is_behind_label(self, span: Span) -> bool:
        """Whether a word stands between a label and a tag: `Apellidos: Diez` before `Navarro`."""
        before = self._text[max(0, span.start - REACH) : span.start].rstrip(" ")
        goes_on = self._text[span.end : span.end + 1] == " " and span.end + 1 in self._tagged
        return before.endswith(":") and goes_on


def found_beside(text: str, pattern: re.Pattern[str], at: int, *, before: bool) -> Iterator[Span]:
    """The place that a pattern, or its group `rest`, has right before or behind an offset."""
    found = pattern.search(text, max(0, at - REACH), at) if before else pattern.match(text, at)
    if found is not None:
        yield Span(*(found.span("rest") if "rest" in pattern.groupindex else found.span()))


@lru_cache(maxsize=10_000)
def _may_be_whole(name: str, language: Language) -> bool:
    """True for words enough for a name, the last of which is no given name."""
    words = _WORD.findall(name)
    least = 3 if language.names.two_family_names else 2
    return len(words) >= least and words[-1] not in known_words(language, "given")


@lru_cache(maxsize=10_000)
def _is_whole(name: str, language: Language) -> bool:
    """True for a given name with a family name: `Ana Gil`, `GIL, ANA`; not for `Ana María`.

    Nor for `Gil Pérez`, where the first of two family names may be a given one.
    """
    family, comma, given = name.partition(",")
    words = _WORD.findall(f"{given} {family}" if comma else name)
    known = known_words(language, "given")
    may_be_family = language.names.two_family_names and not comma
    return (
        len(words) > 1
        and words[0] in known
        and words[-1] not in known
        and not (may_be_family and words[0] in known_words(language, "family"))
    )


@lru_cache(maxsize=10_000)
def _is_family(name: str, language: Language) -> bool:
    """True for a family name that is no given name as well."""
    words = _WORD.findall(name)
    given, family = (known_words(language, each) for each in ("given", "family"))
    return bool(words) and words[-1] in family and words[-1] not in given


@cache
def _degrees(language: Language) -> frozenset[str]:
    """Degrees in small letters without full stops: `md`."""
    return frozenset(each.replace(".", "") for each in language.names.degrees)


@lru_cache(maxsize=10_000)
def _is_nearly_label(key: str, language: Language) -> bool:
    labels = words_beside_names(language)
    return any(
        len(label) >= _LEAST_MISSPELT and label[0] == key[0] and typo_between(label, key)
        for label in labels
    )
