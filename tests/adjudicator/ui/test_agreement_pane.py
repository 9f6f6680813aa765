"""The agreement window, with mouse and keys: from a number to the tags behind it to their place."""

import stat
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Event

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QComboBox,
    QFileDialog,
    QLabel,
    QListWidget,
    QProgressBar,
    QPushButton,
    QTableView,
    QToolButton,
)
from pytestqt.qtbot import QtBot

from adjudicator.agreement_export import options_of_today
from adjudicator.agreement_view import Measuring
from adjudicator.project_study import ProjectStudy
from adjudicator.ui import agreement_work
from adjudicator.ui.agreement_plots import PlotView, coloured
from shared.agreement.report.contents import make_report
from shared.agreement.report.table import shown_row
from shared.errors import StorageError
from shared.model import Layer
from shared.project.project import Project
from shared.widgets.theme import DARK, LIGHT, Theme
from tests.adjudicator.projects import make_project
from tests.builders import marked_up

BY_TYPE = "Strict agreement by category and type"
ANA = ("Seen by [Lee|DOCTOR] on [3/4|DATE].", "[Kai|PATIENT] called.")
BEN = ("Seen by [Lee|DOCTOR] on [3/4|DATE].", "Kai called.")


class Reader:
    """Looks at the agreement window, clicks in it and presses its keys."""

    def __init__(self, window, qtbot: QtBot) -> None:
        self.window = window
        self._qtbot = qtbot

    @property
    def table(self) -> QTableView:
        return self.window.findChild(QTableView, "agreementTable")

    @property
    def tags(self) -> QTableView:
        return self.window.findChild(QTableView, "agreementTags")

    @property
    def contents(self) -> QListWidget:
        return self.window.findChild(QListWidget, "agreementContents")

    @property
    def titles(self) -> list[str]:
        return [self.contents.item(number).text() for number in range(self.contents.count())]

    @property
    def banner(self) -> str:
        label = self.window.findChild(QLabel, "statusBannerText")
        return label.text() if label.isVisible() else ""

    def wait(self) -> "Reader":
        """Let the window finish what it is at."""
        self._qtbot.waitUntil(lambda: self.window.shown is not None, timeout=20_000)
        self._qtbot.waitUntil(lambda: not self.window.is_busy, timeout=20_000)
        return self

    def turn_to(self, title: str) -> None:
        item = self.contents.item(self.titles.index(title))
        place = self.contents.visualItemRect(item).center()
        QTest.mouseClick(self.contents.viewport(), Qt.MouseButton.LeftButton, pos=place)

    def cells(self, table: QTableView) -> list[list[str]]:
        model = table.model()
        return [
            [str(model.index(row, column).data()) for column in range(model.columnCount())]
            for row in range(model.rowCount())
        ]

    def click(self, table: QTableView, row: int, title: str) -> None:
        QTest.mouseClick(
            table.viewport(), Qt.MouseButton.LeftButton, pos=self._place(table, row, title)
        )
        self.wait()

    def click_twice(self, table: QTableView, row: int, title: str) -> None:
        place = self._place(table, row, title)
        QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)
        QTest.mouseDClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)
        self.wait()

    def sort_by(self, title: str) -> None:
        header = self.table.horizontalHeader()
        place = header.sectionViewportPosition(self._column(self.table, title)) + 8
        QTest.mouseClick(
            header.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(place, header.height() // 2)
        )

    def choose(self, name: str, text: str) -> None:
        box = self.window.findChild(QComboBox, name)
        number = [box.itemText(each).strip() for each in range(box.count())].index(text)
        box.setFocus()
        QTest.keyClick(box, Qt.Key.Key_Home)
        for _ in range(number):
            QTest.keyClick(box, Qt.Key.Key_Down)
        self.wait()

    def press(self, name: str) -> None:
        button = self.window.findChild(QPushButton, name) or self.window.findChild(
            QToolButton, name
        )
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)

    def row_of(self, *words: str) -> int:
        """The line of the table with these words."""
        return next(
            number for number, row in enumerate(self.cells(self.table)) if set(words) <= set(row)
        )

    def _place(self, table: QTableView, row: int, title: str) -> QPoint:
        index = table.model().index(row, self._column(table, title))
        table.scrollTo(index)
        return table.visualRect(index).center()

    def _column(self, table: QTableView, title: str) -> int:
        model = table.model()
        heads = [
            model.headerData(number, Qt.Orientation.Horizontal, Qt.ItemDataRole.DisplayRole)
            for number in range(model.columnCount())
        ]
        return heads.index(title)


@pytest.fixture(autouse=True)
def _gone_at_the_end(qapp) -> Iterator[None]:
    """Let windows go before Python's garbage collector takes them apart."""
    yield
    qapp.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.fixture
def project(tmp_path) -> Project:
    return make_project(tmp_path, ANA, BEN, p120=(ANA, ANA))


@pytest.fixture
def hand(open_window, project):
    return open_window(project, "120")


