"""Every action of the adjudication window, as one table.

Menus, tool bar, shortcut sheet and tests are made from it. Digits decide here, so categories have
no key of their own: a type has its letter, or is picked from a list.
"""

from collections.abc import Iterable, Iterator, Mapping

from adjudicator.decisions import SIDES, DecisionChoice
from shared.model import Schema
from shared.widgets.actions.actions import ActionSpec
from shared.widgets.actions.common_actions import (
    ADJUDICATOR_NOTES,
    ANNOTATE_ALL,
    EDIT,
    FINDING_ACTIONS,
    FINDINGS,
    GO,
    HELPING,
    NEED_PATIENT,
    PATIENT,
    PREFERENCES,
    RECORDS_NEED_PATIENT,
    TAG,
    UNDO,
    VIEW,
    edge_actions,
    look_actions,
    patient_actions,
    record_actions,
    size_actions,
    tag_actions,
)

DECIDE = "&Decide"
_TIPS = {"both": "All annotators' tags, where they do not overlap"}
_EDIT = "Take up the longest tag: Enter confirms it, Alt and arrows move its edges, or give a type"
_ALIKE = "The same for every similar disagreement of this patient, after a look at each"
_BY_FORM = "Decide this one, then review all that differ in the same way"
_ICONS = {DecisionChoice.FIRST: "take-first", DecisionChoice.SECOND: "take-second"}
_USUAL = patient_actions("Write the gold standard of the patient, and go on to the next")
PATIENTS = (
    *_USUAL[:3],
    ActionSpec(
        "skip_patient",
        "S&kip patient…",
        PATIENT,
        tip="Leave the patient out for now, with a reason; what was decided stays",
    ),
    ActionSpec(
        "reopen_patient",
        "Re&open patient",
        PATIENT,
        tip="Put a patient that is done or skipped back among those to do; the gold standard stays",
    ),
    *_USUAL[3:],
)
EDITING = (
    *UNDO,
    ANNOTATE_ALL,
    ActionSpec(
        "accept",
        "Apply earlier &decision, or tag as elsewhere",
        EDIT,
        ("Return", "Enter"),
        tip="Decide as a similar one was decided; tag untagged text as it is tagged elsewhere",
    ),
    ActionSpec(
        "reject",
        "Dismiss…",
        EDIT,
        ("X",),
        tip="Say why the finding or untagged text at the caret is none",
        icon="reject",
    ),
    ActionSpec(
        "reject_alike",
        "Dismiss everywhere…",
        EDIT,
        ("Shift+X",),
        tip="The same for all that is similar, or has the same text",
    ),
    *tag_actions("Remove every tag of this type on this text from the gold standard"),
    *edge_actions(),
    ActionSpec(
        "tag_as",
        "Tag as…",
        TAG,
        ("Space",),
        "Pick the type of the selection, or of the tag at the caret, from a list",
    ),
)
AFTER_TAG = (
    *FINDING_ACTIONS,
    ActionSpec(
        "other_patients",
        "&Other patients too",
        FINDINGS,
        tip="Also doctors, hospitals and places that are tagged in other patients only",
        checkable=True,
    ),
    *ADJUDICATOR_NOTES,
    ActionSpec("next_disagreement", "&Next disagreement", GO, ("N",), icon="next-disagreement"),
    ActionSpec(
        "previous_disagreement",
        "&Previous disagreement",
        GO,
        ("P",),
        icon="previous-disagreement",
    ),
    ActionSpec("next_open", "Next &open disagreement", GO, ("F8",)),
    *record_actions(read_on=("V",)),
    ActionSpec("next_tag", "Next &tag", GO, ("F7",), separator_before=True),
    ActionSpec("previous_tag", "Previous tag", GO, ("Shift+F7",)),
    *look_actions("Text that is tagged elsewhere in this patient's gold standard, but not here"),
    ActionSpec("focus_text", "&Records", GO, ("F6",), tip="Back to the records"),
    ActionSpec("focus_table", "&List of disagreements", GO, ("Shift+F6",)),
    ActionSpec(
        "hide_names",
        "&Hide names",
        VIEW,
        tip="Show First and Second instead of the annotators' names",
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
        tip="All PHI with their surrogates, what stands in the way, and the release itself",
    ),
    ActionSpec(
        "risk",
        "&What may be left…",
        VIEW,
        ("Ctrl+Shift+L",),
        tip="Estimates of what nobody found, and audits: records drawn at random, read in full",
    ),
    *size_actions(separator_before=True),
    *PREFERENCES,
    *HELPING,
)
TEXT_MENU = (
    *("take_first", "take_second", "take_both", "take_neither", "edit_decision", "reopen", ""),
    *(TAG, "annotate_all", "retype_alike", "remove", "remove_alike", ""),
    *("mend", "discuss", "reason", "guidelines", ""),
    *(each.name for each in ADJUDICATOR_NOTES[:2]),
)
ROW_MENU = (*TEXT_MENU[:6], "discuss", "reason")
"""What is offered on a row of the list of disagreements."""


