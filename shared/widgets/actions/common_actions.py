"""Actions that both windows have, alike in name, words, key and menu."""

from shared.widgets.actions.actions import ActionSpec

PATIENT, EDIT, TAG, GO, VIEW, HELP = "&Patient", "&Edit", "&Tag", "&Go", "&View", "&Help"

UNDO = (
    ActionSpec("undo", "&Undo", EDIT, ("Ctrl+Z",), icon="undo"),
    ActionSpec("redo", "&Redo", EDIT, ("Ctrl+Shift+Z", "Ctrl+Y"), icon="redo"),
)
ANNOTATE_ALL = ActionSpec(
    "annotate_all",
    "&Annotate all…",
    EDIT,
    ("A",),
    tip="Tag every occurrence of this text in the patient, after a look at each",
    icon="annotate-all",
    separator_before=True,
)
PREFERENCES = (
    ActionSpec("dark", "&Dark", VIEW, ("Ctrl+Shift+D",), checkable=True, separator_before=True),
    ActionSpec(
        "preferences",
        "Prefere&nces…",
        VIEW,
        ("Ctrl+,",),
        tip="Font, size, line spacing, theme and keys",
    ),
)
HELPING = (
    ActionSpec("commands", "&Commands…", HELP, ("Ctrl+K",), tip="Find an action by name"),
    ActionSpec("guidelines", "&Guidelines", HELP, ("F1",), icon="guidelines"),
    ActionSpec("manual", "&Manual", HELP, ("Shift+F1",), tip="Read how Tandem is used"),
    ActionSpec("shortcuts", "&Shortcuts", HELP, ("?",)),
)


def patient_actions(done: str) -> tuple[ActionSpec, ...]:
    """The menu of patients; `done` says what becomes of one that is done."""
    return (
        ActionSpec("patient_done", "Patient &done", PATIENT, ("Ctrl+D",), tip=done, icon="done"),
        ActionSpec("next_patient", "&Next patient", PATIENT, ("Ctrl+PgDown",)),
        ActionSpec("previous_patient", "&Previous patient", PATIENT, ("Ctrl+PgUp",)),
        ActionSpec("save", "&Save now", PATIENT, ("Ctrl+S",), icon="save", separator_before=True),
        ActionSpec("take_up_rescue", "&Recover edits from a file…", PATIENT),
        ActionSpec(
            "print",
            "Pr&int…",
            PATIENT,
            ("Ctrl+P",),
            tip="Print the record, or all of the patient, with the tags",
            separator_before=True,
        ),
        ActionSpec("save_pdf", "Save as PD&F…", PATIENT, tip="The same as a file for you only"),
        ActionSpec("quit", "&Quit", PATIENT, ("Ctrl+Q",), separator_before=True),
    )


def tag_actions(remove_alike: str) -> tuple[ActionSpec, ...]:
    """What is done to the tag at the caret and its like; `remove_alike` is a tip."""
    return (
        ActionSpec(
            "repeat",
            "Re&peat the last tag",
            EDIT,
            (".",),
            tip="Tag the selection, or else the next search hit, with the last type",
        ),
        ActionSpec("remove", "Re&move tag", EDIT, ("Del",), icon="remove"),
        ActionSpec(
            "remove_alike", "Remove a&ll with this text", EDIT, ("Shift+Del",), tip=remove_alike
        ),
        ActionSpec(
            "retype_alike",
            "Ret&ype all with this text…",
            EDIT,
            ("Ctrl+R",),
            tip="Give every tag of this type on this text another type",
        ),
        ActionSpec(
            "mend",
            "F&ix as the guidelines say",
            EDIT,
            ("F2",),
            tip="Do what the guideline note on the tag proposes",
        ),
    )


def record_actions(*, read_on: tuple[str, ...]) -> tuple[ActionSpec, ...]:
    """From record to record; `read_on` are the keys to go on reading."""
    return (
        ActionSpec(
            "next_record",
            "Next recor&d",
            GO,
            ("Alt+PgDown",),
            in_view_only=False,
            separator_before=True,
        ),
        ActionSpec("previous_record", "Pre&vious record", GO, ("Alt+PgUp",), in_view_only=False),
        ActionSpec(
            "read_on",
            "&Continue reading",
            GO,
            read_on,
            "Mark this page as read, and go to the next text that has not been on the screen",
        ),
    )


RECORDS_NEED_PATIENT = ("next_record", "previous_record", "read_on", "print", "save_pdf")


def look_actions(next_untagged: str) -> tuple[ActionSpec, ...]:
    """Ways to what wants a look; `next_untagged` is a tip."""
    return (
        ActionSpec(
            "next_untagged",
            "Next &untagged occurrence",
            GO,
            ("F9",),
            tip=next_untagged,
            icon="next-untagged",
        ),
        ActionSpec("previous_untagged", "Previous untagged occurrence", GO, ("Shift+F9",)),
        ActionSpec("next_note", "Next &guideline note", GO, ("F4",)),
        ActionSpec("find", "&Find…", GO, ("Ctrl+F",), icon="find", separator_before=True),
        ActionSpec(
            "hints",
            "Jump to &word…",
            GO,
            ("'",),
            tip="Show letters over the words; typing them selects a word, with Shift all up to it",
        ),
    )


