"""Who runs the program, as the system knows them."""

import getpass
from pathlib import Path


def current_user() -> str:
    """A name in any case: work is signed with it."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return Path.home().name or "adjudicator"
