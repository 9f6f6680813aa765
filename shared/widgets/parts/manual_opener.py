"""Opening the manual where its reader reads pages."""

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices

from manual import manual_page

_NOT_BUILT = (
    "This copy of Tandem has not built its manual: run make manual in its folder, or read the "
    "folder manual there."
)


def open_manual() -> str:
    """Open the manual in the browser; return why not as a sentence, "" where it was opened."""
    page = manual_page()
    if page is None:
        return _NOT_BUILT
    if QDesktopServices.openUrl(QUrl.fromLocalFile(str(page))):
        return ""
    return f"Nothing on this computer shows pages; the manual is {page}."
