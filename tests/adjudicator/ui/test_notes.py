"""The adjudicator reads and answers what annotators noted, with real keys and clicks."""

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QLabel, QLineEdit, QPlainTextEdit, QTableView

from shared.model import Span
from shared.project.assignments import State
from shared.project.notes import NoteBook, NoteKind, NotePlace
from shared.project.project import Project
from shared.widgets.document.marks import MarkStyle
from shared.widgets.parts.messages import StatusBanner
from tests.adjudicator.projects import make_project
from tests.disk import filling_disk
from tests.menus import choose, right_click_row, right_click_text

KAI = NotePlace("110-02", Span(0, 3))
"""On which ana and ben disagree, as the first that is shown."""
WAITING = (["Seen by [Kim|DOCTOR] today."], ["Seen by Kim today."])


@pytest.fixture
def project(tmp_path):
    made = make_project(tmp_path, p120=WAITING)
    made.set_state("120", "ben", State.BEGUN)
    return made


def ask(
    project, text="Who is it?", writer="ana", place=KAI, patient_id="110", kind=NoteKind.QUESTION
):
    return NoteBook(project, writer).write(patient_id, kind, place, text)


def answers(project, annotator="ana", patient_id="110"):
    """What an annotator finds on the disk, read as another program would."""
    book = NoteBook(Project.open(project.root), annotator)
    book.refresh()
    return [[one.text for one in each.answers] for each in book.threads(patient_id)]


def rows(hand):
    model = hand.window.findChild(QTableView, "noteTable").model()
    return [
        tuple(str(model.index(row, column).data()) for column in range(4))
        for row in range(model.rowCount())
    ]


def narrow(hand, box, wanted):
    found = hand.window.findChild(QComboBox, box)
    QTest.keyClick(found, Qt.Key.Key_Home)
    for _ in range(found.findText(wanted)):
        QTest.keyClick(found, Qt.Key.Key_Down)
    assert found.currentText() == wanted


def box(hand):
    return hand.window.findChild(QPlainTextEdit, "noteText")


def write(hand, text):
    QTest.keyClicks(box(hand), text)
    QTest.keyClick(box(hand), Qt.Key.Key_Return)


def asked_about(hand):
    """What the decision pane shows of notes, as one reads it."""
    label = hand.window.findChild(QLabel, "decisionNotes")
    return hand.text("decisionNotes") if label.isVisible() else ""


def come_back(hand):
    QApplication.sendEvent(hand.window, QEvent(QEvent.Type.WindowActivate))


def said_about(hand):
    return hand.window.findChild(QPlainTextEdit, "noteSaid").toPlainText()


def put_caret(hand, text):
    hand.window.view.set_caret(hand.window.view.merged_view.text.index(text))


def test_a_question_comes_with_the_disagreement_that_it_touches_and_with_no_other(
    open_window, project
):
    ask(project)
    hand = open_window(project)
    assert hand.current() == "Kai"
    assert "question on “Kai”:\nWho is it?" in asked_about(hand)
    assert asked_about(hand).startswith("ana, ")
    hand.press("N")
    assert hand.current() != "Kai"
    assert asked_about(hand) == ""


def test_open_questions_are_counted_in_the_list_and_it_can_be_narrowed_to_them(
    open_window, project
):
    hand = open_window(project)
    assert all("question" not in state for _, state in hand.patients())
    ask(project)
    ask(project, "unsure", kind=NoteKind.UNSURE)
    ask(project, place=NotePlace(), patient_id="120", writer="ben")
    ask(project, place=NotePlace(), patient_id="120")
    come_back(hand)
    states = dict(hand.patients())
    assert states["110"].endswith(" · 1 question")
    assert states["120"] == "waiting · 2 questions"
    narrow(hand, "worklistFilter", "With open questions")
    assert dict(hand.patients()) == states
    book = NoteBook(project, "gold")
    book.refresh()
    for each in book.threads("120"):
        book.answer(each, "Yes.")
    come_back(hand)
    assert [patient for patient, _ in hand.patients()] == ["110"]


