import os
from pathlib import Path

import pytest

from shared.errors import FileFormatError, RequestError, StorageError
from shared.formats.base import record_id_of
from shared.formats.corpus import read_corpus
from shared.formats.record_names import natural_key
from shared.formats.registry import FORMATS, TAGGED

XML = "<a><TEXT>Dr. Lee</TEXT><TAGS><NAME id='x' start='4' end='7' text='Lee'/></TAGS></a>"


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "records"


def put(folder, **files):
    """Write files; in their names `__` stands for `-`, `___` for `/`, and `_txt` for `.txt`."""
    for name, content in files.items():
        plain = name.replace("___", "/").replace("__", "-").replace("_", ".")
        path = folder / plain
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def ids(found):
    return [(each.document.patient_id, each.document.record_id) for each in found.records]


def sentences(found):
    return [str(problem) for problem in found.problems]


def test_text_and_xml_are_read_from_folders_within_folders(folder):
    put(folder, a___110__01_txt="Seen.", b___c___110__02_xml=XML)
    found = read_corpus(folder)
    assert ids(found) == [("110", "110-01"), ("110", "110-02")]
    assert [len(each.tags) for each in found.records] == [0, 1]
    assert found.problems == ()


def test_records_are_in_the_order_of_their_numbers(folder):
    put(folder, p__10_txt="", p__9_txt="", P__1_TXT="", a10__1_txt="", a9__1_txt="")
    assert [record for _, record in ids(read_corpus(folder))] == [
        "P-1",
        "a9-1",
        "a10-1",
        "p-9",
        "p-10",
    ]


@pytest.mark.parametrize(
    ("name", "patient"),
    [("110-02.txt", "110"), ("a-b-c.txt", "a-b"), ("note.txt", "note"), ("x.y-1.txt", "x.y")],
)
def test_the_patient_is_what_stands_before_the_last_hyphen(folder, name, patient):
    folder.mkdir()
    (folder / name).write_text("", "utf-8")
    assert ids(read_corpus(folder))[0][0] == patient


@pytest.mark.parametrize("pattern", [r"^(\d+)_", r"^\d+(?=_)", r"(?P<patient>\d+)_"])
def test_a_pattern_captures_the_patient(folder, pattern):
    folder.mkdir()
    (folder / "77_discharge_3.txt").write_text("", "utf-8")
    assert ids(read_corpus(folder, pattern)) == [("77", "77_discharge_3")]


@pytest.mark.parametrize("pattern", [r"^(x)", r"(\d*)x?$(?!.)", r"(z)?"])
def test_a_name_without_a_patient_is_a_problem(folder, pattern):
    put(folder, note_txt="")
    assert "tells no patient" in sentences(read_corpus(folder, pattern))[0]


def test_a_broken_pattern_is_refused(folder):
    put(folder, a_txt="")
    with pytest.raises(RequestError, match="not a regular expression"):
        read_corpus(folder, "(")


def test_hidden_files_and_other_endings_are_passed_over(folder):
    put(folder, a__1_txt="", _b__1_txt="<", _git___c__1_txt="", notes_md="")
    found = read_corpus(folder)
    assert ids(found) == [("a", "a-1")]
    assert found.problems == ()
    assert [str(each) for each in found.unread] == [
        f"{folder}: holds 1 file of an unknown form (.md), which was not read"
    ]


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("a.pdf", "PDF (.pdf)"),
        ("a.docx", "Word (.docx)"),
        ("LICENSE", "an unknown form (LICENSE)"),
    ],
)
def test_a_file_that_is_not_read_is_said_to_be_what_it_is(folder, name, form):
    put(folder, a__1_txt="Seen.")
    (folder / name).write_text("x", "utf-8")
    (unread,) = read_corpus(folder).unread
    assert str(unread) == f"{folder}: holds 1 file of {form}, which was not read"


