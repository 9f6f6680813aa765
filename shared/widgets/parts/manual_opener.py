"""Opening the manual where its reader reads pages."""

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices

from manual import manual_page

_NOT_BUILT = (
    "This copy of Tandem has not built its manual: run make manual in its folder, or read the "
    "folder manual there."
)


def open_manual(name: str = "index") -> str:
    """Open a page of the manual in the browser; return why not, "" where it was opened."""
    page = manual_page(name)
    if page is None:
        return _NOT_BUILT
    if QDesktopServices.openUrl(QUrl.fromLocalFile(str(page))):
        return ""
    return f"Nothing on this computer shows pages; the manual is {page}."
