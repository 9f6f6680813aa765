"""Every action of the window in which the records of an audit are read, as one table."""

from collections.abc import Iterable
from dataclasses import replace

from adjudicator.ui.actions import type_actions
from shared.model import Schema
from shared.widgets.actions.actions import ActionSpec
from shared.widgets.actions.common_actions import (
    ANNOTATE_ALL,
    EDIT,
    GO,
    HELPING,
    PREFERENCES,
    TAG,
    UNDO,
    edge_actions,
    look_actions,
    patient_actions,
    record_actions,
    size_actions,
    tag_actions,
)

RECORD = "&Record"
_TEXTS = {
    "patient_done": ("Record &read to the end", "Nothing is left in it but what you have marked"),
    "next_patient": ("&Next record", ""),
    "previous_patient": ("&Previous record", ""),
    "quit": ("&Close", ""),
}
_RECORDS = tuple(
    replace(spec, menu=RECORD, text=_TEXTS[spec.name][0], tip=_TEXTS[spec.name][1])
    for spec in patient_actions("")
    if spec.name in _TEXTS
)
_PLACES = (
    ActionSpec(
        "accept",
        "Tag as else&where",
        EDIT,
        ("Return", "Enter"),
        tip="Tag untagged text as you have tagged it elsewhere in the record",
    ),
)
_READ_ON = tuple(spec for spec in record_actions(read_on=("V",)) if spec.name == "read_on")
_WITHIN = (
    ActionSpec("next_tag", "Next &tag", GO, ("F7",), separator_before=True),
    ActionSpec("previous_tag", "Previous tag", GO, ("Shift+F7",)),
)
_UNSEEN = (ActionSpec("close_note", "Close note", ""),)
"""There are no notes in an audit, but a list for them."""
TEXT_MENU = (TAG, "annotate_all", "retype_alike", "remove", "remove_alike", "", "guidelines")


def needs_record(specs: Iterable[ActionSpec]) -> tuple[str, ...]:
    """The actions that are grey while no record is open."""
    always = ("next_patient", "previous_patient", "quit")
    return tuple(
        spec.name
        for spec in specs
        if spec.menu in (RECORD, EDIT, TAG, GO) and spec.name not in always
    )


def action_table(schema: Schema) -> tuple[ActionSpec, ...]:
    """All actions of the window, in order of the menus."""
    before = (
        *_RECORDS,
        *UNDO,
        ANNOTATE_ALL,
        *_PLACES,
        *(
            each
            for each in tag_actions("Remove every tag of this type on this text")
            if each.name != "mend"
        ),
        *edge_actions(),
    )
    looks = look_actions("Text that you have tagged elsewhere in this record, but not here")
    after = (
        *_READ_ON,
        *_WITHIN,
        *(each for each in looks if each.name != "next_note"),
        ActionSpec("focus_text", "Te&xt", GO, ("F6",), tip="Back to the record"),
        *size_actions(separator_before=False),
        *PREFERENCES,
        *HELPING,
        *_UNSEEN,
    )
    taken = {key.upper() for spec in (*before, *after) for key in spec.shortcuts}
    return (*before, *type_actions(schema, taken), *after)
