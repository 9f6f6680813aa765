"""What Safe Harbor lets stay of a PHI, and placeholders for all else: 45 CFR 164.514(b)(2).

Of dates the year stays, of ages those below 90, of postal codes the first digits where enough
people live there, and what the list of identifiers does not name: countries, states, professions,
relatives by what they are. The populated areas are those of the Census of 2000 in the guidance of
the Office for Civil Rights (26 November 2012), and lie in the folder of the language; of the codes
of other countries no such list is known, so nothing of them stays. Whatever stays is something
that the lists of the language know: what is only tagged as one becomes a placeholder.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random

from shared.language.languages import Language
from shared.language.region_lists import (
    names_country,
    postal_digits,
    region_codes,
    region_of_postal_code,
)
from shared.model import Patient
from shared.surrogates.dates.interpretation import InterpretedDate, read_dates
from shared.surrogates.dates.meaning import is_birth
from shared.surrogates.identities import identities_of
from shared.surrogates.mentions import PhiMention, Surrogate
from shared.surrogates.numbers.ages import OLDEST, is_age, read_age
from shared.surrogates.people.kinship import all_known, family_words, may_be_name
from shared.surrogates.splice import ArticleRule
from shared.surrogates.surrogate_kinds import SurrogateKind, SurrogateSettings
from shared.surrogates.tags import numbered
from shared.text.spelling import match_key

OVER_89 = "90+"
NO_POSTAL_CODE = "000"

_WORD = re.compile(r"[^\W\d_]+")
_YEARS = re.compile(r"(?:18|19|20|21)\d\ds?(?:\s*[-–/]\s*(?:18|19|20|21)\d\ds?)?")
_SIGN_OF_SEX = 2
_YEAR_ROLES = frozenset({"year", "decade"})


def safe_harbor(
    patient: Patient,
    mentions: Sequence[PhiMention],
    settings: SurrogateSettings,
    _randomness: Random,
) -> dict[int, Surrogate]:
    """Return what stands for every mention: as much of it as may stay, else a placeholder."""
    kept = _Kept(mentions, settings)
    found = {each.number: surrogate for each in mentions if (surrogate := kept.of(each))}
    identities = identities_of(patient, mentions, settings)
    others = [each for each in mentions if each.number not in found]
    order = [identities[each.number] for each in others if each.number in identities]
    return found | numbered(others, identities, order)


class _Kept:
    """What may stay of one patient's mentions."""

    def __init__(self, mentions: Sequence[PhiMention], settings: SurrogateSettings) -> None:
        self._language = settings.language
        self._hipaa = settings.kinds.hipaa
        ages = [each for each in mentions if each.kind is SurrogateKind.AGE]
        is_old = any(_years(each, self._language) >= OLDEST for each in ages)
        dates = [each for each in mentions if each.kind is SurrogateKind.DATE]
        self._dates = years_of_dates(dates, self._language, is_old=is_old)

    def of(self, mention: PhiMention) -> Surrogate | None:
        """What stays, None where nothing may."""
        kind, text = mention.kind, mention.text
        if kind is SurrogateKind.DATE:
            return _shown(text, self._dates.get(mention.number, ""))
        if kind is SurrogateKind.AGE:
            return _shown(text, _age(text, self._language))
        digits = self._postal_code(mention)
        if digits:
            return _shown(text, digits)
        if mention.tag.phi_type in self._hipaa:
            return self._country(mention) if kind is SurrogateKind.TERRITORY else None
        return _shown(text, text) if self._may_stay(mention) else None

    def _country(self, mention: PhiMention) -> Surrogate | None:
        is_country = names_country(mention.text, self._language)
        return _shown(mention.text, mention.text) if is_country else None

    def _may_stay(self, mention: PhiMention) -> bool:
        language, text = self._language, mention.text
        if mention.kind in (SurrogateKind.COUNTRY, SurrogateKind.TERRITORY):
            return bool(names_country(text, language))
        if mention.kind is SurrogateKind.STATE:
            return _is_state(text, language)
        words = _WORD.findall(text)
        if any(map(str.isdigit, text)) or any(may_be_name(word, language) for word in words):
            return False
        if mention.kind in (SurrogateKind.KEEP, SurrogateKind.RELATIVE):
            is_sign = mention.kind is SurrogateKind.KEEP and len("".join(words)) <= _SIGN_OF_SEX
            return is_sign or all_known(words, family_words(language) | _ordinary(language))
        is_profession = mention.kind is SurrogateKind.PROFESSION
        return is_profession and all_known(words, _professions(language) | _ordinary(language))

    def _postal_code(self, mention: PhiMention) -> str:
        """The first digits of a postal code, as many as may stay; "" where it is none."""
        language, sparse = self._language, self._language.places.sparse_postal_codes
        if mention.kind not in (SurrogateKind.ZIP, SurrogateKind.TERRITORY) or not sparse:
            return ""
        digits = postal_digits(mention.text, language)
        if len(language.codes) > 1 or not region_of_postal_code(digits, language):
            return ""
        kept = digits[: len(sparse[0])]
        return NO_POSTAL_CODE if kept in sparse else kept


