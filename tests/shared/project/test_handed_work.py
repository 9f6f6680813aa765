"""Work goes out and comes back: whole, once, and nothing of anybody else."""

import json
import shutil
import zipfile
from io import BytesIO

import pytest

from annotator.session import AnnotationSession
from shared.encryption import decrypted, encrypted
from shared.errors import FileError, LockedError, RequestError, StorageError, TandemError
from shared.model import Span
from shared.project import collecting, handed_work
from shared.project.assignments import State
from shared.project.collecting import Arrival, collect
from shared.project.handed_work import (
    IN,
    OUT,
    _packed,
    hand_in,
    hand_out,
    open_handed_out,
    unpack_handed_in,
    write_handed_in,
)
from shared.project.journal import head_path, read_journal
from shared.project.notes import NoteBook, NoteKind, NotePlace
from shared.project.project import Project
from shared.project.project_log import log_path
from shared.project.settings import GOLD
from tests.adjudicator.projects import make_project
from tests.builders import phi

PASSPHRASE = "correct horse battery"  # noqa: S105  of tests
MIA = (("Mia left.",), ("Mia left.",))


@pytest.fixture
def project(tmp_path):
    made = make_project(tmp_path, ("Kai Petty came.",), ("Kai Petty came.",), State.TO_DO, p120=MIA)
    (made.root / "guidelines").mkdir()
    (made.root / "guidelines" / "ours.md").write_text("# Ours\nTag all.")
    with AnnotationSession(made, "ben", "110") as session:
        session.tag(Span(0, 3), phi("PATIENT"))
    return made


@pytest.fixture
def send(project, tmp_path):
    """Hands out ana's patients and opens them elsewhere."""

    def sent(*patient_ids, folder="away"):
        content = hand_out(project, "ana", patient_ids, PASSPHRASE)
        return open_handed_out(content, tmp_path / "f", PASSPHRASE, tmp_path / folder)

    return sent


@pytest.fixture
def away(send):
    return send()


def tag(project, *spans, patient_id="110", finish=True):
    with AnnotationSession(project, "ana", patient_id) as session:
        for start, end in spans:
            session.tag(Span(start, end), phi("PATIENT"))
        if finish:
            session.finish()


def take(project, content, passphrase=PASSPHRASE):
    found = collect(project, content, project.root / "in", passphrase)
    return {each.patient_id: each.arrival for each in found.patients}


def marks(project, annotator="ana", patient_id="110"):
    (document,) = project.patient(patient_id).documents
    return [(each.start, each.end) for each in project.read_layer(annotator, document).layer.tags]


def states(project, annotator="ana"):
    return {each.patient_id: each.state for each in project.assignments()
            if each.annotator == annotator}  # fmt: skip


def files(project):
    return {
        path.relative_to(project.root): path.read_bytes()
        for path in project.root.rglob("*")
        if path.is_file() and path.name != "handed_out.jsonl"
    }


def test_what_goes_out_has_nothing_of_anyone_else(project, away):
    assert away.annotators == ("ana",)
    assert away.patient_ids == ("110", "120")
    names = {str(each) for each in files(away)}
    assert not [each for each in names if "ben" in each or "gold" in each]
    assert b"ben" not in b"".join(files(away).values())
    assert "guidelines/ours.md" in names


def test_the_file_shows_neither_text_nor_names(project):
    content = hand_out(project, "ana", (), PASSPHRASE)
    for each in (b"Kai", b"Petty", b"ana", b"110"):
        assert each not in content.partition(b"\n")[0]
    with pytest.raises(RequestError, match="passphrase is not the one"):
        decrypted(content, OUT, "another passphrase", project.root, "x")


def test_only_the_patients_named_go_out(send):
    assert send("120").patient_ids == ("120",)


def test_what_was_done_elsewhere_comes_back(project, away):
    tag(away, (0, 9))
    assert take(project, hand_in(away, PASSPHRASE)) == {"110": Arrival.NEW, "120": Arrival.SAME}
    assert marks(project) == [(0, 9)]
    assert marks(project, "ben") == [(0, 3)]
    assert states(project) == {"110": State.DONE, "120": State.TO_DO}


def test_it_goes_on_from_what_was_done_before(project, send):
    tag(project, (0, 3), finish=False)
    away = send()
    assert marks(away) == [(0, 3)]
    tag(away, (4, 9))
    take(project, hand_in(away, PASSPHRASE))
    assert marks(project) == [(0, 3), (4, 9)]
    with AnnotationSession(project, "ana", "110") as session:
        session.undo()  # the history came too
    assert marks(project) == [(0, 3)]


def test_notes_come_back(project, away):
    NoteBook(away, "ana").write("110", NoteKind.QUESTION, NotePlace(), "is that one?")
    assert take(project, hand_in(away, PASSPHRASE))["110"] is Arrival.NEW
    book = NoteBook(project, "ana")
    book.refresh()
    assert [each.note.text for each in book.threads("110")] == ["is that one?"]


