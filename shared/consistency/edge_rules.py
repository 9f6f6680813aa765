"""The rules of the guidelines on where a tag begins and ends."""

import re

from shared.consistency.rule_notes import GuidelineNote, GuidelineRule, TagInText
from shared.language.ambiguity import is_common_word
from shared.language.date_grammar import parse
from shared.language.date_mentions import dates_of
from shared.language.languages import Language
from shared.language.occurrences import edge_kind, is_whole_token
from shared.model import EntityKind, Span
from shared.model.phi_traits import PLACES
from shared.text.words import snapped

_ABBREVIATED = r"(?i)(?:^|[^\w])(?:[^\W\d_]|[^\W\d_]{1,2}\.\s?[^\W\d_]{1,2}|{abbreviations})\.$"
_STOPS = " \t\n\r\f\v\xa0\u3000,;:!?*#/\\|-–—=+.…。，、；：！？．،؛؟۔।"
"""White space, and what ends or parts sentences in any script."""
_LEADING = f"{_STOPS})]}}>）】」』》〉〕"
_TRAILING = f"{_STOPS}([{{<（【「『《〈〔¿¡'\"“”‘’"
_QUOTES = "\"'”’"
_NUMBER_AFTER_BRACKET = re.compile(r"\)[ /-]?\d")
_HALF_BEFORE = re.compile(r"(?<![^\W\d_])(?P<word>[^\W\d_]+)-(?:\n[ \t]*)?$")
_HALF_AFTER = re.compile(r"-(?:\n[ \t]*)?(?P<word>[^\W\d_]+)(?![^\W\d_])")
_LONGEST_WORD = 40
_DATE_REACH = 16
_WORDED = frozenset({EntityKind.PERSON, EntityKind.PROFESSION, EntityKind.DATE, *PLACES})
"""What consists of words."""


def edge(here: TagInText) -> GuidelineNote | None:
    tag = here.tag
    start, end = _without_marks(here)
    if (start, end) == (tag.start, tag.end):
        return None
    fix = ((Span(start, end), tag.phi_type),) if start < end else ()
    return GuidelineNote(GuidelineRule.EDGE, "punctuation or white space stands at an edge", fix)


def _without_marks(here: TagInText) -> tuple[int, int]:
    text, tag = here.text, here.tag
    start, end = tag.start, tag.end
    while start < end and text[start] in _LEADING and not _is_sign(text, start):
        start += 1
    while end > start and text[end - 1] in _TRAILING and not _belongs(here, start, end):
        end -= 1
    if (
        start < end
        and text[start] == "("
        and not (")" in text[start:end] or _NUMBER_AFTER_BRACKET.match(text, end))
    ):
        start += 1
    if end > start and text[end - 1] in ")]" and not set("([") & set(text[start:end]):
        end -= 1
    return start, end


def _is_sign(text: str, at: int) -> bool:
    """True for the plus of a telephone number, and the dash before the rest of a number."""
    return text[at] in "-+" and text[at + 1 : at + 2].isdigit()


def _belongs(here: TagInText, start: int, end: int) -> bool:
    """True for the full stop of an abbreviation, and for what ends a web address."""
    text, kind = here.text, here.kind
    if text[end - 1] == ".":
        return here.language.expression(_ABBREVIATED).search(text[start:end]) is not None
    if text[end - 1] in _QUOTES:
        return text[end - 1] in text[start : end - 1] or "“" in text[start:end]
    if text[end - 1] == "-":  # a name that a line end cuts in two
        return text[end : end + 1] == "\n" and kind in (EntityKind.PERSON, EntityKind.USERNAME)
    return text[end - 1] in "/=#" and kind is EntityKind.URL


def cut_word(here: TagInText) -> GuidelineNote | None:
    text, tag = here.text, here.tag
    if is_whole_token(text, tag.start, tag.end):
        return None
    blanks = text[tag.start].isspace() or text[tag.end - 1].isspace()
    if blanks or "inside" not in (edge_kind(text, tag.start), edge_kind(text, tag.end)):
        return None
    span = snapped(text, tag.start, tag.end)
    if span is None or _is_typing_error(here, span):
        return None
    fix = ((span, tag.phi_type),)
    return GuidelineNote(GuidelineRule.CUT_WORD, "the tag begins or ends inside a word", fix, 0.7)


