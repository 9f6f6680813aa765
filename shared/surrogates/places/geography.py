"""Cities, states, postal codes and countries: the same place the same surrogate, and all agree.

A surrogate lies in the country of the records' language, in a region that stands for the region of
the original. That country itself stays where records name it: everything else is in it as well.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise

from shared.language.languages import Language, known_languages, language
from shared.language.sections import Country, Region
from shared.surrogates.drawing import SurrogatePicker
from shared.surrogates.mentions import PhiMention, Surrogate
from shared.surrogates.numbers.identifiers import Identifiers, fill_format, value_of
from shared.surrogates.surrogate_kinds import MAY_STAY, SurrogateKind
from shared.text.spelling import match_case_by_word, match_key, without_accents

NO_COUNTRY = "the country or people could not be recognised"
_TRIES = 200
_NEAR = 24
"""A state or postal code this many characters behind a city belongs to it."""

_SHORT_STATE = 2
_ENDINGS = (("s", ("",)), ("es", ("",)), ("a", ("o", "")), ("as", ("o", "")))
"""How a people's name goes on in the plural and for women, and what stands in their place."""

_ADDED_ENDINGS = ("in", "innen", "e", "er", "en", "em", "es")
"""Those that are put behind a people's name and change nothing of it."""


class Geography:
    """The surrogates of one patient's cities, states, postal codes and countries."""

    def __init__(
        self,
        mentions: Sequence[PhiMention],
        spoken: Language,
        picker: SurrogatePicker,
        numbers: Identifiers,
    ) -> None:
        self._language = spoken
        self._picker = picker
        self._numbers = numbers
        self._homes = _homes(mentions, spoken)
        self._cities_of_codes = _cities_of_codes(mentions, spoken)
        self._usual = _most_common(self._homes)
        self._regions: dict[str, str] = {}
        self._cities: dict[str, str] = {}
        self._codes: dict[str, str] = {}
        self._countries: dict[str, str] = {}

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
        key = match_key(mention.text).strip(". ")
        code = _region_codes(self._language).get(key, "")
        region = self._region(code or f"?{key}")
        if region is None:
            return Surrogate(mention.placeholder, "place unknown", (NO_COUNTRY,))
        short = region.code.isalpha() and len(value_of(mention.text)) == _SHORT_STATE
        text = region.code if short else match_case_by_word(region.name, mention.text)
        return Surrogate(text, f"place {region.name}")

    def _city(self, mention: PhiMention) -> Surrogate:
        key = match_key(mention.words)
        if key not in self._cities:
            self._cities[key] = self._fresh_city(self._homes.get(key) or self._usual)
        city = self._cities[key]
        return Surrogate(match_case_by_word(city, mention.text), f"place {city}")

    def _fresh_city(self, home: str) -> str:
        region = self._region(home)
        near = region.cities if region else ()
        every = [city for each in self._language.regions.values() for city in each.cities]
        stems = self._language.places.stems
        draw = self._picker.draw
        return draw(near) or draw(every) or draw(stems) or f"City {len(self._cities) + 1}"

    def _code(self, mention: PhiMention) -> Surrogate:
        value = value_of(mention.text)
        digits = _code_digits(value, self._language)
        if not digits:
            new = self._numbers.fresh(value, mention.text)
            return Surrogate(fill_format(mention.text, new), f"place {new}")
        if digits not in self._codes:
            self._codes[digits] = self._fresh_code(digits)
        new = self._codes[digits]
        rest = value[len(digits) :]
        whole = new + "".join(str(self._picker.randomness.randrange(10)) for _ in rest)
        return Surrogate(fill_format(mention.text, whole), f"place {new}")

    def _fresh_code(self, digits: str) -> str:
        city = self._cities_of_codes.get(digits, "")
        own = self._code_of_city(city) if city else ""
        if own and own not in self._codes.values() and own not in self._picker.words:
            return own
        region = self._region(_region_of_code(digits, self._language) or self._usual)
        taken = {*self._codes.values(), *self._codes, digits}
        new = digits
        for _ in range(_TRIES):
            new = self._code_in(region, len(digits))
            if new not in taken and new not in self._picker.words:
                break
        return new

    def _code_of_city(self, city: str) -> str:
        """The postal code of the surrogate of a city, "" where the language does not tell it."""
        if city not in self._cities:
            self._cities[city] = self._fresh_city(self._homes.get(city) or self._usual)
        new = self._cities[city]
        every = self._language.regions.values()
        return next((each.codes[new] for each in every if new in each.codes), "")

    def _code_in(self, region: Region | None, length: int) -> str:
        ranges = _ranges(region.postal) if region else [("0" * length, "9" * length)]
        low, high = ranges[0] if len(ranges) == 1 else self._picker.randomness.choice(ranges)
        return f"{self._picker.randomness.randint(int(low), int(high)):0{len(low)}}"

    def _region(self, home: str) -> Region | None:
        """The region that stands for one; the same for those nobody knows, None without any."""
        if home not in self._regions:
            self._regions[home] = self._fresh_region(home)
        return self._language.regions.get(self._regions[home])

    def _fresh_region(self, home: str) -> str:
        known = self._language.regions.get(home)
        country = known.country if known else self._language.country
        every = {
            code: region
            for code, region in self._language.regions.items()
            if region.country == country
        }
        free = [
            code
            for code, region in every.items()
            if code != home
            and code not in self._regions.values()
            and code not in self._picker.words
            and region.name not in self._picker.words
        ]
        others = [code for code in every if code != home]
        return self._picker.randomness.choice(free or others or [""])

    def _country(self, mention: PhiMention) -> Surrogate:
        found = read_country(mention.text, self._language)
        if found is None:
            new = self._stand_in(match_key(mention.text))
            text = match_case_by_word(new.name, mention.text) if new else mention.placeholder
            return Surrogate(text, f"place {text}", (NO_COUNTRY,))
        country, spoken, ending = found
        if country.code in home_countries(self._language):
            return Surrogate(mention.text, f"place {country.code}")
        new = self._stand_in(country.code)
        known = spoken.countries.get(new.code, new) if new else country
        named = not ending and match_key(mention.text) != match_key(country.demonym)
        text = known.name if named else _inflected(known.demonym, ending)
        return Surrogate(match_case_by_word(text, mention.text), f"place {known.code}")

    def _stand_in(self, key: str) -> Country | None:
        """The country of the records' language that stands for one, None where it knows none."""
        if key not in self._countries:
            self._countries[key] = self._fresh_country()
        return self._language.countries.get(self._countries[key])

    def _fresh_country(self) -> str:
        home = home_countries(self._language)
        drawn = {
            each.name: each.code
            for each in self._language.countries.values()
            if each.is_drawn and each.code not in home
        }
        names = {code: _names_of(code) for code in drawn.values()}

        def fits(name: str) -> bool:
            return not any(each in self._picker.words for each in names[drawn[name]])

        name = self._picker.draw(drawn, fits) or self._picker.draw(drawn)
        return drawn.get(name or "", "")


