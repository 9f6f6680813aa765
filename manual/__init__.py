"""The manual: Markdown beside this file, and the pages that `make manual` builds of it."""

from pathlib import Path


def manual_page() -> Path | None:
    """The page with which the built manual begins; None where it has not been built."""
    page = Path(__file__).parent / "html" / "index.html"
    return page if page.is_file() else None