def test_the_adjudicator_answers_and_the_annotator_finds_the_answer(open_window, project):
    ask(project)
    hand = open_window(project)
    assert rows(hand) == [("question", "“Kai”", "Who is it?", "ana")]
    hand.press("Ctrl+Shift+N")
    assert hand.window.findChild(QLabel, "noteTitle").text() == "Answer to ana on “Kai”"
    write(hand, "The surgeon.")
    assert answers(project) == [["The surgeon."]]
    assert hand.window.view.hasFocus()
    assert "1 question" not in dict(hand.patients())["110"]
    assert "The surgeon." in asked_about(hand)
    assert answers(project, "ben") == []


def test_an_answer_that_the_disk_does_not_take_stays_in_the_box(open_window, project):
    ask(project)
    hand = open_window(project)
    hand.press("Ctrl+Shift+N")
    with filling_disk(0):
        write(hand, "The surgeon.")
        assert "free some space" in hand.window.findChild(StatusBanner).text
        assert box(hand).toPlainText() == "The surgeon."
        assert dict(hand.patients())["110"].endswith(" · 1 question")
    assert answers(project) == [[]]
    QTest.keyClick(box(hand), Qt.Key.Key_Return)
    assert answers(project) == [["The surgeon."]]


def test_where_no_note_is_looked_at_nothing_is_answered(open_window, project):
    ask(project)
    hand = open_window(project)
    put_caret(hand, "Nothing")
    hand.press("Ctrl+Shift+N")
    assert hand.said.startswith("Put the caret on a note")
    assert not box(hand).isVisible()


def test_a_question_on_a_patient_that_is_not_open_is_answered_without_opening_it(
    open_window, project
):
    place = NotePlace("120-01", Span(8, 11))
    ask(project, "A doctor?", place=place, patient_id="120")
    hand = open_window(project)
    assert rows(hand) == []
    narrow(hand, "noteFilter", "Open in all patients")
    assert rows(hand) == [("question", "120: “Kim”", "A doctor?", "ana")]
    table = hand.window.findChild(QTableView, "noteTable")
    hand.window._parts.bring_forward(hand.window._parts.notes)
    spot = table.visualRect(table.model().index(0, 2)).center()
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    assert hand.window.session.patient_id == "110"
    assert "\n\nSeen by Kim today." in said_about(hand)
    QTest.keyClick(
        table, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    )
    write(hand, "Yes.")
    assert answers(project, patient_id="120") == [["Yes."]]
    assert hand.window.session.patient_id == "110"
    assert table.hasFocus()
    assert not project.journal_path("gold", "120").exists()


def test_enter_on_a_note_goes_to_its_patient(open_window, project):
    project.set_state("120", "ben", State.DONE)
    ask(project, place=NotePlace("120-01", Span(8, 11)), patient_id="120")
    hand = open_window(project)
    narrow(hand, "noteFilter", "Open in all patients")
    table = hand.window.findChild(QTableView, "noteTable")
    table.setFocus()
    table.selectRow(0)
    QTest.keyClick(table, Qt.Key.Key_Return)
    assert hand.window.session.patient_id == "120"


@pytest.mark.parametrize("option", ["toggled", "blind"])
def test_where_names_are_hidden_nothing_tells_who_wrote(open_window, project, option):
    ask(project)
    ask(project, "Sure?", writer="ben", place=NotePlace("110-01", Span(8, 11)))
    with project.notes_path("ben", "110").open("a") as file:
        file.write("nonsense\n")
    hand = open_window(project, blind=option == "blind")
    if option == "toggled":
        hand.window.findChild(StatusBanner).clear()
        hand.window.actions_table.action("hide_names").trigger()
    come_back(hand)
    hand.press("F12")
    names = {by for *_, by in rows(hand)}
    assert names == {"First", "Second"}
    signs = [each.note for each in hand.window.view.marks() if each.style is MarkStyle.NOTE]
    hand.press("Ctrl+Shift+N")
    labels = [each.text() for each in hand.window.findChildren(QLabel) if each.isVisible()]
    texts = [*signs, *labels, said_about(hand), asked_about(hand), hand.said]
    assert len(signs) == 2
    assert any("line 2 is not" in each for each in labels)
    assert not [each for each in texts if "ana" in each or "ben" in each]


def test_done_says_that_a_question_has_no_answer(open_window, project):
    ask(project, place=NotePlace())
    hand = open_window(project)
    hand.press("1", "1", "1", "Ctrl+D")
    assert "1 question has no answer." in hand.banner


