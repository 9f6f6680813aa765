"""Untagged names of people that lists of names know, whatever stands beside them.

A given name before a family name, or behind one and a comma, names somebody nearly always; so do
a given name or an initial before a word with a capital that nothing explains. A name alone does
where it is common in the language, and neither a word, a place nor a disease as well.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache

from shared.consistency.candidates import UntaggedCandidate, lookalike
from shared.consistency.named_patterns import WHAT_PATTERNS_FIND
from shared.consistency.patient_records import CheckedRecord
from shared.language.ambiguity import (
    is_common_word,
    is_eponym,
    is_eponym_anywhere,
    words_beside_names,
    words_of_notes,
)
from shared.language.known_words import known_words
from shared.language.languages import Language
from shared.language.name_lists import name_lists
from shared.model import EntityKind, Schema, Span
from shared.model.phi_traits import PersonRole
from shared.text.spelling import match_key

_WHOLE, _OF_WORDS, _UNEXPLAINED, _ALONE, _UNKNOWN = 0.9, 0.7, 0.65, 0.6, 0.4
"""How certain it is that it is a name: of both its parts, of both that are words too, of one before
a word that is in no list, of one, of a word alone that is in no list."""
_LEAST, _LEAST_IN_CAPITALS = 3, 4
"""Letters; what is shorter stands for something else more often."""
_LEAST_UNKNOWN = 4
_AMID = re.compile(r"(?:(?<![^\W_])[a-zß-öø-ÿ]+|[,;&/(]) ?$")
_BEFORE_UNKNOWN = 20
"""What stands before a word that has its capital not from the sentence, and how far it is sought;
in a heading words have capitals too: `Medical Decision Making`."""
_LEAST_UNEXPLAINED = 5
"""Letters of a family name that is in no list, behind an initial: `C. Diff` is none."""
_MOST_KEPT = 20_000
"""Words of which it is remembered what they are."""
_MOST_BETWEEN = 2
"""Middle names and initials of a name at most."""
_WORD = re.compile(r"(?<![\w'’@./-])[^\W\d_][\w'’]*(?:-[^\W\d_][\w'’]*)*(?![\w@/])")
_POSSESSIVE = re.compile(r"['’][sS]?$")
_COMMA = re.compile(r",[ ]?")
_THING = r"(?i)[ ]{eponym_after}\b"
"""What stands behind a name in `Jones fracture`; `Taylor's foot` may be that of a Mr. Taylor."""
_TESTED = r"(?i){test_names}\s(?:{test_side}\s)?{test_result}(?=\s*[.,;)]|\s*$|\s{name_joint}\s)"
"""A test that bears a name and what it was: `Hawkins positive`; `Powell positive` may be of him."""
_LETTERED = r"(?i)\b{lettered}\s$"
"""What is before a letter that is no initial: `hepatitis C. Zosyn was given`."""
_LONGEST_LETTERED = 20
"""So many letters before an initial are looked at."""
_APART = re.compile(r"[,;(/&–-][ \n]?$")
_SMALL_WORD = re.compile(r"(?<![^\W\d_])[a-zß-ÿ]+[ \n]$")
_AGENT = r"(?i)\b{agent_before}\s$"
_LINE_BEGINS, _LINE_ENDS = re.compile(r"(?:^|\n)[ \t]*$"), re.compile(r"[ \t]*(?:$|[\n,/])")
_SPECIES = r"(?i){latin_endings}$"
"""How words of Latin end: `H. Pylori`."""
_JOINED = r"(?i),?\s{name_joint}\s(?P<other>[^\W\d_]+)"
_AS_LISTED = str.maketrans({"'": None, "’": None, "ı": "i"})
"""`O'Brien` and `Yılmaz` are `Obrien` and `Yilmaz` in lists of names."""


@dataclass(frozen=True, slots=True)
class _NameWord:
    """A word with a capital, and what it is known to be; `is_word` where it is no name as well.

    Nothing explains what `is_unknown`.
    """

    start: int
    end: int
    is_given: bool
    is_family: bool
    is_word: bool
    is_alone: bool
    is_unknown: bool

    @property
    def is_initial(self) -> bool:
        return self.end - self.start == 1


_OF_INITIAL = (False,) * 5
"""What is known of one letter alone."""


class ListedNameFinder:
    """Looks for names that lists know; `schema` has the type to propose."""

    def __init__(self, schema: Schema, language: Language) -> None:
        self._type = schema.type_for(EntityKind.PERSON, PersonRole.PATIENT)
        self._reader = _reader_of(language)
        self._between = _between(language)
        self._thing, self._tested = map(language.expression, (_THING, _TESTED))
        self._joined = language.expression(_JOINED)
        self._knows_notes = bool(language.clinical_classes)  # else too little is explained
        self._agent = language.expression(_AGENT)
        self._lettered = language.expression(_LETTERED)
        self._species = language.expression(_SPECIES)

    def candidates(
        self, record: CheckedRecord, small: frozenset[str]
    ) -> Iterator[UntaggedCandidate]:
        """Yield every such name that no tag touches.

        `small` are words that the patient's records have in small letters: no name when alone.
        """
        for start, end, certainty in self._names(record, small):
            if not record.is_tagged(start, end):
                what = WHAT_PATTERNS_FIND[EntityKind.PERSON]
                yield lookalike(Span(start, end), what, self._type, certainty)

    def _names(
        self, record: CheckedRecord, small: frozenset[str]
    ) -> Iterator[tuple[int, int, float]]:
        text = record.text
        words = list(self._reader.words(text))
        until = 0
        for at, word in enumerate(words):
            if word.start < until:
                continue
            last = self._last_of_name(text, words, at)
            end = 0 if last is not None else self._end_of_unexplained(text, words, at, small)
            if end and not record.is_tagged(word.start, end):
                until = end
                yield word.start, until, _UNEXPLAINED
            elif last is not None and not record.is_tagged(word.start, words[last].end):
                until = words[last].end
                are_words = all(each.is_word or each.is_initial for each in words[at : last + 1])
                yield word.start, until, _OF_WORDS if are_words else _WHOLE
            elif (
                word.is_alone
                and text[word.start : word.end].lower() not in small
                and not self._is_eponym(text, word)
            ):
                yield word.start, word.end, _ALONE
            elif self._knows_notes and word.is_unknown and self._is_amid(text, word):
                yield word.start, word.end, _UNKNOWN

    def _is_amid(self, text: str, word: _NameWord) -> bool:
        """Whether a word that nothing explains has a capital though no sentence begins there."""
        is_long = word.end - word.start >= _LEAST_UNKNOWN
        before = text[max(0, word.start - _BEFORE_UNKNOWN) : word.start]
        return is_long and bool(_AMID.search(before)) and not self._is_eponym(text, word)

    def _end_of_unexplained(
        self, text: str, words: list[_NameWord], at: int, small: frozenset[str]
    ) -> int:
        """Where a given name or an initial ends with the next word, which no list has; 0 if not."""
        if at + 1 == len(words):
            return 0
        first, word = words[at], words[at + 1]
        if first.is_initial:
            begins = self._is_before_name(text, first, word)
        else:
            begins = first.is_given and not first.is_word and word.is_unknown
        if not begins or text[word.start : word.end].lower() in small:
            return 0
        start = first.end + (first.is_initial and text[first.end] == ".")
        is_apart = not self._between.fullmatch(text, start, word.start)
        is_thing = self._thing.match(text, word.end) or self._is_eponym(text, first)
        return 0 if is_apart or is_thing else word.end

    def _is_before_name(self, text: str, initial: _NameWord, word: _NameWord) -> bool:
        """Whether a letter and a period are of the name of somebody, and no item of a list."""
        before = text[max(0, initial.start - _LONGEST_LETTERED) : initial.start]
        if text[initial.end : initial.end + 1] != "." or self._lettered.search(before):
            return False
        is_listed = word.is_family and not word.is_word
        is_apart = _APART.search(before) or self._agent.search(before)
        if _LINE_BEGINS.search(before):
            is_apart = _LINE_ENDS.match(text, word.end)
        elif is_listed:
            is_apart = is_apart or _SMALL_WORD.search(before)
        name = text[word.start : word.end]
        is_long = len(name) >= _LEAST_UNEXPLAINED and not self._species.search(name)
        return bool(is_apart) and (is_listed or (word.is_unknown and is_long))

    def _is_eponym(self, text: str, word: _NameWord) -> bool:
        """Whether what follows a name makes it that of a disease, a test or a device.

        So does another beside it that is hardly a name otherwise: `Hawkins and Neer`.
        """
        if self._thing.match(text, word.end) or self._tested.match(text, word.start):
            return True
        joined = self._joined.match(text, word.end)
        return bool(joined) and self._reader.is_only_eponym(joined["other"])

    def _last_of_name(self, text: str, words: list[_NameWord], at: int) -> int | None:
        """The number of the last word of the whole name that begins with a word, if one does."""
        first, following = words[at], words[at + 1 : at + 3 + _MOST_BETWEEN]
        if (
            first.is_family
            and following
            and following[0].is_given
            and _COMMA.fullmatch(text, first.end, following[0].start)
        ):
            return at + 1
        last = None
        if first.is_given:
            before = first
            for number, word in enumerate(following, start=at + 1):
                stop = before.end + (before.is_initial and text[before.end] == ".")
                if not self._between.fullmatch(text, stop, word.start):
                    break
                if word.is_family:
                    last = number
                elif not (word.is_initial or word.is_given):
                    break
                before = word
        return last


@cache
def _between(language: Language) -> re.Pattern[str]:
    """What stands between two words of a name: blanks, and particles."""
    particles = "|".join(re.escape(each) for each in sorted(language.particles))
    return re.compile(rf"[ ]{{1,2}}(?:(?i:{particles})[ ]){{0,2}}" if particles else "[ ]{1,2}")


class _NameReader:
    """Reads the words with a capital of a text in a language, and what they are known to be."""

    def __init__(self, language: Language) -> None:
        names = name_lists(language)
        self._language = language
        self._given = known_words(language, "given")
        self._families = known_words(language, "family")
        self._at_home, self._common = names.family_names, names.common
        self._no_names = frozenset(
            (
                *(*words_beside_names(language), *words_of_notes(language)),
                *map(match_key, language.names.ambiguous),
                *(match_key(each.name) for each in language.regions.values()),
                *(match_key(each.name) for each in language.countries.values()),
            )
        )
        self._known = lru_cache(maxsize=_MOST_KEPT)(self._look_up)

    def words(self, text: str) -> Iterator[_NameWord]:
        for found in _WORD.finditer(text):
            if found[0][0].isupper():
                word = _POSSESSIVE.sub("", found[0])
                if len(word) == 1:
                    yield _NameWord(*found.span(), *_OF_INITIAL)
                elif len(word) >= _LEAST and (word.isupper() or not word[1].isupper()):
                    yield _NameWord(found.start(), found.start() + len(word), *self._known(word))

    def is_only_eponym(self, word: str) -> bool:
        """Whether a word is an eponym, and no common name."""
        return is_eponym(word, self._language) and word.lower() not in self._common

    def _look_up(self, word: str) -> tuple[bool, bool, bool, bool, bool]:
        word = word.translate(_AS_LISTED)
        key = match_key(word)
        is_word = key in self._no_names or is_common_word(word, self._language)
        is_word = is_word or is_eponym(word, self._language)
        is_family = all(part in self._families for part in key.split("-"))
        is_alone = word.lower() in self._common and not is_word
        if word.isupper():  # an abbreviation is written so, too
            is_alone = is_alone and len(word) >= _LEAST_IN_CAPITALS and key in self._at_home
        is_given = word in self._given
        is_known = is_given or is_word or is_alone or word.isupper() or is_eponym_anywhere(word)
        is_unknown = not (is_known or self._language.nouns_capitalised)
        return is_given, is_family, is_word, is_alone, is_unknown


_reader_of = cache(_NameReader)
