"""Dates and numbers as languages write them, over line ends, taken as suggestions by keys."""

import pytest
from PySide6.QtCore import Qt

from annotator.ui.main_window import AnnotationWindow
from shared.formats.base import Record
from shared.model import Document
from shared.model.i2b2_2014 import I2B2_2014
from shared.project.project import Project
from shared.project.settings import Policy
from shared.widgets.document.marks import MarkStyle
from tests.annotator.page import press, wait_for_suggestions
from tests.builders import marked_up

SPANISH = """El paciente ingresó en la planta el [1 de
mayo de 2070|DATE] con su hijo, y vino la dra. [GIL|DOCTOR].
NHC:
[1456764|MEDICALRECORD]. Llamar al [961 555
012|PHONE].
"""
ENGLISH = "She came with her son on [May\n1|DATE] and was seen by dr. [Lee|DOCTOR].\n"
GERMAN = """Die Patientin war vom [27.02.|DATE] bis [3. März
2071|DATE] hier, der Arzt unter [(08842) 99728|PHONE].
"""
CHINESE = "王小明于[2070年5月1日|DATE]入院，[5月3日|DATE]出院。\n"
ARABIC = "دخل المريض في [1 مايو 2070|DATE] وخرج\n"


@pytest.fixture(params=[SPANISH, ENGLISH, GERMAN, CHINESE, ARABIC])
def opened(request, qtbot, tmp_path):
    """A window on one record with suggestions of the rules, and the tags that are wanted."""
    text, tags = marked_up(request.param)
    record = Record(Document("1-01", "1", text))
    project = Project.create(tmp_path / "p", "p", I2B2_2014, [record], ["ana", "ben"], 1)
    project.set_suggestions(project.suggestions.changed("ana", Policy.RULES))
    window = AnnotationWindow(project, "ana")
    qtbot.addWidget(window)
    window.show()
    window.open_patient("1")
    qtbot.waitUntil(window.view.hasFocus)
    wait_for_suggestions(window, qtbot)
    return window, text, [(each.span.text_in(text), each.phi_type.name) for each in tags]


def test_each_is_suggested_whole_and_tagged_by_enter(opened):
    window, text, wanted = opened
    suggested = [each for each in window.view.marks() if each.style is MarkStyle.SUGGESTION]
    assert sorted(text[each.start : each.end] for each in suggested) == sorted(
        each for each, _ in wanted
    )
    for _ in wanted:
        press(window, Qt.Key.Key_F8)
        press(window, Qt.Key.Key_Return)
    tagged = [(each.span.text_in(text), each.phi_type.name) for each in window.session.tags]
    assert sorted(tagged) == sorted(wanted)