def test_an_own_note_is_nobody_elses_and_is_not_answered(open_window, project):
    hand = open_window(project)
    hand.press("Ctrl+N")
    write(hand, "To be discussed.")
    assert rows(hand) == [("note", "“Kai”", "To be discussed.", "You")]
    assert answers(project) == answers(project, "ben") == []
    hand.press("Ctrl+Shift+N")
    assert "your own" in hand.said


def test_what_was_taken_up_to_be_edited_stays_so_while_notes_come_in(open_window, project):
    hand = open_window(project)
    hand.press("E")
    assert "Not decided yet" in hand.text("decisionState")
    ask(project)
    come_back(hand)
    assert "Who is it?" in asked_about(hand)
    assert "Not decided yet" in hand.text("decisionState")


def test_a_question_that_is_closed_counts_no_more_and_leaves_the_text(open_window, project):
    ask(project)
    hand = open_window(project)
    table = hand.window.findChild(QTableView, "noteTable")
    hand.window._parts.bring_forward(hand.window._parts.notes)
    choose(right_click_row(table, 0), "close_note")
    assert "question" not in dict(hand.patients())["110"]
    assert asked_about(hand) == ""
    assert not [each for each in hand.window.view.marks() if each.style is MarkStyle.NOTE]


def test_a_right_click_on_the_text_answers_the_question_there(open_window, project):
    ask(project)
    hand = open_window(project)
    put_caret(hand, "Nothing")
    text = hand.window.view.merged_view.text
    menu = right_click_text(hand.window, text.index("Kai") + 1)
    choose(menu, "answer")
    write(hand, "The surgeon.")
    assert answers(project) == [["The surgeon."]]


def test_the_key_for_the_next_open_note_lists_those_on_other_patients_where_none_is_here(
    open_window, project
):
    hand = open_window(project)
    hand.press("F12")
    assert hand.said == "No note is open."
    ask(project, place=NotePlace(), patient_id="120")
    come_back(hand)
    hand.press("F12")
    assert "the list shows the open notes on others" in hand.said
    assert rows(hand) == [("question", "Patient 120", "Who is it?", "ana")]
    hand.press("Ctrl+Shift+N")
    write(hand, "Yes.")
    assert answers(project, patient_id="120") == [["Yes."]]


def test_an_answer_can_be_put_right_at_its_place_though_the_note_is_open_no_more(
    open_window, project
):
    ask(project)
    hand = open_window(project)
    hand.press("Ctrl+Shift+N")
    write(hand, "The surgeon.")
    put_caret(hand, "Nothing")
    assert rows(hand) == []
    put_caret(hand, "Kai")
    assert [each[0] for each in rows(hand)] == ["answered"]
    hand.press("Ctrl+Shift+N")
    write(hand, "No, the patient.")
    assert answers(project) == [["The surgeon.", "No, the patient."]]


def test_what_is_looked_at_stays_so_while_others_write(open_window, project):
    ask(project, "On all of it", place=NotePlace())
    hand = open_window(project)
    hand.press("F12")
    assert "On all of it" in said_about(hand)
    ask(project)
    come_back(hand)
    assert "On all of it" in said_about(hand)
    put_caret(hand, "Nothing")
    assert said_about(hand) == ""


def test_the_list_of_disagreements_marks_those_with_an_open_question_and_finds_them(
    open_window, project
):
    hand = open_window(project)
    assert [each for each in hand.column(4) if "Q" in each] == []
    ask(project)
    come_back(hand)
    assert hand.column(4) == ["open · Q", "open"]
    words = hand.window.findChild(QLineEdit, "disagreementFilter")
    words.setFocus()
    QTest.keyClicks(words, "question")
    assert hand.column(0) == ["Kai"]
    words.clear()
    hand.press("Ctrl+Shift+N")
    write(hand, "The patient.")
    assert hand.column(4) == ["open", "open"]


def test_what_was_asked_a_moment_ago_is_known_to_done_and_to_the_next_key(open_window, project):
    hand = open_window(project)
    hand.press("1", "1", "1")
    ask(project, place=NotePlace())
    hand.press("Ctrl+D")
    assert "1 question has no answer." in hand.banner
    ask(project, "And this?", writer="ben", place=NotePlace())
    hand.press("F12", "F12")
    assert "And this?" in said_about(hand)
