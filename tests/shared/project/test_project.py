import errno
import os
import threading
from pathlib import Path

import pytest

from shared.errors import (
    ChangedOnDiskError,
    FileError,
    FileFormatError,
    LockedError,
    NewerVersionError,
    RequestError,
    StorageError,
    UnknownTypeError,
)
from shared.formats.base import Record, RecordSource
from shared.formats.schema_auto import schema_of
from shared.model import Document, Layer, Origin, PhiType, Span, Tag
from shared.model.i2b2_2014 import I2B2_2014
from shared.project.assignments import Assignment, State
from shared.project.journal import Journal
from shared.project.project import Project
from shared.project.settings import GOLD, Policy
from tests.builders import marked_up, phi

NASTY = "\x00\x0c e\u0301 \U0001f600 \ud83d שלום ]]> Lee\n\u2028\ufeff"


def records(*sources, patient="110"):
    made = []
    for number, source in enumerate(sources, start=1):
        text, tags = marked_up(source)
        record_id = f"{patient}-{number:02}"
        document = Document(record_id, patient, text)
        imported = tuple(
            Tag(tag.span, tag.phi_type, f"T{place}", origin=Origin.IMPORT)
            for place, tag in enumerate(tags)
        )
        made.append(Record.of(document, imported, source=RecordSource(Path(f"{record_id}.xml"))))
    return made


def create(root, made, annotators=("ana", "ben"), seed=0, **more):
    return Project.create(root, "T", I2B2_2014, made, annotators, seed, **more)


@pytest.fixture
def root(tmp_path):
    return tmp_path / "project"


@pytest.fixture
def project(root):
    made = records("Seen by [Dr. Lee|DOCTOR].", NASTY)
    return create(root, [*records("Two.", patient="9"), *made])


def layer_with(document, *spans):
    tags = [Tag(Span(*span), phi("DOCTOR")) for span in spans]
    return Layer.of(document.record_id, "ana", tags)


def test_a_project_is_what_it_was_made_of(project):
    assert (project.title, project.annotators) == ("T", ("ana", "ben"))
    assert project.schema == I2B2_2014
    assert project.patient_ids == ("9", "110")
    assert project.record_ids("110") == ("110-01", "110-02")


def test_texts_come_back_whatever_they_hold(project):
    assert [each.text for each in project.patient("110").documents] == ["Seen by Dr. Lee.", NASTY]


def test_opening_reads_no_record(project, root, monkeypatch):
    read = Path.read_bytes

    def only_lists(path):
        assert path.suffix in {".csv", ".toml"}
        return read(path)

    monkeypatch.setattr(Path, "read_bytes", only_lists)
    assert Project.open(root).patient_ids == ("9", "110")


def test_who_sees_suggestions_can_be_changed(project, root):
    project.set_suggestions(project.suggestions.changed("ben", Policy.OFF, "110"))
    for each in (project, Project.open(root)):
        assert each.suggestions.of("ben", "110") is Policy.OFF
        assert each.suggestions.of("ana", "110") is Policy.ON


def test_the_files_of_a_project_are_its_owners_only(project, root):
    paths = [root, *root.rglob("*")]
    assert {path.stat().st_mode & 0o077 for path in paths} == {0}


def test_states_are_kept_in_the_folder(project, root):
    project.set_state("110", "ben", State.DONE)
    assert Assignment("110", "ben", State.DONE) in Project.open(root).assignments()
    assert Assignment("110", "ana", State.TO_DO) in project.assignments()


