"""What the installed Qt must be able to do before any test of a window means something."""

import sys

from PySide6.QtGui import QFontDatabase, QTextCursor, QTextDocument


def test_qt_gives_back_every_reference_to_none(qapp):
    """PySide6 6.12.0 loses one with every call on Python 3.11, and the process dies at last."""
    document = QTextDocument("text")
    cursor = QTextCursor(document)
    before = sys.getrefcount(None)
    for _ in range(1000):
        cursor.setPosition(1)
    assert abs(sys.getrefcount(None) - before) < 100


def test_there_is_a_font_to_paint_with(qapp):
    """Without one every letter is a box, and nothing says so."""
    aliases = {"Monospace", "Sans Serif", "Serif"}
    assert set(QFontDatabase.families()) - aliases
