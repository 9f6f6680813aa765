"""Which untagged places are likely, doubtful or dismissed is what the check would say of them."""

from itertools import chain

import pytest

from shared.consistency.check import check_patient
from shared.consistency.dismissals import Dismissal, read_dismissals
from shared.consistency.findings import EXACT_KINDS, FindingKind
from shared.consistency.patient_records import PatientRecords
from shared.consistency.untagged_places import UntaggedPlaces
from shared.language.detection import records_language
from shared.model import Layer, MergedView, Patient, PhiType
from shared.model.i2b2_2014 import I2B2_2014
from tests.builders import document, marked_up

SOURCES = {
    "a dose": "Aged [50|AGE], given Ultram 50 mg.",
    "an age": "Aged [50|AGE], a man of 50 years old.",
    "a ratio": "Seen [5/9|DATE]. Strength 5/9. Again on 5/9 at noon.",
    "a month": "[May|PATIENT] left. She may return. Dr. May said so.",
    "an eponym": "Seen by Dr. [Graves|DOCTOR] for Graves disease. Dr. Graves left.",
    "a name": "[Okafor|DOCTOR] came. Okafor left, Okafor's wife too.",
    "two lines": "[Kai Okafor|DOCTOR] came. Kai\nOkafor left.",
    "a line end": "[Ferrándiz|PATIENT] vino. Ferrán-\ndiz, el Sr. Ferrándiz's, FERRÁNDIZ.",
    "broken where it is tagged": "[Ferrán-\ndiz|PATIENT] vino. El Sr. Ferrándiz salió.",
    "a double name": "[Anna Klein-Hauser|PATIENT]: Anna Klein-\nHauser; ANNA KLEIN-HAUSER.",
    "German": "[Müller|PATIENT] kam. Müll-\ner ging. MÜLLER, Mül\u00adler.",
    "Arabic": "[محمد علي|PATIENT] جاء. محمد\nعلي، مُحَمَّد علي، محمد\u200f علي",
    "a short name": "[Lee|PATIENT] came. LEE, Mr. LEE, lee. Le-\ne left.",
    "a capital word": "[May|PATIENT] left. MAY BE GIVEN. Ms. MAY said so. may",
    "a heading": "[FERRÁNDIZ|PATIENT]. El Sr. Ferrándiz salió.",
    "a phone": "[555-0123-77|PHONE]; 555-\n0123-77, 555-0123-\n  77",
    "Chinese over a line end": "姓名：[王小明|PATIENT]，王小\n明先生，王\n小明",
    "Chinese": "姓名：[王小明|PATIENT]，[50|AGE]岁\n王小明先生服药50 mg。",
}


def opened(source, reasons=None):
    records = [document(source, "1-01"), document("Okafor. 50 mg of it.", "1-02")]
    view = MergedView(Patient("1", tuple(records)))
    tags = marked_up(source)[1]
    language = records_language("auto", [each.text for each in records])
    places = UntaggedPlaces(view, tags, I2B2_2014, language, reasons or {})
    return view, tags, places


def texts(view, index):
    return [view.text[each.start : each.end] for each in index]


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
def test_likely_places_are_those_that_the_check_reports(source):
    view, tags, places = opened(source)
    patient = PatientRecords(view.patient.documents, [Layer.of("1-01", "ana", tags)], I2B2_2014)
    found = check_patient(patient, EXACT_KINDS | {FindingKind.OTHER_CASE})
    merged = [view.merged_span(each.record_id, each.span) for each in found]
    assert [(each.start, each.end) for each in places.likely] == [(e.start, e.end) for e in merged]


def test_an_age_is_no_dose():
    view, _, places = opened(SOURCES["a dose"])
    assert texts(view, places.likely) == []
    assert texts(view, places.doubtful) == ["50", "50"]
    assert {places.doubt(each) for each in places.doubtful} == {
        "a bare number may count something else"
    }


def test_what_is_dismissed_is_neither_likely_nor_doubtful():
    _, _, places = opened(SOURCES["a name"])
    first = next(iter(places.likely))
    change = places.dismiss({places.key(first): "a street"})
    assert change.removed == (first,)
    assert first in places.dismissed
    assert places.reason(first) == "a street"
    assert len(places.likely) == 2
    assert places.alike(first) == [first, *places.likely]
    assert places.dismiss({}).added == (first,)
    assert not places.dismissed


def test_a_dismissal_is_known_again_when_the_patient_is_opened():
    _, _, before = opened(SOURCES["a name"])
    key = before.key(next(iter(before.likely)))
    _, _, again = opened(SOURCES["a name"], {key: ""})
    assert len(again.dismissed) == 1


def test_a_dismissal_of_a_record_that_is_gone_or_reads_otherwise_counts_for_nothing():
    _, _, before = opened(SOURCES["a name"])
    reasons = {before.key(each): "" for each in before.likely}
    _, _, other = opened("[Okafor|DOCTOR] went. Okafor stayed, as Okafor's wife did.", reasons)
    assert len(other.likely) == 2
    view = MergedView(Patient("1", (document("Kai", "1-09"),)))
    language = records_language("auto", ["Kai"])
    assert not UntaggedPlaces(view, [], I2B2_2014, language, reasons).dismissed


def test_another_type_of_the_text_makes_its_places_likely_or_doubtful():
    _, (age, phone), places = opened("Aged [50|AGE]. Call [50|PHONE]. Phone: 50. Take 50 mg.")
    before = set(places.likely)
    list(places.changing([phone], []))
    _, _, now = opened("Aged [50|AGE]. Call 50. Phone: 50. Take 50 mg.")
    assert before != set(places.likely) == set(now.likely)
    assert set(places.doubtful) == set(now.doubtful)
    list(places.changing([age], []))
    assert not list(chain(places.likely, places.doubtful))


def test_a_dismissal_that_was_taken_back_is_none_and_an_older_reader_skips_that_line():
    _, _, places = opened(SOURCES["a name"])
    key = places.key(next(iter(places.likely)))
    made = Dismissal(key, "ana", "ana", "2071-01-01", "a street")
    lines = [made.as_entry(), made.as_taken_back()]
    assert "kind" not in lines[1]
    assert list(read_dismissals(lines, "ana")) == []
    assert list(read_dismissals([*lines, made.as_entry()], "ana")) == [made]
    assert list(read_dismissals([{"taken back": "odd"}, *lines[:1]], "ana")) == [made]


def test_the_type_of_a_place_is_the_one_its_text_has_most_often():
    _, _, places = opened("[Kai|PATIENT], [Kai|DOCTOR], [Kai|DOCTOR], Kai.")
    (place,) = places.likely
    assert places.phi_type(place) == PhiType("NAME", "DOCTOR")
    assert places.near(place.end) == places.near(place.start) == place