def _shown(text: str, new: str) -> Surrogate | None:
    """What stays of a text; where that is all of it, it counts as kept, not as replaced."""
    return Surrogate(new, new, kept=match_key(new) == match_key(text)) if new else None


def _age(text: str, language: Language) -> str:
    """An age as it may stay, "" where it is none; `nineties` is one above 89, too."""
    age = read_age(text, language)
    if not is_age(text, language) or (age.form == "decade words" and age.years == OLDEST - 1):
        return ""
    if (age.years or 0) < OLDEST:
        return text
    if age.form == "decade":
        return ""
    return text[: age.start] + OVER_89 + text[age.end :]


def _years(mention: PhiMention, language: Language) -> int:
    age = read_age(mention.text, language)
    return age.years or 0 if is_age(mention.text, language) else 0


def years_of_dates(
    mentions: Sequence[PhiMention], language: Language, *, is_old: bool
) -> dict[int, str]:
    """Return the years of dates that tell one, by number of the mention.

    A year 90 years and more before the patient's latest tells an age above 89 and is left out, and
    so is that of a birth where somebody in the records `is_old`.
    """
    read = read_dates(mentions, language)
    latest = max((year for each in read.values() for year in _read_years(each)), default=0)
    found: dict[int, str] = {}
    for mention in mentions:
        years = _read_years(read[mention.number])
        tells_age = any(year <= latest - OLDEST for year in years)
        if years and not tells_age and not (is_old and is_birth(mention, language)):
            found[mention.number] = _written(mention.text, years)
    return found


def _read_years(text: InterpretedDate) -> list[int]:
    """The years that a date tells, in order.

    None where something in it could not be read, and where it names a decade without its century.
    """
    told = [each for each in text.readings if each.expression.roles & _YEAR_ROLES]
    decades = [each for each in told if "decade" in each.expression.roles]
    if not text.read or (decades and not _YEARS.fullmatch(text.text.text)):
        return []
    return list(dict.fromkeys(each.day.year for each in told))


def _written(text: str, years: Iterable[int]) -> str:
    """The years alone; what is nothing else stays as it is written: `1997`, `1990s`."""
    return text if _YEARS.fullmatch(text) else " - ".join(map(str, years))


def _ordinary(language: Language) -> frozenset[str]:
    return language.common_words | language.stopwords


def _is_state(text: str, language: Language) -> bool:
    """True for a state of the language's first country, where its regions are no smaller."""
    code = region_codes(language).get(match_key(text).strip(". "), "")
    region = language.regions.get(code)
    return bool(
        region and language.places.regions_are_states and region.country == language.country
    )


@cache
def _professions(language: Language) -> frozenset[str]:
    """The words of all professions that the language has, folded."""
    every = (phrase for phrases in language.professions.values() for phrase in phrases)
    return frozenset(word for phrase in every for word in _WORD.findall(match_key(phrase)))


def before_year(mention: PhiMention, language: Language) -> ArticleRule:
    """Set the words before a date right that has become a year: `on` is `in` before 1997."""

    def agreed(before: str, _old: str, new: str) -> str:
        if mention.kind is not SurrogateKind.DATE or not new[:1].isdigit() or mention.text == new:
            return before
        return _instead(before, language)

    return agreed


def _instead(before: str, language: Language) -> str:
    pairs = _words_before(language)
    found = pairs.pattern.search(before)
    if found is None:
        return before
    new = pairs.instead[" ".join(found["words"].lower().split())]
    cased = new[:1].upper() + new[1:] if found["words"][0].isupper() else new
    return before[: found.start("words")] + (cased + found["gap"] if new else "")


@dataclass(frozen=True, slots=True)
class _WordsBefore:
    pattern: re.Pattern[str]
    instead: Mapping[str, str]


@cache
def _words_before(language: Language) -> _WordsBefore:
    pairs = {
        old: new for old, _, new in (each.partition("=") for each in language.dates.before_year)
    }
    longest = sorted(pairs, key=lambda each: -len(each))
    words = "|".join(re.escape(each).replace(r"\ ", r"\s+") for each in longest) or "(?!)"
    return _WordsBefore(re.compile(rf"(?i)(?<![^\W_])(?P<words>{words})(?P<gap>\s+)$"), pairs)