def test_states_that_are_set_at_once_are_all_kept(tmp_path):
    made = [record for n in range(12) for record in records("x", patient=f"p{n}")]
    project = create(tmp_path / "project", made)
    threads = [
        threading.Thread(target=project.set_state, args=(f"p{n}", name, State.BEGUN))
        for n in range(12)
        for name in project.annotators
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {each.state for each in project.assignments()} == {State.BEGUN}


@pytest.mark.parametrize(("patient", "name"), [("7", "ana"), ("110", "cyd")])
def test_a_state_of_what_is_not_assigned_is_refused(project, patient, name):
    with pytest.raises(RequestError, match=f"patient {patient} is not assigned to {name}"):
        project.set_state(patient, name, State.DONE)


def test_a_layer_is_empty_before_it_is_written(project):
    stored = project.read_layer("ana", project.patient("9").documents[0])
    assert (stored.layer.tags, stored.digest) == ((), None)


def test_layers_come_back_over_texts_that_xml_cannot_carry(project):
    document = project.patient("110").documents[1]
    layer = layer_with(document, (0, 2), (3, 12), (0, len(NASTY)))
    digest = project.write_layer("ana", document, layer, None)
    stored = project.read_layer("ana", document)
    assert stored.digest == digest
    assert stored.layer == layer


def test_gold_is_written_without_how_it_came_to_be(project, root):
    document = project.patient("9").documents[0]
    project.write_layer("gold", document, layer_with(document, (0, 3)), None)
    assert b"origin" not in (root / "gold" / "9-01.xml").read_bytes()
    assert project.read_layer("gold", document).layer.tags[0].origin is Origin.IMPORT


def test_a_patient_is_adjudicated_when_every_record_has_a_gold_standard(project):
    first, second = project.patient("110").documents
    project.write_layer("gold", first, layer_with(first), None)
    assert not project.is_adjudicated("110")
    project.write_layer("gold", second, layer_with(second), None)
    assert project.is_adjudicated("110")


def test_a_layer_that_somebody_else_changed_is_not_overwritten(project):
    document = project.patient("9").documents[0]
    digest = project.write_layer("ana", document, layer_with(document, (0, 3)), None)
    project.write_layer("ana", document, layer_with(document), digest)
    with pytest.raises(ChangedOnDiskError, match=r"9-01\.xml: was changed by somebody else"):
        project.write_layer("ana", document, layer_with(document, (0, 2)), digest)
    assert project.read_layer("ana", document).layer.tags == ()


def test_a_layer_of_another_text_is_refused(project, root):
    first, second = project.patient("110").documents
    project.write_layer("ana", first, layer_with(first), None)
    (root / "layers/ana/110-01.xml").rename(root / "layers/ana/110-02.xml")
    with pytest.raises(FileFormatError, match=r"110-02\.xml: was made for another text"):
        project.read_layer("ana", second)


def test_a_broken_layer_leaves_the_others_alone(project, root):
    (root / "layers/ana").mkdir()
    (root / "layers/ana/110-01.xml").write_text("<a>", "utf-8")
    first, second = project.patient("110").documents
    with pytest.raises(FileFormatError, match="not well-formed"):
        project.read_layer("ana", first)
    assert project.read_layer("ana", second).digest is None


def test_a_full_disk_keeps_the_layer_that_was_there(project, monkeypatch):
    def refuse(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    document = project.patient("9").documents[0]
    digest = project.write_layer("ana", document, layer_with(document, (0, 3)), None)
    monkeypatch.setattr(os, "write", refuse)
    with pytest.raises(StorageError, match=r"9-01\.xml: no space left on device"):
        project.write_layer("ana", document, layer_with(document), digest)
    monkeypatch.undo()
    assert project.read_layer("ana", document).digest == digest


def test_a_record_that_was_changed_is_refused_and_the_others_open(project, root):
    (root / "records/9/9-01.txt").write_text("Three.", "utf-8")
    with pytest.raises(FileFormatError, match=r"9-01\.txt: is not the text that was imported"):
        project.patient("9")
    assert len(project.patient("110").documents) == 2


def test_a_record_that_is_gone_is_a_storage_error(project, root):
    (root / "records/9/9-01.txt").unlink()
    with pytest.raises(StorageError, match=r"9-01\.txt: no such file"):
        project.patient("9")


@pytest.mark.parametrize("call", ["patient", "record_ids"])
def test_a_patient_that_is_not_there_is_refused(project, call):
    with pytest.raises(RequestError, match="the project T has no patient 7"):
        getattr(project, call)("7")


def test_an_annotator_that_is_not_there_is_refused(project):
    with pytest.raises(
        RequestError, match="cyd is not an annotator of this project; its annotators are ana, ben"
    ):
        project.layer_path("cyd", "9-01")


def test_journals_are_by_annotator_and_patient(project, root):
    assert project.journal_path("ana", "9") == root / "journal/ana/9.jsonl"
    assert project.journal_path("gold", "9") == root / "journal/gold/9.jsonl"


def test_a_patient_is_open_once_per_annotator(project):
    with project.lock_patient("ana", "9", "ana"):
        with pytest.raises(LockedError, match="is open for ana on"):
            project.lock_patient("ana", "9", "ana")
        project.lock_patient("ben", "9", "ben").release()
        project.lock_patient("ana", "110", "ana").release()


def test_a_patient_with_a_dot_in_the_name_has_a_lock_of_its_own(tmp_path):
    made = [*records("x", patient="a.1"), *records("y", patient="a.2")]
    project = create(tmp_path / "project", made)
    with project.lock_patient("ana", "a.1", "ana"):
        project.lock_patient("ana", "a.2", "ana").release()


def test_what_is_no_project_is_refused(tmp_path):
    with pytest.raises(
        FileFormatError, match="is not a Tandem project; create one with tandem new"
    ):
        Project.open(tmp_path)


def test_a_project_that_is_not_there_is_a_storage_error(tmp_path):
    with pytest.raises(StorageError, match="check the name"):
        Project.open(tmp_path / "none")


def test_a_file_is_no_project_and_is_named_itself(tmp_path):
    path = tmp_path / "file"
    path.touch()
    with pytest.raises(StorageError, match=r"file: not a directory; give a folder"):
        Project.open(path)


def test_a_project_of_a_newer_version_is_refused(project, root):
    path = root / "tandem.toml"
    path.write_text(path.read_text("utf-8").replace("format_version = 1", "format_version = 2"))
    with pytest.raises(NewerVersionError, match="update Tandem"):
        Project.open(root)


@pytest.mark.parametrize("name", ["assignments.csv", "records/manifest.csv"])
def test_a_list_that_is_gone_is_named(project, root, name):
    (root / name).unlink()
    with pytest.raises(StorageError, match=rf"{name}: no such file"):
        Project.open(root).assignments()


def test_nothing_is_made_over_another_folder(project, root):
    with pytest.raises(FileError, match="not empty"):
        create(root, records("x"))
    assert Project.open(root).patient_ids == ("9", "110")


def test_without_records_there_is_no_project(root):
    with pytest.raises(RequestError, match="needs one record or more"):
        create(root, [])
    assert not root.exists()


def test_what_could_not_be_opened_again_is_not_made(root):
    tag = Tag(Span(0, 1), PhiType("NAME", "full\xa0name"))
    with pytest.raises(FileFormatError, match="unprintable name"):
        Project.create(root, "T", schema_of([tag]), records("x"), ["ana", "ben"], 1)
    assert not root.exists()


def test_two_records_of_one_name_are_refused(root):
    with pytest.raises(RequestError, match="two records have the name 110-01"):
        create(root, [*records("x"), *records("y")])


@pytest.mark.parametrize(
    ("one", "other"), [("Ann-1", "ann-2"), ("p-1", "P-1"), ("Ren\xe9-1", "Rene\u0301-2")]
)
def test_names_that_some_file_systems_take_for_one_are_refused(root, one, other):
    made = [Record(Document(each, each.partition("-")[0], "x")) for each in (one, other)]
    with pytest.raises(RequestError, match="would share a file; rename one"):
        create(root, made)


@pytest.mark.parametrize(("record_id", "patient"), [("../x", "p"), ("x", ".."), ("a/b", "p")])
def test_names_that_lead_out_of_the_project_are_refused(root, record_id, patient):
    with pytest.raises(RequestError, match="cannot be the name of a record's file"):
        create(root, [Record(Document(record_id, patient, "x"))])


@pytest.mark.parametrize("call", ["write", "sync", "mkdir"])
def test_a_full_disk_leaves_no_project(root, monkeypatch, call):
    def refuse(*_, **__):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, call, refuse)
    with pytest.raises(StorageError, match="no space left on device; free some space"):
        create(root, records("x"))
    monkeypatch.undo()
    assert list(root.parent.iterdir()) == []


TAGGED = "Seen by [Dr. Lee|DOCTOR] on [3/4|DATE]."


def test_tags_of_the_records_go_to_nobody_unless_asked_for(root):
    project = create(root, records(TAGGED))
    document = project.patient("110").documents[0]
    assert all(not project.read_layer(name, document).layer.tags for name in ("ana", "ben", "gold"))


def test_imported_tags_become_an_annotators(root):
    made = records(TAGGED, "no tags")
    project = create(root, made, import_as="ben")
    first, second = project.patient("110").documents
    assert project.read_layer("ben", first).layer.tags == made[0].tags
    assert project.read_layer("ben", second).digest is None
    assert not project.read_layer("ana", first).layer.tags


def test_imported_tags_become_those_of_the_annotators_own_patients_only(root):
    made = [record for n in range(9) for record in records(TAGGED, patient=f"p{n}")]
    project = create(root, made, ("ana", "ben", "cyd"), import_as="ana")
    theirs = {each.patient_id for each in project.assignments() if each.annotator == "ana"}
    written = {path.stem.rpartition("-")[0] for path in (root / "layers/ana").iterdir()}
    assert written == theirs
    assert len(theirs) == 6


def test_imported_tags_become_the_gold_standard(root):
    project = create(root, records(TAGGED, "no tags"), import_as="gold")
    assert project.is_adjudicated("110")


def test_importing_for_a_stranger_is_refused(root):
    with pytest.raises(RequestError, match="cyd is neither an annotator nor gold"):
        create(root, records(TAGGED), import_as="cyd")


def test_importing_a_type_that_the_schema_lacks_names_the_file(root):
    schema = schema_of([Tag(Span(0, 1), PhiType("DATE", "DATE"))])
    with pytest.raises(UnknownTypeError, match=r"110-01\.xml: the schema auto has no type NAME"):
        Project.create(root, "T", schema, records(TAGGED), ["ana", "ben"], 0, import_as="ana")
    assert not root.exists()


def test_a_patient_half_adjudicated_is_not_adjudicated(project):
    for document in project.patient("110").documents:
        project.write_layer(GOLD, document, Layer.of(document.record_id, GOLD, ()), None)
    with Journal(project.journal_path(GOLD, "110")) as journal:
        journal.append({"op": "decide"})
        assert not project.is_adjudicated("110")
        journal.append({"op": "done"})
        assert project.is_adjudicated("110")
        journal.append({"op": "begun"})
        assert not project.is_adjudicated("110")


@pytest.mark.parametrize("name", ["n" * 201, "n" * 243, "é" * 101])
@pytest.mark.parametrize("what", ["record", "patient"])
def test_a_name_too_long_to_be_saved_is_refused_at_import(root, name, what):
    record_id, patient_id = (name, "1") if what == "record" else ("1-01", name)
    with pytest.raises(RequestError, match=rf"^the {what} {name[0]}{{40}}… has a name of ") as said:
        create(root, [Record(Document(record_id, patient_id, "Lee"))])
    assert str(said.value).endswith("so give it one of at most 200")
    assert not root.exists()
