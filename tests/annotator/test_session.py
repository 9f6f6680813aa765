"""One annotator at work on one patient, files and all."""

import json
import os
import socket
import time
from dataclasses import asdict

import pytest

from annotator.rejections import PlacedSuggestion
from annotator.session import AnnotationSession
from annotator.worklist import AnnotatorWorklist
from shared.errors import (
    ChangedOnDiskError,
    FileFormatError,
    LockedError,
    RequestError,
    StorageError,
)
from shared.formats.base import Record
from shared.model import Document, Span
from shared.model.i2b2_2014 import I2B2_2014
from shared.project.assignments import State
from shared.project.journal import append_to_journal
from shared.project.lock import LockOwner, acquire_lock
from shared.project.project import Project
from tests.builders import phi

TEXTS = {"1-01": "Seen by Lee on 5/9. Lee called.", "1-02": "Dr. Lee again", "2-01": "Nobody."}


@pytest.fixture
def project(tmp_path):
    records = [Record(Document(record_id, record_id[0], text)) for record_id, text in TEXTS.items()]
    return Project.create(tmp_path / "p", "p", I2B2_2014, records, ["ana", "ben"], 1)


def open_session(project, annotator="ana"):
    return AnnotationSession(project, annotator, "1")


def stored(project, record_id="1-01"):
    document = project.patient("1").document(record_id)
    tags = project.read_layer("ana", document).layer.tags
    return [(tag.span.text_in(document.text), tag.phi_type.name) for tag in tags]


def test_closing_writes_the_layer(project):
    with open_session(project) as session:
        session.tag(Span(8, 11), phi("DOCTOR"))
    assert stored(project) == [("Lee", "DOCTOR")]


def test_only_records_that_changed_are_written(project):
    with open_session(project) as session:
        session.tag(Span(8, 11), phi("DOCTOR"))
    assert not project.layer_path("ana", "1-02").exists()


def test_a_session_that_was_killed_comes_back(project):
    session = open_session(project)
    session.tag(Span(8, 11), phi("DOCTOR"))
    session.tag(Span(15, 18), phi("DATE"))
    session.undo()
    session._held.close()  # as when the process dies: nothing saved, the lock gone
    with open_session(project) as again:
        assert [each.span for each in again.tags] == [Span(8, 11)]
        again.redo()
        assert [each.span for each in again.tags] == [Span(8, 11), Span(15, 18)]


def test_a_patient_is_locked_while_open(project):
    with open_session(project), pytest.raises(LockedError, match="ana"):
        open_session(project)


def test_the_other_annotator_is_not_kept_out(project):
    with open_session(project), open_session(project, "ben") as other:
        assert not other.tags


def test_opening_begins_the_patient_and_finishing_ends_it(project):
    with open_session(project) as session:
        assert session.state is State.BEGUN
        session.finish()
    works = AnnotatorWorklist.of(project, "ana")
    assert [work.state for work in works.works] == [State.DONE, State.TO_DO]
    assert works.next_open("1") == "2"


def test_a_change_after_done_begins_the_patient_again(project):
    with open_session(project) as session:
        session.finish()
        session.tag(Span(8, 11), phi("DOCTOR"))
    assert AnnotatorWorklist.of(project, "ana").works[0].state is State.BEGUN


def test_somebody_elses_patient(project):
    with pytest.raises(RequestError, match="eva"):
        AnnotationSession(project, "eva", "1")


def test_a_layer_changed_by_somebody_else_is_not_overwritten(project):
    session = open_session(project)
    session.tag(Span(8, 11), phi("DOCTOR"))
    session.save()
    path = project.layer_path("ana", "1-01")
    path.write_bytes(path.read_bytes().replace(b'comment=""', b'comment="other"'))
    changed = path.read_bytes()
    session.tag(Span(20, 23), phi("DOCTOR"))
    with pytest.raises(ChangedOnDiskError):
        session.close()
    assert path.read_bytes() == changed
    with open_session(project) as again:
        assert len(again.tags) == 2


