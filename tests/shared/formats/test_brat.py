import pytest

from shared.errors import FileFormatError
from shared.formats.base import ReadOptions, Record, WriteOptions
from shared.formats.brat import BratFormat
from shared.formats.brat_conf import read_brat_conf
from shared.formats.corpus import read_corpus
from shared.formats.registry import FORMATS
from shared.model import Document, Layer, Origin, PhiType, Span, Tag
from tests.builders import marked_up, texts

FORMAT = BratFormat()
TEXT = "Seen by Dr. Lee\nand Ann van Smith."
CONF = """[entities]
!NAME
	DOCTOR
	PATIENT
Money
<POG>=Person|GPE
[relations]
Knows	Arg1:DOCTOR, Arg2:PATIENT
[events]
!Life
	Die   Person-Arg:Person
"""


@pytest.fixture
def read(tmp_path):
    def of(ann, text=TEXT, conf=None):
        (tmp_path / "110-02.ann").write_bytes(ann.encode())
        (tmp_path / "110-02.txt").write_bytes(text.encode())
        if conf is not None:
            (tmp_path / "annotation.conf").write_text(conf, "utf-8")
        found = read_corpus(tmp_path, formats=[FORMAT])
        if found.problems:
            raise found.problems[0]
        return found.records[0]

    return of


def files_of(text, *tags, unknown=()):
    record = Record.of(Document("110-02", "110", text), tags, unknown)
    return {file.name: file.data.decode() for file in FORMAT.write([record], WriteOptions())}


def test_text_and_annotations_lie_side_by_side_and_types_in_a_conf():
    text, tags = marked_up("Seen by [Dr. Lee|DOCTOR] on [3/4|DATE].")
    assert files_of(text, *tags) == {
        "110-02.txt": text,
        "110-02.ann": "T1\tDOCTOR 8 15\tDr. Lee\nT2\tDATE 19 22\t3/4\n",
        "annotation.conf": "[entities]\nDATE\n!NAME\n\tDOCTOR\n\n"
        "[relations]\n\n[events]\n\n[attributes]\n",
    }


def test_a_tag_over_a_line_end_is_written_in_pieces_and_read_as_one(read):
    tag = Tag(Span(12, 19), PhiType("NAME", "DOCTOR"))
    written = files_of(TEXT, tag)
    assert "T1\tDOCTOR 12 15;16 19\tLee and\n" in written["110-02.ann"]
    assert [each.span for each in read(written["110-02.ann"]).tags] == [tag.span]


def test_a_tag_in_pieces_becomes_several_that_are_written_as_one_again(read):
    ann = "T3\tPATIENT 20 23;28 33\tAnn Smith\nA1\tsure T3\n"
    record = read(ann, conf=CONF)
    assert texts(record.tags, TEXT) == [("Ann", "PATIENT"), ("Smith", "PATIENT")]
    assert [each.id for each in record.tags] == ["T3", "T3.2"]
    assert [*record.tags[0].attributes] == [("sure", "true"), ("pieceOf", "T3")]
    assert files_of(TEXT, *record.tags)["110-02.ann"] == ann


def test_notes_attributes_and_every_other_line_come_back(read):
    ann = (
        "T1\tDOCTOR 12 15\tLee\nT2\tDie 20 23\tAnn\nE1\tDie:T2 Person-Arg:T1\n"
        "R1\tKnows Arg1:T1 Arg2:T2\t\n*\tAlias T1 T2\nN1\tReference T2 Wiki:7\tAnn <& co>\n"
        "A2\tConfidence E1 High\n#2\tAnnotatorNotes E1\tof the event\n"
        "A3\tcertainty T1 low\n#3\tAnnotatorNotes T1\tor Leigh?\n"
        "#4\tattribute:said by T1\tthe nurse  herself\n"
    )
    record = read(ann, conf=CONF)
    assert record.tags[0].comment == "or Leigh?"
    assert record.tags[0].attributes == (("certainty", "low"), ("said by", "the nurse  herself"))
    again = files_of(TEXT, *record.tags, unknown=record.layer.unknown)["110-02.ann"]
    assert sorted(again.splitlines()) == sorted(ann.replace("#4\ta", "#3\ta").replace(
        "#3\tAnn", "#4\tAnn").splitlines())  # fmt: skip


def test_what_stands_between_xml_and_brat_keeps_the_lines_of_brat(read, tmp_path):
    record = read("T1\tDOCTOR 12 15\tLee\nR1\tKnows Arg1:T1 Arg2:T1\t\n")
    (file,) = FORMATS["i2b2"].write([record], WriteOptions())
    (tmp_path / "x.xml").write_bytes(file.data)
    (xml,) = FORMATS["i2b2"].read((tmp_path / "x.xml",), ReadOptions())
    assert files_of(TEXT, *xml.tags, unknown=xml.layer.unknown)["110-02.ann"].endswith(
        "R1\tKnows Arg1:T1 Arg2:T1\t\n"
    )


