"""A page in HTML that is opened from the disk: it loads nothing and runs nothing."""

from collections.abc import Iterable
from html import escape

_NOTHING = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

TABLE_STYLE = """
body { font: 14px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 75em; color: #222 }
table { border-collapse: collapse; width: 100%; margin: 1.2em 0 }
th, td { text-align: left; padding: .3em .8em .3em 0; vertical-align: top;
         border-bottom: 1px solid #ddd }
mark { background: #ffe9a8; padding: 0 .15em }
.around { white-space: pre-wrap; color: #555 }
@media (prefers-color-scheme: dark) {
  body { background: #1c1c1c; color: #ddd } td, th { border-color: #444 }
  mark { background: #6b5300; color: #fff } .around { color: #aaa }
}
"""
"""Of pages that are tables, on light and dark screens."""


def web_page(title: str, style: str, body: Iterable[str]) -> str:
    """Return a page of lines of HTML, in which all text is escaped already but for the title."""
    head = (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{_NOTHING}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(title)}</title><style>{style}</style></head><body>",
    )
    return "\n".join((*head, *body, "</body></html>", ""))
