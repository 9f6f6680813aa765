"""Which texts are likely to be something else too, wherever they stand."""

import re
from functools import cache

from guidelines import guideline_text
from shared.language.languages import Language, default_language, known_languages, language
from shared.model import Matching, PhiTraits
from shared.text.scripts import length_in_letters
from shared.text.spelling import match_key

_DAY_MONTH = re.compile(r"\d{1,2}[/-]\d{1,2}")
_ABBREVIATION = re.compile(r"[A-ZÀ-ÖØ-Þ]{1,3}")
_LEAST_DIGITS = 6
SHORT = 3
"""A text of so many letters may be something else in another case."""
_TOO_SHORT = "so short that it may mean something else"
_DEPARTMENT_WORD = re.compile(
    r"^(?:the|dept\.?(?: of)?|department of(?: the)?|division of|section of|service of)\s+|"
    r"\s+(?:department|dept\.?|unit|ward|service|services|clinic|division|section|floor|team)$"
)


_NAMING = {"month", "season", "street", "job", "disease"}
"""Classes whose words are names of people as well: August, Weber, Wilson."""


def ambiguity_reason(text: str, traits: PhiTraits, spoken: Language | None = None) -> str | None:
    """Say why `text` may be something else than PHI of this kind elsewhere; None for no reason.

    The reason is a clause without the text itself, such as "so short that it may mean something
    else". It says nothing about the place where the text is tagged, which may well be right.
    """
    bare = text.strip(" .,;:'’")
    single = len(text.split()) == 1
    reasons = (
        (_DAY_MONTH.fullmatch(bare), "may be a score, a dose or “secondary to”"),
        (_is_count(bare, traits), "a bare number may count something else"),
        (length_in_letters(bare) <= 2, _TOO_SHORT),
        (single and is_common_word(bare, spoken), "also a common word"),
        (single and is_eponym(bare, spoken), "also the name of a disease, a sign or a device"),
        (_ABBREVIATION.fullmatch(bare), "an abbreviation that may stand for something else"),
    )
    return next((reason for holds, reason in reasons if holds), None)


def other_case_reason(text: str, traits: PhiTraits, spoken: Language | None = None) -> str | None:
    """Say why `text` may be something else, where it is another case that is PHI."""
    short = length_in_letters(text) <= SHORT
    return ambiguity_reason(text, traits, spoken) or (_TOO_SHORT if short else None)


def _is_count(bare: str, traits: PhiTraits) -> bool:
    return bare.isdigit() and (len(bare) < _LEAST_DIGITS or traits.matching is Matching.NEVER)


def is_common_word(word: str, spoken: Language | None = None) -> bool:
    """True for words of notes that are names, places or dates as well."""
    return word.lower() in (spoken or default_language()).common_words


def is_eponym(word: str, spoken: Language | None = None) -> bool:
    """True for family names that diseases, signs, operations and devices are named after."""
    bare = word.lower().removesuffix("'s").removesuffix("’s")
    return bare in (spoken or default_language()).eponyms


def is_eponym_anywhere(word: str) -> bool:
    """True for what is an eponym in any language: physicians write of `Kocher` in all of them."""
    return any(is_eponym(word, language(code)) for code in known_languages())


@cache
def words_beside_names(language: Language) -> frozenset[str]:
    """Words that stand beside names and are no part of them, in small letters without accents."""
    names, places, dates = language.names, language.places, language.dates
    words = (
        *(*names.degrees, *names.suffixes, *names.staff, *language.titles, *language.kinship),
        *(*language.weekday_numbers, *dates.seasons, *language.month_numbers),
        *(*places.generic_words, *places.hospital_words, *places.organization_words),
        *(*places.department_words, *language.stopwords, *names.behind, *names.beside),
        *(
            *names.closings,
            *names.greetings,
            *names.form_labels,
            *names.family_name_labels,
            *names.given_name_labels,
        ),
    )
    return frozenset(map(match_key, words))


@cache
def words_of_notes(language: Language) -> frozenset[str]:
    """Words that notes in a language are made of and that name nobody, without accents."""
    names = language.names
    words = {*language.stopwords, *language.titles, *names.staff, *names.degrees}
    for kind, known in (*language.classes.items(), *language.clinical_classes.items()):
        words.update(() if kind in _NAMING else known)
    return frozenset(map(match_key, words - language.common_words - language.particles))


def is_generic_department(name: str, spoken: Language | None = None) -> bool:
    """True for the units that every hospital has.

    English ones are those that the annotation guidelines list; a language may list others.
    """
    if name.lower().strip() in (spoken or default_language()).places.generic_departments:
        return True
    plain = _plain_department(name)
    return bool(plain) and (plain in _generic_departments() or _core(plain) in _generic_cores())


@cache
def _generic_departments() -> frozenset[str]:
    """The list at the end of the annotation guidelines, abbreviations included."""
    section = guideline_text("annotation_guidelines").partition("## Generic departments")[2]
    names: set[str] = set()
    for cell in re.findall(r"(?<=\|)[^|\n]+(?=\|)", section.partition("\n## ")[0]):
        whole = cell.strip()
        short = re.findall(r"\(([^)]+)\)", whole)
        long = re.sub(r"\s*\([^)]*\)", "", whole)
        names.update(map(_plain_department, [*short, long]))
        if " and " not in long:
            names.update(map(_plain_department, long.split(",")))
    return frozenset(name for name in names if name.strip("- "))


@cache
def _generic_cores() -> frozenset[str]:
    return frozenset(_core(name) for name in _generic_departments())


def _plain_department(name: str) -> str:
    """In small letters, one blank between words, spelt the American way."""
    words = re.sub(r"[\s.,&-]+", " ", name.lower()).strip()
    return words.replace("ae", "e").replace(" and ", " ")


def _core(plain: str) -> str:
    while (shorter := _DEPARTMENT_WORD.sub("", plain)) != plain:
        plain = shorter
    return plain
