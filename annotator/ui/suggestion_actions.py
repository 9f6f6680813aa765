"""The actions on suggestions, as a part of the window's table."""

from shared.widgets.actions.actions import ActionSpec

SUGGESTIONS = "&Suggestions"
SURE = 0.99
"""What one accepts all at once."""

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
        in_view_only=True,
        separator_before=True,
    ),
    ActionSpec(
        "accept_everywhere",
        "Accept &everywhere",
        SUGGESTIONS,
        ("Shift+Return",),
        tip="Accept every suggestion on this text in the patient as this type",
        in_view_only=True,
    ),
    ActionSpec(
        "reject",
        "&Reject",
        SUGGESTIONS,
        ("X",),
        tip="Reject the suggestion for good",
        icon="reject",
        in_view_only=True,
    ),
    ActionSpec(
        "reject_alike",
        "Reject &all with this text",
        SUGGESTIONS,
        ("Shift+X",),
        tip="Reject every suggestion of this type on this text in the patient",
        in_view_only=True,
    ),
    ActionSpec(
        "edit_suggestion",
        "Accept and e&dit",
        SUGGESTIONS,
        ("E",),
        tip="Accept and stay, to move the edges (Alt and arrows) or give another type",
        icon="edit",
        in_view_only=True,
    ),
    ActionSpec(
        "accept_sure",
        f"Accept all above {SURE}",
        SUGGESTIONS,
        ("Ctrl+Shift+Return",),
        tip="Accept all that is almost certain, in one step",
        separator_before=True,
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
    "next_suggestion",
    "previous_suggestion",
    "accept_everywhere",
    "reject",
    "reject_alike",
    "edit_suggestion",
    "accept_sure",
    "suggest_again",
)
