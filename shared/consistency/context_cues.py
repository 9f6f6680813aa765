"""How sure it is that a doubtful text is PHI where it stands, told from what stands around it.

`53` is an age before “years old” and none before “%”; `5/9` is a date after “on” and a strength
after “motor”; `Graves` is a physician after “Dr.” and an illness before “disease”. The words are
the `[cues]` of the language. Every one is a reason for or against, none of them is needed: without
one the answer is in between.
"""

import re
from collections.abc import Callable
from functools import cache

from shared.language.ambiguity import is_eponym
from shared.language.languages import Language
from shared.model import EntityKind, Span

LIKELY_NAME = 0.6
SUPPORTED, NEUTRAL, DOUBTFUL, CONTRADICTED = 0.9, 0.5, 0.35, 0.15
"""What stands around speaks for it, says nothing, speaks somewhat and clearly against it."""

_Cue = Callable[[str], re.Pattern[str]]
"""The expression of a language for one of the cues below."""

_AROUND = 28
_INITIALS = 3

_MEASURED_BEFORE = re.compile(r"[\d.][/.:,-]$|[/:#<>=~+^_*×$§.]$")
_LISTED = re.compile(r"\.\s")
_LINE_START = re.compile(r"(?:^|\n)\s*$")
_YEAR = re.compile(r"(?:1[89]|2[0-2])\d\d")
_SHORT_YEAR = re.compile(r"['’]\d\d")
_SENTENCE_START = re.compile(r"(?:^|[.!?:]\s+|\n\s*|[-*#•\d]\.?\s+)$")
_CAPITAL_COMMA = re.compile(r"\b[A-Z][\w.'’]*[^\W\d],\s?$")
_SMALL_WORD_AFTER = re.compile(r"\s+[a-z]{3,}")
_FEW_DIGITS = re.compile(r"\d{1,2}")
_VALUE_AFTER = re.compile(r"[:\s]+\d")
_LATE_NAME = re.compile(r"\b[A-Z]\.?\s[A-Z][\w'’-]+,\s?$")
_HEADING_AFTER = re.compile(r"\s?:")


_AGE_AFTER = r"(?i)[\s-]*{age_after}"
_AGE_BEFORE = r"(?i)\b{age_before}\W{0,3}$"
_COUNTED_AFTER = (
    r"(?i)\s?(?:%|°|/|[x×*]\s?\d|\^)|[.:,]\d|-\d|\s?-\s\d|\(|\+|"
    r"[\s-]{0,3}{counted_after}\b|\s{4,}"
)
_RATE_BEFORE = r"(?i)\b{rate_before}\s{value_verbs}\s$"
_COUNTED_BEFORE = (
    _RATE_BEFORE + r"|\b{counted_before}\W{0,2}$|"
    r"[\d.][/.:,-]\s?$|[/:#<>=~+^_*×$§]\s?$|\s-$|\s{4,}$"
)
_FAMILY_BEFORE = r"(?i)\b{family_before}\b[^.\d]*(?:\d{1,3}[^.\d]*)?$"
_VERB_BEFORE = r"(?i)\b{verb_before}\s$"
_NUMBER_BEFORE = r"(?i)(?:#|\b{number_before})\W{0,3}$"
_YEAR_BEFORE = r"(?i)\b{year_before}\W{0,3}$"
_DAY_BEFORE = r"(?i)\b{day_before}\W{0,3}$"
_DAY_AFTER_MONTH = r"(?i)[ ,./-]{0,2}(?:\d|{dates.between}\b)"
_DAY_BEFORE_MONTH = (
    r"(?i)(?<![\d/-])\d\d?{dates.ordinal_suffixes}?[ ./-]*(?:{dates.between}\s)?$|[/-]$"
)
_SCORE_AFTER = r"(?i)\s*{score_after}|[/.]\d"
_SCORE_BEFORE = r"(?i)\b{score_before}\W{0,2}$|\d[-x]$"
_SECONDARY_TO = r"(?i){secondary_to}"
_TITLE_BEFORE = (
    r"(?i)\b(?:{title_before}|{language.kinship})\W{1,3}$|\b{titles_before}$|"
    r"(?-i:\b[A-Z]\.\s?$|[A-Z]{2,},\s?$)"
)
_PERSON_AFTER = (
    r"(?i),?\s*{degree_after}|(?-i:,\s?[A-Z]{2,}\b)|,\s\d+\b|{person_after}|"
    r"{possessive}\s{language.kinship}|\s\({language.kinship}"
)
_UNIT_BEFORE = r"(?i)\b(?:{places.unit_words}|{places.floor_words})\W{1,3}$"
_AGENT_BEFORE = r"(?i)\b{agent_before}\s$"
_THING_BEFORE = r"(?i)\b(?:{illness_before}|{thing_before})\s$"
_ILLNESS_AFTER = r"(?i)(?:['’]s?)?[\s-]+{illness_after}|\s{device_after}"
"""What stands before or after a text, with cues of a language in braces."""


