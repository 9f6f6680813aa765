"""`-` is standard input where one document is meant."""

import io
import json
import sys
import tempfile

import pytest

from shared.commands.main import main
from shared.formats.i2b2_xml import parse_record, read_record

TEXT = "Seen by Dr. Okafor on 4/17/2068.\n"


@pytest.fixture
def piped(monkeypatch, capsys):
    """Runs a command with this on standard input, and returns status, output and errors."""

    def run(data, *words):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        status = main([*map(str, words)])
        return status, *capsys.readouterr()

    return run


def test_a_text_is_tagged_from_pipe_to_pipe(piped):
    status, out, _ = piped(TEXT.encode(), "suggest", "-", "--model", "rules", "--out", "-")
    assert status == 0
    assert {each.phi_type.name for each in parse_record(out.encode(), "text").tags} == {
        "DOCTOR",
        "DATE",
    }


def test_what_was_tagged_goes_on_as_xml(piped, tmp_path):
    _, xml, _ = piped(TEXT.encode(), "suggest", "-", "--model", "rules", "--out", "-")
    status, out, _ = piped(xml.encode(), "check", "-", "--json", "-")
    assert (status, json.loads(out)["findings"]) == (0, [])
    assert piped(xml.encode(), "convert", "-", tmp_path / "out", "--to", "i2b2")[0] == 0
    (written,) = (tmp_path / "out").iterdir()
    assert len(read_record(written).tags) == 2


def test_a_text_is_checked(piped):
    status, out, _ = piped(TEXT.encode(), "check", "-", "--all", "--json", "-")
    assert status == 1
    assert "4/17/2068" in {each["text"] for each in json.loads(out)["findings"]}


def test_the_form_and_the_encoding_can_be_said(piped, tmp_path):
    line = json.dumps({"id": "1-1", "text": "Dr. Łęcki", "label": [[4, 9, "DOCTOR"]]},
                      ensure_ascii=False)  # fmt: skip
    words = ["convert", "-", tmp_path / "out", "--to", "i2b2", "--from", "jsonl"]
    status, _, _ = piped(line.encode("iso8859-2"), *words, "--encoding", "iso8859-2")
    assert status == 0
    assert read_record(tmp_path / "out" / "1-1.xml").text == "Dr. Łęcki"


@pytest.mark.parametrize(
    ("data", "words", "said"),
    [
        (b"<?xml", ["check", "-"], "standard input: is not well-formed XML"),
        (b"{", ["check", "-", "--from", "jsonl"], "standard input"),
        (b"a", ["check", "-", "--until-clean"], "give a file, not -"),
        (
            b"a",
            ["suggest", "-", "--model", "rules", "--out", "-", "--json", "-"],
            "cannot both be -",
        ),
    ],
)
def test_what_is_wrong_names_standard_input_and_no_other_place(piped, data, words, said):
    status, out, err = piped(data, *words)
    assert (status, out.startswith("0 findings") or not out) == (2, True)
    assert said in err
    assert tempfile.gettempdir() not in err


def test_nothing_stays_behind(piped, tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    piped(TEXT.encode(), "check", "-")
    assert list(tmp_path.iterdir()) == []


def test_an_input_that_is_closed_is_one_sentence(monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", None)
    assert main(["check", "-"]) == 2
    assert "there is no standard input to read" in capsys.readouterr().err


def test_several_records_do_not_go_to_standard_output(tmp_path, capsys):
    for name in ("1-1.txt", "1-2.txt"):
        (tmp_path / name).write_text(TEXT)
    assert main(["suggest", str(tmp_path), "--model", "rules", "--out", "-"]) == 2
    assert "2 records cannot go to standard output" in capsys.readouterr().err
