"""Every action of the annotation window, as one table.

Menus, tool bar, shortcut sheet and tests are made from it. Plain letters and digits act only
while the text has the focus, so that one can type them anywhere else.
"""

from annotator.ui.suggestion_actions import SUGGESTION_ACTIONS
from shared.model import Schema
from shared.widgets.actions.actions import ActionSpec
from shared.widgets.actions.common_actions import (
    ANNOTATE_ALL,
    EDIT,
    FINDING_ACTIONS,
    GO,
    HELPING,
    PREFERENCES,
    TAG,
    UNDO,
    edge_actions,
    look_actions,
    patient_actions,
    size_actions,
    tag_actions,
)
from shared.widgets.tags.tag_editor import has_type_actions

BEFORE_TAG = (
    *patient_actions(""),
    *UNDO,
    ANNOTATE_ALL,
    *tag_actions("Remove every tag of this type on this text"),
    ActionSpec("comment", "&Comment on tag", EDIT, ("Ctrl+Alt+M",), icon="comment"),
    *edge_actions(),
)

AFTER_TAG = (
    ActionSpec("next_tag", "&Next tag", GO, ("N",), icon="next-tag", in_view_only=True),
    ActionSpec("previous_tag", "&Previous tag", GO, ("P",), icon="previous-tag", in_view_only=True),
    *look_actions("Text that is tagged elsewhere in this patient, but not here"),
    ActionSpec("focus_text", "&Text", GO, ("F6",), tip="Back to the records"),
    *size_actions(separator_before=False),
    *PREFERENCES,
    *HELPING,
)


TEXT_MENU = (
    *("accept", "accept_everywhere", "reject", "edit_suggestion", ""),
    *(TAG, "annotate_all", "retype_alike", "remove", "remove_alike", ""),
    *("mend", "comment", "guidelines"),
)


def action_table(schema: Schema) -> tuple[ActionSpec, ...]:
    """All actions of the window for a project with this schema."""
    return (
        *BEFORE_TAG,
        *type_actions(schema),
        *SUGGESTION_ACTIONS,
        *FINDING_ACTIONS,
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
