"""Every control has a name for those who cannot see it, and can be reached by keyboard."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QAbstractButton, QAbstractItemView, QLineEdit, QPlainTextEdit, QWidget

from shared.model.i2b2_2014 import I2B2_2014
from shared.widgets.actions.shortcut_sheet import ShortcutSheet
from shared.widgets.document.document_view import DocumentView
from shared.widgets.document.find_bar import FindBar
from shared.widgets.parts.messages import StatusBanner
from shared.widgets.tags.annotate_all import AnnotateAllDialog
from shared.widgets.tags.tag_table import TagTable
from shared.widgets.tags.type_palette import TypePalette, TypePicker

CONTROLS = (QAbstractButton, QAbstractItemView, QLineEdit, QPlainTextEdit)
MAKERS = {
    "view": lambda _: DocumentView(),
    "find": lambda _: FindBar(DocumentView()),
    "banner": lambda _: StatusBanner(),
    "palette": lambda _: TypePalette(I2B2_2014),
    "picker": lambda window: TypePicker(I2B2_2014, window),
    "table": lambda _: TagTable(),
    "review": lambda _: AnnotateAllDialog("DOCTOR"),
    "sheet": ShortcutSheet,
}


@pytest.fixture(params=MAKERS)
def part(request, qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    part = MAKERS[request.param](window)
    qtbot.addWidget(part)
    yield part
    part.close()


def controls(part):
    found = [each for each in part.findChildren(QWidget) if isinstance(each, CONTROLS)]
    found += [part] if isinstance(part, CONTROLS) else []
    # what Qt puts inside its own controls is theirs
    return [each for each in found if not each.objectName().startswith("qt_") and _own(each)]


def _own(control):
    parent = control.parent()
    return not isinstance(parent, (QLineEdit, QAbstractItemView))


def test_every_control_has_a_name(part):
    nameless = [each for each in controls(part) if not _told_name(each)]
    assert controls(part)
    assert nameless == []


def _told_name(control):
    return QAccessible.queryAccessibleInterface(control).text(QAccessible.Text.Name).strip()


def test_every_button_can_be_reached_by_keyboard(part):
    for each in controls(part):
        if isinstance(each, QAbstractButton):
            assert each.focusPolicy() & Qt.FocusPolicy.TabFocus


def test_the_document_view_is_read_as_text(show_view):
    view = show_view("Seen by Dr. Lee")
    view.set_caret(5)
    interface = QAccessible.queryAccessibleInterface(view)
    text = interface.textInterface()
    assert interface.role() is QAccessible.Role.EditableText
    assert text.text(0, 4) == "Seen"
    assert text.cursorPosition() == 5
