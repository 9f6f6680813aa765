"""The phrase books and note templates of one set, parsed once."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from shared.synthetic.pools import TEMPLATES_TO_LEARN, Templates, read_template
from shared.synthetic.template import Template, parse_book, parse_template

_STANDARD = (
    *("standard/heart", "standard/lungs_and_kidney", "standard/abdomen"),
    *("standard/nerves_and_joints", "standard/phrases"),
)
TEMPLATE_FILES: Mapping[Templates, tuple[str, ...]] = {
    "standard": _STANDARD,
    "held-out": ("held_out/conditions", "held_out/phrases"),
    **{each: (f"{each}/conditions", f"{each}/phrases") for each in TEMPLATES_TO_LEARN},
    "practice": (*_STANDARD, "practice/forms", "practice/sentences", "practice/narrative"),
}
_STANDARD_KINDS = {
    "discharge": 17,
    "admission": 16,
    "clinic": 17,
    "progress": 12,
    "emergency": 11,
    "consult": 9,
    "radiology": 5,
    "operative": 5,
    "phone": 4,
    "pathology": 4,
}
KINDS: Mapping[Templates, Mapping[str, int]] = {
    "standard": _STANDARD_KINDS,
    "held-out": {
        "transfer": 14,
        "history": 14,
        "visit": 20,
        "triage": 12,
        "letter": 14,
        "imaging": 9,
        "procedure": 9,
        "nursing": 8,
    },
    "practice": {
        **{kind: 2 * often for kind, often in _STANDARD_KINDS.items()},
        "form": 80,
        "timeline": 40,
        "correspondence": 50,
        "jotting": 70,
        "dictation": 90,
        "summary": 60,
        "report": 30,
        "ward": 25,
        "intake": 35,
        "message": 30,
    },
}
"""Kinds of note in a set, and how often each is drawn; in others each kind equally often."""

_SHARED = ("findings", "prose", "studies")


@dataclass(frozen=True, slots=True)
class PhraseBook:
    """Rules by name, the template of every kind of note, and what can be the matter."""

    rules: Mapping[str, tuple[Template, ...]]
    notes: Mapping[str, tuple[Template, ...]]
    kinds: Mapping[str, int]
    conditions: tuple[str, ...]

    def word(self, rule: str) -> str:
        """The only alternative of a rule that is one plain word; "" where there is none."""
        found = self.rules.get(rule)
        return str(found[0][0]) if found else ""


@cache
def phrases(templates: Templates) -> PhraseBook:
    """Return the phrases of a set of templates."""
    rules: dict[str, tuple[Template, ...]] = {}
    for name in (*_SHARED, *TEMPLATE_FILES[templates]):
        rules |= parse_book(read_template("templates", f"{name}.txt"))
    kinds = KINDS.get(templates) or _kinds_of_files(templates)
    return PhraseBook(
        rules=rules,
        notes={kind: _notes(templates, kind) for kind in kinds},
        kinds=kinds,
        conditions=tuple(sorted(n.removesuffix(".name") for n in rules if n.endswith(".name"))),
    )


def _kinds_of_files(templates: Templates) -> dict[str, int]:
    folder = files("shared.synthetic").joinpath("templates", templates, "notes")
    return dict.fromkeys(sorted(each.name.removesuffix(".txt") for each in folder.iterdir()), 1)


def _notes(templates: Templates, kind: str) -> tuple[Template, ...]:
    """The templates of a kind: one file, templates parted by a line of equal signs.

    A backslash at the end of a line joins the next one.
    """
    is_standard = templates in {"standard", "practice"} and kind in _STANDARD_KINDS
    folder = "standard" if is_standard else templates.replace("-", "_")
    text = read_template("templates", folder, "notes", f"{kind}.txt").replace("\\\n", "")
    return tuple(parse_template(each.strip("\n") + "\n") for each in text.split("\n=====\n"))
