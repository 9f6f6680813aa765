"""Findings about names of people of which a part is outside the tag, or in a tag of its own."""

import re
from collections.abc import Iterator
from functools import cache

from shared.consistency.findings import Finding, FindingKind
from shared.consistency.patient_records import CheckedRecord, PatientRecords
from shared.language.ambiguity import is_common_word, words_beside_names
from shared.language.languages import Language
from shared.language.name_lists import name_lists
from shared.model import Span, Tag
from shared.text.spelling import match_key, without_accents

_WORD_BEFORE = re.compile(r"(?<![\w.,'’-])(?P<word>[^\W\d_]{2,}|[^\W\d_]\.)[ ]$")
_WORD_AFTER = re.compile(r"[ ](?P<word>[^\W\d_]{2,})(?![\w'’-])(?!\s?[:/])")
_REACH = 40
_SURE = 0.7


def name_findings(patient: PatientRecords) -> Iterator[Finding]:
    """Yield a finding for each tag on a person beside which another word of the name stands."""
    for record in patient.records:
        for tag in record.tags:
            if not patient.schema.traits_of(tag.phi_type).is_name:
                continue
            other = _other_tag(record, tag)
            span = Span(tag.start, other.end) if other else _whole_name(record, tag)
            if span != tag.span:
                why = "this name is in two tags" if other else "part of the name is outside the tag"
                kind, fix = FindingKind.BOUNDARY, ((span, tag.phi_type),)
                yield record.finding(tag.span, tag.phi_type, kind, why, _SURE, (), fix)


def _other_tag(record: CheckedRecord, tag: Tag) -> Tag | None:
    """The tag of the same type that goes on with the name behind a blank."""
    after = _WORD_AFTER.match(record.text, tag.end)
    there = record.tags_in(*after.span("word")) if after else []
    if len(there) != 1 or there[0].start != tag.end + 1 or there[0].phi_type != tag.phi_type:
        return None
    one, other = (each.span.text_in(record.text) for each in (tag, there[0]))
    is_new = "," not in one + other and not set(one.split()) & set(other.split())
    return there[0] if is_new and one.isupper() == other.isupper() else None


def _whole_name(record: CheckedRecord, tag: Tag) -> Span:
    """The name with the words of it beside the tag that no tag touches."""
    text, start, end = record.text, tag.start, tag.end
    blank = text.rfind(" ", max(0, start - _REACH), max(0, start - 1))
    before = _WORD_BEFORE.search(text, max(0, start - _REACH, blank), start)
    after = _WORD_AFTER.match(text, end)
    if before and _goes_before(record, tag, before["word"], before.start("word")):
        start = before.start("word")
    if after and _goes_after(record, tag, after["word"], after.end("word")):
        end = after.end("word")
    return Span(start, end)


def _goes_before(record: CheckedRecord, tag: Tag, word: str, start: int) -> bool:
    """True for a given name or an initial before the tag: between it and a title, or well known."""
    if record.is_tagged(start, tag.start) or not _is_like(record, tag, word):
        return False
    if _is_titled(record, start):
        first = match_key(re.split(r"\W", tag.span.text_in(record.text))[0])
        is_title = word.rstrip(".").lower() in record.language.titles
        return not (is_title and first in _given_names(record.language))  # `Dr. D. Xavier`
    return _is_listed(word, _given_names(record.language), record.language)


def _goes_after(record: CheckedRecord, tag: Tag, word: str, end: int) -> bool:
    """True for a family name after the tag: a well known one, or one after title and given name."""
    if record.is_tagged(tag.end, end) or not _is_like(record, tag, word):
        return False
    language, inside = record.language, tag.span.text_in(record.text)
    if "," in inside or is_common_word(word, language):
        return False
    first = inside.split()[0]
    is_given = _is_listed(first, _given_names(language), language)
    titled = is_given and " " not in inside and _is_titled(record, tag.start)
    return titled or (is_given and _is_listed(word, name_lists(language).family_names, language))


def _is_like(record: CheckedRecord, tag: Tag, word: str) -> bool:
    """True where a word has capitals as the tag has, and is none that names stand beside."""
    is_name = word[0].isupper()
    if len(word) > 1 and not word.endswith("."):
        is_name = is_name and word.isupper() == record.text[tag.start : tag.end].isupper()
    return is_name and match_key(word) not in words_beside_names(record.language)


def _is_titled(record: CheckedRecord, start: int) -> bool:
    before = record.text[max(0, start - _REACH) : start]
    return record.language.title_before.search(before) is not None


def _is_listed(word: str, names: frozenset[str], language: Language) -> bool:
    return without_accents(word).lower() in names and not is_common_word(word, language)


@cache
def _given_names(language: Language) -> frozenset[str]:
    lists = name_lists(language)
    return frozenset(lists.given_sexes) - lists.family_names
