"""A label that is not laid out anew at each text."""

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QHBoxLayout, QWidget

from shared.widgets.parts.steady_label import SteadyLabel


class Layouts(QObject):
    """Counts how often a widget was asked to lay itself out."""

    count = 0

    def eventFilter(self, watched, event):
        self.count += event.type() == QEvent.Type.LayoutRequest
        return super().eventFilter(watched, event)


@pytest.fixture
def label(qtbot):
    line = QWidget()
    made = SteadyLabel()
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