def test_a_journal_that_makes_no_sense_is_said_and_the_lock_given_back(project):
    path = project.journal_path("ana", "1")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text('{"op": "edit", "number": 1, "what": "?", "removed": [], "added": [{}]}\n')
    for _ in range(2):
        with pytest.raises(FileFormatError, match="entry"):
            open_session(project)


def test_what_was_on_the_screen_is_remembered(project):
    with open_session(project) as session:
        session.record_visible(Span(0, len(TEXTS["1-01"])))
        assert session.reading.unread_records() == ["1-02"]
    with open_session(project) as again:
        assert again.reading.unread_records() == ["1-02"]
        assert again.reading.first_unread() == len(TEXTS["1-01"]) + 1


def test_finishing_writes_a_layer_for_records_without_tags(project):
    with open_session(project) as session:
        session.finish()
    assert stored(project) == []
    assert project.layer_path("ana", "1-01").exists()


LEE = PlacedSuggestion(8, 11, "1-01", phi("DOCTOR"), 0.9, "rules")
DAY = PlacedSuggestion(15, 18, "1-01", phi("DATE"), 0.9, "rules")


class TestRescueFile:
    """What comes back from a rescue file: everything once, and what was rejected too."""

    def rescue(self, project, tmp_path, work):
        with AnnotationSession(project, "ana", "1") as session:
            work(session)
        journal = project.journal_path("ana", "1")
        lines = journal.read_text().splitlines()
        rescue = tmp_path / "rescue.jsonl"
        first = '{"op":"rescue","annotator":"ana","patient":"1"}'
        rescue.write_text("\n".join([first, *lines]) + "\n")
        journal.unlink()
        for path in project.root.glob("layers/ana/*.xml"):
            path.unlink()
        return rescue

    def test_what_was_rejected_stays_so_but_for_what_was_taken_back(self, project, tmp_path):
        def work(session):
            session.reject(LEE, alike=False)
            session.reject(DAY, alike=False)
            session.undo()

        rescue = self.rescue(project, tmp_path, work)
        with AnnotationSession(project, "ana", "1") as session:
            session.review.fill([LEE, DAY])
            assert session.replay_rescue_file(rescue) == 1
            assert list(session.review.shown) == [DAY]
        with AnnotationSession(project, "ana", "1") as session:
            session.review.fill([LEE, DAY])
            assert list(session.review.shown) == [DAY]

    def test_what_the_journal_had_after_all_is_not_made_twice(self, project, tmp_path):
        rescue = self.rescue(project, tmp_path, lambda session: session.tag(LEE.span, LEE.phi_type))
        with AnnotationSession(project, "ana", "1") as session:
            assert session.replay_rescue_file(rescue) == 1
            assert session.replay_rescue_file(rescue) == 0
            assert [each.phi_type for each in session.tags] == [LEE.phi_type]

    def test_a_tag_that_is_another_by_now_is_not_removed(self, project, tmp_path):
        def work(session):
            session.tag(LEE.span, LEE.phi_type)
            session.remove(list(session.tags))

        rescue = self.rescue(project, tmp_path, work)
        lines = rescue.read_text().splitlines()
        removals = [each for each in lines if '"what":"remove' in each]
        assert len(removals) == 1
        rescue.write_text("\n".join([lines[0], *removals]) + "\n")
        with AnnotationSession(project, "ana", "1") as session:
            session.tag(DAY.span, DAY.phi_type)
            assert [each.tag_id for each in session.tags] == ["P0"]
            assert session.replay_rescue_file(rescue) == 0
            assert [each.span for each in session.tags] == [DAY.span]


