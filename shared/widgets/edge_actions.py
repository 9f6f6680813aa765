"""The actions that move the edges of a tag, alike in both windows."""

from shared.widgets.actions import ActionSpec


def edge_actions(menu: str) -> tuple[ActionSpec, ...]:
    """Start and end, each way, by a character or a word; they stand together in `menu`."""
    return (
        ActionSpec(
            "start_left",
            "Start one character left",
            menu,
            ("Alt+Left",),
            in_view_only=True,
            separator_before=True,
        ),
        ActionSpec(
            "start_right", "Start one character right", menu, ("Alt+Right",), in_view_only=True
        ),
        ActionSpec("end_left", "End one character left", menu, ("Alt+Up",), in_view_only=True),
        ActionSpec("end_right", "End one character right", menu, ("Alt+Down",), in_view_only=True),
        ActionSpec(
            "start_word_left", "Start one word left", menu, ("Alt+Shift+Left",), in_view_only=True
        ),
        ActionSpec(
            "start_word_right",
            "Start one word right",
            menu,
            ("Alt+Shift+Right",),
            in_view_only=True,
        ),
        ActionSpec(
            "end_word_left", "End one word left", menu, ("Alt+Shift+Up",), in_view_only=True
        ),
        ActionSpec(
            "end_word_right", "End one word right", menu, ("Alt+Shift+Down",), in_view_only=True
        ),
    )
