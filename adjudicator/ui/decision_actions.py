"""The actions that decide, made for as many annotators as a patient may have."""

from dataclasses import dataclass

from adjudicator.decisions import SIDES, Choice
from shared.widgets.actions.actions import ActionSpec

DECIDE = "&Decide"
_ALIKE = "The same for every disagreement of this patient that is alike"
_BY_FORM = "Decide this one, and look at all that differ in the same form, to decide them too"
_ICONS = {Choice.FIRST: "take-first", Choice.SECOND: "take-second"}

REMARKS = (
    ActionSpec(
        "reason",
        "Reaso&n…",
        DECIDE,
        ("Ctrl+E",),
        tip="Say why in a few words, before or after deciding",
        separator_before=True,
    ),
    ActionSpec(
        "discuss",
        "To be &discussed",
        DECIDE,
        ("Q",),
        tip="Flag this as a hard case, for the export to the guidelines",
        in_view_only=True,
    ),
)


def decision_actions(sides: int) -> tuple[ActionSpec, ...]:
    """The actions that decide, for patients with up to so many annotators.

    Each is there three times: for the disagreement on show, with Shift for all that are alike, with
    Alt for all of the same form, after a look at each.
    """
    takes = [
        _Take(choice.value, f"the &{choice.value}", str(number), icon=_ICONS.get(choice, ""))
        for number, choice in enumerate(SIDES[:sides], start=1)
    ]
    if sides == 2:
        takes.append(_Take("both", "&both", "3", "take-both"))
    else:
        takes.append(_Take("both", "&all", "9"))
    takes.append(_Take("neither", "&neither", "0", "take-neither"))
    return (
        *(each.spec() for each in takes),
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
            "review_precedents",
            "Decided be&fore…",
            DECIDE,
            ("Shift+Return", "Shift+Enter"),
            tip="Everything open whose like was decided before, to be ticked and taken at once",
            separator_before=True,
        ),
        *(each.alike() for each in takes),
        ActionSpec(
            "edit_decision_alike",
            "As edited, all alike",
            DECIDE,
            ("Shift+E",),
            tip="Decide every disagreement that is alike as this one was edited",
            in_view_only=True,
        ),
        *(each.by_form() for each in takes),
        ActionSpec(
            "reopen",
            "&Open again",
            DECIDE,
            ("Backspace",),
            tip="Take the decision back",
            in_view_only=True,
            separator_before=True,
        ),
        *REMARKS,
    )


@dataclass(frozen=True, slots=True)
class _Take:
    """What one key decides."""

    name: str
    text: str
    key: str
    icon: str = ""

    def spec(self) -> ActionSpec:
        tip = "All annotators' tags, where they do not overlap" if self.name == "both" else ""
        text = f"Take {self.text}"
        return ActionSpec(
            f"take_{self.name}", text, DECIDE, (self.key,), tip, self.icon, in_view_only=True
        )

    def alike(self) -> ActionSpec:
        return self._for_many("alike", "all alike", "Shift", _ALIKE)

    def by_form(self) -> ActionSpec:
        return self._for_many("form", "all of this form…", "Alt", _BY_FORM)

    def _for_many(self, which: str, words: str, modifier: str, tip: str) -> ActionSpec:
        return ActionSpec(
            f"take_{self.name}_{which}",
            f"Take {self.text.replace('&', '')}, {words}",
            DECIDE,
            (f"{modifier}+{self.key}",),
            tip,
            in_view_only=True,
            separator_before=self.name == "first",
        )
