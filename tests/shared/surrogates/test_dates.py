"""Dates keep their form, and the days between them."""

import re
from collections.abc import Callable, Sequence
from datetime import date, datetime, timedelta
from random import Random

import pytest
from dateutil.relativedelta import relativedelta
from hypothesis import given
from hypothesis import strategies as st

from shared.language.date_grammar import parse
from shared.language.date_mentions import read_date
from shared.language.known_languages import known_languages
from shared.language.languages import language
from shared.model import PhiType, Span, Tag
from shared.surrogates.dates.interpretation import AMBIGUOUS, read_dates
from shared.surrogates.dates.meaning import is_birth
from shared.surrogates.dates.shift import UNREAD, replace_dates
from shared.surrogates.mentions import PhiMention, Surrogate
from shared.surrogates.surrogate_kinds import SurrogateKind

ANCHOR = "2007-05-09"


def mentions(texts: Sequence[str], before: str = "") -> list[PhiMention]:
    tag = Tag(Span(0, 1), PhiType("DATE", "DATE"))
    return [
        PhiMention(
            number, "110-01", tag, SurrogateKind.DATE, text, before if number else "Record date: "
        )
        for number, text in enumerate(texts)
    ]


def shifted(*texts: str, seed: int = 1, **how: bool) -> list[Surrogate]:
    found = replace_dates(mentions(texts), Random(seed), language("en"), **how)
    return [found[number] for number in range(len(texts))]


@pytest.mark.parametrize(
    ("before", "code", "is_past"),
    [
        ("Born ", "en", True),
        ("Signed by Sophie Osborn, ", "en", False),
        ("geb. ", "de", True),
        ("Ergebnisse vom ", "de", False),
    ],
)
def test_a_day_of_birth_stands_behind_a_word_for_it_not_behind_its_letters(before, code, is_past):
    _, mention = mentions([ANCHOR, "12/16/98"], before)
    assert is_birth(mention, language(code)) is is_past


@pytest.mark.parametrize(
    ("code", "text", "whole", "short"),
    [
        ("en", "Feb. 3, 1996", r"May \d+, \d{4}", r"[A-Z][a-z]{2,3}\. \d+, \d{4}"),
        ("de", "3. Feb. 1996", r"\d+\. (Mai|Juni|Juli|März) \d{4}", r"\d+\. [A-Z]\w{2,3}\. \d{4}"),
    ],
)
def test_a_month_that_has_no_shorter_form_has_no_dot(code, text, whole, short):
    written = {
        replace_dates(mentions([ANCHOR, text]), Random(seed), language(code))[1].text
        for seed in range(60)
    }
    assert any(re.fullmatch(whole, each) for each in written)
    assert any(re.fullmatch(short, each) for each in written)
    assert not [e for e in written if not (re.fullmatch(whole, e) or re.fullmatch(short, e))]
    assert not any(re.search(r"\b(May|Mai)\.", each) for each in written)


def test_a_dot_between_the_parts_of_a_date_stays():
    written = {shifted(ANCHOR, "03.Feb.1996", seed=seed)[1].text for seed in range(60)}
    assert any(".May." in each for each in written)


