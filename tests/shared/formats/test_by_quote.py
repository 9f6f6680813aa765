"""Tags whose offsets do not fit are put where their own text stands, where a reader is told to."""

import json

import pytest

from shared.errors import FileError
from shared.formats.base import ReadOptions
from shared.formats.corpus import read_ungrouped
from shared.formats.tag_offsets import MOVED
from tests.builders import texts

TEXT = "Seen by Dr. Okafor on Monday, then by Lee, not Lee.\n"
BY_QUOTE = ReadOptions(by_quote=True)


def _spans():
    """A tag that fits, one that is elsewhere, one that may be twice, one that is nowhere."""
    yield from ((22, 28, "Monday", "DATE"), (10, 16, "Okafor", "DOCTOR"))
    yield from ((0, 3, "Lee", "DOCTOR"), (1, 6, "Ortiz", "PATIENT"))


def _jsonl(folder):
    spans = [dict(zip(("start", "end", "text", "label"), one, strict=True)) for one in _spans()]
    for number, each in enumerate(spans):
        each["id"] = f"T{number}"
    line = {"record": "110-01", "text": TEXT, "spans": spans}
    (folder / "r.jsonl").write_text(json.dumps(line))


def _labelstudio(folder):
    regions = [
        {
            "id": f"T{number}",
            "from_name": "label",
            "to_name": "text",
            "type": "labels",
            "value": {"start": start, "end": end, "text": text, "labels": [label]},
        }
        for number, (start, end, text, label) in enumerate(_spans())
    ]
    task = {
        "id": 1,
        "data": {"record": "110-01", "text": TEXT},
        "annotations": [{"result": regions}],
    }
    (folder / "r.json").write_text(json.dumps([task]))


def _brat(folder):
    lines = [f"T{n}\t{label} {a} {b}\t{text}\n" for n, (a, b, text, label) in enumerate(_spans())]
    (folder / "110-01.txt").write_text(TEXT)
    (folder / "110-01.ann").write_text("".join(lines))


def _i2b2(folder):
    category = {"DATE": "DATE", "DOCTOR": "NAME", "PATIENT": "NAME"}
    tags = [
        f'<{category[label]} id="T{n}" start="{a}" end="{b}" text="{text}" TYPE="{label}"/>'
        for n, (a, b, text, label) in enumerate(_spans())
    ]
    (folder / "110-01.xml").write_text(
        f"<deIdi2b2><TEXT><![CDATA[{TEXT}]]></TEXT><TAGS>{''.join(tags)}</TAGS></deIdi2b2>"
    )


WRITERS = {"jsonl": _jsonl, "labelstudio": _labelstudio, "brat": _brat, "i2b2": _i2b2}


@pytest.mark.parametrize("name", WRITERS)
def test_what_does_not_fit_is_put_by_its_text_or_lost(tmp_path, name):
    WRITERS[name](tmp_path)
    read = read_ungrouped(tmp_path, options=BY_QUOTE)
    assert not read.problems
    (record,) = read.records
    found = texts(tuple(sorted(record.tags, key=lambda each: each.start)), record.document.text)
    assert found == [("Okafor", "DOCTOR"), ("Monday", "DATE")]
    said = {each.tag_id: (each.what, each.is_dropped) for each in record.lost}
    assert said == {
        "T1": (MOVED, False),
        "T2": ("its text stands in several places, and nothing tells which is meant", True),
        "T3": ("its text stands nowhere in the record", True),
    }


@pytest.mark.parametrize("name", WRITERS)
def test_without_being_told_to_a_reader_takes_no_such_record(tmp_path, name):
    WRITERS[name](tmp_path)
    read = read_ungrouped(tmp_path)
    assert not read.records
    assert all(isinstance(each, FileError) for each in read.problems)


def test_of_what_says_no_text_only_the_offsets_tell(tmp_path):
    line = {"record": "1-01", "text": TEXT, "label": [[22, 28, "DATE"], [22, 999, "DATE"]]}
    (tmp_path / "r.jsonl").write_text(json.dumps(line))
    (record,) = read_ungrouped(tmp_path, options=BY_QUOTE).records
    assert texts(record.tags, record.document.text) == [("Monday", "DATE")]
    assert [each.what for each in record.lost] == ["it quotes no text"]


def test_what_models_predicted_is_read_where_asked_for(tmp_path):
    value = {"start": 12, "end": 18, "text": "Okafor", "labels": ["DOCTOR"]}
    result = [{"id": "a", "type": "labels", "value": value}]
    predictions = [{"model_version": "m1", "score": 0.7, "result": result}]
    task = {"id": 1, "data": {"record": "1-01", "text": TEXT}, "predictions": predictions}
    (tmp_path / "r.json").write_text(json.dumps([task]))
    (record,) = read_ungrouped(tmp_path).records
    assert (record.layers, [each.what for each in record.lost]) == ((), ["predictions"])
    wanted = ReadOptions({"predictions": "yes"})
    (record,) = read_ungrouped(tmp_path, options=wanted).records
    assert [each.attributes for each in record.tags] == [(("score", "0.7"),)]
    assert (record.layers[0].annotator, record.lost) == ("m1", ())
