import json

import pytest

from shared.errors import FileError
from shared.formats.base import ReadOptions, Record, WriteOptions
from shared.formats.corpus import read_corpus
from shared.formats.label_studio import LabelStudioFormat
from shared.model import Document, Layer, PhiType, Span, Tag
from tests.builders import texts

FORMAT = LabelStudioFormat()
TEXT = "Seen by \U0001f600 Dr. Lee\nand Bo."


def region(start, end, label="DOCTOR", said=None, region_id="r1", **more):
    value = {"start": start, "end": end, "labels": [label], **({"text": said} if said else {})}
    return {"id": region_id, "from_name": "label", "to_name": "text", "type": "labels",
            "value": value, **more}  # fmt: skip


def task(*results, **more):
    done = [{"completed_by": n, "result": each} for n, each in enumerate(results, 1)]
    return {"id": 7, "data": {"text": TEXT}, "annotations": done, **more}


@pytest.fixture
def read(tmp_path):
    def of(*tasks, **values):
        path = tmp_path / "export.json"
        path.write_text(json.dumps(tasks), "utf-8")
        assert list(FORMAT.sources([path])) == [(path,)]
        return list(FORMAT.read((path,), ReadOptions(values)))

    return of


def seen(layer):
    return texts(layer.tags, TEXT)


@pytest.mark.parametrize(
    "one",
    [
        region(14, 17),
        region(14, 17, said="Lee"),
        region(15, 18, said="Lee"),
        {"value": {"start": 14, "end": 17, "hypertextlabels": ["DOCTOR"]}},
        {"value": {"start": "/p[1]", "end": "/p[2]", "globalOffsets": {"start": 14, "end": 17},
                   "hypertextlabels": ["DOCTOR"]}},
    ],
)  # fmt: skip
def test_a_region_is_a_tag(read, one):
    (record,) = read(task([one]))
    assert record.document == Document("export_7", "", TEXT)
    assert [(each.annotator, seen(each)) for each in record.layers] == [("1", [("Lee", "DOCTOR")])]


def test_every_annotation_is_a_layer_and_one_can_be_asked_for(read):
    one = task([region(14, 17)], [region(22, 24, "PATIENT")])
    one["annotations"][1]["completed_by"] = {"id": 4, "email": "ben@example.org"}
    (record,) = read(one)
    assert [(each.annotator, seen(each)) for each in record.layers] == [
        ("1", [("Lee", "DOCTOR")]), ("ben@example.org", [("Bo", "PATIENT")]),
    ]  # fmt: skip
    (record,) = read(one, annotator="ben@example.org")
    assert seen(record.layer) == [("Bo", "PATIENT")]


def test_who_annotated_twice_has_two_layers(read):
    (record,) = read(task([region(14, 17)], [], annotations=[{"result": []}, {"result": []}]))
    assert [each.annotator for each in record.layers] == ["", "_2"]


def test_what_is_said_of_a_region_is_kept(read):
    about = [
        region(14, 17, meta={"text": ["or Leigh?"]}),
        {"id": "r1", "from_name": "sure", "type": "choices", "value": {"choices": ["no", "yes"]}},
        {"id": "r1", "from_name": "stars", "type": "rating", "value": {"rating": 3}},
    ]
    (record,) = read(task(about))
    (tag,) = record.tags
    assert tag.comment == "or Leigh?"
    assert tag.attributes == (("sure", "no; yes"), ("stars", "3"))


def test_what_has_no_place_is_in_the_report(read):
    regions = [
        region(14, 17),
        {"id": "c", "from_name": "doc", "type": "choices", "value": {"choices": ["letter"]}},
        {"type": "relation", "from_id": "r1", "to_id": "r1"},
        region(3, 3, region_id="e"),
    ]
    cancelled = {"completed_by": 2, "was_cancelled": True, "result": [region(0, 4)]}
    one = task(regions, predictions=[{"result": [region(0, 4)]}])
    one["annotations"].append(cancelled)
    (record,) = read(one)
    assert [(each.tag_id, each.what) for each in record.lost] == [
        ("", "predictions"), ("c", "regions of type choices"), ("", "regions of type relation"),
        ("e", "tags of no length"), ("", "cancelled annotations"),
    ]  # fmt: skip


def test_a_region_with_two_labels_is_two_tags(read):
    one = region(14, 17)
    one["value"]["labels"] = ["DOCTOR", "PATIENT"]
    (record,) = read(task([one]))
    assert [(tag.id, tag.phi_type.name) for tag in record.tags] == [
        ("r1", "DOCTOR"), ("r1.2", "PATIENT"),
    ]  # fmt: skip


def test_a_line_end_may_be_written_as_two_characters(read):
    (record,) = read(task([region(14, 21, said="Lee\\nand")]))
    assert seen(record.layer) == [("Lee\nand", "DOCTOR")]


def test_the_brief_form_is_read(read):
    (record,) = read(
        {"id": 7, "record": "110-02", "patient": "110", "text": TEXT, "annotator": 3,
         "label": [{"start": 14, "end": 17, "text": "Lee", "labels": ["DOCTOR"]}]}
    )  # fmt: skip
    assert record.document == Document("110-02", "110", TEXT)
    assert [(each.annotator, seen(each)) for each in record.layers] == [("3", [("Lee", "DOCTOR")])]


def test_what_is_written_is_a_task_with_an_annotation_for_each_annotator():
    tag = Tag(Span(14, 17), PhiType("NAME", "DOCTOR"), "P0", "or", attributes=(("sure", "no"),))
    layers = (Layer.of("110-02", "3", [tag]), Layer.of("110-02", "ben", []))
    record = Record(Document("110-02", "110", TEXT), layers, date="2071-04-12")
    (file,) = FORMAT.write([record], WriteOptions())
    (made,) = json.loads(file.data)
    assert made["data"] == {
        "record": "110-02", "patient": "110", "date": "2071-04-12", "text": TEXT,
    }  # fmt: skip
    assert [(each["completed_by"], len(each["result"])) for each in made["annotations"]] == [
        (3, 2), ("ben", 0),
    ]  # fmt: skip
    assert made["annotations"][0]["result"][0] == region(
        14, 17, said="Lee", region_id="P0", meta={"text": ["or"]}
    )


@pytest.mark.parametrize(
    ("one", "said"),
    [
        ({"data": {"x": 1}}, "task 1: has no text"),
        (task([region(14, 99)]), "tag r1 has the offsets [14, 99)"),
        (task([region(14, 17, said="Bo.")]), "tag r1 does not hold the text"),
        (task([region("a", 17)]), "region r1 has no offsets in the text"),
    ],
)
def test_what_is_wrong_is_said_of_its_task(read, one, said):
    problem, _ = read(one, {"id": 8, "data": {"text": "Bo."}})
    assert isinstance(problem, FileError)
    assert said in str(problem)


@pytest.mark.parametrize("content", ["[", '[3, {"data": {}}]', "[" * 9999 + '"data"'])
def test_what_is_no_export_is_an_error(tmp_path, content):
    (tmp_path / "a.json").write_text(content.replace("[", '["data",', 1), "utf-8")
    found = read_corpus(tmp_path)
    assert found.records == ()
    assert len(found.problems) == 1


def test_other_json_is_not_taken_for_it(tmp_path):
    for name, content in (("a.json", '{"data": 1}'), ("b.json", "[1, 2]"), ("c.json", "")):
        (tmp_path / name).write_text(content, "utf-8")
    assert list(FORMAT.sources(sorted(tmp_path.iterdir()))) == []
