"""What comes from outside is read within bounds, or refused in a sentence."""

import os
import time

import pytest

from shared.commands.main import main
from shared.encryption import decrypted
from shared.errors import LONGEST, FileError, FileFormatError, RequestError, StorageError
from shared.formats.base import Record, RecordSource
from shared.formats.i2b2_xml import parse_record
from shared.formats.schema_toml import read_schema
from shared.model import Document
from shared.model.i2b2_2014 import I2B2_2014
from shared.outside import (
    DEEPEST,
    LARGEST_TOML,
    MALFORMED,
    MOST_PARTS,
    parse_json,
    parse_json_object,
    parse_toml,
    read_bounded,
)
from shared.project.files import open_new, read_file
from shared.project.journal import Journal, read_journal
from shared.project.lock import acquire_lock
from shared.project.project import Project
from shared.project.settings import from_toml
from shared.recognition.features import FeatureSet
from shared.surrogates.review import choices_from_json
from shared.surrogates.surrogate_kinds import read_kinds

DEEP = b"[" * 100_000


@pytest.fixture
def project_folder(tmp_path):
    record = Record.of(
        Document("110-01", "110", "Seen by Dr. Lee."), (), source=RecordSource(tmp_path)
    )
    Project.create(tmp_path / "project", "T", I2B2_2014, [record], ["ana", "ben"], 0)
    return tmp_path / "project"


PIPES = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")


@pytest.mark.parametrize(
    "data",
    [
        DEEP,
        b'{"a":' * 100_000,
        b"[" * (DEEPEST + 1) + b"]" * (DEEPEST + 1),
        b"1e999",
        b"[NaN]",
        b"-Infinity",
        b"1" * 5000,
        b"[" + b"[]," * MOST_PARTS + b"0]",
        b"\xff\xfe",
        b"",
    ],
)
def test_json_that_would_break_a_reader_is_refused(data):
    with pytest.raises(ValueError, match=r"^(is|has)[a-z JSON]*$"):
        parse_json(data)


def test_json_within_bounds_is_what_it_says():
    deep = b"[" * DEEPEST + b"]" * DEEPEST
    assert parse_json(deep) == eval(deep)  # noqa: S307  brackets only
    assert parse_json_object('{"a": [1, 2.5, "x"], "b": null}') == {"a": [1, 2.5, "x"], "b": None}
    with pytest.raises(ValueError, match="no object"):
        parse_json_object("[]")


@pytest.mark.parametrize(
    "data",
    [
        b"x = " + DEEP,
        b"x = " + b"{a=" * 100_000,
        b"x = 1e999",
        b"x = inf",
        b"a." * 100_000 + b"a = 1",
        b"x = '" + b"x" * LARGEST_TOML + b"'",
        b"x = [" + b"1" * 5000 + b"]",
        b"\xff",
    ],
)
def test_toml_that_would_break_a_reader_is_refused(data):
    with pytest.raises(ValueError, match=r"^(is|has)[A-Za-z0-9 ()-]*$"):
        parse_toml(data)


def test_what_is_wrong_with_a_file_never_brings_the_file_along(tmp_path):
    path = tmp_path / "schema.toml"
    path.write_text('["Okafor"]\n["Okafor"]\nx = Okafor')
    with pytest.raises(FileFormatError, match="line") as refused:
        read_schema(path)
    assert "Okafor" not in str(refused.value)


def test_a_message_is_one_sentence_of_bounded_length(tmp_path):
    long = "x" * 5000
    for error in (
        RequestError(f"there is\nno {long}; give another"),
        FileFormatError(tmp_path / long, "is broken; restore it"),
        FileError("a", f"names {long}; restore it"),
        FileError(long, f"names {long}; restore it"),
    ):
        assert len(str(error)) <= LONGEST
        assert "\n" not in str(error)
        assert str(error).endswith(("restore it", "give another"))


@PIPES
def test_a_pipe_or_device_is_refused_at_once(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path in (pipe, tmp_path / "link"):
        if path is not pipe:
            path.symlink_to("/dev/zero")
        with pytest.raises(FileFormatError, match="pipe or a device"):
            read_bounded(path)
    with pytest.raises(FileFormatError, match="pipe or a device"):
        read_file(pipe)
    for open_it in (Journal, read_journal, lambda path: acquire_lock(path, "ana")):
        with pytest.raises(FileFormatError, match="pipe or a device"):
            open_it(pipe)


def test_a_file_is_read_up_to_its_bound_and_a_folder_is_none(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"12345")
    assert read_bounded(path, 5) == b"12345"
    with pytest.raises(FileFormatError, match="larger"):
        read_bounded(path, 4)
    with pytest.raises(StorageError, match="directory"):
        read_bounded(tmp_path)
    with pytest.raises(StorageError, match="no such file"):
        read_bounded(tmp_path / "none")


def test_a_link_in_a_project_is_neither_read_nor_written_through(tmp_path):
    outside, link = tmp_path / "outside", tmp_path / "link.jsonl"
    outside.write_bytes(b'{"op": "edit"}\ntorn')
    link.symlink_to(outside)
    for use in (read_file, read_journal, Journal, lambda path: open_new(path, 0)):
        with pytest.raises(FileFormatError, match="is a link"):
            use(link)
    assert outside.read_bytes() == b'{"op": "edit"}\ntorn'
    link.unlink()
    link.symlink_to(tmp_path / "nowhere")
    with pytest.raises(FileFormatError, match="is a link"):
        Journal(link)
    assert not (tmp_path / "nowhere").exists()


def test_settings_layers_and_records_that_are_links_are_refused(project_folder, tmp_path):
    project = Project.open(project_folder)
    patient_id = project.patient_ids[0]
    document = project.patient(patient_id).documents[0]
    text = project_folder / "records" / patient_id / f"{document.record_id}.txt"
    layer = project.layer_path(project.annotators[0], document.record_id)
    layer.parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / "elsewhere.xml").write_text("<x/>")
    layer.symlink_to(tmp_path / "elsewhere.xml")
    with pytest.raises(FileFormatError, match="is a link"):
        project.read_layer(project.annotators[0], document)
    for path, read in (
        (text, lambda: project.patient(patient_id)),
        (project_folder / "tandem.toml", lambda: Project.open(project_folder)),
    ):
        path.rename(tmp_path / path.name)
        path.symlink_to(tmp_path / path.name)
        with pytest.raises(FileFormatError, match="is a link"):
            read()


