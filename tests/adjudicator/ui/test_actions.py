from collections import Counter

import pytest

from adjudicator.ui.actions import action_table
from annotator.ui.actions import action_table as annotation_table
from shared.model import PhiType, Schema, SchemaCategory, SchemaType
from shared.model.i2b2_2014 import I2B2_2014
from shared.widgets.actions.actions import key_conflicts


def keys_of(schema: Schema, action: str) -> tuple[str, ...]:
    return next(spec.shortcuts for spec in action_table(schema) if spec.name == action)


def test_no_key_is_there_twice():
    assert not key_conflicts(action_table(I2B2_2014))


@pytest.mark.parametrize("table", [action_table, annotation_table])
def test_no_letter_leads_to_two_actions_of_a_menu(table):
    letters = [
        (spec.menu, spec.text[spec.text.index("&") + 1].lower())
        for spec in table(I2B2_2014)
        if "&" in spec.text
    ]
    assert len(letters) > 30
    assert [each for each, times in Counter(letters).items() if times > 1] == []


@pytest.mark.parametrize(
    ("action", "keys"),
    [
        ("take_first", ("1",)),
        ("take_second", ("2",)),
        ("take_both", ("3",)),
        ("take_neither", ("0",)),
        ("edit_decision", ("E",)),
        ("take_first_alike", ("Shift+1",)),
        ("tag.NAME.PATIENT", ("T",)),
    ],
)
def test_keys_are_those_of_the_design(action, keys):
    assert keys_of(I2B2_2014, action) == keys


def test_categories_leave_the_digits_to_decisions():
    assert keys_of(I2B2_2014, "tag.NAME") == ()


def test_a_type_whose_key_the_window_needs_goes_without():
    types = (SchemaType(PhiType("X", "A"), key="n"), SchemaType(PhiType("X", "B"), key="w"))
    schema = Schema("odd", (SchemaCategory("X", types),))
    assert not key_conflicts(action_table(schema))
    assert keys_of(schema, "tag.X.A") == ()
    assert keys_of(schema, "tag.X.B") == ("W",)
