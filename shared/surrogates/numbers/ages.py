"""Ages: kept below 90, 90 from there on, and the patient's other ages moved down as far."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from shared.language.languages import Language, alternatives, known_languages, language
from shared.language.name_lists import name_lists
from shared.surrogates.mentions import PhiMention, Surrogate
from shared.text.spelling import match_case, match_key

NO_AGE = "no age could be recognised here"
OLDEST = 90
_NOBODY_IS_OLDER = 125

_NUMBER = re.compile(r"\d+")
_DECADE = re.compile(r"['’]?s\b")
_YEAR_SIGNS = "'’‘`´′"
_QUOTED = re.compile(rf"\s*[\w\s-]*[{_YEAR_SIGNS}](?!\w)")


@dataclass(frozen=True, slots=True)
class AgeText:
    """An age as written: its years, None where there are none, and where they stand."""

    years: int | None
    start: int = 0
    end: int = 0
    form: str = "digits"


def replace_ages(
    mentions: Sequence[PhiMention], years_of_records: Mapping[str, int], language: Language
) -> dict[int, Surrogate]:
    """Return the surrogates of a patient's ages by number of the mention.

    `years_of_records` is the year that each record was written in, where its dates tell; by it the
    patient's own ages are told from those of relatives: they grow with the records.
    """
    ages = {each.number: read_age(each.text, language) for each in mentions}
    own = _own(mentions, ages, years_of_records, language)
    oldest = max((ages[number].years or 0 for number in own), default=0)
    down = max(0, oldest - OLDEST)
    return {
        each.number: _surrogate(
            each, ages[each.number], down if each.number in own else 0, language
        )
        for each in mentions
    }


def read_age(text: str, language: Language) -> AgeText:
    """Read the years in digits or the language's words; ages in months or days have none."""
    if _expressions(language).young.search(text):
        return AgeText(0)
    found = _NUMBER.search(text)
    if found:
        decade = _DECADE.match(text[found.end() :])
        return AgeText(int(found[0]), found.start(), found.end(), "decade" if decade else "digits")
    return _read_words(text, _number_words(language))


def _surrogate(mention: PhiMention, age: AgeText, down: int, language: Language) -> Surrogate:
    is_date = is_year(mention.text, language, mention.before, mention.after)
    if is_date or not _is_age(mention.text, age, language):
        return Surrogate(mention.placeholder, "age unread", (NO_AGE,))
    if age.years is None:
        return Surrogate(mention.text, "age")  # `elderly`
    new = min(OLDEST, max(0, age.years - down) if age.form != "decade" else age.years)
    if new == age.years:
        return Surrogate(mention.text, "age")
    written = str(new) if age.form in {"digits", "decade"} else _in_words(new, language)
    old = mention.text[age.start : age.end]
    text = mention.text[: age.start] + match_case(written, old) + mention.text[age.end :]
    group = "age of 90 or more" if age.years >= OLDEST else "age moved down"
    return Surrogate(text, group)


def may_stay(text: str, language: Language) -> bool:
    """True for an age below 90, or one without a number."""
    age = read_age(text, language)
    return _is_age(text, age, language) and (age.years or 0) < OLDEST


def is_age(text: str, language: Language) -> bool:
    """False where a text has words or numbers that no age has."""
    return _is_age(text, read_age(text, language), language)


def _is_age(text: str, age: AgeText, language: Language) -> bool:
    """False where words or numbers that no age has would stay: `7-Oct-1998`, `Dr. Long, 46`."""
    said = _expressions(language)
    numbers, allowed = len(_NUMBER.findall(text)), 0 if age.years is None else 1
    if said.young.search(text):
        allowed = 2  # `2 years and 3 months`
    if numbers > allowed or (age.years or 0) > _NOBODY_IS_OLDER or is_year(text, language):
        return False
    rest = said.units.sub(" ", text[: age.start] + " " + text[age.end :])
    words = re.findall(r"[^\W\d_]{2,}", rest)
    if age.years is None and not any(match_key(each) in _stages(language) for each in words):
        return False
    known, other = _known_beside_ages(language)
    if age.years is None:  # `M. Turner`, though a turner is a word
        known = known - ({match_key(word) for word in words if word[0].isupper()} & other)
    return all(match_key(word) in known for word in words)


def is_year(text: str, language: Language, before: str = "", after: str = "") -> bool:
    """True where the first number is made a year by what stands before it: `'64`, `since 64`."""
    said, digits = _expressions(language), _NUMBER.search(text)
    if digits is None:
        return False
    before += text[: digits.start()]
    behind = text[digits.end() :] + after
    if said.current.match(behind) or _DECADE.match(behind):
        return False
    is_signed = before.endswith(tuple(_YEAR_SIGNS)) and not _QUOTED.match(behind)
    return is_signed or bool(said.since.search(before))


