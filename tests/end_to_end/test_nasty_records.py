"""What hospitals send goes through import, tagging, saving and opening with every offset right."""

import pytest
from lxml import etree
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from annotator.session import AnnotationSession
from annotator.ui.main_window import AnnotationWindow
from shared.formats.corpus import read_corpus
from shared.model.i2b2_2014 import I2B2_2014
from shared.project.project import Project

pytestmark = pytest.mark.end_to_end

NASTY = {
    "emoji": "\U0001f600\U0001f469\u200d\u2695\ufe0f Zoe \U0001f600",
    "form feed": "one\x0ctwo Zoe\x0c three \x00\x1b Zoe",
    "carriage returns": "one\r\ntwo\r\n\r\nZoe\rthree\r\n",
    "combining accent": "Jose\u0301 a\u0308 Zoe",
    "right to left": "שלום Zoe مرحبا بالعالم (Zoe)",
    "byte-order mark": "\ufeffZoe \ufeff Zoe \u2028\u2029\xa0 Zoe",
    "five megabytes": "word \U0001f600 word\n" * 400_000 + "Zoe",
}


@pytest.mark.parametrize("kind", NASTY)
def test_every_offset_is_right(kind, tmp_path, qtbot):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "7-01.txt").write_bytes(NASTY[kind].encode())
    records = read_corpus(tmp_path / "in").records
    project = Project.create(tmp_path / "p", "p", I2B2_2014, records, ["ana", "ben"], 1)
    text = project.patient("7").documents[0].text
    tag_zoe(project, text, qtbot)
    with AnnotationSession(project, "ana", "7") as session:
        assert [each.span.text_in(text) for each in session.tags] == ["Zoe"]
    root = etree.parse(project.layer_path("ana", "7-01"), etree.XMLParser(huge_tree=True)).getroot()
    (tag,) = root.find("TAGS")
    start, end = int(tag.get("start")), int(tag.get("end"))
    assert root.findtext("TEXT")[start:end] == tag.get("text") == "Zoe"


def tag_zoe(project, text, qtbot):
    window = AnnotationWindow(project, "ana")
    qtbot.addWidget(window)
    window.show()
    window.open_patient("7")
    qtbot.waitUntil(window.view.hasFocus)
    window.view.set_caret(text.rindex("Zoe"))
    QTest.keyClick(window.view, Qt.Key.Key_T)
    assert window.close()
