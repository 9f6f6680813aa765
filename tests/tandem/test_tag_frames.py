"""Frames of records and tags become what Tandem works on, or one sentence says why not."""

import pandas as pd
import pytest

import tandem
from tandem.tag_frames import FINDING_COLUMNS, TAG_COLUMNS, records_frame, records_of, tags_frame
from tests.builders import document, marked_up

RECORDS = pd.DataFrame({"record": ["110-01", "110-02"], "text": ["Kai Petty 😀 left.", "Kai."]})


def tags(**columns):
    whole = {"record": ["110-01"], "start": [0], "end": [9], "type": ["PATIENT"]} | columns
    return pd.DataFrame(whole)


def read(records=RECORDS, **columns):
    return records_of(records, tags(**columns))


def types(**columns):
    return [each.phi_type for record in read(**columns) for each in record.tags]


def test_there_and_back_nothing_changes():
    text, marked = marked_up("😀 [Kai|PATIENT] of [Mercy|HOSPITAL] on [4/17|DATE].")
    before = [(document(text, "110-01"), marked)]
    frame = tags_frame(before)
    after = [(each.document, each.tags) for each in
             records_of(records_frame(each for each, _ in before), frame)]  # fmt: skip
    assert frame["text"].tolist() == ["Kai", "Mercy", "4/17"]
    pd.testing.assert_frame_equal(tags_frame(after).drop(columns=["id", "origin"]),
                                  frame.drop(columns=["id", "origin"]))  # fmt: skip


def test_a_frame_without_rows_has_its_columns_and_numbers_for_offsets():
    empty = tags_frame([])
    assert list(empty.columns) == TAG_COLUMNS
    assert empty["start"].dtype == "int64"
    found = tandem.check_frame(RECORDS, empty)
    assert list(found.columns) == FINDING_COLUMNS


def test_the_patient_is_the_name_before_the_last_dash_where_no_column_tells():
    assert {each.document.patient_id for each in read()} == {"110"}
    told = read(RECORDS.assign(patient=["a", "b"]))
    assert [each.document.patient_id for each in told] == ["a", "b"]


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        ({}, ("NAME", "PATIENT")),
        ({"type": ["NAME:RELATIVE"]}, ("NAME", "RELATIVE")),
        ({"type": ["CITY"], "category": ["PLACE"]}, ("PLACE", "CITY")),
        ({"type": ["PATIENT"], "category": ["PATIENT"]}, ("PATIENT", "PATIENT")),
        ({"type": ["SHIP"]}, ("SHIP", "SHIP")),
        ({"type": ["SHIP"], "category": [None]}, ("SHIP", "SHIP")),
    ],
)
def test_a_type_is_told_by_category_by_name_or_by_a_built_in_schema(columns, expected):
    assert types(**columns) == [expected]


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ({"record": ["110-09"]}, "a tag is about record 110-09, which is not there"),
        ({"end": [99]}, "lies outside its 17 characters"),
        ({"start": [-1]}, "lies outside"),
        ({"start": [9]}, "lies outside"),
        ({"start": [0.5]}, "must be whole numbers"),
        ({"end": [None]}, "must be whole numbers"),
        ({"type": [""]}, "a tag has no type"),
        ({"type": [None]}, "a tag has no type"),
    ],
)
def test_a_tag_that_does_not_fit_is_refused_in_one_sentence(columns, said):
    with pytest.raises(tandem.TandemError, match=said):
        read(**columns)


@pytest.mark.parametrize(
    ("records", "said"),
    [
        (RECORDS.rename(columns={"text": "note"}), "no column text; it has record, note"),
        (pd.concat([RECORDS, RECORDS]), "110-01 is there twice"),
        (RECORDS.assign(text=["a\r\nb", "c"]), "carriage returns"),
        (RECORDS.assign(text=[None, "c"]), "must be strings"),
    ],
)
def test_records_that_are_none_are_refused_in_one_sentence(records, said):
    with pytest.raises(tandem.TandemError, match=said):
        read(records)


def test_an_error_holds_no_text_of_a_record():
    with pytest.raises(tandem.TandemError) as refused:
        read(end=[99])
    assert "Petty" not in str(refused.value)


def test_a_check_finds_what_tandem_check_finds():
    found = tandem.check_frame(RECORDS, tags(end=[3]))
    assert ("110-02", "Kai") in set(zip(found["record"], found["text"], strict=True))
