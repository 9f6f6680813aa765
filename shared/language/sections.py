"""What the file `language.toml` of a language may tell, table by table, and how it is read.

A text is words between blanks, a list is phrases. A key that a language does not give is that of
`und`; one that no table here has is an error, so that a slip of the pen is found at once.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import date, timedelta
from typing import Any, TypeAlias, TypeVar, cast

Words: TypeAlias = tuple[str, ...]
"""Words or phrases in the order of the file, in lower case but where the case tells something."""
Numbered: TypeAlias = Mapping[str, int]
"""Numbers by word in lower case: 0 for January, Monday and winter, 70 for seventy."""

_DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
Section = TypeVar("Section", bound="Names | Dates | Ages | Places | Numbers | Articles")


@dataclass(frozen=True, slots=True)
class Holiday:
    """A holiday, the other ways to write it, and the rule by which its day is computed.

    The rule is a month and a day (`12-25`), the days after Easter (`easter`, `easter+50`), or a day
    of the week in a month, counted from its start or its end (`4 thu 11`, `-1 mon 5`).
    """

    name: str
    rule: str
    others: Words = ()
    seldom: bool = False
    """Whether few keep it, so that it does not stand for another; its day may be about right."""

    def day(self, year: int) -> date:
        """The day of this holiday in a year from 1583 to 4099. Raises ValueError for no rule."""
        if self.rule.startswith("easter"):
            from dateutil.easter import easter

            return easter(year) + timedelta(days=int(self.rule.removeprefix("easter") or 0))
        if len(words := self.rule.split()) == 3:
            return _weekday_of_month(int(words[0]), _DAYS.index(words[1]), int(words[2]), year)
        month, day = map(int, self.rule.split("-"))
        return date(year, month, day)


def _weekday_of_month(number: int, weekday: int, month: int, year: int) -> date:
    if number > 0:
        first = date(year, month, 1)
        return first + timedelta(days=(weekday - first.weekday()) % 7 + 7 * (number - 1))
    last = date(year + month // 12, month % 12 + 1, 1) - timedelta(days=1)
    return last - timedelta(days=(last.weekday() - weekday) % 7 - 7 * (number + 1))


@dataclass(frozen=True, slots=True)
class Names:
    """`[names]`: what stands in the names of people and around them."""

    honorifics: Words = ()
    """Forms of address that tell nothing of the sex: `mx`."""
    honorifics_men: Words = ()
    honorifics_women: Words = ()
    clinician_titles: Words = ()
    staff: Words = ()
    """What somebody of a clinic is: `surgeon`, `attending`."""
    degrees: Words = ()
    suffixes: Words = ()
    particles: Words = ()
    joiners: Words = ()
    """Words between two family names: the Spanish `y`."""
    saints: Words = ()
    kinship: Words = ()
    kinship_men: Words = ()
    kinship_women: Words = ()
    relative_words: Words = ()
    """What may stand in place of one relative, so that it tells nothing of the family."""
    relatives_words: Words = ()
    relative_qualities: Words = ()
    """Words beside one for a relative that tell which and nothing more: `older`."""
    form_labels: Words = ()
    behind: Words = ()
    """Labels and functions that follow a name and are no part of it: `Correo`, `Jefe`."""
    beside: Words = ()
    """Other words before or behind a name, apart from it: `Per`, `Said`."""
    closings: Words = ()
    """Words that close a letter above the name of who wrote it: `Sincerely`."""
    greetings: Words = ()
    """Words before the name of whom a letter is to: `Dear`."""
    no_name_endings: Words = ()
    """How words end that are no names, and such words: `-logy`."""
    family_name_labels: Words = ()
    given_name_labels: Words = ()
    nicknames: str = ""
    """The library that knows the short forms of given names."""
    ambiguous: Words = ()
    """Names that are words of the language as well: `will`."""
    women_endings: Words = ()
    """Ends of words for what a woman does: `-in`."""
    mostly_men: Words = ()
    """Given names that lists have for both sexes, of which one is meant nearly always."""
    mostly_women: Words = ()
    two_family_names: bool = False
    genitive_endings: Words = ()
    """What a name takes without an apostrophe, unless it ends as one `without_genitive`."""
    without_genitive: Words = ()


@dataclass(frozen=True, slots=True)
class Dates:
    """`[dates]`: the names of the calendar and how a date is written."""

    day_first: bool = False
    months: Words = ()
    months_short: Words = ()
    other_months: Numbered = field(default_factory=dict[str, int])
    rare_months: Numbered = field(default_factory=dict[str, int])
    """Ways to write a month that mean one within a date only: the Spanish `set`."""
    weekdays: Words = ()
    weekdays_short: Words = ()
    weekdays_plural: Words = ()
    """On which days something is done again and again: `Mondays`."""
    week_words: Words = ()
    """Words for a week of the calendar beside its number: `KW`."""
    other_weekdays: Numbered = field(default_factory=dict[str, int])
    seasons: Words = ()
    other_seasons: Numbered = field(default_factory=dict[str, int])
    ordinal_suffixes: Words = ()
    year_marks: Words = ()
    """Signs right behind the number of a year, a month, a day: 2070年5月1日."""
    month_marks: Words = ()
    day_marks: Words = ()
    between: Words = ()
    """Small words within a date: `of` in `4th of July`."""
    around: Words = ()
    """Words beside a date that are no part of its day: `early`, `since`."""
    since: Words = ()
    """Words before a year alone."""
    before_day: Words = ()
    """Words before a day, not before a month and a year: `on`."""
    birth_labels: Words = ()
    record_labels: Words = ()
    forms: Words = ()
    """Ways to write a day in words, by parts in braces: `{day}. {month} {year}`."""
    before_year: Words = ()
    """What words before a day become before a year alone: `on=in`, the longest first."""
    holiday: tuple[Holiday, ...] = ()

    @property
    def month_names(self) -> Words:
        """The months in order; of `other_months` the first of each where there is no such row."""
        if self.months:
            return self.months
        first = {number: word for word, number in reversed([*self.other_months.items()])}
        return tuple(first[number] for number in sorted(first))


@dataclass(frozen=True, slots=True)
class Ages:
    """`[ages]`: how an age is written."""

    units: Words = ()
    young_units: Words = ()
    """Units of those who have no years yet: months, weeks, days."""
    after: Words = ()
    """Expressions behind the years: `years? old`."""
    before: Words = ()
    stages: Words = ()
    """Words for a time of life, which are an age without a number: `newborn`."""
    words: Numbered = field(default_factory=dict[str, int])
    """Numbers in words, their accents left out; what is more than one word is added up."""
    forms: Words = ()
    """Ways to write a number above those of `words`: `{tens}-{ones}`."""


@dataclass(frozen=True, slots=True)
class Places:
    """`[places]`: words in addresses and in the names of institutions."""

    street_words: Words = ()
    street_endings: Words = ()
    """Ends of a word that make it a street: `-straße`."""
    unit_words: Words = ()
    floor_words: Words = ()
    postal_boxes: Words = ()
    hospital_words: Words = ()
    hospital_endings: Words = ()
    organization_words: Words = ()
    generic_words: Words = ()
    """Words in the name of an institution or a street that tell nothing of which it is."""
    company_suffixes: Words = ()
    city_prefixes: Words = ()
    small_words: Words = ()
    """Words that give no letter to an abbreviation: `of`, `and`."""
    department_words: Words = ()
    generic_departments: Words = ()
    departments: tuple[Words, ...] = ()
    """Pairs of an expression and the generic department that it speaks of, the first wins."""
    internal_medicine: str = ""
    general_medicine: str = ""
    postal_code: str = r"\d{5}"
    sparse_postal_codes: Words = ()
    """The beginnings of postal codes below which fewer than 20,000 people live, of as many digits
    as a release may keep of the others; of no code a digit is kept where there are none."""
    regions_are_states: bool = False
    """Whether a region of the country is no smaller than a state."""
    stems: Words = ()
    """Proper words for invented institutions, and likewise streets, saints and other places."""
    streets: Words = ()
    """With the article that goes before in the name of a street, if one does: `la Alameda`."""
    street_names_too: Words = ()
    """Generic words that are the whole name of a street too: `School`."""
    hospital_stems: Words = ()
    """Proper words that a hospital's generic ending is written on to: `Luisen`."""
    saint_names: Words = ()
    place_kinds: Words = ()
    """Words that tell what a place of no other kind is, before or behind its name: `Lake`."""
    other_places: Words = ()
    stem_goes_last: bool = False
    """Whether a proper word stands at the end of an institution's name."""