def test_a_file_collected_twice_changes_nothing(project, away):
    tag(away, (0, 9))
    content = hand_in(away, PASSPHRASE)
    take(project, content)
    before = files(project)
    assert take(project, content) == {"110": Arrival.SAME, "120": Arrival.SAME}
    assert files(project) == before


def test_an_older_file_is_refused_in_one_sentence(project, away):
    tag(away, (0, 3), finish=False)
    older = hand_in(away, PASSPHRASE)
    tag(away, (4, 9))
    take(project, hand_in(away, PASSPHRASE))
    before = files(project)
    with pytest.raises(RequestError, match="is older than the work of ana that is here"):
        take(project, older)
    assert files(project) == before
    assert states(project)["110"] is State.DONE


def test_of_a_file_that_is_older_for_one_patient_the_other_is_taken(project, away):
    tag(away, (0, 3))
    take(project, hand_in(away, PASSPHRASE))
    tag(away, (0, 3), patient_id="120")
    content = hand_in(away, PASSPHRASE)
    tag(project, (4, 9))  # goes on here
    assert take(project, content) == {"110": Arrival.OLDER, "120": Arrival.NEW}
    assert marks(project) == [(0, 3), (4, 9)]
    assert marks(project, patient_id="120") == [(0, 3)]


def test_what_was_worked_on_in_both_places_is_left_and_said(project, away):
    tag(project, (0, 3))
    tag(away, (4, 9))
    assert take(project, hand_in(away, PASSPHRASE)) == {"110": Arrival.APART, "120": Arrival.SAME}
    assert marks(project) == [(0, 3)]


def test_a_layer_that_somebody_changed_here_by_hand_is_left_and_said(project, away):
    tag(project, (0, 3))
    away_again = project.layer_path("ana", project.record_ids("110")[0])
    content = hand_out(project, "ana", (), PASSPHRASE)
    elsewhere = open_handed_out(content, away.root / "f", PASSPHRASE, away.root.parent / "b")
    tag(elsewhere, (4, 9))
    away_again.write_bytes(away_again.read_bytes().replace(b"Kai", b"Kaj", 1))
    assert take(project, hand_in(elsewhere, PASSPHRASE))["110"] is Arrival.APART


def test_a_file_of_another_project_is_refused(project, away, tmp_path):
    tag(away, (0, 9))
    other = make_project(tmp_path / "other", ("Kai Petty came.",), ("Kai Petty came.",),
                         State.TO_DO, p120=MIA)  # fmt: skip
    with pytest.raises(RequestError, match="is of another project, or of a copy"):
        take(other, hand_in(away, PASSPHRASE))


def test_records_that_differ_are_refused(project, away):
    tag(away, (0, 9))
    marker = away.root / "handed_out.json"
    said = json.loads(marker.read_text())
    said["records"] = dict.fromkeys(said["records"], "0" * 64)
    marker.write_text(json.dumps(said))
    with pytest.raises(RequestError, match="other records than were handed out"):
        take(project, hand_in(away, PASSPHRASE))


@pytest.mark.parametrize("at", range(4))
def test_what_a_killed_collect_left_is_completed_by_the_next(project, away, monkeypatch, at):
    tag(away, (0, 9))
    tag(away, (0, 3), patient_id="120")
    content = hand_in(away, PASSPHRASE)
    written = []
    write = collecting.write_atomic

    def dies(path, data):
        if len(written) == at:
            raise KeyboardInterrupt
        written.append(path)
        write(path, data)

    monkeypatch.setattr(collecting, "write_atomic", dies)
    with pytest.raises(KeyboardInterrupt):
        take(project, content)
    monkeypatch.setattr(collecting, "write_atomic", write)
    assert Arrival.NEW in take(project, content).values()
    assert marks(project) == [(0, 9)]
    assert marks(project, patient_id="120") == [(0, 3)]
    assert set(states(project).values()) == {State.DONE}
    assert set(take(project, content).values()) == {Arrival.SAME}


def collected(project):
    """Which patients the log says were collected, line by line."""
    lines = read_journal(log_path(project.root, GOLD))
    return [each["patients"] for each in lines if each["op"] == "collect"]


