"""Every action of the adjudication window, as one table.

Menus, tool bar, shortcut sheet and tests are made from it. Digits decide here, so categories have
no key of their own: a type has its letter, or is picked from a list.
"""

from collections.abc import Iterable

from adjudicator.ui.decision_actions import DECIDE, decision_actions
from shared.model import Schema
from shared.widgets.actions import ActionSpec
from shared.widgets.edge_actions import edge_actions
from shared.widgets.finding_actions import FINDING_ACTIONS, FINDINGS, NEED_PATIENT

PATIENT, EDIT, TAG, GO, VIEW, HELP = "&Patient", "&Edit", "&Tag", "&Go", "&View", "&Help"

PATIENTS = (
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
)

EDITING = (
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
        "Take as decided &before, or tag as elsewhere",
        EDIT,
        ("Return", "Enter"),
        tip="Take the earlier decision about the like; on untagged text, the type it has elsewhere",
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
        "mend",
        "Men&d by the guidelines",
        EDIT,
        ("F2",),
        tip="Do what the guideline note on the tag proposes",
    ),
    *edge_actions(EDIT),
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
    *FINDING_ACTIONS,
    ActionSpec(
        "other_patients",
        "&Other patients too",
        FINDINGS,
        tip="Doctors, hospitals and places too that only other patients' gold standard has",
        checkable=True,
    ),
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
    ActionSpec(
        "read_on",
        "Read &on",
        GO,
        ("V",),
        tip="Take this page as read, and go to the next text that has not been on the screen",
        in_view_only=True,
        separator_before=True,
    ),
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
    ActionSpec("next_note", "Next guideline n&ote", GO, ("F4",)),
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
    ActionSpec(
        "agreement",
        "&Agreement…",
        VIEW,
        ("Ctrl+Shift+A",),
        tip="How far the annotators agree, with the tags behind every number",
    ),
    ActionSpec(
        "release",
        "&Release…",
        VIEW,
        ("Ctrl+Shift+R",),
        tip="Every PHI with its surrogate, what stands in the way, and the release itself",
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


def needs_patient(specs: Iterable[ActionSpec]) -> tuple[str, ...]:
    """The actions that are grey while no patient is open."""
    always = ("patient_done", "save", "undo", "redo", "annotate_all", "find", "next_open")
    return (*always, *NEED_PATIENT, *(spec.name for spec in specs if spec.menu == DECIDE))


def action_table(schema: Schema, sides: int = 2) -> tuple[ActionSpec, ...]:
    """All actions for a schema and up to so many annotators of a patient, in order of the menus."""
    before = (*PATIENTS, *decision_actions(sides), *EDITING)
    taken = {key.upper() for spec in (*before, *AFTER_TAG) for key in spec.shortcuts}
    return (*before, *_type_actions(schema, taken), *AFTER_TAG)


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
