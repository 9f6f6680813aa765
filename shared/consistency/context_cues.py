"""How sure it is that a doubtful text is PHI where it stands, told from what stands around it.

`53` is an age before “years old” and none before “%”; `5/9` is a date after “on” and a strength
after “motor”; `Graves` is a physician after “Dr.” and an illness before “disease”. The words are
the `[cues]` of the language. Every one is a reason for or against, none of them is needed: without
one the answer is in between.
"""

import re
from functools import cache

from shared.language.ambiguity import is_eponym
from shared.language.languages import Language
from shared.model import EntityKind, Span

SUPPORTED, NEUTRAL, DOUBTFUL, CONTRADICTED = 0.9, 0.5, 0.35, 0.15
"""What stands around speaks for it, says nothing, speaks somewhat and clearly against it."""

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
_VALUE_AFTER = re.compile(r"[:\s]+\d")
_LATE_NAME = re.compile(r"\b[A-Z]\.?\s[A-Z][\w'’-]+,\s?$")
_HEADING_AFTER = re.compile(r"\s?:")


class _ContextCues:
    """The cues of a language as expressions for what stands before or after a text."""

    def __init__(self, language: Language) -> None:
        def expression(template: str) -> re.Pattern[str]:
            return language.expression(f"(?i){template}")

        self.age_after = expression(r"[\s-]*{age_after}")
        self.age_before = expression(r"\b{age_before}\W{0,3}$")
        self.counted_after = expression(
            r"\s?(?:%|°|/|[x×*]\s?\d|\^)|[.:,]\d|-\d|\s?-\s\d|\(|\+|"
            r"[\s-]{0,3}{counted_after}\b|\s{4,}"
        )
        self.counted_before = expression(
            r"\b{rate_before}\s{value_verbs}\s$|\b{counted_before}\W{0,2}$|"
            r"[\d.][/.:,-]\s?$|[/:#<>=~+^_*×$§]\s?$|\s-$|\s{4,}$"
        )
        self.family_before = expression(r"\b{family_before}\b[^.\d]*(?:\d{1,3}[^.\d]*)?$")
        self.verb_before = expression(r"\b{verb_before}\s$")
        self.number_before = expression(r"(?:#|\b{number_before})\W{0,3}$")
        self.year_before = expression(r"\b{year_before}\W{0,3}$")
        self.day_before = expression(r"\b{day_before}\W{0,3}$")
        self.score_after = expression(r"\s*{score_after}|[/.]\d")
        self.score_before = expression(r"\b{score_before}\W{0,2}$|\d[-x]$")
        self.title_before = expression(
            r"\b(?:{title_before}|{language.kinship})\W{1,3}$|\b{titles_before}$|"
            r"(?-i:\b[A-Z]\.\s?$|[A-Z]{2,},\s?$)"
        )
        self.person_after = expression(
            r",?\s*{degree_after}|(?-i:,\s?[A-Z]{2,}\b)|,\s\d+\b|{person_after}|"
            r"{possessive}\s{language.kinship}|\s\({language.kinship}"
        )
        self.agent_before = expression(r"\b{agent_before}\s$")
        self.thing_before = expression(r"\b{thing_before}\s$")
        self.illness_before = expression(r"\b{illness_before}\s$")
        self.illness_after = expression(r"(?:['’]s?)?[\s-]+{illness_after}|\s{device_after}")
        self.secondary_to = expression("{secondary_to}")
        self.state_or_degree = language.expression("{state_or_degree}")
        self.state_or_word = language.expression("{state_or_word}")
        postal_code = language.places.postal_code or r"(?!)"
        self.postal_code_after = re.compile(rf"[.,]?\s+{postal_code}\b", re.IGNORECASE)


_cues = cache(_ContextCues)