@pytest.mark.parametrize(
    ("label", "conf", "found"),
    [
        ("DOCTOR", CONF, PhiType("NAME", "DOCTOR")),
        ("Money", CONF, PhiType("Money", "Money")),
        ("Die", CONF, PhiType("Life", "Die")),
        ("DOCTOR", None, PhiType("NAME", "DOCTOR")),
        ("NOMBRE_SUJETO_ASISTENCIA", None, PhiType("NAME", "NOMBRE_SUJETO_ASISTENCIA")),
        ("Unheard-of", CONF, PhiType("Unheard-of", "Unheard-of")),
        ("X", '#: X = ["ID", "Bed 1"]\n[entities]\nX\n', PhiType("ID", "Bed 1")),
        ("X", "#: X = [7\n[entities]\nX\n", PhiType("X", "X")),
    ],
)
def test_a_label_means_what_the_conf_says(read, label, conf, found):
    (tag,) = read(f"T1\t{label} 12 15\tLee\n", conf=conf).tags
    assert tag.phi_type == found


def test_names_that_brat_could_not_hold_are_said_in_a_comment(read):
    types = [
        PhiType("NAME", "Ärztin 1"), PhiType("NAME", "Ärztin-1"), PhiType("A", "NAME"),
        PhiType("NAME", "NAME"), PhiType("PATIENT", "PATIENT"), PhiType("A", "DOCTOR"),
        PhiType("NAME", "DOCTOR"),
    ]  # fmt: skip
    tags = [Tag(Span(n, n + 1), each, f"T{n}") for n, each in enumerate(types, 1)]
    written = files_of(TEXT, *tags)
    there = read(written["110-02.ann"], conf=written["annotation.conf"])
    assert [each.phi_type for each in there.tags] == types


def test_a_conf_is_a_schema(tmp_path):
    path = tmp_path / "annotation.conf"
    path.write_text(CONF, "utf-8")
    types = [str(each.phi_type) for each in read_brat_conf(path).types()]
    assert types == ["NAME:DOCTOR", "NAME:PATIENT", "Money"]
    path.write_text("[relations]\nX\n", "utf-8")
    with pytest.raises(FileFormatError, match=r"no annotation.conf of brat"):
        read_brat_conf(path)


@pytest.mark.parametrize("start", [9, 10, 11, 12])
def test_offsets_count_what_makes_the_texts_of_the_tags_right(read, start):
    record = read(f"T1\tDOCTOR {start} {start + 3}\tLee\n", "\U0001f600\r\nDr.\r\nAh Lee\r\n")
    assert texts(record.tags, record.document.text) == [("Lee", "DOCTOR")]
    assert record.document.text == "\U0001f600\nDr.\nAh Lee\n"


@pytest.mark.parametrize(
    ("ann", "said"),
    [
        ("T1\tDOCTOR 12 16\tLie\n", "tag T1 does not hold the text at its offsets"),
        ("T1\tDOCTOR 12 90\tLee\n", "tag T1 has the offsets [12, 90) in a record of 34"),
        ("T1\tDOCTOR 12 15\tLee\nT1\tDOCTOR 12 15\tLee\n", "two tags have the id T1"),
        ("T1\tDOCTOR a b\tLee\n", "line 1 is no text-bound annotation"),
        ("T1\tDOCTOR 0 4;2 6\tSeenen b\n", "tag T1 has pieces that overlap"),
    ],
)
def test_what_is_wrong_is_said(read, ann, said):
    with pytest.raises(FileFormatError) as caught:
        read(ann)
    assert said in str(caught.value)


def test_annotations_without_a_text_are_an_error(tmp_path):
    (tmp_path / "a-1.ann").write_text("", "utf-8")
    (problem,) = read_corpus(tmp_path).problems
    assert "has no text beside it; put the .txt of that name there" in str(problem)


def test_a_pair_is_one_record_where_no_format_is_named(tmp_path):
    (tmp_path / "a-1.ann").write_text("T1\tDOCTOR 0 3\tLee\n", "utf-8")
    (tmp_path / "a-1.txt").write_text("Lee", "utf-8")
    (tmp_path / "a-2.txt").write_text("No one.", "utf-8")
    found = read_corpus(tmp_path)
    assert found.problems == ()
    assert [(each.document.record_id, len(each.tags)) for each in found.records] == [
        ("a-1", 1), ("a-2", 0),
    ]  # fmt: skip


def test_a_tag_keeps_its_id_where_brat_takes_it_and_others_get_the_next():
    tags = [Tag(Span(0, 4), PhiType("A", "A"), "P0"), Tag(Span(5, 7), PhiType("A", "A"), "T9")]
    assert files_of(TEXT, *tags)["110-02.ann"].splitlines() == ["T10\tA 0 4\tSeen", "T9\tA 5 7\tby"]


def test_a_line_end_in_a_comment_becomes_a_blank(read):
    tag = Tag(Span(0, 4), PhiType("A", "A"), "T1", "one\ntwo", Origin.IMPORT)
    assert read(files_of(TEXT, tag)["110-02.ann"]).tags[0].comment == "one two"


def test_a_layer_is_that_of_one_annotator():
    layer = Layer.of("110-02", "ana", [Tag(Span(0, 4), PhiType("A", "A"))])
    record = Record(Document("110-02", "110", TEXT), (layer,))
    assert [file.name for file in FORMAT.write([record], WriteOptions())][1] == "110-02.ann"


def test_an_offset_beyond_any_text_is_refused(read):
    with pytest.raises(FileFormatError, match="line 1 has an offset beyond any text"):
        read(f"T1\tNAME 0 {'9' * 5000}\tSeen")
