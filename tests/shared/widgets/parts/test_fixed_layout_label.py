"""A label that is not laid out anew at each text."""

import pytest
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from shared.widgets.parts.fixed_layout_label import FixedLayoutLabel, FixedLayoutLines
from tests.layouts import Layouts


@pytest.fixture
def label(qtbot):
    line = QWidget()
    made = FixedLayoutLabel()
    QHBoxLayout(line).addWidget(made)
    qtbot.addWidget(line)
    line.show()
    made.setText("1,000 tags")
    qtbot.wait(1)
    yield made
    line.close()


def test_a_text_that_fits_lays_nothing_out(label, qtbot):
    layouts = Layouts()
    label.parentWidget().installEventFilter(layouts)
    label.setText("1,001 tags")
    qtbot.wait(1)
    assert layouts.count == 0
    label.setText("1,000,001 tags")
    qtbot.wait(1)
    assert layouts.count > 0


@pytest.mark.parametrize("text", ["1 tag", "Kept in the journal, not yet in the files"])
def test_no_text_is_cut_off(label, text):
    label.setText(text)
    inside = label.contentsRect().width()
    assert inside >= label.fontMetrics().horizontalAdvance(text)
    assert label.height() >= label.fontMetrics().height()


def test_it_takes_no_room_when_it_is_cleared(label):
    label.clear()
    assert (label.text(), label.minimumWidth()) == ("", 0)
    assert label.maximumWidth() == 0


def test_a_larger_font_has_room(label):
    font = label.font()
    font.setPointSizeF(font.pointSizeF() * 2)
    label.setFont(font)
    assert label.contentsRect().width() >= label.fontMetrics().horizontalAdvance(label.text())
    assert label.height() >= label.fontMetrics().height()


def test_there_is_room_for_what_is_likely_to_come(qtbot):
    line = QWidget()
    label = FixedLayoutLabel("Kept in the journal")
    QHBoxLayout(line).addWidget(label)
    qtbot.addWidget(line)
    assert label.minimumWidth() == 0
    label.setText("All saved")
    before = label.size()
    label.setText("Kept in the journal")
    assert label.size() == before


@pytest.fixture
def lines(qtbot):
    around = QWidget()
    made = FixedLayoutLines()
    QVBoxLayout(around).addWidget(made)
    qtbot.addWidget(around)
    around.resize(140, 200)
    around.show()
    made.setText("500 to look at")
    qtbot.wait(1)
    yield made
    around.close()


def test_lines_for_which_there_is_room_lay_nothing_out(lines, qtbot):
    layouts = Layouts()
    lines.parentWidget().installEventFilter(layouts)
    lines.setText("499 to look at")
    qtbot.wait(1)
    assert layouts.count == 0


def test_more_lines_get_more_room(lines, qtbot):
    lines.setText("499 to look at, 2,000 less sure, and 12 rejected")
    qtbot.waitUntil(lambda: lines.height() >= lines.heightForWidth(lines.width()))
    assert lines.heightForWidth(lines.width()) > lines.fontMetrics().height() * 2
