"""Cities, states, postal codes and countries: the same place the same surrogate, and all agree.

A surrogate lies in the country of the records' language, in a region that stands for the region of
the original. That country itself stays where records name it: everything else is in it as well.
A city of abroad becomes one of the country that stands in for the one named with it.
"""

from collections import Counter
from collections.abc import Container, Mapping, Sequence
from itertools import pairwise

from shared.language.languages import Language
from shared.language.region_lists import (
    city_regions,
    home_countries,
    inflected,
    is_city,
    names_of_country,
    postal_digits,
    postal_ranges,
    read_country,
    region_codes,
    region_of_postal_code,
)
from shared.language.sections import Country, Region
from shared.surrogates.drawing import SurrogatePicker, draw_until
from shared.surrogates.mentions import PhiMention, Surrogate
from shared.surrogates.numbers.identifiers import Identifiers, fill_format, value_of
from shared.surrogates.surrogate_kinds import SurrogateKind
from shared.text.spelling import match_case_by_word, match_key

NO_PLACES = "the language has no list of places"
NO_COUNTRY = "the country or people could not be recognised"
_NEAR = 24
"""A state or postal code this many characters behind a city belongs to it."""

_FORM = 160
"""A country this many characters behind a city that nobody knows is that city's."""

_SHORT_STATE, _SHORT_CITY = 2, 4
_CITY = SurrogateKind.CITY


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
        self._kinds = kinds_of_places(mentions, spoken)
        cities = {each.number for each in mentions if self._kinds[each.number] is _CITY}
        self._named = {match_key(each.words) for each in mentions if each.number in cities}
        self._homes = _homes(mentions, cities, spoken)
        self._cities_of_codes = _cities_of_codes(mentions, cities, spoken)
        self._abroad = _abroad(mentions, cities, spoken)
        self._usual = _most_common(self._homes)
        self._longest: dict[str, int] = {}
        """The words of the longest name of a city in each region."""
        for city, home in self._homes.items():
            self._longest[home] = max(self._longest.get(home, 1), len(city.split()))
        self._regions: dict[str, str] = {}
        self._cities: dict[str, str] = {}
        self._codes: dict[str, str] = {}
        self._countries: dict[str, str] = {}

    def surrogate(self, mention: PhiMention) -> Surrogate:
        write = {
            SurrogateKind.STATE: self._state,
            SurrogateKind.ZIP: self._code,
            SurrogateKind.COUNTRY: self._country,
        }.get(self._kinds[mention.number], self._city)
        return write(mention)

    def city_named(self, text: str) -> str:
        """What stands for the city that a text names, "" for what no tag says is one."""
        key = match_key(" ".join(text.split()))
        return self._new_city(key) if key in self._named else ""

    def _state(self, mention: PhiMention) -> Surrogate:
        key = match_key(mention.text).strip(". ")
        code = region_codes(self._language).get(key, "")
        region = self._region(code or f"?{key}")
        if region is None:
            return Surrogate(mention.placeholder, f"place {key}", (NO_PLACES,))
        short = region.code.isalpha() and len(value_of(mention.text)) == _SHORT_STATE
        text = region.code if short else match_case_by_word(region.name, mention.text)
        return Surrogate(text, f"place {region.name}")

    def _city(self, mention: PhiMention) -> Surrogate:
        key = match_key(mention.words)
        city = self._new_city(key)
        if not city:
            return Surrogate(mention.placeholder, f"place {key}", (NO_PLACES,))
        is_short = len(value_of(mention.text)) <= _SHORT_CITY and not is_city(
            mention.text, self._language
        )  # `CDMX`
        text = city if is_short else match_case_by_word(city, mention.text)
        return Surrogate(text, f"place {city}")

    def _new_city(self, key: str) -> str:
        """The city that stands for one, drawn where it has none yet; "" without any."""
        if key not in self._cities:
            there = self._stand_in(self._abroad.get(key, ""))
            region = None if there else self._region(self._homes.get(key) or self._usual)
            near = there.cities if there else region.cities if region else ()
            every = self._language.regions.values()
            home = [each for each in every if region is None or each.country == region.country]
            rest = [city for each in home for city in each.cities]
            stems = self._language.places.stems
            as_long = [each for each in near if len(each.split()) == len(key.split())]
            own = region_codes(self._language).get(key)
            names = [each for each in near if region and match_key(each) == match_key(region.name)]
            shared = names if own and own == self._homes.get(key) else []
            draws = map(self._picker.draw, (shared, as_long, near, rest, stems))
            self._cities[key] = next(filter(None, draws), "")
        return self._cities[key]

    def _code(self, mention: PhiMention) -> Surrogate:
        value = value_of(mention.text)
        digits = postal_digits(mention.text, self._language)
        if not digits:
            new = self._numbers.fresh(value, mention.text)
            return Surrogate(fill_format(mention.text, new), f"place {new}")
        if digits not in self._codes:
            self._codes[digits] = self._fresh_code(digits)
        new = self._codes[digits]
        country, _, rest = value.partition(digits)
        whole = country + new + "".join(str(self._picker.randomness.randrange(10)) for _ in rest)
        return Surrogate(fill_format(mention.text, whole), f"place {new}")

    def _fresh_code(self, digits: str) -> str:
        city = self._cities_of_codes.get(digits)
        new = self._new_city(city) if city else ""
        every = self._language.regions.values()
        own = next((each.codes[new] for each in every if new in each.codes), "")
        taken = {*self._codes.values(), *self._codes, digits}
        if len(own) == len(digits) and own not in taken and own not in self._picker.words:
            return own
        home = region_of_postal_code(digits, self._language) or self._usual
        region = None if city in self._abroad else self._region(home)
        return draw_until(
            lambda: self._code_in(region, len(digits)),
            lambda new: new not in taken and new not in self._picker.words,
        )

    def _code_in(self, region: Region | None, length: int) -> str:
        ranges = postal_ranges(region.postal) if region else []
        ranges = [each for each in ranges if len(each[0]) == length]
        low, high = self._picker.randomness.choice(ranges or [("0" * length, "9" * length)])
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
        long = self._longest.get(home, 1)
        fitting = [code for code in free if any(len(c.split()) == long for c in every[code].cities)]
        free = fitting or free
        alike = [
            code for code in free if known and _has_its_name(every[code]) is _has_its_name(known)
        ]
        others = [code for code in every if code != home]
        return self._picker.randomness.choice(alike or free or others or [""])

    def _country(self, mention: PhiMention) -> Surrogate:
        found = read_country(mention.text, self._language)
        if found is None:
            new = self._stand_in(match_key(mention.text))
            text = match_case_by_word(new.name, mention.text) if new else mention.placeholder
            return Surrogate(text, f"place {text}", (NO_COUNTRY,))
        country, _, ending = found
        if country.code in home_countries(self._language):
            return Surrogate(mention.text, f"place {country.code}")
        new = self._stand_in(country.code)
        known = new or country
        named = not ending and match_key(mention.text) != match_key(country.demonym)
        text = known.name if named else inflected(known.demonym, ending)
        is_short = match_key(mention.text).replace(".", "").replace(" ", "") in map(
            match_key, country.short_forms
        )
        cased = text if is_short else match_case_by_word(text, mention.text)
        return Surrogate(cased, f"place {known.code}")

    def _stand_in(self, key: str) -> Country | None:
        """The country of the records' language that stands for one, None where it knows none."""
        if not key:
            return None
        if key not in self._countries:
            known = self._language.countries.get(key)
            with_cities = key in self._abroad.values() or bool(known and known.cities)
            self._countries[key] = self._fresh_country(with_cities)
        return self._language.countries.get(self._countries[key])

    def _fresh_country(self, with_cities: bool) -> str:
        home = home_countries(self._language)
        drawn = {
            each.name: each.code
            for each in self._language.countries.values()
            if each.is_drawn and each.code not in home and (each.cities or not with_cities)
        }
        names = {code: names_of_country(code) for code in drawn.values()}

        def fits(name: str) -> bool:
            return not any(each in self._picker.words for each in names[drawn[name]])

        name = self._picker.draw(drawn, fits) or self._picker.draw(drawn)
        return drawn.get(name or "", "")


