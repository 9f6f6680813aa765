"""Cities, states, postal codes and countries: the same place the same surrogate, and all agree.

A surrogate lies in the country of the records' language, in a region that stands for the region of
the original. That country itself stays where records name it: everything else is in it as well.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache

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
_ENDINGS = (
    *(("s", ("",)), ("es", ("",)), ("a", ("o", "")), ("as", ("o", ""))),
    *(("in", ("",)), ("innen", ("",))),
)
"""How a people's name goes on in the plural and for women, and what stands in their place."""


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
        digits = value[: _code_length(self._language)]
        if not digits.isdigit() or len(digits) < _code_length(self._language):
            new = self._numbers.fresh(value, mention.text)
            return Surrogate(fill_format(mention.text, new), f"place {new}")
        if digits not in self._codes:
            self._codes[digits] = self._fresh_code(digits)
        new = self._codes[digits]
        rest = value[len(digits) :]
        whole = new + "".join(str(self._picker.randomness.randrange(10)) for _ in rest)
        return Surrogate(fill_format(mention.text, whole), f"place {new}")

    def _fresh_code(self, digits: str) -> str:
        region = self._region(_region_of_code(digits, self._language) or self._usual)
        taken = {*self._codes.values(), *self._codes, digits}
        new = digits
        for _ in range(_TRIES):
            new = self._code_in(region, len(digits))
            if new not in taken and new not in self._picker.words:
                break
        return new

    def _code_in(self, region: Region | None, length: int) -> str:
        ranges = _ranges(region.postal) if region else [(0, 10**length - 1)]
        draw = self._picker.randomness
        low, high = ranges[0] if len(ranges) == 1 else draw.choice(ranges)
        return f"{draw.randint(low, high):0{length}}"

    def _region(self, home: str) -> Region | None:
        """The region that stands for one; the same for those nobody knows, None without any."""
        if home not in self._regions:
            self._regions[home] = self._fresh_region(home)
        return self._language.regions.get(self._regions[home])

    def _fresh_region(self, home: str) -> str:
        every = self._language.regions
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
        named = match_key(mention.text) in (
            match_key(country.name),
            match_key(f"the {country.name}"),
        )
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
    found = read_country(text, spoken)
    return found is not None and found[0].code in home_countries(spoken)


def read_country(text: str, spoken: Language) -> tuple[Country, Language, str] | None:
    """Return the country that a text is or whose people, in which language, with which ending."""
    key = match_key(text)
    for candidate in (key, key.replace(".", "").replace(" ", ""), key.removeprefix("the ")):
        for each in _languages(spoken):
            if country := _country_forms(each).get(candidate):
                return country, each, ""
    for ending, endings in _ENDINGS:
        for base in endings if key.endswith(ending) else ():
            demonym = key.removesuffix(ending) + base
            for each in _languages(spoken):
                country = _country_forms(each).get(demonym)
                if country and match_key(country.demonym) == demonym:
                    return country, each, "s" if ending == "es" else ending
    return None


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
def _ranges(postal: tuple[str, ...]) -> list[tuple[int, int]]:
    pairs = (each.partition("-") for each in postal)
    return [(int(low), int(high or low)) for low, _, high in pairs] or [(0, 99999)]


@cache
def _code_length(spoken: Language) -> int:
    """How many digits a postal code has, without what comes behind a hyphen."""
    first = next((each.postal[0] for each in spoken.regions.values() if each.postal), "00000")
    return len(first.partition("-")[0])


def _region_of_code(digits: str, spoken: Language) -> str:
    """The region of a postal code, "" where nobody has it."""
    number = int(digits)
    return next(
        (
            each.code
            for each in spoken.regions.values()
            if any(low <= number <= high for low, high in _ranges(each.postal))
        ),
        "",
    )


def _kind_of(text: str, spoken: Language) -> SurrogateKind:
    if any(char.isdigit() for char in text):
        return SurrogateKind.ZIP
    if match_key(text).strip(".") in _region_codes(spoken):
        return SurrogateKind.STATE
    return SurrogateKind.COUNTRY if read_country(text, spoken) else SurrogateKind.CITY


def _homes(mentions: Sequence[PhiMention], spoken: Language) -> dict[str, str]:
    """The region of each city, folded: that of the state or postal code behind it, else known."""
    homes: dict[str, str] = {}
    for place, mention in enumerate(mentions):
        is_open = mention.kind is SurrogateKind.TERRITORY
        kind = _kind_of(mention.text, spoken) if is_open else mention.kind
        if kind is not SurrogateKind.CITY:
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
    length = _code_length(spoken)
    digits = value_of(mention.text)[:length]
    if len(digits) == length and digits.isdigit():
        return _region_of_code(digits, spoken)
    return _region_codes(spoken).get(match_key(mention.text).strip(". "), "")


def _most_common(homes: Mapping[str, str]) -> str:
    found = Counter(code for code in homes.values() if code)
    return found.most_common(1)[0][0] if found else "?"


def _inflected(word: str, ending: str) -> str:
    """Return a people's name as plural or feminine: `irlandés`, `irlandesa`, `irlandesas`."""
    if ending in ("", "in", "innen"):
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
