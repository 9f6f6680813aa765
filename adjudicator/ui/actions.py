"""Every action of the adjudication window, as one table.

Menus, tool bar, shortcut sheet and tests are made from it. Digits decide here, so categories have
no key of their own: a type has its letter, or is picked from a list.
"""

from collections.abc import Iterable

from shared.model import Schema
from shared.widgets.actions import ActionSpec

PATIENT, DECIDE, EDIT, TAG, GO, VIEW, HELP = (
    "&Patient",
    "&Decide",
    "&Edit",
    "&Tag",
    "&Go",
    "&View",
    "&Help",
)
_ALIKE = "The same for every disagreement of this patient that is alike"

BEFORE_TAG = (
    ActionSpec(
        "patient_done",
        "Patient &done",
        PATIENT,
        ("Ctrl+D",),
        tip="Write the gold standard of the patient, and go on to the next",
        icon="done",
    ),
    ActionSpec("next_patient", "&Next patient", PATIENT, ("Ctrl+PgDown",)),
    ActionSpec("previous_patient", "&Previous patient", PATIENT, ("Ctrl+PgUp",)),
    ActionSpec("save", "&Save now", PATIENT, ("Ctrl+S",), icon="save", separator_before=True),
    ActionSpec("take_up_rescue", "Take up a &rescue file…", PATIENT),
    ActionSpec("quit", "&Quit", PATIENT, ("Ctrl+Q",), separator_before=True),
    ActionSpec(
        "take_first", "Take the &first", DECIDE, ("1",), icon="take-first", in_view_only=True
    ),
    ActionSpec(
        "take_second", "Take the &second", DECIDE, ("2",), icon="take-second", in_view_only=True
    ),
    ActionSpec(
        "take_both",
        "Take &both",
        DECIDE,
        ("3",),
        tip="Both annotators' tags, where they do not overlap",
        icon="take-both",
        in_view_only=True,
    ),
    ActionSpec(
        "take_neither", "Take &neither", DECIDE, ("0",), icon="take-neither", in_view_only=True
    ),
    ActionSpec(
        "edit_decision",
        "&Edit",
        DECIDE,
        ("E",),
        tip="Take one and change it: move its edges with Alt and the arrows, or give it a type",
        icon="edit",
        in_view_only=True,
    ),
    ActionSpec(
        "take_first_alike",
        "Take the first, all alike",
        DECIDE,
        ("Shift+1",),
        tip=_ALIKE,
        in_view_only=True,
        separator_before=True,
    ),
    ActionSpec(
        "take_second_alike",
        "Take the second, all alike",
        DECIDE,
        ("Shift+2",),
        tip=_ALIKE,
        in_view_only=True,
    ),
    ActionSpec(
        "take_both_alike",
        "Take both, all alike",
        DECIDE,
        ("Shift+3",),
        tip=_ALIKE,
        in_view_only=True,
    ),
    ActionSpec(
        "take_neither_alike",
        "Take neither, all alike",
        DECIDE,
        ("Shift+0",),
        tip=_ALIKE,
        in_view_only=True,
    ),
    ActionSpec(
        "edit_decision_alike",
        "As edited, all alike",
        DECIDE,
        ("Shift+E",),
        tip="Decide every disagreement that is alike as this one was edited",
        in_view_only=True,
    ),
    ActionSpec(
        "reopen",
        "&Open again",
        DECIDE,
        ("Backspace",),
        tip="Take the decision back",
        in_view_only=True,
        separator_before=True,
    ),
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
        "accept",
        "Ta&g here as elsewhere",
        EDIT,
        ("Return", "Enter"),
        tip="Give the untagged text at the caret the type that it has elsewhere",
        in_view_only=True,
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
        tip="Remove every tag of this type on this text from the gold standard",
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
        "start_left",
        "Start one character left",
        EDIT,
        ("Alt+Left",),
        in_view_only=True,
        separator_before=True,
    ),
    ActionSpec("start_right", "Start one character right", EDIT, ("Alt+Right",), in_view_only=True),
    ActionSpec("end_left", "End one character left", EDIT, ("Alt+Up",), in_view_only=True),
    ActionSpec("end_right", "End one character right", EDIT, ("Alt+Down",), in_view_only=True),
    ActionSpec(
        "start_word_left", "Start one word left", EDIT, ("Alt+Shift+Left",), in_view_only=True
    ),
    ActionSpec(
        "start_word_right", "Start one word right", EDIT, ("Alt+Shift+Right",), in_view_only=True
    ),
    ActionSpec("end_word_left", "End one word left", EDIT, ("Alt+Shift+Up",), in_view_only=True),
    ActionSpec(
        "end_word_right", "End one word right", EDIT, ("Alt+Shift+Down",), in_view_only=True
    ),
    ActionSpec(
        "tag_as",
        "Tag as…",
        TAG,
        ("Space",),
        tip="Pick the type of the selection, or of the tag at the caret, from a list",
        in_view_only=True,
    ),
)

