"""What a hand does on the page of an annotation window, and what lies there."""

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

FIRST = "Kai Yamamoto, seen by Dr. Lee on 5/9 in Boston.\nKai\nYamamoto's wife called Lee."
TEXTS = {"1-01": FIRST, "1-02": "Kai Yamamoto again, 😀 Lee.", "2-01": "Nothing here."}


def put_caret(window, text, which=0):
    offset = -1
    for _ in range(which + 1):
        offset = window.view.merged_view.text.index(text, offset + 1)
    window.view.set_caret(offset)


def press(window, key, modifiers=Qt.KeyboardModifier.NoModifier):
    QTest.keyClick(window.view, key, modifiers)


def tags(window):
    text = window.view.merged_view.text
    return [(each.span.text_in(text), each.phi_type.name) for each in window.session.tags]


def click_at(window, text, which=0):
    put_caret(window, text, which)
    place = window.view.cursorRect().center() + QPoint(3, 0)
    QTest.mouseClick(window.view.viewport(), Qt.MouseButton.LeftButton, pos=place)


def wait_for_suggestions(window, qtbot):
    """Wait until all that recognizers suggest is there."""
    qtbot.waitUntil(lambda: not window._guide.feed.is_looking, timeout=20_000)
