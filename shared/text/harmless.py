"""Texts of records and people as others can take them: nothing runs, nothing is markup.

Nor does a name that is written from right to left turn the sentence around that it stands in.
"""

import re

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet would take for a formula at the start of a cell."""
_MARKDOWN = re.compile(r"([\\|*_`<>\[\]#])")

_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\u200f\ufb1d-\ufdff\ufe70-\ufefc]")
_ISOLATED = "\u2068{}\u2069"
"""A direction of its own, whatever stands around."""


def in_sentence(text: str) -> str:
    """Return a text so that words around it are read from left to right."""
    return _ISOLATED.format(text) if _RIGHT_TO_LEFT.search(text) else text


def as_cell(text: str) -> str:
    """Return a text so that no spreadsheet takes it for a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text


def as_markdown(text: str) -> str:
    """Return a text on one line, half a pair replaced, in which Markdown reads no markup."""
    whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return _MARKDOWN.sub(r"\\\1", " ".join(whole.split()))
