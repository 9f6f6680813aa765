"""The data card of a release: how much of what, by which conventions; nothing of any patient."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from shared.model import Document, Layer
from shared.text.harmless import as_markdown
from shared.text.tokens import token_starts

Counted = tuple[str, Document, Layer]
"""A record with the part it is in."""

CARD = "data_card.md"
"""The file of a release that is for people."""

CONVENTIONS = (
    "Surrogates are made as in Stubbs and Uzuner (2015), section 5.2.",
    "Dates: all dates of a patient are moved by one random number of days, so that intervals "
    "between full dates are exact; holidays become the holiday next to the new day. A date more "
    "than 90 years before the patient's latest is moved nearer, so that it tells no greater age.",
    "Names: initials follow one random permutation per patient; the same word of a name has the "
    "same surrogate in every form, a misspelling is misspelt.",
    "Ages: kept below 90; from 90 on they are 90, and the patient's other ages are lower by as "
    "much.",
    "Places: the same place has the same surrogate; city, state and postal code agree and lie in "
    "the country of the records, which stays where it is named. "
    "Departments are named by what they do, or are Internal Medicine.",
    "Numbers: other digits and letters in the same format; telephone lines 555-0100 to 555-0199, "
    "outside North America such as the numbering plan of the country gives to nobody where that "
    "could be told; social security numbers that were never given out, domains below .example.",
    "Where tags overlapped, the longest was replaced and the others were left out.",
)


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
    conventions: tuple[str, ...] = CONVENTIONS
    decided: Mapping[str, int] = field(default_factory=dict[str, int])
    """What people decided before the release, and how often."""
    not_reviewed: int = 0


def card_as_json(facts: CardFacts, records: Iterable[Counted], unmark: Iterable[str]) -> bytes:
    rows = list(records)
    data = {
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
        "kinds_guessed": list(facts.guessed),
        "conventions": list(facts.conventions),
    }
    return (json.dumps(data, indent=1, ensure_ascii=False) + "\n").encode()


def card_as_text(facts: CardFacts, records: Iterable[Counted], unmark: Iterable[str]) -> str:
    """Return the card as Markdown, with the counts as in table 3 of the paper."""
    rows = list(records)
    unmarked = as_markdown(", ".join(sorted(unmark))) or "none"
    weekdays = "Whole weeks: days of the week are kept." if facts.keep_weekdays else ""
    return "\n\n".join(
        part
        for part in (
            f"# {as_markdown(facts.title)}",
            f"Version {as_markdown(facts.version)}, made on {facts.made_on}, language "
            f"{facts.language}. Every PHI in these records is a surrogate.",
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
            f"Decided by people before the release: {_decisions(facts)}.",
            f"**NOT REVIEWED: {facts.not_reviewed} findings and surrogates.**"
            if facts.not_reviewed
            else "",
            f"Tags left out because they overlapped a longer one: {facts.overlapping}.",
            f"Kinds of surrogate guessed by the names of types: "
            f"{as_markdown(', '.join(facts.guessed))}."
            if facts.guessed
            else "",
            "## Conventions",
            "\n".join(f"- {each}" for each in (*facts.conventions, weekdays) if each),
        )
        if part
    ) + "\n"  # fmt: skip


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
