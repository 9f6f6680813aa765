"""Words of any language are found in the guidelines, with accents or without."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit

from shared.model.i2b2_2014 import I2B2_2014
from shared.widgets.window.guideline_browser import GuidelineBrowser
from shared.widgets.window.guideline_pane import GuidelinePane


@pytest.mark.parametrize(
    ("words", "written"),
    [
        ("medico", "Médico"),
        ("MÉDICO del dia", "Médico del día"),
        ("niño", "nin\u0303o"),
        ("strasse", "STRASSE"),
        ("اسبوع", "أسبوع"),
        ("مستشفي", "مستشفى"),
        ("病历", "病历"),
    ],
)
def test_the_search_goes_to_words_written_otherwise_and_around(qtbot, tmp_path, words, written):
    (tmp_path / "guidelines").mkdir()
    text = f"# Sala\n\n😀 uno {written}, dos.\n\n## X\n\n{written}!\n"
    (tmp_path / "guidelines" / "rules.md").write_text(text)
    pane = GuidelinePane("annotation_guidelines")
    qtbot.addWidget(pane)
    pane.open_project(tmp_path, I2B2_2014, "ana")
    pane.show()
    browser, message = pane.findChild(GuidelineBrowser), pane.findChild(QLabel, "guidelineMessage")
    pane.findChild(QLineEdit).insert(words)  # as pasted; QTest types ASCII alone
    for block in (f"😀 uno {written}, dos.", f"{written}!", f"😀 uno {written}, dos."):
        QTest.keyClick(pane.findChild(QLineEdit), Qt.Key.Key_Return)
        assert browser.textCursor().selectedText() == written
        assert browser.textCursor().block().text() == block
        assert message.isHidden()