@dataclass(frozen=True, slots=True)
class Numbers:
    """`[numbers]`: labels before numbers that identify somebody."""

    record_labels: Words = ()
    phone_labels: Words = ()
    fax_labels: Words = ()
    pager_labels: Words = ()
    insurance_labels: Words = ()
    license_labels: Words = ()
    account_labels: Words = ()
    number_words: Words = ()
    """What may stand between such a label and its number: `no`, `number`."""
    vehicle_labels: Words = ()
    device_labels: Words = ()
    biometric_labels: Words = ()
    postal_labels: Words = ()
    other_labels: Words = ()
    staff_labels: Words = ()
    phone_words: Words = ()
    """Words within a telephone number, beside its labels: `work`, `ext`."""
    check_digits: Words = ()
    """Rules of `shared/surrogates/numbers/check_digits`, or modules of python-stdnum."""


@dataclass(frozen=True, slots=True)
class Articles:
    """`[articles]`: how a small word agrees with what comes after it."""

    definite: Words = ()
    contractions: Words = ()
    agreement: str = ""
    """The name of the function that sets an article right: `vowel sound`, `no article`."""


@dataclass(frozen=True, slots=True)
class TypeWords:
    """`type_names.toml`: what the names of PHI types and their categories say, by what they are.

    The words are in lower case, with `*` for any letters.
    """

    categories: Mapping[str, Words] = field(default_factory=dict[str, Words])
    kinds: Mapping[str, Words] = field(default_factory=dict[str, Words])
    """By the values of EntityKind."""
    roles: Mapping[str, Words] = field(default_factory=dict[str, Words])
    """By the values of PersonRole."""