AFTER_TAG = (
    ActionSpec(
        "next_disagreement",
        "&Next disagreement",
        GO,
        ("N",),
        icon="next-disagreement",
        in_view_only=True,
    ),
    ActionSpec(
        "previous_disagreement",
        "&Previous disagreement",
        GO,
        ("P",),
        icon="previous-disagreement",
        in_view_only=True,
    ),
    ActionSpec("next_open", "Next &open disagreement", GO, ("F8",)),
    ActionSpec("next_tag", "Next &tag", GO, ("F7",), separator_before=True),
    ActionSpec("previous_tag", "Previous tag", GO, ("Shift+F7",)),
    ActionSpec(
        "next_untagged",
        "Next &untagged occurrence",
        GO,
        ("F9",),
        tip="Text that the gold standard has in one place of this patient, and not here",
        icon="next-untagged",
    ),
    ActionSpec("previous_untagged", "Previous untagged occurrence", GO, ("Shift+F9",)),
    ActionSpec("find", "&Find…", GO, ("Ctrl+F",), icon="find", separator_before=True),
    ActionSpec("focus_text", "&Records", GO, ("F6",), tip="Back to the records"),
    ActionSpec("focus_table", "&List of disagreements", GO, ("Shift+F6",)),
    ActionSpec(
        "hide_names",
        "&Hide names",
        VIEW,
        tip="Say First and Second instead of the annotators' names",
        checkable=True,
    ),
    ActionSpec("larger", "&Larger text", VIEW, ("Ctrl++", "Ctrl+="), separator_before=True),
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

DECISIONS = tuple(spec.name for spec in BEFORE_TAG if spec.menu == DECIDE)
"""The actions that also act while the list of disagreements has the focus."""

NEEDS_PATIENT = (
    "patient_done",
    "save",
    "undo",
    "redo",
    "annotate_all",
    "find",
    "next_open",
    *DECISIONS,
)
"""The actions that are grey while no patient is open."""


def action_table(schema: Schema) -> tuple[ActionSpec, ...]:
    """All actions for a schema, in the order of the menus."""
    fixed = (*BEFORE_TAG, *AFTER_TAG)
    taken = {key.upper() for spec in fixed for key in spec.shortcuts}
    return (*BEFORE_TAG, *_type_actions(schema, taken), *AFTER_TAG)


def _type_actions(schema: Schema, taken: Iterable[str]) -> Iterable[ActionSpec]:
    """One action per category and per type; a type whose key this window needs goes without."""
    for category in schema.categories:
        several = len(category.types) > 1
        title = category.name.capitalize()
        keyed = several or bool(category.types[0].key)
        yield ActionSpec(
            f"tag.{category.name}", title + ("…" if several else ""), TAG, separator_before=True
        )
        for each in category.types if keyed else ():
            key = each.key.upper()
            yield ActionSpec(
                f"tag.{category.name}.{each.name}",
                f"{title}: {each.name}",
                TAG,
                (key,) if key and key not in taken else (),
                in_view_only=True,
            )
