"""Ages that other ages speak for."""

from shared.model import PhiType, Span
from shared.recognition.postprocessing.ages import find_ages
from shared.recognition.recognizer import Suggestion

AGE, DATE = PhiType("AGE", "AGE"), PhiType("DATE", "DATE")


def ages(*records):
    """Ages and their confidence in the last record of (text, (phrase, type, confidence)...)."""
    texts = [text for text, *_ in records]
    made = [
        [
            Suggestion(Span(text.index(each), text.index(each) + len(each)), kind, sure, "crf")
            for each, kind, sure in found
        ]
        for text, *found in records
    ]
    last = find_ages(texts, made)[-1]
    return {
        one.span.text_in(texts[-1]): round(one.confidence, 2) for one in last if one.phi_type == AGE
    }


def test_the_next_of_a_list_are_ages_too():
    assert ages(("Sons of 41, 38 and 32.", ("41", AGE, 1.0))) == {"41": 1.0, "38": 0.8, "32": 0.64}


def test_what_is_counted_is_no_next_of_a_list():
    assert ages(("Age 41, 3 children and 2 dogs", ("41", AGE, 1.0))) == {"41": 1.0}
    assert ages(("Age 41, 190.", ("41", AGE, 1.0))) == {"41": 1.0}
    assert ages(("Perhaps 41, 38.", ("41", AGE, 0.6))) == {"41": 0.6}


FIRST = ("3/15/2094: a 61-year-old", ("3/15/2094", DATE, 1.0), ("61", AGE, 1.0))


def test_the_patient_grows_older():
    third = ("4/2/2096: Voss, 63", ("4/2/2096", DATE, 1.0), ("63", AGE, 0.4))

    assert ages(FIRST, third) == {"63": 0.7}


def test_another_age_or_a_record_without_a_date_stays():
    other = ("4/2/2096: sugar 58", ("4/2/2096", DATE, 1.0), ("58", AGE, 0.4))

    assert ages(FIRST, other) == {"58": 0.4}
    assert ages(FIRST, ("Voss, 63", ("63", AGE, 0.4))) == {"63": 0.4}
    assert ages(FIRST, ("4/2/2096: sixty", ("4/2/2096", DATE, 1.0), ("sixty", AGE, 0.4))) == {
        "sixty": 0.4
    }