@pytest.fixture
def reader(hand, qtbot: QtBot) -> Reader:
    QTest.keyClick(
        hand.window.view,
        Qt.Key.Key_A,
        Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier,
    )
    return Reader(hand.window.agreement.window, qtbot).wait()


def write_gold(project: Project, *sources: str) -> None:
    for each, source in zip(project.patient("110").documents, sources, strict=True):
        layer = Layer.of(each.record_id, "gold", marked_up(source)[1])
        project.write_layer("gold", each, layer, None)


# ---------------------------------------------------------------- numbers


def test_the_numbers_are_those_of_the_report(reader: Reader, project: Project):
    report = make_report(ProjectStudy(project).read(), options_of_today())
    for table in report.tables:
        if table.name != "official":
            reader.turn_to(table.title)
            assert reader.cells(reader.table) == [
                shown_row(row, table.columns) for row in table.rows
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


# ---------------------------------------------------------------- from a number to its place


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


# ---------------------------------------------------------------- filters


def test_a_type_leaves_the_others_out(reader: Reader):
    reader.turn_to(BY_TYPE)
    reader.choose("agreementType", "PATIENT")
    assert [row[2] for row in reader.cells(reader.table)] == ["NAME", "NAME:PATIENT"]


def test_show_all_leaves_nothing_out_again(reader: Reader):
    reader.turn_to(BY_TYPE)
    before = reader.cells(reader.table)
    reader.choose("agreementType", "DATE")
    assert reader.cells(reader.table) != before
    reader.press("agreementEverything")
    reader.wait()
    assert reader.cells(reader.table) == before


def test_an_annotator_keeps_the_pairs_with_one(hand, project: Project, reader: Reader):
    write_gold(project, *ANA)
    reader.press("agreementAgain")
    reader.wait()
    reader.turn_to("What was compared")
    assert len(reader.cells(reader.table)) == 3
    reader.choose("agreementAnnotator", "ben")
    assert [row[:2] for row in reader.cells(reader.table)] == [["ana", "ben"], ["ben", "gold"]]


# ---------------------------------------------------------------- progress, blind, nothing there


def test_it_can_be_cancelled(hand, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch):
    ended = Event()

    def measure_for_long(_measuring, _narrowing, watch):
        try:
            for _ in watch(range(60_000)):
                time.sleep(0.001)
        finally:
            ended.set()

    with monkeypatch.context() as patch:
        patch.setattr(Measuring, "show", measure_for_long)
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


# ---------------------------------------------------------------- plots


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_plots_are_drawn_in_the_colours_of_the_window(
    hand, reader: Reader, qtbot: QtBot, theme: Theme
):
    reader.turn_to("Plots: ana and ben")
    hand.window.apply_theme(theme)
    views = reader.window.findChildren(PlotView)
    assert len(views) == 3
    for view in views:
        qtbot.waitUntil(lambda view=view: pixels(view)[0] == QColor(theme.page).rgb())
        assert len(set(pixels(view))) > 3


def pixels(view: PlotView) -> list[int]:
    picture = view.grab().toImage()
    return [
        picture.pixel(x, y) for x in range(0, picture.width(), 2) for y in range(picture.height())
    ]


def test_a_plot_keeps_its_words():
    svg = coloured('<svg viewBox="0 0 1 1"><text class="label">NAME</text></svg>', DARK, "Sans")
    assert svg.endswith('<text class="label">NAME</text></svg>')
    assert DARK.text in svg


# ---------------------------------------------------------------- export


def choose_folder(reader: Reader, folder: Path) -> None:
    reader.press("agreementExport")
    dialog = reader.window.findChild(QFileDialog, "agreementFolder")
    assert not dialog.isModal()
    dialog.selectFile(str(folder))
    dialog.accept()


def test_export_writes_what_the_command_writes(
    reader: Reader, tmp_path: Path, project: Project, qtbot: QtBot
):
    from shared.commands.main import main

    folder = tmp_path / "report"
    folder.mkdir(mode=0o700)
    choose_folder(reader, folder)
    qtbot.waitUntil(lambda: "open agreement.html" in reader.banner, timeout=20_000)
    assert main(["agreement", str(project.root), "--out", str(tmp_path / "other")]) == 0
    files = sorted(path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    others = (path for path in (tmp_path / "other").rglob("*") if path.is_file())
    assert files == sorted(path.relative_to(tmp_path / "other") for path in others)
    for path in files:
        if path.suffix != ".xlsx":
            assert (folder / path).read_bytes() == (tmp_path / "other" / path).read_bytes()
    assert not stat.S_IMODE((folder / "agreement.html").stat().st_mode) & 0o077


def test_what_goes_wrong_with_export_is_one_sentence(
    reader: Reader, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
):
    def refuse(*_: object) -> None:
        raise StorageError(tmp_path / "report", "there is no space left; free some, then try again")

    monkeypatch.setattr(agreement_work, "export", refuse)
    (tmp_path / "report").mkdir()
    choose_folder(reader, tmp_path / "report")
    qtbot.waitUntil(lambda: "no space left" in reader.banner, timeout=20_000)
    assert "\n" not in reader.banner
