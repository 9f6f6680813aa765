"""Pieces of SVG as text."""

from collections.abc import Iterable
from html import escape

_FONT_SIZE = 12


def element(name: str, content: str = "", **attributes: str | float) -> str:
    """Return an element; `class_` stands for class, `text_anchor` for text-anchor, and so on."""
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_value(value)}"'
        for key, value in attributes.items()
    )
    return f"<{name}{written}>{content}</{name}>" if content else f"<{name}{written}/>"


def words(x: float, y: float, what: str, anchor: str = "middle", kind: str = "label") -> str:
    return element("text", escape(what), class_=kind, x=x, y=y, text_anchor=anchor)


def told(what: str, *parts: str) -> str:
    """Return the parts as one thing, which says `what` it is when the pointer rests on it."""
    return element("g", element("title", escape(what)) + "".join(parts))


def drawing(parts: Iterable[str], width: float, height: float, name: str) -> str:
    """Return the whole, which is `name` to a screen reader."""
    return element(
        "svg",
        "".join(parts),
        role="img",
        aria_label=name,
        viewBox=f"0 0 {width:.0f} {height:.0f}",
        width=width,
        font_size=_FONT_SIZE,
    )


def _value(value: str | float) -> str:
    return escape(value) if isinstance(value, str) else f"{value:.4g}"