def _own(
    mentions: Sequence[PhiMention],
    ages: Mapping[int, AgeText],
    years: Mapping[str, int],
    language: Language,
) -> set[int]:
    """The numbers of the mentions that are ages of the patient.

    Those are by which the year of birth is the one that most of them give, and those of the past
    that no relative stands by.
    """
    said = _expressions(language)

    def is_kin(mention: PhiMention) -> bool:
        return bool(said.kin.search(re.split(r"[.;\n]\s", mention.before[-60:])[-1]))

    births: Counter[int] = Counter()
    for each in mentions:
        age = ages[each.number].years
        if age and each.record_id in years and not is_kin(each):
            births[years[each.record_id] - age] += 2 if said.current.match(each.after) else 1
    if not births:
        return {each.number for each in mentions if not is_kin(each)}
    best = max(births, key=lambda year: births[year] + births[year - 1] + births[year + 1])
    own: set[int] = set()
    for each in mentions:
        age = ages[each.number].years
        year = years.get(each.record_id)
        fits = age is not None and year is not None and abs(year - age - best) <= 1
        if (fits and (not is_kin(each) or (age or 0) < OLDEST)) or (
            said.past.search(each.before) and not is_kin(each)
        ):
            own.add(each.number)
    return own


@dataclass(frozen=True, slots=True)
class _AgeExpressions:
    """What stands in an age of months or days, behind years, before years that were, for kin."""

    young: re.Pattern[str]
    current: re.Pattern[str]
    past: re.Pattern[str]
    kin: re.Pattern[str]
    units: re.Pattern[str]
    """What stands beside the number of an age."""
    since: re.Pattern[str]
    """What stands before years: `since`."""


@cache
def _expressions(language: Language) -> _AgeExpressions:
    ages, dates = language.ages, language.dates
    after = "|".join((alternatives(ages.units), *ages.after))
    before = "|".join(("(?!)", *ages.before))
    return _AgeExpressions(
        re.compile(rf"(?i)\b{alternatives(ages.young_units)}\b"),
        re.compile(rf"(?i)[\s-]*(?:{after})"),
        re.compile(rf"(?i)\b(?:{before})\s+$"),
        re.compile(rf"(?i)\b{alternatives(language.kinship)}\b"),
        re.compile(rf"(?i){after}|\b(?:{before})\b|\b{alternatives(ages.young_units)}\b"),
        re.compile(
            rf"(?i)\b{alternatives(dates.since)}\s+(?:{alternatives(dates.before_day)}\s+)?$"
        ),
    )


@cache
def _known_beside_ages(language: Language) -> tuple[frozenset[str], frozenset[str]]:
    """Words that may stand in an age, and those that are names or of the calendar, folded."""
    dates = (language.month_numbers, language.weekday_numbers, language.season_numbers)
    calendar = {match_key(word) for each in dates for word in each}
    words = {*map(match_key, (*language.common_words, *language.kinship))}
    known = (words | _number_words(language).keys()) - calendar | _stages(language)
    return frozenset(known), name_lists(language).at_home.union(calendar)


@cache
def _stages(language: Language) -> frozenset[str]:
    """Words for a time of life, folded."""
    return frozenset(map(match_key, language.ages.stages))


@cache
def _number_words(own: Language) -> Mapping[str, int]:
    """Numbers by word, folded, of every known language, where two have one, of the records' own."""
    others = [language(code) for code in known_languages() if code != own.code]
    return {word: value for each in (*others, own) for word, value in _words_of(each)}


def _words_of(each: Language) -> Iterator[tuple[str, int]]:
    """Numbers by word; those that the language writes in one word are put together."""
    words = each.ages.words
    for form in each.ages.forms:
        for tens, ten in _between(words, 20, 99):
            for ones, one in _between(words, 1, 9):
                written = match_key(form.format(tens=tens, ones=ones))
                if written.isalpha():
                    yield written, ten + one
    yield from ((match_key(word), number) for word, number in words.items())


def _between(words: Mapping[str, int], low: int, high: int) -> list[tuple[str, int]]:
    return [(word, number) for word, number in words.items() if low <= number <= high]


def _read_words(text: str, values: Mapping[str, int]) -> AgeText:
    """The sum of the words that are numbers, from the first to the last; `eighties` is 80."""
    words = list(re.finditer(r"[^\W\d_]+", text))
    numbers = [_value(match_key(word[0]), values) for word in words]
    known = [at for at, value in enumerate(numbers) if value is not None]
    if not known:
        return AgeText(None)
    years = sum(value for value in numbers if value is not None)
    start, end = words[known[0]].start(), words[known[-1]].end()
    if match_key(words[known[-1]][0]) not in values:
        return AgeText(min(years, OLDEST - 1), start, end, "decade words")
    return AgeText(years, start, end, "words")


def _value(word: str, values: Mapping[str, int]) -> int | None:
    return values.get(word.removesuffix("ies") + "y" if word.endswith("ies") else word)


def _in_words(years: int, language: Language) -> str:
    """A number in words; in digits where the language has none for it."""
    by_number = {number: word for word, number in reversed(list(language.ages.words.items()))}
    if years in by_number:
        return by_number[years]
    parts = by_number.get(years // 10 * 10), by_number.get(years % 10)
    if not language.ages.forms or None in parts:
        return str(years)
    return language.ages.forms[0].format(tens=parts[0], ones=parts[1])
