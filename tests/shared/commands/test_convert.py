import json

import pytest

from shared.commands.main import main
from shared.formats.corpus import read_corpus
from shared.formats.mae import read_dtd

TEXT = "\U0001f600 Dr. Lee, 3/4"
XML = (
    f"<a><TEXT>{TEXT}</TEXT><TAGS>"
    "<NAME id='x' start='6' end='9' text='Lee' TYPE='DOCTOR'/>"
    "<DATE id='y' start='11' end='14' text='3/4'/></TAGS></a>"
)


@pytest.fixture
def source(tmp_path):
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "110-01.xml").write_text(XML, "utf-8")
    (folder / "110-02.xml").write_text("<a><TEXT>Nothing.</TEXT></a>", "utf-8")
    return folder


@pytest.fixture
def convert(tmp_path):
    def run(source, from_, to, *words, out="out"):
        return main(
            ["convert", str(source), str(tmp_path / out), "--from", from_, "--to", to, *words]
        )

    return run


def marks(folder):
    return [(each.document, each.tags) for each in read_corpus(folder).records]


@pytest.mark.parametrize("first", ["i2b2", "mae"])
def test_records_and_tags_come_back_from_other_formats(convert, source, tmp_path, first):
    assert convert(source, "i2b2", first, out="there") == 0
    assert convert(tmp_path / "there", first, "i2b2", out="back") == 0
    assert marks(tmp_path / "back") == marks(source)


def test_mae_gets_its_task_definition(convert, source, tmp_path):
    convert(source, "i2b2", "mae")
    schema = read_dtd(tmp_path / "out" / "deIdi2b2.dtd")
    assert [str(each.phi_type) for each in schema.types()] == ["NAME:DOCTOR", "DATE"]
    assert 'spans="7~10"' in (tmp_path / "out" / "110-01.xml").read_text("utf-8")


def test_text_alone_is_written_and_said_to_hold_no_tags(convert, source, tmp_path, capsys):
    assert convert(source, "i2b2", "text") == 0
    assert (tmp_path / "out" / "110-01.txt").read_text("utf-8") == TEXT
    assert "2 records, 2 tags (text alone holds no tags)" in capsys.readouterr().out


def test_what_a_format_cannot_carry_is_listed_and_given_tag_by_tag(
    convert, source, tmp_path, capsys
):
    extra = (
        f"<a><META who='x'/><TEXT>{TEXT}</TEXT><TAGS><NAME id='x' start='6' end='9' text='Lee' "
        "TYPE='DOCTOR' comment='unsure' certainty='low' origin='suggestion' confidence='0.5'/>"
        "</TAGS></a>"
    )
    (source / "110-03.xml").write_text(extra, "utf-8")
    report = tmp_path / "lost.json"
    assert convert(source, "i2b2", "mae", "--json", str(report)) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].endswith("3 records, 3 tags")
    assert [line.split() for line in lines[3:]] == [
        ["origin", "dropped", "1", "1"],
        ["confidence", "dropped", "1", "1"],
    ]
    found = json.loads(report.read_text("utf-8"))
    assert (found["version"], found["records"], found["tags"]) == (1, 3, 3)
    assert found["losses"][0] == {
        "record": "110-03", "tag": "x", "what": "origin", "done": "dropped",
    }  # fmt: skip
    assert [(each["what"], each["tag"]) for each in found["losses"][1:]] == [("confidence", "x")]
    written = (tmp_path / "out" / "110-03.xml").read_text("utf-8")
    assert ' certainty="low" />' in written
    assert '<META who="x"/>' in written
    dtd = (tmp_path / "out" / "deIdi2b2.dtd").read_text("utf-8")
    assert '<!ATTLIST NAME certainty CDATA "" >' in dtd


def test_nothing_is_listed_where_all_was_carried(convert, source, capsys):
    assert convert(source, "i2b2", "i2b2", "--json", "-") == 0
    assert json.loads(capsys.readouterr().out)["losses"] == []
    assert convert(source, "i2b2", "i2b2", out="again") == 0
    assert capsys.readouterr().out.count("\n") == 1


