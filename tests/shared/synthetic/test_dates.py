"""Dates in all forms of the guidelines, each with the days that it means."""

from datetime import date, timedelta
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.synthetic.dates import DATE_FORMS, write_date

DAY = date(2007, 5, 20)


@pytest.mark.parametrize(
    ("form", "texts"),
    [
        ("iso", {"2007-05-20"}),
        ("us", {"05/20/07", "5/20/07"}),
        ("us4", {"05/20/2007", "5/20/2007"}),
        ("dash", {"05-20-07", "5-20-07"}),
        ("md", {"5/20"}),
        ("long", {"May 20, 2007"}),
        ("ordinal", {"May 20th, 2007"}),
        ("month-ordinal", {"May 20th"}),
        ("dmy", {"20-May-2007"}),
        ("month", {"May"}),
        ("year", {"2007"}),
        ("yy", {"'07"}),
        ("decade", {"'00's", "2000's", "2000s"}),
        ("weekday", {"Sunday"}),
        ("holiday", {"Mother's Day"}),
    ],
)
def test_the_form_is_written(form, texts):
    assert {write_date(DAY, form, Random(seed)).text for seed in range(40)} == texts


@pytest.mark.parametrize(
    ("day", "text"),
    [
        (date(2007, 5, 1), "May 1st"),
        (date(2007, 5, 2), "May 2nd"),
        (date(2007, 5, 3), "May 3rd"),
        (date(2007, 5, 11), "May 11th"),
        (date(2007, 5, 12), "May 12th"),
        (date(2007, 5, 23), "May 23rd"),
    ],
)
def test_ordinals(day, text):
    assert write_date(day, "month-ordinal", Random(0)).text == text


@pytest.mark.parametrize(
    ("day", "holiday", "on"),
    [
        (date(2012, 11, 30), "Thanksgiving", date(2012, 11, 22)),
        (date(2013, 9, 5), "Labor Day", date(2013, 9, 2)),
        (date(2013, 5, 31), "Memorial Day", date(2013, 5, 27)),
        (date(2013, 1, 2), "New Year's Day", date(2013, 1, 1)),
    ],
)
def test_a_holiday_is_the_last_one(day, holiday, on):
    written = write_date(day, "holiday", Random(0))
    assert (written.text, written.days.first, written.days.last) == (holiday, on, on)


@given(
    st.dates(date(1901, 1, 1), date(2190, 1, 1)),
    st.sampled_from([form for form in DATE_FORMS if form != "holiday"]),
    st.integers(0, 99),
)
def test_the_day_is_among_the_days_that_the_text_means(day, form, seed):
    days = write_date(day, form, Random(seed)).days
    assert days.first <= day <= days.last
    assert not days.full or days.first == days.last
    assert days.last - days.first < timedelta(days=3653)
