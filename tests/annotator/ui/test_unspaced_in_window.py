"""Records in scripts without blanks between words: selecting, tagging, annotating all."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QTableView

from shared.widgets.tags.annotate_all import AnnotateAllDialog

CHINESE = "姓名：王小明，男\n王小明先生于2071年入院，王小明已服药。\n"
JAPANESE = "氏名：山田\n山田さんは2071年に入院。主治医は山田さんに説明した。\n"
THAI = "ชื่อ สมชาย\nผู้ป่วยสมชายมาพบแพทย์ แพทย์แจ้งสมชายแล้ว\n"
NAMES = {CHINESE: "王小明", JAPANESE: "山田", THAI: "สมชาย"}


@pytest.fixture(params=list(NAMES), ids=["Chinese", "Japanese", "Thai"])
def texts(request):
    return {"1-01": request.param}


def press(window, key, modifiers=Qt.KeyboardModifier.NoModifier):
    QTest.keyClick(window.view, key, modifiers)


def tag_the_name(window, text):
    name = NAMES[text]
    window.view.set_caret(text.index(name))
    for _ in name:
        press(window, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    press(window, Qt.Key.Key_T)
    return name


def tags(window, text):
    return [each.span.text_in(text) for each in window.session.tags]


def test_a_selection_of_a_name_is_tagged_as_it_is(window, texts):
    (text,) = texts.values()
    assert [tag_the_name(window, text)] == tags(window, text)


def test_a_key_at_a_caret_never_tags_the_line(window, texts):
    (text,) = texts.values()
    window.view.set_caret(text.index("\n") + 1)
    press(window, Qt.Key.Key_T)
    (tagged,) = tags(window, text)
    assert len(tagged) <= len(NAMES[text])


def test_annotate_all_finds_every_place(window, texts, qtbot):
    (text,) = texts.values()
    name = tag_the_name(window, text)
    press(window, Qt.Key.Key_A)
    table = window.findChild(AnnotateAllDialog).findChild(QTableView)
    qtbot.waitUntil(table.hasFocus)
    QTest.keyClick(table, Qt.Key.Key_Return)
    assert tags(window, text) == [name] * 3


def test_it_says_tagged_everywhere_only_when_all_places_are(window, texts, qtbot):
    (text,) = texts.values()
    name = tag_the_name(window, text)
    qtbot.waitUntil(lambda: len(window.view.marks()) == 3)
    press(window, Qt.Key.Key_F9)
    for count in (2, 3):
        assert "tagged everywhere" not in window.statusBar().currentMessage()
        press(window, Qt.Key.Key_Return)
        assert tags(window, text) == [name] * count
    assert "tagged everywhere" in window.statusBar().currentMessage()