def home_countries(spoken: Language) -> frozenset[str]:
    """The ISO 3166 codes of the countries whose regions a language has."""
    return frozenset(each.country for each in spoken.regions.values())


def may_stay(kind: SurrogateKind, text: str, spoken: Language) -> bool:
    """True for kinds that may stay, and the country that the records are from, or its people."""
    if kind not in (SurrogateKind.COUNTRY, SurrogateKind.TERRITORY):
        return kind in MAY_STAY
    return names_country(text, spoken) in home_countries(spoken)


def names_country(text: str, spoken: Language) -> str:
    """The ISO 3166 code of the country that a text names, or whose people; "" where none."""
    found = read_country(text, spoken)
    return found[0].code if found else ""


def read_country(text: str, spoken: Language) -> tuple[Country, Language, str] | None:
    """Return the country that a text is or whose people, in which language, with which ending."""
    key = match_key(text)
    for candidate in (key, key.replace(".", "").replace(" ", ""), key.removeprefix("the ")):
        for each in _languages(spoken):
            if country := _country_forms(each).get(candidate):
                return country, each, ""
    for ending, base in _bases(key):
        for each in _languages(spoken):
            country = _country_forms(each).get(base)
            if country and match_key(country.demonym) == base:
                return country, each, ending
    return None


def _bases(key: str) -> Iterator[tuple[str, str]]:
    """The endings that a people's name may have here, with the name before them."""
    for ending in _ADDED_ENDINGS:
        if key.endswith((f"sch{ending}", f"er{ending}")):
            yield ending, key.removesuffix(ending)
    for ending, instead in _ENDINGS:
        for each in instead if key.endswith(ending) else ():
            yield "s" if ending == "es" else ending, key.removesuffix(ending) + each


@cache
def _languages(spoken: Language) -> tuple[Language, ...]:
    return (spoken, *(language(code) for code in known_languages() if code != spoken.code))


@cache
def _country_forms(spoken: Language) -> Mapping[str, Country]:
    """Countries by name, people and short form, folded."""
    found: dict[str, Country] = {}
    for each in spoken.countries.values():
        for form in (each.demonym, each.name, *each.short_forms):
            found.setdefault(match_key(form), each)
    return found


@cache
def _names_of(code: str) -> tuple[str, ...]:
    """What a country and its people are called in every known language."""
    every = (language(each).countries.get(code) for each in known_languages())
    return tuple(form for each in every if each for form in (each.name, each.demonym))


