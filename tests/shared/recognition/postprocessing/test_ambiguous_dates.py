"""Days that are written like shares."""

import pytest

from shared.formats.schema_auto import schema_of_types
from shared.language.languages import language
from shared.model import PhiType, Span
from shared.recognition.postprocessing.ambiguous_dates import classify_dates
from shared.recognition.postprocessing.patient_suggestions import PatientSuggestions
from shared.recognition.recognizer import Suggestion
from tests.builders import after_pass

DATE, AGE = PhiType("DATE", "DATE"), PhiType("AGE", "AGE")


def surer(full, short, *, sure=0.99, phi_type=DATE, code="en"):
    """The confidence of `short`, 0.3 before, in a record that has the date `full`."""
    text = f"Seen {full}; echo {short} fine"
    made = [
        Suggestion(Span(text.index(each), text.index(each) + len(each)), kind, confidence, "crf")
        for each, kind, confidence in ((full, DATE, sure), (short, phi_type, 0.3))
    ]
    schema = schema_of_types([DATE, AGE], "some")
    patient = PatientSuggestions((text,), (tuple(made),), schema, "crf", language(code))
    return round(classify_dates(patient).found[0][1].confidence, 2)


@pytest.mark.parametrize("full", ["3/15/2094", "03/15/94", "2094-03-15", "March 15, 2094"])
@pytest.mark.parametrize("short", ["2/10", "3/20", "4/1"])
def test_a_day_near_a_full_date_is_surer(full, short):
    assert surer(full, short) == 0.72


@pytest.mark.parametrize(
    ("code", "full"),
    [("es", "15 de marzo de 2094"), ("de", "15. März\n2094")],
)
def test_full_dates_are_read_as_their_language_writes_them(code, full):
    assert surer(full, "20/3", code=code) == 0.72
    assert surer(full, "3/20", code=code) == 0.3


@pytest.mark.parametrize("name", ["October", "Thursday"])
def test_days_and_months_by_name_are_surer_wherever_they_stand(name):
    assert surer("3/15/2094", name) == surer("March 15", name) == 0.72
    assert surer("3/15/2094", name, phi_type=AGE) == 0.3


@pytest.mark.parametrize("short", ["9/10", "2/30", "14/15", "2/2094"])
def test_what_is_far_or_no_day_stays(short):
    assert surer("3/15/2094", short) == 0.3


def test_days_around_the_turn_of_the_year_are_near():
    assert surer("1/3/2094", "12/28") == 0.72


def test_a_doubtful_date_and_one_without_a_year_say_nothing():
    assert surer("3/15/2094", "2/10", sure=0.5) == 0.3
    assert surer("March 15", "2/10") == 0.3


@pytest.mark.parametrize(
    ("text", "days"), [("CT head @ clean", ["4/9"]), ("strength @/5", []), ("ratio 1:@", [])]
)
def test_a_day_near_a_full_date_is_found(text, days):
    text = f"Seen 3/15/2094; {text.replace('@', '4/9')}"
    full = Suggestion(Span(5, 14), DATE, 0.99, "crf")

    found = after_pass(classify_dates, [text], [[full]])[0]

    assert [one.span.text_in(text) for one in found[1:]] == days


@pytest.mark.parametrize("share", ["3/5", "2/10", "9/8"])
def test_a_share_or_a_day_far_away_is_not_found(share):
    text = f"Seen 3/15/2094; power {share} now"
    full = Suggestion(Span(5, 14), DATE, 0.99, "crf")

    assert after_pass(classify_dates, [text], [[full]])[0] == (full,)


def test_other_types_stay():
    assert surer("3/15/2094", "2/10", phi_type=AGE) == 0.3


def test_full_marks_are_no_surer_near_a_date():
    assert surer("5/10/2094", "5/5") == 0.3
