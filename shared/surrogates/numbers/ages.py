"""Ages: kept below 90, 90 from there on, and the patient's other ages moved down as far."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from shared.surrogates.mentions import PhiMention, Surrogate
from shared.surrogates.wording import cased_like, folded

NO_AGE = "no age could be told in this"
OLDEST = 90

_ONES: Sequence[str] = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
).split()
_TENS: Sequence[str] = "_ _ twenty thirty forty fifty sixty seventy eighty ninety".split()
_ES_ONES: Sequence[str] = (
    "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince "
    "dieciseis diecisiete dieciocho diecinueve veinte veintiuno veintidos veintitres veinticuatro "
    "veinticinco veintiseis veintisiete veintiocho veintinueve"
).split()
_ES_TENS = {
    "treinta": 30, "cuarenta": 40, "cincuenta": 50, "sesenta": 60, "setenta": 70, "ochenta": 80,
    "noventa": 90, "cien": 100, "ciento": 100,
}  # fmt: skip
_VALUES = (
    {word: number for number, word in enumerate(_ES_ONES)}
    | {word: number for number, word in enumerate(_ONES)}
    | {word: 10 * number for number, word in enumerate(_TENS) if number > 1}
    | {"hundred": 99, "un": 1}
    | _ES_TENS
)
_ES_ACCENTS = {"dieciseis": "dieciséis", "veintidos": "veintidós", "veintitres": "veintitrés",
               "veintiseis": "veintiséis"}  # fmt: skip
_NUMBER = re.compile(r"\d+")
_YOUNG = re.compile(
    r"(?i)\b(?:months?|weeks?|days?|hours?|mes|meses|d[ií]as?|semanas?|horas?|mo)\b"
)
_KIN = re.compile(
    r"(?i)\b(?:mother|father|brother|sister|son|daughter|aunt|uncle|wife|husband|spouse|grand\w+|"
    r"cousin|niece|nephew|parents?|sibling|mom|dad|madre|padre|hij[oa]s?|herman[oa]s?|abuel[oa]s?|"
    r"espos[oa]|t[ií][oa]s?|prim[oa]s?)\b"
)


@dataclass(frozen=True, slots=True)
class AgeText:
    """An age as written: its years, None where there are none, and where they stand."""

    years: int | None
    start: int = 0
    end: int = 0
    form: str = "digits"


def replace_ages(
    mentions: Sequence[PhiMention], years_of_records: Mapping[str, int]
) -> dict[int, Surrogate]:
    """Return the surrogates of a patient's ages by number of the mention.

    `years_of_records` is the year that each record was written in, where its dates tell; by it the
    patient's own ages are told from those of relatives: they grow with the records.
    """
    ages = {each.number: read_age(each.text) for each in mentions}
    own = _own(mentions, ages, years_of_records)
    oldest = max((ages[number].years or 0 for number in own), default=0)
    down = max(0, oldest - OLDEST)
    return {
        each.number: _surrogate(each, ages[each.number], down if each.number in own else 0)
        for each in mentions
    }


def read_age(text: str) -> AgeText:
    """Read the years in digits or words, English or Spanish; ages in months or days have none."""
    if _YOUNG.search(text):
        return AgeText(0)
    found = _NUMBER.search(text)
    if found:
        decade = re.match(r"['’]?s\b", text[found.end() :])
        return AgeText(int(found[0]), found.start(), found.end(), "decade" if decade else "digits")
    return _in_words(text)


def _surrogate(mention: PhiMention, age: AgeText, down: int) -> Surrogate:
    if age.years is None:
        if not any(char.isdigit() for char in mention.text):
            return Surrogate(mention.text, "age")
        return Surrogate(mention.placeholder, "age unread", (NO_AGE,))
    new = min(OLDEST, max(0, age.years - down) if age.form != "decade" else age.years)
    if new == age.years:
        return Surrogate(mention.text, "age")
    written = str(new) if age.form in {"digits", "decade"} else _words(new, age.form)
    old = mention.text[age.start : age.end]
    text = mention.text[: age.start] + cased_like(written, old) + mention.text[age.end :]
    return Surrogate(text, "age of 90 or more" if age.years >= OLDEST else "age moved down")


def _own(
    mentions: Sequence[PhiMention], ages: Mapping[int, AgeText], years: Mapping[str, int]
) -> set[int]:
    """The numbers of the mentions that are ages of the patient.

    Those are by which the year of birth is the one that most of them give, and those of the past
    that no relative stands by.
    """
    births: Counter[int] = Counter()
    for each in mentions:
        age = ages[each.number].years
        if age and each.record_id in years and not _is_kin(each):
            births[years[each.record_id] - age] += 2 if _is_current(each) else 1
    if not births:
        return {each.number for each in mentions if not _is_kin(each)}
    best = max(births, key=lambda year: births[year] + births[year - 1] + births[year + 1])
    own: set[int] = set()
    for each in mentions:
        age = ages[each.number].years
        year = years.get(each.record_id)
        fits = age is not None and year is not None and abs(year - age - best) <= 1
        if (fits and (not _is_kin(each) or (age or 0) < OLDEST)) or _is_past(each):
            own.add(each.number)
    return own


def _is_current(mention: PhiMention) -> bool:
    return bool(re.match(r"[\s-]*(?:y[./]?o|years?|yr|a[ñn]os)", mention.after, re.I))


def _is_kin(mention: PhiMention) -> bool:
    return bool(_KIN.search(re.split(r"[.;\n]\s", mention.before[-60:])[-1]))


def _is_past(mention: PhiMention) -> bool:
    words = mention.before.lower().split()
    past = words[-2:] in (["at", "age"], ["age", "of"], ["los"]) or words[-1:] == ["age"]
    return past and not _is_kin(mention)


def _in_words(text: str) -> AgeText:
    words = list(re.finditer(r"[^\W\d_]+", text))
    values = [_value(folded(word[0])) for word in words]
    numbers = [at for at, value in enumerate(values) if value is not None]
    if not numbers:
        return AgeText(None)
    first, last = numbers[0], numbers[-1]
    years = sum(value for value in values[first : last + 1] if value is not None)
    spanish = folded(words[first][0]) in _ES_ONES or folded(words[first][0]) in _ES_TENS
    form = "es" if spanish else "decade words" if words[last][0].lower().endswith("ies") else "en"
    if form == "decade words":
        return AgeText(min(years, OLDEST - 1), words[first].start(), words[last].end(), form)
    return AgeText(years, words[first].start(), words[last].end(), form)


def _value(word: str) -> int | None:
    """What a word adds to a number: 99 for `hundred`, which has `one` before it."""
    return _VALUES.get(word.removesuffix("ies") + "y" if word.endswith("ies") else word)


def _words(years: int, language: str) -> str:
    if language == "es":
        if years < 30:
            return _ES_ACCENTS.get(_ES_ONES[years], _ES_ONES[years])
        tens = next(word for word, value in _ES_TENS.items() if value == years // 10 * 10)
        return f"{tens} y {_ES_ONES[years % 10]}" if years % 10 else tens
    if years < 20:
        return _ONES[years]
    return _TENS[years // 10] + (f"-{_ONES[years % 10]}" if years % 10 else "")