def context_certainty(text: str, span: Span, kind: EntityKind, language: Language) -> float:
    """Return from 0 to 1 how likely a doubtful text at `span` is PHI of this kind."""
    before = text[max(0, span.start - _AROUND) : span.start]
    after = text[span.end : span.end + _AROUND]
    cue = language.expression
    if kind is EntityKind.AGE:
        return _age(cue, before, after, span.text_in(text))
    if kind is EntityKind.DATE:
        return _date(cue, before, after, span.text_in(text))
    if kind in (EntityKind.PERSON, EntityKind.USERNAME):
        return _name(language, before, after, span.text_in(text))
    if kind.is_place:
        return _place(language, before, after, span.text_in(text), kind)
    return _number(cue, before, after)


def _number(cue: _Cue, before: str, after: str) -> float:
    if cue(_NUMBER_BEFORE).search(before):
        return SUPPORTED
    measured = cue(_COUNTED_AFTER).match(after) or _MEASURED_BEFORE.search(before)
    return CONTRADICTED if measured else NEUTRAL


def _age(cue: _Cue, before: str, after: str, text: str) -> float:
    listed = bool(_LISTED.match(after) and _LINE_START.search(before) and re.match("1?.$", text))
    if listed or _MEASURED_BEFORE.search(before):
        return CONTRADICTED
    if cue(_AGE_AFTER).match(after) or cue(_AGE_BEFORE).search(before):
        return SUPPORTED
    if cue(_FAMILY_BEFORE).search(before) and not cue(_COUNTED_AFTER).match(after):
        return SUPPORTED
    if cue(_COUNTED_AFTER).match(after) or cue(_COUNTED_BEFORE).search(before):
        return CONTRADICTED
    return DOUBTFUL if cue(_VERB_BEFORE).search(before) else NEUTRAL


def _date(cue: _Cue, before: str, after: str, text: str) -> float:
    if _YEAR.fullmatch(text):
        return _year(cue, before, after)
    if not any(char.isdigit() for char in text) or _SHORT_YEAR.fullmatch(text):
        return CONTRADICTED if text.islower() else NEUTRAL
    if cue(_SCORE_AFTER).match(after) or (
        cue(_SECONDARY_TO).fullmatch(text) and _SMALL_WORD_AFTER.match(after)
    ):
        return CONTRADICTED
    if cue(_DAY_BEFORE).search(before):
        return SUPPORTED
    if cue(_SCORE_BEFORE).search(before) or not any(char in "/-" for char in text):
        return CONTRADICTED
    return NEUTRAL


def _year(cue: _Cue, before: str, after: str) -> float:
    if cue(_COUNTED_AFTER).match(after) or _MEASURED_BEFORE.search(before):
        return CONTRADICTED
    if cue(_RATE_BEFORE).search(before):
        return CONTRADICTED
    return SUPPORTED if cue(_YEAR_BEFORE).search(before) else NEUTRAL


def _name(language: Language, before: str, after: str, text: str) -> float:
    cue = language.expression
    thing = cue(_ILLNESS_AFTER).match(after) or cue(_THING_BEFORE).search(before)
    if thing or text.islower():
        return CONTRADICTED
    if cue(_TITLE_BEFORE).search(before) or cue(_PERSON_AFTER).match(after):
        return SUPPORTED
    if text.lower() in language.month_numbers and text[0].isupper():
        return _month_name(cue, before, after)
    if is_eponym(text) or (len(text) > _INITIALS and _SENTENCE_START.search(before)):
        return DOUBTFUL
    if len(text) <= _INITIALS and _VALUE_AFTER.match(after):
        return CONTRADICTED
    return SUPPORTED if cue(_AGENT_BEFORE).search(before) else NEUTRAL


def _month_name(cue: _Cue, before: str, after: str) -> float:
    """A name that is a month too: it is none beside a day, a year, or a word for a time."""
    line = before.rpartition("\n")[2]
    if cue(_DAY_AFTER_MONTH).match(after) or any(
        cue(each).search(line) for each in (_DAY_BEFORE_MONTH, _YEAR_BEFORE, _DAY_BEFORE)
    ):
        return CONTRADICTED
    verb = _SENTENCE_START.search(before) and _SMALL_WORD_AFTER.match(after)
    return DOUBTFUL if verb else LIKELY_NAME


def is_titled(text: str, span: Span, language: Language) -> bool:
    """True where a title or a word for a person stands before `span`, or a degree after it."""
    before, cue = text[max(0, span.start - _AROUND) : span.start], language.expression
    return bool(cue(_TITLE_BEFORE).search(before) or cue(_PERSON_AFTER).match(text, span.end))


def _place(language: Language, before: str, after: str, text: str, kind: EntityKind) -> float:
    if text.islower() or _HEADING_AFTER.match(after):
        return CONTRADICTED
    if _FEW_DIGITS.fullmatch(text):
        return SUPPORTED if language.expression(_UNIT_BEFORE).search(before) else CONTRADICTED
    if kind is EntityKind.STATE:
        cue = language.expression
        if cue("{state_or_degree}").fullmatch(text) and _LATE_NAME.search(before):
            return CONTRADICTED
        is_word = cue("{state_or_word}").fullmatch(text)
        coded = not is_word and _postal_code_after(language).match(after)
        return SUPPORTED if coded or _CAPITAL_COMMA.search(before) else CONTRADICTED
    return NEUTRAL


@cache
def _postal_code_after(language: Language) -> re.Pattern[str]:
    return re.compile(rf"[.,]?\s{{1,2}}{language.places.postal_code or '(?!)'}\b", re.IGNORECASE)
