"""Every action of the annotation window, as one table.

Menus, tool bar, shortcut sheet and tests are made from it. Plain letters and digits act only
while the text has the focus, so that one can type them anywhere else.
"""

from annotator.ui.suggestion_actions import SUGGESTION_ACTIONS
from shared.model import Schema
from shared.widgets.actions import ActionSpec
from shared.widgets.edge_actions import edge_actions
from shared.widgets.finding_actions import FINDING_ACTIONS
from shared.widgets.tag_editor import has_type_actions

PATIENT, EDIT, TAG, GO, VIEW, HELP = "&Patient", "&Edit", "&Tag", "&Go", "&View", "&Help"

BEFORE_TAG = (
    ActionSpec("patient_done", "Patient &done", PATIENT, ("Ctrl+D",), icon="done"),
    ActionSpec("next_patient", "&Next patient", PATIENT, ("Ctrl+PgDown",)),
    ActionSpec("previous_patient", "&Previous patient", PATIENT, ("Ctrl+PgUp",)),
    ActionSpec("save", "&Save now", PATIENT, ("Ctrl+S",), icon="save", separator_before=True),
    ActionSpec("take_up_rescue", "Take up a &rescue file…", PATIENT),
    ActionSpec("quit", "&Quit", PATIENT, ("Ctrl+Q",), separator_before=True),
    ActionSpec("undo", "&Undo", EDIT, ("Ctrl+Z",), icon="undo"),
    ActionSpec("redo", "&Redo", EDIT, ("Ctrl+Shift+Z", "Ctrl+Y"), icon="redo"),
    ActionSpec(
        "annotate_all",
        "&Annotate all…",
        EDIT,
        ("A",),
        tip="Tag every place of the patient with this text, after a look at each",
        icon="annotate-all",
        in_view_only=True,
        separator_before=True,
    ),
    ActionSpec(
        "repeat",
        "Re&peat the last tagging",
        EDIT,
        (".",),
        tip="Tag the selection, or else the next search hit, as the last one",
        in_view_only=True,
    ),
    ActionSpec("remove", "Re&move tag", EDIT, ("Del",), icon="remove", in_view_only=True),
    ActionSpec(
        "remove_alike",
        "Remove all a&like",
        EDIT,
        ("Shift+Del",),
        tip="Remove every tag of this type on this text",
        in_view_only=True,
    ),
    ActionSpec(
        "retype_alike",
        "Ret&ype all alike…",
        EDIT,
        ("Ctrl+R",),
        tip="Give every tag of this type on this text another type",
    ),
    ActionSpec(
        "mend",
        "Men&d by the guidelines",
        EDIT,
        ("F2",),
        tip="Do what the guideline note on the tag proposes",
    ),
    ActionSpec("comment", "&Comment on tag", EDIT, ("Ctrl+Alt+M",), icon="comment"),
    *edge_actions(EDIT),
)

AFTER_TAG = (
    ActionSpec("next_tag", "&Next tag", GO, ("N",), icon="next-tag", in_view_only=True),
    ActionSpec("previous_tag", "&Previous tag", GO, ("P",), icon="previous-tag", in_view_only=True),
    ActionSpec(
        "next_untagged",
        "Next &untagged occurrence",
        GO,
        ("F9",),
        tip="Text that is tagged elsewhere in this patient, and not here",
        icon="next-untagged",
    ),
    ActionSpec("previous_untagged", "Previous untagged occurrence", GO, ("Shift+F9",)),
    ActionSpec("next_note", "Next guideline n&ote", GO, ("F4",)),
    ActionSpec("find", "&Find…", GO, ("Ctrl+F",), icon="find", separator_before=True),
    ActionSpec("focus_text", "&Text", GO, ("F6",), tip="Back to the records"),
    ActionSpec("larger", "&Larger text", VIEW, ("Ctrl++", "Ctrl+=")),
    ActionSpec("smaller", "&Smaller text", VIEW, ("Ctrl+-",)),
    ActionSpec("usual_size", "&Usual size", VIEW, ("Ctrl+0",)),
    ActionSpec("dark", "&Dark", VIEW, ("Ctrl+Shift+D",), checkable=True, separator_before=True),
    ActionSpec(
        "preferences",
        "P&references…",
        VIEW,
        ("Ctrl+,",),
        tip="Font, size, line spacing, theme and keys",
    ),
    ActionSpec("commands", "&Commands…", HELP, ("Ctrl+K",), tip="Find an action by its words"),
    ActionSpec("guidelines", "&Guidelines", HELP, ("F1",), icon="guidelines"),
    ActionSpec("shortcuts", "&Shortcuts", HELP, ("?",), in_view_only=True),
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
