"""Every action of the adjudication window, as one table.

Menus, tool bar, shortcut sheet and tests are made from it. Digits decide here, so categories have
no key of their own: a type has its letter, or is picked from a list.
"""

from collections.abc import Iterable

from adjudicator.ui.decision_actions import DECIDE, decision_actions
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
    VIEW,
    edge_actions,
    look_actions,
    patient_actions,
    size_actions,
    tag_actions,
)
from shared.widgets.actions.finding_actions import FINDING_ACTIONS, FINDINGS, NEED_PATIENT

PATIENTS = patient_actions("Write the gold standard of the patient, and go on to the next")

EDITING = (
    *UNDO,
    ANNOTATE_ALL,
    ActionSpec(
        "accept",
        "Take as decided &before, or tag as elsewhere",
        EDIT,
        ("Return", "Enter"),
        tip="Take the earlier decision about the like; on untagged text, the type it has elsewhere",
        in_view_only=True,
    ),
    *tag_actions("Remove every tag of this type on this text from the gold standard"),
    *edge_actions(),
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
    *look_actions("Text that the gold standard has in one place of this patient, and not here"),
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
    *size_actions(separator_before=True),
    *PREFERENCES,
    *HELPING,
)


def needs_patient(specs: Iterable[ActionSpec]) -> tuple[str, ...]:
    """The actions that are grey while no patient is open."""
    always = ("patient_done", "save", "undo", "redo", "annotate_all", "find", "hints", "next_open")
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
