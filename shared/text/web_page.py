"""A page in HTML that is opened from the disk: it loads nothing and runs nothing."""

from collections.abc import Iterable
from html import escape

_NOTHING = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


def web_page(title: str, style: str, body: Iterable[str]) -> str:
    """Return a page of lines of HTML, in which all text is escaped already but for the title."""
    head = (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{_NOTHING}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(title)}</title><style>{style}</style></head><body>",
    )
    return "\n".join((*head, *body, "</body></html>", ""))
