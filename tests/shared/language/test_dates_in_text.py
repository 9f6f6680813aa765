"""Dates as they stand in records: of every language, and over the end of a line."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.language.date_grammar import parse
from shared.language.date_mentions import find_dates
from shared.language.dates_in_text import DateInText, dates_in
from shared.language.languages import language


def dates(text: str, code: str = "en") -> list[str]:
    found: list[DateInText] = sorted(dates_in(text, language(code)), key=lambda each: each.start)
    return [text[each.start : each.end] for each in found]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("on 05/\n  06/2070 and 1/2/2071", ["05/\n  06/2070", "1/2/2071"]),
        ("Seen May\n1, then 1 May\n2070.", ["May\n1", "1 May\n2070"]),
        ("Nov-\nember 2070 and Octo-\n  ber 3", ["Nov-\nember 2070", "Octo-\n  ber 3"]),
        ("pain 12-\n14 and so-\ncalled, co-\noperative 3", []),
        ("Nov-\nember 2070, then 05/\n06/2070, then 7/\n08/2070", 3),
    ],
)
def test_a_date_goes_on_in_the_next_line(text: str, found: list[str] | int) -> None:
    assert dates(text) == found or len(dates(text)) == found


@pytest.mark.parametrize("gap", ["\n\n", "\n \n", "     "])
def test_no_date_goes_on_in_a_new_paragraph_or_column(gap: str) -> None:
    assert dates(f"since 3 May{gap}2070 ml") == ["3 May"]


@pytest.mark.parametrize(
    ("code", "text", "found"),
    [
        ("es", "el 1 de\nmayo de 2070", ["1 de\nmayo de 2070"]),
        ("ar", "في 3 تشرين الأول 2071، و٢ كانون الثاني", ["3 تشرين الأول 2071", "٢ كانون الثاني"]),
        ("ar", "في 1 تشرين الاول 2071 ثم 5 غشت 2072 و4 جانفي 2073", 3),
        ("ar", "في مايو 2070 وفي تشرين الأول 2071", ["مايو 2070", "تشرين الأول 2071"]),
        ("ar", "كانون في 2071", []),
        ("es", "mayo del año 2070, 18/junio/2004, 18-jun-04", 3),
        ("de", "vom 27.02. bis 3. März\n2071", ["27.02.", "3. März\n2071"]),
        ("de", "am 3. 3. 2071, RR 1.4, 1-0-1, Nr. 3.4.1", ["3. 3. 2071"]),
        (
            "zh",
            "于2070年5月1日入院，5月3日出院。2070年6月",
            ["2070年5月1日", "5月3日", "2070年6月"],
        ),
        ("zh", "2070 年 5 月\n1 日，13月40日，12月龄，每年5月", ["2070 年 5 月\n1 日"]),
        ("ja", "2070年5月1日", ["2070年5月1日"]),
        ("ko", "2070년 5월 1일", ["2070년 5월 1일"]),
        ("ar", "في 1 مايو 2070 و١ مايو ٢٠٧٠", ["1 مايو 2070", "١ مايو ٢٠٧٠"]),
        ("en", "5月1日 and 3 مايو", ["5月1日", "3 مايو"]),
    ],
)
def test_dates_as_languages_write_them(code: str, text: str, found: list[str] | int) -> None:
    assert dates(text, code) == found or len(dates(text, code)) == found


@pytest.mark.parametrize(
    "text", ["3. March 2070 was", "May 123", "12 mayo", "0 May", "May 40", "2070年13月"]
)
def test_what_is_no_whole_date(text: str) -> None:
    assert dates(text) in ([], ["March 2070"])


@pytest.mark.parametrize(
    ("code", "text", "found"),
    [
        ("de", "Kind 3480/52/35, Apgar 8/9/10, NSA-pH 7,24", []),
        ("de", "Apgar-Werte: 9-10-10, geboren 8/9/10", ["8/9/10"]),
        ("de", "Apgar 8/9/10 am 8.9.2010", ["8.9.2010"]),
        ("en", "Apgars 8/9/10, APGAR score of 7/8/9", []),
        ("en", "Apgar on 8/9/10, Apgar 08/09/10, Apgar 8/9/2010, Apgar 8/12/10", 4),
        ("en", "Apgar normal 8/9/10; 8/9/10 Apgar 7/8/9", 2),
        ("es", "Apgar 8/9/10 el 8/9/10", ["8/9/10"]),
        ("es", "test de Apgar de 9/10/10, nacido 9/10/10", ["9/10/10"]),
    ],
)
def test_points_of_a_newborn_are_no_date_and_dates_beside_them_are(
    code: str, text: str, found: list[str] | int
) -> None:
    assert dates(text, code) == found or len(dates(text, code)) == found


def test_a_german_day_goes_before_its_month() -> None:
    (mention,) = find_dates("am 03.04.2071", language("de"))
    assert [tuple(each) for each in mention.readings] == [(4, 3, 2071)]


@pytest.mark.parametrize("text", ["Nov-\nember 2070", "2070年5月1日", "1 de\nmayo de\n2070", "5月"])
def test_what_is_found_is_read_whole(text: str) -> None:
    assert parse(text, language("en")).read


FORMS = [
    ("en", "{month} {day}, {year}"),
    ("en", "{day}-{month}-{year}"),
    ("en", "{year}-{number:02}-{day:02}"),
    ("es", "{day} de {month} de {year}"),
    ("es", "{day}/{month}/{year}"),
    ("de", "{day}. {month} {year}"),
    ("de", "{day}.{number}.{year}"),
    ("zh", "{year}年{number}月{day}日"),
    ("ko", "{year}년 {number}월 {day}일"),
    ("ar", "{day} {month} {year}"),
]


@given(st.dates(date(1860, 1, 1), date(2130, 12, 31)), st.sampled_from(FORMS), st.integers(0, 3))
def test_a_day_is_found_and_read_the_same_wherever_its_line_ends(
    day: date, form: tuple[str, str], broken: int
) -> None:
    code, template = form
    months = language(code).dates.month_names
    written = template.format(
        day=day.day, number=day.month, month=months[day.month - 1], year=day.year
    )
    pieces = written.split(" ")
    written = "\n".join([" ".join(pieces[:broken]), " ".join(pieces[broken:])]).strip("\n")
    text = f"x {written}, y"
    (found,) = find_dates(text, language(code))
    assert text[found.start : found.end] == written
    assert [tuple(each) for each in found.readings] == [(day.month, day.day, day.year)]
    (expression,) = parse(written, language(code)).expressions
    assert sorted(each.number for each in expression.parts) == sorted(
        (day.month, day.day, day.year)
    )
