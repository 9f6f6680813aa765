"""The agreement window while it measures, where names are hidden, and where little is there."""

import time
from pathlib import Path
from threading import Event

import pytest
from PySide6.QtWidgets import QProgressBar
from pytestqt.qtbot import QtBot

from adjudicator.agreement.view import ReportBuilder
from shared.project.project import Project
from tests.adjudicator.agreement_reader import Reader
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