def needs_patient(specs: Iterable[ActionSpec]) -> tuple[str, ...]:
    """The actions that are grey while no patient is open."""
    always = (
        "patient_done",
        "skip_patient",
        "reopen_patient",
        "save",
        "undo",
        "redo",
        "annotate_all",
        "find",
        "hints",
        "next_open",
    )
    always += ("accept", "reject", "reject_alike")
    common = (*always, "write_note", *NEED_PATIENT, *RECORDS_NEED_PATIENT)
    return (*common, *(spec.name for spec in specs if spec.menu == DECIDE))


def action_table(schema: Schema, sides: int = 2) -> tuple[ActionSpec, ...]:
    """All actions for a schema and up to so many annotators of a patient, in order of the menus."""
    before = (*PATIENTS, *decision_actions(sides), *EDITING)
    taken = {key.upper() for spec in (*before, *AFTER_TAG) for key in spec.shortcuts}
    return (*before, *type_actions(schema, taken), *AFTER_TAG)


def type_actions(schema: Schema, taken: Iterable[str]) -> Iterable[ActionSpec]:
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
            )


_Takes = Mapping[str, tuple[str, str, str]]
"""What one key takes, by name: in words, the key, the icon."""


def decision_actions(sides: int) -> tuple[ActionSpec, ...]:
    """The actions that decide, for patients with up to so many annotators.

    Each is there three times: for the disagreement on show, with Shift for all similar ones, with
    Alt for all of the same form, after a look at each.
    """
    together = ("&both", "3", "take-both") if sides == 2 else ("&all", "9", "")
    takes: _Takes = {
        **{
            choice.value: (f"the &{choice.value}", str(number), _ICONS.get(choice, ""))
            for number, choice in enumerate(SIDES[:sides], start=1)
        },
        "both": together,
        "neither": ("&no tag", "0", "take-neither"),
    }

    return (
        *(
            ActionSpec(f"take_{name}", f"Take {text}", DECIDE, (key,), _TIPS.get(name, ""), icon)
            for name, (text, key, icon) in takes.items()
        ),
        ActionSpec("edit_decision", "&Edit", DECIDE, ("E",), _EDIT, "edit"),
        ActionSpec(
            "review_precedents",
            "De&cided before…",
            DECIDE,
            ("Shift+Return", "Shift+Enter"),
            "All that is open and similar to earlier decisions, to be ticked and decided",
            in_view_only=False,
            separator_before=True,
        ),
        *_for_many(takes, "alike", "for all similar", "Shift", _ALIKE),
        ActionSpec(
            "edit_decision_alike",
            "Apply this edit to similar",
            DECIDE,
            ("Shift+E",),
            "Decide every similar disagreement as this one was edited, after a look at each",
        ),
        *_for_many(takes, "form", "for all of this pattern…", "Alt", _BY_FORM),
        ActionSpec(
            "reopen",
            "Re&open",
            DECIDE,
            ("Backspace",),
            "Withdraw the decision",
            separator_before=True,
        ),
        ActionSpec(
            "reason",
            "&Reason…",
            DECIDE,
            ("Ctrl+E",),
            "Give a reason in a few words, before or after deciding",
            separator_before=True,
        ),
        ActionSpec(
            "discuss",
            "Flag for &discussion",
            DECIDE,
            ("Q",),
            "Flag this as a hard case; flagged cases can be exported and discussed",
        ),
    )


def _for_many(
    takes: _Takes, which: str, words: str, modifier: str, tip: str
) -> Iterator[ActionSpec]:
    for name, (text, key, _) in takes.items():
        title, keys = f"Take {text.replace('&', '')}, {words}", (f"{modifier}+{key}",)
        line = name == "first"
        yield ActionSpec(f"take_{name}_{which}", title, DECIDE, keys, tip, separator_before=line)
