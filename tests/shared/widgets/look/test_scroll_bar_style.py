"""Scroll bars: what one sees of them, where they lead."""

import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QColor, QPalette
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPlainTextEdit, QScrollBar, QVBoxLayout, QWidget

from shared.widgets.look.framed_list import draw_plainly
from shared.widgets.look.theme import DARK, LIGHT, contrast


@pytest.fixture(params=[LIGHT, DARK], ids=lambda each: each.name)
def page(request, qtbot):
    """A long text that scrolls."""
    page, text = QWidget(), QPlainTextEdit("line\n" * 400)
    page.setPalette(request.param.palette())
    text.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    draw_plainly(text)
    QVBoxLayout(page).addWidget(text)
    qtbot.addWidget(page)
    page.resize(240, 300)
    page.show()
    return page


@pytest.fixture
def bar(page):
    """The upright bar of the text."""
    return page.findChild(QPlainTextEdit).verticalScrollBar()


def inks(bar: QScrollBar, *, top: int, bottom: int) -> set[str]:
    """The colours of a stretch that stand out of the bar's own."""
    image = bar.grab().toImage()
    ground = bar.palette().color(QPalette.ColorRole.Window)
    seen = {image.pixelColor(x, y).name() for x in range(bar.width()) for y in range(top, bottom)}
    return {each for each in seen if contrast(QColor(each), ground) >= 3}


def test_handle_and_arrows_stand_out(bar):
    ends = bar.width()
    assert inks(bar, top=ends, bottom=ends + 20)
    assert inks(bar, top=0, bottom=ends)
    assert inks(bar, top=bar.height() - ends, bottom=bar.height())


def test_the_handle_is_where_the_text_is(bar):
    bar.setValue(bar.maximum())
    ends = bar.width()
    assert not inks(bar, top=ends + 5, bottom=ends + 60)
    assert inks(bar, top=bar.height() - ends - 20, bottom=bar.height() - ends)


def test_a_held_handle_has_the_colour_of_the_accent(bar):
    accent = bar.palette().color(QPalette.ColorRole.Accent).name()
    place = QPoint(bar.width() // 2, bar.width() + 8)
    assert accent not in inks(bar, top=0, bottom=bar.height())
    QTest.mousePress(bar, Qt.MouseButton.LeftButton, pos=place)
    assert accent in inks(bar, top=0, bottom=bar.height())
    QTest.mouseRelease(bar, Qt.MouseButton.LeftButton, pos=place)
    assert accent not in inks(bar, top=0, bottom=bar.height())


def test_a_click_on_the_arrow_goes_a_line_and_beside_the_handle_a_page(bar):
    below = QPoint(bar.width() // 2, bar.height() - bar.width() - 5)
    QTest.mouseClick(
        bar, Qt.MouseButton.LeftButton, pos=QPoint(below.x(), bar.height() - bar.width() // 2)
    )
    assert bar.value() == 1
    QTest.mouseClick(bar, Qt.MouseButton.LeftButton, pos=below)
    assert bar.value() > 5


def test_a_bar_across_is_drawn_along_its_length(bar, qtbot):
    across = QScrollBar(Qt.Orientation.Horizontal)
    across.setStyle(bar.style())
    across.setPalette(bar.palette())
    across.setRange(0, 100)
    qtbot.addWidget(across)
    across.resize(300, bar.width())
    across.show()
    image = across.grab().toImage()
    middle = across.height() // 2
    drawn = [x for x in range(300) if image.pixelColor(x, middle) != image.pixelColor(299, 0)]
    assert drawn[0] < across.height() < drawn[len(drawn) // 2]
    assert drawn[-1] > 300 - across.height()


def test_what_lies_below_a_bar_is_not_painted_with_it(bar, qtbot):
    class Painted(QObject):
        seen = False

        def eventFilter(self, _: QObject, event: QEvent) -> bool:
            self.seen |= event.type() == QEvent.Type.Paint
            return False

    qtbot.wait(20)
    painted = Painted()
    bar.window().installEventFilter(painted)
    bar.update()
    qtbot.wait(20)
    assert not painted.seen
