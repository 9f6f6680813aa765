"""From a number of the agreement window to the tags behind it to their place."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from adjudicator.agreement.export import options_of_today
from adjudicator.agreement.project_study import ProjectStudy
from shared.agreement.report.report import make_report
from shared.agreement.report.table import formatted
from shared.project.project import Project
from tests.adjudicator.agreement_reader import BY_TYPE, Reader


def test_the_numbers_are_those_of_the_report(reader: Reader, project: Project):
    reading = ProjectStudy(project, is_detailed=True)
    report = make_report(reading.with_details(reading.read()), options_of_today())
    for table in report.tables:
        if table.name != "official":
            reader.turn_to(table.title)
            assert reader.cells(reader.table) == [
                [formatted(row[column.name], column.kind) for column in table.columns]
                for row in table.records()
            ]
    assert {"Agreement by measure", BY_TYPE, "What differs, by type"} <= set(reader.titles)


def test_it_opens_beside_the_adjudication_window_and_holds_nobody_up(hand, reader: Reader):
    assert not reader.window.isModal()
    assert reader.window.isVisible()
    assert hand.window.isVisible()


def test_a_click_on_a_heading_sorts_numbers_as_numbers(reader: Reader):
    reader.turn_to(BY_TYPE)
    reader.sort_by("matched")
    column = [int(row[-3]) for row in reader.cells(reader.table)]
    assert column == sorted(column)
    reader.sort_by("matched")
    assert [int(row[-3]) for row in reader.cells(reader.table)] == sorted(column, reverse=True)


def test_from_a_bad_f1_to_the_tags_behind_it_to_the_place_in_the_window(hand, reader: Reader):
    reader.turn_to(BY_TYPE)
    line = reader.row_of("NAME:PATIENT")
    assert reader.cells(reader.table)[line][5] == "0.6667"
    reader.click(reader.table, line, "F1")
    rows = reader.cells(reader.tags)
    assert [(row[0], row[3], row[4], row[5], row[6]) for row in rows] == [
        ("110-02", "first only", "NAME:PATIENT", "–", "Kai"),
        ("120-02", "matched", "NAME:PATIENT", "NAME:PATIENT", "Kai"),
    ]
    assert hand.window.session.patient_id == "120"
    reader.click_twice(reader.tags, 0, "Record")
    assert hand.window.session.patient_id == "110"
    assert hand.current() == "Kai"
    span = hand.window.view.selected_span()
    assert hand.window.session.view.to_record(span.start) == ("110-02", 0)


def test_a_place_without_disagreement_is_selected_too(hand, reader: Reader):
    reader.turn_to(BY_TYPE)
    reader.click(reader.table, reader.row_of("DATE:DATE"), "matched")
    reader.click_twice(reader.tags, 0, "Text")
    span = hand.window.view.selected_span()
    assert span.text_in(hand.window.session.view.text) == "3/4"


def test_keys_alone_lead_to_the_place(hand, reader: Reader):
    reader.turn_to(BY_TYPE)
    table = reader.table
    table.setFocus()
    table.setCurrentIndex(table.model().index(reader.row_of("NAME:PATIENT"), 5))
    QTest.keyClick(table, Qt.Key.Key_Return)
    reader.wait()
    assert reader.tags.hasFocus()
    QTest.keyClick(reader.tags, Qt.Key.Key_Return)
    assert hand.window.session.patient_id == "110"
    assert hand.current() == "Kai"


def test_a_number_that_no_tag_is_behind_does_nothing(reader: Reader):
    reader.turn_to("What was compared")
    reader.click(reader.table, 0, "patients")
    assert reader.cells(reader.tags) == []


def test_behind_a_count_of_nothing_there_is_nothing_to_click(reader: Reader):
    reader.turn_to(BY_TYPE)
    reader.click(reader.table, reader.row_of("NAME:PATIENT"), "first only")
    reader.click(reader.table, reader.row_of("DATE:DATE"), "first only")
    assert "NAME:PATIENT" in reader.window.findChild(QLabel, "agreementBehind").text()


def test_a_patient_that_cannot_be_opened_is_said(hand, reader: Reader, project: Project):
    reader.turn_to(BY_TYPE)
    reader.click(reader.table, reader.row_of("NAME:PATIENT"), "F1")
    with project.lock_patient("gold", "110", "dora"):
        reader.click_twice(reader.tags, 0, "Record")
    assert "110 was not opened" in reader.window.statusBar().currentMessage()
    assert "dora" in hand.banner
