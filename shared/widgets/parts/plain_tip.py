"""Tooltips with words of records and of people, of which Qt must not make markup."""

from html import escape

_LONG = 160
"""So many characters are broken into lines, which Qt does with markup alone."""


def plain_tip(text: str) -> str:
    """Return what shows a text in a tooltip as it is written."""
    if len(text) < _LONG and "<" not in text and "&" not in text:
        return text
    return f"<p style='white-space:pre-wrap'>{escape(text)}</p>"
