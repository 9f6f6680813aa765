"""Texts of records and people as other programs can take them: nothing runs, nothing is markup."""

import re

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet would take for a formula at the start of a cell."""
_MARKDOWN = re.compile(r"([\\|*_`<>\[\]#])")


def as_cell(text: str) -> str:
    """Return a text so that no spreadsheet takes it for a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text


def as_markdown(text: str) -> str:
    """Return a text on one line, half a pair replaced, in which Markdown reads no markup."""
    whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return _MARKDOWN.sub(r"\\\1", " ".join(whole.split()))