def size_actions(*, separator_before: bool) -> tuple[ActionSpec, ...]:
    return (
        ActionSpec(
            "larger", "&Larger text", VIEW, ("Ctrl++", "Ctrl+="), separator_before=separator_before
        ),
        ActionSpec("smaller", "&Smaller text", VIEW, ("Ctrl+-",)),
        ActionSpec("usual_size", "De&fault size", VIEW, ("Ctrl+0",)),
        ActionSpec(
            "compact",
            "Co&mpact text",
            VIEW,
            ("Ctrl+L",),
            tip="Lines close together, with the type over the current tag alone",
            checkable=True,
        ),
    )


def edge_actions() -> tuple[ActionSpec, ...]:
    """Start and end, each way, by a character or a word; they stand together."""
    return (
        ActionSpec(
            "start_left", "Start one character left", EDIT, ("Alt+Left",), separator_before=True
        ),
        ActionSpec("start_right", "Start one character right", EDIT, ("Alt+Right",)),
        ActionSpec("end_left", "End one character left", EDIT, ("Alt+Up",)),
        ActionSpec("end_right", "End one character right", EDIT, ("Alt+Down",)),
        ActionSpec("start_word_left", "Start one word left", EDIT, ("Alt+Shift+Left",)),
        ActionSpec("start_word_right", "Start one word right", EDIT, ("Alt+Shift+Right",)),
        ActionSpec("end_word_left", "End one word left", EDIT, ("Alt+Shift+Up",)),
        ActionSpec("end_word_right", "End one word right", EDIT, ("Alt+Shift+Down",)),
        ActionSpec(
            "exact",
            "E&xact characters",
            EDIT,
            ("Ctrl+Shift+X",),
            tip="Select and drag characters instead of words; for one drag, hold Ctrl at its end",
            checkable=True,
        ),
    )


NOTES = "&Notes"
_WRITE = ActionSpec(
    "write_note",
    "&Write note…",
    NOTES,
    ("Ctrl+N",),
    tip="Write a note on the tag or text at the caret, on the record, or on the patient",
)
_UNSURE = ActionSpec(
    "unsure",
    "&Unsure",
    NOTES,
    ("Ctrl+U",),
    tip="Mark the tag or text at the caret as unsure, for the adjudicator to see; again takes back",
)
_ASK = ActionSpec(
    "ask",
    "A&sk the adjudicator…",
    NOTES,
    ("Ctrl+Shift+N",),
    tip="Ask about the tag or text at the caret, the record, or the patient",
)
_ANSWER = ActionSpec(
    "answer",
    "Answer &question…",
    NOTES,
    ("Ctrl+Shift+N",),
    tip="Answer the question or note looked at; who wrote it sees the answer",
)
_GO_TO_NOTES = (
    ActionSpec(
        "close_note",
        "&Close note",
        NOTES,
        tip="Take back your note, or settle that of another; it stays among all notes",
    ),
    ActionSpec("next_open_note", "Next &open note", NOTES, ("F12",), separator_before=True),
    ActionSpec("previous_open_note", "&Previous open note", NOTES, ("Shift+F12",)),
)
ANNOTATOR_NOTES = (_WRITE, _UNSURE, _ASK, *_GO_TO_NOTES)
ADJUDICATOR_NOTES = (_WRITE, _ANSWER, *_GO_TO_NOTES)

FINDINGS = "&Findings"

FINDING_ACTIONS = (
    ActionSpec("next_finding", "&Next finding", FINDINGS, ("F3",)),
    ActionSpec("previous_finding", "&Previous finding", FINDINGS, ("Shift+F3",)),
    ActionSpec(
        "mend_finding",
        "&Apply fix",
        FINDINGS,
        ("Ctrl+M",),
        tip="Tag the untagged text, or correct the tag, as the finding proposes",
        separator_before=True,
    ),
    ActionSpec(
        "mend_findings",
        "Apply to all &similar",
        FINDINGS,
        ("Ctrl+Shift+M",),
        tip="The same for every finding with the same words, or the same fault",
    ),
    ActionSpec(
        "dismiss_finding",
        "&Dismiss…",
        FINDINGS,
        ("Ctrl+I",),
        tip="Say why it is wrong; it comes back only if the text around it changes",
    ),
    ActionSpec("check_again", "Check a&gain", FINDINGS, ("F5",), separator_before=True),
)
NEED_PATIENT = tuple(spec.name for spec in FINDING_ACTIONS)
"""Those that are grey while no patient is open: all of them."""
