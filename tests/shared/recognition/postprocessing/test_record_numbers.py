"""Record numbers and other numbers of one patient."""

from shared.model import PhiType, Span
from shared.recognition.postprocessing.record_numbers import classify_numbers
from shared.recognition.recognizer import Suggestion
from tests.builders import after_pass

RECORD, OTHER = PhiType("ID", "MEDICALRECORD"), PhiType("ID", "IDNUM")
DATE = PhiType("DATE", "DATE")


def after(*records):
    """What becomes of texts with their suggestions: (text, (number, type, confidence)...) each."""
    texts = [text for text, *_ in records]
    made = [
        [
            Suggestion(Span(text.index(number), text.index(number) + len(number)), *rest, "crf")
            for number, *rest in found
        ]
        for text, *found in records
    ]
    return [
        [(one.span.text_in(text), one.phi_type.name) for one in found]
        for text, found in zip(texts, after_pass(classify_numbers, texts, made), strict=True)
    ]


def test_a_number_that_comes_in_several_records_is_a_record_number():
    first, second, third = after(
        ("Voss 7751022 seen", ("7751022", OTHER, 0.55)),
        ("Voss 775-10-22 again", ("775-10-22", RECORD, 0.9)),
        ("Note 7751022", ("7751022", OTHER, 0.6)),
    )

    assert {each[1] for each in (*first, *second, *third)} == {"MEDICALRECORD"}


def test_short_numbers_may_be_those_of_people():
    found = after(*[("(ID 43417) cosigned", ("43417", OTHER, 0.6))] * 3)

    assert {each for (each,) in found} == {("43417", "IDNUM")}


def test_beside_a_surer_record_number_another_number_is_none():
    ((_, found),) = after(
        ("MRN: 7751022\nsent 60986531", ("7751022", RECORD, 0.99), ("60986531", RECORD, 0.6))
    )

    assert found == ("60986531", "IDNUM")


def test_a_label_decides():
    ((record, other),) = after(
        (
            "Unit no. 5177-31\nAccession 60986531",
            ("5177-31", OTHER, 0.6),
            ("60986531", RECORD, 0.7),
        )
    )

    assert (record[1], other[1]) == ("MEDICALRECORD", "IDNUM")


def test_a_label_on_another_line_says_nothing():
    ((found,),) = after(("Unit\n60986531", ("60986531", OTHER, 0.6)))

    assert found == ("60986531", "IDNUM")


def test_everything_else_stays():
    ((found,),) = after(("MRN 2012-03-04", ("2012-03-04", DATE, 0.6)))

    assert found == ("2012-03-04", "DATE")


def test_what_is_called_fax_is_no_telephone():
    phone = PhiType("CONTACT", "PHONE")

    assert after(("Results to Voss (fax 555-0841)", ("555-0841", phone, 0.9))) == [
        [("555-0841", "FAX")]
    ]
    assert after(("Call 555-0841", ("555-0841", phone, 0.9))) == [[("555-0841", "PHONE")]]