def _has_its_name(region: Region) -> bool:
    """Whether a city of the region has its name: `Barcelona`."""
    return match_key(region.name) in map(match_key, region.cities)


def kinds_of_places(mentions: Sequence[PhiMention], spoken: Language) -> dict[int, SurrogateKind]:
    """The kind of each mention by its number; that of a territory is told by its text.

    `Barcelona` is a city, but the province where a city of it stands before.
    """
    kinds: dict[int, SurrogateKind] = {}
    before: PhiMention | None = None
    for each in mentions:
        kind = each.kind
        if kind is SurrogateKind.TERRITORY:
            kind = _kind_of(each.text, spoken)
            if kind is SurrogateKind.STATE and not _is_region_behind(each, before, spoken):
                kind = _CITY
        kinds[each.number] = kind
        before = each if kind is _CITY else None
    return kinds


def _kind_of(text: str, spoken: Language) -> SurrogateKind:
    if any(char.isdigit() for char in text):
        return SurrogateKind.ZIP
    if match_key(text).strip(".") in region_codes(spoken):
        return SurrogateKind.STATE
    return SurrogateKind.COUNTRY if read_country(text, spoken) else _CITY


def _is_region_behind(region: PhiMention, city: PhiMention | None, spoken: Language) -> bool:
    """False where a region has the name of a city and no city of it stands before."""
    if not is_city(region.text, spoken):
        return True
    code = region_codes(spoken)[match_key(region.text)]
    return (
        city is not None
        and _is_beside(city, region)
        and city_regions(spoken).get(match_key(city.text), code) == code
    )