@pytest.mark.parametrize("name", ["write_head", "register", "_note"])
def test_what_was_taken_and_not_noted_is_noted_by_the_next(project, away, monkeypatch, name):
    tag(away, (0, 9))
    content, do = hand_in(away, PASSPHRASE), getattr(collecting, name)

    def dies(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(collecting, name, dies)
    with pytest.raises(KeyboardInterrupt):
        take(project, content)
    assert collected(project) == []
    monkeypatch.setattr(collecting, name, do)
    for _ in range(2):
        take(project, content)
        assert collected(project) == [["110", "120"]]
        assert head_path(project.journal_path("ana", "110")).exists()


def test_no_work_is_handed_in_unless_the_log_says_so(away, tmp_path, monkeypatch):
    def full(*_, **__):
        raise StorageError(tmp_path, "no space left on device")

    monkeypatch.setattr(handed_work, "note_event", full)
    with pytest.raises(StorageError):
        write_handed_in(away, tmp_path / "in", PASSPHRASE)
    assert not (tmp_path / "in").exists()


def test_a_full_disk_takes_nothing_by_halves(project, away, monkeypatch):
    tag(away, (0, 9))

    def full(path, _data):
        raise FileError(path, "no space left on device")

    monkeypatch.setattr(collecting, "write_atomic", full)
    with pytest.raises(FileError, match="no space"):
        take(project, hand_in(away, PASSPHRASE))
    assert states(project)["110"] is State.TO_DO


def test_who_has_the_patient_open_is_not_disturbed(project, away):
    tag(away, (0, 9))
    content = hand_in(away, PASSPHRASE)
    with AnnotationSession(project, "ana", "110"), pytest.raises(LockedError):
        take(project, content)
    with AnnotationSession(away, "ana", "110"), pytest.raises(LockedError):
        hand_in(away, PASSPHRASE)


@pytest.mark.parametrize("passphrase", ["", "short", "another passphrase"])
def test_a_wrong_passphrase_is_one_sentence(project, away, passphrase):
    with pytest.raises(RequestError, match="passphrase"):
        take(project, hand_in(away, PASSPHRASE), passphrase)


def test_a_short_passphrase_hands_nothing_out(project):
    with pytest.raises(RequestError, match="12 characters or more"):
        hand_out(project, "ana", (), "short")


def packed(**more):
    data = BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name, text in more.items():
            archive.writestr(name, text)
    return data.getvalue()


@pytest.mark.parametrize(
    "data",
    [
        b"no archive",
        packed(),
        packed(**{"../evil.txt": "x"}),
        packed(**{"/etc/evil": "x"}),
        packed(**{"a\\..\\b": "x"}),
        packed(**{"handed_out.json": "{}"}),
        packed(**{"handed_out.json": "[1]"}),
    ],
)
def test_a_file_that_is_none_makes_no_project(tmp_path, data):
    content = encrypted(data, OUT, PASSPHRASE)
    with pytest.raises(FileError):
        open_handed_out(content, tmp_path / "f", PASSPHRASE, tmp_path / "new")
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("content", [b"", b"{}\n", b"\xff\xfe", b'{"format": "x"}\nabc'])
def test_any_other_file_is_refused_by_name(tmp_path, content):
    with pytest.raises(FileError, match="is not work that was handed out"):
        open_handed_out(content, tmp_path / "f", PASSPHRASE, tmp_path / "new")


def test_a_damaged_file_is_refused(project, away, tmp_path):
    content = bytearray(hand_in(away, PASSPHRASE))
    content[-20] ^= 1
    with pytest.raises(TandemError, match="damaged"):
        take(project, bytes(content))


def test_work_that_could_not_be_read_again_is_not_taken(project, away):
    tag(away, (0, 9))
    path = away.journal_path("ana", "110")
    path.write_bytes(path.read_bytes() + b"no journal line\n")
    with pytest.raises(FileError, match="is not a journal entry"):
        take(project, hand_in(away, PASSPHRASE))
    assert states(project)["110"] is State.TO_DO


def test_files_that_belong_to_no_work_are_not_taken(project, away):
    work, own = unpack_handed_in(hand_in(away, PASSPHRASE), away.root, PASSPHRASE)
    evil = {"work.json": work.to_json(), **own, "layers/ben/110-01.xml": b"<x/>"}
    with pytest.raises(FileError, match="belong to no work"):
        take(project, encrypted(_packed(evil), IN, PASSPHRASE))


def test_a_project_that_was_not_handed_out_hands_nothing_in(project):
    with pytest.raises(RequestError, match="was not handed out"):
        hand_in(project, PASSPHRASE)


def test_what_was_handed_out_is_not_handed_on(away):
    with pytest.raises(RequestError, match="was handed out itself"):
        hand_out(away, "ana", (), PASSPHRASE)


@pytest.mark.parametrize(
    ("annotator", "patients", "said"),
    [("dora", (), "dora is not an annotator"), ("ana", ("999",), "999 is not assigned to ana")],
)
def test_who_has_nothing_gets_nothing(project, annotator, patients, said):
    with pytest.raises(RequestError, match=said):
        hand_out(project, annotator, patients, PASSPHRASE)


def test_the_folder_of_work_is_opened_in_a_new_one_only(project, away):
    content = hand_out(project, "ana", (), PASSPHRASE)
    with pytest.raises(FileError, match="not empty"):
        open_handed_out(content, away.root, PASSPHRASE, away.root)


def test_a_copy_of_the_project_takes_the_file_as_the_project_does(project, away, tmp_path):
    """Whoever restored a backup made after the hand-out collects into that."""
    shutil.copytree(project.root, tmp_path / "backup")
    tag(away, (0, 9))
    assert take(Project.open(tmp_path / "backup"), hand_in(away, PASSPHRASE))["110"] is Arrival.NEW