def test_files_of_a_form_that_was_not_asked_for_are_said(folder):
    put(folder, a__1_txt="", a__2_txt="", a__3_xml=XML)
    (unread,) = read_corpus(folder, formats=TAGGED).unread
    assert str(unread).endswith("holds 2 files of plain text (.txt), which were not read")


def test_a_folder_of_another_form_alone_is_an_error_that_names_it(folder):
    put(folder, a__1_ann="", a__2_ann="", a_jsonl="")
    with pytest.raises(FileFormatError) as caught:
        read_corpus(folder, formats=[FORMATS["text"]])
    assert caught.value.problem == (
        "holds no records, but 2 files of brat (.ann), 1 file of JSON lines (.jsonl); "
        "give --from brat or --from jsonl, or a folder with .txt files"
    )


def test_a_form_without_tags_is_not_offered_where_tags_are_needed(folder):
    put(folder, a__1_txt="")
    with pytest.raises(FileFormatError) as caught:
        read_corpus(folder, formats=TAGGED)
    assert "1 file of plain text (.txt); give a folder with" in caught.value.problem


def test_a_task_definition_lies_beside_records_without_a_word(folder):
    put(folder, a__1_xml=XML, task_dtd="")
    assert read_corpus(folder).unread == ()


def test_xml_of_another_program_is_said_to_be_what_it_is(folder):
    xmi = '<xmi:XMI xmlns:xmi="http://www.omg.org/XMI" xmi:version="2.0"/>'
    put(folder, a__1_xml=XML, b__1_xml=xmi)
    assert sentences(read_corpus(folder)) == [
        f"{folder / 'b-1.xml'}: is UIMA CAS XMI; let its name end in .xmi"
    ]


def test_a_record_does_not_stand_in_for_a_broken_one_of_its_name(folder):
    put(folder, a__1_txt="Seen.", a__1_xml="<a>")
    found = read_corpus(folder)
    assert found.records == ()
    assert sentences(found)[1].startswith(f"{folder / 'a-1.txt'}: is a second record with the name")


@pytest.mark.parametrize(
    "names",
    [("110-01.txt", "110-01.xml"), ("a/110-01.txt", "b/110-01.txt"), ("B-1.txt", "b-1.txt")],
)
def test_two_records_with_one_name_are_a_problem_that_names_both(folder, names):
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(XML, "utf-8")
    found = read_corpus(folder)
    assert found.records == ()
    assert all(f"/{name}" in sentences(found)[0] for name in names)  # long paths lose their start


def test_a_broken_file_is_a_problem_and_the_others_are_read(folder):
    put(folder, a__1_xml="<a>", b__1_xml=XML)
    found = read_corpus(folder)
    assert ids(found) == [("b", "b-1")]
    assert "a-1.xml: is not well-formed XML" in sentences(found)[0]


def test_what_cannot_be_opened_is_a_problem_and_the_others_are_read(folder):
    put(folder, b__1_txt="x")
    (folder / "a-1.txt").symlink_to(folder / "gone")
    found = read_corpus(folder)
    assert ids(found) == [("b", "b-1")]
    assert isinstance(found.problems[0], StorageError)


