"""The data card of a release: how much of what, by which conventions; nothing of any patient."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from shared.model import Document, Layer
from shared.surrogates.conventions import (
    CARD_TEXTS,
    KEY_OF_ALL,
    KEY_OF_EACH_PATIENT,
    CardText,
    resampled,
)
from shared.surrogates.residual_risk import (
    KEY,
    RiskStatement,
    dated,
    risk_as_json,
    risk_as_markdown,
)
from shared.surrogates.surrogate_kinds import ReleaseMode
from shared.surrogates.unattended_card import (
    READ_BY_NOBODY,
    UnattendedFacts,
    unattended_as_markdown,
)
from shared.text.blocks import counted
from shared.text.harmless import as_markdown
from shared.text.tokens import token_starts

Counted = tuple[str, Document, Layer]
"""A record with the part it is in."""

CARD = "data_card.md"
"""The file of a release that is for people."""


@dataclass(frozen=True, slots=True)
class CardFacts:
    """What the card says that the records do not: title, version, and how surrogates were made."""

    title: str
    version: str
    made_on: str
    language: str
    keep_weekdays: bool = False
    seed: int | None = None
    overlapping: int = 0
    guessed: tuple[str, ...] = ()
    mode: ReleaseMode = ReleaseMode.SURROGATE
    has_key: bool = False
    """Whether pseudonyms were made with a key from outside."""
    resample: float = 0.0
    """With which probability a mention of a person has a name of its own."""
    decided: Mapping[str, int] = field(default_factory=dict[str, int])
    """What people decided before the release, and how often."""
    not_reviewed: int = 0
    residual_risk: tuple[RiskStatement, ...] = ()
    """What may be left, as far as it was asked before the release."""
    held_back: Mapping[str, int] = field(default_factory=dict[str, int])
    """How many "records" are left out because people held them back, and of how many "patients"
    all; empty where nothing could be held back."""
    unattended: UnattendedFacts | None = None
    """How doubts were settled where no person did; None where people saw to the release."""

    @property
    def risk_of_the_day(self) -> tuple[RiskStatement, ...]:
        """What may be left, as it was asked on the day of the release."""
        return dated(self.residual_risk, self.made_on)

    @property
    def said(self) -> CardText:
        said = CARD_TEXTS[self.mode]
        if self.mode is ReleaseMode.KEYED:
            key = KEY_OF_ALL if self.has_key else KEY_OF_EACH_PATIENT
            return said._replace(conventions=(*said.conventions, key))
        return resampled(said, self.resample) if self.resample else said


def card_content(
    facts: CardFacts, records: Iterable[Counted], unmark: Iterable[str]
) -> dict[str, Any]:
    """What the card for programs says."""
    rows = list(records)
    return {
        "title": facts.title,
        "version": facts.version,
        "made_on": facts.made_on,
        "language": facts.language,
        "seed": facts.seed,
        "keep_weekdays": facts.keep_weekdays,
        "parts": _sizes(rows),
        "tags": {f"{name[0]}:{name[1]}": count for name, count in _counts(rows).items()},
        "unmarked": sorted(unmark),
        "overlapping_tags_left_out": facts.overlapping,
        "decided_by_people": dict(facts.decided),
        "not_reviewed": facts.not_reviewed,
        "held_back": dict(facts.held_back),
        "unattended": facts.unattended.as_json() if facts.unattended else None,
        "kinds_guessed": list(facts.guessed),
        KEY: risk_as_json(facts.risk_of_the_day),
        "mode": facts.mode.value,
        "names": f"resample={facts.resample}" if facts.resample else "consistent",
        "conventions": list(facts.said.conventions),
        "limits": list(facts.said.limits),
    }


def card_as_text(
    facts: CardFacts, records: Iterable[Counted], unmark: Iterable[str], digest: str
) -> str:
    """Return the card as Markdown, with the counts as in table 3 of the paper.

    `digest` is the release's own.
    """
    rows = list(records)
    unmarked = as_markdown(", ".join(sorted(unmark))) or "none"
    weekdays = "Whole weeks: days of the week are kept." if facts.keep_weekdays else ""
    return "\n\n".join(
        part
        for part in (
            f"# {as_markdown(facts.title)}",
            f"Version {as_markdown(facts.version)}, made on {facts.made_on}, language "
            f"{facts.language}. {READ_BY_NOBODY if facts.unattended else facts.said.title}",
            f"Mode: {facts.mode}.",
            "Random numbers came from the operating system."
            if facts.seed is None
            else f"**MADE WITH --seed {facts.seed}: WHOEVER KNOWS THE SEED CAN UNDO THE SURROGATES."
            " FOR TESTS ONLY, NOT FOR RELEASE.**",
            _table(
                [
                    ["", "patients", "records", "tokens", "tags"],
                    *([name, *map(str, size.values())] for name, size in _sizes(rows).items()),
                ]
            ),
            _table(_type_rows(rows)),
            f"Replaced, but not tagged in this release: {unmarked}.",
            unattended_as_markdown(facts.unattended)
            or f"Decided by people before the release: {_decisions(facts)}.",
            _held_back(facts.held_back),
            f"**NOT REVIEWED: {counted(facts.not_reviewed, 'place')} to look at.**"
            if facts.not_reviewed
            else "",
            f"Tags left out because they overlapped a longer one: {facts.overlapping}.",
            f"Kinds of surrogate guessed by the names of types: "
            f"{as_markdown(', '.join(facts.guessed))}."
            if facts.guessed
            else "",
            f"Digest of the files and of this card but for what may be left: {digest}.",
            risk_as_markdown(facts.risk_of_the_day),
            "## Conventions",
            _list((*facts.said.conventions, weekdays)),
            "## What this mode cannot promise",
            _list(facts.said.limits),
        )
        if part
    ) + "\n"  # fmt: skip


def _held_back(counts: Mapping[str, int]) -> str:
    if not counts:
        return ""
    return (
        f"Held back by people, and so not in this release: {counts['records']} records, among them "
        f"all of {counts['patients']} patients."
        + (
            " The figures below on what may be left may count them too."
            if counts["records"]
            else ""
        )
    )


def _list(lines: Iterable[str]) -> str:
    return "\n".join(f"- {each}" for each in lines if each)


def _decisions(facts: CardFacts) -> str:
    return ", ".join(f"{count} {what}" for what, count in facts.decided.items()) or "nothing"


def _parts(rows: Sequence[Counted]) -> list[str]:
    return [part for part in ("train", "test", "") if any(each[0] == part for each in rows)]


def _sizes(rows: Sequence[Counted]) -> dict[str, dict[str, int]]:
    sizes: dict[str, dict[str, int]] = {}
    for part in _parts(rows):
        own = [(document, layer) for name, document, layer in rows if name == part]
        sizes[part or "all"] = {
            "patients": len({document.patient_id for document, _ in own}),
            "records": len(own),
            "tokens": sum(len(token_starts(document.text)) for document, _ in own),
            "tags": sum(len(layer.tags) for _, layer in own),
        }
    return sizes


def _counts(rows: Sequence[Counted]) -> dict[tuple[str, str], dict[str, int]]:
    """The number of tags by category and type, then by part, with their sum as "all"."""
    counted: Counter[tuple[tuple[str, str], str]] = Counter()
    for part, _, layer in rows:
        for tag in layer.tags:
            name = (tag.phi_type.category, tag.phi_type.name)
            counted[name, part or "all"] += 1
            if part:
                counted[name, "all"] += 1
    names = sorted({name for name, _ in counted})
    columns = [*(part for part in _parts(rows) if part), "all"]
    return {name: {column: counted[name, column] for column in columns} for name in names}


def _type_rows(rows: Sequence[Counted]) -> list[list[str]]:
    counts = _counts(rows)
    columns = list(next(iter(counts.values()), {"all": 0}))
    lines = [
        [f"{category}: {name}" if category != name else name, *map(str, by_part.values())]
        for (category, name), by_part in counts.items()
    ]
    sums = [str(sum(each[column] for each in counts.values())) for column in columns]
    return [["type", *columns], *lines, ["all types", *sums]]


def _table(rows: list[list[str]]) -> str:
    head, *rest = rows
    ruler = ["---", *(["---:"] * (len(head) - 1))]
    return "\n".join(
        f"| {' | '.join(row)} |"
        for row in (head, ruler, *([as_markdown(cell) for cell in row] for row in rest))
    )
