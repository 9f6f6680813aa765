"""Every action of the annotation window, as one table.

Menus, tool bar, shortcut sheet and tests are made from it. Plain letters and digits act only
while the text has the focus, so that one can type them anywhere else.
"""

from shared.model import Schema
from shared.widgets.actions.actions import ActionSpec
from shared.widgets.actions.common_actions import (
    ANNOTATE_ALL,
    ANNOTATOR_NOTES,
    EDIT,
    FINDING_ACTIONS,
    GO,
    HELPING,
    PATIENT,
    PREFERENCES,
    RECORDS_NEED_PATIENT,
    TAG,
    UNDO,
    edge_actions,
    look_actions,
    patient_actions,
    record_actions,
    size_actions,
    tag_actions,
)
from shared.widgets.actions.common_actions import NEED_PATIENT as FINDINGS_NEED_PATIENT
from shared.widgets.tags.place_at_hand import PlaceAction
from shared.widgets.tags.tag_editor import has_type_actions

PLACE_ACTIONS = {
    "accept": PlaceAction.ACCEPT,
    "accept_everywhere": PlaceAction.ACCEPT_EVERYWHERE,
    "reject": PlaceAction.DISMISS,
    "reject_alike": PlaceAction.DISMISS_EVERYWHERE,
    "edit_suggestion": PlaceAction.EDIT,
}
"""The actions that act on the place at hand."""
SUGGESTIONS = "&Suggestions"
SURE = 0.99
"""What one accepts all at once."""

_USUAL = patient_actions("")
PATIENTS = (
    *_USUAL[:3],
    ActionSpec(
        "compare_gold",
        "&Compare with gold standard",
        PATIENT,
        ("Ctrl+Shift+G",),
        tip="Show your tags beside the gold standard of an adjudicated patient, to read only",
        checkable=True,
    ),
    *_USUAL[3:-1],
    ActionSpec(
        "hand_in",
        "&Hand in…",
        PATIENT,
        tip="Write your work into an encrypted file for whoever handed it out; you can go on after",
        separator_before=True,
    ),
    _USUAL[-1],
)

SUGGESTION_ACTIONS = (
    ActionSpec(
        "next_suggestion",
        "&Next suggestion",
        SUGGESTIONS,
        ("F8",),
        tip="Go on to the next suggestion, in the order chosen in the pane",
        icon="next-suggestion",
    ),
    ActionSpec(
        "previous_suggestion",
        "&Previous suggestion",
        SUGGESTIONS,
        ("Shift+F8",),
        icon="previous-suggestion",
    ),
    ActionSpec(
        "accept",
        "A&ccept",
        SUGGESTIONS,
        ("Return",),
        tip="Accept the suggestion at the caret, or tag text as it is tagged elsewhere",
        icon="accept",
        separator_before=True,
    ),
    ActionSpec(
        "accept_everywhere",
        "Accept &everywhere",
        SUGGESTIONS,
        ("Shift+Return",),
        tip="Accept every suggestion on this text in the patient as this type",
    ),
    ActionSpec(
        "reject",
        "&Reject",
        SUGGESTIONS,
        ("X",),
        tip="Reject the suggestion for good; at untagged text and findings, say why",
        icon="reject",
    ),
    ActionSpec(
        "reject_alike",
        "Reject &all with this text",
        SUGGESTIONS,
        ("Shift+X",),
        tip="Reject every suggestion of this type on this text in the patient",
    ),
    ActionSpec(
        "edit_suggestion",
        "Accept and e&dit",
        SUGGESTIONS,
        ("E",),
        tip="Accept and stay, to move the edges (Alt and arrows) or give another type",
        icon="edit",
    ),
    ActionSpec(
        "accept_screen",
        "Accept &screen and go on",
        SUGGESTIONS,
        ("Ctrl+Return",),
        tip="Accept what is suggested on this screen, doubtful ones one by one, and go on below",
        separator_before=True,
    ),
    ActionSpec(
        "accept_sure",
        f"Accept all above {SURE}",
        SUGGESTIONS,
        ("Ctrl+Shift+Return",),
        tip="Accept all that is almost certain, in one step",
    ),
    ActionSpec(
        "least_sure_first",
        "&Least sure first",
        SUGGESTIONS,
        tip="Go from the least sure suggestion to the surest",
        checkable=True,
    ),
    ActionSpec(
        "suggest_again",
        "Suggest a&gain",
        SUGGESTIONS,
        ("Ctrl+F8",),
        tip="Suggest with what was trained since the patient was opened",
        separator_before=True,
    ),
    ActionSpec(
        "instructive_first",
        "&Most informative patients first",
        SUGGESTIONS,
        tip="Put the patients with the least certain suggestions first",
        checkable=True,
    ),
    ActionSpec(
        "learn",
        "Train on &finished patients now",
        SUGGESTIONS,
        tip="Train on your finished patients in the background; this also happens after each",
    ),
)
NEED_PATIENT = (
    *("patient_done", "save", "undo", "redo", "take_up_rescue", "find", "hints", "comment"),
    *("annotate_all", "repeat", "remove", "remove_alike", "retype_alike", "mend", "accept"),
    *("next_tag", "previous_tag", "next_untagged", "previous_untagged", "next_note"),
    *RECORDS_NEED_PATIENT,
    *FINDINGS_NEED_PATIENT,
    "next_suggestion",
    "previous_suggestion",
    "accept_everywhere",
    "reject",
    "reject_alike",
    "edit_suggestion",
    "accept_screen",
    "accept_sure",
    "suggest_again",
    *(each.name for each in ANNOTATOR_NOTES),
)


