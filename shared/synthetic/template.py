"""The little language in which notes are written down: text with slots, choices and references.

    {name arguments}   a slot: the scene writes a name, a date, a number, ...
    {@rule}            one alternative of a rule, not used in this note before if there is one
    {a|b|c}            one of these
    {?30 text}         the text, 30 times of 100
    {*2-4 rule}        two to four alternatives of a rule, as sentences of one paragraph
    {,2-4 rule}        the same as a list in a line
    {#2-4 rule}        the same as numbered lines
    {-2-4 rule}        the same as lines with a dash
    {=2-4 rule}        the same as plain lines
    {;2-4 rule}        the same in a line, with semicolons

All of these nest. A phrase book holds rules: `== name`, then a line `- alternative` for each,
continued by indented lines.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from shared.errors import ModelError

_MAYBE = re.compile(r"\?(\d+) ", re.DOTALL)
_SEVERAL = re.compile(r"([*,;#=-])(\d+)-(\d+) (\S+)")


@dataclass(frozen=True, slots=True)
class Slot:
    """A place that the scene fills in."""

    name: str
    arguments: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TemplateRule:
    """One alternative of a rule of the phrase book."""

    name: str


@dataclass(frozen=True, slots=True)
class Several:
    """Between `low` and `high` alternatives of a rule; `manner` is one of `*,;#=-`."""

    manner: str
    low: int
    high: int
    rule: str


@dataclass(frozen=True, slots=True)
class Alternatives:
    """One of the alternatives, each as likely as the others."""

    alternatives: tuple["Template", ...]


@dataclass(frozen=True, slots=True)
class Maybe:
    """The template, `percent` times of a hundred."""

    percent: int
    template: "Template"


Node = str | Slot | TemplateRule | Several | Alternatives | Maybe
Template = tuple[Node, ...]


def parse_template(source: str) -> Template:
    """Return the parsed template. Raises ModelError where a brace is left open."""
    return tuple(_nodes(source))


def parse_book(source: str) -> dict[str, tuple[Template, ...]]:
    """Return the rules of a phrase book, by name. Raises ModelError as parse_template does."""
    return {
        name: tuple(parse_template(each) for each in alternatives)
        for name, alternatives in read_lists(source).items()
    }


def read_lists(source: str) -> dict[str, list[str]]:
    """Return the alternatives of each rule as they stand, by its name."""
    rules: dict[str, list[str]] = {}
    name = ""
    for line in source.splitlines():
        if line.startswith("== "):
            name = line[3:].strip()
            rules.setdefault(name, [])
        elif line.startswith("- "):
            rules[name].append(line[2:].strip())
        elif line.startswith("  ") and rules.get(name):
            before = rules[name][-1]
            rules[name][-1] += ("" if before.endswith("|") else " ") + line.strip()
    return rules


def _nodes(source: str) -> Iterator[Node]:
    at = 0
    while at < len(source):
        opening = source.find("{", at)
        if opening < 0:
            yield source[at:]
            return
        if opening > at:
            yield source[at:opening]
        closing = _closing(source, opening)
        yield _node(source[opening + 1 : closing])
        at = closing + 1


def _closing(source: str, opening: int) -> int:
    depth = 0
    for found in re.finditer(r"[{}]", source[opening:]):
        depth += 1 if found[0] == "{" else -1
        if depth == 0:
            return opening + found.start()
    raise ModelError(f"template: the brace at {opening} of {len(source)} characters is not closed")


def _node(body: str) -> Node:
    if found := _MAYBE.match(body):
        return Maybe(int(found[1]), parse_template(body[found.end() :]))
    if body.startswith("@"):
        return TemplateRule(body[1:].strip())
    if found := _SEVERAL.fullmatch(body):
        return Several(found[1], int(found[2]), int(found[3]), found[4])
    alternatives = _split(body)
    if len(alternatives) > 1:
        return Alternatives(tuple(parse_template(each) for each in alternatives))
    name, *arguments = body.split() or [""]
    return Slot(name, tuple(arguments))


def _split(body: str) -> list[str]:
    """Split at the bars that stand in no inner brace."""
    parts = [""]
    depth = 0
    for char in body:
        depth += (char == "{") - (char == "}")
        if char == "|" and depth == 0:
            parts.append("")
        else:
            parts[-1] += char
    return parts
