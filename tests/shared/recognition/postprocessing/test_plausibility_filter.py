"""What cannot be what it was taken for."""

import pytest

from shared.model import PhiType, Span
from shared.recognition.postprocessing.plausibility_filter import remove_implausible
from shared.recognition.recognizer import Suggestion

DATE, AGE, ZIP = PhiType("DATE", "DATE"), PhiType("AGE", "AGE"), PhiType("LOCATION", "ZIP")
DOCTOR, HOSPITAL = PhiType("NAME", "DOCTOR"), PhiType("LOCATION", "HOSPITAL")
ROOM, NUMBER = PhiType("LOCATION", "ROOM"), PhiType("ID", "IDNUM")


def left(text, phrase, phi_type):
    """What becomes of the phrase, taken for that type."""
    start = text.index(phrase)
    one = Suggestion(Span(start, start + len(phrase)), phi_type, 0.9, "crf")
    return [
        (each.span.text_in(text), each.phi_type.name) for each in remove_implausible(text, [one])
    ]


@pytest.mark.parametrize(
    "written", ["26/30", "15-20", "31/56", "34/55/94", "2226", "5-107", "3400", "2010-13"]
)
def test_what_is_no_day_is_no_date(written):
    assert left(f"Score {written} today", written, DATE) == []


@pytest.mark.parametrize(
    "written",
    ["2/28", "13/2", "3/2094", "12/31/94", "31.12.1994", "2094-03-15", "2079", "March 4", "94"],
)
def test_what_may_be_a_day_stays(written):
    assert left(f"Seen {written} here", written, DATE) == [(written, "DATE")]


@pytest.mark.parametrize(
    ("written", "dates"),
    [
        ("1986 - 1997", ["1986", "1997"]),
        ("2114, 2123", ["2114", "2123"]),
        ("3/4/2094 to 3/9/2094", ["3/4/2094", "3/9/2094"]),
        ("4/5 and 4/9", ["4/5", "4/9"]),
    ],
)
def test_two_dates_are_two(written, dates):
    assert left(f"Married {written}.", written, DATE) == [(date, "DATE") for date in dates]


@pytest.mark.parametrize(
    ("written", "day"),
    [("Thursday 2200", "Thursday"), ("5/9 1430", "5/9"), ("5/9/94 at 14:30", "5/9/94")],
)
def test_the_time_of_day_is_no_part_of_a_date(written, day):
    assert left(f"Eats since {written}.", written, DATE) == [(day, "DATE")]


def test_a_month_with_its_year_is_no_day_with_a_time():
    assert left("seen May 2009 again", "May 2009", DATE) == [("May 2009", "DATE")]


@pytest.mark.parametrize(
    "text", ["raised to @ degrees", "Hct fell from @ to 24", "BP < @.", "cord at @ cm"]
)
def test_what_is_measured_is_no_age(text):
    assert left(text.replace("@", "36"), "36", AGE) == []


def test_nobody_is_as_old_as_a_year():
    assert left("In 2125 well", "2125", AGE) == [("2125", "DATE")]
    assert left("Plan 1642 signed", "1642", AGE) == []
    assert left("a man of 103", "103", AGE) == [("103", "AGE")]


def test_a_zip_code_has_five_digits():
    assert left("MI 1987", "1987", ZIP) == [("1987", "DATE")]
    assert left("MA 02144", "02144", ZIP) == [("02144", "ZIP")]


def test_names_have_letters():
    assert left("by 25623434 here", "25623434", DOCTOR) == []
    assert left("asthma 1994", "1994", HOSPITAL) == [("1994", "DATE")]
    assert left("bed 12", "12", ROOM) == [("12", "ROOM")]


def test_a_time_of_day_is_no_number():
    assert left("Date 3/4  Time: 1340", "1340", NUMBER) == []
    assert left("Case 1340", "1340", NUMBER) == [("1340", "IDNUM")]


def test_a_month_after_in_is_nobody():
    assert left("return in April and", "April", DOCTOR) == [("April", "DATE")]
    assert left("with April and", "April", DOCTOR) == [("April", "DOCTOR")]
