"""Cities, states, postal codes and countries: the same place the same surrogate, and all agree."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from shared.surrogates.drawing import SurrogatePicker
from shared.surrogates.mentions import PhiMention, Surrogate
from shared.surrogates.numbers.identifiers import Identifiers, fill_format, value_of
from shared.surrogates.places.word_lists import (
    Country,
    city_regions,
    countries,
    country_forms,
    region_codes,
    regions,
)
from shared.surrogates.surrogate_kinds import SurrogateKind
from shared.surrogates.wording import cased_by_word, folded, plain

NO_COUNTRY = "the country or people could not be told"
_TRIES = 200
_NEAR = 24
"""A state or postal code this many characters behind a city belongs to it."""


class Geography:
    """The surrogates of one patient's cities, states, postal codes and countries."""

    def __init__(
        self,
        mentions: Sequence[PhiMention],
        language: str,
        drawer: SurrogatePicker,
        numbers: Identifiers,
    ) -> None:
        self._language = language
        self._drawer = drawer
        self._numbers = numbers
        self._homes = _homes(mentions, language)
        self._usual = _most_common(self._homes)
        self._regions: dict[str, str] = {}
        self._cities: dict[str, str] = {}
        self._codes: dict[str, str] = {}
        self._countries: dict[str, Country] = {}

    def surrogate(self, mention: PhiMention) -> Surrogate:
        kind = mention.kind
        if kind is SurrogateKind.TERRITORY:
            kind = _kind_of(mention.text, self._language)
        write = {
            SurrogateKind.STATE: self._state,
            SurrogateKind.ZIP: self._code,
            SurrogateKind.COUNTRY: self._country,
        }.get(kind, self._city)
        return write(mention)

    def _state(self, mention: PhiMention) -> Surrogate:
        key = folded(mention.text).strip(". ")
        code = region_codes(self._language).get(key, "")
        region = regions(self._language)[self._region(code or f"?{key}")]
        short = self._language == "en" and len(value_of(mention.text)) == 2
        text = region.code if short else cased_by_word(region.name, mention.text)
        return Surrogate(text, f"place {region.name}")

    def _city(self, mention: PhiMention) -> Surrogate:
        key = mention.words.lower()
        key = folded(key)
        if key not in self._cities:
            self._cities[key] = self._fresh_city(self._homes.get(key) or self._usual)
        city = self._cities[key]
        return Surrogate(cased_by_word(city, mention.text), f"place {city}")

    def _fresh_city(self, home: str) -> str:
        all_regions = regions(self._language)
        region = all_regions[self._region(home)]
        every = [city for each in all_regions.values() for city in each.cities]
        return self._drawer.draw(region.cities) or self._drawer.draw(every) or "Anytown"

    def _code(self, mention: PhiMention) -> Surrogate:
        digits = value_of(mention.text)[:5]
        if len(digits) != 5 or not digits.isdigit():
            new = self._numbers.fresh(value_of(mention.text), mention.text)
            return Surrogate(fill_format(mention.text, new), f"place {new}")
        if digits not in self._codes:
            self._codes[digits] = self._fresh_code(digits)
        new = self._codes[digits]
        rest = value_of(mention.text)[5:]
        whole = new + "".join(str(self._drawer.randomness.randrange(10)) for _ in rest)
        return Surrogate(fill_format(mention.text, whole), f"place {new}")

    def _fresh_code(self, digits: str) -> str:
        home = region_of_code(digits, self._language)
        region = self._region(home or self._usual)
        taken = {*self._codes.values(), *self._codes, digits}
        new = digits
        for _ in range(_TRIES):
            new = _code_in(region, self._language, self._drawer)
            if new not in taken and new not in self._drawer.words:
                break
        return new

    def _region(self, home: str) -> str:
        """The code of the region that stands for a region; the same for those nobody knows."""
        if home not in self._regions:
            self._regions[home] = self._fresh_region(home)
        return self._regions[home]

    def _fresh_region(self, home: str) -> str:
        all_regions = regions(self._language)
        free = [
            code
            for code in all_regions
            if code != home
            and code not in self._regions.values()
            and code not in self._drawer.words
            and all_regions[code].name not in self._drawer.words
        ]
        others = [code for code in all_regions if code != home]
        return self._drawer.randomness.choice(free or others)

    def _country(self, mention: PhiMention) -> Surrogate:
        found = read_country(mention.text)
        key = found[0].name if found else folded(mention.text)
        key = {"USA": "United States", "UK": "United Kingdom"}.get(key, key)
        if key not in self._countries:
            self._countries[key] = self._fresh_country()
        new = self._countries[key]
        name = new.name if self._language == "en" else new.spanish_name
        if found is None:
            text = cased_by_word(name, mention.text)
            return Surrogate(text, f"place {new.name}", (NO_COUNTRY,))
        form = self._form(found[0], found[1])
        text = _inflected(str(getattr(new, form)), found[2])
        return Surrogate(_demonym_cased(text, mention.text, form), f"place {new.name}")

    def _form(self, country: Country, form: str) -> str:
        """The form as the records' language has it: `Canada` in English is not `Canadá`."""
        english = form.removeprefix("spanish_")
        both = folded(getattr(country, english)) == folded(getattr(country, f"spanish_{english}"))
        if not both:
            return form
        return english if self._language == "en" else f"spanish_{english}"

    def _fresh_country(self) -> Country:
        by_name = {each.name: each for each in countries()}

        def fits(name: str) -> bool:
            each = by_name[name]
            forms = (each.demonym, each.spanish_name, each.spanish_demonym)
            return not any(form in self._drawer.words for form in forms)

        name = self._drawer.draw(by_name, fits) or self._drawer.draw(by_name)
        return by_name[name or "Nepal"]


