"""Every type has a button that asks to be armed; which one is, the owner says."""

import pytest
from PySide6.QtWidgets import QLabel, QToolButton

from shared.formats.schema_auto import schema_of_types
from shared.model import PhiType
from shared.model.i2b2_2014 import I2B2_2014
from shared.model.meddocan import MEDDOCAN_TRAITS
from shared.widgets.look.theme import DARK
from shared.widgets.tags.type_palette import TypePalette

DOCTOR = PhiType("NAME", "DOCTOR")


@pytest.fixture
def palette(qtbot):
    palette = TypePalette(I2B2_2014)
    qtbot.addWidget(palette)
    return palette


def test_every_type_has_a_button_with_name_and_key(palette):
    for each in I2B2_2014.types():
        button = palette.button(each.phi_type)
        assert button.text() == each.name
        assert each.name in button.accessibleName()
        assert (f"key {each.key}" in button.accessibleName()) == bool(each.key)


def test_a_click_asks_and_does_not_arm_by_itself(palette, qtbot):
    with qtbot.waitSignal(palette.type_clicked) as asked:
        palette.button(DOCTOR).click()
    assert asked.args == [DOCTOR]
    assert not palette.button(DOCTOR).isChecked()


def test_the_armed_type_is_shown_alone(palette):
    palette.set_armed(PhiType("DATE", "DATE"))
    palette.set_armed(DOCTOR)
    checked = [t.phi_type for t in I2B2_2014.types() if palette.button(t.phi_type).isChecked()]
    assert checked == [DOCTOR] == [palette.armed]
    palette.set_armed(None)
    assert not palette.button(DOCTOR).isChecked()


def test_key_caps_follow_the_theme(palette):
    before = palette.button(DOCTOR).icon().pixmap(24, 20).toImage()
    palette.apply_theme(DARK)
    assert palette.button(DOCTOR).icon().pixmap(24, 20).toImage() != before


def test_every_button_has_the_height_it_needs(palette, qtbot):
    palette.resize(330, 430)
    palette.show()
    buttons = [palette.button(each.phi_type) for each in I2B2_2014.types()]
    assert {each.height() for each in buttons} == {buttons[0].sizeHint().height()}


def test_a_category_with_one_type_of_its_name_has_no_title_but_its_key(palette):
    titles = [each.text() for each in palette.findChildren(QLabel)]
    assert {"NAME   1", "2", "LOCATION   3", "4", "5", "CONTACT   6"} <= set(titles)
    assert not any(each.startswith("AGE") for each in titles)


def test_contact_and_the_first_ids_are_in_sight_in_a_window_of_860_pixels(palette):
    palette.resize(360, 500)
    palette.show()
    for name in ("IPADDR", "SSN", "MEDICALRECORD"):
        button = next(each for each in palette.findChildren(QToolButton) if each.text() == name)
        assert button.visibleRegion().boundingRect().height() > button.height() / 2


def test_types_taken_from_records_are_each_reached_by_a_letter(qtbot):
    schema = schema_of_types([*list(MEDDOCAN_TRAITS)[:14], PhiType("MISC", "THING")], "auto")
    palette = TypePalette(schema)
    qtbot.addWidget(palette)
    names = [palette.button(each.phi_type).accessibleName() for each in schema.types()]
    assert all(", key " in name for name in names)
    assert len({name.rpartition(" ")[2] for name in names}) == 15
