import json

import pytest

from shared.errors import FileError, RequestError
from shared.formats.base import ReadOptions, Record, WriteOptions
from shared.formats.corpus import read_corpus
from shared.formats.json_lines import JsonLinesFormat
from shared.formats.registry import FORMATS
from shared.model import Document, Origin, PhiType, Span, Tag
from tests.builders import texts

FORMAT = JsonLinesFormat()
TEXT = "Seen by \U0001f600 Dr. Lee"
DOCTOR = PhiType("NAME", "DOCTOR")


@pytest.fixture
def read(tmp_path):
    def of(*lines, **values):
        path = tmp_path / "all.jsonl"
        path.write_text("\n".join(json.dumps(each) for each in lines), "utf-8")
        return list(FORMAT.read((path,), ReadOptions(values)))

    return of


def seen(record):
    return texts(record.tags, record.document.text)


def written(record, **values):
    (file,) = FORMAT.write([record], WriteOptions(values=values))
    return json.loads(file.data)


@pytest.mark.parametrize(
    "tags",
    [
        {"label": [[14, 17, "DOCTOR"]]},
        {"labels": [[14, 17, "DOCTOR"]]},
        {"entities": [[14, 17, "DOCTOR"]]},
        {"entities": [{"id": 7, "start_offset": 14, "end_offset": 17, "label": "DOCTOR"}]},
        {"spans": [{"start": 14, "end": 17, "label": "DOCTOR", "token_start": 4}]},
        {"spans": [{"start": 15, "end": 18, "label": "DOCTOR", "text": "Lee"}]},
        {"spans": [{"start": 14, "end": 17, "label": ["DOCTOR"]}], "label": []},
    ],
)
def test_tags_of_doccano_prodigy_and_spacy_are_read(read, tags):
    (record,) = read({"text": TEXT, **tags})
    assert seen(record) == [("Lee", "DOCTOR")]
    assert record.document.record_id == "all_1"


def test_what_an_object_says_of_a_record_is_read_and_the_rest_kept(read):
    said = {
        "record": "110-02", "patient": "110", "date": "2071-04-12", "kind": "letter", "text": TEXT,
        "meta": {"ward": 3, "x": [True, None]}, "spans": [],
    }  # fmt: skip
    (record,) = read(said)
    assert (record.document.record_id, record.document.patient_id) == ("110-02", "110")
    assert (record.date, record.kind) == ("2071-04-12", "letter")
    assert written(record) == said


@pytest.mark.parametrize(
    ("tags", "values"),
    [
        ({"label": [[14, 17, "DOCTOR"]]}, {}),
        ({"spans": [{"start": 14, "end": 17, "label": "AGE", "id": "x", "n": 0.5, "b": "c"}]}, {}),
        ({"entities": [{"start_offset": 14, "end_offset": 17, "label": "NAME:X", "id": 7}]}, {}),
        ({"tags": [{"start": 14, "end": 17, "label": "DOCTOR", "id": "x"}]}, {"tags": "tags"}),
    ],
)  # fmt: skip
def test_what_is_read_is_written_in_the_same_form(read, tags, values):
    (record,) = read({"id": 5, "text": TEXT, **tags}, **values)
    assert written(record) == {"record": "all_5", "text": TEXT, **tags}


def test_every_tag_that_has_a_place_is_written_with_all_that_it_has():
    tag = Tag(Span(14, 17), DOCTOR, "P3", "or", Origin.SUGGESTION, 0.5, (("n", "3"), ("text", "x")))
    record = Record.of(Document("110-02", "110", TEXT), [tag])
    assert written(record)["spans"] == [
        {"start": 14, "end": 17, "label": "DOCTOR", "id": "P3", "comment": "or",
         "origin": "suggestion", "confidence": 0.5, "n": 3}
    ]  # fmt: skip
    assert written(record, tags="label")["label"] == [[14, 17, "DOCTOR"]]


def test_what_is_of_no_place_in_the_text_is_in_the_report(read):
    (record,) = read({"text": TEXT, "label": ["letter", [3, 3, "X"]]})
    assert [each.what for each in record.lost] == ["labels of a whole record", "tags of no length"]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ({"label": []}, "line 1: has no text; name its field with the option text"),
        ({"text": 3}, "has no text"),
        ([], "is no object of JSON"),
        ({"text": TEXT, "label": [[1]]}, "has a tag whose offsets are no whole numbers"),
        ({"text": TEXT, "label": [[0, 4, ""]]}, "has a tag without a label"),
        ({"text": TEXT, "label": [7]}, "has a tag that is neither a list nor an object"),
        ({"text": TEXT, "label": [[0, 99, "X"]]}, "has the offsets [0, 99) in a record of 17"),
        ({"text": TEXT, "label": [[0, 4, "X"]], "spans": [{"start": 0, "end": 1, "label": "Y"}]},
         "has tags in spans and in label; choose with the option tags"),
        ({"text": TEXT, "spans": [{"start": 0, "end": 1, "label": "Y", "id": "a"}] * 2},
         "two tags with the id a"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_of_its_line(read, line, said):
    (problem,) = read(line)
    assert isinstance(problem, FileError)
    assert said in str(problem)
    assert "Lee" not in str(problem)


def test_a_line_that_is_no_json_does_not_end_the_rest(tmp_path):
    (tmp_path / "a.jsonl").write_text('{"text": "Lee"}\n{"text":\n\n{"text": "Bo"}', "utf-8")
    found = read_corpus(tmp_path)
    assert [each.document.text for each in found.records] == ["Lee", "Bo"]
    assert [str(each).rpartition("/")[2] for each in found.problems] == [
        "a.jsonl, line 2: is no JSON; correct it"
    ]


def test_fields_are_found_by_other_names_or_named(read):
    (record,) = read({"note_id": "7-1", "Subject-ID": "7", "NOTE_TEXT": "Lee"})
    assert record.document == Document("7-1", "7", "Lee")
    (record,) = read({"body": "no", "befund": "Lee"}, text="befund")
    assert record.document.text == "Lee"
    with pytest.raises(RequestError, match="there is no x to take the text from"):
        read({"text": "Lee"}, text="x")


def test_offsets_of_a_text_with_carriage_returns_are_of_the_text_as_it_is(read):
    (record,) = read({"text": "Dr.\r\nLee\r\n", "label": [[5, 8, "DOCTOR"]]})
    assert record.document.text == "Dr.\nLee\n"
    assert seen(record) == [("Lee", "DOCTOR")]


def test_unknown_fields_go_through_xml_and_come_back(read, tmp_path):
    (record,) = read({"text": "Lee", "meta": {"a": "<b> & ]]>"}})
    (file,) = FORMATS["i2b2"].write([record], WriteOptions())
    (tmp_path / "x.xml").write_bytes(file.data)
    (xml,) = FORMATS["i2b2"].read((tmp_path / "x.xml",), ReadOptions())
    assert written(xml)["meta"] == {"a": "<b> & ]]>"}
    (tmp_path / "x.xml").write_bytes(file.data.replace(b"{", b"[{"))
    (xml,) = FORMATS["i2b2"].read((tmp_path / "x.xml",), ReadOptions())
    assert written(xml) == {"record": "x", "text": "Lee", "spans": []}


def test_tags_have_a_field_of_their_own():
    record = Record.of(Document("1", "1", "Lee"), [])
    with pytest.raises(RequestError, match="the tags cannot stand in the field text"):
        written(record, tags="text")