def context_certainty(text: str, span: Span, kind: EntityKind, language: Language) -> float:
    """Return from 0 to 1 how likely a doubtful text at `span` is PHI of this kind."""
    before = text[max(0, span.start - _AROUND) : span.start]
    after = text[span.end : span.end + _AROUND]
    cues = _cues(language)
    if kind is EntityKind.AGE:
        return _age(cues, before, after, span.text_in(text))
    if kind is EntityKind.DATE:
        return _date(cues, before, after, span.text_in(text))
    if kind in (EntityKind.PERSON, EntityKind.USERNAME):
        return _name(cues, before, after, span.text_in(text))
    if kind.is_place:
        return _place(cues, before, after, span.text_in(text), kind)
    return _number(cues, before, after)


def _number(cues: _ContextCues, before: str, after: str) -> float:
    if cues.number_before.search(before):
        return SUPPORTED
    measured = cues.counted_after.match(after) or _MEASURED_BEFORE.search(before)
    return CONTRADICTED if measured else NEUTRAL


def _age(cues: _ContextCues, before: str, after: str, text: str) -> float:
    listed = bool(_LISTED.match(after) and _LINE_START.search(before) and re.match("1?.$", text))
    if listed or _MEASURED_BEFORE.search(before):
        return CONTRADICTED
    if cues.age_after.match(after) or cues.age_before.search(before):
        return SUPPORTED
    if cues.family_before.search(before) and not cues.counted_after.match(after):
        return SUPPORTED
    if cues.counted_after.match(after) or cues.counted_before.search(before):
        return CONTRADICTED
    return DOUBTFUL if cues.verb_before.search(before) else NEUTRAL


def _date(cues: _ContextCues, before: str, after: str, text: str) -> float:
    if _YEAR.fullmatch(text):
        return _year(cues, before, after)
    if not any(char.isdigit() for char in text) or _SHORT_YEAR.fullmatch(text):
        return CONTRADICTED if text.islower() else NEUTRAL
    if cues.score_after.match(after) or (
        cues.secondary_to.fullmatch(text) and _SMALL_WORD_AFTER.match(after)
    ):
        return CONTRADICTED
    if cues.day_before.search(before):
        return SUPPORTED
    if cues.score_before.search(before) or not any(char in "/-" for char in text):
        return CONTRADICTED
    return NEUTRAL


def _year(cues: _ContextCues, before: str, after: str) -> float:
    if cues.counted_after.match(after) or _MEASURED_BEFORE.search(before):
        return CONTRADICTED
    return SUPPORTED if cues.year_before.search(before) else NEUTRAL


def _name(cues: _ContextCues, before: str, after: str, text: str) -> float:
    illness = cues.illness_after.match(after) or cues.illness_before.search(before)
    if illness or cues.thing_before.search(before) or text.islower():
        return CONTRADICTED
    if cues.title_before.search(before) or cues.person_after.match(after):
        return SUPPORTED
    if is_eponym(text) or (len(text) > _INITIALS and _SENTENCE_START.search(before)):
        return DOUBTFUL
    if len(text) <= _INITIALS and _VALUE_AFTER.match(after):
        return CONTRADICTED
    return SUPPORTED if cues.agent_before.search(before) else NEUTRAL


def is_titled(text: str, span: Span, language: Language) -> bool:
    """True where a title or a word for a person stands before `span`, or a degree after it."""
    cues = _cues(language)
    before = text[max(0, span.start - _AROUND) : span.start]
    return bool(cues.title_before.search(before) or cues.person_after.match(text, span.end))


def _place(cues: _ContextCues, before: str, after: str, text: str, kind: EntityKind) -> float:
    if text.islower() or _HEADING_AFTER.match(after):
        return CONTRADICTED
    if kind is EntityKind.STATE:
        if cues.state_or_degree.fullmatch(text) and _LATE_NAME.search(before):
            return CONTRADICTED
        coded = cues.postal_code_after.match(after) and not cues.state_or_word.fullmatch(text)
        return SUPPORTED if coded or _CAPITAL_COMMA.search(before) else CONTRADICTED
    return NEUTRAL
