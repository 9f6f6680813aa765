"""What every command says of files that it does not read."""

import pytest

from shared.commands.main import main

XML = (
    "<a><TEXT>Seen by Dr. Lee.</TEXT><TAGS>"
    "<NAME id='x' start='12' end='15' text='Lee' TYPE='DOCTOR'/></TAGS></a>"
)
COMMANDS = [
    "new {out} --records {in} --annotators ana,ben",
    "check {in}",
    "score {in} {in}",
    "suggest {in} --model rules --out {out}",
    "evaluate rules {in}",
    "train {in} --out {out}",
    "convert {in} {out} --from i2b2 --to text",
]


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "in"
    made.mkdir()
    return made


def run(command, folder, tmp_path):
    places = {"in": folder, "out": tmp_path / "out"}
    return main([word.format(**places) for word in command.split()])


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    ("name", "form"), [("110-01.pdf", "PDF (.pdf)"), ("all.docx", "Word (.docx)")]
)
def test_a_folder_that_holds_another_form_alone_is_an_error_that_names_it(
    command, name, form, folder, tmp_path, capsys
):
    (folder / name).write_text("T1\tDOCTOR 12 15\tLee\n", "utf-8")
    assert run(command, folder, tmp_path) == 2
    said = capsys.readouterr().err
    assert f"in: holds no records, but 1 file of {form}; give a folder with " in said
    assert said.count("\n") == 1
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("command", [each for each in COMMANDS if not each.startswith("train")])
def test_files_that_were_not_read_beside_records_are_said(command, folder, tmp_path, capsys):
    (folder / "110-01.xml").write_text(XML, "utf-8")
    (folder / "110-01.pdf").write_text("", "utf-8")
    (folder / "notes.md").write_text("", "utf-8")
    assert run(command, folder, tmp_path) in (0, 1)
    said = capsys.readouterr().err
    assert f"tandem: {folder}: holds 1 file of PDF (.pdf), which was not read\n" in said
    assert "holds 1 file of an unknown form (.md), which was not read\n" in said


@pytest.mark.parametrize("command", COMMANDS)
def test_a_file_that_only_looks_like_ours_is_said_to_be_what_it_is(
    command, folder, tmp_path, capsys
):
    xmi = '<xmi:XMI xmlns:xmi="http://www.omg.org/XMI" xmi:version="2.0"/>'
    (folder / "110-01.xml").write_text(xmi, "utf-8")
    assert run(command, folder, tmp_path) == 2
    assert "110-01.xml: is UIMA CAS XMI; let its name end in .xmi" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["new {out} --records {in} --annotators ana,ben", COMMANDS[-1]])
def test_a_file_of_another_form_than_the_one_asked_for_is_an_error(
    command, folder, tmp_path, capsys
):
    (folder / "110-01.xml").write_text(XML, "utf-8")
    (folder / "110-02.ann").write_text("", "utf-8")
    words = command if "--from" in command else f"{command} --from i2b2"
    assert run(words, folder, tmp_path) == 2
    said = capsys.readouterr().err
    assert "holds 1 file of brat (.ann), which was not read; give --from brat\n" in said
    assert not (tmp_path / "out").exists()
    assert run(f"{words} --skip-broken", folder, tmp_path) == 0
