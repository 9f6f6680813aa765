"""Whether there is a screen."""

import os
import sys

from shared.errors import RequestError


def has_display() -> bool:
    """True where windows can be shown: always but on a Unix without X or Wayland."""
    if sys.platform in {"win32", "darwin"}:
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def require_display() -> None:
    """Raise RequestError where no window can be shown; Qt itself would end the program."""
    if not has_display() and not os.environ.get("QT_QPA_PLATFORM"):
        raise RequestError(
            "there is no display to open a window on; run this on a desktop, or set DISPLAY"
        )
