"""Words for relatives: a word for one identifies nobody and stays, a name beside it does not."""

import re
from collections.abc import Container, Iterable
from dataclasses import replace
from functools import cache

from shared.language.languages import Language
from shared.language.name_lists import name_lists
from shared.model import Patient
from shared.surrogates.drawing import RecordWords
from shared.surrogates.mentions import PhiMention, Surrogate
from shared.surrogates.numbers.ages import OLDEST, is_year, read_age
from shared.surrogates.surrogate_kinds import SurrogateKind, SurrogateSettings
from shared.text.spelling import match_case_by_word, match_key

_WORD = re.compile(r"[^\W\d_]+")


def with_named_relatives(
    mentions: Iterable[PhiMention], patient: Patient, settings: SurrogateSettings
) -> tuple[PhiMention, ...]:
    """Return the mentions, those of relatives that have a name in them as mentions of people."""
    spoken = settings.languages(each.text for each in patient.documents)
    languages = dict(zip((each.record_id for each in patient.documents), spoken, strict=True))
    return tuple(
        replace(each, kind=SurrogateKind.PERSON)
        if each.kind is SurrogateKind.RELATIVE and _has_name(each.text, languages[each.record_id])
        else each
        for each in mentions
    )


def is_only_kinship(text: str, language: Language) -> bool:
    """True for words that say what somebody is to the patient, with an age below 90 or without.

    `maternal aunt`, `two brothers`, `sister (59 years old)`; not `mother, a nurse`.
    """
    if is_year(text, language):
        return False
    words = _WORD.findall(text)
    numbers = [int(each) for each in re.findall(r"\d+", text)]
    oldest = max((read_age(text, language).years or 0, *numbers))
    known = family_words(language) | _words_beside(language)
    return oldest < OLDEST and not _has_name(text, language) and all_known(words, known)


def relative(mention: PhiMention, language: Language, words: RecordWords) -> Surrogate:
    """The word itself where it is no more than that; else the first word for a relative in it.

    Where there is none, one that says no more than that somebody is of the family, and is in no
    record.
    """
    text = mention.text
    if is_only_kinship(text, language):
        return Surrogate(text, "relative")
    kin = next((each for each in _WORD.findall(text) if match_key(each) in _kin(language)), "")
    plural = mention.words.partition(" ")[0].lower().endswith("s")
    choices = language.names.relatives_words if plural else language.names.relative_words
    new = kin or next((each for each in choices if each not in words), "")
    return Surrogate(match_case_by_word(new, text), "relative")


def all_known(words: Iterable[str], known: Container[str]) -> bool:
    """Whether there are words, and all, folded, are known."""
    keys = [match_key(word) for word in words]
    return bool(keys) and all(key in known for key in keys)


@cache
def family_words(language: Language) -> frozenset[str]:
    """What tells sex, age and place in a family, folded."""
    classes = (language.classes.get(name, ()) for name in ("sex", "life_stage", "kin_side"))
    return _kin(language) | frozenset(match_key(word) for each in classes for word in each)


def may_be_name(word: str, language: Language) -> bool:
    """True for `Baker`, which may be somebody's name, not for `baker`."""
    return word[0].isupper() and match_key(word) in name_lists(language).at_home


@cache
def _kin(language: Language) -> frozenset[str]:
    return frozenset(map(match_key, (*language.kinship, *language.classes.get("kin", ()))))


@cache
def _words_beside(language: Language) -> frozenset[str]:
    """Words beside one for a relative that tell nothing more, folded: `two`, `older`, `years`."""
    classes = (language.classes.get(name, ()) for name in ("number", "age_unit", "age_word"))
    words = (*language.names.relative_qualities, *language.ages.words, *language.ages.units)
    every = (*words, *language.ages.young_units, *(word for each in classes for word in each))
    return language.stopwords | frozenset(map(match_key, every))


def _has_name(text: str, language: Language) -> bool:
    """Whether a word with a capital is none of a relative; a word for one may begin a sentence."""
    known = family_words(language) | _words_beside(language)
    words = [each for each in _WORD.findall(text) if len(each) > 1]
    nouns = language.nouns_capitalised
    return any(
        word[0].isupper()
        and match_key(word) not in known
        and (not nouns or may_be_name(word, language))
        for word in words
    )