def test_a_folder_within_that_cannot_be_read_is_a_problem(folder, monkeypatch):
    put(folder, b__1_txt="x", shut___a__1_txt="")
    scandir = os.scandir

    def refusing(path):
        if Path(path) == folder / "shut":
            raise PermissionError(13, "Permission denied", str(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refusing)
    found = read_corpus(folder)
    assert ids(found) == [("b", "b-1")]
    assert sentences(found) == [f"{folder / 'shut'}: permission denied; ask its owner for access"]


def test_an_empty_folder_is_an_error(folder):
    folder.mkdir()
    with pytest.raises(FileFormatError, match="holds no records"):
        read_corpus(folder)


def test_a_missing_folder_is_an_error(folder):
    with pytest.raises(StorageError, match="no such file or directory; check the name"):
        read_corpus(folder)


def test_a_file_is_read_by_itself(folder):
    put(folder, a__1_txt="", a__2_txt="")
    assert ids(read_corpus(folder / "a-1.txt")) == [("a", "a-1")]


def test_a_file_of_another_form_is_an_error(folder):
    put(folder, a_pdf="")
    with pytest.raises(FileFormatError, match="is in no form that is read here; give a file that"):
        read_corpus(folder / "a.pdf")


@pytest.mark.parametrize("name", [b"a\x07-1.txt", b"a\xff-1.txt"])
def test_a_name_that_no_list_can_hold_is_a_problem(folder, name):
    folder.mkdir()
    try:
        (folder / os.fsdecode(name)).write_text("", "utf-8")
    except OSError:
        pytest.skip("the file system refuses such names itself")
    assert "rename it" in sentences(read_corpus(folder))[0]


@pytest.mark.parametrize("name", ["../outside", "/etc/passwd", "a/b"])
def test_a_name_within_a_file_that_leads_out_of_a_folder_is_a_problem(folder, name):
    put(folder, a__1_conll=f"# newdoc id = {name}\nSeen O\n")
    found = read_corpus(folder)
    assert found.records == ()
    assert "has a name with a slash in it; rename the record" in sentences(found)[0]


def test_notes_say_how_a_text_was_read(folder):
    put(folder, a__1_txt="Müller\r\n".encode("cp1252"))
    record = read_corpus(folder).records[0]
    assert record.source.encoding == "Windows-1252"
    assert record.notes == ("read as Windows-1252", "carriage returns turned into line feeds")


def test_medtators_double_ending_is_no_part_of_the_name(tmp_path):
    assert record_id_of(tmp_path / "110-02.txt.xml") == "110-02"


def test_numbers_sort_as_numbers():
    names = ["a-10", "a-9", "a", "10", "9"]
    assert sorted(names, key=natural_key) == ["9", "10", "a", "a-9", "a-10"]


def make_records(folder, names):
    for name in names:
        (folder / f"{name}.txt").write_text("Seen.", encoding="utf-8")


def patients_of(folder):
    return {each.document.record_id: each.document.patient_id for each in folder.records}


def test_numbers_that_hardly_ever_repeat_do_not_group_records(tmp_path):
    articles = [f"S{number}-1" for number in range(20)]
    make_records(tmp_path, [*articles, "S7-2"])
    folder = read_corpus(tmp_path)
    assert patients_of(folder)["S7-2"] == "S7-2"
    assert len(set(patients_of(folder).values())) == 21
    assert "--patient-pattern" in folder.notes[0]


@pytest.mark.parametrize(
    "names",
    [
        [f"{number}-01" for number in range(20)] + ["7-02"],  # as the i2b2 corpora name them
        ["ann-1", "ann-2", "bea-1", "cyd-1"],
        [f"p{number}-1" for number in range(20)],
    ],
)
def test_otherwise_the_part_before_the_last_hyphen_is_the_patient(tmp_path, names):
    make_records(tmp_path, names)
    folder = read_corpus(tmp_path)
    assert patients_of(folder) == {name: name.rpartition("-")[0] for name in names}
    assert not folder.notes


def test_a_pattern_groups_what_hardly_ever_repeats(tmp_path):
    make_records(tmp_path, [*(f"S{number}-1" for number in range(20)), "S7-2"])
    assert patients_of(read_corpus(tmp_path, "(.*)-"))["S7-2"] == "S7"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes in a folder here")
def test_a_pipe_is_passed_over(tmp_path):
    os.mkfifo(tmp_path / "110-01.txt")
    (tmp_path / "110-02.txt").write_text("Seen.")
    (tmp_path / "110-03.txt").symlink_to(tmp_path / "gone.txt")
    found = read_corpus(tmp_path)
    assert [each.document.record_id for each in found.records] == ["110-02"]
    assert [problem.path.name for problem in found.problems] == ["110-03.txt"]


def test_a_name_of_more_digits_than_any_number_has_is_ordered_as_a_name():
    assert natural_key("9" * 5000)[0][0]