def test_notes_on_the_texts_and_files_that_were_not_read_are_said(convert, tmp_path, capsys):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a-1.txt").write_bytes("Müller\r\n".encode("cp1252"))
    (tmp_path / "in" / "a-1.docx").write_text("T1", "utf-8")
    report = tmp_path / "lost.json"
    assert convert(tmp_path / "in", "text", "i2b2", "--json", str(report)) == 0
    said = capsys.readouterr()
    assert "holds 1 file of Word (.docx), which was not read" in said.err
    assert "read as Windows-1252: 1 of 1 records" in said.out
    assert json.loads(report.read_text("utf-8"))["notes"]["read as Windows-1252"] == 1


def test_text_becomes_xml_without_tags(convert, tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a-1.txt").write_text(TEXT, "utf-8")
    assert convert(tmp_path / "in", "text", "mae") == 0
    assert [each.name for each in (tmp_path / "out").iterdir()] == ["a-1.xml"]


def test_files_of_other_formats_are_passed_over(convert, source, tmp_path):
    (source / "110-01.txt").write_text(TEXT, "utf-8")
    assert convert(source, "i2b2", "text") == 0
    assert len(list((tmp_path / "out").iterdir())) == 2


def test_a_record_that_the_format_cannot_hold_leaves_nothing(convert, tmp_path, capsys):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a-1.txt").write_text("x ]]> y", "utf-8")
    assert convert(tmp_path / "in", "text", "mae") == 2
    assert (
        capsys.readouterr().err
        == "tandem: record a-1 holds ]]> at 2, which MAE cannot read; leave it out\n"
    )
    assert [each.name for each in tmp_path.iterdir()] == ["in"]


def test_a_text_beside_its_xml_is_told_apart_by_the_form(convert, source, tmp_path, capsys):
    (source / "110-01.txt").write_text(TEXT, "utf-8")
    assert main(["convert", str(source), str(tmp_path / "out"), "--to", "jsonl"]) == 2
    assert "or read this form alone with --from i2b2" in capsys.readouterr().err
    assert convert(source, "i2b2", "jsonl") == 0


def test_broken_records_are_named_and_nothing_is_written(convert, source, tmp_path, capsys):
    (source / "7-1.xml").write_text("<a>", "utf-8")
    assert convert(source, "i2b2", "text") == 2
    lines = capsys.readouterr().err.splitlines()
    assert "7-1.xml: is not well-formed XML" in lines[0]
    assert "nothing was converted" in lines[1]
    assert not (tmp_path / "out").exists()


def test_broken_records_are_left_out_when_asked(convert, source, tmp_path):
    (source / "7-1.xml").write_text("<a>", "utf-8")
    assert convert(source, "i2b2", "text", "--skip-broken") == 0
    assert len(list((tmp_path / "out").iterdir())) == 2


@pytest.mark.parametrize(
    ("from_", "said"),
    [("brat5", "argument --from: invalid choice: 'brat5'"), ("text", "in: holds no records")],
)
def test_a_wrong_request_is_one_line(convert, source, capsys, from_, said):
    assert convert(source, from_, "i2b2") == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1


def test_a_folder_that_is_there_is_not_touched(convert, source, capsys):
    assert convert(source, "i2b2", "text", out="in") == 2
    assert "already exists and is not empty" in capsys.readouterr().err


def test_the_files_tell_their_format_and_the_encoding_can_be_said(convert, tmp_path, capsys):
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "a-1.txt").write_bytes("Dr. Łęcki kam.".encode("iso8859-2"))
    (folder / "a-1.ann").write_text("T1\tDOCTOR 4 9\tŁęcki\n", "iso8859-2")
    words = ["convert", str(folder), str(tmp_path / "out"), "--to", "jsonl"]
    assert main([*words, "--encoding", "iso8859-2"]) == 0
    (made,) = (tmp_path / "out" / "records.jsonl").read_text("utf-8").splitlines()
    assert json.loads(made)["text"] == "Dr. Łęcki kam."
    assert "read as iso8859-2: 1 of 1 records" in capsys.readouterr().out
    assert main([*words[:2], str(tmp_path / "no"), *words[3:], "--encoding", "hex"]) == 2
    assert "knows no encoding hex" in capsys.readouterr().err


def test_an_option_that_no_format_has_is_refused(convert, source, capsys):
    assert convert(source, "i2b2", "jsonl", "--option", "x=1") == 2
    assert "there is no option x here; there are: date, kind, patient" in capsys.readouterr().err
    assert convert(source, "i2b2", "jsonl", "--option", "tags=label") == 0