@cache
def _region_codes(spoken: Language) -> Mapping[str, str]:
    """Codes by every way to write a region, folded."""
    return {
        match_key(form): each.code
        for each in spoken.regions.values()
        for form in (each.name, each.code, *each.short_forms)
        if not form.isdigit()
    }


@cache
def _city_regions(spoken: Language) -> Mapping[str, str]:
    """Codes of regions by city, folded; a name of several cities has that of the first."""
    found: dict[str, str] = {}
    for each in spoken.regions.values():
        for city in each.cities:
            found.setdefault(match_key(city), each.code)
    for each in spoken.regions.values():
        found.setdefault(match_key(each.name), each.code)
    return found


@cache
def _ranges(postal: tuple[str, ...]) -> list[tuple[str, str]]:
    return [(low, high or low) for low, _, high in (each.partition("-") for each in postal)]


@cache
def _code_lengths(spoken: Language) -> tuple[int, ...]:
    """How many digits postal codes have, the most first, without what comes behind a hyphen."""
    every = (code for each in spoken.regions.values() for code, _ in _ranges(each.postal))
    return tuple(sorted({len(code) for code in every} or {5}, reverse=True))


def _code_digits(value: str, spoken: Language) -> str:
    """The digits that a postal code begins with, "" where it is none."""
    lengths = _code_lengths(spoken)
    length = next((each for each in lengths if each <= len(value)), len(value) + 1)
    return value[:length] if value[:length].isdigit() and length <= len(value) else ""


def _region_of_code(digits: str, spoken: Language) -> str:
    """The region of a postal code, "" where nobody has it."""
    return next(
        (
            each.code
            for each in spoken.regions.values()
            for low, high in _ranges(each.postal)
            if len(low) == len(digits) and low <= digits <= high
        ),
        "",
    )


def _kind_of(text: str, spoken: Language) -> SurrogateKind:
    if any(char.isdigit() for char in text):
        return SurrogateKind.ZIP
    if match_key(text).strip(".") in _region_codes(spoken):
        return SurrogateKind.STATE
    return SurrogateKind.COUNTRY if read_country(text, spoken) else SurrogateKind.CITY


def _cities_of_codes(mentions: Sequence[PhiMention], spoken: Language) -> dict[str, str]:
    """The city that stands beside each postal code, folded, by its digits."""
    found: dict[str, str] = {}
    for one, other in pairwise(mentions):
        if other.record_id != one.record_id or other.tag.start - one.tag.end > _NEAR:
            continue
        for code, city in ((one, other), (other, one)):
            digits = _code_digits(value_of(code.text), spoken)
            if digits and _is_city(city, spoken):
                found.setdefault(digits, match_key(city.words))
    return found


def _is_city(mention: PhiMention, spoken: Language) -> bool:
    is_open = mention.kind is SurrogateKind.TERRITORY
    kind = _kind_of(mention.text, spoken) if is_open else mention.kind
    return kind is SurrogateKind.CITY


def _homes(mentions: Sequence[PhiMention], spoken: Language) -> dict[str, str]:
    """The region of each city, folded: that of the state or postal code behind it, else known."""
    homes: dict[str, str] = {}
    for place, mention in enumerate(mentions):
        if not _is_city(mention, spoken):
            continue
        key = match_key(mention.text)
        code = next(
            (
                code
                for other in mentions[place + 1 : place + 3]
                if other.record_id == mention.record_id
                and 0 <= other.tag.start - mention.tag.end <= _NEAR
                and (code := _code_said(other, spoken))
            ),
            "",
        )
        if code or key not in homes:
            homes[key] = code or _city_regions(spoken).get(key, "")
    return homes


def _code_said(mention: PhiMention, spoken: Language) -> str:
    if digits := _code_digits(value_of(mention.text), spoken):
        return _region_of_code(digits, spoken)
    return _region_codes(spoken).get(match_key(mention.text).strip(". "), "")


def _most_common(homes: Mapping[str, str]) -> str:
    found = Counter(code for code in homes.values() if code)
    return found.most_common(1)[0][0] if found else "?"


def _inflected(word: str, ending: str) -> str:
    """Return a people's name as plural or feminine: `irlandés`, `irlandesa`, `irlandesas`."""
    if not ending or ending in _ADDED_ENDINGS:
        return word + ending
    if ending == "s":
        unchanged = word.endswith(("ese", "ish", "ch", "s"))
        if word[-1] in "nlsrz" and without_accents(word) != word:
            return without_accents(word) + "es"
        return word if unchanged else word + "s"
    feminine = word
    if word.endswith("o"):
        feminine = word[:-1] + "a"
    elif word[-1] in "nsl":
        feminine = without_accents(word) + "a"
    return feminine + ending[1:]