def shift_of(surrogates: Sequence[Surrogate]) -> timedelta:
    return date.fromisoformat(surrogates[0].text) - date.fromisoformat(ANCHOR)


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("05/09/07", "%m/%d/%y"),
        ("05/09/2007", "%m/%d/%Y"),
        ("05-09-07", "%m-%d-%y"),
        ("05.09.2007", "%m.%d.%Y"),
        ("20070509", "%Y%m%d"),
        ("May 09, 2007", "%B %d, %Y"),
        ("09 May 2007", "%d %B %Y"),
        ("09-MAY-2007", "%d-%b-%Y"),
        ("09MAY07", "%d%b%y"),
        ("2007/05/09", "%Y/%m/%d"),
        ("Wednesday, May 09, 2007", "%A, %B %d, %Y"),
        ("May 2007", "%B %Y"),
        ("2007", "%Y"),
    ],
)
def test_a_date_keeps_its_form_and_moves_as_far_as_the_others(text: str, form: str) -> None:
    found = shifted(ANCHOR, text)
    moved = date.fromisoformat(ANCHOR) + shift_of(found)
    meant = datetime.strptime(found[1].text, form).replace(tzinfo=None).date()  # noqa: DTZ007
    if "%d" in form:
        assert meant == moved
    assert found[1].text.isupper() == text.isupper()
    assert not found[1].reasons


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        ("5/9", r"\d{1,2}/\d{1,2}"),
        ("May 20th", r"[A-Z][a-z]+ \d{1,2}(st|nd|rd|th)"),
        ("MAY 2ND", r"[A-Z]+ \d{1,2}(ST|ND|RD|TH)"),
        ("Fall '02", r"(Winter|Spring|Summer) '\d\d"),
        ("spring", r"(winter|summer|fall)"),
        ("'92", r"'\d\d"),
        ("1980's", r"2?\d\d\d0's"),
        ("'80s", r"'\d0s"),
        ("80s", r"\d0s"),
        ("Mon", r"(Tue|Wed|Thu|Fri|Sat|Sun)"),
        ("Sunday", r"[MTWFS][a-z]+day"),
        ("Christmas", r"[A-Z][\w.' ]+"),
        ("New Year's Day 2003", r"[A-Z][\w.' ]+ \d{4}"),
        ("January through March", r"[A-Z][a-z]+ through [A-Z][a-z]+"),
        ("May 9-12, 2007", r"[A-Z][a-z]+ \d{1,2}-([A-Z][a-z]+ )?\d{1,2}, \d{4}"),
        ("5/9-5/12", r"\d{1,2}/\d{1,2}-\d{1,2}/\d{1,2}"),
        ("2001-03", r"\d{4}-\d\d"),
        ("9 de mayo de 2007", r"\d{1,2} de [a-z]+ de \d{4}"),
        ("Septiembre 2015", r"[A-Z][a-z]+ \d{4}"),
        ("mayo del año 2007", r"[a-z]+ del año \d{4}"),
        ("MWF", r"[MTWFS]{3}"),
        ("M/W/F", r"[MTWFS](/[MTWFS]){2}"),
        ("Tu, Th, Sa", r"[MTWFS][a-z](, [MTWFS][a-z]){2}"),
        ("Mondays", r"[MTWFS][a-z]+days"),
        ("TUESDAYS", r"[MTWFS][A-Z]+DAYS"),
        ("Diwali", r"[A-Z][\w.' ]+"),
        ("Ash Wednesday 2005", r"[A-Z][\w.' ]+ \d{4}"),
        ("KW 27", r"KW \d{1,2}"),
        ("13. KW 2019", r"\d{1,2}\. KW \d{4}"),
        ("montags", r"[a-z]+(tag|woch)s"),
        ("5/9/07 at 10:30 AM", r"\d{1,2}/\d{1,2}/\d\d at 10:30 AM"),
        ("Nov-\nember 2070", r"[A-Z][a-z]+ \d{4}"),
        ("05/\n06/2070", r"\d\d/\n\d\d/\d{4}"),
        ("2070年5月1日", r"\d{4}年\d{1,2}月\d{1,2}日"),
        ("5月1日", r"\d{1,2}月\d{1,2}日"),
        ("1 مايو 2070", r"\d{1,2} [\u0620-\u064a]+ \d{4}"),
        ("٣ آب ٢٠٧٠", r"[٠-٩]{1,2} [\u0620-\u064a]+ [٠-٩]{4}"),
    ],
)
def test_every_surface_form(text: str, pattern: str) -> None:
    found = shifted(ANCHOR, text)[1]
    assert re.fullmatch(pattern, found.text)
    assert found.text != text
    assert UNREAD not in found.reasons


@given(
    st.lists(st.dates(date(1951, 1, 1), date(2041, 12, 31)), min_size=1, max_size=8),
    st.integers(0, 10**6),
    st.booleans(),
)
def test_intervals_between_full_dates_are_exact(
    days: list[date], seed: int, keep_weekdays: bool
) -> None:
    texts = [day.isoformat() for day in days]
    found = shifted(*texts, seed=seed, keep_weekdays=keep_weekdays)
    shifts = {date.fromisoformat(each.text) - day for each, day in zip(found, days, strict=True)}
    assert len(shifts) == 1
    assert (shifts.pop().days % 7 == 0) is keep_weekdays


@given(st.dates(date(1990, 1, 1), date(2030, 12, 31)), st.integers(0, 999))
def test_two_digit_years_agree_with_full_ones(day: date, seed: int) -> None:
    found = shifted(day.isoformat(), f"{day:%m/%d/%y}", seed=seed)
    assert found[1].text == f"{date.fromisoformat(found[0].text):%m/%d/%y}"


@given(st.text(max_size=30), st.integers(0, 999))
def test_no_text_is_too_odd(text: str, seed: int) -> None:
    parse(text, language("en"))
    found = shifted(ANCHOR, text, seed=seed)[1]
    assert found.text


@pytest.mark.parametrize(
    ("text", "before", "others", "day"),
    [
        ("02/03", "seen on ", (), True),
        ("02/03", "stable since ", ("2/20/2007",), False),
        ("02/03", "", ("02/03/2007",), True),
        ("02/03", "", ("February 2003",), False),
        ("5/9", "in ", (), True),
        ("12/98", "", (), False),
        ("12/25", "", (), True),
    ],
)
def test_what_a_day_or_a_month_and_year_is_the_rest_tells(
    text: str, before: str, others: tuple[str, ...], day: bool
) -> None:
    found = read_dates(mentions((ANCHOR, *others, text), before), language("en"))
    reading = found[len(others) + 1].readings[0]
    assert (reading.precision == "day") is day
    assert not reading.reasons


