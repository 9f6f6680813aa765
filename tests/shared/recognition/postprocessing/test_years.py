"""Years alone, borne out by the time that a patient's records speak of."""

import pytest

from shared.model import PhiType, Span
from shared.recognition.postprocessing.years import find_years
from shared.recognition.recognizer import Suggestion

DATE, NUMBER = PhiType("DATE", "DATE"), PhiType("ID", "IDNUM")


def years(text, *found, full="3/15/2094", companions="Seen @."):
    """Dates and their confidence in a text, beside a record that has the date `full`."""
    texts = [companions.replace("@", full), text]
    start = texts[0].find(full)
    made = [
        [Suggestion(Span(start, start + len(full)), DATE, 0.99, "crf")],
        [
            Suggestion(Span(text.index(each), text.index(each) + len(each)), kind, sure, "crf")
            for each, kind, sure in (("Voss", NUMBER, 0.9), *found)
        ],
    ]
    _, result = find_years(texts, made)
    return {
        one.span.text_in(text): round(one.confidence, 2) for one in result if one.phi_type == DATE
    }


def test_a_year_of_a_life_is_surer():
    assert years("Voss, hysterectomy 2076.", ("2076", DATE, 0.3)) == {"2076": 0.86}


@pytest.mark.parametrize("text", ["lymphoma (2076)", "bypass 2076, well", "bypass 2076 and stent"])
def test_a_year_that_was_overlooked_is_found(text):
    assert years(f"Voss: {text}") == {"2076": 0.85}


def test_another_type_of_little_confidence_gives_way():
    assert years("Voss, lymphoma (2076)", ("2076", NUMBER, 0.3)) == {"2076": 0.85}


@pytest.mark.parametrize(
    "text",
    ["arrived 2076.", "pager 2076.", "took 2076 ml.", "#2076.", "room 2076.", "2076 Oak Street,"],
)
def test_other_numbers_are_no_years(text):
    assert years(f"Voss {text}") == {}


def test_a_number_out_of_time_is_hardly_a_year():
    assert years("Voss, turned 1930.", ("1930", DATE, 0.8)) == {"1930": 0.4}


def test_where_times_of_day_are_written_alike_years_stand_in_brackets():
    full = "3/15/2109"

    assert years("0715 Voss woke, 2110.", full=full) == {}
    assert years("0715 Voss woke, 2110.", ("2110", DATE, 0.3), full=full) == {"2110": 0.3}
    assert years("0715 Voss: lymphoma (2110)", full=full) == {"2110": 0.85}
    assert years("0715 Voss: bypass 2076.", full=full) == {"2076": 0.85}


def test_without_a_full_date_nothing_is_said():
    assert years("Voss, lymphoma (2076)", full="Monday") == {}
