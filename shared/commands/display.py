"""Whether there is a screen."""

import os
import sys


def has_display() -> bool:
    """True where windows can be shown: always but on a Unix without X or Wayland."""
    if sys.platform in {"win32", "darwin"}:
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