def _is_typing_error(here: TagInText, whole: Span) -> bool:
    """True where a word of its own is glued to the tag, as in `sinceMay`."""
    text, tag, language = here.text, here.tag, here.language
    outside = text[whole.start : tag.start], text[tag.end : whole.end]
    return all(is_common_word(word, language) for word in outside if word)


def broken_word(here: TagInText) -> GuidelineNote | None:
    """A tag on one half of a word that a hyphen, mostly at a line end, cuts in two."""
    text, tag = here.text, here.tag
    span = _with_other_halves(here)
    if span == tag.span or edge_kind(text, span.start) != "whole":
        return None
    why = "the word goes on beyond the hyphen, outside the tag"
    return GuidelineNote(GuidelineRule.BROKEN_WORD, why, ((span, tag.phi_type),), 0.8)


def _with_other_halves(here: TagInText) -> Span:
    text, tag = here.text, here.tag
    start, end = tag.start, tag.end
    low = max(0, start - _LONGEST_WORD)
    before = _HALF_BEFORE.search(text, low, start) if "-" in text[low:start] else None
    if before and _is_other_half(here, before["word"], text[start], at_line_end="\n" in before[0]):
        start = before.start("word")
    after = _HALF_AFTER.match(text, end - (text[end - 1] == "-"))
    if after:
        word = after["word"]
        if _is_other_half(here, word, word[0], at_line_end="\n" in after[0]):
            end = after.end("word")
    return Span(start, end)


def _is_other_half(here: TagInText, word: str, first: str, *, at_line_end: bool) -> bool:
    """True where `word` belongs to the word at the edge of the tag; `first` begins what follows.

    Small letters go on with a word that the line end cuts; a capital, with a name of two.
    """
    language = here.language
    if first.islower():
        return at_line_end and here.kind in _WORDED and not _is_word(here, word)
    is_name = here.kind is EntityKind.PERSON and word[0].isupper() and len(word) > 1
    return is_name and word.lower() not in no_names(language)


def _is_word(here: TagInText, word: str) -> bool:
    """True where what follows a hyphen is a word of its own, as in `Boston-based`."""
    elsewhere = len(re.findall(rf"(?<![\w-]){word}(?![\w-])", here.text))
    return is_common_word(word, here.language) or elsewhere > 1


def no_names(language: Language) -> frozenset[str]:
    names = language.names
    return frozenset((*names.degrees, *names.suffixes, *names.staff)) | language.titles


def date_part(here: TagInText) -> GuidelineNote | None:
    """A tag on the day of a date of which the year stands beside it."""
    tag = here.tag
    whole = _year_of_season(here) or _longer_date(here)
    if whole is None:
        return None
    why = "the rest of the date stands outside the tag"
    return GuidelineNote(GuidelineRule.DATE_PART, why, ((whole, tag.phi_type),), 0.8)


def _longer_date(here: TagInText) -> Span | None:
    """The date with a year of which the tag is a part."""
    text, tag = here.text, here.tag
    low, high = max(0, tag.start - _DATE_REACH), tag.end + _DATE_REACH
    for each in dates_of(text[low:high], here.language):
        whole = Span(low + each.start, low + each.end)
        # none that begins or ends only because the text was cut there
        is_whole = each.has_year and is_whole_token(text, whole.start, whole.end)
        if is_whole and whole != tag.span and whole.contains(tag.span):
            return whole
    return None


def _year_of_season(here: TagInText) -> Span | None:
    """`spring of 2071` where the tag is on `spring`."""
    text, tag = here.text, here.tag
    if tag.span.text_in(text).lower() not in here.language.season_numbers:
        return None
    within = text[tag.start : tag.end + _DATE_REACH]
    first, *_ = parse(within, here.language).expressions
    end = tag.start + first.end
    has_year = first.roles == frozenset({"season", "year"}) and is_whole_token(text, tag.start, end)
    return Span(tag.start, end) if has_year else None
