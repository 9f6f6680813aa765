"""Corpora as frames, from files and back."""

import pandas as pd
import pytest

import tandem

RECORDS = pd.DataFrame({"record": ["110-01"], "text": ["Kai of Mercy."]})
TAGS = pd.DataFrame({"record": ["110-01", "110-01"], "start": [0, 0], "end": [3, 12],
                     "type": ["PATIENT", "HOSPITAL"]})  # fmt: skip


@pytest.fixture
def corpus():
    return tandem.TaggedCorpus.of(RECORDS, TAGS)


def test_what_is_written_is_read_again(corpus, tmp_path):
    lost = tandem.write(corpus, tmp_path / "out", "i2b2")
    again = tandem.read(tmp_path / "out")
    columns = ["record", "start", "end", "category", "type"]
    pd.testing.assert_frame_equal(again.tags[columns], corpus.tags[columns])
    pd.testing.assert_frame_equal(again.records, corpus.records)
    assert not again.problems
    assert not lost["dropped"].any()


def test_what_a_format_cannot_carry_is_told_tag_by_tag(corpus, tmp_path):
    lost = tandem.write(corpus, tmp_path / "out", "conll")
    assert lost["dropped"].sum() == 1  # of two that overlap, one
    assert len(tandem.read(tmp_path / "out", "conll").tags) == 1


def test_options_and_encoding_say_what_files_do_not(corpus, tmp_path):
    tandem.write(corpus, tmp_path / "out", "xmi", options={"as": "json"})
    assert [each.suffix for each in (tmp_path / "out").iterdir()] == [".json"]
    notes = tmp_path / "notes.csv"
    notes.write_text("fall;befund\n110-01;Łęcki\n", "iso8859-2")
    options = {"record": "fall", "text": "befund"}
    read = tandem.read(notes, "table", options=options, encoding="iso8859-2")
    assert read.records[["record", "text"]].to_numpy().tolist() == [["110-01", "Łęcki"]]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({"format": "table", "options": {"colour": "red"}}, "there is no option colour here"),
        ({"encoding": "hex"}, "there is no encoding hex"),
        ({"format": "word"}, "there is no format word"),
    ],
)
def test_what_cannot_be_said_is_refused(tmp_path, words, said):
    with pytest.raises(tandem.TandemError, match=said):
        tandem.read(tmp_path, **words)


def test_one_file_can_be_written(corpus, tmp_path):
    tandem.write(corpus, tmp_path / "110-01.xml", "i2b2")
    assert len(tandem.read(tmp_path / "110-01.xml").tags) == 2
    with pytest.raises(tandem.TandemError, match="already exists"):
        tandem.write(corpus, tmp_path / "110-01.xml", "i2b2")


@pytest.mark.parametrize(("name", "form"), [("out.xml", "i2b2"), ("out.xmi", "xmi")])
def test_what_one_file_cannot_hold_is_a_folder_of_that_name(tmp_path, name, form):
    two = pd.DataFrame({"record": ["110-01", "110-02"], "text": ["a", "b"]})
    corpus = tandem.TaggedCorpus.of(two, TAGS.head(0))
    tandem.write(corpus, tmp_path / name, form)
    assert (tmp_path / name).is_dir()
    assert list(tandem.read(tmp_path / name, form).records["record"]) == ["110-01", "110-02"]
    with pytest.raises(tandem.TandemError, match="not empty"):
        tandem.write(corpus, tmp_path / name, form)


def test_a_file_that_is_there_stays_where_a_folder_is_needed(tmp_path):
    two = pd.DataFrame({"record": ["110-01", "110-02"], "text": ["a", "b"]})
    (tmp_path / "out.xmi").write_text("mine")
    with pytest.raises(tandem.TandemError, match="already exists"):
        tandem.write(tandem.TaggedCorpus.of(two, TAGS.head(0)), tmp_path / "out.xmi", "xmi")
    assert (tmp_path / "out.xmi").read_text() == "mine"


def test_what_could_not_be_read_is_told(corpus, tmp_path):
    tandem.write(corpus, tmp_path / "out", "i2b2")
    (tmp_path / "out" / "110-02.xml").write_text("<broken")
    again = tandem.read(tmp_path / "out")
    assert len(again.records) == 1
    assert "110-02.xml" in str(again.problems[0])


def test_a_corpus_without_a_record_has_columns():
    empty = tandem.TaggedCorpus(())
    assert list(empty.tags.columns)[-1] == "annotator"
    assert list(empty.records.columns) == ["patient", "record", "text"]


def test_a_format_that_there_is_not_is_refused(corpus, tmp_path):
    with pytest.raises(tandem.TandemError, match="there is no format word; there are xmi, i2b2"):
        tandem.write(corpus, tmp_path / "out", "word")
    with pytest.raises(tandem.TandemError, match="there is no format word"):
        tandem.read(tmp_path, "word")
