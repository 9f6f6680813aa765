"""Dates in text, and which of them mean the same day."""

from datetime import date
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.language.date_mentions import Day, DayOrder, day_order, find_dates, read_date, same_day
from shared.language.variant_rules import Rule
from shared.synthetic.dates import write_date


@pytest.mark.parametrize(
    ("text", "readings"),
    [
        ("2007-05-09", [(2007, 5, 9)]),
        ("05/20/07", [(7, 5, 20)]),
        ("20.05.2007", [(2007, 5, 20)]),
        ("05/09/07", [(7, 5, 9), (7, 9, 5)]),
        ("5/9", [(None, 5, 9), (None, 9, 5)]),
        ("5/2009", [(2009, 5, None)]),
        ("May 9, 2007", [(2007, 5, 9)]),
        ("MAY 9TH,\n2007", [(2007, 5, 9)]),
        ("Sept. 9", [(None, 9, 9)]),
        ("9-May-07", [(7, 5, 9)]),
        ("9th of May, 2007", [(2007, 5, 9)]),
        ("9 de mayo de 2007", [(2007, 5, 9)]),
        ("3 de ene. de 2007", [(2007, 1, 3)]),
        ("May '07", [(7, 5, None)]),
        ("Wednesday, May 9", [(None, 5, 9)]),
    ],
)
def test_what_a_date_says(text: str, readings: list[tuple[int | None, int, int | None]]) -> None:
    mention = read_date(text)
    assert mention is not None
    assert [(each.year, each.month, each.day) for each in mention.readings] == readings


@pytest.mark.parametrize(
    "text",
    ["120/80", "13/32", "1/2/3", "1.2.03", "decades", "March", "5-9", "7/7/7/7", "12:30", ""],
)
def test_what_is_no_date(text: str) -> None:
    assert read_date(text) is None


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Since5/9/07, on May 9.", ["5/9/07", "May 9"]),
        ("BP 120/80, 13/32/04, 5/20/07.", ["5/20/07"]),
        ("a dose of 5 may 12 hours", ["5 may"]),
        ("Jar 5, for 3, Mar 3", ["Mar 3"]),
        ("version 1.2.2004.5", []),
    ],
)
def test_where_dates_stand(text: str, found: list[str]) -> None:
    mentions = sorted(find_dates(text), key=lambda each: each.start)
    assert [text[each.start : each.end] for each in mentions] == found


@pytest.mark.parametrize(
    ("texts", "order"),
    [
        (["5/20/07", "5/9/07"], DayOrder.MONTH_FIRST),
        (["20/5/07", "5/9/07"], DayOrder.DAY_FIRST),
        (["20/5/07", "5/20/07"], None),
        (["5/9/07", "2007-05-20"], None),
    ],
)
def test_which_of_day_and_month_stands_first(texts: list[str], order: DayOrder | None) -> None:
    assert day_order(each for text in texts for each in find_dates(text)) is order


@pytest.mark.parametrize(
    ("one", "other", "order", "rule"),
    [
        ("05/09/07", "May 9, 2007", DayOrder.MONTH_FIRST, Rule.DATE),
        ("05/09/07", "May 9, 2007", DayOrder.DAY_FIRST, None),
        ("05/09/07", "May 9, 2007", None, Rule.OPEN_DATE),
        ("02/03/07", "2/3/2007", None, Rule.DATE),
        ("02/03/07", "3/2/2007", None, Rule.OPEN_DATE),
        ("2007-05-20", "5/20", None, Rule.OPEN_DATE),
        ("2007-05-20", "May 20th", None, Rule.DATE),
        ("2007-05-20", "May 20, 2008", None, None),
        ("2/2/07", "2/2", None, Rule.OPEN_DATE),
    ],
)
def test_whether_two_dates_are_one_day(
    one: str, other: str, order: DayOrder | None, rule: Rule | None
) -> None:
    first, second = read_date(one), read_date(other)
    assert first is not None
    assert second is not None
    assert same_day(first, second, order) is rule


full_forms = st.sampled_from("iso us us4 dash long ordinal short dmy".split())


@given(st.dates(date(1900, 1, 1), date(2199, 12, 31)), full_forms, full_forms, st.integers(0, 9))
def test_a_day_is_the_same_in_every_format(day: date, form: str, other: str, seed: int) -> None:
    rng = Random(seed)
    one, two = (read_date(write_date(day, each, rng).text) for each in (form, other))
    assert one is not None
    assert two is not None
    assert same_day(one, two, DayOrder.MONTH_FIRST) is Rule.DATE


@given(st.dates(date(1900, 1, 1), date(1999, 12, 31)), st.integers(1, 3000), full_forms)
def test_two_days_are_never_one(day: date, apart: int, form: str) -> None:
    later = date.fromordinal(day.toordinal() + apart)
    one, two = (read_date(write_date(each, form, Random(1)).text) for each in (day, later))
    assert one is not None
    assert two is not None
    assert same_day(one, two, DayOrder.MONTH_FIRST) is None


def test_days_agree_without_a_century() -> None:
    assert Day(5, 9, 7).agrees(Day(5, 9, 2007))
    assert not Day(5, 9, 1907).agrees(Day(5, 9, 2007))
