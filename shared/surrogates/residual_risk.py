"""What may be left in a release, as its data card says it: figures, words and limits; no patient.

A statement is about one way of asking; whoever asked writes its sentences. The card keeps them as
JSON under `residual_risk`, from which the section of the card that people read is made.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, cast

from shared.outside import parse_json_object
from shared.text.harmless import as_markdown

KEY = "residual_risk"
HEADING = "## What may be left"
_BEFORE = "## Conventions"
_INTRODUCTION = (
    "Nothing proves that records are free of PHI. What follows estimates what may be left in "
    "them, each in its own way and with its own limits."
)
_NOT_ASKED = "Nobody has asked: there is no estimate for this release."


@dataclass(frozen=True, slots=True)
class RiskStatement:
    """One way of asking what may be left: `key` for programs, `title` and the rest for people.

    `says` and `limits` are sentences, `figures` what they are made from; where nothing could be
    told, `is_told` is False and `says` why. `asked_on` is the day on which it was so, "" in cards
    of before days were kept.
    """

    key: str
    title: str
    says: tuple[str, ...]
    limits: tuple[str, ...] = ()
    figures: Mapping[str, object] = field(default_factory=dict[str, object])
    is_told: bool = True
    asked_on: str = ""


def dated(statements: Iterable[RiskStatement], day: str) -> tuple[RiskStatement, ...]:
    """The statements as those of a day."""
    return tuple(replace(each, asked_on=day) for each in statements)


def risk_as_json(statements: Iterable[RiskStatement]) -> dict[str, dict[str, object]]:
    return {
        each.key: {
            "title": each.title,
            "told": each.is_told,
            "asked_on": each.asked_on,
            "says": list(each.says),
            "limits": list(each.limits),
            "figures": dict(each.figures),
        }
        for each in statements
    }


def risk_from_json(data: object) -> tuple[RiskStatement, ...]:
    """Read what a card keeps. Raises ValueError where that is none."""
    try:
        kept = cast("dict[str, dict[str, Any]]", data)
        return tuple(
            RiskStatement(
                str(key),
                str(each["title"]),
                tuple(map(str, each["says"])),
                tuple(map(str, each["limits"])),
                dict(each["figures"]),
                bool(each["told"]),
                str(each.get("asked_on", "")),
            )
            for key, each in kept.items()
        )
    except (AttributeError, KeyError, TypeError):
        raise ValueError("no statements on what may be left") from None


def risk_as_markdown(statements: Iterable[RiskStatement]) -> str:
    """The section of a card, from its heading on."""
    every = list(statements)
    parts = [HEADING, _INTRODUCTION if every else _NOT_ASKED]
    for each in every:
        day = f"Asked on {as_markdown(each.asked_on)}." if each.asked_on else ""
        parts += [f"### {as_markdown(each.title)}", day, *map(as_markdown, each.says)]
        parts += ["\n".join(f"- Limit: {as_markdown(limit)}" for limit in each.limits)]
    return "\n\n".join(filter(None, parts))


def with_statements(
    card: bytes, text: bytes, statements: Iterable[RiskStatement]
) -> tuple[bytes, bytes]:
    """Return a card, as JSON and as Markdown, that says this; of one key, the later counts.

    What it says besides, on other keys too, stays. Raises ValueError where it is no card.
    """
    content: dict[str, Any] = parse_json_object(card)
    try:
        every = {each.key: each for each in risk_from_json(content.get(KEY, {}))}
    except AttributeError:
        raise ValueError("no card") from None
    every |= {each.key: each for each in statements}
    content[KEY] = risk_as_json(every.values())
    lines = text.decode().split("\n")
    section = [*risk_as_markdown(every.values()).split("\n"), ""]
    return card_bytes(content), "\n".join(_with_section(lines, section)).encode()


def card_bytes(content: Mapping[str, object]) -> bytes:
    """A card as the file that programs read."""
    return (json.dumps(content, indent=1, ensure_ascii=False) + "\n").encode()


def _with_section(lines: list[str], section: list[str]) -> list[str]:
    """The lines of a card with this section, where it was, else before the conventions."""
    if HEADING in lines:
        start = lines.index(HEADING)
        heads = (at for at, line in enumerate(lines) if at > start and line.startswith("## "))
        end = next(heads, len(lines))
    else:
        start = end = lines.index(_BEFORE) if _BEFORE in lines else len(lines)
    return lines[:start] + section + lines[end:]