def _is_beside(one: PhiMention, other: PhiMention) -> bool:
    """Whether a mention stands in the same address as one before it."""
    return one.record_id == other.record_id and other.tag.start - one.tag.end <= _NEAR


def _cities_of_codes(
    mentions: Sequence[PhiMention], cities: Container[int], spoken: Language
) -> dict[str, str]:
    """The city that stands beside each postal code, folded, by its digits."""
    found: dict[str, str] = {}
    for one, other in pairwise(mentions):
        if not _is_beside(one, other):
            continue
        for code, city in ((one, other), (other, one)):
            digits = postal_digits(code.text, spoken)
            if digits and city.number in cities:
                found.setdefault(digits, match_key(city.words))
    return found


def _homes(
    mentions: Sequence[PhiMention], cities: Container[int], spoken: Language
) -> dict[str, str]:
    """The region of each city, folded: that of the state or postal code beside it, else known.

    What stands behind a city goes before what stands in front of it.
    """
    homes: dict[str, str] = {}
    for place, mention in enumerate(mentions):
        if mention.number not in cities:
            continue
        key = match_key(mention.text)
        beside = [each for each in mentions[place + 1 : place + 3] if _is_beside(mention, each)]
        front = mentions[place - 1] if place else mention
        if postal_digits(front.text, spoken) and _is_beside(front, mention):
            beside.append(front)
        code = next((code for each in beside if (code := _code_said(each, spoken))), "")
        if code or key not in homes:
            homes[key] = code or city_regions(spoken).get(key, "")
    return homes


def _abroad(
    mentions: Sequence[PhiMention], cities: Container[int], spoken: Language
) -> dict[str, str]:
    """The code of the foreign country that each city, folded, lies in.

    A country in the same address tells it; of a city that nobody knows one further behind, too, as
    in a form, or the only one that the records name. Known is a city, too, behind which a region
    stands somewhere.
    """
    at_home = {
        match_key(one.words)
        for one, other in pairwise(mentions)
        if one.number in cities and _is_beside(one, other) and _is_region(other, spoken)
    }
    found: dict[str, str] = {}
    for place, mention in enumerate(mentions):
        key = match_key(mention.words)
        if mention.number in cities:
            known = key in city_regions(spoken) or key in at_home
            code = _country_behind(mentions[place:], 0 if known else _FORM, spoken)
            if not code and not known:
                named = {_country_named(each, spoken) for each in mentions} - {""}
                code = named.pop() if len(named) == 1 else ""
            if code and code not in home_countries(spoken):
                found.setdefault(key, code)
    return found


def _country_behind(mentions: Sequence[PhiMention], far: int, spoken: Language) -> str:
    """The country named first behind the first mention: in its address, or no further than `far`.

    Where `far` is 0, none that stands behind a region or postal code of the language's own.
    """
    start = mentions[0]
    joined = True
    for one, other in pairwise(mentions):
        joined = joined and _is_beside(one, other)
        near = other.record_id == start.record_id and other.tag.start - start.tag.end <= far
        if not (joined or near) or (not far and _code_said(other, spoken)):
            return ""
        if code := _country_named(other, spoken):
            return code
    return ""


def _country_named(mention: PhiMention, spoken: Language) -> str:
    """The code of the country that a mention names, "" for a people or none."""
    found = read_country(mention.text, spoken)
    is_people = found and (found[2] or match_key(mention.text) == match_key(found[0].demonym))
    return found[0].code if found and not is_people else ""


def _code_said(mention: PhiMention, spoken: Language) -> str:
    if digits := postal_digits(mention.text, spoken):
        return region_of_postal_code(digits, spoken)
    return region_codes(spoken).get(match_key(mention.text).strip(". "), "")


def _is_region(mention: PhiMention, spoken: Language) -> bool:
    """Whether a mention is the name or code of a region, and no postal code."""
    return match_key(mention.text).strip(". ") in region_codes(spoken)


def _most_common(homes: Mapping[str, str]) -> str:
    return next((code for code, _ in Counter(filter(None, homes.values())).most_common(1)), "?")
