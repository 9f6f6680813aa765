"""The manual: Markdown beside this file, and the pages that `make manual` builds of it."""

from pathlib import Path


def manual_page(name: str = "index") -> Path | None:
    """A page of the built manual, by default its first; None where it has not been built."""
    page = Path(__file__).parent / "html" / "manual" / f"{name}.html"
    return page if page.is_file() else None
