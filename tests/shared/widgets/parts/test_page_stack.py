"""Pages in one place: another one is shown without the window being laid out anew."""

import pytest
from PySide6.QtCore import QSize
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from shared.widgets.parts.page_stack import PageStack
from tests.layouts import Layouts


@pytest.fixture
def stack(qtbot):
    window = QWidget()
    made = PageStack()
    made.add(QLineEdit("first"))
    made.add(QLineEdit("second"))
    QVBoxLayout(window).addWidget(made)
    qtbot.addWidget(window)
    window.resize(300, 200)
    window.show()
    qtbot.wait(1)
    yield made
    window.close()


def pages(stack):
    return stack.findChildren(QLineEdit)


def test_one_page_is_shown_at_the_size_of_all(stack):
    first, second = pages(stack)
    assert (first.isVisible(), second.isVisible()) == (True, False)
    stack.show_page(second)
    assert (first.isVisible(), second.isVisible()) == (False, True)
    assert second.geometry() == stack.rect()
    stack.window().resize(400, 300)
    assert second.geometry() == stack.rect()
    stack.show_page(first)
    assert first.geometry() == stack.rect()


def test_nothing_around_is_laid_out_for_another_page(stack, qtbot):
    layouts = Layouts()
    stack.parentWidget().installEventFilter(layouts)
    stack.show_page(pages(stack)[1])
    qtbot.wait(1)
    assert layouts.count == 0


def test_the_page_that_is_shown_has_the_focus_of_the_one_before(stack, qtbot):
    first, second = pages(stack)
    first.setFocus()
    qtbot.waitUntil(first.hasFocus)
    stack.show_page(second)
    assert second.hasFocus()


def test_it_is_as_large_as_its_largest_page(stack):
    class Wide(QWidget):
        def sizeHint(self):
            return QSize(700, 1)

    stack.add(Wide())
    assert stack.sizeHint() == QSize(700, pages(stack)[0].sizeHint().height())