def test_an_edit_whose_lock_was_taken_away_is_told_at_the_next_opening_and_taken_up(project):
    session = open_session(project)
    lock = project.journal_path("ana", "1").with_suffix(".lock")
    lock.unlink()
    session.tag(Span(8, 11), phi("DOCTOR"))
    with pytest.raises(StorageError, match="no longer locked for you"):
        session.close()
    with open_session(project) as again:
        assert again.notices == [
            "Edits that could not be saved are in 1.1.rescue; take them up from that file."
        ]
        assert again.replay_rescue_file(lock.with_name("1.1.rescue")) == 1
    with open_session(project) as once_more:
        assert once_more.notices == []
    assert stored(project) == [("Lee", "DOCTOR")]


@pytest.mark.parametrize("name", ["n" * 200, "é" * 100, "病" * 66])
def test_a_name_as_long_as_any_that_is_imported_can_be_worked_on(tmp_path, name):
    records = [Record(Document(name, name, TEXTS["1-01"]))]
    project = Project.create(tmp_path / "p", "p", I2B2_2014, records, ["ana", "ben"], 1)
    stale = LockOwner("ben", socket.gethostname(), 0, "1", "2026-05-09 10:12")
    lock = project.journal_path("ana", name).with_suffix(".lock")
    lock.parent.mkdir(exist_ok=True)
    lock.write_text(json.dumps(asdict(stale)), "utf-8")
    with AnnotationSession(project, "ana", name) as session:
        session.tag(Span(8, 11), phi("DOCTOR"))
        session.finish()
    document = project.patient(name).documents[0]
    assert len(project.read_layer("ana", document).layer.tags) == 1
    append_to_journal(project.notes_path("ana", name), [{"op": "note"}], "ana")


def test_what_a_killed_process_left_half_written_is_removed_at_the_next_opening(project):
    open_session(project).close()  # whose state is listed from then on
    layers = project.layer_path("ana", "1-01").parent
    layers.mkdir(exist_ok=True)
    left = [
        layers / ".1-01.xml.0a1b2c3d.tmp",
        layers / ".2-01.xml.0a1b2c3d.tmp",
        project.root / ".assignments.csv.0a1b2c3d.tmp",
        project.journal_path("ana", "1").with_name(".1.lock.0a1b2c3d"),
    ]
    mine = [layers / ".1-01.xml.tmp", layers / "1-01.xml.0a1b2c3d.tmp"]
    for each in (*left, *mine):
        each.parent.mkdir(exist_ok=True)
        each.write_bytes(b"<half")
    locked = project.root / ".assignments.csv.lock"
    with acquire_lock(locked, "ben"):
        open_session(project).close()
        assert [each.exists() for each in left] == [False, True, True, True]  # might be at it
    open_session(project).close()
    assert [each.exists() for each in left] == [False, True, False, True]
    assert not locked.exists()
    (project.root / "suggestions").mkdir(exist_ok=True)
    left.append(project.root / "suggestions" / ".crf.jsonl.0a1b2c3d.tmp")
    left[-1].write_bytes(b"{")
    for each in (left[1], left[3], left[4]):
        os.utime(each, (time.time() - 7200,) * 2)
    open_session(project).close()
    assert [each.exists() for each in left] == [False] * 5
    assert all(each.exists() for each in mine)


def test_a_line_of_the_journal_that_was_altered_is_told_at_the_next_opening(project):
    with open_session(project) as session:
        session.tag(Span(8, 11), phi("DOCTOR"))
        session.tag(Span(17, 20), phi("DOCTOR"))
    path = project.journal_path("ana", "1")
    lines = path.read_bytes().splitlines(keepends=True)
    at = next(n for n, line in enumerate(lines) if b"DOCTOR" in line)
    lines[at] = lines[at].replace(b"DOCTOR", b"DOCTER")
    path.write_bytes(b"".join(lines))
    with open_session(project) as again:
        (said,) = (each for each in again.notices if "outside of Tandem: line" in each)
        assert said.startswith("The journal of patient 1 was changed")
        assert f"line {at + 2} does not follow" in said
    with open_session(project) as once_more:
        assert said in once_more.notices
