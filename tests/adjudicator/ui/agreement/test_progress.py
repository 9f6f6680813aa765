"""The agreement window while it measures, where names are hidden, and where little is there."""

import re
import time
from pathlib import Path
from threading import Event

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QFileDialog, QLabel, QProgressBar, QPushButton
from pytestqt.qtbot import QtBot

from adjudicator.agreement.project_study import ProjectStudy
from adjudicator.agreement.view import ReportBuilder
from shared.errors import RequestError
from shared.project.project import Project
from tests.adjudicator.agreement_reader import ANA, BY_TYPE, Reader, write_gold
from tests.adjudicator.projects import make_project


def test_it_can_be_cancelled(hand, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch):
    ended = Event()

    def measure_for_long(_builder, _narrowing, watch):
        try:
            for _ in watch(range(60_000)):
                time.sleep(0.001)
        finally:
            ended.set()

    with monkeypatch.context() as patch:
        patch.setattr(ReportBuilder, "show", measure_for_long)
        hand.window.actions_table.action("agreement").trigger()
        window = hand.window.agreement.window
        reader = Reader(window, qtbot)
        bar = window.findChild(QProgressBar, "agreementProgress")
        qtbot.waitUntil(lambda: bar.isVisible() and bar.maximum() == 60_000)
        reader.press("agreementCancel")
        assert not window.is_busy
        assert not bar.isVisible()
        assert ended.wait(5)
    reader.press("agreementAgain")
    reader.wait()
    assert "Agreement by measure" in reader.titles


class TestFilters:
    """No figures are taken for those of a part that was not measured."""

    @pytest.fixture
    def gate(self, monkeypatch: pytest.MonkeyPatch):
        """What lets the window measure and read on; it waits until then."""
        gate, show, read = Event(), ReportBuilder.show, ProjectStudy.read

        def wait(watch):
            for _ in watch(range(60_000)):
                if gate.wait(0.001):
                    break

        def show_late(builder, study_filter, watch):
            wait(watch)
            return show(builder, study_filter, watch)

        def read_late(reading, watch):
            wait(watch)
            return read(reading, watch)

        monkeypatch.setattr(ReportBuilder, "show", show_late)
        monkeypatch.setattr(ProjectStudy, "read", read_late)
        yield gate
        gate.set()

    def chosen(self, reader: Reader) -> str:
        return reader.window.findChild(QComboBox, "agreementType").currentText().strip()

    def test_meanwhile_the_figures_are_dimmed(self, reader: Reader, gate: Event):
        reader.turn_to(BY_TYPE)
        reader.pick("agreementType", "DATE")
        assert not reader.table.isEnabled()
        number = reader.table.model().index(0, 3)
        assert number.data(Qt.ItemDataRole.ForegroundRole) is None
        gate.set()
        reader.wait()
        assert reader.table.isEnabled()
        assert number.data(Qt.ItemDataRole.ForegroundRole) is not None
        assert [row[2] for row in reader.cells(reader.table)] == ["DATE", "DATE:DATE"]

    def test_whoever_stops_has_the_filter_of_the_figures_again(self, reader: Reader, gate: Event):
        reader.turn_to(BY_TYPE)
        before = reader.cells(reader.table)
        reader.pick("agreementType", "DATE")
        reader.press_when_visible("agreementCancel")
        assert (self.chosen(reader), reader.table.isEnabled()) == ("Everything", True)
        assert reader.cells(reader.table) == before

    def test_so_has_whoever_hears_of_an_error(self, reader: Reader, monkeypatch):
        def fail(*_):
            raise RequestError("it broke")

        monkeypatch.setattr(ReportBuilder, "show", fail)
        reader.choose("agreementType", "DATE")
        assert reader.banner.startswith("It broke")
        assert (self.chosen(reader), reader.table.isEnabled()) == ("Everything", True)

    def test_a_filter_does_not_end_the_reading_of_layers(
        self, reader: Reader, gate: Event, project: Project
    ):
        write_gold(project, *ANA)
        reader.press("agreementAgain")
        reader.pick("agreementAnnotator", "ben")
        gate.set()
        reader.wait()
        reader.turn_to("What was compared")
        assert [row[:2] for row in reader.cells(reader.table)] == [["ana", "ben"], ["ben", "gold"]]

    def test_it_says_when_layers_were_read_that_are_shown(self, reader: Reader, gate: Event):
        said = reader.window.findChild(QLabel, "agreementAsOf")
        before = said.text()
        assert re.fullmatch(r"As of \d{4}-\d\d-\d\d \d\d:\d\d", before)
        said.setText("As of before")
        reader.press("agreementAgain")
        reader.press_when_visible("agreementCancel")
        assert said.text() == "As of before"
        reader.press("agreementAgain")
        gate.set()
        reader.wait()
        assert said.text() != "As of before"

    def test_layers_that_were_read_are_not_those_of_figures_that_were_not_measured(
        self, reader: Reader, monkeypatch: pytest.MonkeyPatch
    ):
        def fail(*_):
            raise RequestError("it broke")

        said = reader.window.findChild(QLabel, "agreementAsOf")
        said.setText("As of before")
        monkeypatch.setattr(ReportBuilder, "show", fail)
        reader.press("agreementAgain")
        reader.wait()
        assert reader.banner.startswith("It broke")
        assert said.text() == "As of before"

    def test_nothing_is_exported_before_it_is_measured(self, reader: Reader, gate: Event, tmp_path):
        export = reader.window.findChild(QPushButton, "agreementExport")
        assert export.isEnabled()
        reader.press("agreementExport")
        dialog = reader.window.findChild(QFileDialog, "agreementFolder")
        reader.press("agreementAgain")
        assert not export.isEnabled()
        dialog.fileSelected.emit(str(tmp_path / "report"))
        dialog.close()
        assert "still being measured" in reader.window.statusBar().currentMessage()
        assert not (tmp_path / "report").exists()
        gate.set()
        reader.wait()
        assert export.isEnabled()


def test_it_goes_with_the_adjudication_window(hand, reader: Reader):
    hand.window.close()
    assert not reader.window.isVisible()


def test_who_must_not_know_names_sees_none(open_window, project: Project, qtbot: QtBot):
    hand = open_window(project, "110", blind=True)
    hand.window.actions_table.action("agreement").trigger()
    reader = Reader(hand.window.agreement.window, qtbot).wait()
    for title in reader.titles:
        assert "ana" not in title.split()
    reader.turn_to("What was compared")
    assert reader.cells(reader.table)[0][:2] == ["annotator 1", "annotator 2"]


def test_where_nobody_is_done_it_says_so(open_window, tmp_path: Path, qtbot: QtBot):
    hand = open_window(make_project(tmp_path, state="begun"), None)
    hand.window.actions_table.action("agreement").trigger()
    reader = Reader(hand.window.agreement.window, qtbot).wait()
    assert "nothing to measure" in reader.banner


def test_a_broken_layer_is_said_and_the_rest_measured(open_window, project: Project, qtbot: QtBot):
    (project.root / "layers" / "ben" / "110-01.xml").write_text("<broken")
    hand = open_window(project, "120")
    hand.window.actions_table.action("agreement").trigger()
    reader = Reader(hand.window.agreement.window, qtbot).wait()
    assert "110-01.xml" in reader.banner
    reader.turn_to("What was compared")
    assert reader.cells(reader.table)[0][2:4] == ["1", "2"]
