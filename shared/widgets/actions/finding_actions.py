"""The actions on findings, as a part of both windows' tables."""

from shared.widgets.actions.actions import ActionSpec

FINDINGS = "Findin&gs"

FINDING_ACTIONS = (
    ActionSpec("next_finding", "&Next finding", FINDINGS, ("F3",)),
    ActionSpec("previous_finding", "&Previous finding", FINDINGS, ("Shift+F3",)),
    ActionSpec(
        "mend_finding",
        "&Mend it",
        FINDINGS,
        ("Ctrl+M",),
        tip="Tag what is untagged, or set the tag right, as the finding proposes",
        separator_before=True,
    ),
    ActionSpec(
        "mend_findings",
        "Mend &all alike",
        FINDINGS,
        ("Ctrl+Shift+M",),
        tip="The same for every finding with the same words, or the same fault",
    ),
    ActionSpec(
        "dismiss_finding",
        "&Dismiss it…",
        FINDINGS,
        ("Ctrl+I",),
        tip="Say why it is none; it comes back only if the text around it changes",
    ),
    ActionSpec("check_again", "Run a&gain", FINDINGS, ("F5",), separator_before=True),
)
NEED_PATIENT = tuple(spec.name for spec in FINDING_ACTIONS)
"""Those that are grey while no patient is open: all of them."""
