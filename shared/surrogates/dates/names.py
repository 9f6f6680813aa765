"""What months, days of the week, seasons and holidays are called, in English and Spanish."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta

from dateutil.easter import easter

_MONTHS = {
    "en": "January February March April May June July August September October November December",
    "es": (
        "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre"
    ),
}
_SHORT_MONTHS = {
    "en": "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec",
    "es": "ene feb mar abr may jun jul ago sep oct nov dic",
}
_OTHER_MONTHS = {"sept": 9, "setiembre": 9, "set": 9, "febr": 2, "agto": 8}
_WEEKDAYS = {
    "en": "Monday Tuesday Wednesday Thursday Friday Saturday Sunday",
    "es": "lunes martes miércoles jueves viernes sábado domingo",
}
_SHORT_WEEKDAYS = {"en": "Mon Tue Wed Thu Fri Sat Sun", "es": "lun mar mié jue vie sáb dom"}
_OTHER_WEEKDAYS = {
    "tues": 1, "thur": 3, "thurs": 3, "wednes": 2, "weds": 2, "miercoles": 2, "sabado": 5
}  # fmt: skip
_SEASONS = {"en": "winter spring summer fall", "es": "invierno primavera verano otoño"}
_OTHER_SEASONS = {"autumn": 3, "otono": 3, "springtime": 1, "summertime": 2, "wintertime": 0}


@dataclass(frozen=True, slots=True)
class Name:
    """A word of the calendar: 0 for January, Monday and winter; `short` where it is cut."""

    number: int
    language: str
    short: bool = False


def _names(
    full: Mapping[str, str], short: Mapping[str, str], others: Mapping[str, int]
) -> dict[str, Name]:
    found: dict[str, Name] = {}
    for language in ("es", "en"):
        for row, cut in ((short, True), (full, False)):
            for number, word in enumerate(row.get(language, "").split()):
                found[word.lower()] = Name(number, language, cut)
    for word, number in others.items():
        found[word] = Name(number, "es" if word in {"setiembre", "otono"} else "en", short=True)
    return found


MONTHS = _names(_MONTHS, _SHORT_MONTHS, {w: n - 1 for w, n in _OTHER_MONTHS.items()})
WEEKDAYS = _names(_WEEKDAYS, {"en": _SHORT_WEEKDAYS["en"]}, _OTHER_WEEKDAYS)
SEASONS = _names(_SEASONS, {}, _OTHER_SEASONS)


def folded_name(text: str) -> str:
    """Return a holiday as `HOLIDAYS` has it: small letters, every run of blanks as one space."""
    return " ".join(text.lower().split())


def month_name(number: int, language: str, *, short: bool) -> str:
    return (_SHORT_MONTHS if short else _MONTHS)[language].split()[number]


def weekday_name(number: int, language: str, *, short: bool) -> str:
    return (_SHORT_WEEKDAYS if short else _WEEKDAYS)[language].split()[number]


def season_name(number: int, language: str) -> str:
    return _SEASONS[language].split()[number]


def season_of(day: date) -> int:
    return (day.month - 1) // 3


def _fixed(month: int, day: int) -> Callable[[int], date]:
    return lambda year: date(year, month, day)


def _nth(month: int, weekday: int, number: int) -> Callable[[int], date]:
    def find(year: int) -> date:
        first = date(year, month, 1)
        return first + timedelta(days=(weekday - first.weekday()) % 7 + 7 * (number - 1))

    return find


def _memorial(year: int) -> date:
    return date(year, 5, 31) - timedelta(days=date(year, 5, 31).weekday())


_HOLIDAYS: dict[str, dict[str, Callable[[int], date]]] = {
    "en": {
        "New Year's Day": _fixed(1, 1),
        "Martin Luther King Day": _nth(1, 0, 3),
        "Valentine's Day": _fixed(2, 14),
        "Presidents' Day": _nth(2, 0, 3),
        "St. Patrick's Day": _fixed(3, 17),
        "Easter": easter,
        "Mother's Day": _nth(5, 6, 2),
        "Memorial Day": _memorial,
        "Father's Day": _nth(6, 6, 3),
        "Fourth of July": _fixed(7, 4),
        "Labor Day": _nth(9, 0, 1),
        "Columbus Day": _nth(10, 0, 2),
        "Halloween": _fixed(10, 31),
        "Veterans Day": _fixed(11, 11),
        "Thanksgiving": _nth(11, 3, 4),
        "Christmas Eve": _fixed(12, 24),
        "Christmas": _fixed(12, 25),
        "New Year's Eve": _fixed(12, 31),
    },
    "es": {
        "Año Nuevo": _fixed(1, 1),
        "Reyes": _fixed(1, 6),
        "Semana Santa": easter,
        "San José": _fixed(3, 19),
        "San Juan": _fixed(6, 24),
        "Santiago": _fixed(7, 25),
        "la Asunción": _fixed(8, 15),
        "el Pilar": _fixed(10, 12),
        "Todos los Santos": _fixed(11, 1),
        "la Inmaculada": _fixed(12, 8),
        "Nochebuena": _fixed(12, 24),
        "Navidad": _fixed(12, 25),
        "Nochevieja": _fixed(12, 31),
    },
}
_OTHER_HOLIDAYS = {
    "new years": "New Year's Day",
    "new year's": "New Year's Day",
    "new years day": "New Year's Day",
    "mlk day": "Martin Luther King Day",
    "valentines day": "Valentine's Day",
    "st patrick's day": "St. Patrick's Day",
    "saint patrick's day": "St. Patrick's Day",
    "easter sunday": "Easter",
    "mothers day": "Mother's Day",
    "fathers day": "Father's Day",
    "july fourth": "Fourth of July",
    "the fourth of july": "Fourth of July",
    "independence day": "Fourth of July",
    "veteran's day": "Veterans Day",
    "thanksgiving day": "Thanksgiving",
    "christmas day": "Christmas",
    "xmas": "Christmas",
    "x-mas": "Christmas",
    "new years eve": "New Year's Eve",
    "navidades": "Navidad",
    "día de reyes": "Reyes",
}
HOLIDAYS: dict[str, tuple[str, str]] = {
    name.lower(): (language, name) for language, names in _HOLIDAYS.items() for name in names
} | {other: ("es" if name in _HOLIDAYS["es"] else "en", name)
     for other, name in _OTHER_HOLIDAYS.items()}  # fmt: skip
"""How holidays are called, in small letters, with their language and their name proper."""


def holiday_date(language: str, name: str, year: int) -> date:
    return _HOLIDAYS[language][name](year)


def nearest_holiday(day: date, language: str, but: str) -> str:
    """Return the holiday nearest to a day, other than `but`."""
    years = [year for year in (day.year - 1, day.year, day.year + 1) if 1 <= year <= 4000]
    return min(
        (abs((find(year) - day).days), name)
        for name, find in _HOLIDAYS[language].items()
        if name != but
        for year in years
    )[1]