BEFORE_TAG = (
    *PATIENTS,
    *UNDO,
    ANNOTATE_ALL,
    *tag_actions("Remove every tag of this type on this text"),
    ActionSpec("comment", "C&omment on tag", EDIT, ("Ctrl+Alt+M",), icon="comment"),
    *edge_actions(),
)

AFTER_TAG = (
    ActionSpec("next_tag", "&Next tag", GO, ("N",), icon="next-tag"),
    ActionSpec("previous_tag", "&Previous tag", GO, ("P",), icon="previous-tag"),
    *record_actions(read_on=()),
    *look_actions("Text that is tagged elsewhere in this patient, but not here"),
    ActionSpec("focus_text", "&Text", GO, ("F6",), tip="Back to the records"),
    *size_actions(separator_before=False),
    *PREFERENCES,
    *HELPING,
)


COMPARED = (
    *("next_suggestion", "previous_suggestion", "next_record", "previous_record"),
    *("find", "hints"),
)
"""What can be done while a patient is compared with the gold standard."""
TEXT_MENU = (
    *("accept", "accept_everywhere", "reject", "edit_suggestion", ""),
    *(TAG, "annotate_all", "retype_alike", "remove", "remove_alike", ""),
    *("mend", "comment", "guidelines", ""),
    *(each.name for each in ANNOTATOR_NOTES[:3]),
)
ROW_MENU = ("accept", "accept_everywhere", "reject", "reject_alike", "edit_suggestion")
"""What is offered on a row of the list of suggestions."""


def action_table(schema: Schema) -> tuple[ActionSpec, ...]:
    """All actions of the window for a project with this schema."""
    return (
        *BEFORE_TAG,
        *type_actions(schema),
        *SUGGESTION_ACTIONS,
        *FINDING_ACTIONS,
        *ANNOTATOR_NOTES,
        *AFTER_TAG,
    )


def type_actions(schema: Schema) -> tuple[ActionSpec, ...]:
    """One action per category, by its key, and one per type, by its own key where it has one."""
    specs: list[ActionSpec] = []
    for category in schema.categories:
        specs.append(
            ActionSpec(
                f"tag.{category.name}",
                category.name.capitalize() + ("…" if len(category.types) > 1 else ""),
                TAG,
                (category.key.upper(),) if category.key else (),
                in_view_only=True,
                separator_before=True,
            )
        )
        if has_type_actions(category):
            specs.extend(
                ActionSpec(
                    f"tag.{category.name}.{each.name}",
                    f"{category.name.capitalize()}: {each.name}",
                    TAG,
                    (each.key.upper(),) if each.key else (),
                    in_view_only=True,
                )
                for each in category.types
            )
    return tuple(specs)