TYPE_CATEGORIES = ("name", "location", "date", "age", "contact", "id", "profession")
"""What the categories of a schema may be told to hold by their names; the first goes first."""


@dataclass(frozen=True, slots=True)
class Region:
    """A state, province or Land: its code, the first digits of its postal codes, its cities.

    `postal` are ranges such as `010-027` or single beginnings; `codes` are the postal codes of
    cities where they are known.
    """

    code: str
    name: str
    country: str = ""
    postal: Words = ()
    cities: Words = ()
    codes: Mapping[str, str] = field(default_factory=dict[str, str])
    short_forms: Words = ()


@dataclass(frozen=True, slots=True)
class Country:
    """A country by its ISO 3166 code: its name and its people as the language calls them."""

    code: str
    name: str
    demonym: str
    short_forms: Words = ()
    is_drawn: bool = True
    """Whether surrogates are drawn from it: not a country that records name as their own."""
    cities: Words = ()
    """Some of its cities, which stand in for those of another country."""


def section_from(kind: type[Section], table: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values that a table gives. Raises ValueError with what is wrong, in a clause."""
    known = {each.name: each.type for each in fields(kind)}
    values: dict[str, Any] = {}
    for key, value in table.items():
        if key not in known:
            raise ValueError(f"has no key {key}")
        values[key] = _READERS.get(known[key], _words)(key, value)
    return values


def _words(key: str, value: object) -> Words:
    if isinstance(value, str):
        return tuple(value.split())
    if isinstance(value, list) and all(isinstance(one, str) for one in cast("list[object]", value)):
        return tuple(cast("list[str]", value))
    raise ValueError(f"needs words or a list of phrases as {key}")


def _text(key: str, value: object) -> str:
    if not isinstance(value, str):
        raise ValueError(f"needs a text as {key}")  # noqa: TRY004  all are told alike
    return value


def _flag(key: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"needs true or false as {key}")  # noqa: TRY004
    return value


def _numbered(key: str, value: object) -> Numbered:
    pairs = cast("dict[str, object]", value) if isinstance(value, dict) else {"": None}
    if not all(isinstance(number, int) for number in pairs.values()):
        raise ValueError(f"needs a number for every word of {key}")
    return cast("dict[str, int]", pairs)


def _rows(key: str, value: object) -> tuple[Words, ...]:
    rows = cast("list[object]", value) if isinstance(value, list) else [None]
    return tuple(_words(key, row) for row in rows)


def _holidays(key: str, value: object) -> tuple[Holiday, ...]:
    found: list[Holiday] = []
    for one in cast("list[Mapping[str, Any]]", value):
        others, seldom = _words(key, one.get("others", "")), one.get("seldom", False) is True
        holiday = Holiday(str(one["name"]), str(one["rule"]), others, seldom)
        try:
            holiday.day(2071)
        except ValueError:
            raise ValueError(f"cannot compute {holiday.name} by {holiday.rule}") from None
        found.append(holiday)
    return tuple(found)


_READERS: Mapping[Any, Any] = {
    str: _text,
    bool: _flag,
    Numbered: _numbered,
    tuple[Words, ...]: _rows,
    tuple[Holiday, ...]: _holidays,
}