def read_country(text: str) -> tuple[Country, str, str] | None:
    """Return country, form and inflection ("", "s", "a", "as") of a text, None where unknown."""
    key = folded(text)
    forms = country_forms()
    for candidate in (key, key.replace(".", "").replace(" ", ""), key.removeprefix("the ")):
        if candidate in forms:
            return (*forms[candidate], "")
    if key.replace(".", "").replace(" ", "") in {"us", "unitedstatesofamerica", "eeuu"}:
        return (*forms["united states"], "")
    for ending, endings in (("s", ("",)), ("es", ("",)), ("a", ("o", "")), ("as", ("o", ""))):
        for base in endings:
            candidate = key.removesuffix(ending) + base
            if key.endswith(ending) and candidate in forms and "demonym" in forms[candidate][1]:
                return (*forms[candidate], "s" if ending == "es" else ending)
    return None


def region_of_code(digits: str, language: str) -> str:
    """The region of a postal code, "" where nobody has it."""
    if language == "es":
        return digits[:2] if digits[:2] in regions("es") else ""
    number = int(digits)
    return next(
        (code for code, (low, high) in _postal_ranges().items() if low <= number <= high), ""
    )


def _code_in(region: str, language: str, drawer: SurrogatePicker) -> str:
    if language == "es":
        return f"{region}{drawer.randomness.randrange(1, 1000):03}"
    low, high = _postal_ranges()[region]
    return f"{drawer.randomness.randint(low, high):05}"


@cache
def _postal_ranges() -> Mapping[str, tuple[int, int]]:
    from faker.providers.address.en_US import Provider

    ranges: dict[str, Any] = dict(Provider.states_postcode)
    return {code: (int(ranges[code][0]), int(ranges[code][1])) for code in regions("en")}


def _kind_of(text: str, language: str) -> SurrogateKind:
    if any(char.isdigit() for char in text):
        return SurrogateKind.ZIP
    if folded(text).strip(".") in region_codes(language):
        return SurrogateKind.STATE
    return SurrogateKind.COUNTRY if read_country(text) else SurrogateKind.CITY


def _homes(mentions: Sequence[PhiMention], language: str) -> dict[str, str]:
    """The region of each city, folded: that of the state or postal code behind it, else known."""
    homes: dict[str, str] = {}
    for place, mention in enumerate(mentions):
        kind = (
            _kind_of(mention.text, language)
            if mention.kind is SurrogateKind.TERRITORY
            else mention.kind
        )
        if kind is not SurrogateKind.CITY:
            continue
        key = folded(mention.text)
        code = next(
            (
                code
                for other in mentions[place + 1 : place + 3]
                if other.record_id == mention.record_id
                and 0 <= other.tag.start - mention.tag.end <= _NEAR
                and (code := _code_said(other, language))
            ),
            "",
        )
        if code or key not in homes:
            homes[key] = code or city_regions(language).get(key, "")
    return homes


def _code_said(mention: PhiMention, language: str) -> str:
    key = folded(mention.text).strip(". ")
    digits = value_of(mention.text)[:5]
    if len(digits) == 5 and digits.isdigit():
        return region_of_code(digits, language)
    return region_codes(language).get(key, "")


def _most_common(homes: Mapping[str, str]) -> str:
    found = Counter(code for code in homes.values() if code)
    return found.most_common(1)[0][0] if found else "?"


def _inflected(word: str, ending: str) -> str:
    """Return a demonym as plural, or Spanish feminine: `irlandés`, `irlandesa`, `irlandesas`."""
    if not ending:
        return word
    if ending == "s":
        unchanged = word.endswith(("ese", "ish", "ch", "s"))
        if word[-1] in "nlsrz" and plain(word) != word:
            return plain(word) + "es"
        return word if unchanged else word + "s"
    feminine = word
    if word.endswith("o"):
        feminine = word[:-1] + "a"
    elif re.search(r"[nsl]$", word):
        feminine = plain(word) + "a"
    return feminine + ending[1:]


def _demonym_cased(new: str, old: str, form: str) -> str:
    if form == "spanish_demonym" and old.islower():
        return new.lower()
    return cased_by_word(new, old)