@pytest.mark.parametrize(
    "name",
    ["layers", "layers/ana", "gold", "journal", "journal/ana", "notes/ana", "log",
     "audit/1/layers/x", "suggestions", "surrogates", "dismissed", "models/m", "records",
     "records/1"],
)  # fmt: skip
def test_a_folder_of_a_project_that_leads_elsewhere_is_refused_and_nothing_written_there(
    project_folder, tmp_path, name, capsys
):
    name = name.replace("records/1", f"records/{Project.open(project_folder).patient_ids[0]}")
    outside, link = tmp_path / "outside", project_folder / name
    if link.exists():
        link.rename(outside)
    outside.mkdir(exist_ok=True)
    link.parent.mkdir(parents=True, exist_ok=True)
    link.symlink_to(outside)
    there = sorted(outside.iterdir())
    said = "is a link; put the folder that it leads to in its place"
    for command in (["status"], ["check"], ["surrogate", "--review"], ["annotate"]):
        assert main([command[0], str(project_folder), *command[1:]]) == 2
        assert said in capsys.readouterr().err
    assert main(["verify", str(project_folder)]) == 1
    assert said in capsys.readouterr().out
    with pytest.raises(FileFormatError, match="is a link"):
        Project.open(project_folder)
    assert sorted(outside.iterdir()) == there


def test_a_project_is_opened_where_it_is_a_link_itself(project_folder, tmp_path):
    (tmp_path / "link").symlink_to(project_folder)
    assert Project.open(tmp_path / "link").patient_ids


def test_every_reader_of_json_and_toml_refuses_what_is_nested_too_deep(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(DEEP + b"\n")
    toml = tmp_path / "file.toml"
    toml.write_bytes(b"x = " + DEEP)
    for read in (
        lambda: read_journal(path),
        lambda: choices_from_json(DEEP, path),
        lambda: from_toml(b"format_version = 1\nx = " + DEEP, toml),
        lambda: read_schema(toml),
        lambda: read_kinds(toml),
        lambda: decrypted(DEEP, "x", "a passphrase", path, "a map"),
    ):
        with pytest.raises(FileFormatError):
            read()


def test_a_lock_that_is_no_lock_is_somebodys(tmp_path, monkeypatch):
    monkeypatch.setattr("shared.project.lock._HALF_WRITTEN", 0.05)
    path, tomorrow = tmp_path / "lock", time.time() + 86_400
    for content in (DEEP, b'{"who":1,"host":1,"started":1,"since":1,"pid":1e999}', b"[]"):
        path.write_bytes(content)
        os.utime(path, (tomorrow, tomorrow))  # so that it is never too old to be somebody's
        with pytest.raises(FileError, match="somebody"):
            acquire_lock(path, "ana")


@pytest.mark.parametrize(
    "tags",
    [
        b"<a/>" * 300_000,
        b"<a " + b" ".join(b'a%d = ""' % each for each in range(5000)) + b"/>",
        (b"<a " + b" ".join(b"a%d=''" % each for each in range(400)) + b"/>") * 3000,
    ],
)
def test_xml_with_more_markup_than_any_record_is_refused(tags, tmp_path):
    start, end = "<deIdi2b2><TEXT>x</TEXT><TAGS>", "</TAGS></deIdi2b2>"
    for encoding in ("utf-8", "utf-16"):
        data = f"{start}{tags.decode()}{end}".encode(encoding)
        with pytest.raises(FileFormatError, match="more"):
            parse_record(data, tmp_path / "file.xml")


def test_signs_in_the_text_of_a_record_are_no_markup(tmp_path):
    text = "a < b = 'c' " * 100_000
    data = f"<deIdi2b2><TEXT><![CDATA[{text}]]></TEXT><TAGS></TAGS></deIdi2b2>".encode()
    assert parse_record(data, tmp_path / "file.xml").text == text


@pytest.mark.parametrize("window", [-5, 10**9])
def test_a_window_of_features_that_no_model_has_is_refused(window):
    with pytest.raises(RequestError, match="window"):
        FeatureSet(("word",), window)


def test_what_ends_in_no_error_of_tandems_is_malformed():
    for error in (OverflowError, StopIteration, RecursionError, IndexError, KeyError):
        assert issubclass(error, MALFORMED)
