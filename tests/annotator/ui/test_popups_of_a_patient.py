"""What is asked about a patient is not answered about another."""

import pytest
from PySide6.QtCore import QRect
from PySide6.QtWidgets import QDialog

from shared.widgets.parts.choice_popup import ChoicePopup
from shared.widgets.tags.type_palette import TypePicker


@pytest.fixture
def texts():
    return {"1-01": "Kai and Lee came.", "2-01": "Mia left."}


def test_a_list_of_types_goes_with_the_patient_that_it_was_opened_for(window, qtbot):
    """Behind another window too, where the list never has the keyboard and so cannot lose it."""
    other = QDialog()
    qtbot.addWidget(other)
    with qtbot.waitActive(other):
        other.show()
        other.activateWindow()
    picker = window.view.findChild(TypePicker, "typePicker")
    types = [each.phi_type for each in window.session.project.schema.types()]
    picker.open(types, None, QRect(0, 0, 10, 10))
    assert picker.isVisible()
    window.open_patient("2")
    assert window.session.patient_id == "2"
    assert not any(each.isVisible() for each in window.findChildren(ChoicePopup))