def test_what_nothing_tells_is_for_a_person() -> None:
    assert shifted(ANCHOR, "11/04")[1].reasons == (AMBIGUOUS,)


def test_day_and_month_are_told_apart_by_the_patients_other_dates() -> None:
    found = read_dates(mentions(("25/12/2007", "03/02/2007")), language("en"))
    assert found[1].readings[0].day == date(2007, 2, 3)


@pytest.mark.parametrize("text", ["Colombia", "99/99/2003", "500 600 700", "?", "FY07"])
def test_what_cannot_be_read_is_replaced_all_the_same(text: str) -> None:
    found = shifted(ANCHOR, text)[1]
    assert found.text != text
    assert found.reasons == (UNREAD,)


def test_an_impossible_day_is_for_a_person() -> None:
    found = shifted(ANCHOR, "02/30")[1]
    assert re.fullmatch(r"\d\d/\d\d", found.text)
    assert found.reasons


@pytest.mark.parametrize(
    ("birth", "age"), [("1914-02-07", 90), ("1886-02-07", 90), ("1918-02-07", 89)]
)
def test_a_birth_tells_no_age_above_ninety(birth: str, age: int) -> None:
    """As the ages beside it are lowered, so is what the birth date would tell."""
    found = shifted(ANCHOR, birth)
    seen, born = (date.fromisoformat(each.text) for each in found[:2])
    assert relativedelta(seen, born).years == age
    assert found[1].reasons == ()


def test_a_year_of_birth_tells_no_age_above_ninety() -> None:
    found = shifted(ANCHOR, "1886")
    assert int(found[0].text[:4]) - int(found[1].text) in {90, 91}


@given(st.integers(0, 9999))
def test_no_date_stays_and_none_becomes_another_of_the_patient(seed: int) -> None:
    texts = (ANCHOR, "5/9", "4/2", "May", "Monday", "Fall", "'92")
    found = [each.text for each in shifted(*texts, seed=seed)]
    assert not set(found) & set(texts)


def test_a_birth_lies_behind() -> None:
    found = read_dates(mentions(("2070-08-21", "09/09/72"), "Date of Birth: "), language("en"))
    assert found[1].readings[0].day == date(1972, 9, 9)


def test_weekdays_stay_where_they_are_to_be_kept(
    surrogates: Callable[..., list[str]],
) -> None:
    source = "Record date: [2007-05-09|DATE], seen [Wednesday|DATE]"
    found = surrogates(source, keep_weekdays=True)
    assert found[1] == "Wednesday"
    assert date.fromisoformat(found[0]).weekday() == 2


@given(
    st.dates(date(1990, 1, 1), date(2030, 12, 31)),
    st.sampled_from(
        [
            ("es", "{day} de\n{month} de {year}"),
            ("de", "{day}. {month}\n{year}"),
            ("zh", "{year}年{number}月{day}日"),
            ("ar", "{day} {month} {year}"),
        ]
    ),
    st.integers(0, 999),
)
def test_a_date_of_any_language_moves_as_far_as_the_others(
    day: date, form: tuple[str, str], seed: int
) -> None:
    spoken = language(form[0])
    month = spoken.dates.month_names[day.month - 1]
    text = form[1].format(day=day.day, number=day.month, month=month, year=day.year)
    found = replace_dates(mentions((day.isoformat(), text)), Random(seed), spoken)
    moved = date.fromisoformat(found[0].text)
    read = read_date(found[1].text, spoken)
    assert read is not None
    assert [tuple(each) for each in read.readings] == [(moved.month, moved.day, moved.year)]
    assert not found[1].reasons


@given(st.dates(date(1990, 1, 1), date(2030, 12, 31)), st.integers(0, 999))
def test_a_week_moves_as_far_as_the_others(day: date, seed: int) -> None:
    year, week, _ = day.isocalendar()
    week = min(week, 52)
    texts = (day.isoformat(), f"KW {week}/{year}")
    found = replace_dates(mentions(texts), Random(seed), language("de"))
    by = date.fromisoformat(found[0].text) - day
    new_year, new_week, _ = (date.fromisocalendar(year, week, 4) + by).isocalendar()
    assert found[1].text == f"KW {new_week}/{new_year}"
    assert not found[1].reasons


@pytest.mark.parametrize("code", [each for each in known_languages() if each != "und"])
def test_no_holiday_becomes_one_that_few_keep(code: str) -> None:
    spoken = language(code)
    kept = {each.name.lower() for each in spoken.dates.holiday if not each.seldom}
    for holiday in spoken.dates.holiday:
        for seed in range(10):
            found = replace_dates(mentions((ANCHOR, holiday.name)), Random(seed), spoken)
            assert found[1].text.lower() in kept - {holiday.name.lower()}
            assert not found[1].reasons
