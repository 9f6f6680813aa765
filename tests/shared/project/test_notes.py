import json
import signal
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.errors import StorageError
from shared.formats.base import Record
from shared.model import Span
from shared.model.i2b2_2014 import I2B2_2014
from shared.project.notes import Note, NoteBook, NoteKind, NotePlace
from shared.project.project import Project
from tests.builders import document
from tests.disk import filling_disk
from tests.strategies import texts

LEE = NotePlace("110-01", Span(8, 11))
WRITE_AND_DIE = """
import os, signal, sys
from pathlib import Path
from shared.project.notes import NoteBook, NoteKind, NotePlace
from shared.project.project import Project
book = NoteBook(Project.open(Path(sys.argv[1])), "ana")
book.write("110", NoteKind.QUESTION, NotePlace("110-01"), "Who is Lee?")
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture
def project(tmp_path):
    records = [document("Seen by Lee.", each) for each in ("110-01", "110-02", "9-01")]
    return Project.create(tmp_path / "p", "T", I2B2_2014, map(Record, records), ["ana", "ben"], 0)


def book_of(project, reader="ana"):
    book = NoteBook(project, reader)
    book.refresh()
    return book


def texts_of(book, patient_id="110"):
    return [each.note.text for each in book.threads(patient_id)]


def ask(project, text="Who?", writer="ana", place=LEE, patient_id="110"):
    return NoteBook(project, writer).write(patient_id, NoteKind.QUESTION, place, text)


def answer(project, text, patient_id="110", number=0):
    book = book_of(project, "gold")
    return book.answer(book.threads(patient_id)[number], text)


def path_of(project, writer="ana", patient_id="110"):
    return project.root / "notes" / writer / f"{patient_id}.jsonl"


@pytest.mark.parametrize("place", [LEE, NotePlace("110-02"), NotePlace()])
@pytest.mark.parametrize("kind", [NoteKind.NOTE, NoteKind.UNSURE, NoteKind.QUESTION])
def test_a_note_is_there_when_the_project_is_opened_again(project, place, kind):
    book_of(project).write("110", kind, place, "Who is Lee?")
    (thread,) = book_of(Project.open(project.root)).threads("110")
    assert (thread.note.kind, thread.note.place, thread.note.text) == (kind, place, "Who is Lee?")
    assert (thread.note.writer, thread.is_open, thread.is_unread) == ("ana", True, False)


@given(st.lists(texts(), max_size=4))
def test_every_text_comes_back(tmp_path_factory, written):
    root = tmp_path_factory.mktemp("p") / "p"
    record = Record(document("Seen by Lee.", "110-01"))
    project = Project.create(root, "T", I2B2_2014, [record], ["ana", "ben"], 0)
    for each in written:
        ask(project, each)
    assert texts_of(book_of(project)) == written
    assert not book_of(project).problems


def test_a_note_survives_the_death_of_the_program_right_after_it_was_written(project):
    run = subprocess.run([sys.executable, "-c", WRITE_AND_DIE, str(project.root)], check=False)
    assert run.returncode == -signal.SIGKILL
    assert texts_of(book_of(project)) == ["Who is Lee?"]


def test_an_annotator_sees_own_notes_and_the_answers_to_them_and_nobody_elses(project):
    ask(project, "of ana")
    ask(project, "of ben", "ben")
    NoteBook(project, "gold").write("110", NoteKind.NOTE, LEE, "of the adjudicator")
    answer(project, "to ana", number=0)
    answer(project, "to ben", number=1)
    for name, other in (("ana", "ben"), ("ben", "ana")):
        (thread,) = book_of(project, name).threads("110")
        assert thread.note.text == f"of {name}"
        assert [each.text for each in thread.answers] == [f"to {name}"]
        assert other not in repr(thread).replace("of the", "")
    every = book_of(project, "gold").threads("110")
    assert [each.note.writer for each in every] == ["ana", "ben", "gold"]


def test_the_file_of_the_other_annotator_is_not_even_opened(project):
    ask(project, "of ben", "ben")
    path_of(project, "ben").write_text("nonsense\n")
    book = book_of(project)
    assert not book.problems
    assert not book.threads("110")


def test_a_forged_line_of_another_annotator_answers_and_closes_nothing(project):
    note = ask(project)
    path = path_of(project, "ben")
    path.parent.mkdir(parents=True)
    lines = [Note(f"b{n}", "ben", kind, "no", about=note.id) for n, kind in enumerate(NoteKind)]
    path.write_text("".join(json.dumps(each.as_entry()) + "\n" for each in lines))
    thread = next(
        each
        for each in book_of(project, "gold").threads("110")
        if each.note == thread_note(project)
    )
    assert thread.is_open
    assert not thread.answers


def thread_note(project):
    return book_of(project).threads("110")[0].note


def test_an_answer_is_unread_until_it_was_read_by_who_asked(project):
    ask(project)
    assert book_of(project, "gold").open_questions() == {"110": 1}
    answer(project, "The surgeon.")
    assert book_of(project, "gold").open_questions() == {}
    book = book_of(project)
    assert book.unread_answers() == {"110": 1}
    (thread,) = book.threads("110")
    assert (thread.is_open, thread.is_unread) == (False, True)
    book.mark_read(thread)
    assert book_of(project).unread_answers() == {}
    assert book_of(project, "gold").unread_answers() == {}


def test_the_adjudicator_reads_nothing_in_the_place_of_who_asked(project):
    ask(project)
    answer(project, "The surgeon.")
    book = book_of(project, "gold")
    book.mark_read(book.threads("110")[0])
    assert book_of(project).unread_answers() == {"110": 1}


def test_a_second_answer_is_unread_again(project):
    ask(project)
    answer(project, "The surgeon.")
    book = book_of(project)
    book.mark_read(book.threads("110")[0])
    answer(project, "No, the nurse.")
    assert book.refresh()
    assert book.unread_answers() == {"110": 1}


@pytest.mark.parametrize("who", ["ana", "gold"])
def test_who_wrote_it_or_the_adjudicator_closes_a_note(project, who):
    ask(project)
    book = book_of(project, who)
    book.close(book.threads("110")[0])
    (thread,) = book_of(project).threads("110")
    assert thread.is_closed
    assert not thread.is_open
    assert book_of(project, "gold").open_questions() == {}


def test_notes_of_another_program_run_are_seen_by_reading_again(project):
    book = book_of(project)
    assert not book.refresh()
    ask(project, "from another window")
    assert book.refresh()
    assert texts_of(book) == ["from another window"]
    assert not book.refresh()


def test_two_windows_of_one_annotator_lose_nothing(project):
    one, two = book_of(project), book_of(project)
    for number in range(4):
        (one, two)[number % 2].write("110", NoteKind.NOTE, LEE, str(number))
    assert texts_of(book_of(project)) == ["0", "1", "2", "3"]


@pytest.mark.parametrize(
    "line",
    [
        "nonsense",
        "[]",
        "{}",
        "[" * 100_000,
        '{"id": "", "kind": "note"}',
        '{"id": "1", "kind": "poem"}',
        '{"id": "1", "kind": "note", "record": "9-01"}',
        '{"id": "1", "kind": "note", "record": "110-01", "start": true, "end": 3}',
        '{"id": "1", "kind": "note", "record": "110-01", "start": 3, "end": 3}',
        '{"id": "1", "kind": "note", "record": "110-01", "start": 3}',
        '{"id": "1", "kind": "note", "start": 1, "end": 3}',
        '{"id": "1", "kind": "note", "text": 3}',
    ],
)
def test_a_broken_line_is_one_sentence_and_costs_nothing_else(project, line):
    ask(project, "before")
    with path_of(project).open("a") as file:
        file.write(line + "\n")
    ask(project, "after")
    ask(project, "elsewhere", patient_id="9", place=NotePlace("9-01"))
    book = book_of(project)
    assert texts_of(book) == ["before", "after"]
    assert texts_of(book, "9") == ["elsewhere"]
    (problem,) = book.problems
    assert str(problem).startswith(f"{path_of(project)}: line 2 is not as Tandem writes notes; ")


def test_many_broken_lines_are_one_sentence_which_goes_with_them(project):
    ask(project)
    whole = path_of(project).read_text()
    path_of(project).write_text("no\n" * 5)
    book = book_of(project)
    assert "lines 1, 2, 3 and 2 more are not" in str(book.problems[0])
    path_of(project).write_text(whole)
    book.refresh()
    assert not book.problems
    assert texts_of(book) == ["Who?"]


def test_a_line_that_was_cut_off_is_no_note_and_spoils_none(project):
    ask(project, "whole")
    with path_of(project).open("a") as file:
        file.write('{"id": "1", "kind": "note", "te')
    book = book_of(project)
    assert texts_of(book) == ["whole"]
    assert not book.problems
    ask(project, "next")
    assert texts_of(book_of(project)) == ["whole", "next"]


def test_on_a_full_disk_a_note_is_refused_and_tried_again_without_being_there_twice(project):
    ask(project, "before")
    book = book_of(project)
    with filling_disk(0), pytest.raises(StorageError, match="free some space"):
        book.write("110", NoteKind.NOTE, LEE, "after", "id")
    assert texts_of(book_of(project)) == ["before"]
    for _ in range(2):
        book.write("110", NoteKind.NOTE, LEE, "after", "id")
    assert texts_of(book_of(project)) == ["before", "after"]


def test_a_folder_that_cannot_be_written_is_one_sentence(project):
    (project.root / "notes").write_text("a file in its place")
    with pytest.raises(StorageError, match="notes"):
        ask(project)
    assert len(book_of(project).problems) <= 2


def test_a_project_that_is_away_is_not_made_again_by_a_note(project):
    book = book_of(project)
    away = project.root.with_name("away")
    project.root.rename(away)
    with pytest.raises(StorageError, match="bring the folder back"):
        book.write("110", NoteKind.NOTE, LEE, "lost?")
    assert not project.root.exists()


def test_notes_are_their_owners_only(project):
    ask(project)
    assert path_of(project).stat().st_mode & 0o777 == 0o600
    assert path_of(project).parent.stat().st_mode & 0o777 == 0o700


def test_files_of_patients_that_the_project_has_not_are_left_alone(project):
    ask(project)
    path_of(project, patient_id="../110").write_text("no\n")
    path_of(project, patient_id="other").write_text("no\n")
    assert not book_of(project).problems
